//! Engines that speak the protocol of contests in Connect6: they are told turns, and answer with turns.

use super::process::Wait;
use super::{Budget, Client, ClientError, Reply};
use crate::engine::stones::{WrongTurn, letters_of, stones_of_turn};
use crate::game::line::Line;
use crate::game::{BoardGame, Game, MoveError, Side};

/// What an engine knows of the game.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The moves on its board, its own last turn included; `None` before the game.
    moves: Option<Vec<String>>,
    depth: Option<u32>,
}

/// A turn: whose, and its stones in letters.
struct TurnText {
    side: Side,
    letters: String,
}

impl Client {
    /// Greets the engine, and hears how it calls itself.
    pub(super) fn greet_by_name(&mut self) -> Result<(), ClientError> {
        self.process.send("name");
        let wait = Wait::begin(self.command.patience, "name");
        loop {
            if let Some(name) = self.process.receive(&wait)?.strip_prefix("name ") {
                self.announced.name = Some(name.trim().to_owned());
                return Ok(());
            }
        }
    }

    /// Refuses the options that it was to be set: its protocol has none.
    pub(super) fn refuse_options(&self) -> Result<(), ClientError> {
        let Some((option, _)) = self.command.options.first() else { return Ok(()) };
        let (program, option) = (self.process.program().to_owned(), option.clone());
        let known = "none, as its protocol knows no options".to_owned();
        Err(ClientError::UnknownOption { program, option, nearest: None, known })
    }

    /// The next stone in the position that `line` leads to: the second of the turn that it answered with last, or the first of a turn
    /// that it is asked for.
    pub(super) fn play_stone<G: BoardGame>(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
    ) -> Result<Reply<G::Move>, ClientError> {
        let position = line.position();
        let texts: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        let planned = self.told.moves.as_ref().and_then(|told| told.split_last());
        let stone = match planned {
            Some((second, before)) if before == texts => second.clone(),
            _ => self.ask_for_turn(line, &position, (&texts, budget))?,
        };
        let answer = self.process.last_line();
        let mv = self.read_move(&position, &stone).map_err(|problem| self.not_a_move(&position, answer, problem))?;
        Ok(Reply::default().with_moves(Some(mv), None))
    }

    /// Tells the engine what has happened, and takes its turn. Gives the first stone of it.
    fn ask_for_turn<G: BoardGame>(
        &mut self,
        line: &Line<G>,
        position: &G,
        (texts, budget): (&[String], &Budget),
    ) -> Result<String, ClientError> {
        let turns = self.turns(line)?;
        if self.told.depth != budget.depth
            && let Some(depth) = budget.depth
        {
            self.process.send(&format!("depth {depth}"));
            self.told.depth = budget.depth;
        }
        self.tell::<G>(&turns, texts);
        let side = position.side_to_move();
        let clock = budget.clocks.map(|clocks| clocks[side.index()].remaining);
        let wait = Wait::begin(clock.map_or(self.command.longest, |time| time + self.command.patience), "move");
        let stones = self.hear_turn(position, &wait)?;
        let first = stones.first().cloned().unwrap_or_default();
        self.told.moves = Some(texts.iter().cloned().chain(stones).collect());
        Ok(first)
    }

    /// The turns of a line, all of them finished: nothing else can be said in this protocol.
    fn turns<G: BoardGame>(&self, line: &Line<G>) -> Result<Vec<TurnText>, ClientError> {
        let mut position = line.start.clone();
        let mut turns: Vec<TurnText> = Vec::new();
        for &mv in &line.moves {
            let (side, letters) = (position.side_to_move(), letters_of(&mv.to_string()));
            match turns.last_mut().filter(|turn| turn.side == side) {
                Some(turn) => turn.letters += &letters,
                None => turns.push(TurnText { side, letters }),
            }
            position.play(mv);
        }
        let is_unfinished = turns.last().is_some_and(|turn| turn.side == position.side_to_move());
        if is_unfinished || line.start.notation() != G::start().notation() {
            let (program, position) = (self.process.program().to_owned(), position.notation());
            return Err(ClientError::Untellable { program, position });
        }
        Ok(turns)
    }

    /// Says what the engine does not know yet: a turn of the opponent, or a game from its beginning.
    fn tell<G: Game>(&mut self, turns: &[TurnText], texts: &[String]) {
        let known = self.told.moves.take().filter(|known| texts.starts_with(known));
        let news: String = known.iter().flat_map(|known| &texts[known.len()..]).map(|text| letters_of(text)).collect();
        match turns {
            [] => self.process.send("new black"),
            [.., last] if known.is_some() && last.letters == news => self.process.send(&format!("move {news}")),
            [first] => {
                self.process.send("new white");
                self.process.send(&format!("move {}", first.letters));
            }
            _ => {
                self.process.send("new white");
                for TurnText { side, letters } in turns {
                    self.process.send(&format!("{} {letters}", G::SIDES[side.index()]));
                }
                self.process.send("next");
            }
        }
    }

    /// The stones of the turn that the engine answers with: as many as its turn has in `position`, and all legal.
    fn hear_turn<G: BoardGame>(&mut self, position: &G, wait: &Wait) -> Result<Vec<String>, ClientError> {
        let answer = loop {
            let line = self.process.receive(wait)?;
            if line.starts_with("move ") {
                break line;
            }
        };
        let turn = answer["move ".len()..].trim();
        let stones = stones_of_turn(position, turn).map_err(|wrong| match wrong {
            WrongTurn::Form(expected) => MoveError::syntax(turn, expected),
            WrongTurn::Stone { problem, .. } => problem,
        });
        let texts = stones.map(|stones| stones.iter().map(ToString::to_string).collect());
        texts.map_err(|problem| self.not_a_move(position, answer, problem))
    }
}
