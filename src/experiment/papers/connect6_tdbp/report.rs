//! Tables and charts of TD-BP: the learning curves, the grid of α and λ, and the matches at the end.

use super::Connect6TdbpConfig;
use crate::arena::{FinishedMatch, MatchResult};
use crate::experiment::agreement::{ScoreEstimate, score_curves, score_series, score_series_of_seeds};
use crate::experiment::contest::result_table;
use crate::experiment::contract::Findings;
use crate::games::connect6::Connect6;
use crate::report::matches::{bar, score_cells};
use crate::report::{Bars, Cell, Curves, Heading, Table, in_percent};

/// The page that shows it all: the matches of the curves (by features, then by seed, then by checkpoint), those of the grid (by
/// α, then by λ), and those of the first network of each feature set at the end.
pub fn findings(
    config: &Connect6TdbpConfig,
    [of_curves, of_grid, at_the_end]: [&[FinishedMatch<Connect6>]; 3],
) -> Findings {
    let scores = |matches: &[FinishedMatch<Connect6>]| -> Vec<ScoreEstimate> {
        matches.iter().map(|one| ScoreEstimate::of_match(&one.result)).collect()
    };
    let (by_games, by_cell) = (scores(of_curves), scores(of_grid));
    let pairs = || config.features.iter().flat_map(|name| config.opponents.iter().map(move |other| (name, other)));
    let last = || pairs().zip(at_the_end).map(|((name, other), one)| ([name.as_str(), other], &one.result));
    let chart = Bars {
        title: format!("TD-BP after {} games", config.last()),
        bars: last().map(|(names, result)| bar(names.join(" – "), result)).collect(),
    };
    let percent = |result| ScoreEstimate::of_match(result).percent();
    Findings::titled("S2: TD-BP by self-play on Connect6")
        .points(heading(config))
        .table("final", last_table(config, last()))
        .table("curve", curve_table(config, of_curves))
        .table("grid", grid_table(config, &by_cell))
        .remarks(last().map(|(names, result)| verdict(config, names, result)).collect())
        .picture("curve", "learning curves", curve_plot(config, &by_games))
        .picture("grid", "α and λ", grid_plot(config, &by_cell))
        .picture("final", "matches at the end", chart)
        .headline(last().map(|(names, result)| (format!("score % {}", names.join(" - ")), percent(result))))
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
            in_percent(play.explore)
        ),
        format!(
            "opponents: `{}`, at the same depth and width; {}",
            config.opponents.join("`, `"),
            config.seeds().line()
        ),
        config.matches.heading(),
        format!(
            "{} games each in the matches at the end, those of the first seed; {} in the matches of the table of α and λ",
            config.final_games, config.grid.match_games
        ),
        "S2 does not state its opponents, depth or number of games, so figures are comparable in kind, not in value"
            .to_owned(),
    ]
}

fn curve_table(config: &Connect6TdbpConfig, by_games: &[FinishedMatch<Connect6>]) -> Table {
    let numbers = ["seed", "games", "won", "drawn", "lost", "score %", "± %"];
    let stages = config.curves().flat_map(|job| config.checkpoints.iter().map(move |&games| (job, games)));
    let places = stages.flat_map(|(job, games)| config.opponents.iter().map(move |opponent| (job, games, opponent)));
    let rows = places.zip(by_games).map(|((job, games, opponent), one)| {
        let place = [job.features.into(), opponent.as_str().into(), job.seed.into(), games.into()];
        place.into_iter().chain(score_cells(&one.result))
    });
    Table::new("Score by games of self-play", &["features", "opponent"], &numbers).with_rows(rows)
}

fn grid_table(config: &Connect6TdbpConfig, scores: &[ScoreEstimate]) -> Table {
    let grid = &config.grid;
    let caption = format!(
        "Score % against {} after {} games of self-play, {}, by α (in probabilities) and λ; ± 95 %",
        config.opponents[0], grid.games, grid.features
    );
    let columns = grid.lambdas.iter().map(|lambda| Heading::from(format!("λ = {lambda}")).with("error"));
    let cell = |score: &ScoreEstimate| Cell::with_error(score.percent(), 100.0 * score.error, 1);
    let rows = grid.alphas.iter().zip(scores.chunks(grid.lambdas.len()));
    let rows = rows.map(|(alpha, row)| [alpha.to_string().into()].into_iter().chain(row.iter().map(cell)));
    Table::new(caption, &["α"], &[]).and_numbers(columns).with_rows(rows)
}

fn last_table<'r>(
    config: &Connect6TdbpConfig,
    results: impl Iterator<Item = ([&'r str; 2], &'r MatchResult)>,
) -> Table {
    let caption = format!("After {} games of self-play, on openings of their own", config.last());
    let rows = results.map(|([features, opponent], result)| ([features.into(), opponent.into()], result));
    result_table(caption, (&["features", "opponent", "Elo ± 95 %"], "mean stones"), rows)
}

fn verdict(config: &Connect6TdbpConfig, [features, opponent]: [&str; 2], result: &MatchResult) -> String {
    let score = ScoreEstimate::of_match(result);
    let [low, high] = [-1.0, 1.0].map(|way| 100.0 * (score.value + way * score.error).clamp(0.0, 1.0));
    format!(
        "TD-BP on {features} {} {opponent} at depth {}: {:.1} % of {} games, 95 % interval {low:.1} to {high:.1} %",
        score.verdict(),
        config.matches.depth,
        score.percent(),
        result.wdl.games()
    )
}

/// One line a feature set and opponent: the mean over the seeds, with a band of one standard deviation or the error of the only
/// match.
fn curve_plot(config: &Connect6TdbpConfig, scores: &[ScoreEstimate]) -> Curves {
    let (n, n_opponents) = (config.checkpoints.len(), config.opponents.len());
    let line = move |name: &str, other: usize, scores: &[ScoreEstimate]| {
        let name = format!("{name} – {}", config.opponents[other]);
        let at = |k: usize| scores.iter().skip(k * n_opponents + other).step_by(n * n_opponents);
        let scores = (0..n).map(|k| (config.checkpoints[k] as f64, at(k).copied().collect()));
        score_series_of_seeds(name, &scores.collect::<Vec<_>>())
    };
    let of_features = config.features.iter().zip(scores.chunks(n * n_opponents * config.seeds));
    let series = of_features.flat_map(|(name, scores)| (0..n_opponents).map(move |other| line(name, other, scores)));
    score_curves("TD-BP against static evaluations", "games of self-play", series.collect())
}

fn grid_plot(config: &Connect6TdbpConfig, scores: &[ScoreEstimate]) -> Curves {
    let grid = &config.grid;
    let of_alpha = |(alpha, row): (&f64, &[ScoreEstimate])| {
        let mut scores: Vec<(f64, ScoreEstimate)> = grid.lambdas.iter().copied().zip(row.iter().copied()).collect();
        // A line goes from left to right, in whatever order the values of λ were given.
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        score_series(format!("α = {alpha}"), &scores)
    };
    let title = format!("Against {} after {} games, by α and λ", config.opponents[0], grid.games);
    score_curves(title, "λ", grid.alphas.iter().zip(scores.chunks(grid.lambdas.len())).map(of_alpha).collect())
}
