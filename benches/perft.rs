//! Speed of move generation, in move paths per second: counted only, listed at the leaves, every leaf made.
//! Each benchmark checks its own count.
#![allow(missing_docs, clippy::expect_used)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use roughboard::game::{Game, perft::perft};
use roughboard::games::xiangqi::{Move, Xiangqi};

/// A position, a depth and the number of paths of that depth.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} depth {}", self.name, self.depth)
    }
}

const CASES: [Case; 3] = [
    Case {
        name: "start",
        fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        depth: 4,
        nodes: 3_290_240,
    },
    Case {
        name: "middle game",
        fen: "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w",
        depth: 4,
        nodes: 2_362_788,
    },
    Case { name: "endgame", fen: "5k3/1C7/4c2RC/p1p6/9/2P6/4r4/B4A3/9/3A1Kc2 b", depth: 4, nodes: 2_769_963 },
];

fn main() {
    divan::main();
}

fn measure(bencher: Bencher<'_, '_>, case: Case, mut paths: impl FnMut(&mut Xiangqi, u32) -> u64) {
    let mut game = Xiangqi::from_notation(case.fen).expect("a position");
    bencher.counter(ItemsCount::new(case.nodes)).bench_local(move || {
        assert_eq!(paths(black_box(&mut game), case.depth), case.nodes);
    });
}

#[divan::bench(args = CASES)]
fn counting(bencher: Bencher<'_, '_>, case: Case) {
    measure(bencher, case, perft);
}

#[divan::bench(args = CASES)]
fn legal_lists(bencher: Bencher<'_, '_>, case: Case) {
    let mut lists = vec![Vec::with_capacity(128); case.depth as usize];
    measure(bencher, case, move |game, _| walk(game, &mut lists, false));
}

#[divan::bench(args = CASES)]
fn making_every_leaf(bencher: Bencher<'_, '_>, case: Case) {
    let mut lists = vec![Vec::with_capacity(128); case.depth as usize];
    measure(bencher, case, move |game, _| walk(game, &mut lists, true));
}

/// Perft by lists at every ply; the moves of the last ply are made only on demand.
fn walk(game: &mut Xiangqi, lists: &mut [Vec<Move>], make_leaves: bool) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else { return 1 };
    moves.clear();
    game.legal_moves(moves);
    if deeper.is_empty() && !make_leaves {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        game.play(mv);
        nodes += walk(game, deeper, make_leaves);
        game.undo();
    }
    nodes
}
