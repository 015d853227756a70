//! Training and evaluation: positions a second of each method, one thread, on the embedded games.
//!
//! `cargo bench --bench training`
#![allow(clippy::expect_used)]

use divan::Bencher;
use divan::counter::ItemsCount;
use roughboard::eval::Evaluator;
use roughboard::eval::network::NetworkEvaluator;
use roughboard::eval::xiangqi::Traditional;
use roughboard::experiment::embedded;
use roughboard::experiment::learn::{Data, DataSettings, Knowledge, RoughPlan};
use roughboard::experiment::s1::S1Config;
use roughboard::features::board91::Board91;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::dense::DenseShape;
use roughboard::net::store::Net;
use roughboard::net::{DenseNet, Network};
use roughboard::observe::Silent;
use roughboard::train::{Method, Selection, Share, Supervised, TdLambda, UpdateForm};

fn main() {
    // One thread, so that figures are per core.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).build_global();
    divan::main();
}

fn data() -> Data {
    let (mut records, _) = embedded::games().expect("embedded games");
    records.truncate(200);
    let settings = DataSettings { selection: Selection::from_ply(10), ..DataSettings::default() };
    Data::new(&records, Vec::new(), settings, 1, &Silent).expect("data")
}

fn rough_net(data: &Data) -> Net {
    let config = S1Config::quick(1);
    let mut plan = RoughPlan {
        rules: config.rules,
        form: config.rough,
        training: config.rough_training,
        reduct_only: false,
        random_start: false,
    };
    plan.training.passes = 1;
    let knowledge = Knowledge::of(data, &plan, &Silent).expect("rules");
    plan.start(data, &knowledge).0.net
}

fn dense_net(data: &Data) -> DenseNet {
    DenseNet::random(data.coding.clone(), DenseShape::one_layer(100), 1, "bench")
}

const WHOLE: Share = Share { pass: 0, part: 0, parts: 1 };

fn one_pass<M: Method>(bencher: Bencher, data: &Data, mut method: M, net: M::Net) {
    let before = net.parameters().to_vec();
    bencher.counter(ItemsCount::new(data.training.len())).bench_local(|| {
        let mut trained = net.clone();
        method.train_share(&mut trained, &data.training, WHOLE, &Silent);
        assert!(trained.parameters() != before, "nothing was learned");
    });
}

#[divan::bench(sample_count = 5)]
fn train_rough(bencher: Bencher) {
    let data = data();
    let Net::Rough(net) = rough_net(&data) else { return };
    one_pass(bencher, &data, Supervised::new(S1Config::quick(1).rough_training, 1, &net), net);
}

#[divan::bench(sample_count = 5)]
fn train_bp(bencher: Bencher) {
    let data = data();
    let net = dense_net(&data);
    one_pass(bencher, &data, Supervised::new(S1Config::quick(1).bp.training, 1, &net), net);
}

#[divan::bench(sample_count = 5, args = ["eq. 2, traces", "eq. 4, errors"])]
fn train_td(bencher: Bencher, form: &str) {
    let data = data();
    let mut settings = S1Config::quick(1).td.training;
    settings.form = if form.starts_with("eq. 2") { UpdateForm::Traces } else { UpdateForm::Errors };
    one_pass(bencher, &data, TdLambda::new(settings), dense_net(&data));
}

/// The positions of 20 games in order, as a search meets them: neighbours differ by a move or two.
fn positions() -> Vec<Xiangqi> {
    let (records, _) = embedded::games().expect("embedded games");
    let mut positions = Vec::new();
    records.iter().take(20).for_each(|record| record.replay(|position, _| positions.push(position.clone())));
    positions
}

fn evaluate_all(bencher: Bencher, mut evaluator: impl Evaluator<Xiangqi>) {
    let positions = positions();
    let sum = |evaluator: &mut dyn Evaluator<Xiangqi>| -> i64 {
        positions.iter().map(|position| i64::from(evaluator.evaluate(position))).sum()
    };
    let expected = sum(&mut evaluator);
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| assert_eq!(sum(&mut evaluator), expected));
}

#[divan::bench]
fn evaluate_traditional(bencher: Bencher) {
    evaluate_all(bencher, Traditional::default());
}

#[divan::bench]
fn evaluate_rough(bencher: Bencher) {
    evaluate_all(bencher, NetworkEvaluator::new(&rough_net(&data()), Board91));
}

#[divan::bench]
fn evaluate_bp(bencher: Bencher) {
    evaluate_all(bencher, NetworkEvaluator::new(&Net::Dense(dense_net(&data())), Board91));
}
