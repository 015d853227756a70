//! Speed of the evaluators: one evaluation of Xiangqi, one thread. Each benchmark asserts its own answer.
//!
//! `cargo bench --bench evaluate`; the time of one item is that of one evaluation. Goals, in microseconds:
//!
//! | what | from scratch | following moves |
//! |---|---|---|
//! | plain network 91-100-1 | 0.4 | 0.15 |
//! | rough network, 64 rules over 91 attributes | – | 0.3 |
//!
//! *From scratch* is floating point from the position to the value, with no state (`…_scratch`); *following moves* is what a search sees: an evaluator that keeps its sums and corrects them, along games
//! (`…_games`: neighbours differ by a move) and among siblings of random lines that go forth and back (`…_search`).
//! `…_16` and `…_8` are the same networks in whole numbers of so many bits; `whole_search_…` counts nodes of a search.
#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use rand::RngExt;
use roughboard::eval::Evaluator;
use roughboard::eval::network::NetworkEvaluator;
use roughboard::eval::xiangqi::{Parameters, Terms, Traditional};
use roughboard::features::FeatureSet;
use roughboard::features::board91::Board91;
use roughboard::game::{Game, Notation};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::Net;
use roughboard::net::dense::DenseShape;
use roughboard::net::rough::RoughShape;
use roughboard::net::{Bits, Coding, DenseNet, IntegerNet, Network, Pass, RoughNet};
use roughboard::random::stream;
use roughboard::record::supplied;
use roughboard::search::{AlphaBeta, Limits, SearchSettings};

fn main() {
    divan::main();
}

/// Read anew, so that the past of a game does not spread the positions over the memory.
fn bare(position: &Xiangqi) -> Xiangqi {
    Xiangqi::from_notation(&position.notation()).expect("a legal position")
}

/// The positions of 20 games in order: neighbours differ by a move.
fn game_positions() -> Vec<Xiangqi> {
    let (records, _) = supplied::games::<Xiangqi>().expect("a file").expect("games");
    let mut positions = Vec::new();
    records.iter().take(20).for_each(|record| record.replay(|position, _| positions.push(bare(position))));
    positions
}

/// Positions in an order such as a search meets them: siblings after siblings at the end of a line that goes forth and back.
fn search_positions() -> Vec<Xiangqi> {
    let mut draw = stream(1, "positions of a search", 0);
    let mut positions = Vec::new();
    let mut game = Xiangqi::start();
    let mut moves = Vec::new();
    while positions.len() < 2000 {
        moves.clear();
        game.legal_moves(&mut moves);
        if moves.is_empty() || game.plies() > 60 {
            game = Xiangqi::start();
            continue;
        }
        for _ in 0..6 {
            game.play(moves[draw.random_range(0..moves.len())]);
            positions.push(bare(&game));
            game.undo();
        }
        if game.plies() > 0 && draw.random_range(0..3) == 0 {
            game.undo();
        } else {
            game.play(moves[draw.random_range(0..moves.len())]);
        }
    }
    positions
}

fn coding() -> Coding {
    let inputs = Board91.attributes().into_iter().map(|spec| spec.inputs).collect::<Vec<_>>();
    Coding::new(&inputs)
}

fn dense(hidden: &[usize]) -> Net {
    let shape = DenseShape { hidden: hidden.to_vec(), ..DenseShape::one_layer(1) };
    Net::Dense(DenseNet::random(coding(), shape, 1, "bench"))
}

/// A rough network of 64 rules; speed does not depend on what its weights say.
fn rough() -> Net {
    let (coding, rules) = (coding(), 64);
    let mut draw = stream(1, "bench", 0);
    let weights = (0..coding.n_classes() * rules + rules + 1).map(|_| draw.random::<f32>() - 0.5).collect();
    let inputs = (0..coding.n_attributes()).collect();
    let net = RoughNet::from_parameters(coding, inputs, RoughShape::default(), (rules, 1.0 / 91.0), weights);
    Net::Rough(net.expect("weights that fit"))
}

/// Measures `value` of one position, over all of `positions` in their order.
fn measure(bencher: Bencher, positions: &[Xiangqi], mut value: impl FnMut(&Xiangqi) -> f64) {
    let mut sum = || positions.iter().map(|position| value(black_box(position))).sum::<f64>();
    let expected = sum();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| assert_eq!(sum(), expected));
}

fn measure_evaluator(bencher: Bencher, positions: &[Xiangqi], mut evaluator: impl Evaluator<Xiangqi>) {
    measure(bencher, positions, |position| f64::from(evaluator.evaluate(position)));
}

fn follow(net: &Net) -> NetworkEvaluator<Xiangqi, Board91> {
    NetworkEvaluator::new(net, Board91)
}

/// Position to value without any state, in floating point.
fn measure_scratch(bencher: Bencher, net: &Net) {
    let (mut codes, mut pass) = (vec![0; Board91.n_attributes()], Pass::default());
    measure(bencher, &search_positions(), |position| {
        Board91.encode(position, &mut codes);
        net.forward(&codes, 0.0, &mut pass);
        f64::from(pass.y)
    });
}

#[divan::bench]
fn dense_100_scratch(bencher: Bencher) {
    measure_scratch(bencher, &dense(&[100]));
}

#[divan::bench]
fn dense_100_games(bencher: Bencher) {
    measure_evaluator(bencher, &game_positions(), follow(&dense(&[100])));
}

#[divan::bench]
fn dense_100_search(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow(&dense(&[100])));
}

/// The same in whole numbers of 16 or 8 bits.
fn follow_rounded(net: &Net, bits: Bits) -> NetworkEvaluator<Xiangqi, Board91> {
    NetworkEvaluator::playing(IntegerNet::of(net, bits), Board91)
}

#[divan::bench]
fn dense_100_search_16(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow_rounded(&dense(&[100]), Bits::Sixteen));
}

#[divan::bench]
fn dense_100_search_8(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow_rounded(&dense(&[100]), Bits::Eight));
}

#[divan::bench]
fn dense_100_32_search(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow(&dense(&[100, 32])));
}

#[divan::bench]
fn rough_64_scratch(bencher: Bencher) {
    measure_scratch(bencher, &rough());
}

#[divan::bench]
fn rough_64_games(bencher: Bencher) {
    measure_evaluator(bencher, &game_positions(), follow(&rough()));
}

#[divan::bench]
fn rough_64_search(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow(&rough()));
}

#[divan::bench]
fn rough_64_search_16(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow_rounded(&rough(), Bits::Sixteen));
}

#[divan::bench]
fn rough_64_search_8(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), follow_rounded(&rough(), Bits::Eight));
}

/// The traditional evaluator with growing sets of terms.
#[divan::bench(args = ["e1", "e1+e2", "e1+e2+e3", "e1+e2+e3+coordination", "all-threats", "all"])]
fn traditional_games(bencher: Bencher, terms: &str) {
    let evaluator = Traditional::new(terms.parse().unwrap_or(Terms::NONE), &Parameters::fitted());
    measure_evaluator(bencher, &game_positions(), evaluator);
}

#[divan::bench]
fn traditional_search(bencher: Bencher) {
    measure_evaluator(bencher, &search_positions(), Traditional::default());
}

/// A middle game with all kinds of captures.
const MIDDLE_GAME: &str = "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w";

/// Nodes a second of a search, which finds the same each time.
fn measure_search(bencher: Bencher, mut evaluator: impl Evaluator<Xiangqi>) {
    let mut search = || {
        let mut position = Xiangqi::from_notation(black_box(MIDDLE_GAME)).expect("a legal position");
        let limits = Limits::to_depth(8).expect("a depth in range");
        let found = AlphaBeta::new(SearchSettings::default()).search(&mut position, &mut evaluator, limits);
        (found.score, found.nodes)
    };
    let expected = search();
    bencher.counter(ItemsCount::new(expected.1)).bench_local(|| assert_eq!(search(), expected));
}

#[divan::bench(sample_count = 10)]
fn whole_search_dense_100(bencher: Bencher) {
    measure_search(bencher, follow(&dense(&[100])));
}

#[divan::bench(sample_count = 10)]
fn whole_search_rough_64(bencher: Bencher) {
    measure_search(bencher, follow(&rough()));
}

#[divan::bench(sample_count = 10)]
fn whole_search_traditional(bencher: Bencher) {
    measure_search(bencher, Traditional::default());
}
