//! Tables and charts of outcome prediction, over all positions and by stage.

use super::Connect6RecordsConfig;
use super::methods::{Grade, GradedMethod};
use crate::eval::Catalogue;
use crate::experiment::contract::Context;
use crate::experiment::findings::Findings;
use crate::experiment::self_play::SelfPlay;
use crate::games::connect6::Connect6;
use crate::report::{Cell, Curves, Table};
use crate::runs::repeats::{mean_and_sd, series_of_means, spread};
use crate::runs::training::Data;

fn mse(grade: &Grade) -> f64 {
    grade.mse
}

fn right(grade: &Grade) -> f64 {
    100.0 * grade.right
}

impl GradedMethod {
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

/// The page that shows it all.
pub fn findings(
    config: &Connect6RecordsConfig,
    context: &Context<'_>,
    (data, methods): (&Data, &[GradedMethod]),
) -> Findings {
    let about = about(config, data);
    let right_caption = format!("Winners predicted, %, by stones on the board; {about}");
    let error_caption = format!("Mean squared error by stones on the board; {about}");
    Findings::titled("Outcome prediction on Connect6 games")
        .points(heading(config, context, data))
        .table("methods", method_table(&about, methods))
        .table("right", stage_table(config, methods, (&right_caption, 1), right))
        .detail("errors", &stage_table(config, methods, (&error_caption, 4), mse))
        .picture(
            "right",
            "winners predicted",
            plot(config, methods, ("Winners of decided games predicted", "positions, per cent"), right),
        )
        .picture("errors", "errors", plot(config, methods, ("Error on held-out games", "mean squared error"), mse))
        .headline(
            methods.iter().map(|one| (format!("right % {}", one.name()), mean_and_sd(&one.figures(None, right)).0)),
        )
        .times([time_table(methods)])
}

fn heading(config: &Connect6RecordsConfig, context: &Context<'_>, data: &Data) -> [String; 3] {
    let SelfPlay { games, depth, .. } = config.self_play;
    let sources = if context.inputs.is_empty() {
        format!("{games} games that {} played against itself at depth {depth}", Connect6::DEFAULT_EVALUATOR)
    } else {
        context.sources()
    };
    let results = [data.training.results(), data.held_out.results()].concat();
    let share = |z: f32| 100.0 * results.iter().filter(|&&one| one == z).count() as f64 / results.len().max(1) as f64;
    [
        format!("games: {sources}; seed {}", config.seed),
        format!(
            "of all positions {:.1} % are of games that Black won, {:.1} % of drawn ones",
            share(1.0),
            share(0.0)
        ),
        "the static evaluation has one fitted weight, that of logistic regression on the training positions; the values of \
         `static` were themselves fitted to most of the 8,280 games of Nebula-Zero, so on those it has seen results that the \
         others have not"
            .to_owned(),
    ]
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

fn method_table(about: &str, methods: &[GradedMethod]) -> Table {
    let columns = ["weights", "mean squared error", "winner predicted, %"];
    let mut table = Table::new(format!("All positions; {about}"), &["method", "features"], &columns);
    for one in methods {
        let weights = one.attempts.first().map(|attempt| attempt.n_weights);
        let cells = [weights.into(), spread(&one.figures(None, mse), 4), spread(&one.figures(None, right), 1)];
        table.push(one.names().into_iter().chain(cells));
    }
    table
}

fn stage_table(
    config: &Connect6RecordsConfig,
    methods: &[GradedMethod],
    (caption, digits): (&str, usize),
    figure: fn(&Grade) -> f64,
) -> Table {
    let stages: Vec<String> = (0..config.stages).map(|stage| config.stage_name(stage)).collect();
    let columns: Vec<&str> = stages.iter().map(String::as_str).collect();
    let mut table = Table::new(caption, &["method", "features"], &columns);
    for one in methods {
        let cells = (0..config.stages).map(|stage| spread(&one.figures(Some(stage), figure), digits));
        table.push(one.names().into_iter().chain(cells));
    }
    table
}

fn time_table(methods: &[GradedMethod]) -> Table {
    let caption = "Seconds of learning; mean ± standard deviation over the seeds";
    let mut table = Table::new(caption, &["method", "features"], &["seconds"]);
    for one in methods {
        let seconds: Vec<f64> = one.attempts.iter().map(|attempt| attempt.seconds).collect();
        table.push(one.names().into_iter().chain([spread(&seconds, 2)]));
    }
    table
}

/// One line a method, on the first feature set where there are several.
fn plot(
    config: &Connect6RecordsConfig,
    methods: &[GradedMethod],
    (title, y_label): (&str, &str),
    figure: fn(&Grade) -> f64,
) -> Curves {
    let first = &config.features[0];
    let middle = |stage: usize| (stage as f64 + 0.5) * config.stage as f64;
    let series = |one: &GradedMethod| {
        let at = |stage: usize| (middle(stage), one.figures(Some(stage), figure));
        series_of_means(one.name(), &(0..config.stages).map(at).collect::<Vec<_>>())
    };
    let shown = methods.iter().filter(|one| one.features.is_empty() || one.features == *first);
    Curves {
        title: title.to_owned(),
        x_label: "stones on the board".to_owned(),
        y_label: y_label.to_owned(),
        series: shown.map(series).collect(),
        ..Curves::default()
    }
}
