//! Plain minimax: the slow, obviously right reference that every faster search is tested against.
//!
//! Written from the point of view of the first side, who maximises while the second minimises, so that it shares no sign
//! convention with the searches it checks.

use super::settings::Leaf;
use super::{SearchResult, WIN};
use crate::eval::{Evaluator, Score};
use crate::game::{End, SearchHints, Side};

/// The value of `position` for its side to move by full search of `depth` plies; of equal moves the first.
///
/// Ends by history count in the tree but not at the root. `depth` 0 gives the value of the leaf.
pub fn minimax<G: SearchHints>(
    position: &mut G,
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
    leaf: Leaf,
) -> SearchResult<G::Move> {
    minimax_of_width(position, evaluator, depth, leaf, 0)
}

/// As [`minimax`], of a tree in which every position has at most `width` moves, the game's [candidates](SearchHints::candidates);
/// 0 for all.
pub fn minimax_of_width<G: SearchHints>(
    position: &mut G,
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
    leaf: Leaf,
    width: u32,
) -> SearchResult<G::Move> {
    let mut search = Minimax { width, ..Minimax::new(evaluator, leaf) };
    let side = position.side_to_move();
    let (value, pv) = search.value(position, depth);
    let (best, score) = (pv.first().copied(), value * side.sign());
    SearchResult { best, score, depth, nodes: search.nodes, null_windows: 0, pv }
}

/// A value for the first side and the line that leads to it.
type Line<M> = (Score, Vec<M>);

pub(super) struct Minimax<'a, G> {
    evaluator: &'a mut dyn Evaluator<G>,
    leaf: Leaf,
    /// The most moves of a position; 0 for all.
    width: u32,
    pub nodes: u64,
    /// Plies from the root to the current position.
    pub ply: Score,
}

impl<'a, G: SearchHints> Minimax<'a, G> {
    pub fn new(evaluator: &'a mut dyn Evaluator<G>, leaf: Leaf) -> Self {
        Self { evaluator, leaf, width: 0, nodes: 0, ply: 0 }
    }

    fn value(&mut self, position: &mut G, depth: u32) -> Line<G::Move> {
        match self.value_without_expansion(position, depth) {
            Some(value) => (value, Vec::new()),
            None => self.best_of_all(position, |search, position| search.value(position, depth - 1)),
        }
    }

    /// Visits a node `depth` plies above the leaves, and gives its value for the first side if that needs no search of its
    /// moves: the game is over there, or it is a leaf.
    pub(crate) fn value_without_expansion(&mut self, position: &mut G, depth: u32) -> Option<Score> {
        self.nodes += 1;
        match position.end_by_history().filter(|_| self.ply > 0) {
            Some(end) => Some(self.end_value(end)),
            None if depth == 0 => Some(self.leaf_value(position)),
            None if position.count_legal_moves() == 0 => position.end().map(|end| self.end_value(end)),
            None => None,
        }
    }

    fn leaf_value(&mut self, position: &mut G) -> Score {
        match self.leaf {
            Leaf::Static => self.static_value(position),
            Leaf::Quiescence { plies } => self.quiet_value(position, plies),
        }
    }

    fn quiet_value(&mut self, position: &mut G, left: u32) -> Score {
        if left == 0 {
            return self.static_value(position);
        }
        let deeper = |search: &mut Self, position: &mut G| (search.visit_noisy(position, left - 1), Vec::new());
        if position.in_check() {
            return self.best_of_all(position, deeper).0;
        }
        let standing = (self.static_value(position), Vec::new());
        let mut moves = Vec::new();
        position.noisy_moves(&mut moves);
        self.best_of(position, &moves, Some(standing), deeper).0
    }

    fn visit_noisy(&mut self, position: &mut G, left: u32) -> Score {
        self.nodes += 1;
        match position.end_by_history() {
            Some(end) => self.end_value(end),
            None => self.quiet_value(position, left),
        }
    }

    fn best_of_all(&mut self, position: &mut G, value: impl Fn(&mut Self, &mut G) -> Line<G::Move>) -> Line<G::Move> {
        let moves = moves_of_width(position, self.width);
        if moves.is_empty() {
            return (position.end().map_or(0, |end| self.end_value(end)), Vec::new());
        }
        self.best_of(position, &moves, None, value)
    }

    /// The best for the side to move of `standing`, if it may choose that, and the values after `moves`.
    fn best_of(
        &mut self,
        position: &mut G,
        moves: &[G::Move],
        standing: Option<Line<G::Move>>,
        value: impl Fn(&mut Self, &mut G) -> Line<G::Move>,
    ) -> Line<G::Move> {
        let side = position.side_to_move();
        let mut best = standing;
        for &mv in moves {
            position.play(mv);
            self.ply += 1;
            let (score, mut line) = value(self, position);
            self.ply -= 1;
            position.undo();
            if best.as_ref().is_none_or(|&(known, _)| is_better(side, score, known)) {
                line.insert(0, mv);
                best = Some((score, line));
            }
        }
        best.unwrap_or_default()
    }

    fn static_value(&mut self, position: &G) -> Score {
        self.evaluator.evaluate(position) * position.side_to_move().sign()
    }

    const fn end_value(&self, end: End) -> Score {
        end.outcome.value() * (WIN - self.ply)
    }
}

/// All legal moves of `position`, in the order of generation, or its candidates where there is a `width`.
pub(crate) fn moves_of_width<G: SearchHints>(position: &G, width: u32) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if width == 0 {
        position.legal_moves(&mut moves)
    } else {
        position.candidates(width as usize, &mut moves)
    }
    moves
}

/// Whether `side` prefers the value `score` for the first side to `known`.
pub(super) const fn is_better(side: Side, score: Score, known: Score) -> bool {
    match side {
        Side::First => score > known,
        Side::Second => score < known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Catalogue;
    use crate::eval::connect6::StaticEvaluator;
    use crate::game::{Game, Notation};
    use crate::games::connect6::Connect6;
    use crate::games::xiangqi::Xiangqi;
    use crate::search::{end_score, score_without_moves};

    /// The same with values for the side to move and nothing but the value.
    struct Reference<'a, G> {
        evaluator: &'a mut dyn Evaluator<G>,
        width: u32,
        nodes: u64,
    }

    impl<G: SearchHints> Reference<'_, G> {
        fn moves(&self, position: &G) -> Vec<G::Move> {
            let mut moves = Vec::new();
            match self.width {
                0 => position.legal_moves(&mut moves),
                width => position.candidates(width as usize, &mut moves),
            }
            moves
        }

        /// `depth` plies of all moves and `quiet` of noisy ones, from a position `ply` plies below the root.
        fn value(&mut self, position: &mut G, (depth, quiet): (u32, u32), ply: u32) -> Score {
            self.nodes += 1;
            if let Some(end) = position.end_by_history().filter(|_| ply > 0) {
                return end_score(end, position.side_to_move(), ply);
            }
            let (mut moves, mut best) = (Vec::new(), None);
            if depth > 0 || (quiet > 0 && position.in_check()) {
                moves = self.moves(position);
            } else {
                best = Some(self.evaluator.evaluate(position));
                if quiet > 0 {
                    position.noisy_moves(&mut moves);
                }
            }
            let left = if depth > 0 { (depth - 1, quiet) } else { (0, quiet.saturating_sub(1)) };
            for mv in moves {
                let value = self.value_after(position, mv, left, ply + 1);
                best = Some(best.map_or(value, |best: Score| best.max(value)));
            }
            best.unwrap_or_else(|| score_without_moves(position, ply))
        }

        /// The value of a move for the side that makes it.
        fn value_after(&mut self, position: &mut G, mv: G::Move, left: (u32, u32), ply: u32) -> Score {
            let mover = position.side_to_move();
            position.play(mv);
            let value = self.value(position, left, ply);
            let value = if position.side_to_move() == mover { value } else { -value };
            position.undo();
            value
        }
    }

    /// Value, visited positions and best move are those of the reference; gives what was found.
    fn checked<G: SearchHints>(
        position: &mut G,
        evaluator: &mut dyn Evaluator<G>,
        (depth, quiet): (u32, u32),
        width: u32,
    ) -> SearchResult<G::Move> {
        let leaf = if quiet == 0 { Leaf::Static } else { Leaf::Quiescence { plies: quiet } };
        let found = minimax_of_width(position, &mut *evaluator, depth, leaf, width);
        let mut reference = Reference { evaluator, width, nodes: 0 };
        let score = reference.value(position, (depth, quiet), 0);
        assert_eq!((found.score, found.nodes, found.depth), (score, reference.nodes, depth));
        let mut best = None;
        for mv in if depth > 0 { reference.moves(position) } else { Vec::new() } {
            if best.is_none() && reference.value_after(position, mv, (depth - 1, quiet), 1) == score {
                best = Some(mv);
            }
        }
        assert_eq!((found.best, found.pv.first().copied(), found.null_windows), (best, best, 0));
        found
    }

    /// Two rooks, of which one mates at once: of Red, and of Black on the board turned upside down.
    const MATES: [&str; 2] = ["3k5/R8/9/1R7/9/9/8p/9/9/4K4 w", "4k4/9/9/8P/9/9/1r7/9/r8/3K5 b"];

    #[test]
    fn both_sides_find_what_the_reference_finds() {
        let mut evaluator = Xiangqi::evaluator_factory("traditional:material").unwrap()();
        for text in MATES {
            let mut position = Xiangqi::from_notation(text).unwrap();
            for plies in [(0, 0), (0, 3), (1, 0), (1, 3), (3, 0)] {
                checked(&mut position, &mut *evaluator, plies, 0);
            }
            let mate = checked(&mut position, &mut *evaluator, (2, 0), 0);
            assert_eq!((mate.score, mate.pv.len()), (WIN - 1, 1));
            // Who is mated has lost at the root itself.
            position.play(mate.pv[0]);
            assert_eq!(checked(&mut position, &mut *evaluator, (1, 0), 0).score, -WIN);
        }
        checked(&mut Xiangqi::start(), &mut *evaluator, (1, 4), 0);
    }

    #[test]
    fn who_moves_twice_does_so_among_the_candidates() {
        let (mut evaluator, mut position) = (StaticEvaluator::default(), Connect6::of_size(6).unwrap());
        for number in [14, 15, 20, 8, 9] {
            let mv = position.moves()[number];
            position.play(mv);
        }
        for (depth, width) in [(2, 0), (3, 4), (4, 2)] {
            checked(&mut position, &mut evaluator, (depth, 0), width);
        }
    }

    #[test]
    fn the_first_side_prefers_more_and_the_second_less() {
        let prefers = |side| [-1, 0, 1].map(|score| is_better(side, score, 0));
        assert_eq!(prefers(Side::First), [false, false, true]);
        assert_eq!(prefers(Side::Second), [true, false, false]);
    }
}
