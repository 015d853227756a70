//! Sutton's bounded random walk: TD(λ) where the right answer is known (R. S. Sutton, *Learning to Predict by the Methods of
//! Temporal Differences*, Machine Learning 3, 1988, §3.2).
//!
//! Walks start in D, step left or right with equal chance, and end in A (result 0) or G (result 1). A linear predictor learns
//! the probability of ending in G from each of B, C, D, E, F. The learner is the one that trains the networks of games
//! ([`crate::train::TdLearner`]); its network is in [`walk`].

mod page;
pub mod walk;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::walk::{Patience, Walk, after_one_presentation, at_convergence, rms_error, training_set};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::methods::check_different;
use crate::observe::Observer;
use crate::runs::mean_and_sd;
use crate::settings::{require, require_in};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RandomWalkConfig {
    /// Seed of the walks.
    pub seed: u64,
    /// Training sets, in [2, 100000].
    pub sets: usize,
    /// Walks of each set, in [1, 1000].
    pub walks: usize,
    /// The values of λ, each in [0, 1].
    pub lambdas: Vec<f64>,
    /// The learning rates of single presentations, each in [0, 1].
    pub alphas: Vec<f64>,
    /// The learning rate of repeated presentations, in (0, 0.1].
    pub small_alpha: f64,
    /// Repeated presentations end when no weight moves by more in one of them; in [1e-6, 1e-2].
    pub tolerance: f64,
    /// The most presentations of one set, in [1, 1000000].
    pub presentations: usize,
}

/// Repeated presentations did not converge.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "training set {set} with lambda {lambda}: weights still move after {presentations} presentations; lower `small_alpha` or \
     allow more"
)]
pub struct NotConverged {
    /// The set, from 1.
    pub set: usize,
    /// λ.
    pub lambda: f64,
    /// How often the set was presented.
    pub presentations: usize,
}

/// The root mean square error of predictions over training sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Error {
    /// The mean over the sets.
    pub mean: f64,
    /// The standard deviation over the sets.
    pub sd: f64,
    /// The number of sets.
    pub sets: usize,
}

impl Error {
    /// The mean and deviation of the errors of the sets, at least two.
    fn of(errors: &[f64]) -> Self {
        let (mean, sd) = mean_and_sd(errors);
        Self { mean, sd, sets: errors.len() }
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        self.sd / (self.sets as f64).sqrt()
    }
}

/// The error of single presentations with one λ and one learning rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Single {
    /// λ.
    pub lambda: f64,
    /// α.
    pub alpha: f64,
    /// The error.
    pub error: Error,
}

/// What the three figures show.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figures {
    /// Sutton's figure 3: λ and the error at convergence of repeated presentations.
    pub repeated: Vec<(f64, Error)>,
    /// Sutton's figure 4: the error of single presentations, λ by λ, and within each α by α.
    pub single: Vec<Single>,
    /// Sutton's figure 5: for each λ the best of [`Figures::single`].
    pub best: Vec<Single>,
}

/// Runs both experiments. The findings do not depend on the number of threads.
///
/// # Errors
/// When presentations do not converge.
pub fn measure(config: &RandomWalkConfig, observer: &dyn Observer) -> Result<Figures, ExperimentError> {
    let sets: Vec<Vec<Walk>> = (0..config.sets).map(|set| training_set(config.seed, set, config.walks)).collect();
    observer.begin("random walks", config.lambdas.len() as u64);
    let (mut repeated, mut single) = (Vec::new(), Vec::new());
    for &lambda in &config.lambdas {
        repeated.push((lambda, repeated_error(config, &sets, lambda)?));
        single.extend(config.alphas.iter().map(|&alpha| single_error(&sets, lambda, alpha)));
        observer.advance(1);
    }
    observer.end();
    // Of each λ the α with the smallest mean error, the first of equals.
    let least = |of_lambda: &[Single]| of_lambda.iter().copied().min_by(|a, b| a.error.mean.total_cmp(&b.error.mean));
    let best = single.chunks(config.alphas.len()).filter_map(least).collect();
    Ok(Figures { repeated, single, best })
}

fn repeated_error(config: &RandomWalkConfig, sets: &[Vec<Walk>], lambda: f64) -> Result<Error, NotConverged> {
    let patience = Patience { tolerance: config.tolerance, presentations: config.presentations };
    let error = |(set, walks): (usize, &Vec<Walk>)| {
        let predictions = at_convergence(walks, lambda, config.small_alpha, patience);
        let not_converged = || NotConverged { set: set + 1, lambda, presentations: config.presentations };
        predictions.map(|predictions| rms_error(&predictions)).ok_or_else(not_converged)
    };
    let errors: Vec<Result<f64, NotConverged>> = sets.par_iter().enumerate().map(error).collect();
    // The first failure is told, whichever thread came upon one first.
    let errors: Result<Vec<f64>, NotConverged> = errors.into_iter().collect();
    Ok(Error::of(&errors?))
}

fn single_error(sets: &[Vec<Walk>], lambda: f64, alpha: f64) -> Single {
    let error = |walks: &Vec<Walk>| rms_error(&after_one_presentation(walks, lambda, alpha));
    let errors: Vec<f64> = sets.par_iter().map(error).collect();
    Single { lambda, alpha, error: Error::of(&errors) }
}

impl Experiment for RandomWalkConfig {
    const ABOUT: &'static str = "TD(λ) on the bounded random walk of Sutton 1988, whose right answer is known";
    const READS_GAMES: bool = false;
    const KEEPS: Option<&'static str> = None;

    fn check(&self) -> Result<(), ExperimentError> {
        require_in("sets", 2..=100_000, self.sets)?;
        require_in("walks", 1..=1000, self.walks)?;
        for (values, name) in [(&self.lambdas, "lambdas"), (&self.alphas, "alphas")] {
            require(!values.is_empty(), name, "at least one number", "none")?;
            values.iter().try_for_each(|value| require_in(name, 0.0..=1.0, *value))?;
            check_different(name, values)?;
        }
        require(self.small_alpha > 0.0 && self.small_alpha <= 0.1, "small_alpha", "in (0, 0.1]", self.small_alpha)?;
        require((1e-6..=1e-2).contains(&self.tolerance), "tolerance", "in [1e-6, 1e-2]", self.tolerance)?;
        Ok(require_in("presentations", 1..=1_000_000, self.presentations)?)
    }

    /// Runs both experiments; that is quick, so an interrupted run begins again.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        Ok(page::findings(self, &measure(self, context.observer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::registry::find;
    use crate::observe::Silent;

    fn good() -> RandomWalkConfig {
        toml::from_str(&find("td-random-walk").unwrap().profile("quick").unwrap().to_toml()).unwrap()
    }

    /// The order of the methods that Sutton found: Widrow-Hoff (λ = 1) is worst in both experiments, λ = 0 best at convergence,
    /// a λ between best after a single presentation.
    #[test]
    fn the_order_is_that_of_the_figures() {
        let config = RandomWalkConfig { lambdas: vec![0.0, 0.3, 0.8, 1.0], ..good() };
        let findings = measure(&config, &Silent).unwrap();
        let repeated: Vec<f64> = findings.repeated.iter().map(|(_, error)| error.mean).collect();
        assert!(repeated.windows(2).all(|pair| pair[0] < pair[1]), "{repeated:?}");
        let best: Vec<f64> = findings.best.iter().map(|best| best.error.mean).collect();
        assert!(best[1] < best[0] && best[1] < best[2] && best[2] < best[3], "{best:?}");
        assert_eq!(findings.single.len(), 4 * config.alphas.len());
    }

    #[test]
    fn settings_outside_their_range_are_named() {
        let refused = |config: RandomWalkConfig| config.check().unwrap_err().to_string();
        assert_eq!(refused(RandomWalkConfig { sets: 1, ..good() }), "`sets` must be in [2, 100000], got 1");
        assert_eq!(refused(RandomWalkConfig { lambdas: vec![1.1], ..good() }), "`lambdas` must be in [0, 1], got 1.1");
        assert_eq!(
            refused(RandomWalkConfig { alphas: vec![], ..good() }),
            "`alphas` must be at least one number, got none"
        );
        let hasty = RandomWalkConfig { presentations: 2, ..good() };
        let error = measure(&hasty, &Silent).unwrap_err().to_string();
        assert!(error.starts_with("training set 1 with lambda 0: weights still move after 2 presentations"), "{error}");
    }
}
