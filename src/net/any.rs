//! A network of any of the kinds that read value codes, for whoever does not care which it is.

use super::dense::DenseShape;
use super::rough::RoughShape;
use super::{DenseNet, FirstLayer, Network, Pass, Readout, RoughNet, TreeNet};

/// A network of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Net {
    /// A plain network, trained by BP or TD(λ).
    Dense(DenseNet),
    /// The rough neural network.
    Rough(RoughNet),
    /// A decision tree.
    Tree(TreeNet),
}

/// Calls the same method of whichever network it is.
macro_rules! of_any {
    ($net:expr, $inner:ident => $call:expr) => {
        match $net {
            Net::Dense($inner) => $call,
            Net::Rough($inner) => $call,
            Net::Tree($inner) => $call,
        }
    };
}

impl Network for Net {
    fn parts(&self) -> (&FirstLayer, &[f32]) {
        of_any!(self, net => net.parts())
    }

    fn parts_mut(&mut self) -> (&FirstLayer, &mut [f32]) {
        of_any!(self, net => net.parts_mut())
    }

    fn base(&self) -> &[f32] {
        of_any!(self, net => net.base())
    }

    fn head(&self, codes: &[u8], offset: f32, pass: &mut Pass) {
        of_any!(self, net => net.head(codes, offset, pass));
    }

    fn output_of(&self, argument: f32) -> f32 {
        of_any!(self, net => net.output_of(argument))
    }

    fn readout(&self) -> Option<Readout> {
        of_any!(self, net => net.readout())
    }

    fn backward(&self, codes: &[u8], pass: &mut Pass) {
        of_any!(self, net => net.backward(codes, pass));
    }
}

/// What a network's file says of its form, beside the tensors.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum NetForm {
    /// A plain network of this shape.
    Dense(DenseShape),
    /// A rough network of this shape.
    Rough(RoughShape),
    /// A decision tree.
    Tree,
}

impl Net {
    /// Its form.
    pub fn form(&self) -> NetForm {
        match self {
            Self::Dense(net) => NetForm::Dense(net.shape().clone()),
            Self::Rough(net) => NetForm::Rough(net.shape().clone()),
            Self::Tree(_) => NetForm::Tree,
        }
    }
}
