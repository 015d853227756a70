//! The error rates of the sequential test, by simulation: how often it accepts which hypothesis, and after how many games,
//! for true differences from below `elo0` to above `elo1`, beside the rates it was set to and Wald's theory.
//!
//! Every test runs twice on the same results: with the exact log-likelihood ratio, and with the usual approximation.

mod page;

use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::observe::Observer;
use crate::random::stream;
use crate::settings::{require, require_in};
use crate::stats::{
    EloScale, PairModel, Pentanomial, Prospect, Sprt, SprtRun, Verdict, drawn_pair, pair_moments, wilson,
};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SprtSimulationConfig {
    /// Seed of every draw.
    pub seed: u64,
    /// Tests for each true difference, in [100, 10000000].
    pub tests: u64,
    /// The difference under H0, in Elo.
    pub elo0: f64,
    /// The difference under H1, in Elo.
    pub elo1: f64,
    /// The chance to accept H1 at `elo0` that the test is set to.
    pub alpha: f64,
    /// The chance to accept H0 at `elo1` that the test is set to.
    pub beta: f64,
    /// The share of drawn games.
    pub draws: f64,
    /// The correlation of the scores of a pair's games.
    pub correlation: f64,
    /// The number of pairs after which a test is cut off, in [100, 10000000].
    pub limit: u64,
    /// Into how many steps the way from `elo0` to `elo1` is divided; half as many are taken below and above. Even, in
    /// [2, 100].
    pub steps: u32,
}

impl SprtSimulationConfig {
    /// The test.
    pub const fn sprt(&self) -> Sprt {
        Sprt { elo0: self.elo0, elo1: self.elo1, alpha: self.alpha, beta: self.beta, scale: EloScale::Logistic }
    }

    /// The true differences, ascending.
    fn truths(&self) -> Vec<f64> {
        let half = self.steps / 2;
        let step = (self.elo1 - self.elo0) / f64::from(self.steps);
        let truth = |at: u32| match at.checked_sub(half) {
            // Exactly the hypothesis, which is looked for among the results.
            Some(at) if at == self.steps => self.elo1,
            _ => self.elo0 + step * (f64::from(at) - f64::from(half)),
        };
        (0..=2 * self.steps).map(truth).collect()
    }

    /// The probabilities of the points of a pair at this true difference.
    fn pair_at(&self, elo: f64) -> Result<[f64; 5], NoPairs> {
        let &Self { draws, correlation, .. } = self;
        PairModel { elo, draws, correlation }.probabilities().ok_or(NoPairs { elo, draws, correlation })
    }
}

/// No pairs of games have such results.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("no pairs at {elo} Elo have a share of draws of {draws} and a correlation of {correlation}")]
pub(crate) struct NoPairs {
    /// The true difference.
    pub elo: f64,
    /// The share of draws.
    pub draws: f64,
    /// The correlation.
    pub correlation: f64,
}

/// What tests with one log-likelihood ratio did at one true difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TestCounts {
    /// How many there were.
    pub tests: u64,
    /// Those that accepted H1.
    pub accepted_h1: u64,
    /// Those that were cut off.
    pub cut_off: u64,
    /// The pairs of all of them.
    pub pairs: u64,
    /// Of the numbers of pairs, the squares.
    pub squares: u128,
}

impl TestCounts {
    fn of(runs: impl Iterator<Item = SprtRun>) -> Self {
        runs.fold(Self::default(), |tally, run| {
            let pairs = run.pairs.count();
            Self {
                tests: tally.tests + 1,
                accepted_h1: tally.accepted_h1 + u64::from(run.verdict == Verdict::AcceptH1),
                cut_off: tally.cut_off + u64::from(run.verdict == Verdict::Continue),
                pairs: tally.pairs + pairs,
                squares: tally.squares + u128::from(pairs) * u128::from(pairs),
            }
        })
    }

    /// The share of tests that accepted H1, with Wilson's 95 % interval: (low, share, high).
    pub fn accepted(&self) -> (f64, f64, f64) {
        let (low, high) = wilson(self.accepted_h1, self.tests);
        (low, self.accepted_h1 as f64 / self.tests as f64, high)
    }

    /// The mean number of games, with its standard error.
    pub fn games(&self) -> (f64, f64) {
        let n = self.tests as f64;
        let mean = self.pairs as f64 / n;
        let variance = (self.squares as f64 / n - mean * mean).max(0.0);
        (2.0 * mean, 2.0 * (variance / n).sqrt())
    }
}

/// The results of the tests at one true difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Simulated {
    /// The true difference, in Elo.
    pub elo: f64,
    /// The probabilities of 0, ½, 1, 1½ and 2 points of a pair.
    pub pair: [f64; 5],
    /// With the exact ratio.
    pub exact: TestCounts,
    /// With the approximation.
    pub approximate: TestCounts,
    /// Wald's theory; units are pairs.
    pub theory: Prospect,
}

/// Simulates all tests. The findings do not depend on the number of threads.
///
/// # Errors
/// When the model gives no probabilities.
pub fn measure(config: &SprtSimulationConfig, observer: &dyn Observer) -> Result<Vec<Simulated>, NoPairs> {
    let truths = config.truths();
    observer.begin("true differences", truths.len() as u64);
    let simulated = truths.into_iter().map(|elo| simulate(config, elo).inspect(|_| observer.advance(1)));
    let simulated = simulated.collect::<Result<Vec<_>, _>>()?;
    observer.end();
    Ok(simulated)
}

fn simulate(config: &SprtSimulationConfig, elo: f64) -> Result<Simulated, NoPairs> {
    let pair = config.pair_at(elo)?;
    let sprt = config.sprt();
    let runs: Vec<[SprtRun; 2]> = (0..config.tests)
        .into_par_iter()
        .map(|test| {
            let run = |llr: &dyn Fn(Pentanomial) -> f64| {
                let mut random = stream(config.seed, &format!("sequential test at {elo}"), test);
                let drawn = std::iter::repeat_with(|| drawn_pair(&pair, random.random()));
                sprt.run(drawn.take(config.limit as usize), llr)
            };
            [run(&|pairs| sprt.llr(pairs)), run(&|pairs| sprt.llr_approximate(pairs))]
        })
        .collect();
    let [exact, approximate] = [0, 1].map(|which| TestCounts::of(runs.iter().map(|run| run[which])));
    let (score, variance) = pair_moments(&pair);
    Ok(Simulated { elo, pair, exact, approximate, theory: sprt.prospect(score, variance) })
}

impl Experiment for SprtSimulationConfig {
    const ABOUT: &'static str = "how often the sequential test errs, and how many games it takes, by simulation";
    const READS_GAMES: bool = false;
    const KEEPS: Option<&'static str> = None;

    fn check(&self) -> Result<(), ExperimentError> {
        self.sprt().check()?;
        require_in("tests", 100..=10_000_000, self.tests)?;
        require_in("limit", 100..=10_000_000, self.limit)?;
        let steps = (2..=100).contains(&self.steps) && self.steps.is_multiple_of(2);
        require(steps, "steps", "even and in [2, 100]", self.steps)?;
        self.truths().into_iter().try_for_each(|elo| self.pair_at(elo).map(drop))?;
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        Ok(page::findings(self, &measure(self, context.observer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::registry::find;
    use crate::observe::Silent;

    /// The settings that the experiment comes with.
    fn shipped() -> SprtSimulationConfig {
        let settings = find("sprt-simulation").unwrap().profile("quick").unwrap();
        toml::from_str(&settings.to_toml()).unwrap()
    }

    #[test]
    fn error_rates_are_near_those_that_the_test_is_set_to() {
        let config = SprtSimulationConfig { tests: 1000, elo1: 100.0, steps: 2, ..shipped() };
        let findings = measure(&config, &Silent).unwrap();
        assert_eq!(findings.iter().map(|finding| finding.elo).collect::<Vec<_>>(), [-50.0, 0.0, 50.0, 100.0, 150.0]);
        let accepted: Vec<f64> = findings.iter().map(|finding| finding.exact.accepted().1).collect();
        assert!(accepted.windows(2).all(|pair| pair[0] < pair[1]), "{accepted:?}");
        assert!(accepted[1] < 0.1 && accepted[3] > 0.9, "{accepted:?}");
        assert_eq!(findings, measure(&config, &Silent).unwrap());
    }

    #[test]
    fn both_hypotheses_are_among_the_truths() {
        for (elo0, elo1) in [(-60.3, 40.1), (-20.1, 50.3), (-3.0, 0.7), (0.0, 100.0)] {
            let truths = SprtSimulationConfig { elo0, elo1, steps: 8, ..shipped() }.truths();
            assert!(truths.contains(&elo0) && truths.contains(&elo1) && truths.is_sorted(), "{truths:?}");
        }
    }

    #[test]
    fn pairs_are_drawn_with_their_probabilities() {
        let pair = [0.1, 0.2, 0.4, 0.2, 0.1];
        let half_points = [0.0, 0.099, 0.101, 0.29, 0.31, 0.69, 0.71, 0.89, 0.91, 0.999].map(|u| drawn_pair(&pair, u));
        assert_eq!(half_points, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    }

    #[test]
    fn settings_that_make_no_test_are_named() {
        let refused = |config: SprtSimulationConfig| config.check().unwrap_err().to_string();
        let good = shipped;
        assert_eq!(refused(SprtSimulationConfig { tests: 1, ..good() }), "`tests` must be in [100, 10000000], got 1");
        assert_eq!(refused(SprtSimulationConfig { elo1: 0.0, ..good() }), "`elo0` must be below `elo1`, got 0 and 0");
        assert_eq!(refused(SprtSimulationConfig { alpha: 0.5, ..good() }), "`alpha` must be in (0, 0.5), got 0.5");
        let error = measure(&SprtSimulationConfig { draws: 0.99, ..good() }, &Silent).unwrap_err().to_string();
        assert!(error.starts_with("no pairs at -25 Elo have a share of draws of 0.99"), "{error}");
    }
}
