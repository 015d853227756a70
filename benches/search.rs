//! Speed of the search: on Xiangqi with the cheapest evaluation and with all terms of the traditional one, on Connect6 with the
//! static evaluation. Each benchmark asserts what it finds.
#![allow(missing_docs, clippy::expect_used)]

use divan::counter::ItemsCount;
use roughboard::eval::connect6::StaticEvaluator;
use roughboard::eval::xiangqi::Traditional;
use roughboard::eval::{Evaluator, Score};
use roughboard::game::{BoardGame, Game, Kit, Notation, Side};
use roughboard::games::connect6::Connect6;
use roughboard::games::xiangqi::{Role, Xiangqi};
use roughboard::search::{AlphaBeta, Limits, SearchSettings, minimax};

fn main() {
    divan::main();
}

/// Counts pieces by usual values.
struct Material;

impl Evaluator<Xiangqi> for Material {
    fn evaluate(&mut self, position: &Xiangqi) -> Score {
        const WORTH: [(Role, Score); 6] = [
            (Role::Rook, 600),
            (Role::Cannon, 285),
            (Role::Horse, 270),
            (Role::Elephant, 120),
            (Role::Advisor, 120),
            (Role::Pawn, 20),
        ];
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        let count = |side: Side, role| position.pieces(side, role).len() as Score;
        WORTH.iter().map(|&(role, worth)| worth * (count(own, role) - count(other, role))).sum()
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / 600.0).tanh()
    }
}

/// A middle game with all kinds of captures.
const MIDDLE_GAME: &str = "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w";

fn search<G: BoardGame>(
    settings: SearchSettings,
    text: &str,
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
) -> (Score, u64) {
    let mut position = G::from_notation(text).expect("a legal position");
    let limits = Limits::to_depth(depth).expect("a depth in range");
    let found = AlphaBeta::new(settings).search(&mut position, evaluator, limits);
    (found.score, found.nodes)
}

/// Nodes per second of one search, which finds the same each time.
fn measure(bencher: divan::Bencher, evaluator: &mut dyn Evaluator<Xiangqi>, settings: SearchSettings, depth: u32) {
    let expected = search(settings, MIDDLE_GAME, evaluator, depth);
    bencher.counter(ItemsCount::new(expected.1)).bench_local(|| {
        assert_eq!(search(settings, divan::black_box(MIDDLE_GAME), evaluator, depth), expected);
    });
}

#[divan::bench(args = [8, 11])]
fn all_heuristics_material(bencher: divan::Bencher, depth: u32) {
    measure(bencher, &mut Material, SearchSettings::default(), depth);
}

#[divan::bench(args = [8, 11])]
fn all_heuristics_all_terms(bencher: divan::Bencher, depth: u32) {
    measure(bencher, &mut Traditional::default(), SearchSettings::default(), depth);
}

/// What only saves nodes, with quiescence: as a plain engine of the nineties searches.
fn plain() -> SearchSettings {
    SearchSettings { quiescence: true, quiescence_plies: 32, ..SearchSettings::exact() }
}

#[divan::bench(args = [5, 6])]
fn plain_material(bencher: divan::Bencher, depth: u32) {
    measure(bencher, &mut Material, plain(), depth);
}

#[divan::bench(args = [5, 6])]
fn plain_all_terms(bencher: divan::Bencher, depth: u32) {
    measure(bencher, &mut Traditional::default(), plain(), depth);
}

#[divan::bench(args = [2, 3])]
fn plain_minimax(bencher: divan::Bencher, depth: u32) {
    let bare = SearchSettings::bare();
    let expected = search(bare, MIDDLE_GAME, &mut Material, depth).0;
    bencher.bench(|| {
        let mut position = Xiangqi::from_notation(divan::black_box(MIDDLE_GAME)).expect("a legal position");
        assert_eq!(minimax(&mut position, &mut Material, depth, bare.leaf()).score, expected);
    });
}

/// Nodes per second over all positions of Connect6's bench. The solver of threats is off: it looks at positions of its own.
#[divan::bench(args = [4, 6])]
fn connect6_full_search(bencher: divan::Bencher, depth: u32) {
    let settings = SearchSettings { forced_win_nodes: 0, ..SearchSettings::of_game::<Connect6>() };
    let mut evaluator = StaticEvaluator::default();
    let mut all = || -> u64 {
        Connect6::BENCH
            .positions
            .iter()
            .map(|text| search(settings, divan::black_box(text), &mut evaluator, depth).1)
            .sum()
    };
    let expected = all();
    bencher.counter(ItemsCount::new(expected)).bench_local(|| assert_eq!(all(), expected));
}
