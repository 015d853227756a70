//! The feature sets of Xiangqi by name, those that go by the fitted tables of the traditional evaluator among them.

mod joined;
mod piece_square;
mod sign_table;
mod term_table;

pub use joined::Joined;
pub use piece_square::PieceSquare;
pub use sign_table::SignTable;
pub use term_table::TermTable;

use std::sync::Arc;

use super::weights::{Parameters, weights_to_json};
use crate::disk::sha256;
use crate::eval::FeaturesError;
use crate::features::board91::{self, Board91};
use crate::features::control::{self, Control};
use crate::features::king_relative::{self, KingRelative};
use crate::features::{AttributeSpec, FeatureSet, Involution};
use crate::games::xiangqi::Xiangqi;

/// What stands between the name of a feature set and what tells its tables.
const TABLES_SIGN: char = '@';
/// Hexadecimal digits that tell tables apart.
const TABLES_DIGITS: usize = 8;

/// A feature set of Xiangqi, chosen at run time.
#[derive(Debug, Clone)]
pub enum XiangqiFeatures {
    /// `board91`: the fixed value of the piece on each point.
    Board91(Board91),
    /// `piece-square`: the fixed value and the value of its point for the piece on each point.
    PieceSquare(Arc<PieceSquare>),
    /// `terms`: what the terms of the traditional evaluator add up.
    Terms(Arc<TermTable>),
    /// `control`: the piece on each point and which sides control it.
    Control(Control),
    /// `king-relative`: where the attacking pieces stand as seen from the king that they attack.
    KingRelative(KingRelative),
    /// `signs`: how often each side has each sign of the traditional evaluator, and its mobility.
    Signs(SignTable),
    /// Several of the others, joined by `+`.
    Joined(Arc<Joined>),
}

impl XiangqiFeatures {
    /// The names that [`XiangqiFeatures::from_name`] knows.
    pub const NAMES: [&'static str; 6] =
        [board91::NAME, piece_square::NAME, term_table::NAME, control::NAME, king_relative::NAME, sign_table::NAME];

    /// The feature set of this name, one of [`XiangqiFeatures::NAMES`] or what [`FeatureSet::name`] gave: of the sets that go
    /// by fitted tables, the latter ends in a checksum of them, so that a network made with other tables is not taken for
    /// one made with these.
    ///
    /// # Errors
    /// When there is no such set, or it is one of other tables.
    pub fn from_name(name: &str) -> Result<Self, FeaturesError> {
        if name.contains(joined::JOINT) {
            return Joined::from_name(name).map(|set| Self::Joined(Arc::new(set)));
        }
        let base = name.split(TABLES_SIGN).next().unwrap_or(name);
        let set = match base {
            board91::NAME => Some(Self::Board91(Board91)),
            piece_square::NAME => Some(Self::PieceSquare(Arc::new(PieceSquare::new(&Parameters::fitted())))),
            term_table::NAME => Some(Self::Terms(Arc::new(TermTable::new(&Parameters::fitted())))),
            control::NAME => Some(Self::Control(Control)),
            king_relative::NAME => Some(Self::KingRelative(KingRelative)),
            sign_table::NAME => Some(Self::Signs(SignTable)),
            _ => None,
        };
        let is_asked_for = |set: &Self| name == base || name == set.name();
        set.filter(is_asked_for).ok_or_else(|| FeaturesError::of::<Xiangqi>(name))
    }
}

impl Default for XiangqiFeatures {
    fn default() -> Self {
        Self::Board91(Board91)
    }
}

/// Hands a call on to the set that was chosen.
macro_rules! chosen {
    ($features:expr, $set:ident => $call:expr) => {
        match $features {
            XiangqiFeatures::Board91($set) => $call,
            XiangqiFeatures::PieceSquare($set) => $call,
            XiangqiFeatures::Terms($set) => $call,
            XiangqiFeatures::Control($set) => $call,
            XiangqiFeatures::KingRelative($set) => $call,
            XiangqiFeatures::Signs($set) => $call,
            XiangqiFeatures::Joined($set) => $call,
        }
    };
}

impl FeatureSet<Xiangqi> for XiangqiFeatures {
    fn name(&self) -> &str {
        chosen!(self, set => set.name())
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        chosen!(self, set => set.attributes())
    }

    fn n_attributes(&self) -> usize {
        chosen!(self, set => set.n_attributes())
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        chosen!(self, set => set.encode(position, codes));
    }

    fn describe(&self, attribute: usize, code: u8) -> String {
        chosen!(self, set => set.describe(attribute, code))
    }

    fn exchange(&self) -> Option<Involution> {
        chosen!(self, set => set.exchange())
    }

    #[inline]
    fn raw_in_memory<'p>(&self, position: &'p Xiangqi) -> &'p [u8] {
        chosen!(self, set => set.raw_in_memory(position))
    }

    #[inline]
    fn write_raw(&self, position: &Xiangqi, raw: &mut [u8]) {
        chosen!(self, set => set.write_raw(position, raw));
    }

    #[inline]
    fn code_of_raw(&self, attribute: usize, raw: u8) -> u8 {
        chosen!(self, set => set.code_of_raw(attribute, raw))
    }
}

/// The name of a set that goes by `parameters`: `BASE@` and the beginning of their checksum. `with_weights` says whether it
/// goes by the weights of signs too, and not by the position tables alone.
fn name_with_tables(base: &str, parameters: &Parameters, with_weights: bool) -> String {
    let weights = if with_weights { weights_to_json(&parameters.weights) } else { String::new() };
    let checksum = sha256((parameters.tables.to_json() + &weights).as_bytes());
    format!("{base}{TABLES_SIGN}{}", &checksum[..TABLES_DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_found_by_either_name_and_by_no_other() {
        for name in XiangqiFeatures::NAMES {
            let set = XiangqiFeatures::from_name(name).unwrap();
            assert!(set.name().starts_with(name));
            assert_eq!(XiangqiFeatures::from_name(set.name()).unwrap().name(), set.name());
        }
        for bad in ["", "board90", "board91@", "terms@", "terms@00000000", "piece-square@12345678", "@"] {
            let error = XiangqiFeatures::from_name(bad).unwrap_err().to_string();
            assert!(
                error.contains(&format!("`{bad}`")) && error.contains("expected one of board91, piece-square, "),
                "{error}"
            );
        }
    }

    #[test]
    fn other_tables_make_another_name() {
        let mut parameters = Parameters::fitted();
        let names = |parameters: &Parameters| {
            [PieceSquare::new(parameters).name().to_owned(), TermTable::new(parameters).name().to_owned()]
        };
        let before = names(&parameters);
        parameters.weights = super::super::Signs::ZERO;
        let other_weights = names(&parameters);
        assert!(before[0] == other_weights[0] && before[1] != other_weights[1]);
        parameters.tables = super::super::PositionTables::new([[0; 90]; 7]);
        assert_ne!(other_weights[0], names(&parameters)[0]);
    }
}
