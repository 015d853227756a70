//! The report of S1: tables, curves, and the chart of results.

use super::{Networks, S1Config, StageFigures};
use crate::arena::FinishedMatch;
use crate::eval::xiangqi::TRADITIONAL;
use crate::experiment::agreement::{Compared, ScoreEstimate, Trend, agreement, paper_cells};
use crate::experiment::contest::{game_table, match_table};
use crate::experiment::contract::Context;
use crate::experiment::findings::Findings;
use crate::games::xiangqi::PIECE_VALUES;
use crate::games::xiangqi::{Role, Xiangqi};
use crate::net::Net;
use crate::report::matches::chart;
use crate::report::{Align, Cell, Column, Table};
use crate::runs::results::Figure;
use crate::runs::training::{Data, curve_plot, curve_table};
use crate::stats::{Pentanomial, Wdl};

/// What S1 kept of its first 2000 games (§3.3): `(games in, games kept)`.
const PAPER_KEPT: (usize, usize) = (2000, 1423);

/// Table 1 of S1: training games, and the results of 100 games each against the traditional evaluator.
const PAPER_TABLE_1: [(usize, Wdl); 3] =
    [(2000, Wdl::new(19, 22, 59)), (4000, Wdl::new(23, 28, 49)), (6000, Wdl::new(29, 33, 38))];

/// The games of a cell in Table 1 of S1.
const PAPER_GAMES: usize = 100;

fn paper_of(training_games: usize) -> Option<Wdl> {
    PAPER_TABLE_1.iter().find(|(games, _)| *games == training_games).map(|(_, wdl)| *wdl)
}

/// What the report is made of.
pub struct StageReport<'a> {
    /// The settings.
    pub config: &'a S1Config,
    /// The games.
    pub data: &'a Data,
    /// What the reduction did with each number of training games.
    pub stages: &'a [StageFigures],
    /// The networks.
    pub networks: &'a Networks,
    /// In the order of the tables: first each stage's rough network against the traditional evaluator.
    pub matches: &'a [FinishedMatch<Xiangqi>],
}

impl StageReport<'_> {
    /// The page that shows it all. Table 1 is of as many games as the paper played, and of all if there are more.
    pub fn findings(&self, context: &Context<'_>) -> Findings {
        let &Self { config, data, stages, networks, matches } = self;
        let chart = chart("S1: results of the matches", matches.iter().map(|one| &one.result));
        let mut findings = Findings::titled("S1: a rough neural network as evaluator of a Xiangqi program")
            .points(self.heading(context))
            .table("reduction", reduction_table(stages))
            .table("reducts", reduct_table(stages))
            .table("errors", error_table(data, networks))
            .table("table-1", table_1(stages, matches, PAPER_GAMES));
        if config.matches.games > PAPER_GAMES {
            findings = findings.table("table-1-all", table_1(stages, matches, usize::MAX));
        }
        findings
            .table("matches", match_table(matches))
            .text("Table 1 beside the paper's:")
            .remarks(agreement_of(stages, matches))
            .picture("curves", "learning curves", curve_plot("S1: learning curves", networks.all(), data))
            .picture("matches", "results of the matches", chart)
            .data("curves", &curve_table(networks.all()))
            .data("games", &game_table(matches))
            .file("rules.md", rules_page(networks))
            .networks(networks.all())
            .games(matches.iter().flat_map(|one| &one.records))
            .headline(headline(networks, matches))
    }

    fn heading(&self, context: &Context<'_>) -> [String; 6] {
        let (config, data) = (self.config, self.data);
        let (training, held_out) = (&data.training, &data.held_out);
        let weights: Vec<String> = data.baselines().material_weights.iter().map(|&(v, w)| piece_weight(v, w)).collect();
        [
            format!("games: {}; seed {}", context.sources(), config.seed),
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
            config.matches.heading(),
            format!("linear fit of material, expected result of one piece more: {}", weights.join(", ")),
            "the traditional evaluator's position tables were fitted on expert games, the held-out ones among them"
                .to_owned(),
            "the papers' own database was never published, so figures are comparable in kind, not in value".to_owned(),
        ]
    }
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
        "kept in S1",
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
            (stage.games_in == PAPER_KEPT.0).then_some(PAPER_KEPT.1).into(),
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

/// Table 1 from the first `n_games` games of each match.
fn table_1(stages: &[StageFigures], matches: &[FinishedMatch<Xiangqi>], n_games: usize) -> Table {
    let games = matches.first().map_or(0, |one| one.result.rows.len()).min(n_games);
    let which = if n_games == usize::MAX { "all" } else { "the first" };
    let caption = format!("S1 Table 1: the rough network against the traditional evaluator, {which} {games} games");
    let numbers = ["training games", "won", "lost", "drawn", "score %"];
    let paper = ["S1 won", "S1 lost", "S1 drawn", "S1 score %"];
    let numbers: Vec<&str> = numbers.into_iter().chain(paper).collect();
    let mut table = Table::with_columns(caption, columns(&numbers, &["Elo ± 95 %"]));
    for (stage, one) in stages.iter().zip(matches) {
        let (wdl, pairs) = first_games(one, n_games);
        let ours = [
            stage.games_in.into(),
            wdl.wins.into(),
            wdl.losses.into(),
            wdl.draws.into(),
            Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1),
        ];
        let paper = paper_cells(paper_of(stage.games_in), |wdl| [wdl.wins, wdl.losses, wdl.draws]);
        table.push(ours.into_iter().chain(paper).chain([pairs.elo().to_string().into()]));
    }
    table
}

/// The results of the first `n_games` games of a match, and of their pairs.
fn first_games(one: &FinishedMatch<Xiangqi>, n_games: usize) -> (Wdl, Pentanomial) {
    let rows = &one.result.rows[..n_games.min(one.result.rows.len())];
    let mut wdl = Wdl::default();
    rows.iter().for_each(|row| wdl.record(row.result_a));
    let pairs = rows.chunks_exact(2).map(|pair| (pair[0].result_a, pair[1].result_a));
    (wdl, Pentanomial::of_pairs(pairs))
}

/// Table 1, of all games, beside the paper's.
fn agreement_of(stages: &[StageFigures], matches: &[FinishedMatch<Xiangqi>]) -> Vec<String> {
    let compared = stages.iter().zip(matches).filter_map(|(stage, one)| {
        let paper = ScoreEstimate::of_counts(paper_of(stage.games_in)?);
        let name = format!("{} training games", stage.games_in);
        Some(Compared { name, ours: ScoreEstimate::of_match(&one.result), paper })
    });
    let compared: Vec<Compared> = compared.collect();
    let growing = Trend { name: "training games".to_owned(), cells: (0..compared.len()).collect() };
    agreement(&compared, &[growing])
}

/// The score of each network against the traditional evaluator, and each network's held-out error.
fn headline(networks: &Networks, matches: &[FinishedMatch<Xiangqi>]) -> Vec<Figure> {
    let scores = matches.iter().map(|one| &one.result).filter(|result| result.names[1] == TRADITIONAL);
    let score = |wdl: Wdl| 100.0 * wdl.score().unwrap_or(f64::NAN);
    let scores = scores.map(|result| (format!("score % {}", result.names[0]), score(result.wdl)));
    let errors = networks.all().filter_map(|one| Some((format!("mse {}", one.name), one.curve.last()?.held_out_mse)));
    scores.chain(errors).collect()
}

/// The rules behind the neurons of the rough networks.
fn rules_page(networks: &Networks) -> String {
    let mut page =
        String::from("# Rules of the rough networks\n\nValues are signed piece values: red above, black below 0.\n");
    for one in networks.all().filter(|one| !one.about.rules.is_empty()) {
        page.push_str(&format!("\n## {}\n\n", one.name));
        one.about.rules.iter().for_each(|rule| page.push_str(&format!("* {rule}\n")));
    }
    page
}
