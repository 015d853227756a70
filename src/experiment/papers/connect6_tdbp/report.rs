//! Tables and charts of TD-BP: the learning curves, the grid of α and λ, and the matches at the end.

use super::Connect6TdbpConfig;
use crate::arena::{FinishedMatch, MatchResult};
use crate::experiment::agreement::Score;
use crate::games::connect6::Connect6;
use crate::report::matches::{bar, score_cells};
use crate::report::{Bars, Cell, Curves, Document, Series, Table};
use crate::runs::repeats::mean_and_sd;
use crate::runs::results::Figure;
use crate::runs::training::Learned;

/// What a run found.
pub struct Found<'a> {
    /// The networks of the curves: by features, then by seed; each at its checkpoints.
    pub curves: &'a [Vec<Learned>],
    /// Their matches, in that order.
    pub by_games: &'a [FinishedMatch<Connect6>],
    /// The matches of the grid: by α, then by λ.
    pub by_cell: &'a [FinishedMatch<Connect6>],
    /// The matches of the first network of each feature set at the end.
    pub at_the_end: &'a [FinishedMatch<Connect6>],
}

/// Everything that there is to read and see.
pub struct Report {
    /// The score at every checkpoint.
    pub curve: Table,
    /// The score by α and λ.
    pub grid: Table,
    /// The matches at the end.
    pub last: Table,
    /// Whether the learned evaluation beats the static one, one sentence a feature set.
    pub verdicts: Vec<String>,
    /// The score by games of self-play.
    pub curve_plot: Curves,
    /// The score by λ, one line an α.
    pub grid_plot: Curves,
    /// The matches at the end.
    pub chart: Bars,
    /// The scores at the end.
    pub headline: Vec<Figure>,
}

impl Report {
    pub fn new(config: &Connect6TdbpConfig, found: &Found<'_>) -> Self {
        let results = |matches: &[FinishedMatch<Connect6>]| -> Vec<Score> {
            matches.iter().map(|one| Score::of_match(&one.result)).collect()
        };
        let pairs = || config.features.iter().flat_map(|name| config.opponents.iter().map(move |other| (name, other)));
        let last = || pairs().zip(found.at_the_end).map(|((name, other), one)| ([name.as_str(), other], &one.result));
        Self {
            curve: curve_table(config, found),
            grid: grid_table(config, &results(found.by_cell)),
            last: last_table(config, last()),
            verdicts: last().map(|(names, result)| verdict(config, names, result)).collect(),
            curve_plot: curve_plot(config, &results(found.by_games)),
            grid_plot: grid_plot(config, &results(found.by_cell)),
            chart: Bars {
                title: format!("TD-BP after {} games", config.last()),
                bars: last().map(|(names, result)| bar(names.join(" – "), result)).collect(),
            },
            headline: last()
                .map(|(names, result)| {
                    (format!("score % {}", names.join(" - ")), 100.0 * Score::of_match(result).value)
                })
                .collect(),
        }
    }

    /// The report as a Markdown page.
    pub fn page(&self, config: &Connect6TdbpConfig) -> String {
        Document::titled("S2: TD-BP by self-play on Connect6")
            .points(heading(config))
            .tables([&self.last, &self.curve, &self.grid])
            .points(&self.verdicts)
            .picture("learning curves", "curve.svg")
            .picture("α and λ", "grid.svg")
            .picture("matches at the end", "final.svg")
            .into_text()
    }
}

fn heading(config: &Connect6TdbpConfig) -> Vec<String> {
    let play = &config.play;
    vec![
        format!(
            "networks 64-{}-1 with sigmoids (more inputs where the features say so); α = {} and λ = {} of eq. (7), in probabilities",
            config.hidden, config.alpha, config.lambda
        ),
        format!(
            "games to learn from: depth {} and width {}, {} random stones at the start, {} % of the later ones too",
            play.lookahead.depth,
            play.lookahead.width,
            play.random_plies,
            100.0 * play.explore
        ),
        format!("opponents: `{}`, at the same depth and width; seed {}", config.opponents.join("`, `"), config.seed),
        config.matches.heading(),
        "S2 does not state its opponents, depth or number of games, so figures are comparable in kind, not in value"
            .to_owned(),
    ]
}

/// The runs of the curves with their features and seed.
fn runs(config: &Connect6TdbpConfig) -> impl Iterator<Item = (&str, u64)> {
    config.curves().map(|lesson| (lesson.features, lesson.seed))
}

fn curve_table(config: &Connect6TdbpConfig, found: &Found<'_>) -> Table {
    let numbers = ["seed", "games", "won", "drawn", "lost", "score %", "± %"];
    let mut table = Table::new("Score by games of self-play", &["features", "opponent"], &numbers);
    for ((features, seed), matches) in
        runs(config).zip(found.by_games.chunks(config.checkpoints.len() * config.opponents.len()))
    {
        for (&games, matches) in config.checkpoints.iter().zip(matches.chunks(config.opponents.len())) {
            for (opponent, one) in config.opponents.iter().zip(matches) {
                let place = [features.into(), opponent.as_str().into(), seed.into(), games.into()];
                table.push(place.into_iter().chain(score_cells(&one.result)));
            }
        }
    }
    table
}

fn grid_table(config: &Connect6TdbpConfig, scores: &[Score]) -> Table {
    let grid = &config.grid;
    let caption = format!(
        "Score % against {} after {} games of self-play, {}, by α (in probabilities) and λ; ± 95 %",
        config.opponents[0], grid.games, grid.features
    );
    let columns: Vec<String> = grid.lambdas.iter().map(|lambda| format!("λ = {lambda}")).collect();
    let mut table = Table::new(caption, &["α"], &columns.iter().map(String::as_str).collect::<Vec<_>>());
    for (alpha, row) in grid.alphas.iter().zip(scores.chunks(grid.lambdas.len())) {
        let cells =
            row.iter().map(|score| Cell::from(format!("{:.1} ± {:.1}", 100.0 * score.value, 100.0 * score.error)));
        table.push([Cell::from(alpha.to_string())].into_iter().chain(cells));
    }
    table
}

fn last_table<'r>(
    config: &Connect6TdbpConfig,
    results: impl Iterator<Item = ([&'r str; 2], &'r MatchResult)>,
) -> Table {
    let caption = format!("After {} games of self-play, on openings of their own", config.last());
    let numbers = ["won", "drawn", "lost", "score %", "± %", "mean stones"];
    let mut table = Table::new(caption, &["features", "opponent", "Elo ± 95 %"], &numbers);
    for ([features, opponent], result) in results {
        let names = [features.into(), opponent.into(), result.pentanomial.elo().to_string().into()];
        table.push(names.into_iter().chain(score_cells(result)).chain([Cell::real(result.mean_plies, 0)]));
    }
    table
}

fn verdict(config: &Connect6TdbpConfig, [features, opponent]: [&str; 2], result: &MatchResult) -> String {
    let Score { value, error } = Score::of_match(result);
    let judged = if value - error > 0.5 {
        "beats"
    } else if value + error < 0.5 {
        "loses to"
    } else {
        "cannot be told from"
    };
    let [low, high] = [value - error, value + error].map(|share| 100.0 * share.clamp(0.0, 1.0));
    format!(
        "TD-BP on {features} {judged} {opponent} at depth {}: {:.1} % of {} games, 95 % interval {low:.1} to {high:.1} %",
        config.matches.depth,
        100.0 * value,
        result.wdl.games()
    )
}

/// One line a feature set and opponent: the mean over the seeds, with a band of one standard deviation or the error of the only
/// match.
fn curve_plot(config: &Connect6TdbpConfig, scores: &[Score]) -> Curves {
    let (n, n_opponents) = (config.checkpoints.len(), config.opponents.len());
    let line = move |name: &str, other: usize, scores: &[Score]| {
        let at = |k: usize| scores.iter().skip(k * n_opponents + other).step_by(n * n_opponents);
        let values = |k: usize| at(k).map(|score| 100.0 * score.value).collect::<Vec<_>>();
        let error = |k: usize| at(k).next().map_or(f64::NAN, |score| 100.0 * score.error);
        let points = (0..n).map(|k| (config.checkpoints[k] as f64, mean_and_sd(&values(k)).0)).collect();
        let series = Series::new(format!("{name} – {}", config.opponents[other]), points);
        if config.seeds > 1 {
            Series { band: (0..n).map(|k| mean_and_sd(&values(k)).1).collect(), ..series }
        } else {
            Series { errors: (0..n).map(error).collect(), ..series }
        }
    };
    let of_features = config.features.iter().zip(scores.chunks(n * n_opponents * config.seeds));
    Curves {
        title: "TD-BP against static evaluations".to_owned(),
        x_label: "games of self-play".to_owned(),
        y_label: "score, per cent".to_owned(),
        series: of_features
            .flat_map(|(name, scores)| (0..n_opponents).map(move |other| line(name, other, scores)))
            .collect(),
        levels: vec![("equal strength".to_owned(), 50.0)],
        limits: None,
    }
}

fn grid_plot(config: &Connect6TdbpConfig, scores: &[Score]) -> Curves {
    let grid = &config.grid;
    let of_alpha = |(alpha, row): (&f64, &[Score])| {
        let points = grid.lambdas.iter().zip(row).map(|(&lambda, score)| (lambda, 100.0 * score.value)).collect();
        let errors = row.iter().map(|score| 100.0 * score.error).collect();
        Series { errors, ..Series::new(format!("α = {alpha}"), points) }
    };
    Curves {
        title: format!("Against {} after {} games, by α and λ", config.opponents[0], grid.games),
        x_label: "λ".to_owned(),
        y_label: "score, per cent".to_owned(),
        series: grid.alphas.iter().zip(scores.chunks(grid.lambdas.len())).map(of_alpha).collect(),
        levels: vec![("equal strength".to_owned(), 50.0)],
        limits: None,
    }
}
