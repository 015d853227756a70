//! Statistics of matches and of proportions: counts in; scores, Elo, intervals and likelihoods out. Knows no game and
//! no player.
//!
//! A match gives a sample of independent *units*: single games ([`Wdl`]) or pairs of games that start from one
//! opening with colours swapped ([`Pentanomial`]). Both turn into a [`Sample`], which carries the score and its
//! variance per unit, and from which every further figure follows. [`Sprt`] tests hypotheses while a match is played,
//! [`games_for_error`] and its neighbours say how long it must be, [`rate`] puts many entrants on one scale. Formulas and
//! their sources: `docs/statistics.md`.

mod bayes_elo;
mod counts;
mod elo;
mod holm;
mod likelihood;
mod normal;
mod pair_model;
mod pairs;
mod plan;
mod proportion;
mod ratings;
mod sprt;
mod student;
mod wdl;

pub use bayes_elo::{BayesElo, BayesTest, bayes_llr};
pub use counts::Counts;
pub use elo::{EloEstimate, MANY_UNITS, Sample, elo_of_score, score_of_elo, signed_elo};
pub use holm::{Holm, holm};
pub use normal::{Z95, normal_cdf, normal_quantile};
pub use pair_model::{PairModel, drawn_pair, pair_moments};
pub use pairs::Pentanomial;
pub use plan::{GameVariance, games_for_error, games_for_power, games_of_sprt};
pub use proportion::{beta_cdf, clopper_pearson, wilson, wilson_score};
pub use ratings::{Encounter, Rating, RatingError, Ratings, Standing, rate};
pub use sprt::{EloScale, Prospect, Sprt, SprtRun, Verdict};
pub use student::t95;
pub use wdl::Wdl;

/// Where what holds from `low` on ends before `high`, by bisection down to neighbouring numbers.
fn bisect((mut low, mut high): (f64, f64), holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
}
