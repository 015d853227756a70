//! Eligibility traces that cost only as much as the rows of weights that a position touches.
//!
//! Sutton's trace e_t = λ e_{t-1} + ∇P_t has a number for every weight, and after each move every weight moves by
//! α δ_t e_t. But between two touches a row of the trace only shrinks by λ each move, always in one direction. So a row
//! keeps the trace as it was when last touched, how much it has shrunk since, and how far its weights are behind in
//! units of it; the weights are brought up to date when they are next read. The results are those of the definition up
//! to rounding.

use crate::net::{Activation, FirstLayer, Pass, kernel};

/// What has shrunk below this share of itself is gone; smaller numbers would make arithmetic slow.
const GONE: f32 = 1e-30;

/// The eligibility trace of all weights of a network.
#[derive(Debug, Clone, Default)]
pub struct Traces {
    /// The first layer's traces as they were when their rows were last touched, row by row.
    rows: Vec<f32>,
    /// What each row has to be multiplied by to be the trace of now.
    shrunk: Vec<f32>,
    /// How many times its trace (as kept) each row of weights is behind.
    due: Vec<f32>,
    /// The traces of all other weights, always up to date.
    tail: Vec<f32>,
    width: usize,
}

impl Traces {
    /// Forgets everything: a game begins.
    pub(crate) fn reset(&mut self, layer: &FirstLayer, n_parameters: usize) {
        self.width = layer.width();
        self.rows.resize(layer.n_weights(), 0.0);
        for numbers in [&mut self.shrunk, &mut self.due] {
            numbers.clear();
            numbers.resize(layer.n_rows, 0.0);
        }
        self.tail.clear();
        self.tail.resize(n_parameters - layer.n_weights(), 0.0);
    }

    /// e ← λ e + ∇P, where `pass` holds ∇P. Rows that `pass` touches must be [settled](Traces::settle).
    pub fn add(&mut self, pass: &Pass, lambda: f32) {
        for shrunk in &mut self.shrunk {
            *shrunk = if *shrunk > GONE { *shrunk * lambda } else { 0.0 };
        }
        kernel::decay_and_add(&mut self.tail, lambda, &pass.tail, 1.0);
        for &Activation { row, factor } in &pass.active {
            let (row, first) = (row as usize, row as usize * self.width);
            debug_assert!(self.due[row] == 0.0, "row {row} is behind");
            let trace = &mut self.rows[first..first + self.width];
            if self.shrunk[row] == 0.0 {
                // What a row held in the game before is no part of this one.
                trace.fill(0.0);
            }
            kernel::decay_and_add(trace, self.shrunk[row], &pass.delta, factor);
            self.shrunk[row] = 1.0;
        }
    }

    /// `weights` += `step` · e; rows of the first layer get it when they are next settled.
    pub fn apply(&mut self, step: f32, layer: &FirstLayer, weights: &mut [f32]) {
        kernel::add_scaled(&mut self.due, &self.shrunk, step);
        kernel::add_scaled(&mut weights[layer.n_weights()..], &self.tail, step);
    }

    /// Brings these rows of `weights` up to date.
    #[inline]
    pub fn settle(&mut self, active: &[Activation], weights: &mut [f32]) {
        for activation in active {
            self.settle_row(activation.row as usize, weights);
        }
    }

    /// Brings all rows of `weights` up to date.
    pub(crate) fn settle_all(&mut self, weights: &mut [f32]) {
        for row in 0..self.due.len() {
            self.settle_row(row, weights);
        }
    }

    #[inline]
    fn settle_row(&mut self, row: usize, weights: &mut [f32]) {
        let due = std::mem::take(&mut self.due[row]);
        if due != 0.0 {
            let (first, last) = (row * self.width, (row + 1) * self.width);
            kernel::add_scaled(&mut weights[first..last], &self.rows[first..last], due);
        }
    }
}
