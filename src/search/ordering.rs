//! Move ordering: the sooner the best move is tried, the more of the tree is cut off. It never changes a value.

use super::settings::SearchSettings;
use crate::game::{Game, Side};

/// Above every other move.
const TABLE_MOVE: i32 = 1 << 30;
/// Noisy moves stand around this, above all quiet ones.
const NOISY: i32 = 1 << 28;
/// The most that its noise moves a noisy move from there.
const NOISE_LIMIT: i32 = 1 << 25;
/// Killers stand between the noisy and the other quiet moves.
const KILLER: i32 = 1 << 27;
/// No move's history reaches this.
const HISTORY_LIMIT: i32 = 1 << 20;

/// What the search remembers of moves that refuted others.
#[derive(Debug, Clone)]
pub(super) struct Ordering<G: Game> {
    settings: SearchSettings,
    /// By ply from the root: the last two quiet moves that cut off there, the latest first.
    killers: Vec<[Option<G::Move>; 2]>,
    /// By side and [`Game::move_slot`]: how much searching a quiet move has saved, below [`HISTORY_LIMIT`].
    history: [Vec<i32>; 2],
}

impl<G: Game> Ordering<G> {
    pub fn new(settings: SearchSettings) -> Self {
        Self { settings, killers: Vec::new(), history: [vec![0; G::MOVE_SLOTS], vec![0; G::MOVE_SLOTS]] }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.killers.clear();
        self.history.iter_mut().for_each(|table| table.fill(0));
    }

    /// Prepares for a new root: killers belong to the old tree, histories fade.
    pub fn prepare(&mut self, depth: u32) {
        self.killers.clear();
        self.killers.resize(depth as usize + 1, [None; 2]);
        self.history.iter_mut().flatten().for_each(|value| *value /= 2);
    }

    /// The rank of `mv` among the moves of `position`, larger first. `hint` is the move that the table remembers.
    pub fn rank(&self, position: &G, mv: G::Move, ply: u32, hint: Option<G::Move>) -> i32 {
        if self.settings.table_move_first && hint == Some(mv) {
            return TABLE_MOVE;
        }
        let noise = position.noise_of(mv);
        if noise != 0 {
            return if self.settings.noisy_first { NOISY + noise.clamp(-NOISE_LIMIT, NOISE_LIMIT) } else { 0 };
        }
        let killer = if self.settings.killers { self.killer_rank(mv, ply) } else { 0 };
        let history = if self.settings.history { self.history_of(position.side_to_move(), mv) } else { 0 };
        killer + history
    }

    fn killer_rank(&self, mv: G::Move, ply: u32) -> i32 {
        match self.killers.get(ply as usize) {
            Some([Some(latest), _]) if *latest == mv => KILLER + KILLER / 2,
            Some([_, Some(other)]) if *other == mv => KILLER,
            _ => 0,
        }
    }

    fn history_of(&self, side: Side, mv: G::Move) -> i32 {
        self.history[side.index()][G::move_slot(mv)]
    }

    /// Remembers that `mv` cut off a search of `depth` plies at `ply`. Noisy moves are ranked by their noise instead.
    pub fn reward(&mut self, position: &G, mv: G::Move, depth: u32, ply: u32) {
        if position.noise_of(mv) != 0 {
            return;
        }
        if let Some(killers) = self.killers.get_mut(ply as usize)
            && killers[0] != Some(mv)
        {
            *killers = [Some(mv), killers[0]];
        }
        let value = &mut self.history[position.side_to_move().index()][G::move_slot(mv)];
        let bonus = (depth * depth) as i32;
        // The nearer to the limit, the less is added, so the limit is never reached.
        *value += bonus - (i64::from(*value) * i64::from(bonus) / i64::from(HISTORY_LIMIT)) as i32;
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

    /// Appends what `generate` appends, each move with its `rank`. Gives the number of moves.
    pub fn fill(&mut self, generate: impl FnOnce(&mut Vec<M>), rank: impl FnMut(M) -> i32) -> usize {
        let start = self.len();
        generate(&mut self.moves);
        self.ranks.extend(self.moves[start..].iter().copied().map(rank));
        self.len() - start
    }

    /// The highest ranked of the moves from `at` to the top, of equals the first, brought to `at`; `None` at the top.
    /// Choosing one by one is cheaper than sorting where a cut-off comes early.
    pub fn choose(&mut self, at: usize) -> Option<M> {
        let (moves, ranks) = (self.moves.get_mut(at..)?, self.ranks.get_mut(at..)?);
        let best = (1..ranks.len()).fold(0, |best, other| if ranks[other] > ranks[best] { other } else { best });
        if moves.is_empty() {
            return None;
        }
        moves.swap(0, best);
        ranks.swap(0, best);
        Some(moves[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_highest_is_chosen() {
        let mut stack = MoveStack::new();
        stack.fill(|moves| moves.push('z'), |_| 99);
        let count = stack.fill(|moves| moves.extend("abc".chars()), |mv| if mv == 'a' { 1 } else { 9 });
        assert_eq!(count, 3);
        assert_eq!([1, 2, 3, 4].map(|at| stack.choose(at)), [Some('b'), Some('c'), Some('a'), None]);
        stack.truncate(1);
        assert_eq!(stack.choose(0), Some('z'));
    }
}
