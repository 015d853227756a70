//! Sessions in the protocol of contests in Connect6, which asks for whole turns.

use std::time::Duration;

use super::{Running, Session};
use crate::PROGRAM;
use crate::engine::go::Go;
use crate::engine::refusal::Refusal;
use crate::engine::stones::{StoneCommand, WrongTurn, letters_of, stones_of_turn};
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
        let stones = stones_of_turn(&self.position, turn).map_err(|wrong| match wrong {
            WrongTurn::Form(expected) => Refusal::form(format!("`{command}`"), expected, turn),
            WrongTurn::Stone { number, problem } => Refusal::Move { command, number, source: problem },
        })?;
        for stone in stones {
            self.position.play(stone);
            self.line.moves.push(stone);
        }
        self.banned.clear();
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
        // Nothing is at stake before the first stone of the usual start.
        let is_first = self.line.moves.is_empty() && self.line.start.notation() == G::start().notation();
        let turns = if is_first { Some(1) } else { self.turns_ahead };
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
