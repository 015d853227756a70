//! The residual network of 64 channels and 6 layers on 6×6 points: positions a second of evaluation and of learning, all threads.
//!
//! `cargo bench --bench residual` prints a table; with `-- --json` it prints the figures for `benches/peers/residual.py`, which
//! sets them beside PyTorch. Each figure is the best of three spans of time.
//!
//! Goals on 2 cores: 15,000 positions a second of evaluation at a batch of 64, and 6,400 of learning at one of 256.
#![allow(clippy::expect_used)]

mod common;

use std::time::{Duration, Instant};

use rand::RngExt;
use roughboard::net::residual::{Batch, Device, Inference, Learner, LearnerSettings, Shape, Weights};
use roughboard::random::{Stream, stream};

const SPANS: usize = 3;
const SPAN: Duration = Duration::from_millis(700);

fn main() {
    let shape = Shape::new(6, 6, 7);
    let weights = Weights::random(shape, 1, "bench").expect("a shape in range");
    let net = Inference::new(&weights);
    let mut stream = stream(1, "bench", 0);
    let mut figures: Vec<(String, f64)> = Vec::new();
    for n in [1, 8, 64, 128, 256] {
        let rows = rows(&shape, n, &mut stream);
        let (mut logits, mut values) = (vec![0.0; n * shape.n_logits()], vec![0.0; n]);
        let figure = rate(n, || net.evaluate(&rows, &mut logits, &mut values));
        figures.push((format!("evaluate, batch {n}"), figure));
    }
    let batch = batch(&shape, 256, &mut stream);
    let mut learner = Learner::on(Device::Cpu, weights, LearnerSettings::default()).expect("settings in range");
    let figure = rate(256, || {
        learner.step(&batch).expect("a batch that fits");
    });
    figures.push(("learn, batch 256".to_owned(), figure));
    common::print(&figures);
}

/// Planes in which three points of ten are set.
fn rows(shape: &Shape, n: usize, stream: &mut Stream) -> Vec<f32> {
    (0..n * shape.row_len()).map(|_| f32::from(u8::from(stream.random_bool(0.3)))).collect()
}

/// Positions with 30 legal moves each.
fn batch(shape: &Shape, n: usize, stream: &mut Stream) -> Batch {
    let mut batch = Batch::default();
    for number in 0..n {
        let first: u32 = stream.random_range(0..shape.n_logits() as u32);
        let moves = (0..30).map(|mv| ((first + mv * 37) % shape.n_logits() as u32, 1.0 / 30.0));
        batch.push(&rows(shape, 1, stream), moves, (number % 3) as f32 - 1.0);
    }
    batch
}

/// Positions a second of `run`, which takes `n`.
fn rate(n: usize, mut run: impl FnMut()) -> f64 {
    run();
    let mut best = 0.0_f64;
    for _ in 0..SPANS {
        let (begin, mut runs) = (Instant::now(), 0);
        while begin.elapsed() < SPAN {
            run();
            runs += 1;
        }
        best = best.max((runs * n) as f64 / begin.elapsed().as_secs_f64());
    }
    best
}
