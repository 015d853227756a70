//! Statistics of matches and of proportions: counts in; scores, Elo, intervals and likelihoods out. Knows no game and
//! no player.
//!
//! A match gives a sample of independent *units*: single games ([`Wdl`]) or pairs of games that start from one
//! opening with colours swapped ([`Pentanomial`]). Both turn into a [`Sample`], which carries the score and its
//! variance per unit, and from which every further figure follows.

mod elo;
mod normal;
mod pairs;
mod proportion;
mod student;
mod wdl;

pub use elo::{EloEstimate, Sample, elo_of_score, score_of_elo};
pub use normal::{Z95, normal_cdf};
pub use pairs::Pentanomial;
pub use proportion::{beta_cdf, clopper_pearson, wilson, wilson_score};
pub use student::t95;
pub use wdl::Wdl;
