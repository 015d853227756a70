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
pub(super) fn moves_of_width<G: SearchHints>(position: &G, width: u32) -> Vec<G::Move> {
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
