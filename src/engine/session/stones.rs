//! Sessions in the protocol of contests in Connect6, which asks for whole turns.

use std::time::Duration;

use super::{Running, Session};
use crate::PROGRAM;
use crate::engine::go::Go;
use crate::engine::refusal::Refusal;
use crate::engine::stones::{StoneCommand, letters_of, points_of};
use crate::engine::task::Task;
use crate::eval::Catalogue;
use crate::game::Side;
use crate::search::SearchResult;

/// Stones of a turn.
const STONES: u32 = 2;

impl<G: Catalogue> Session<G> {
    pub(super) fn obey(&mut self, command: StoneCommand<'_>) -> Result<Option<Task<G>>, Refusal> {
        match command {
            StoneCommand::Name => self.say(&format!("name {PROGRAM}\n")),
            StoneCommand::New(side) => {
                self.new_game()?;
                if side == Side::First {
                    return self.think("new");
                }
            }
            StoneCommand::Place(side, turn) => self.place(Some(side), turn)?,
            StoneCommand::Reply(turn) => {
                self.place(None, turn)?;
                return self.think("move");
            }
            StoneCommand::Next => return self.think("next"),
            StoneCommand::Depth(turns) => self.turns_ahead = Some(turns),
            StoneCommand::Print => self.show(),
            StoneCommand::Nothing => {}
            StoneCommand::Quit => self.quit(),
        }
        Ok(None)
    }

    /// Makes a turn of `side`, of whoever is to move if none is named. On an error the position before it stays.
    fn place(&mut self, side: Option<Side>, turn: &str) -> Result<(), Refusal> {
        let mover = self.position.side_to_move();
        let command = side.map_or("move", |side| G::SIDES[side.index()]);
        self.require_idle(command)?;
        if side.is_some_and(|side| side != mover) {
            return Err(Refusal::Turn { command, side: G::SIDES[mover.index()] });
        }
        let wrong = |expected| Refusal::form(format!("`{command}`"), expected, turn);
        let points = points_of(turn).ok_or_else(|| wrong("one or two points such as `JJ` and `JJKK`"))?;
        let (mut position, mut moves) = (self.position.clone(), Vec::new());
        for (index, point) in points.iter().enumerate() {
            // Behind a stone that wins another one may stand, which does not matter any more.
            if position.end().is_some() && index > 0 {
                break;
            }
            if position.side_to_move() != mover {
                return Err(wrong("one point: the turn has one stone"));
            }
            let mv = self.read_move(&position, command, index, point)?;
            position.play(mv);
            moves.push(mv);
        }
        if position.side_to_move() == mover && position.end().is_none() {
            return Err(wrong("two points: the turn has two stones"));
        }
        self.position = position;
        self.banned.clear();
        self.line.moves.extend(moves);
        self.options.log.set_position(&self.line);
        Ok(())
    }

    /// Begins the search for a turn; says what ended the game if it is over.
    fn think(&mut self, command: &'static str) -> Result<Option<Task<G>>, Refusal> {
        self.require_idle(command)?;
        if let Some(end) = self.position.end() {
            self.note(&format!("the game is over: {}", end.reason));
            return Ok(None);
        }
        // Nothing is at stake before the first stone.
        let turns = if self.line.moves.is_empty() { Some(1) } else { self.turns_ahead };
        let depth = turns.map(|turns| turns.saturating_mul(STONES));
        let movetime = Some(Duration::from_millis(self.options.turn_time));
        self.start(&Go { depth, movetime, ..Go::default() })
    }

    /// Answers with the turn that was `found`, and makes it.
    pub(super) fn answer_turn(&mut self, running: &Running<G::Move>, found: &SearchResult<G::Move>) {
        let (mover, mut letters) = (self.position.side_to_move(), String::new());
        for &mv in &found.pv {
            if self.position.side_to_move() != mover || self.position.end().is_some() {
                break;
            }
            letters += &letters_of(&mv.to_string());
            if running.plays && !self.over {
                let stone = SearchResult { best: Some(mv), ..found.clone() };
                self.log(&stone, running.considers_all);
            }
            self.position.play(mv);
            self.line.moves.push(mv);
        }
        self.say(&format!("move {letters}\n"));
    }
}
