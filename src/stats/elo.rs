//! Elo differences: from a score, and from a sample with its uncertainty.

use std::fmt;

use super::normal::{Z95, normal_cdf};
use super::student::t95;

/// From so many units on, intervals are normal ones; with fewer, their spread says too little for that.
pub const MANY_UNITS: u64 = 30;

/// Probability of error that a one-sided bound allows.
pub(super) const ONE_SIDED_ERROR: f64 = 0.05;

/// The Elo difference at which the expected score is `score`: -400 log₁₀(1/s − 1).
///
/// −∞ for a score of 0 or below, +∞ for 1 or above.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // The difference of logarithms is odd about 1/2 to the last bit, and never gives -0.
        400.0 * (score.log10() - (1.0 - score).log10())
    }
}

/// The expected score, in [0, 1], of a player who is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Mean and spread of the scores of independent units (games, or pairs of games).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// How many units there are; at least one.
    pub units: u64,
    /// Games in a unit: 1 or 2.
    pub games_per_unit: u32,
    /// Points per game, in [0, 1].
    pub score: f64,
    /// Variance of a unit's score about the mean (divisor n: the maximum-likelihood estimate), in [0, 1/4].
    pub variance: f64,
}

impl Sample {
    /// The sample of `(how many units, their score in [0, 1])`; `None` without units.
    pub(super) fn new(counts: &[(u64, f64)], games_per_unit: u32) -> Option<Self> {
        let units: u64 = counts.iter().map(|&(count, _)| count).sum();
        if units == 0 {
            return None;
        }
        let n = units as f64;
        let score = counts.iter().map(|&(count, score)| count as f64 * score).sum::<f64>() / n;
        let variance = counts.iter().map(|&(count, each)| count as f64 * (each - score).powi(2)).sum::<f64>() / n;
        Some(Self { units, games_per_unit, score, variance })
    }

    /// The standard error of the score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.units as f64).sqrt()
    }

    /// Whether there are too few units for a normal approximation: fewer than [`MANY_UNITS`].
    pub const fn is_small(&self) -> bool {
        self.units < MANY_UNITS
    }

    /// The 95 % interval of the score that tables, pictures and verdicts show, within [0, 1].
    ///
    /// From [`MANY_UNITS`] on it is the normal one; with fewer units that of Student's t, with the n − 1 in the variance,
    /// whose ends lie no nearer than if all units had ended alike: that a few were similar is chance. Where all did end
    /// alike it is [`Sample::bounds`].
    pub fn score_interval(&self) -> (f64, f64) {
        if self.variance == 0.0 {
            return self.bounds_of_alike();
        }
        let reach = self.reach();
        let (low, high) = ((self.score - reach).max(0.0), (self.score + reach).min(1.0));
        let (alike_low, alike_high) = if self.is_small() { self.bounds_of_alike() } else { (low, high) };
        (low.min(alike_low), high.max(alike_high))
    }

    /// The ± of a score: half of a normal interval, or, with few units, how far the farther end of
    /// [`Sample::score_interval`] lies away. `None` where many units all ended alike, which leave a bound only.
    pub fn score_error(&self) -> Option<f64> {
        if !self.is_small() {
            return (self.variance > 0.0).then(|| self.reach());
        }
        let (low, high) = self.score_interval();
        Some((self.score - low).max(high - self.score))
    }

    /// Half of the interval that the spread of the units gives by itself.
    fn reach(&self) -> f64 {
        if !self.is_small() {
            return Z95 * self.standard_error();
        }
        let freedom = self.units - 1;
        t95(freedom) * (self.variance / freedom as f64).sqrt()
    }

    /// The normal 95 % interval of the Elo difference, however few units there are: the ends of that of the score (cut
    /// to [0, 1]) as Elo, infinite at 0 and 1. Other programs print it; [`EloEstimate`] is what we show.
    pub fn elo_interval(&self) -> (f64, f64) {
        let reach = Z95 * self.standard_error();
        (elo_of_score((self.score - reach).max(0.0)), elo_of_score((self.score + reach).min(1.0)))
    }

    /// Half the width of [`Sample::elo_interval`]: the ± of a table. `None` if an end is infinite.
    pub fn elo_error(&self) -> Option<f64> {
        let (low, high) = self.elo_interval();
        (low.is_finite() && high.is_finite()).then_some(0.5 * (high - low))
    }

    /// Normalised Elo: (s − 1/2)/σ · 800/ln 10, σ being the deviation of one game. It measures how fast a match shows
    /// the difference. `None` without variance.
    pub fn normalised_elo(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| (self.score - 0.5) / self.game_deviation() * NORMALISED_ELO)
    }

    /// Half the width of the 95 % interval of normalised Elo. `None` without variance.
    pub fn normalised_elo_error(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| Z95 * self.standard_error() / self.game_deviation() * NORMALISED_ELO)
    }

    fn game_deviation(&self) -> f64 {
        (f64::from(self.games_per_unit) * self.variance).sqrt()
    }

    /// The likelihood that the player is the stronger one: Φ((s − 1/2)/se), in [0, 1]. `None` without variance. It is
    /// too sure of few units: [`Counts::superiority`](super::Counts::superiority) is what we show.
    pub fn los(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| normal_cdf((self.score - 0.5) / self.standard_error()))
    }

    /// Bounds on the true score when all n units ended alike, which leaves no variance to judge by; else `None`.
    ///
    /// If a unit ends like this with probability p, all n do with probability pⁿ; so p is above 0.05^(1/n), 95 %
    /// sure. The remaining units may score anything from 0 to 1.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        (self.variance == 0.0).then(|| self.bounds_of_alike())
    }

    /// The bounds that as many units would give if all had scored the mean.
    fn bounds_of_alike(&self) -> (f64, f64) {
        let sure = ONE_SIDED_ERROR.powf(1.0 / self.units as f64);
        (sure * self.score, sure * self.score + (1.0 - sure))
    }
}

/// Elo per unit of (s − 1/2)/σ: 800/ln 10.
pub(super) const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// What a match says about the Elo difference. Its `Display` is what a table shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EloEstimate {
    /// Nothing was played: `no games`.
    Unknown,
    /// The usual case: `+58 ± 67`, or `+636 [+445, +∞]` when the interval reaches a score of 0 or 1.
    Interval {
        /// The Elo difference at the observed score.
        elo: f64,
        /// Lower end of the 95 % interval; may be −∞.
        low: f64,
        /// Upper end of the 95 % interval; may be +∞.
        high: f64,
    },
    /// Everything was won: the difference is above this bound, 95 % sure: `> +470`.
    Above(f64),
    /// Everything was lost: the difference is below this bound, 95 % sure: `< -470`.
    Below(f64),
    /// All units ended alike, neither won nor lost outright, or they are few: between these bounds, 95 % sure, which
    /// need not lie equally far away: `+0 [-25, +25]`.
    Between {
        /// The Elo difference at the observed score.
        elo: f64,
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
}

impl EloEstimate {
    /// The estimate that `sample` supports; `None` stands for no games.
    pub fn of(sample: Option<Sample>) -> Self {
        let Some(sample) = sample else { return Self::Unknown };
        let elo = elo_of_score(sample.score);
        let (low, high) = sample.score_interval();
        let (low, high) = (elo_of_score(low), elo_of_score(high));
        match elo {
            f64::INFINITY => Self::Above(low),
            f64::NEG_INFINITY => Self::Below(high),
            _ if sample.is_small() || sample.variance == 0.0 => Self::Between { elo, low, high },
            _ => Self::Interval { elo, low, high },
        }
    }

    /// The Elo difference at the observed score: infinite for one-sided results, `None` without games.
    pub const fn elo(&self) -> Option<f64> {
        match *self {
            Self::Unknown => None,
            Self::Interval { elo, .. } | Self::Between { elo, .. } => Some(elo),
            Self::Above(_) => Some(f64::INFINITY),
            Self::Below(_) => Some(f64::NEG_INFINITY),
        }
    }

    /// Lower and upper end of what the games leave possible, 95 % sure; infinite where they set no limit.
    pub const fn ends(&self) -> (f64, f64) {
        match *self {
            Self::Unknown => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Interval { low, high, .. } | Self::Between { low, high, .. } => (low, high),
            Self::Above(bound) => (bound, f64::INFINITY),
            Self::Below(bound) => (f64::NEG_INFINITY, bound),
        }
    }
}

impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unknown => f.pad("no games"),
            Self::Interval { elo, low, high } if low.is_finite() && high.is_finite() => {
                f.pad(&format!("{} ± {:.0}", signed_elo(elo), 0.5 * (high - low)))
            }
            Self::Interval { elo, low, high } | Self::Between { elo, low, high } => {
                f.pad(&format!("{} [{}, {}]", signed_elo(elo), signed_elo(low), signed_elo(high)))
            }
            Self::Above(bound) => f.pad(&format!("> {}", signed_elo(bound))),
            Self::Below(bound) => f.pad(&format!("< {}", signed_elo(bound))),
        }
    }
}

/// Elo as a whole number with its sign, `+0` for none; infinity as `∞`.
pub fn signed_elo(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        _ => format!("{:+}", elo.round() as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_that_ended_alike_have_bounds_and_no_spread() {
        let won = Sample::new(&[(4, 1.0)], 1).unwrap();
        assert_eq!(won.bounds(), Some((0.05_f64.powf(0.25), 1.0)));
        assert_eq!((won.normalised_elo(), won.normalised_elo_error(), won.los()), (None, None, None));
        let mixed = Sample::new(&[(3, 1.0), (1, 0.0)], 1).unwrap();
        assert_eq!(mixed.bounds(), None);
        assert!(mixed.normalised_elo().is_some() && mixed.normalised_elo_error().is_some() && mixed.los().is_some());
    }

    #[test]
    fn estimates_have_the_ends_that_their_samples_leave() {
        let estimate = |counts: &[(u64, f64)]| EloEstimate::of(Sample::new(counts, 1));
        let infinity = f64::INFINITY;
        assert_eq!((estimate(&[]).elo(), estimate(&[]).ends()), (None, (-infinity, infinity)));
        let sure = 0.05_f64.powf(1.0 / 40.0);
        let (won, lost, level) = (estimate(&[(40, 1.0)]), estimate(&[(40, 0.0)]), estimate(&[(40, 0.5)]));
        assert_eq!([won.elo(), lost.elo(), level.elo()], [Some(infinity), Some(-infinity), Some(0.0)]);
        let scores = |of: EloEstimate| <[f64; 2]>::from(of.ends()).map(score_of_elo);
        for (of, ends) in [(won, [sure, 1.0]), (lost, [0.0, 1.0 - sure]), (level, [0.5 * sure, 1.0 - 0.5 * sure])] {
            let found = scores(of);
            assert!((found[0] - ends[0]).abs() < 1e-12 && (found[1] - ends[1]).abs() < 1e-12, "{of:?}: {found:?}");
        }
        let mixed = estimate(&[(64, 1.0), (36, 0.0)]);
        let (found, reach) = (scores(mixed), Z95 * 0.048);
        assert!((found[0] - 0.64 + reach).abs() < 1e-12 && (found[1] - 0.64 - reach).abs() < 1e-12, "{found:?}");
        assert!((score_of_elo(mixed.elo().unwrap()) - 0.64).abs() < 1e-12);
    }

    /// With 16 units, t is 2.1314495; where their spread is small, the ends are those of units that ended alike.
    #[test]
    fn intervals_are_normal_from_30_units_on_and_wider_with_fewer() {
        let sample = |units: u64, score: f64, variance: f64| Sample { units, games_per_unit: 1, score, variance };
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        assert_eq!([29, 30].map(|units| sample(units, 0.5, 0.1).is_small()), [true, false]);
        let alike = |units: f64| 0.05_f64.powf(1.0 / units);
        for (sample, low, high) in [
            (sample(100, 0.5, 0.25), 0.5 - Z95 * 0.05, 0.5 + Z95 * 0.05),
            (
                sample(16, 0.5, 0.04),
                0.5 - 2.131_449_5 * (0.04_f64 / 15.0).sqrt(),
                0.5 + 2.131_449_5 * (0.04_f64 / 15.0).sqrt(),
            ),
            (sample(16, 0.5, 0.0016), 0.5 * alike(16.0), 1.0 - 0.5 * alike(16.0)),
            (sample(4, 0.75, 0.0), 0.75 * alike(4.0), 1.0 - 0.25 * alike(4.0)),
            (sample(100, 0.01, 0.25), 0.0, 0.01 + Z95 * 0.05),
        ] {
            let found = sample.score_interval();
            close(found.0, low);
            close(found.1, high);
        }
        close(sample(100, 0.5, 0.25).score_error().unwrap(), Z95 * 0.05);
        close(sample(4, 0.75, 0.0).score_error().unwrap(), 0.75 * (1.0 - alike(4.0)));
        close(sample(4, 0.25, 0.0).score_error().unwrap(), 0.75 * (1.0 - alike(4.0)));
        assert_eq!(sample(100, 0.75, 0.0).score_error(), None);
    }

    #[test]
    fn errors_of_elo_are_half_an_interval() {
        let sample = Sample { units: 100, games_per_unit: 2, score: 0.6, variance: 0.24 };
        let reach = Z95 * 0.0024_f64.sqrt();
        let (low, high) = (elo_of_score(0.6 - reach), elo_of_score(0.6 + reach));
        let found = sample.elo_interval();
        assert!((found.0 - low).abs() < 1e-9 && (found.1 - high).abs() < 1e-9, "{found:?}");
        assert!((sample.elo_error().unwrap() - 0.5 * (high - low)).abs() < 1e-9);
        assert!((sample.normalised_elo().unwrap() - 50.148_007_207).abs() < 1e-6);
        assert!((sample.normalised_elo_error().unwrap() - 48.151_230_669).abs() < 1e-6);
        assert_eq!(Sample { score: 1.0, variance: 0.0, ..sample }.elo_error(), None);
        assert_eq!(Sample { score: 0.05, ..sample }.elo_error(), None);
        assert!((Sample { score: 0.5, ..sample }.los().unwrap() - 0.5).abs() < 1e-9);
    }
}
