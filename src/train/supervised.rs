//! Back-propagation on the results of the games: minibatches, Adam, squared error (S1 §3.2, steps 2 to 6).

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::positions::PositionSet;
use super::runner::{Method, PIECE, Share};
use crate::net::Network;
use crate::net::adam::Adam;
use crate::observe::Observer;
use crate::random;
use crate::setting::{SettingError, require};

/// Settings of [`Supervised`].
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupervisedSettings {
    /// Passes over the training positions, in [1, 10000].
    pub passes: usize,
    /// Positions a weight update, in [1, 65536].
    pub batch: usize,
    /// Adam's step size in the first pass, in (0, 1].
    pub rate: f64,
    /// Adam's step size in the last pass, in (0, 1]; it goes from one to the other by a constant factor a pass.
    pub final_rate: f64,
}

impl SupervisedSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=10_000).contains(&self.passes), "--passes", "in [1, 10000]", self.passes)?;
        require((1..=65_536).contains(&self.batch), "--batch", "in [1, 65536]", self.batch)?;
        let is_rate = |rate: f64| rate > 0.0 && rate <= 1.0;
        require(is_rate(self.rate), "--rate", "in (0, 1]", self.rate)?;
        require(is_rate(self.final_rate), "--final-rate", "in (0, 1]", self.final_rate)
    }

    /// The step size in pass number `pass`, from 0.
    fn rate_in(&self, pass: usize) -> f32 {
        let progress = pass as f64 / self.passes.saturating_sub(1).max(1) as f64;
        (self.rate * (self.final_rate / self.rate).powf(progress)) as f32
    }
}

/// Minibatch training of any network; positions are shuffled anew in each pass by the seed.
pub struct Supervised<N> {
    settings: SupervisedSettings,
    seed: u64,
    adam: Adam,
    order: Vec<u32>,
    network: std::marker::PhantomData<N>,
}

impl<N: Network> Supervised<N> {
    /// Training of `net` with `settings`.
    #[must_use]
    pub fn new(settings: SupervisedSettings, seed: u64, net: &N) -> Self {
        let adam = Adam::new(net.parameters().len());
        Self { settings, seed, adam, order: Vec::new(), network: std::marker::PhantomData }
    }

    fn shuffle(&mut self, n: usize, pass: usize) {
        self.order = (0..n as u32).collect();
        self.order.shuffle(&mut random::stream(self.seed, "training order", pass as u64));
    }
}

/// The mean gradient of the squared error over the positions `batch`.
///
/// The batch is cut into pieces of fixed size whose gradients are added in order, so the sum does not depend on threads.
fn batch_gradient<N: Network>(net: &N, training: &PositionSet, batch: &[u32]) -> Vec<f32> {
    let pieces: Vec<Vec<f32>> = batch.par_chunks(PIECE).map(|piece| piece_gradient(net, training, piece)).collect();
    let mut sum = vec![0.0; net.parameters().len()];
    for piece in pieces {
        sum.iter_mut().zip(&piece).for_each(|(sum, g)| *sum += g);
    }
    let share = 1.0 / batch.len() as f32;
    sum.iter_mut().for_each(|g| *g *= share);
    sum
}

fn piece_gradient<N: Network>(net: &N, training: &PositionSet, piece: &[u32]) -> Vec<f32> {
    let codes: Vec<u8> = piece.iter().flat_map(|&index| training.row(index as usize)).copied().collect();
    let targets: Vec<f32> = piece.iter().map(|&index| training.results()[index as usize]).collect();
    let mut gradient = vec![0.0; net.parameters().len()];
    net.add_gradient(crate::net::CodeRows::new(&codes, training.n_attributes()), &targets, &mut gradient);
    gradient
}

impl<N: Network> Method for Supervised<N> {
    type Net = N;

    fn train_share(&mut self, net: &mut N, training: &PositionSet, share: Share, observer: &dyn Observer) {
        if share.part == 0 || self.order.len() != training.len() {
            self.shuffle(training.len(), share.pass);
        }
        let rate = self.settings.rate_in(share.pass);
        for batch in self.order[share.of(training.len())].chunks(self.settings.batch) {
            let gradient = batch_gradient(net, training, batch);
            self.adam.step(net.parameters_mut(), &gradient, rate);
            observer.advance(batch.len() as u64);
        }
    }

    fn memory(&self) -> Vec<f32> {
        // The number of steps travels as the bits of a float, since as a float it would be exact only up to 2^24.
        [self.adam.first.as_slice(), &self.adam.second, &[f32::from_bits(self.adam.steps)]].concat()
    }

    fn restore(&mut self, memory: &[f32]) {
        let n = self.adam.first.len();
        self.adam.first.copy_from_slice(&memory[..n]);
        self.adam.second.copy_from_slice(&memory[n..2 * n]);
        self.adam.steps = memory[2 * n].to_bits();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_from_the_first_to_the_last_pass() {
        let settings = SupervisedSettings { passes: 3, batch: 1, rate: 0.01, final_rate: 0.0001 };
        for (pass, rate) in [0.01, 0.001, 0.0001].into_iter().enumerate() {
            approx::assert_relative_eq!(settings.rate_in(pass), rate, max_relative = 1e-4);
        }
        assert_eq!(SupervisedSettings { passes: 1, ..settings }.rate_in(0), 0.01);
    }
}
