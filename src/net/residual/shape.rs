//! The sizes of a network.

use serde::{Deserialize, Serialize};

use crate::settings::{SettingError, require};

/// Points of a board beyond which pairs of points are too many to be logits.
const MAX_POINTS: usize = 400;

/// The sizes of a network. Two networks of the same shape have the same tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Planes that it reads.
    pub planes: usize,
    /// Channels C of each convolution.
    #[serde(default = "Shape::default_channels")]
    pub channels: usize,
    /// 3×3 convolutions L, the first one included.
    #[serde(default = "Shape::default_layers")]
    pub layers: usize,
    /// Channels D of each of the two convolutions of the policy.
    #[serde(default = "Shape::default_policy_channels")]
    pub policy_channels: usize,
    /// Channels V of the convolution of the value.
    #[serde(default = "Shape::default_value_channels")]
    pub value_channels: usize,
    /// Numbers of the hidden layer of the value.
    #[serde(default = "Shape::default_value_hidden")]
    pub value_hidden: usize,
}

impl Shape {
    /// The most channels, and planes, that a network may have.
    pub(crate) const MAX_CHANNELS: usize = 1024;

    /// The shape for `planes` planes of `rows` × `columns` points, with 64 channels, 6 layers and heads of the usual size.
    pub const fn new(rows: usize, columns: usize, planes: usize) -> Self {
        Self {
            rows,
            columns,
            planes,
            channels: Self::default_channels(),
            layers: Self::default_layers(),
            policy_channels: Self::default_policy_channels(),
            value_channels: Self::default_value_channels(),
            value_hidden: Self::default_value_hidden(),
        }
    }

    const fn default_channels() -> usize {
        64
    }

    const fn default_layers() -> usize {
        6
    }

    const fn default_policy_channels() -> usize {
        32
    }

    const fn default_value_channels() -> usize {
        4
    }

    const fn default_value_hidden() -> usize {
        64
    }

    /// Checks the range of each size.
    ///
    /// # Errors
    /// With the first that is outside.
    pub fn check(&self) -> Result<(), SettingError> {
        let points = self.rows.saturating_mul(self.columns);
        require((1..=MAX_POINTS).contains(&points), "rows × columns", "between 1 and 400", points)?;
        require((1..=256).contains(&self.planes), "planes", "between 1 and 256", self.planes)?;
        let channels = 1..=Self::MAX_CHANNELS;
        require(channels.contains(&self.channels), "channels", "between 1 and 1024", self.channels)?;
        require((1..=64).contains(&self.layers), "layers", "between 1 and 64", self.layers)?;
        let small = 1..=1024;
        require(small.contains(&self.policy_channels), "policy_channels", "between 1 and 1024", self.policy_channels)?;
        require(small.contains(&self.value_channels), "value_channels", "between 1 and 1024", self.value_channels)?;
        require(small.contains(&self.value_hidden), "value_hidden", "between 1 and 1024", self.value_hidden)
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
