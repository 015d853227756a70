//! How long a match must be.
//!
//! Every answer is a number of games. What a game teaches is told by its variance: σ² = (1 − d)/4 of independent games
//! with a share d of draws between equals, or twice the variance of a pair's score where games come in pairs.

use super::elo::score_of_elo;
use super::normal::{Z95, normal_quantile};
use super::{Pentanomial, Sprt};

/// What a game teaches: the variance of its score, in (0, 1/4] for single games, up to 1/2 for paired ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameVariance(f64);

impl GameVariance {
    /// Independent games between equals with this share of draws, in [0, 1).
    pub fn of_draws(draws: f64) -> Option<Self> {
        (0.0..1.0).contains(&draws).then_some(Self(0.25 * (1.0 - draws)))
    }

    /// Games in pairs with these counts; `None` if all pairs ended alike.
    pub fn of_pairs(pairs: Pentanomial) -> Option<Self> {
        let variance = pairs.sample()?.variance;
        (variance > 0.0).then_some(Self(2.0 * variance))
    }

    /// The variance of the score of one game.
    pub const fn value(self) -> f64 {
        self.0
    }
}

/// The games after which the 95 % interval of the Elo difference reaches `elo` (above 0) to either side, near equality:
/// (zσ · 1600/(elo · ln 10))², rounded up.
pub fn games_for_error(elo: f64, variance: GameVariance) -> u64 {
    // 1600/ln 10 is the slope of Elo in the score at 1/2.
    let deviations = Z95 * 1600.0 / (elo * std::f64::consts::LN_10);
    (deviations * deviations * variance.0).ceil() as u64
}

/// The games of a match of fixed length that calls the player stronger with probability `power` if `elo` (above 0) is the
/// difference, and with probability `alpha` if there is none (one-sided): ((z₁₋α + z_power)·σ/(s − 1/2))², rounded up.
pub fn games_for_power(elo: f64, variance: GameVariance, alpha: f64, power: f64) -> u64 {
    // z₁₋α is −z_α, and no chance is so small that 1 − α would be 1.
    let deviations = (normal_quantile(power) - normal_quantile(alpha)) / (score_of_elo(elo) - 0.5);
    (deviations * deviations * variance.0).ceil() as u64
}

/// The games that `sprt` takes in the mean if the difference is `elo`: Wald's theory, [`Sprt::prospect`].
pub fn games_of_sprt(sprt: &Sprt, elo: f64, variance: GameVariance) -> u64 {
    sprt.prospect(score_of_elo(elo), variance.0).units.ceil() as u64
}
