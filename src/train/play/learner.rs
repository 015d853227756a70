//! From a game's sequence to a change of the network.

use serde::{Deserialize, Serialize};

use crate::net::CodeRows;
use crate::net::Net;
use crate::settings::settings;
use crate::train::schedule::Schedule;
use crate::train::td::{Episode, TdLearner, UpdateForm, UpdateTime};

settings! {
    /// How TD(λ) changes the network by a game.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Learning {
        /// Learning rate α over the course of all games.
        pub alpha: Schedule = Schedule::default();
        /// Trace decay λ.
        pub lambda: f64 = 0.7, in 0.0..=1.0;
        /// Whether the weights move once a game, or position by position while the finished game is gone through.
        pub update: UpdateTime = UpdateTime::Game;
    }
}

impl Learning {
    /// The learner. Games are there as a whole, so the cheaper form, eq. (4), may be computed.
    pub(super) fn learner(&self) -> TdLearner {
        let form = if self.update == UpdateTime::Game { UpdateForm::Errors } else { UpdateForm::Traces };
        TdLearner::new(self.lambda as f32, self.update, form)
    }

    /// Changes `net` by a game when `progress` of all games, in [0, 1], is done.
    pub(super) fn learn(&self, learner: &mut TdLearner, net: &mut Net, steps: &Steps, progress: f64) {
        learner.learn(net, &steps.episode(), self.alpha.at(progress) as f32);
    }
}

/// The sequence of one game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steps {
    n_attributes: usize,
    codes: Vec<u8>,
    known: Vec<Option<f32>>,
    cuts: Vec<bool>,
    /// Z for the side that moves first.
    pub result: f32,
}

impl Steps {
    /// A sequence without positions.
    pub fn new(n_attributes: usize) -> Self {
        Self { n_attributes, codes: Vec::new(), known: Vec::new(), cuts: Vec::new(), result: 0.0 }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Appends a position that `encode` writes, and its value if that is known.
    pub fn push(&mut self, known: Option<f32>, encode: impl FnOnce(&mut [u8])) {
        let first = self.codes.len();
        self.codes.resize(first + self.n_attributes, 0);
        encode(&mut self.codes[first..]);
        self.known.push(known);
        self.cuts.push(false);
    }

    /// Cuts the sequence after the last position, if there is one.
    pub fn cut(&mut self) {
        if let Some(cut) = self.cuts.last_mut() {
            *cut = true;
        }
    }

    fn episode(&self) -> Episode<'_> {
        let rows = CodeRows::new(&self.codes, self.n_attributes);
        Episode { rows, result: self.result, known: &self.known, cuts: &self.cuts }
    }
}
