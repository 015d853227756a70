//! Sequential tests of an Elo difference: the generalised sequential probability ratio test (GSPRT).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::NORMALISED_ELO;
use super::likelihood::Observed;
use super::{Counts, Pentanomial, score_of_elo};
use crate::settings::{SettingError, above, choices, require, settings};

/// The largest Elo difference that a hypothesis may name; beyond it scores are 0 or 1 but for rounding.
const MAX_ELO: f64 = 4000.0;

choices! {
    /// What a hypothesis of so many Elo says.
    pub enum EloScale = Logistic {
        /// The expected score is that of the Elo difference.
        Logistic,
        /// The expected score is 1/2 + σ·elo·ln 10/800, σ being the deviation of one game: normalised Elo.
        Normalised,
    }
}

/// What a sequential test says so far. Displays as `accept H1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The difference is `elo0`, or less.
    AcceptH0,
    /// The difference is `elo1`, or more.
    AcceptH1,
    /// More games are needed.
    Continue,
}

settings! {
    /// A test of H0, the difference is `elo0`, against H1, it is `elo1`, which looks at the results while they come in.
    ///
    /// The log-likelihood ratio compares the most likely distribution of outcomes under each hypothesis (exactly, by
    /// maximum likelihood; [`Sprt::llr_approximate`] is the usual shortcut), and the test ends when it leaves
    /// [`Sprt::bounds`].
    ///
    /// ```
    /// use roughboard::stats::{EloScale, Pentanomial, Sprt, Verdict};
    /// let sprt = Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic };
    /// let llr = sprt.llr(Pentanomial::new([0, 2, 5, 8, 5]));
    /// assert!((llr - 4.686_673_847).abs() < 1e-9);
    /// assert_eq!(sprt.verdict(llr), Verdict::AcceptH1);
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Sprt {
        /// The difference under H0, in Elo.
        pub elo0: f64 = 0.0, in -MAX_ELO..=MAX_ELO;
        /// The difference under H1, in Elo; above `elo0`.
        pub elo1: f64 = 10.0, in -MAX_ELO..=MAX_ELO;
        /// The chance to accept H1 where H0 holds.
        pub alpha: f64 = 0.05, in above(0.0).below(0.5);
        /// The chance to accept H0 where H1 holds.
        pub beta: f64 = 0.05, in above(0.0).below(0.5);
        /// What `elo0` and `elo1` mean.
        pub scale: EloScale = EloScale::Logistic;
    }
    and check_order
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::AcceptH0 => "accept H0",
            Self::AcceptH1 => "accept H1",
            Self::Continue => "continue",
        })
    }
}

/// How a sequential test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SprtRun {
    /// The pairs that were played.
    pub pairs: Pentanomial,
    /// The verdict; [`Verdict::Continue`] if the test was cut off.
    pub verdict: Verdict,
}

/// What to expect of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// The chance to accept H1, in [0, 1].
    pub accept_h1: f64,
    /// The mean number of units (games, or pairs of games) until a verdict.
    pub units: f64,
}

impl Sprt {
    fn check_order(&self) -> Result<(), SettingError> {
        require(self.elo0 < self.elo1, "elo0", "below `elo1`", format!("{} and {}", self.elo0, self.elo1))
    }

    /// Wald's bounds: ln(β/(1 − α)), at or below which H0 is accepted, and ln((1 − β)/α), at or above which H1 is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a log-likelihood ratio of `llr` means.
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (lower, upper) = self.bounds();
        if llr <= lower {
            Verdict::AcceptH0
        } else if llr >= upper {
            Verdict::AcceptH1
        } else {
            Verdict::Continue
        }
    }

    /// The log-likelihood ratio of H1 to H0, by maximum likelihood under each. Outcomes that never occurred count as a
    /// thousandth of one. 0 without units, always finite.
    pub fn llr(&self, counts: impl Into<Counts>) -> f64 {
        self.ratio(counts.into(), false)
    }

    /// The usual approximation of [`Sprt::llr`] for large samples of similar strength:
    /// N(s₁ − s₀)(2s − s₀ − s₁)/(2σ²), or N·games/2 · ln((1 + (t − t₀)²)/(1 + (t − t₁)²)) on the normalised scale.
    /// It treats the variance as known, and explodes where the sample has next to none.
    pub fn llr_approximate(&self, counts: impl Into<Counts>) -> f64 {
        self.ratio(counts.into(), true)
    }

    fn ratio(&self, counts: Counts, approximate: bool) -> f64 {
        match counts {
            counts if counts.units() == 0 => 0.0,
            Counts::Games(games) => self.ratio_of(&Observed::new(games.by_score()), 1, approximate),
            Counts::Pairs(pairs) => self.ratio_of(&Observed::new(pairs.pairs), 2, approximate),
        }
    }

    fn ratio_of<const K: usize>(&self, observed: &Observed<K>, games_per_unit: u32, approximate: bool) -> f64 {
        match self.scale {
            EloScale::Logistic if approximate => {
                let (score, variance) = observed.moments();
                observed.units() * self.drift(score, variance)
            }
            EloScale::Logistic => self.difference(|elo| observed.cost_of_score(score_of_elo(elo))),
            EloScale::Normalised if approximate => {
                let ((score, variance), games) = (observed.moments(), f64::from(games_per_unit));
                let ratio = (score - 0.5) / (games * variance).sqrt();
                let distance = |elo: f64| (ratio - elo / NORMALISED_ELO).powi(2).ln_1p();
                0.5 * games * observed.units() * self.difference(distance)
            }
            EloScale::Normalised => {
                // A unit of two games has half the variance in its score.
                let ratio = |elo: f64| elo / NORMALISED_ELO * f64::from(games_per_unit).sqrt();
                self.difference(|elo| observed.cost_of_ratio(ratio(elo)))
            }
        }
    }

    /// By how much `cost` is less under H1.
    fn difference(&self, cost: impl Fn(f64) -> f64) -> f64 {
        cost(self.elo0) - cost(self.elo1)
    }

    /// What a unit adds to the logistic log-likelihood ratio in the mean.
    fn drift(&self, score: f64, variance: f64) -> f64 {
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance)
    }

    /// What to expect of the logistic test where a unit has this mean score and `variance` (above 0): Wald's theory, with
    /// the ratio as a Brownian motion that ends exactly on a bound.
    pub fn prospect(&self, score: f64, variance: f64) -> Prospect {
        let step = score_of_elo(self.elo1) - score_of_elo(self.elo0);
        let (drift, spread) = (self.drift(score, variance), step * step / variance);
        let (lower, upper) = self.bounds();
        let h = 2.0 * drift / spread;
        // (1 − e^(−h·lower)) / (e^(−h·upper) − e^(−h·lower)), written so that no exponent is positive.
        let accept_h1 = if h.abs() * (upper - lower) < 1e-9 {
            return Prospect { accept_h1: -lower / (upper - lower), units: -lower * upper / spread };
        } else if h > 0.0 {
            (h * lower).exp_m1() / (h * (lower - upper)).exp_m1()
        } else {
            (h * upper).exp() * (-h * lower).exp_m1() / (h * (upper - lower)).exp_m1()
        };
        Prospect { accept_h1, units: (upper * accept_h1 + lower * (1.0 - accept_h1)) / drift }
    }

    /// Runs the test on `pairs` as they come, each given by its half points (0 to 4), until its verdict or the last of them. The test may
    /// go by another log-likelihood ratio than [`Sprt::llr`].
    pub fn run(&self, pairs: impl IntoIterator<Item = usize>, llr: impl Fn(Pentanomial) -> f64) -> SprtRun {
        let mut run = SprtRun { pairs: Pentanomial::default(), verdict: Verdict::Continue };
        let mut pairs = pairs.into_iter();
        while run.verdict == Verdict::Continue
            && let Some(half_points) = pairs.next()
        {
            run.pairs.pairs[half_points.min(4)] += 1;
            run.verdict = self.verdict(llr(run.pairs));
        }
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    /// Under a hypothesis the test goes wrong as often as it may, by Wald's theory; halfway it is a fair walk. Bounds may lie equally far
    /// away or not.
    #[test]
    fn prospects_are_the_errors_that_are_allowed() {
        for beta in [0.05, 0.1] {
            let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta, scale: EloScale::Logistic };
            let (lower, upper) = sprt.bounds();
            let [zero, one] = [sprt.elo0, sprt.elo1].map(score_of_elo);
            let variance = 0.1;
            let spread = (one - zero).powi(2) / variance;
            for (score, accept_h1, drift) in [(zero, sprt.alpha, -0.5 * spread), (one, 1.0 - beta, 0.5 * spread)] {
                let prospect = sprt.prospect(score, variance);
                assert_abs_diff_eq!(prospect.accept_h1, accept_h1, epsilon = 1e-9);
                let units = (upper * accept_h1 + lower * (1.0 - accept_h1)) / drift;
                assert_abs_diff_eq!(prospect.units / units, 1.0, epsilon = 1e-9);
            }
            let halfway = sprt.prospect(0.5 * (zero + one), variance);
            assert_abs_diff_eq!(halfway.accept_h1, -lower / (upper - lower), epsilon = 1e-9);
            assert_abs_diff_eq!(halfway.units * spread / (-lower * upper), 1.0, epsilon = 1e-9);
        }
    }

    #[test]
    fn a_bound_that_is_reached_ends_the_test() {
        let sprt = Sprt::default();
        let (lower, upper) = sprt.bounds();
        assert!(lower < 0.0 && upper > 0.0);
        let verdicts = [lower, 0.99 * lower, 0.99 * upper, upper].map(|llr| sprt.verdict(llr));
        assert_eq!(verdicts, [Verdict::AcceptH0, Verdict::Continue, Verdict::Continue, Verdict::AcceptH1]);
        // Each pair won is worth half of what it takes.
        let run = |pairs: &[usize]| sprt.run(pairs.iter().copied(), |pairs| pairs.pairs[4] as f64 * 0.5 * upper);
        let decided = SprtRun { pairs: Pentanomial::new([0, 1, 0, 0, 2]), verdict: Verdict::AcceptH1 };
        assert_eq!(run(&[4, 1, 4, 0, 0]), decided);
        let open = SprtRun { pairs: Pentanomial::new([0, 1, 0, 0, 1]), verdict: Verdict::Continue };
        assert_eq!(run(&[4, 1]), open);
    }
}
