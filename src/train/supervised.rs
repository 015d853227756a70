//! Back-propagation: positions in random order, squared error, minibatches or one position at a time (S1 §3.2, steps 2
//! to 6).

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::positions::{Example, PositionSet};
use super::runner::{Method, RunError, Share};
use super::schedule::Schedule;
use crate::net::optimiser::OptimiserKind;
use crate::net::rough::Ties;
use crate::net::{Network, Optimiser, Pass, kernel};
use crate::random;
use crate::settings::settings;

settings! {
    /// Settings of [`Supervised`].
    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SupervisedSettings {
        /// Passes over the training positions.
        pub passes: usize = 4, in 1..=10_000;
        /// Positions a weight update; 1 with gradient descent is online. A batch ends at each measurement of the error, too.
        pub batch: usize = 512, in 1..=65_536;
        /// How a gradient becomes a step.
        pub optimiser: OptimiserKind = OptimiserKind::Adam, serde(default);
        /// The step size. The gradient is that of the mean squared error of a batch.
        pub rate: Schedule = Schedule::default();
        /// Stop after this many measurements without a lower held-out error, and keep the weights of the lowest.
        pub patience: Option<usize> = None, in 1.., serde(default, skip_serializing_if = "Option::is_none");
    }
}

impl SupervisedSettings {
    /// The step size in `share` when `done` of it, in [0, 1], is done.
    fn rate_in(&self, share: Share<'_>, done: f64) -> f32 {
        let passes = share.pass as f64 + (share.part as f64 + done) / share.parts as f64;
        self.rate.at(passes / self.passes as f64) as f32
    }
}

/// Positions whose gradient one thread adds up at most and at least. Depends on the batch alone, so that sums are taken
/// in the same order on any number of threads.
fn piece_of(batch: usize) -> usize {
    batch.div_ceil(4).clamp(64, 1024)
}

/// Examples that lie apart in memory, fetched together: then the processor waits for all of them at once, not for each.
#[derive(Default)]
struct GatheredExamples {
    codes: Vec<u8>,
    /// Offset and target of each.
    aims: Vec<(f32, f32)>,
}

impl GatheredExamples {
    /// As many examples are fetched at once.
    const SIZE: usize = 32;

    fn fetch(&mut self, training: &PositionSet, positions: &[u32]) {
        self.codes.clear();
        self.aims.clear();
        for &index in positions {
            let Example { codes, offset, target } = training.example(index as usize);
            self.codes.extend_from_slice(codes);
            self.aims.push((offset, target));
        }
    }

    fn iter(&self) -> impl Iterator<Item = Example<'_>> {
        let width = self.codes.len() / self.aims.len().max(1);
        self.codes.chunks_exact(width.max(1)).zip(&self.aims).map(|(codes, &(offset, target))| Example {
            codes,
            offset,
            target,
        })
    }
}

/// One thread's share of a batch.
#[derive(Default)]
struct BatchPart {
    examples: GatheredExamples,
    pass: Pass,
    gradient: Vec<f32>,
}

/// Training of any network on single positions; they are shuffled anew in each pass by the seed.
pub struct Supervised<N> {
    settings: SupervisedSettings,
    seed: u64,
    optimiser: Optimiser,
    order: Vec<u32>,
    pieces: Vec<BatchPart>,
    ties: Option<Ties>,
    network: std::marker::PhantomData<N>,
}

impl<N: Network> Supervised<N> {
    /// Training of `net` with `settings`.
    pub fn new(settings: SupervisedSettings, seed: u64, net: &N) -> Self {
        let optimiser = Optimiser::new(settings.optimiser, net.parameters().len());
        let (order, pieces) = (Vec::new(), Vec::new());
        Self { settings, seed, optimiser, order, pieces, ties: None, network: std::marker::PhantomData }
    }

    /// The same training of a network whose weights are shared as `ties` say, from the start: they stay so to the last bit, since the
    /// gradients of shared weights are made equal before each step.
    #[must_use]
    pub fn tied(self, ties: Option<Ties>) -> Self {
        Self { ties, ..self }
    }

    fn shuffle(&mut self, n: usize, pass: usize) {
        self.order = (0..n as u32).collect();
        self.order.shuffle(&mut random::stream(self.seed, "training order", pass as u64));
    }

    /// Adds the gradients of the positions of `batch` up, piece by piece; the sum is left in the first piece.
    fn add_up(&mut self, net: &N, training: &PositionSet, batch: &[u32]) {
        let size = piece_of(batch.len());
        let n_pieces = batch.len().div_ceil(size);
        if self.pieces.len() < n_pieces {
            self.pieces.resize_with(n_pieces, BatchPart::default);
        }
        let pieces = &mut self.pieces[..n_pieces];
        if let [only] = pieces {
            only.add_up(net, training, batch);
        } else {
            pieces
                .par_iter_mut()
                .zip(batch.par_chunks(size))
                .for_each(|(piece, part)| piece.add_up(net, training, part));
        }
        if let [first, others @ ..] = pieces {
            others.iter().for_each(|other| kernel::add_scaled(&mut first.gradient, &other.gradient, 1.0));
        }
    }

    /// Changes the weights after every position: the gradient goes to the rows that it concerns, and to no others.
    fn learn_one_by_one(&mut self, net: &mut N, share: Share<'_>) {
        let range = share.of(share.training.len());
        let (mut pass, mut examples) = (Pass::default(), GatheredExamples::default());
        let (n, mut done) = (range.len().max(1) as f64, 0);
        for part in self.order[range].chunks(GatheredExamples::SIZE) {
            examples.fetch(share.training, part);
            for Example { codes, offset, target } in examples.iter() {
                net.forward(codes, offset, &mut pass);
                net.backward(codes, &mut pass);
                let rate = self.settings.rate_in(share, done as f64 / n);
                let (layer, weights) = net.parts_mut();
                pass.add_gradient(layer, weights, -2.0 * rate * (pass.y - target));
                done += 1;
            }
        }
    }
}

impl BatchPart {
    fn add_up<N: Network>(&mut self, net: &N, training: &PositionSet, positions: &[u32]) {
        self.gradient.clear();
        self.gradient.resize(net.parameters().len(), 0.0);
        for part in positions.chunks(GatheredExamples::SIZE) {
            self.examples.fetch(training, part);
            for Example { codes, offset, target } in self.examples.iter() {
                net.forward(codes, offset, &mut self.pass);
                net.backward(codes, &mut self.pass);
                self.pass.add_gradient(net.first_layer(), &mut self.gradient, 2.0 * (self.pass.y - target));
            }
        }
    }
}

impl<N: Network> Method for Supervised<N> {
    type Net = N;

    fn train_share(&mut self, net: &mut N, share: Share<'_>) -> Result<(), RunError> {
        let Share { training, observer, .. } = share;
        if share.part == 0 || self.order.len() != training.len() {
            self.shuffle(training.len(), share.pass);
        }
        let range = share.of(training.len());
        // What one position tells of a row concerns its twin as well, so that ties need the whole gradient.
        if self.settings.batch == 1 && self.optimiser.is_plain() && self.ties.is_none() {
            self.learn_one_by_one(net, share);
            observer.advance(range.len() as u64);
            return Ok(());
        }
        let positions = self.order[range].to_vec();
        let n_batches = positions.len().div_ceil(self.settings.batch);
        for (done, batch) in positions.chunks(self.settings.batch).enumerate() {
            self.add_up(net, training, batch);
            let gradient = &mut self.pieces[0].gradient;
            kernel::scale(gradient, 1.0 / batch.len() as f32);
            self.ties.iter().for_each(|ties| ties.apply(gradient));
            let rate = self.settings.rate_in(share, done as f64 / n_batches as f64);
            self.optimiser.step(net.parameters_mut(), gradient, rate);
            observer.advance(batch.len() as u64);
        }
        Ok(())
    }

    fn memory(&self) -> Vec<f32> {
        self.optimiser.memory()
    }

    fn restore(&mut self, memory: &[f32]) {
        self.optimiser.restore(memory);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;

    #[test]
    fn the_rate_falls_from_the_beginning_to_the_end() {
        let settings = SupervisedSettings {
            passes: 2,
            batch: 1,
            optimiser: OptimiserKind::Adam,
            rate: Schedule::exponential(0.01, 0.0001),
            patience: None,
        };
        let nothing = PositionSet::default();
        let share = |pass, part| Share { pass, part, parts: 2, ..Share::whole(&nothing, &Silent) };
        approx::assert_relative_eq!(settings.rate_in(share(0, 0), 0.0), 0.01, max_relative = 1e-6);
        approx::assert_relative_eq!(settings.rate_in(share(1, 0), 0.0), 0.001, max_relative = 1e-6);
        approx::assert_relative_eq!(settings.rate_in(share(1, 1), 1.0), 0.0001, max_relative = 1e-6);
    }
}
