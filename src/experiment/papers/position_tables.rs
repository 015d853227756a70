//! The traditional evaluator's position tables and signs (S3, e2, e4 and e5), fitted to games: what they predict of other games, by the
//! strength of the regularisation and by the terms that take part, beside the values that come with the program.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::eval::xiangqi::{Parameters, Terms, weights_to_json};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::methods::check_different;
use crate::games::xiangqi::{PIECE_VALUES, Role, Xiangqi};
use crate::record::GameRecord;
use crate::report::{Cell, Curves, Field, Series, Table};
use crate::runs::position_tables::{FitSettings, Fitted, fit, is_measurable, log_loss};
use crate::settings::require;
use crate::train::split_games;

const NOTHING_TO_MEASURE: &str = "no decided game has a position among those held out";

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionTablesConfig {
    /// Seed of the split of the games.
    pub seed: u64,
    /// Share of the games held out, in (0, 1).
    pub held_out: f64,
    /// How many games are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Plies at the beginning of each game that are left out.
    pub skip_plies: usize,
    /// Every how many plies a position is taken, if it is quiet; at least 1.
    pub step: usize,
    /// Strengths of the L2 regularisation, each in (0, 1e9]; the one that predicts best is kept.
    pub alphas: Vec<f64>,
    /// Iterations of the optimiser at most; at least 1.
    pub max_iterations: u64,
}

/// A fit with one strength of the regularisation.
struct AlphaFit {
    alpha: f64,
    fitted: Fitted,
    /// On games held out, in nats.
    loss: f64,
}

impl Experiment for PositionTablesConfig {
    const ABOUT: &'static str = "S3: position tables and signs fitted to games, and what they predict of others";
    const KEEPS: Option<&'static str> = None;

    fn check(&self) -> Result<(), ExperimentError> {
        require(self.held_out > 0.0 && self.held_out < 1.0, "held_out", "in (0, 1)", self.held_out)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        require(self.step > 0, "step", "at least 1", 0)?;
        require(self.max_iterations > 0, "max_iterations", "at least 1", 0)?;
        let in_range = self.alphas.iter().all(|&alpha| alpha > 0.0 && alpha <= 1e9) && !self.alphas.is_empty();
        require(in_range, "alphas", "at least one number in (0, 1e9]", format!("{:?}", self.alphas))?;
        Ok(check_different("alphas", &self.alphas)?)
    }

    /// Fits with every strength; an interrupted run begins again.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let records = context.games::<Xiangqi>(self.max_games);
        let (training, held_out) = split_games(records.len(), self.held_out, self.seed);
        let [training, held_out] =
            [training, held_out].map(|games| games.iter().map(|&game| records[game].clone()).collect::<Vec<_>>());
        // Before minutes of fits rather than after.
        if !is_measurable(&held_out, &self.settings(1.0)) {
            return Err(NOTHING_TO_MEASURE.into());
        }
        context.observer.begin("fits", self.alphas.len() as u64);
        let fits = self.alphas.par_iter().map(|&alpha| {
            let fitted = fit(&training, &self.settings(alpha))?;
            let loss = log_loss(&held_out, &self.settings(alpha), Terms::ALL, &fitted.parameters);
            let loss = loss.ok_or(NOTHING_TO_MEASURE)?;
            context.observer.advance(1);
            Ok(AlphaFit { alpha, fitted, loss })
        });
        let fits = fits.collect::<Result<Vec<_>, ExperimentError>>()?;
        context.observer.end();
        let best = fits.iter().min_by(|a, b| a.loss.total_cmp(&b.loss)).ok_or("no strength to fit with")?;
        let Parameters { tables, weights } = &best.fitted.parameters;
        let heading = [
            format!("games: {}; seed {}", context.sources(), self.seed),
            format!("fitted to {} games, measured on {} others", training.len(), held_out.len()),
            format!("`tables.json` and `weights.json` are those of α = {}, the best on the games held out", best.alpha),
        ];
        Ok(Findings::titled("Position tables fitted to games")
            .points(heading)
            .table("alphas", alpha_table(&fits))
            .table("terms", self.term_table(&held_out, &best.fitted.parameters))
            .table("pieces", piece_table(&best.fitted))
            .picture("alphas", "log loss by α", alpha_curve(&fits))
            .file("tables.json", tables.to_json())
            .file("weights.json", weights_to_json(weights))
            .headline([("log loss".to_owned(), best.loss), ("alpha".to_owned(), best.alpha)]))
    }
}

impl PositionTablesConfig {
    fn settings(&self, alpha: f64) -> FitSettings {
        let &Self { skip_plies, step, max_iterations, .. } = self;
        FitSettings { skip_plies, step, alpha, max_iterations, terms: Terms::ALL }
    }

    /// How well growing sets of terms predict the results of `games`.
    fn term_table(&self, games: &[GameRecord<Xiangqi>], fitted: &Parameters) -> Table {
        let (settings, built_in) = (self.settings(1.0), Parameters::fitted());
        let mut terms = Terms::NONE;
        let rows = Terms::ALL.iter().map(|term| {
            terms = terms.with(term);
            // What is no number is shown as missing.
            let loss = |parameters| Cell::real(log_loss(games, &settings, terms, parameters).unwrap_or(f64::NAN), 5);
            [terms.to_string().into(), loss(fitted), loss(&built_in)]
        });
        Table::new("Log loss on games held out, in nats", &["terms"], &["fitted here", "built in"]).with_rows(rows)
    }
}

fn alpha_table(fits: &[AlphaFit]) -> Table {
    let numbers: [Field<AlphaFit>; 6] = [
        ("α", |fit| Cell::setting(fit.alpha, 1)),
        ("positions", |fit| fit.fitted.n_positions.into()),
        ("log loss held out", |fit| Cell::real(fit.loss, 5)),
        ("points a unit of log-odds", |fit| Cell::real(fit.fitted.points_per_log_odds, 0)),
        ("mobility × S3's", |fit| Cell::real(fit.fitted.mobility_factor, 2)),
        ("hand in hand", |fit| Cell::real(fit.fitted.hand_in_hand, 0)),
    ];
    Table::of("By the strength of the regularisation", fits, &[], &numbers)
}

fn piece_table(fitted: &Fitted) -> Table {
    let rows = Role::ALL[1..].iter().zip(fitted.material).map(|(&role, log_odds)| {
        let points = Cell::real(log_odds * fitted.points_per_log_odds, 0);
        let fixed = i64::from(PIECE_VALUES[role as usize]);
        [role.name().into(), Cell::real(log_odds, 3), points, fixed.into()]
    });
    Table::new("What a piece is worth", &["piece"], &["log-odds", "points", "S3's points"]).with_rows(rows)
}

fn alpha_curve(fits: &[AlphaFit]) -> Curves {
    let mut points: Vec<(f64, f64)> = fits.iter().map(|one| (one.alpha.log10(), one.loss)).collect();
    // A line goes from left to right, in whatever order the strengths were given.
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let series = Series::new("all terms", points);
    let labels = ["log10 α", "log loss on games held out, nats"];
    Curves::new("Regularisation of the position tables", labels, vec![series])
}
