//! Move ordering: the sooner the best move is tried, the more of the tree is cut off. It never changes a value.

use super::settings::SearchSettings;
use crate::game::{SearchHints, Side};

/// The most that its noise ranks a noisy move up or down.
const NOISE_LIMIT: i32 = 1 << 25;
/// Killers stand above the other quiet moves.
const KILLER: i32 = 1 << 27;
/// The reply that last refuted the opponent's move stands between them.
const COUNTERMOVE: i32 = 1 << 26;
/// No move's history goes beyond this, above or below 0.
pub(super) const HISTORY_LIMIT: i32 = 1 << 14;

/// What the search remembers of moves that refuted others.
#[derive(Debug, Clone)]
pub(super) struct Ordering<G: SearchHints> {
    settings: SearchSettings,
    /// By ply from the root: the last two quiet moves that cut off there, the latest first.
    killers: Vec<[Option<G::Move>; 2]>,
    /// By side and the slot of the opponent's move: the quiet move that last refuted it.
    countermoves: [Vec<Option<G::Move>>; 2],
    /// By side and [`SearchHints::move_slot`]: how much searching a quiet move has saved, within ±[`HISTORY_LIMIT`].
    history: [Vec<i32>; 2],
}

/// What the rank of a move depends on beside the position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<M> {
    /// Plies from the root.
    pub ply: u32,
    /// The move that led here.
    pub previous: Option<M>,
}

impl<G: SearchHints> Ordering<G> {
    pub fn new(settings: SearchSettings) -> Self {
        let slots = |used: bool| if used { G::MOVE_SLOTS } else { 0 };
        let (replies, moves) = (slots(settings.countermoves), slots(settings.history));
        Self {
            settings,
            killers: Vec::new(),
            countermoves: [vec![None; replies], vec![None; replies]],
            history: [vec![0; moves], vec![0; moves]],
        }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.killers.clear();
        self.countermoves.iter_mut().for_each(|table| table.fill(None));
        self.history.iter_mut().for_each(|table| table.fill(0));
    }

    /// Prepares for a new root of a tree at most `plies` high: killers belong to the old tree, histories fade.
    pub fn prepare(&mut self, plies: usize) {
        self.killers.clear();
        self.killers.resize(plies, [None; 2]);
        self.history.iter_mut().flatten().for_each(|value| *value /= 2);
    }

    /// The rank of `mv` among the moves of its kind in `position`, noisy or quiet; larger first.
    #[inline]
    pub fn rank(&self, position: &G, mv: G::Move, context: Context<G::Move>, noisy: bool) -> i32 {
        if noisy {
            return position.noise_of(mv).clamp(-NOISE_LIMIT, NOISE_LIMIT);
        }
        let mover = position.side_to_move();
        let mut rank = self.history_of(mover, mv);
        if self.settings.killers {
            rank += self.killer_rank(mv, context.ply);
        }
        if self.settings.countermoves && self.countermove(mover, context.previous) == Some(mv) {
            rank += COUNTERMOVE;
        }
        rank
    }

    fn killer_rank(&self, mv: G::Move, ply: u32) -> i32 {
        match self.killers.get(ply as usize) {
            Some([Some(latest), _]) if *latest == mv => KILLER + KILLER / 2,
            Some([_, Some(other)]) if *other == mv => KILLER,
            _ => 0,
        }
    }

    fn countermove(&self, mover: Side, previous: Option<G::Move>) -> Option<G::Move> {
        self.countermoves[mover.index()][G::move_slot(previous?)]
    }

    /// How much searching the quiet move `mv` has saved so far, within ±[`HISTORY_LIMIT`]; 0 with history off.
    #[inline]
    pub(crate) fn history_of(&self, side: Side, mv: G::Move) -> i32 {
        self.history[side.index()].get(G::move_slot(mv)).copied().unwrap_or(0)
    }

    /// Remembers that the quiet move `mv` of `mover` cut off a search of `depth` plies, and that the moves of `tried` before
    /// it did not.
    pub(crate) fn reward(
        &mut self,
        mover: Side,
        mv: G::Move,
        tried: impl Iterator<Item = G::Move>,
        (depth, context): (u32, Context<G::Move>),
    ) {
        if let Some(killers) = self.killers.get_mut(context.ply as usize)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
        if let (true, Some(previous)) = (self.settings.countermoves, context.previous) {
            self.countermoves[mover.index()][G::move_slot(previous)] = Some(mv);
        }
        if self.settings.history {
            let bonus = (depth * depth * 4).min(HISTORY_LIMIT as u32 / 8) as i32;
            self.shift_history(mover, mv, bonus);
            tried.for_each(|failed| self.shift_history(mover, failed, -bonus));
        }
    }

    /// The nearer to its limit, the less a value moves on, so that the limit is never passed.
    fn shift_history(&mut self, mover: Side, mv: G::Move, bonus: i32) {
        let value = &mut self.history[mover.index()][G::move_slot(mv)];
        *value += bonus - *value * bonus.abs() / HISTORY_LIMIT;
    }
}

/// The moves of all nodes on the path from the root, one node's after another's, each with its rank. Reused over searches,
/// so nodes allocate nothing.
#[derive(Debug, Clone)]
pub(super) struct MoveStack<M> {
    moves: Vec<M>,
    ranks: Vec<i32>,
}

impl<M: Copy> MoveStack<M> {
    pub const fn new() -> Self {
        Self { moves: Vec::new(), ranks: Vec::new() }
    }

    pub const fn len(&self) -> usize {
        self.moves.len()
    }

    /// Drops all moves from `start` on.
    pub fn truncate(&mut self, start: usize) {
        self.moves.truncate(start);
        self.ranks.truncate(start);
    }

    /// The moves from `start` up to and without `end`.
    pub fn range(&self, start: usize, end: usize) -> impl Iterator<Item = M> + '_ {
        self.moves[start..end].iter().copied()
    }

    /// The move at `at`, if there is one.
    pub fn get(&self, at: usize) -> Option<M> {
        self.moves.get(at).copied()
    }

    /// Exchanges two moves.
    pub fn swap(&mut self, one: usize, other: usize) {
        self.moves.swap(one, other);
        self.ranks.swap(one, other);
    }

    /// Appends what `generate` appends, each move with its `rank`.
    #[inline]
    pub fn fill(&mut self, generate: impl FnOnce(&mut Vec<M>), rank: impl FnMut(M) -> i32) {
        let start = self.len();
        generate(&mut self.moves);
        self.ranks.extend(self.moves[start..].iter().copied().map(rank));
    }

    /// The highest ranked of the moves from `at` to the top, of equals the first, brought to `at`; `None` at the top.
    /// Choosing one by one is cheaper than sorting where a cut-off comes early.
    #[inline]
    pub fn choose(&mut self, at: usize) -> Option<M> {
        let ranks = self.ranks.get(at..)?;
        let first = *ranks.first()?;
        let (mut best, mut highest) = (0, first);
        for (other, &rank) in ranks.iter().enumerate().skip(1) {
            if rank > highest {
                (best, highest) = (other, rank);
            }
        }
        self.swap(at, at + best);
        Some(self.moves[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::connect6::{Connect6, Point};

    #[test]
    fn the_first_of_the_highest_is_chosen() {
        let mut stack = MoveStack::new();
        stack.fill(|moves| moves.push('z'), |_| 99);
        stack.fill(|moves| moves.extend("abc".chars()), |mv| if mv == 'a' { 1 } else { 9 });
        assert_eq!([1, 2, 3, 4].map(|at| stack.choose(at)), [Some('b'), Some('c'), Some('a'), None]);
        stack.truncate(1);
        assert_eq!(stack.choose(0), Some('z'));
    }

    const POINTS: [Point; 4] = [Point::new(3), Point::new(40), Point::new(41), Point::new(200)];

    #[test]
    fn quiet_moves_that_cut_off_are_tried_before_others() {
        let (game, [first, latest, failed, previous]) = (Connect6::start(), POINTS);
        let mut ordering = Ordering::<Connect6>::new(SearchSettings::default());
        ordering.prepare(3);
        let here = Context { ply: 1, previous: Some(previous) };
        for mv in [first, latest, latest] {
            ordering.reward(Side::First, mv, std::iter::once(failed), (1, here));
        }
        let rank = |mv, context| ordering.rank(&game, mv, context, false);
        assert_eq!(rank(latest, here), KILLER + KILLER / 2 + COUNTERMOVE + 8);
        assert_eq!(rank(first, here), KILLER + 4);
        assert_eq!(rank(failed, here), -12);
        let elsewhere = Context { ply: 2, previous: Some(failed) };
        assert_eq!([first, latest, previous].map(|mv| rank(mv, elsewhere)), [4, 8, 0]);
        assert_eq!(ordering.history_of(Side::Second, latest), 0);
        // Histories fade from one root to the next, killers go.
        ordering.prepare(3);
        assert_eq!(ordering.rank(&game, latest, here, false), COUNTERMOVE + 4);
        ordering.clear();
        assert_eq!(ordering.rank(&game, latest, here, false), 0);
    }

    #[test]
    fn no_history_goes_beyond_its_limit() {
        let mut ordering = Ordering::<Connect6>::new(SearchSettings::default());
        let context = Context { ply: 0, previous: None };
        for round in 0..1000 {
            ordering.reward(Side::Second, POINTS[0], std::iter::once(POINTS[1]), (64, context));
            let histories = [POINTS[0], POINTS[1]].map(|mv| ordering.history_of(Side::Second, mv));
            assert!(round > 0 || histories == [HISTORY_LIMIT / 8, -HISTORY_LIMIT / 8], "a step is limited, too");
        }
        let histories = [POINTS[0], POINTS[1]].map(|mv| ordering.history_of(Side::Second, mv));
        assert_eq!(histories, [HISTORY_LIMIT, -HISTORY_LIMIT]);
    }

    #[test]
    fn a_history_moves_on_by_the_square_of_the_depth_and_less_near_its_limit() {
        let histories = |depths: &[u32]| {
            let mut ordering = Ordering::<Connect6>::new(SearchSettings::default());
            for &depth in depths {
                let context = Context { ply: 0, previous: None };
                ordering.reward(Side::First, POINTS[0], std::iter::once(POINTS[1]), (depth, context));
            }
            [POINTS[0], POINTS[1]].map(|mv| ordering.history_of(Side::First, mv))
        };
        assert_eq!(histories(&[3]), [36, -36]);
        assert_eq!(histories(&[22]), [1936, -1936]);
        // 4 · 23² is beyond 2048; 2048 · 2048 / 16384 = 256, and 3840 · 2048 / 16384 = 480.
        assert_eq!(
            [histories(&[23]), histories(&[23; 2]), histories(&[23; 3])],
            [[2048, -2048], [3840, -3840], [5408, -5408]]
        );
    }

    #[test]
    fn what_is_off_ranks_nothing() {
        let (game, [mv, previous, ..]) = (Connect6::start(), POINTS);
        let here = Context { ply: 1, previous: Some(previous) };
        let rank = |killers, countermoves, history| {
            let settings = SearchSettings { killers, countermoves, history, ..SearchSettings::default() };
            let mut ordering = Ordering::<Connect6>::new(settings);
            ordering.prepare(2);
            ordering.reward(Side::First, mv, std::iter::empty(), (1, here));
            ordering.rank(&game, mv, here, false)
        };
        assert_eq!(rank(false, false, false), 0);
        assert_eq!(rank(true, false, false), KILLER + KILLER / 2);
        assert_eq!(rank(false, true, false), COUNTERMOVE);
        assert_eq!(rank(false, false, true), 4);
    }
}
