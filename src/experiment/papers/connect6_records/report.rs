//! Tables and charts of outcome prediction, over all positions and by stage.

use super::Connect6RecordsConfig;
use super::methods::{Grade, GradedMethod};
use crate::eval::Catalogue;
use crate::experiment::contract::{Context, Findings};
use crate::experiment::self_play::SelfPlay;
use crate::games::connect6::Connect6;
use crate::report::{Cell, Curves, Field, Heading, Table};
use crate::runs::training::Data;
use crate::runs::{mean_and_sd, series_of_means, spread};

/// A figure of a grade; `None` where there was nothing to predict.
type FigureOf = fn(&Grade) -> Option<f64>;

fn mse(grade: &Grade) -> Option<f64> {
    grade.mse
}

fn right(grade: &Grade) -> Option<f64> {
    grade.right.map(|share| 100.0 * share)
}

impl GradedMethod {
    fn name(&self) -> String {
        if self.features.is_empty() { self.method.clone() } else { format!("{}, {}", self.method, self.features) }
    }

    fn seconds(&self) -> Vec<f64> {
        self.attempts.iter().map(|attempt| attempt.seconds).collect()
    }

    /// A figure of all attempts, on all positions or on those of a stage; none if there is nothing to predict among them.
    fn figures(&self, stage: Option<usize>, figure: FigureOf) -> Vec<f64> {
        self.attempts.iter().filter_map(|one| figure(stage.map_or(&one.all, |stage| &one.stages[stage]))).collect()
    }

    /// A figure of all attempts with its deviation, which is 0 for what draws nothing: it is the same with every seed.
    fn cell(&self, stage: Option<usize>, figure: FigureOf, digits: usize) -> Cell {
        match self.figures(stage, figure).as_slice() {
            [value] if self.features.is_empty() => Cell::with_error(*value, 0.0, digits),
            figures => spread(figures, digits),
        }
    }
}

/// The columns that say which method a row is about.
const NAMES: [Field<GradedMethod>; 2] =
    [("method", |one| one.method.as_str().into()), ("features", |one| one.features.as_str().into())];

/// The page that shows it all.
pub fn findings(
    config: &Connect6RecordsConfig,
    context: &Context<'_>,
    (data, methods): (&Data, &[GradedMethod]),
) -> Findings {
    let about = about(config, data);
    let caption = |what: &str| format!("{what} by stones on the board; {about}");
    let table = |what: &str, digits, figure| stage_table(config, methods, (&caption(what), digits), figure);
    let plot = |title: &str, y_label, figure| plot(config, methods, (title, y_label), figure);
    let page = Findings::titled("Outcome prediction on Connect6 games")
        .points(heading(config, context, data))
        .table("methods", method_table(&about, methods))
        .table("right", table("Winners predicted, %,", 1, right))
        .detail("errors", &table("Mean squared error", 4, mse));
    let winners = headline(methods);
    // Where all games held out are drawn there is no such curve.
    let page = if winners.is_empty() {
        page
    } else {
        let curves = plot("Winners of decided games predicted", "positions, per cent", right);
        page.picture("right", "winners predicted", curves)
    };
    page.picture("errors", "errors", plot("Error on held-out games", "mean squared error", mse))
        .headline(winners)
        .times([time_table(methods)])
}

/// The share of winners that each method predicts; nothing where there are none to predict.
fn headline(methods: &[GradedMethod]) -> Vec<(String, f64)> {
    let figures = methods.iter().map(|one| (one, one.figures(None, right)));
    let figures = figures.filter(|(_, figures)| !figures.is_empty());
    figures.map(|(one, figures)| (format!("right % {}", one.name()), mean_and_sd(&figures).0)).collect()
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
        format!("of all positions {:.1} % are of games that Black won, {:.1} % of drawn ones", share(1.0), share(0.0)),
        about_evaluator(&config.evaluator),
    ]
}

/// What was fitted of the evaluator, here and before.
fn about_evaluator(name: &str) -> String {
    let before = if name == Connect6::DEFAULT_EVALUATOR {
        "; the values of `static` were themselves fitted to most of the 8,280 games of Nebula-Zero, so on those it has \
         seen results that the others have not"
    } else {
        ""
    };
    let weight = "one fitted weight, that of logistic regression on the training positions";
    format!("the {name} evaluation has {weight}{before}")
}

fn about(config: &Connect6RecordsConfig, data: &Data) -> String {
    let ([(games, positions), (held_out_games, held_out)], seeds) = (data.counts(), config.seeds.len());
    format!(
        "{held_out} positions of {held_out_games} held-out games, learned from {positions} positions of {games} games; mean ± \
         standard deviation over {seeds} seeds"
    )
}

fn method_table(about: &str, methods: &[GradedMethod]) -> Table {
    let numbers: [Field<GradedMethod>; 3] = [
        ("weights", |one| one.attempts.first().map(|attempt| attempt.n_weights).into()),
        ("mean squared error", |one| one.cell(None, mse, 4)),
        ("winner predicted, %", |one| one.cell(None, right, 1)),
    ];
    Table::of(format!("All positions; {about}"), methods, &NAMES, &numbers)
}

fn stage_table(
    config: &Connect6RecordsConfig,
    methods: &[GradedMethod],
    (caption, digits): (&str, usize),
    figure: FigureOf,
) -> Table {
    let stages = (0..config.stages).map(|stage| config.stage_name(stage));
    let stages = stages.map(|stage| Heading::named(&stage, [stones_column(&stage)]).with("sd"));
    let rows = methods.iter().map(|one| {
        let cells = (0..config.stages).map(|stage| one.cell(Some(stage), figure, digits));
        NAMES.map(|(_, name)| name(one)).into_iter().chain(cells)
    });
    Table::new(caption, &NAMES.map(|(heading, _)| heading), &[]).and_numbers(stages).with_rows(rows)
}

/// `stones_0_9` for `0-9`, `stones_60_up` for `60+`.
fn stones_column(stage: &str) -> String {
    format!("stones_{}", stage.replace('-', "_").replace('+', "_up"))
}

fn time_table(methods: &[GradedMethod]) -> Table {
    let caption = "Seconds of learning; mean ± standard deviation over the seeds";
    Table::of(caption, methods, &NAMES, &[("seconds", |one| spread(&one.seconds(), 2))])
}

/// One line a method, on the first feature set where there are several.
fn plot(
    config: &Connect6RecordsConfig,
    methods: &[GradedMethod],
    (title, y_label): (&str, &str),
    figure: FigureOf,
) -> Curves {
    let first = &config.features[0];
    let middle = |stage: usize| (stage as f64 + 0.5) * config.stage as f64;
    let series = |one: &GradedMethod| {
        let at = |stage: usize| (middle(stage), one.figures(Some(stage), figure));
        let points = (0..config.stages).map(at).filter(|(_, figures)| !figures.is_empty());
        series_of_means(one.name(), &points.collect::<Vec<_>>())
    };
    let shown = methods.iter().filter(|one| one.features.is_empty() || one.features == *first);
    Curves::new(title, ["stones on the board", y_label], shown.map(series).collect())
}

#[cfg(test)]
mod tests {
    use super::super::methods::Attempt;
    use super::*;

    #[test]
    fn what_draws_nothing_deviates_by_nothing_and_one_seed_is_no_spread() {
        let method = |features: &str| {
            let all = Grade { positions: 4, mse: Some(0.25), right: None };
            let attempt = Attempt { stages: Vec::new(), all, n_weights: 1, seconds: 0.0 };
            GradedMethod { method: "x".to_owned(), features: features.to_owned(), attempts: vec![attempt] }
        };
        assert_eq!(method("").cell(None, mse, 2), Cell::with_error(0.25, 0.0, 2));
        assert_eq!(method("patterns64").cell(None, mse, 2), spread(&[0.25], 2));
    }
}
