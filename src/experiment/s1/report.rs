//! The report of S1: tables, curves, and the chart of results.

use std::path::Path;

use super::super::learn::{Data, curve_plot, curve_table};
use super::super::manifest::FileError;
use super::{FinishedMatch, Networks, S1, S1Error, S1Results, StageFigures};
use crate::arena::MatchResult;
use crate::features::board91::PIECE_VALUES;
use crate::games::xiangqi::{Role, Xiangqi};
use crate::net::store::Net;
use crate::report::{Align, Cell, Column, Table};
use crate::report::{Bar, Bars};
use crate::stats::Z95;

/// The tables of a run.
#[derive(Debug, Clone)]
pub struct Tables {
    /// What the tables are about: data, seed, search.
    pub heading: Vec<String>,
    /// Reduction of the database, one row a number of training games.
    pub reduction: Table,
    /// Held-out errors by method and pass.
    pub errors: Table,
    /// Table 1 of S1: the rough network after each number of training games against the traditional evaluator.
    pub table_1: Table,
    /// All matches.
    pub matches: Table,
    /// Learning curves, one row a measurement.
    pub curves: Table,
    /// Every game of every match.
    pub games: Table,
    /// The reduct of each number of training games.
    pub reducts: Table,
}

impl Tables {
    pub(super) fn new(
        run: &S1<'_>,
        data: &Data,
        stages: &[StageFigures],
        networks: &Networks,
        matches: &[FinishedMatch<Xiangqi>],
    ) -> Self {
        Self {
            heading: heading(run, data),
            reduction: reduction_table(stages),
            errors: error_table(data, networks),
            table_1: table_1(stages, matches),
            matches: match_table(matches),
            curves: curve_table(networks.all()),
            games: game_table(matches),
            reducts: reduct_table(stages),
        }
    }

    /// The tables that a reader wants at the end of a run.
    fn main_tables(&self) -> [&Table; 5] {
        [&self.reduction, &self.reducts, &self.errors, &self.table_1, &self.matches]
    }

    /// The report as a Markdown page.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut page = String::from("# S1: a rough neural network as evaluator of a Xiangqi program\n\n");
        self.heading.iter().for_each(|line| page.push_str(&format!("* {line}\n")));
        for table in self.main_tables() {
            page.push_str(&format!("\n{}", table.to_markdown()));
        }
        page.push_str("\n![learning curves](curves.svg)\n\n![results of the matches](matches.svg)\n");
        page
    }

    /// The report for a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.main_tables().map(Table::to_text).join("\n")
    }

    /// Names and contents of the CSV files.
    pub(super) fn csv_files(&self) -> Vec<(String, String)> {
        let files = [
            ("reduction", &self.reduction),
            ("errors", &self.errors),
            ("table-1", &self.table_1),
            ("matches", &self.matches),
            ("curves", &self.curves),
            ("games", &self.games),
            ("reducts", &self.reducts),
        ];
        files.map(|(name, table)| (format!("{name}.csv"), table.to_csv())).to_vec()
    }
}

fn heading(run: &S1<'_>, data: &Data) -> Vec<String> {
    let config = run.config;
    let inputs: Vec<String> =
        run.source.inputs.iter().map(|(name, checksum)| format!("`{name}` (SHA-256 {}…)", &checksum[..16])).collect();
    let (training, held_out) = (&data.training, &data.held_out);
    let weights: Vec<String> = data.baselines().material_weights.iter().map(|&(v, w)| piece_weight(v, w)).collect();
    vec![
        format!("games: {}; seed {}", inputs.join(", "), config.seed),
        format!(
            "split by game: {} games with {} positions to train on, {} games with {} positions held out; positions from \
             ply {} on; {:.1} % of the held-out positions occur in training games too",
            training.games().len(),
            training.len(),
            held_out.games().len(),
            held_out.len(),
            config.skip_plies,
            100.0 * data.shared_positions()
        ),
        format!(
            "matches: alpha-beta with quiescence at depth {} for both, {} games each, every opening with both colours, \
             draw after {} plies; errors are 95 % intervals over pairs of games",
            config.matches.depth, config.matches.games, config.matches.max_plies
        ),
        format!("linear fit of material, expected result of one piece more: {}", weights.join(", ")),
        "the traditional evaluator's position tables were fitted on expert games, the held-out ones among them"
            .to_owned(),
        "the papers' own database was never published, so figures are comparable in kind, not in value".to_owned(),
    ]
}

/// The weight of one piece more, by the name of the piece that has this value.
fn piece_weight(value: i32, weight: f64) -> String {
    let role = Role::ALL.into_iter().find(|role| PIECE_VALUES[*role as usize] == value);
    format!("{} {weight:+.3}", role.map_or_else(|| value.to_string(), |role| role.name().to_owned()))
}

fn reduction_table(stages: &[StageFigures]) -> Table {
    let numbers = [
        "games in",
        "kept",
        "too short",
        "positions",
        "classes U/IND(C)",
        "gamma(C)",
        "reduct size",
        "classes U/IND(R)",
        "gamma(R)",
    ];
    let mut table = Table::new("Reduction of the training games", &[], &numbers);
    for stage in stages {
        table.push([
            stage.games_in.into(),
            stage.games_kept.into(),
            stage.too_short.into(),
            stage.positions.into(),
            stage.classes.into(),
            Cell::real(stage.gamma.value(), 4),
            stage.reduct.len().into(),
            stage.reduct_classes.into(),
            Cell::real(stage.reduct_gamma.value(), 4),
        ]);
    }
    table
}

fn reduct_table(stages: &[StageFigures]) -> Table {
    let caption = "Reducts (positive region, backward elimination)";
    let mut table = Table::with_columns(caption, columns(&["games in"], &["reduct"]));
    for stage in stages {
        table.push([stage.games_in.into(), Cell::from(stage.reduct.join(" "))]);
    }
    table
}

/// Columns of numbers, followed by columns of words.
fn columns(numbers: &[&str], words: &[&str]) -> Vec<Column> {
    let column = |align| move |name: &&str| Column { name: (*name).to_owned(), align };
    numbers.iter().map(column(Align::Right)).chain(words.iter().map(column(Align::Left))).collect()
}

/// Held-out mean squared error before training and after each pass.
fn error_table(data: &Data, networks: &Networks) -> Table {
    let passes = networks.all().filter_map(|one| one.curve.last()).map(|point| point.pass as usize).max().unwrap_or(0);
    let after: Vec<String> = (0..=passes).map(|pass| format!("mse after {pass}")).collect();
    let numbers: Vec<&str> =
        ["inputs", "weights", "positions"].into_iter().chain(after.iter().map(String::as_str)).collect();
    let mut table = Table::new("Mean squared error of held-out results, by passes", &["method"], &numbers);
    for one in networks.all() {
        let at = |pass: usize| one.curve.iter().find(|point| (point.pass - pass as f64).abs() < 1e-9);
        let errors = (0..=passes).map(|pass| at(pass).map(|point| Cell::real(point.held_out_mse, 4)).into());
        let shape =
            [one.name.as_str().into(), n_inputs(&one.net).into(), one.n_weights().into(), one.n_positions.into()];
        table.push(shape.into_iter().chain(errors));
    }
    let baselines = data.baselines();
    for (name, mse) in [("material, linear", baselines.material_mse), ("constant", baselines.constant_mse)] {
        let errors = (0..=passes).map(|pass| if pass == passes { Cell::real(mse, 4) } else { Cell::Missing });
        let shape = [name.into(), Cell::Missing, Cell::Missing, data.training.len().into()];
        table.push(shape.into_iter().chain(errors));
    }
    table
}

fn n_inputs(net: &Net) -> usize {
    match net {
        Net::Dense(net) => net.coding().n_attributes(),
        Net::Rough(net) => net.inputs().len(),
        Net::Tree(net) => net.n_inputs(),
    }
}

fn table_1(stages: &[StageFigures], matches: &[FinishedMatch<Xiangqi>]) -> Table {
    let caption = "S1 Table 1: the rough network against the traditional evaluator";
    let numbers = ["training games", "won", "lost", "drawn", "score %"];
    let mut table = Table::with_columns(caption, columns(&numbers, &["Elo ± 95 %"]));
    for (stage, one) in stages.iter().zip(matches) {
        let wdl = one.result.wdl;
        table.push([
            stage.games_in.into(),
            wdl.wins.into(),
            wdl.losses.into(),
            wdl.draws.into(),
            Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1),
            one.result.pentanomial.elo().to_string().into(),
        ]);
    }
    table
}

fn match_table(matches: &[FinishedMatch<Xiangqi>]) -> Table {
    let names = ["a", "b", "Elo of a ± 95 %"];
    let mut table = Table::new("Matches", &names, &["won", "drawn", "lost", "score %", "± %", "mean plies"]);
    for result in matches.iter().map(|one| &one.result) {
        let wdl = result.wdl;
        table.push([
            result.names[0].as_str().into(),
            result.names[1].as_str().into(),
            result.pentanomial.elo().to_string().into(),
            wdl.wins.into(),
            wdl.draws.into(),
            wdl.losses.into(),
            Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1),
            score_error(result).map(|error| Cell::real(100.0 * error, 1)).into(),
            Cell::real(result.mean_plies, 0),
        ]);
    }
    table
}

/// Half the 95 % interval of the score of a, from the spread of its pairs of games; unknown if all pairs ended alike.
pub fn score_error(result: &MatchResult) -> Option<f64> {
    let sample = result.pentanomial.sample().filter(|sample| sample.variance > 0.0);
    sample.map(|sample| Z95 * sample.standard_error())
}

/// Every game of `matches`, one row each.
pub fn game_table(matches: &[FinishedMatch<Xiangqi>]) -> Table {
    let names = ["a", "b", "red", "black", "end"];
    let mut table = Table::new("Games", &names, &["game", "opening", "result of a", "plies", "nodes a", "nodes b"]);
    for result in matches.iter().map(|one| &one.result) {
        for row in &result.rows {
            table.push([
                result.names[0].as_str().into(),
                result.names[1].as_str().into(),
                row.first.as_str().into(),
                row.second.as_str().into(),
                row.reason.as_str().into(),
                row.game.into(),
                row.opening.into(),
                i64::from(row.result_a).into(),
                row.plies.into(),
                row.nodes_a.into(),
                row.nodes_b.into(),
            ]);
        }
    }
    table
}

/// The rules behind the neurons of the rough networks.
pub(super) fn rules_page(networks: &Networks) -> String {
    let mut page =
        String::from("# Rules of the rough networks\n\nValues are signed piece values: red above, black below 0.\n");
    for one in networks.all().filter(|one| !one.about.rules.is_empty()) {
        page.push_str(&format!("\n## {}\n\n", one.name));
        one.about.rules.iter().for_each(|rule| page.push_str(&format!("* {rule}\n")));
    }
    page
}

/// Draws curves and chart into `folder`, and gives the files' names.
pub(super) fn draw(folder: &Path, results: &S1Results, data: &Data, png: bool) -> Result<Vec<String>, S1Error> {
    let curves = curve_plot("S1: learning curves", results.networks.all(), data);
    let bar = |result: &MatchResult| Bar {
        label: format!("{} – {}", result.names[0], result.names[1]),
        results: result.wdl,
        error: score_error(result),
    };
    let chart = Bars {
        title: "S1: results of the matches".to_owned(),
        bars: results.matches.iter().map(|one| bar(&one.result)).collect(),
    };
    remove_pictures(folder)?;
    let mut names = Vec::new();
    for format in if png { &["svg", "png"][..] } else { &["svg"] } {
        let (curves_name, chart_name) = (format!("curves.{format}"), format!("matches.{format}"));
        curves.render(&folder.join(&curves_name))?;
        chart.render(&folder.join(&chart_name))?;
        names.extend([curves_name, chart_name]);
    }
    Ok(names)
}

/// Removes the pictures of an earlier run, which might have had others than this one.
fn remove_pictures(folder: &Path) -> Result<(), FileError> {
    for name in ["curves.svg", "curves.png", "matches.svg", "matches.png"] {
        let path = folder.join(name);
        if path.exists() {
            std::fs::remove_file(&path).map_err(|source| FileError { action: "remove", path, source })?;
        }
    }
    Ok(())
}
