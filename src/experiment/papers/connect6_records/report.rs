//! Tables and charts of outcome prediction, over all positions and by stage.

use super::Connect6RecordsConfig;
use super::methods::{Grade, Row};
use crate::eval::Catalogue;
use crate::experiment::contract::Context;
use crate::games::connect6::Connect6;
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::repeats::{mean_and_sd, spread};
use crate::runs::results::Figure;
use crate::runs::training::Data;

/// Everything that there is to read and see.
pub struct Report {
    /// Each method on all positions.
    pub methods: Table,
    /// Mean squared errors by stage.
    pub errors: Table,
    /// Shares of winners predicted by stage.
    pub right: Table,
    /// Seconds of learning.
    pub times: Table,
    /// The shares as curves.
    pub right_plot: Curves,
    /// The errors as curves.
    pub error_plot: Curves,
    /// The share of each method.
    pub headline: Vec<Figure>,
}

fn mse(grade: &Grade) -> f64 {
    grade.mse
}

fn right(grade: &Grade) -> f64 {
    100.0 * grade.right
}

impl Row {
    fn name(&self) -> String {
        if self.features.is_empty() { self.method.clone() } else { format!("{}, {}", self.method, self.features) }
    }

    fn names(&self) -> [Cell; 2] {
        [self.method.as_str().into(), self.features.as_str().into()]
    }

    /// A figure of all attempts, on all positions or on those of a stage.
    fn figures(&self, stage: Option<usize>, figure: fn(&Grade) -> f64) -> Vec<f64> {
        self.attempts.iter().map(|one| figure(stage.map_or(&one.all, |stage| &one.stages[stage]))).collect()
    }
}

impl Report {
    pub fn new(config: &Connect6RecordsConfig, data: &Data, rows: &[Row]) -> Self {
        let about = about(config, data);
        Self {
            methods: method_table(&about, rows),
            errors: stage_table(config, rows, (&format!("Mean squared error by stones on the board; {about}"), 4), mse),
            right: stage_table(
                config,
                rows,
                (&format!("Winners predicted, %, by stones on the board; {about}"), 1),
                right,
            ),
            times: times_table(rows),
            right_plot: plot(config, rows, ("Winners of decided games predicted", "positions, per cent"), right),
            error_plot: plot(config, rows, ("Error on held-out games", "mean squared error"), mse),
            headline: rows
                .iter()
                .map(|row| (format!("right % {}", row.name()), mean_and_sd(&row.figures(None, right)).0))
                .collect(),
        }
    }

    /// The report as a Markdown page.
    pub fn page(&self, config: &Connect6RecordsConfig, context: &Context<'_>, data: &Data) -> String {
        let games = match context.inputs {
            [] => format!(
                "{} games that {} played against itself at depth {}",
                config.self_play.games,
                Connect6::DEFAULT_EVALUATOR,
                config.self_play.depth
            ),
            inputs => {
                let named = |(name, checksum): &(String, String)| format!("`{name}` (SHA-256 {}…)", &checksum[..16]);
                inputs.iter().map(named).collect::<Vec<_>>().join(", ")
            }
        };
        let results = [data.training.results(), data.held_out.results()].concat();
        let share =
            |z: f32| 100.0 * results.iter().filter(|&&one| one == z).count() as f64 / results.len().max(1) as f64;
        format!(
            "# Outcome prediction on Connect6 games\n\n\
             * games: {games}; seed {}\n\
             * of all positions {:.1} % are of games that Black won, {:.1} % of drawn ones\n\
             * the static evaluation has one fitted weight, that of logistic regression on the training positions; the values of \
             `static` were themselves fitted to most of the 8,280 games of Nebula-Zero, so on those it has seen results that the others \
             have not\n\n\
             {}\n{}\n{}\n![winners predicted](right.svg)\n\n![errors](errors.svg)\n",
            config.seed,
            share(1.0),
            share(0.0),
            self.methods.to_markdown(),
            self.right.to_markdown(),
            self.errors.to_markdown()
        )
    }
}

fn about(config: &Connect6RecordsConfig, data: &Data) -> String {
    format!(
        "{} positions of {} held-out games, learned from {} positions of {} games; mean ± standard deviation over {} seeds",
        data.held_out.len(),
        data.held_out.games().len(),
        data.training.len(),
        data.training.games().len(),
        config.seeds.len()
    )
}

fn method_table(about: &str, rows: &[Row]) -> Table {
    let columns = ["weights", "mean squared error", "winner predicted, %"];
    let mut table = Table::new(format!("All positions; {about}"), &["method", "features"], &columns);
    for row in rows {
        let weights = row.attempts.first().map(|one| one.n_weights);
        let cells = [weights.into(), spread(&row.figures(None, mse), 4), spread(&row.figures(None, right), 1)];
        table.push(row.names().into_iter().chain(cells));
    }
    table
}

fn stage_table(
    config: &Connect6RecordsConfig,
    rows: &[Row],
    (caption, digits): (&str, usize),
    figure: fn(&Grade) -> f64,
) -> Table {
    let stages: Vec<String> = (0..config.stages).map(|stage| config.stage_name(stage)).collect();
    let columns: Vec<&str> = stages.iter().map(String::as_str).collect();
    let mut table = Table::new(caption, &["method", "features"], &columns);
    for row in rows {
        let cells = (0..config.stages).map(|stage| spread(&row.figures(Some(stage), figure), digits));
        table.push(row.names().into_iter().chain(cells));
    }
    table
}

fn times_table(rows: &[Row]) -> Table {
    let caption = "Seconds of learning; mean ± standard deviation over the seeds";
    let mut table = Table::new(caption, &["method", "features"], &["seconds"]);
    for row in rows {
        let seconds: Vec<f64> = row.attempts.iter().map(|one| one.seconds).collect();
        table.push(row.names().into_iter().chain([spread(&seconds, 2)]));
    }
    table
}

/// One line a method, on the first feature set where there are several.
fn plot(
    config: &Connect6RecordsConfig,
    rows: &[Row],
    (title, y_label): (&str, &str),
    figure: fn(&Grade) -> f64,
) -> Curves {
    let first = &config.features[0];
    let series = |row: &Row| {
        let at = |stage: usize| mean_and_sd(&row.figures(Some(stage), figure));
        let middle = |stage: usize| (stage as f64 + 0.5) * config.stage as f64;
        Series {
            band: (0..config.stages).map(|stage| at(stage).1).collect(),
            ..Series::new(row.name(), (0..config.stages).map(|stage| (middle(stage), at(stage).0)).collect())
        }
    };
    let shown = rows.iter().filter(|row| row.features.is_empty() || row.features == *first);
    Curves {
        title: title.to_owned(),
        x_label: "stones on the board".to_owned(),
        y_label: y_label.to_owned(),
        series: shown.map(series).collect(),
        ..Curves::default()
    }
}
