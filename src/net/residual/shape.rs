//! The sizes of a network.

use serde::{Deserialize, Serialize};

use crate::settings::{SettingError, require, settings};

/// Points of a board beyond which pairs of points are too many to be logits.
const MAX_POINTS: usize = 400;

settings! {
    /// The sizes of a network. Two networks of the same shape have the same tensors.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Shape {
        /// Rows of the board.
        pub rows: usize = 0, in 1..=MAX_POINTS;
        /// Columns of the board.
        pub columns: usize = 0, in 1..=MAX_POINTS;
        /// Planes that it reads.
        pub planes: usize = 0, in 1..=256;
        /// Channels C of each convolution.
        pub channels: usize = 64, in 1..=Shape::MAX_CHANNELS;
        /// 3×3 convolutions L, the first one included.
        pub layers: usize = 6, in 1..=64;
        /// Channels D of each of the two convolutions of the policy.
        pub policy_channels: usize = 32, in 1..=1024;
        /// Channels V of the convolution of the value.
        pub value_channels: usize = 4, in 1..=1024;
        /// Numbers of the hidden layer of the value.
        pub value_hidden: usize = 64, in 1..=1024;
    }
    and check_points
}

impl Shape {
    /// The most channels, and planes, that a network may have.
    pub(crate) const MAX_CHANNELS: usize = 1024;

    /// The shape for `planes` planes of `rows` × `columns` points, with channels, layers and heads of the usual sizes.
    pub fn new(rows: usize, columns: usize, planes: usize) -> Self {
        Self { rows, columns, planes, ..Self::default() }
    }

    fn check_points(&self) -> Result<(), SettingError> {
        require(self.points() <= MAX_POINTS, "rows × columns", "in [1, 400]", self.points())
    }

    /// Points of the board.
    pub const fn points(&self) -> usize {
        self.rows * self.columns
    }

    /// Numbers of a row that the network reads: plane after plane, each row by row.
    pub const fn row_len(&self) -> usize {
        self.planes * self.points()
    }

    /// Logits of a row: one for each pair of points, at from · points + to.
    pub const fn n_logits(&self) -> usize {
        self.points() * self.points()
    }

    /// Channels that the convolution number `layer` (from 0) reads.
    pub(crate) const fn channels_into(&self, layer: usize) -> usize {
        if layer == 0 { self.planes } else { self.channels }
    }

    /// Numbers between the two parts of the value head: those of each channel at each point.
    pub const fn value_inputs(&self) -> usize {
        self.points() * self.value_channels
    }
}
