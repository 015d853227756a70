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
    /// Passes over the training positions, at least 1.
    pub passes: usize,
    /// Positions a weight update, at least 1.
    pub batch: usize,
    /// Adam's step size, above 0.
    pub rate: f32,
}

impl SupervisedSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(self.passes >= 1, "--passes", "at least 1", self.passes)?;
        require(self.batch >= 1, "--batch", "at least 1", self.batch)?;
        require(self.rate > 0.0 && self.rate <= 1.0, "--rate", "in (0, 1]", self.rate)
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
        for batch in self.order[share.of(training.len())].chunks(self.settings.batch) {
            let gradient = batch_gradient(net, training, batch);
            self.adam.step(net.parameters_mut(), &gradient, self.settings.rate);
            observer.advance(batch.len() as u64);
        }
    }

    fn memory(&self) -> Vec<f32> {
        // The number of steps fits a float exactly up to 2^24, far beyond any run.
        [self.adam.first.as_slice(), &self.adam.second, &[self.adam.steps as f32]].concat()
    }

    fn restore(&mut self, memory: &[f32]) {
        let n = self.adam.first.len();
        self.adam.first.copy_from_slice(&memory[..n]);
        self.adam.second.copy_from_slice(&memory[n..2 * n]);
        self.adam.steps = memory[2 * n] as u32;
    }
}
