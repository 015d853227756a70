//! The methods that are compared, and how their predictions are judged.

use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Connect6RecordsConfig;
use crate::eval::Catalogue;
use crate::experiment::contract::{Context, ExperimentError};
use crate::experiment::methods::{Learn, fitted, trained};
use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::net::Network;
use crate::net::dense::{ActivationFunction, DenseShape, InputForm};
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::runs::training::{BpConfig, Data, Inputs, Knowledge, LearnError, RoughPlan, TdConfig, Training};
use crate::runs::{file_name, kept};
use crate::train::models::{LogisticSettings, Model};
use crate::train::{NoRecord, PositionSet, TrainingContext, split_games};

/// How good predictions are on the positions of one stage, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grade {
    /// Positions.
    pub positions: usize,
    /// Mean squared error of the result in [-1, 1]; `None` without positions.
    pub mse: Option<f64>,
    /// Share of the positions of decided games whose winner is predicted, a prediction of 0 counted half; `None` without such positions.
    pub right: Option<f64>,
}

/// One trained instance of a method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// By stage.
    pub stages: Vec<Grade>,
    /// On all held-out positions.
    pub all: Grade,
    /// The number of weights fitted.
    pub n_weights: usize,
    /// Seconds of learning. Differs from run to run, and is no part of the results.
    pub seconds: f64,
}

/// A method with its attempts, one a seed.
pub(crate) struct GradedMethod {
    /// The method.
    pub method: String,
    /// What it sees of a position; empty for the static evaluation and the constant.
    pub features: String,
    /// One a seed; one in all for what draws nothing.
    pub attempts: Vec<Attempt>,
}

impl GradedMethod {
    /// A method that draws nothing and sees no features.
    fn fixed(method: String, attempt: Attempt) -> Self {
        Self { method, features: String::new(), attempts: vec![attempt] }
    }
}

/// Every method on every feature set, in the order of the table.
pub fn all(
    config: &Connect6RecordsConfig,
    (records, sets): (&[GameRecord<Connect6>], &[Data]),
    context: &Context<'_>,
) -> Result<Vec<GradedMethod>, ExperimentError> {
    let mut methods = vec![constant(config, &sets[0]), static_evaluation(config, records, &sets[0])?];
    for data in sets {
        for (method, learn) in learners(config, data, context.observer)? {
            let attempts = config.seeds.iter().map(|&seed| {
                let path = context.state(&file_name(&format!("{method} {} {seed}", data.features)));
                let attempt = || attempt(config, &data.with_seed(seed), &learn, context.observer);
                kept(&path.with_extension("json"), attempt)
            });
            let attempts = attempts.collect::<Result<_, ExperimentError>>()?;
            methods.push(GradedMethod { method: method.to_owned(), features: data.features.clone(), attempts });
        }
    }
    Ok(methods)
}

/// What learns from `data`.
fn learners<'a>(
    config: &'a Connect6RecordsConfig,
    data: &Data,
    observer: &dyn Observer,
) -> Result<Vec<(&'static str, Learn<'a>)>, LearnError> {
    let shape =
        DenseShape { hidden: vec![config.hidden], activation: ActivationFunction::Sigmoid, inputs: InputForm::OneHot };
    let logistic = Model::Logistic(LogisticSettings { inputs: InputForm::OneHot, ..LogisticSettings::default() });
    let bp = BpConfig { network: shape.clone(), training: config.bp.clone() };
    let td = TdConfig { network: shape, training: config.td.clone() };
    let mut learners = vec![
        ("logistic regression", fitted(logistic)),
        ("BP", trained("bp", move |data| bp.start(data, Training::Supervised))),
        ("TD(λ)", trained("td", move |data| td.start(data, Training::Td))),
    ];
    for (name, inputs) in [("rough network", Inputs::All), ("rough network, reduct", Inputs::REDUCT)] {
        let plan = RoughPlan { inputs, ..config.rough_plan() };
        let knowledge = Knowledge::of(data, &plan, observer)?;
        learners.push((name, trained("rough", move |data| plan.start(data, &knowledge))));
    }
    Ok(learners)
}

fn attempt(
    config: &Connect6RecordsConfig,
    data: &Data,
    learn: &Learn<'_>,
    observer: &dyn Observer,
) -> Result<Attempt, ExperimentError> {
    let begin = Instant::now();
    let learned = learn(data, TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer })?;
    let seconds = begin.elapsed().as_secs_f64();
    let set = &*data.held_out;
    let outputs = learned.net.outputs(set.rows(0..set.len()));
    Ok(judge(config, set, &outputs, (learned.n_weights(), seconds)))
}

/// The mean result of the training positions.
fn constant(config: &Connect6RecordsConfig, data: &Data) -> GradedMethod {
    let results = data.training.results();
    let mean = results.iter().map(|&z| f64::from(z)).sum::<f64>() / results.len().max(1) as f64;
    let outputs = vec![mean as f32; data.held_out.len()];
    GradedMethod::fixed("constant".to_owned(), judge(config, &data.held_out, &outputs, (1, 0.0)))
}

/// The static evaluation, with the one weight that logistic regression on the training positions gives it.
fn static_evaluation(
    config: &Connect6RecordsConfig,
    records: &[GameRecord<Connect6>],
    data: &Data,
) -> Result<GradedMethod, ExperimentError> {
    let begin = Instant::now();
    let (training, held_out) = split_games(records.len(), config.held_out, config.seed);
    let scores = |games: &[usize]| scores_of(config, records, games);
    let weight = weight_of(&scores(&training)?, data.training.results());
    let seconds = begin.elapsed().as_secs_f64();
    let outputs: Vec<f32> = scores(&held_out)?.iter().map(|score| (weight * score / 2.0).tanh() as f32).collect();
    let attempt = judge(config, &data.held_out, &outputs, (1, seconds));
    Ok(GradedMethod::fixed(format!("{} evaluation, scaled", config.evaluator), attempt))
}

/// Evaluations are put into logistic regression in units of this.
const SCORE_UNIT: f64 = 1000.0;

/// What the evaluator says of each position of `games`, for the side that moves first.
fn scores_of(
    config: &Connect6RecordsConfig,
    records: &[GameRecord<Connect6>],
    games: &[usize],
) -> Result<Vec<f64>, ExperimentError> {
    let make = Connect6::evaluator_factory(&config.evaluator)?;
    let of_game = |&game: &usize| {
        let (mut evaluator, mut scores) = (make(), Vec::new());
        records[game].replay(|position, mv| {
            if mv.is_some() {
                let score = evaluator.evaluate(position) * position.side_to_move().sign();
                scores.push(f64::from(score) / SCORE_UNIT);
            }
        });
        scores
    };
    let by_game: Vec<Vec<f64>> = games.par_iter().map(of_game).collect();
    Ok(by_game.concat())
}

/// Steps of Newton's method; it converges quadratically from 0, where the likelihood is concave in one weight.
const STEPS: usize = 30;

/// The weight w of the logistic model P(won) = 1 / (1 + e^{-w s}) of decided games that makes their results likeliest.
fn weight_of(scores: &[f64], results: &[f32]) -> f64 {
    let decided = || scores.iter().zip(results).filter(|(_, z)| **z != 0.0);
    let mut weight = 0.0;
    for _ in 0..STEPS {
        let (mut slope, mut bend) = (0.0, 0.0);
        for (s, &z) in decided() {
            let p = 1.0 / (1.0 + (-weight * s).exp());
            slope += s * ((f64::from(z) + 1.0) / 2.0 - p);
            bend += s * s * p * (1.0 - p);
        }
        if bend <= f64::EPSILON {
            break;
        }
        // Held back: large scores make the first steps too long.
        weight = (weight + slope / bend).clamp(weight / 2.0, 2.0 * weight + 0.01);
    }
    weight
}

/// Grades `outputs`, one a position of `set`.
fn judge(
    config: &Connect6RecordsConfig,
    set: &PositionSet,
    outputs: &[f32],
    (n_weights, seconds): (usize, f64),
) -> Attempt {
    let mut sums = vec![GradeSums::default(); config.stages];
    for game in set.games() {
        for (stones, position) in game.clone().enumerate() {
            sums[config.stage_of(stones)].count(outputs[position], set.results()[position]);
        }
    }
    let all: GradeSums = sums.iter().copied().sum();
    Attempt { stages: sums.iter().map(|one| one.grade()).collect(), all: all.grade(), n_weights, seconds }
}

/// Sums over positions.
#[derive(Debug, Clone, Copy, Default)]
struct GradeSums {
    positions: usize,
    squares: f64,
    decided: usize,
    right: f64,
}

sums!(GradeSums { positions, squares, decided, right });

impl GradeSums {
    fn count(&mut self, y: f32, z: f32) {
        self.positions += 1;
        self.squares += f64::from(y - z).powi(2);
        if z != 0.0 {
            self.decided += 1;
            self.right += if y == 0.0 { 0.5 } else { f64::from(u8::from((y > 0.0) == (z > 0.0))) };
        }
    }

    fn grade(&self) -> Grade {
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        Grade {
            positions: self.positions,
            mse: mean(self.squares, self.positions),
            right: mean(self.right, self.decided),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slope of the likelihood vanishes at the weight, and the right sign is found.
    #[test]
    fn the_weight_of_a_score_is_the_likeliest() {
        let scores = [0.1, 2.0, -0.5, 30.0, -4.0, 0.3, -0.2, 1.0];
        let results = [1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 0.0];
        let likelihood = |w: f64| -> f64 {
            let one = |(s, z): (&f64, &f32)| if *z == 0.0 { 0.0 } else { -(1.0 + (-w * s * f64::from(*z)).exp()).ln() };
            scores.iter().zip(&results).map(one).sum()
        };
        let weight = weight_of(&scores, &results);
        assert!(weight > 0.0);
        for other in [0.9 * weight, 1.1 * weight] {
            assert!(likelihood(weight) > likelihood(other), "{weight} {other}");
        }
    }

    #[test]
    fn predictions_are_tallied_by_error_and_winner() {
        let mut sums = GradeSums::default();
        for (y, z) in [(0.5, 1.0), (0.0, -1.0), (-0.5, 1.0), (0.25, 0.0)] {
            sums.count(y, z);
        }
        let grade = sums.grade();
        approx::assert_abs_diff_eq!(grade.mse.unwrap(), (0.25 + 1.0 + 2.25 + 0.0625) / 4.0, epsilon = 1e-9);
        approx::assert_abs_diff_eq!(grade.right.unwrap(), 0.5, epsilon = 1e-9);
    }

    /// And are read again as that: a repetition is kept with them.
    #[test]
    fn stages_without_positions_have_no_error_and_no_winners() {
        let mut drawn = GradeSums::default();
        assert_eq!(drawn.grade(), Grade { positions: 0, mse: None, right: None });
        drawn.count(0.5, 0.0);
        assert_eq!(drawn.grade(), Grade { positions: 1, mse: Some(0.25), right: None });
        let stages = vec![GradeSums::default().grade(), drawn.grade()];
        let attempt = Attempt { all: drawn.grade(), stages, n_weights: 1, seconds: 0.0 };
        let text = serde_json::to_string(&attempt).unwrap();
        assert_eq!(serde_json::from_str::<Attempt>(&text).unwrap(), attempt);
    }
}
