//! The bench: fixed positions searched to a fixed depth.
//!
//! The number of positions that the search visits is its **signature**: it depends on rules, evaluation and search and on nothing
//! else, so that a change that must not alter their behaviour must not alter the signature.

use std::time::{Duration, Instant};

use crate::eval::{Catalogue, Factory, Score};
use crate::game::PositionError;
use crate::games::connect6::Connect6;
use crate::games::surakarta::Surakarta;
use crate::games::xiangqi::Xiangqi;
use crate::search::{AlphaBeta, Limits, SearchSettings};

/// A game with positions to search in a bench.
pub trait Benched: Catalogue {
    /// The positions, all different and none of them over.
    const POSITIONS: &'static [&'static str];

    /// The usual depth of the searches, in plies.
    const DEPTH: u32;
}

impl Benched for Xiangqi {
    /// Openings, middle games, endgames.
    const POSITIONS: &'static [&'static str] = &[
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "2bakabr1/r8/1cn3nc1/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKABR1 w - - 10 6",
        "rnbaka2r/9/1c2b2cn/p1p1p3p/6p2/2P3P2/P3P3P/1CN4C1/9/R1BAKABNR w - - 6 4",
        "r1bakabr1/9/c1n1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1B2CN/9/1R1AKAB1R w - - 10 6",
        "4k4/2c6/2Na5/p5N1p/4P1P2/2Pn5/4p3P/4B4/4A4/2BAK4 w - - 0 1",
        "4kab2/4a4/2n6/p4C3/2b1PP3/6R1p/P3N4/8B/4A4/3K3rc w - - 0 1",
        "2bak4/4P4/1c2b1n2/p6Rp/3n5/6r2/P1pcC3P/2N1C4/4A4/2B1KA3 b - - 0 1",
        "r3kabnr/4a4/1cn1b2c1/p1p1C1p1p/9/2P6/P3P1P1P/1C4N2/9/RNBAKAB1R b - - 0 1",
        "5a3/9/3a1k3/9/9/4RC3/r2r5/9/2p6/2BAKAB2 w - - 0 1",
        "R2akab1r/9/4b1n2/4C3p/2p3p2/9/4P3P/4C4/9/2BAKA2R b - - 0 1",
        "3k1a3/4a4/4b4/P4n3/2b4P1/4cN3/9/4C4/4A4/2BA1KB2 b - - 0 1",
        "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w - - 0 1",
        "4kab2/4P4/9/2p6/1P1n5/9/p3c1r2/N2CBA3/9/2BA1K2R b - - 0 1",
        "2bak1br1/4a4/2n1C4/p3c1R1p/6p2/P2p2P2/4N3P/4B4/4A4/1N2KAB2 b - - 0 1",
        "2baka1n1/9/1rn1b4/p1C1p1p1p/2pN5/6P2/P1P1P3P/Nc2C4/4A4/1RBAK1c2 w - - 0 1",
        "5k3/1C7/4c2RC/p1p6/9/2P6/4r4/B4A3/9/3A1Kc2 b - - 0 1",
    ];

    const DEPTH: u32 = 8;
}

impl Benched for Connect6 {
    /// The empty board, and games that the static evaluation played against itself: openings, middle games, crowded boards,
    /// with one and with two stones to place.
    const POSITIONS: &'static [&'static str] = &[
        "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b 1",
        "19/19/19/19/19/19/19/9w1w7/19/9b9/19/19/19/19/19/19/19/19/19 b 2",
        "19/19/19/19/19/19/19/9b1w7/19/9b1w7/9b9/19/19/19/19/19/19/19/19 w 2",
        "19/19/19/19/19/19/9b9/10b8/10w1w6/9b1w7/10w8/19/19/19/19/19/19/19/19 b 2",
        "19/19/19/19/10b8/9w9/19/7w11/6w12/9b9/4bwb12/19/19/19/19/19/19/19/19 b 1",
        "19/19/19/19/12b6/11w7/10w8/9w9/19/5b1bbbw8/19/19/19/19/19/19/19/19/19 w 2",
        "19/19/19/19/19/19/19/19/10w8/8bbw8/8bww8/7bb1w8/6w12/19/19/19/19/19/19 b 2",
        "19/19/19/19/19/12b6/19/7w1bwww6/8bw9/8wbb8/7b11/19/19/19/19/19/19/19/19 b 1",
        "19/19/19/19/19/19/19/10w8/5b4b8/6b2bw8/7b1ww8/8b1w8/19/10w8/10b8/19/19/19/19 w 2",
        "19/19/19/19/19/13w5/12b6/9wbbbb1w3/9w9/8wb9/6w1b10/7w11/6w12/19/19/19/19/19/19 b 2",
        "19/19/19/12w6/19/10b8/9b9/8bbw8/7bwww8/6w1bbw8/9bw8/10b8/19/19/19/19/19/19/19 w 2",
        "19/19/19/19/19/19/12b6/12b6/11wb6/9bw8/8bww8/7wbwbb7/8ww9/7w1w9/6b3b8/19/19/19/19 b 1",
        "19/19/19/19/19/19/10w8/9w9/6wwwb9/7bwbb8/5w1bbbbw7/8wb9/9w9/19/19/19/19/19/19 b 2",
        "19/19/13w5/10w8/11b7/10b2w5/7w1bbbbw5/8b1bb7/7w1wbww6/8wbw8/8w10/19/19/19/19/19/19/19/19 b 2",
        "19/19/19/19/14w4/13b5/3b1b1b11/5wbw1w1b7/5wbwb1b8/5www1b9/3b1wwwwb9/8w10/5b1b1b9/19/19/19/19/19/19 w 2",
        "19/19/19/9b9/13b5/9w9/8bwbwb6/8wwwb1b5/7bwwwbwb5/7wwbwww1b4/6wbb1bbw6/5b6wb5/12b6/19/19/19/19/19/19 w 2",
    ];

    const DEPTH: u32 = 6;
}

impl Benched for Surakarta {
    /// The initial position, and games that evaluators played: openings, middle games, endgames.
    const POSITIONS: &'static [&'static str] = &[
        "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r",
        "bbbbbb/b1bb1b/1b1b2/r1r3/1rr1rr/rrrrrr r 6",
        "bbbbb1/bbb1bb/3bb1/r2r2/r1r1rr/rrrrrr b 9",
        "bbbb1b/1bbbb1/b1b2b/r2r1r/rrrr2/rr1rrr r 12",
        "1bb1bb/b1bbbb/b1bb2/r1r3/1rrrrr/r1rrrr b 15",
        "b1bb1b/bbbbb1/b1b2b/1rr3/1rrr1r/rrrrrr r 18",
        "b1b1rb/1b1b1b/b1bb1b/r4r/r1rr2/rrrr1r b",
        "b1b1bb/bbbbb1/b2brb/r5/1rrr1r/rrrrrr r 24",
        "1bbbbb/b1bb1b/bb4/r1r2r/r2rr1/rrrr1r b 16",
        "b3bb/5b/b1b3/1b2b1/r3rr/rr2rr r",
        "1bb1bb/5b/b1bb2/rb4/1r2rr/r1r1rr r 6",
        "b2bb1/6/2bb1b/r3r1/6/rbrrr1 r",
        "b4b/2b3/6/b1b3/r5/r3rr r",
        "b1b1rb/6/6/6/r5/2b2r r 12",
        "b4b/4r1/2b3/6/6/3brr r 6",
        "3bbb/2b1bb/b1r2b/1b4/2rrrr/2rrrr r",
    ];

    const DEPTH: u32 = 10;
}

/// What the search of one position came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched<M> {
    /// The position.
    pub fen: &'static str,
    /// The best move; `None` where there is none.
    pub best: Option<M>,
    /// Its value for the side to move, in the evaluator's unit.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Searches all [`Benched::POSITIONS`] on one thread, each with an empty memory, and gives `each` what came of it, in order.
///
/// # Errors
/// Never, as the positions are valid.
pub fn bench<G: Benched>(
    evaluator: &Factory<G>,
    search: SearchSettings,
    limits: Limits,
    mut each: impl FnMut(Searched<G::Move>),
) -> Result<(), PositionError> {
    let (mut searcher, mut evaluator) = (AlphaBeta::new(search), evaluator());
    for fen in G::POSITIONS {
        let mut position = G::from_notation(fen)?;
        searcher.clear();
        let begun = Instant::now();
        let found = searcher.search(&mut position, &mut *evaluator, limits);
        each(Searched { fen, best: found.best, score: found.score, nodes: found.nodes, elapsed: begun.elapsed() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn all_positions_are_valid_and_different_and_not_over() {
        check::<Xiangqi>();
        check::<Connect6>();
        check::<Surakarta>();
    }

    fn check<G: Benched>() {
        let positions: Vec<G> = G::POSITIONS.iter().map(|fen| G::from_notation(fen).unwrap()).collect();
        assert!(positions.iter().all(|position| position.end().is_none()));
        let mut keys: Vec<u64> = positions.iter().map(Game::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), G::POSITIONS.len());
    }
}
