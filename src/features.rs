//! From positions to rows of a decision table.
//!
//! A [`FeatureSet`] fixes the condition attributes, their values, and the number that each value stands for, so that a
//! table, a network trained on it and an evaluator that plays with it all read a position in the same way.

pub mod board91;
pub mod material;
pub mod tabulate;

use crate::game::Game;

/// One condition attribute: its name and its values in the order of their codes.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeSpec {
    /// The attribute's name, as it heads a table's column.
    pub name: String,
    /// The values, as a table writes them.
    pub values: Vec<i32>,
    /// What a network's input takes for each value.
    pub inputs: Vec<f32>,
}

/// A way of describing the positions of game `G` by a fixed list of discrete attributes.
pub trait FeatureSet<G: Game>: Clone + Send + Sync + 'static {
    /// The name by which files of networks know it: equal names, equal attributes, codes and numbers.
    fn name(&self) -> &str;

    /// The attributes, in order.
    fn attributes(&self) -> Vec<AttributeSpec>;

    /// The number of attributes.
    fn n_attributes(&self) -> usize;

    /// Writes the value code of each attribute into `codes` (of length [`FeatureSet::n_attributes`]).
    fn encode(&self, position: &G, codes: &mut [u8]);

    /// Writes one byte an attribute into `raw`, of the same length, from which [`FeatureSet::code_of_raw`] tells the codes:
    /// whatever is cheapest to write. Equal bytes mean equal codes.
    fn write_raw(&self, position: &G, raw: &mut [u8]) {
        self.encode(position, raw);
    }

    /// The value code of `attribute` where [`FeatureSet::write_raw`] wrote `raw`. Bytes that are never written have some code.
    fn code_of_raw(&self, _attribute: usize, raw: u8) -> u8 {
        raw
    }
}
