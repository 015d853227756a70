//! The report of S1: tables, curves, and the chart of results.

use super::{Networks, S1Config, StageFigures};
use crate::arena::FinishedMatch;
use crate::eval::xiangqi::TRADITIONAL;
use crate::experiment::agreement::{Compared, ScoreEstimate, Trend, agreement, paper_cells};
use crate::experiment::contest::{game_table, match_table};
use crate::experiment::contract::{Context, Findings};
use crate::games::xiangqi::{PIECE_VALUES, Role, Xiangqi};
use crate::net::{Net, Network};
use crate::report::matches::{chart, score_cell};
use crate::report::{Cell, Field, Table};
use crate::runs::Figure;
use crate::runs::training::{Data, Learned, curve_plot, curve_table};
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
            .data("curves", &curve_table(networks.all().map(Learned::named_curve)))
            .data("games", &game_table(matches))
            .file("rules.md", rules_page(networks))
            .headline(headline(networks, matches))
    }

    fn heading(&self, context: &Context<'_>) -> [String; 6] {
        let (config, data) = (self.config, self.data);
        let [(games, positions), (held_out_games, held_out)] = data.counts();
        let weights: Vec<String> = data.baselines.material_weights.iter().map(|&(v, w)| piece_weight(v, w)).collect();
        [
            format!("games: {}; seed {}", context.sources(), config.seed),
            format!(
                "split by game: {games} games with {positions} positions to train on, {held_out_games} games with {held_out} \
                 positions held out; positions from ply {} on; {:.1} % of the held-out positions occur in training games too",
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
    let numbers: [Field<StageFigures>; 10] = [
        ("games in", |stage| stage.games_in.into()),
        ("kept", |stage| stage.games_kept.into()),
        ("kept in S1", |stage| (stage.games_in == PAPER_KEPT.0).then_some(PAPER_KEPT.1).into()),
        ("too short", |stage| stage.too_short.into()),
        ("positions", |stage| stage.positions.into()),
        ("classes U/IND(C)", |stage| stage.classes.into()),
        ("gamma(C)", |stage| Cell::real(stage.gamma.value(), 4)),
        ("reduct size", |stage| stage.reduct.len().into()),
        ("classes U/IND(R)", |stage| stage.reduct_classes.into()),
        ("gamma(R)", |stage| Cell::real(stage.reduct_gamma.value(), 4)),
    ];
    Table::of("Reduction of the training games", stages, &[], &numbers)
}

fn reduct_table(stages: &[StageFigures]) -> Table {
    let rows = stages.iter().map(|stage| [stage.games_in.into(), stage.reduct.join(" ").into()]);
    let caption = "Reducts (positive region, backward elimination)";
    Table::new(caption, &[], &["games in"]).and_names(["reduct"]).with_rows(rows)
}

/// Held-out mean squared error before training and after each pass.
fn error_table(data: &Data, networks: &Networks) -> Table {
    let passes = networks.all().filter_map(|one| one.curve.last()).map(|point| point.pass as usize).max().unwrap_or(0);
    let after = (0..=passes).map(|pass| format!("mse after {pass}"));
    let networks = networks.all().map(|one| {
        let at = |pass: usize| one.curve.iter().find(|point| (point.pass - pass as f64).abs() < 1e-9);
        let errors = (0..=passes).map(move |pass| at(pass).map(|point| Cell::real(point.held_out_mse, 4)).into());
        let shape =
            [one.name.as_str().into(), n_inputs(&one.net).into(), one.n_weights().into(), one.n_positions.into()];
        shape.into_iter().chain(errors)
    });
    let baselines = &data.baselines;
    let baselines = [("material, linear", baselines.material_mse), ("constant", baselines.constant_mse)];
    let baselines = baselines.map(|(name, mse)| {
        let shape = [name.into(), Cell::Missing, Cell::Missing, data.training.len().into()];
        shape.into_iter().chain((0..passes).map(|_| Cell::Missing)).chain([Cell::real(mse, 4)])
    });
    let caption = "Mean squared error of held-out results, by passes";
    let empty = Table::new(caption, &["method"], &["inputs", "weights", "positions"]).and_numbers(after);
    empty.with_rows(networks).with_rows(baselines)
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
    let rows = stages.iter().zip(matches).map(|(stage, one)| {
        let (wdl, pairs) = first_games(one, n_games);
        let paper = paper_cells(paper_of(stage.games_in), |wdl| [wdl.wins, wdl.losses, wdl.draws]);
        let ours = [stage.games_in as u64, wdl.wins, wdl.losses, wdl.draws].map(Cell::from);
        ours.into_iter().chain([score_cell(wdl)]).chain(paper).chain([pairs.elo().to_string().into()])
    });
    let ours = ["training games", "won", "lost", "drawn", "score %"];
    let paper = ["S1 won", "S1 lost", "S1 drawn", "S1 score %"];
    Table::new(caption, &[], &ours).and_numbers(paper).and_names(["Elo ± 95 %"]).with_rows(rows)
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
