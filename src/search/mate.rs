//! Forced wins, proved by trying every move of both sides.
//!
//! Nothing is pruned on a guess, so a distance found here is exact: the yardstick for the mates that a playing search
//! announces. The price is time that grows some fortyfold with each move in Xiangqi.

use crate::game::{Outcome, SearchHints, Side};

/// Slots of the cache, a power of two.
const SLOTS: usize = 1 << 16;

/// A win that the side to move can force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForcedWin<M> {
    /// How many moves of its own it needs against the longest resistance, at least 1.
    pub moves: u32,
    /// Every first move that forces the win in so many moves, in the order of generation.
    pub best: Vec<M>,
}

/// What is known of a position: a win within `proved` moves, none within `refuted`.
#[derive(Debug, Clone, Copy)]
struct Known {
    key: u64,
    proved: u32,
    refuted: u32,
}

impl Known {
    const NOTHING: Self = Self { key: 0, proved: u32::MAX, refuted: 0 };
}

/// The prover, with its memory. Verdicts that rest on an end by history are not remembered, as they hold on one path only.
#[derive(Debug, Clone)]
pub struct MateSearch<G: SearchHints> {
    winner: Side,
    known: Vec<Known>,
    /// Moves by ply.
    lists: Vec<Vec<G::Move>>,
    /// By ply, the defence that held last.
    defences: Vec<Option<G::Move>>,
    history_ends: u64,
    nodes: u64,
}

impl<G: SearchHints> Default for MateSearch<G> {
    /// A prover that knows nothing yet.
    fn default() -> Self {
        Self {
            winner: Side::First,
            known: vec![Known::NOTHING; SLOTS],
            lists: Vec::new(),
            defences: Vec::new(),
            history_ends: 0,
            nodes: 0,
        }
    }
}

impl<G: SearchHints> MateSearch<G> {
    /// Positions visited so far, over all calls.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The shortest win that the side to move can force, if it takes at most `most` moves of its own: the game is over right
    /// after the last of them at the latest. Whatever the rules call a win counts, stalemate and repetition included.
    ///
    /// `position` is as before when this returns; an end by history at the position itself is passed over.
    pub fn forced_win(&mut self, position: &mut G, most: u32) -> Option<ForcedWin<G::Move>> {
        self.winner = position.side_to_move();
        let moves = position.moves();
        (1..=most).find_map(|length| {
            let wins = |&mv: &G::Move| self.wins_after(position, mv, length - 1, 1);
            let best: Vec<_> = moves.iter().copied().filter(wins).collect();
            (!best.is_empty()).then_some(ForcedWin { moves: length, best })
        })
    }

    /// Whether the legal move `mv` forces a win within `moves` moves of the side to move, `mv` included.
    pub fn forces(&mut self, position: &mut G, mv: G::Move, moves: u32) -> bool {
        self.winner = position.side_to_move();
        moves > 0 && self.wins_after(position, mv, moves - 1, 1)
    }

    fn wins_after(&mut self, position: &mut G, mv: G::Move, left: u32, ply: usize) -> bool {
        position.play(mv);
        let wins = self.wins(position, left, ply);
        position.undo();
        wins
    }

    /// Whether the winner-to-be has won, or wins within `left` more moves of its own.
    fn wins(&mut self, position: &mut G, left: u32, ply: usize) -> bool {
        self.nodes += 1;
        if left == 0 {
            return self.has_won(position);
        }
        let known = self.recall(position.key());
        if known.proved <= left || known.refuted >= left {
            return known.proved <= left;
        }
        let history_ends = self.history_ends;
        let wins = self.wins_by_moves(position, left, ply);
        if self.history_ends == history_ends {
            self.remember(known, left, wins);
        }
        wins
    }

    fn wins_by_moves(&mut self, position: &mut G, left: u32, ply: usize) -> bool {
        let mut moves = self.take_list(ply);
        position.legal_moves(&mut moves);
        let wins = if moves.is_empty() || position.end_by_history().is_some() {
            self.has_won(position)
        } else if position.side_to_move() == self.winner {
            put_first(&mut moves, |mv| position.gives_check(mv));
            moves.iter().any(|&mv| self.wins_after(position, mv, left - 1, ply + 1))
        } else {
            let held = self.defences[ply];
            put_first(&mut moves, |mv| Some(mv) == held);
            let defence = moves.iter().copied().find(|&mv| !self.wins_after(position, mv, left, ply + 1));
            self.defences[ply] = defence.or(held);
            defence.is_none()
        };
        self.lists[ply] = moves;
        wins
    }

    /// Whether the game is over and won here.
    fn has_won(&mut self, position: &G) -> bool {
        self.history_ends += u64::from(position.end_by_history().is_some());
        position.end().is_some_and(|end| end.outcome == Outcome::Win(self.winner))
    }

    /// The empty list that belongs to `ply`; the caller puts it back.
    fn take_list(&mut self, ply: usize) -> Vec<G::Move> {
        if self.lists.len() <= ply {
            self.lists.resize(ply + 1, Vec::new());
            self.defences.resize(ply + 1, None);
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        list
    }

    /// One key for a position and the side that is to win it.
    const fn key(&self, position: u64) -> u64 {
        match self.winner {
            Side::First => position,
            Side::Second => !position,
        }
    }

    fn recall(&self, position: u64) -> Known {
        let key = self.key(position);
        let known = self.known[key as usize % SLOTS];
        if known.key == key { known } else { Known { key, ..Known::NOTHING } }
    }

    fn remember(&mut self, known: Known, left: u32, wins: bool) {
        let known = if wins { Known { proved: left, ..known } } else { Known { refuted: left, ..known } };
        self.known[known.key as usize % SLOTS] = known;
    }
}

/// Brings the moves that `is_first` picks to the front.
fn put_first<M: Copy>(moves: &mut [M], is_first: impl Fn(M) -> bool) {
    let mut front = 0;
    for at in 0..moves.len() {
        if is_first(moves[at]) {
            moves.swap(front, at);
            front += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::xiangqi::Xiangqi;

    fn solved(fen: &str, most: u32) -> Option<(u32, String)> {
        let mut game = Xiangqi::from_notation(fen).unwrap();
        let win = MateSearch::default().forced_win(&mut game, most)?;
        let best: Vec<_> = win.best.iter().map(ToString::to_string).collect();
        Some((win.moves, best.join(" ")))
    }

    #[test]
    fn mate_and_stalemate_win() {
        let two_mates = Some((1, "b6d6 b6b9".to_owned()));
        assert_eq!(solved("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w", 2), two_mates);
        let (moves, best) = solved("3k5/R8/9/9/9/9/9/9/9/4K4 w", 2).unwrap();
        assert!(moves == 1 && best.contains("a8b8") && !best.contains("a8d8"), "{best}");
    }

    #[test]
    fn there_may_be_no_win_so_near() {
        assert_eq!(solved("4k4/9/9/9/9/9/9/9/4A4/3K1A3 w", 2), None);
        assert_eq!(solved("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w", 0), None);
    }

    #[test]
    fn a_move_forces_a_win_within_so_many_moves_and_no_fewer() {
        let mut game = Xiangqi::from_notation("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w").unwrap();
        // Black has only its pawn to move, so that the rook may also mate a move later.
        let [mate, wait] = ["b6b9", "b6b5"].map(|text| game.parse_move(text).unwrap());
        let mut forces = |mv, moves| MateSearch::<Xiangqi>::default().forces(&mut game, mv, moves);
        assert_eq!([forces(mate, 0), forces(mate, 1)], [false, true]);
        assert_eq!([forces(wait, 1), forces(wait, 2)], [false, true]);
    }

    #[test]
    fn all_that_is_picked_comes_to_the_front() {
        let mut numbers = [1_u32, 2, 3, 4, 5];
        put_first(&mut numbers, |number| number.is_multiple_of(2));
        assert_eq!(numbers[..2], [2, 4]);
    }

    #[test]
    fn what_is_known_is_known_of_one_position_and_one_winner() {
        let mut search = MateSearch::<Xiangqi>::default();
        let found = |search: &MateSearch<Xiangqi>, key| {
            let Known { proved, refuted, .. } = search.recall(key);
            (proved, refuted)
        };
        search.remember(search.recall(7), 3, true);
        search.remember(search.recall(7), 2, false);
        // The second has the place of the first in the memory.
        let other = 7 + SLOTS as u64;
        assert_eq!([found(&search, 7), found(&search, other)], [(3, 2), (u32::MAX, 0)]);
        search.winner = Side::Second;
        assert_eq!((search.key(7), found(&search, 7)), (!7, (u32::MAX, 0)));
        search.winner = Side::First;
        search.remember(search.recall(other), 1, false);
        assert_eq!((search.key(7), found(&search, 7), found(&search, other)), (7, (u32::MAX, 0), (u32::MAX, 1)));
    }

    /// A mate in one is a look at each legal move; what was proved is not looked at again below the first move.
    #[test]
    fn positions_are_counted_over_all_calls() {
        let mut game = Xiangqi::from_notation("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w").unwrap();
        let n_moves = game.moves().len() as u64;
        let mut search = MateSearch::default();
        assert!(search.forced_win(&mut game, 1).is_some());
        assert_eq!(search.nodes(), n_moves);
        let wait = game.parse_move("b6b5").unwrap();
        assert!(search.forces(&mut game, wait, 2));
        let after = search.nodes();
        assert!(after > n_moves + 1 && search.forces(&mut game, wait, 2));
        assert_eq!(search.nodes(), after + 1);
    }
}
