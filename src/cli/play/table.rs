//! The game on the table: what was played, and how it ended.

use std::path::Path;

use roughboard::arena::Opening;
use roughboard::game::{Game, Outcome, Side};
use roughboard::record::{DEFAULT_LEVEL, GameRecord, RecordError, write_games};

/// How a game was ended, by the rules or by a player.
pub struct Finish {
    /// Who won.
    pub outcome: Outcome,
    /// The rule in the words of the game, or what a player did.
    pub reason: String,
}

/// A game that a person takes part in.
pub struct Table<G: Game> {
    /// Where it began, and all moves.
    pub line: Opening<G>,
    /// The position now.
    pub position: G,
    /// What is remarked on each move.
    comments: Vec<Option<String>>,
    /// The end that a player made.
    ended: Option<Finish>,
}

impl<G: Game> Table<G> {
    /// A game that begins at `start`.
    pub fn new(start: G) -> Self {
        let line = Opening { start: start.clone(), moves: Vec::new() };
        Self { line, position: start, comments: Vec::new(), ended: None }
    }

    /// How the game has ended, if it has.
    pub fn finish(&self) -> Option<Finish> {
        let by_rule = self.position.end().map(|end| Finish { outcome: end.outcome, reason: end.reason.to_owned() });
        let by_player =
            self.ended.as_ref().map(|Finish { outcome, reason }| Finish { outcome: *outcome, reason: reason.clone() });
        by_rule.or(by_player)
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: G::Move, comment: Option<String>) {
        self.position.play(mv);
        self.line.moves.push(mv);
        self.comments.push(comment);
    }

    /// Ends the game: `loser` has given it up or failed, for this reason.
    pub fn end(&mut self, loser: Side, reason: &str) {
        self.ended = Some(Finish { outcome: Outcome::Win(loser.other()), reason: reason.to_owned() });
    }

    /// Takes moves back up to where `side` had its last turn, and says how many; 0 if it had none. A game that a player ended goes on.
    pub fn take_back(&mut self, side: Side) -> usize {
        let mut earlier = self.position.clone();
        let mut count = 0;
        while earlier.plies() > 0 {
            earlier.undo();
            count += 1;
            if earlier.side_to_move() == side {
                self.line.moves.truncate(self.line.moves.len() - count);
                self.comments.truncate(self.line.moves.len());
                (self.position, self.ended) = (earlier, None);
                return count;
            }
        }
        0
    }

    /// Writes the game to `path`, between players of these names.
    pub fn save(&self, path: &Path, names: [&str; 2]) -> Result<(), RecordError> {
        write_games(path, [&self.record(names)], DEFAULT_LEVEL)
    }

    fn record(&self, names: [&str; 2]) -> GameRecord<G> {
        let mut record = GameRecord::new(self.line.start.clone());
        for (side, name) in [Side::First, Side::Second].into_iter().zip(names) {
            record.set_player(side, name);
        }
        for (&mv, comment) in self.line.moves.iter().zip(&self.comments) {
            record.push(mv, comment.clone());
        }
        match self.finish() {
            Some(Finish { outcome, reason }) => {
                record.set_tag("Termination", reason);
                record.outcome = Some(outcome);
            }
            None => record.set_tag("Termination", "unfinished"),
        }
        record
    }
}
