//! Training: positions a second of every method, on the embedded games.
//!
//! `cargo bench --bench training` prints a table; with `-- --json` it prints the figures for `benches/peers/training.py`,
//! which sets them beside PyTorch and numpy. Each figure is the median of five runs; online methods use one thread,
//! batches are timed on one and on all.
//!
//! Goals, beside both in one run: online SGD and TD(λ) at least 100 times PyTorch and 15 times numpy; batches on all
//! cores at least twice the best of both.
#![allow(clippy::expect_used)]

mod common;

use std::time::Instant;

use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::Net;
use roughboard::net::dense::DenseShape;
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::{DenseNet, Network};
use roughboard::observe::Silent;
use roughboard::record::supplied;
use roughboard::runs::training::{Data, DataSettings, Knowledge, RoughPlan};
use roughboard::train::{
    Method, Schedule, Share, Supervised, SupervisedSettings, TdLambda, TdSettings, UpdateForm, UpdateTime,
};

const RUNS: usize = 5;

fn main() {
    let data = data();
    let sgd = OptimiserKind::Sgd { momentum: 0.0 };
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let dense = Net::Dense(DenseNet::random(data.coding.clone(), DenseShape::one_layer(100), 1, "bench"));
    let rough = rough_net(&data);
    let mut figures = Vec::new();
    let mut measure =
        |name: &str, net: &Net, threads: usize, method: &dyn Fn(&Net) -> Box<dyn Method<Net = Net> + Send>| {
            figures.push((name.to_owned(), positions_a_second(&data, net, threads, method)));
        };
    measure("91-100-1, SGD, batch 1", &dense, 1, &|net| supervised(net, 1, sgd));
    measure("91-100-1, SGD with momentum, batch 256", &dense, 1, &|net| {
        supervised(net, 256, OptimiserKind::Sgd { momentum: 0.9 })
    });
    for batch in [256, 16_384] {
        for threads in [1, all] {
            let name = format!("91-100-1, SGD, batch {batch}, threads {threads}");
            measure(&name, &dense, threads, &|net| supervised(net, batch, sgd));
        }
    }
    measure("91-100-1, Adam, batch 512, all threads", &dense, all, &|net| supervised(net, 512, OptimiserKind::Adam));
    measure("91-100-1, TD(λ) by moves, full traces", &dense, 1, &|_| td(UpdateTime::Move, UpdateForm::Traces));
    measure("91-100-1, TD(λ) by games, eq. (2)", &dense, 1, &|_| td(UpdateTime::Game, UpdateForm::Traces));
    measure("91-100-1, TD(λ) by games, eq. (4)", &dense, 1, &|_| td(UpdateTime::Game, UpdateForm::Errors));
    measure("rough, 60 rules, Adam, batch 512, threads 1", &rough, 1, &|net| supervised(net, 512, OptimiserKind::Adam));
    let name = format!("rough, 60 rules, Adam, batch 512, threads {all}");
    measure(&name, &rough, all, &|net| supervised(net, 512, OptimiserKind::Adam));
    measure("rough, 60 rules, SGD, batch 1", &rough, 1, &|net| supervised(net, 1, sgd));
    measure("rough, 60 rules, TD(λ) by moves, full traces", &rough, 1, &|_| td(UpdateTime::Move, UpdateForm::Traces));
    common::print(&figures);
}

fn data() -> Data {
    let (mut records, _) = supplied::games::<Xiangqi>().expect("a file").expect("games");
    records.truncate(400);
    let settings = DataSettings::from_ply(10, 0.1, 1);
    Data::new(&records, Vec::new(), settings, 1, &Silent).expect("data")
}

fn rough_net(data: &Data) -> Net {
    let plan = RoughPlan::default();
    let knowledge = Knowledge::of(data, &plan, &Silent).expect("rules");
    plan.start(data, &knowledge).0.net
}

fn supervised(net: &Net, batch: usize, optimiser: OptimiserKind) -> Box<dyn Method<Net = Net> + Send> {
    let rate = Schedule::constant(1e-3);
    Box::new(Supervised::new(SupervisedSettings { passes: 1, batch, optimiser, rate, patience: None }, 1, net))
}

fn td(update: UpdateTime, form: UpdateForm) -> Box<dyn Method<Net = Net> + Send> {
    let alpha = Schedule::constant(3e-4);
    Box::new(TdLambda::new(TdSettings { passes: 1, alpha, lambda: 0.7, update, form, patience: None }))
}

/// The median rate of a pass over the training positions; the pass must change the weights, and to finite ones.
fn positions_a_second(
    data: &Data,
    net: &Net,
    threads: usize,
    method: &dyn Fn(&Net) -> Box<dyn Method<Net = Net> + Send>,
) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut rates: Vec<f64> = (0..RUNS)
        .map(|_| {
            let (mut trained, mut method) = (net.clone(), method(net));
            let begin = Instant::now();
            pool.install(|| method.train_share(&mut trained, Share::whole(&data.training, &Silent))).expect("training");
            let seconds = begin.elapsed().as_secs_f64();
            assert!(trained.parameters() != net.parameters(), "nothing was learned");
            assert!(trained.parameters().iter().all(|weight| weight.is_finite()), "the weights ran away");
            data.training.len() as f64 / seconds
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[RUNS / 2]
}
