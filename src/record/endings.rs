//! Whether the last game of a file of PGN ends as the others do, with a result after its moves, or looks cut off.

use super::entry::{FileName, SourceLocation};
use super::pgn::RawGame;

/// Where a game with moves begins, and whether a result ends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    line: u64,
    has_result: bool,
}

impl Ending {
    /// How a game ends that has moves.
    pub fn of(game: &RawGame<'_>) -> Option<Self> {
        (!game.moves.is_empty()).then(|| Self { line: game.line, has_result: game.result.is_some() })
    }
}

/// How the games of a document end, as far as it has been read.
#[derive(Debug, Default)]
pub struct Endings {
    with_result: u64,
    without: u64,
    /// Number and first line of the game that was read last, if no result ends it.
    last: Option<(u64, u64)>,
}

impl Endings {
    /// Counts the game of this number; of what is no game nothing is known.
    pub fn add(&mut self, number: u64, ending: Option<Ending>) {
        let without = ending.filter(|ending| !ending.has_result);
        self.with_result += u64::from(ending.is_some_and(|ending| ending.has_result));
        self.without += u64::from(without.is_some());
        self.last = without.map(|ending| (number, ending.line));
    }

    /// What is to be said of the document `file`, which ends here: that its last game is the only one without a result.
    pub fn remark(&self, file: &FileName) -> Option<String> {
        let (game, line) = self.last.filter(|_| self.without == 1 && self.with_result > 0)?;
        let place = SourceLocation { file: file.clone(), game, line, ..SourceLocation::default() };
        Some(format!(
            "{place}: the last game has no result after its moves, which the other games have: is the file cut short?"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::pgn::parse;
    use super::*;

    fn remark(text: &str) -> Option<String> {
        let mut endings = Endings::default();
        for (number, game) in (1..).zip(parse(text, 1)) {
            endings.add(number, game.ok().as_ref().and_then(Ending::of));
        }
        endings.remark(&FileName { shown: "x.pgn".into(), asked: 0 })
    }

    #[test]
    fn the_last_game_is_told_of_where_it_alone_has_no_result() {
        let told = remark("a1 b2 1-0\nc3 *\nd4").unwrap();
        assert!(told.starts_with("x.pgn: game 3 (line 3): the last game has no result"), "{told}");
        for fine in ["", "a1", "a1 1-0\nb2 *", "a1 {open", "a1 1-0\nb2 0-1 {resigns}", "a1 1-0\n[Red \"x\"]\n"] {
            assert_eq!(remark(fine), None, "{fine}");
        }
    }
}
