//! What an engine says, read with as much patience as its many dialects ask for.

use std::str::SplitWhitespace;

use crate::engine::info::CENTIPAWN_UNIT;

/// What an engine thinks of a position, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// An advantage in the engine's own centipawns. UCCI has nothing else.
    Centipawns(i64),
    /// A mate in so many moves of the side to move; negative if it is the one that is mated.
    Mate(i64),
}

impl Verdict {
    /// The result that the engine expects for the side to move, in [-1, 1]: a mate is certain, and c centipawns stand for
    /// tanh(c / 600), as they do in the answers of this program. Engines of other makes may mean something else by them.
    pub fn expected_result(self) -> f64 {
        match self {
            Self::Centipawns(centipawns) => (centipawns as f64 / CENTIPAWN_UNIT).tanh(),
            Self::Mate(1..) => 1.0,
            Self::Mate(_) => -1.0,
        }
    }
}

/// A move and what the engine said about it last. Moves are texts until they are known to be legal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply<M> {
    /// The move; `None` if the engine sees none.
    pub mv: Option<M>,
    /// The answer that it expects, if that is a legal one.
    pub ponder: Option<M>,
    /// Its verdict on the best line.
    pub verdict: Option<Verdict>,
    /// The depth, in plies, that it says to have searched.
    pub depth: Option<u32>,
    /// The positions that it says to have visited.
    pub nodes: Option<u64>,
    /// Whether it offers a draw, or takes the one that was offered (UCCI).
    pub offers_draw: bool,
    /// Whether it gives up (UCCI).
    pub resigns: bool,
}

impl Reply<String> {
    /// Takes one line; whether it is the answer, which ends the search. Lines that mean nothing are passed over.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let word = words.next();
        match word {
            Some("info") => self.note(words),
            Some("bestmove") => self.take_best(words),
            _ => {}
        }
        matches!(word, Some("bestmove" | "nobestmove"))
    }

    /// Takes the words of an `info` line, unless they are about a line that is not the best.
    fn note(&mut self, words: SplitWhitespace<'_>) {
        let (mut seen, mut is_bound) = (Self::default(), false);
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "string" | "message" | "pv" => break,
                "multipv" if words.peek().is_some_and(|&line| line != "1") => return,
                "depth" => seen.depth = words.peek().and_then(|word| word.parse().ok()),
                "nodes" => seen.nodes = words.peek().and_then(|word| word.parse().ok()),
                "cp" | "score" => seen.verdict = number(words.peek()).map(Verdict::Centipawns).or(seen.verdict),
                "mate" => seen.verdict = number(words.peek()).map(Verdict::Mate).or(seen.verdict),
                "lowerbound" | "upperbound" => is_bound = true,
                _ => {}
            }
        }
        // A bound says little of the value: it counts where nothing better is known.
        if !is_bound || self.verdict.is_none() {
            self.verdict = seen.verdict.or(self.verdict);
        }
        self.depth = seen.depth.or(self.depth);
        self.nodes = seen.nodes.or(self.nodes);
    }

    /// Takes what follows the word `bestmove`.
    fn take_best(&mut self, mut words: SplitWhitespace<'_>) {
        let no_move = |word: &str| ["(none)", "none", "null", "0000", "a0a0"].contains(&word);
        self.mv = words.next().filter(|word| !no_move(word)).map(str::to_owned);
        while let Some(word) = words.next() {
            match word {
                "ponder" => self.ponder = words.next().map(str::to_owned),
                "draw" => self.offers_draw = true,
                "resign" => self.resigns = true,
                _ => {}
            }
        }
    }

    /// The same with these moves in place of the texts.
    pub(super) fn with_moves<M>(self, mv: Option<M>, ponder: Option<M>) -> Reply<M> {
        let Self { verdict, depth, nodes, offers_draw, resigns, .. } = self;
        Reply { mv, ponder, verdict, depth, nodes, offers_draw, resigns }
    }
}

fn number(word: Option<&&str>) -> Option<i64> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(lines: &[&str]) -> Reply<String> {
        let mut reply = Reply::default();
        lines.iter().for_each(|line| assert!(!reply.take(line), "{line}"));
        reply
    }

    #[test]
    fn the_last_word_on_the_best_line_counts() {
        let reply = taken(&[
            "info depth 3 score cp -5 nodes 100 pv h2e2",
            "info depth 4 multipv 1 score cp 12 lowerbound nodes 900 nps 1 pv h2e2 h9g7",
            "info depth 4 multipv 2 score cp 99 nodes 950 pv b2e2",
            "info string depth 77 score mate 3",
            "info currmove h2e2 currmovenumber 3",
            "whatever",
            "",
        ]);
        assert_eq!((reply.verdict, reply.depth, reply.nodes), (Some(Verdict::Centipawns(-5)), Some(4), Some(900)));
        let bound = "info depth 1 score cp 12 upperbound nodes 9";
        assert_eq!(taken(&[bound]).verdict, Some(Verdict::Centipawns(12)));
        assert_eq!(taken(&[bound, "info depth 2 score cp 3"]).verdict, Some(Verdict::Centipawns(3)));
        assert_eq!(taken(&["info depth 9 score mate -2"]).verdict, Some(Verdict::Mate(-2)));
        let ucci = taken(&["info time 5 nodes 7", "info depth 6 score 4 pv b0c2", "info depth x score y"]);
        assert_eq!((ucci.verdict, ucci.depth, ucci.nodes), (Some(Verdict::Centipawns(4)), Some(6), Some(7)));
    }

    #[test]
    fn answers_are_read_in_all_forms() {
        let best = |line| {
            let mut reply = Reply::default();
            assert!(reply.take(line), "{line}");
            reply
        };
        let moves = |line| (best(line).mv, best(line).ponder);
        assert_eq!(moves("bestmove h2e2 ponder h9g7"), (Some("h2e2".into()), Some("h9g7".into())));
        for none in ["bestmove (none)", "bestmove 0000", "nobestmove", "bestmove"] {
            assert_eq!(moves(none), (None, None), "{none}");
        }
        assert!(best("bestmove h2e2 draw").offers_draw && best("bestmove h2e2 resign").resigns);
    }
}
