//! Speed of the traditional evaluator: one evaluation with growing sets of terms. Each benchmark asserts its sum.
#![allow(missing_docs, clippy::expect_used)]

use divan::counter::ItemsCount;
use roughboard::eval::Evaluator;
use roughboard::eval::xiangqi::{Parameters, Terms, Traditional};
use roughboard::experiment::embedded;
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;

fn main() {
    divan::main();
}

/// The positions of 20 games in order, as a search meets them: neighbours differ by a move.
fn positions() -> Vec<Xiangqi> {
    let (records, _) = embedded::games().expect("embedded games");
    let mut positions = Vec::new();
    let mut note = |position: &Xiangqi| {
        // Read anew, so that the past of a game does not spread the positions over the memory.
        positions.push(Xiangqi::from_notation(&position.notation()).expect("a legal position"));
    };
    records.iter().take(20).for_each(|record| record.replay(|position, _| note(position)));
    positions
}

/// Time of one item is that of one evaluation.
#[divan::bench(args = ["e1", "e1+e2", "e1+e2+e3", "e1+e2+e3+coordination", "all-threats", "all"])]
fn evaluate(bencher: divan::Bencher, terms: &str) {
    let positions = positions();
    let mut evaluator = Traditional::new(terms.parse().unwrap_or(Terms::NONE), &Parameters::fitted());
    let mut sum = || positions.iter().map(|position| i64::from(evaluator.evaluate(position))).sum::<i64>();
    let expected = sum();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| assert_eq!(sum(), expected));
}
