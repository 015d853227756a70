//! The report of S1: Table 1 with our figures beside the paper's, reduction, errors, curves.

use super::S1Config;
use super::reading::{Reading, Readout, Stage, StageFigures};
use crate::arena::{FinishedMatch, MatchResult};
use crate::experiment::agreement::{
    Compared, ScoreEstimate, Trend, agreement, paper_cells, score_curves, score_series,
};
use crate::experiment::contest::{game_table, match_table};
use crate::experiment::contract::{Context, Findings};
use crate::games::xiangqi::{PIECE_VALUES, Role, Xiangqi};
use crate::net::{Net, Network};
use crate::report::{Cell, Curves, Field, Table};
use crate::runs::Figure;
use crate::runs::training::{Learned, curve_plot, curve_table};
use crate::stats::{Pentanomial, Wdl};

/// What S1 kept of its first 2000 games (§3.3): `(games in, games kept)`.
const PAPER_KEPT: (usize, usize) = (2000, 1423);

/// Table 1 of S1: training games, and the results of 100 games each against the traditional evaluator.
const PAPER_TABLE_1: [(usize, Wdl); 3] =
    [(2000, Wdl::new(19, 22, 59)), (4000, Wdl::new(23, 28, 49)), (6000, Wdl::new(29, 33, 38))];

/// The reducts of the granularity that is usual.
const USUAL_REDUCT: &str = "positive region, backward elimination";

/// The search that targets come from, as the profiles describe it.
const USUAL_SEARCH: &str = "by the traditional evaluator, 4 plies deep";

/// The games of a cell in Table 1 of S1.
const PAPER_GAMES: usize = 100;

fn paper_of(training_games: usize) -> Option<Wdl> {
    PAPER_TABLE_1.iter().find(|(games, _)| *games == training_games).map(|(_, wdl)| *wdl)
}

/// The name of a reading, and what the reduction did at one of its stages.
type ReadingStage<'a> = (&'a str, &'a StageFigures);

/// One cell of Table 1: a number of training games in one reading, against one opponent.
struct StageCell<'a> {
    opponent: &'a str,
    reading: &'a str,
    games_in: usize,
    rough: &'a MatchResult,
    /// BP and TD(λ) trained on the same games, against the same opponent.
    beside: [Option<&'a MatchResult>; 2],
}

/// What the report is made of.
pub(crate) struct S1Report<'a> {
    config: &'a S1Config,
    readouts: &'a [Readout<'a>],
    matches: &'a [FinishedMatch<Xiangqi>],
    /// By opponent, reading, and number of training games.
    cells: Vec<StageCell<'a>>,
}

impl<'a> S1Report<'a> {
    /// The report of a run whose matches have been played.
    pub fn new(config: &'a S1Config, readouts: &'a [Readout<'a>], matches: &'a [FinishedMatch<Xiangqi>]) -> Self {
        let between = |one: &Learned, opponent: &str| {
            let is_it = |result: &&MatchResult| result.names[0] == one.name && result.names[1] == opponent;
            matches.iter().map(|one| &one.result).find(is_it)
        };
        let of_reading = |opponent: &'a str, readout: &'a Readout<'a>| {
            readout.stages.iter().filter_map(move |stage| {
                let beside = [&stage.bp, &stage.td].map(|one| between(one.as_ref()?, opponent));
                let (reading, games_in) = (readout.name, stage.figures.games_in);
                Some(StageCell { opponent, reading, games_in, rough: between(&stage.rough, opponent)?, beside })
            })
        };
        let against = |opponent: &'a String| readouts.iter().flat_map(move |readout| of_reading(opponent, readout));
        Self { config, readouts, matches, cells: config.opponents.iter().flat_map(against).collect() }
    }

    /// The page that shows it all. Table 1 is of as many games as the paper played, and of all if there are more.
    pub fn findings(&self, context: &Context<'_>) -> Findings {
        let &Self { config, readouts, matches, .. } = self;
        let mut findings = Findings::titled("S1: a rough neural network as evaluator of a Xiangqi program")
            .points(self.heading(context))
            .table("table-1", self.table_1(PAPER_GAMES));
        if config.matches.games > PAPER_GAMES {
            findings = findings.table("table-1-all", self.table_1(usize::MAX));
        }
        for (opponent, remarks) in self.agreements() {
            let what = format!("Table 1 against {opponent}, of all games, beside the paper's:");
            findings = findings.remarks_on(&what, remarks);
        }
        for (index, opponent) in config.opponents.iter().enumerate() {
            let name = format!("table-1-{}", index + 1);
            findings = findings.picture(&name, &format!("Table 1 against {opponent}"), self.table_1_curves(opponent));
        }
        findings = findings
            .table("reduction", self.reduction_table())
            .detail("reducts", &self.reduct_table())
            .table("errors", self.error_table())
            .table("matches", match_table("Matches", matches));
        for readout in readouts {
            let name = readout.name;
            let curves = curve_plot(&format!("S1, {name}: learning curves"), readout.networks(), &readout.data);
            findings = findings.picture(&format!("curves-{name}"), &format!("learning curves, {name}"), curves);
        }
        findings
            .data("curves", &curve_table(self.networks().map(Learned::named_curve)))
            .data("games", &game_table(matches))
            .file("rules.md", self.rules_page())
            .headline(self.headline())
    }

    fn networks(&self) -> impl Iterator<Item = &'a Learned> {
        self.readouts.iter().flat_map(Readout::networks)
    }

    fn heading(&self, context: &Context<'_>) -> Vec<String> {
        let config = self.config;
        let mut points = vec![format!("games: {}; seed {}", context.sources(), config.seed)];
        points.extend(self.readouts.iter().map(about_reading));
        points.extend([
            config.matches.heading(),
            "the traditional evaluator's position tables were fitted on expert games, the held-out ones among them"
                .to_owned(),
            "the papers' own database was never published, so figures are comparable in kind, not in value".to_owned(),
        ]);
        points
    }

    fn reduction_table(&self) -> Table {
        let names: [Field<ReadingStage<'_>>; 1] = [("reading", |(reading, _)| (*reading).into())];
        let numbers: [Field<ReadingStage<'_>>; 10] = [
            ("games in", |(_, stage)| stage.games_in.into()),
            ("kept", |(_, stage)| stage.games_kept.into()),
            ("kept in S1", |(_, stage)| (stage.games_in == PAPER_KEPT.0).then_some(PAPER_KEPT.1).into()),
            ("no position", |(_, stage)| stage.without_positions.into()),
            ("positions", |(_, stage)| stage.positions.into()),
            ("classes U/IND(C)", |(_, stage)| stage.classes.into()),
            ("gamma(C)", |(_, stage)| Cell::real(stage.gamma.value(), 4)),
            ("reduct size", |(_, stage)| stage.reduct.len().into()),
            ("classes U/IND(R)", |(_, stage)| stage.reduct_classes.into()),
            ("gamma(R)", |(_, stage)| Cell::real(stage.reduct_gamma.value(), 4)),
        ];
        let rows: Vec<ReadingStage<'_>> = self.figures().collect();
        Table::of("Reduction of the training games", &rows, &names, &numbers)
    }

    fn reduct_table(&self) -> Table {
        let rows = self.readouts.iter().flat_map(|Readout { name, data, stages, .. }| {
            stages.iter().map(|Stage { figures, .. }| {
                let names: Vec<&str> = figures.reduct.iter().map(|&at| data.specs[at].name.as_str()).collect();
                [(*name).into(), figures.games_in.into(), names.join(" ").into()]
            })
        });
        Table::new(self.reducts_caption(), &["reading"], &["games in"]).and_names(["reduct"]).with_rows(rows)
    }

    /// What the reducts are, each kind once.
    fn reducts_caption(&self) -> String {
        let mut kinds = Vec::new();
        for granularity in self.readouts.iter().map(|readout| &readout.reading.granularity) {
            let stated = || format!("{}: {}", granularity.name, granularity.reduct_text());
            let kind = if granularity.is_usual() { USUAL_REDUCT.to_owned() } else { stated() };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        format!("Reducts ({})", kinds.join("; "))
    }

    fn figures(&self) -> impl Iterator<Item = ReadingStage<'a>> {
        self.readouts.iter().flat_map(|readout| readout.stages.iter().map(|stage| (readout.name, &stage.figures)))
    }

    /// Held-out mean squared error before training and after each pass.
    fn error_table(&self) -> Table {
        let passes = self.networks().filter_map(|one| one.curve.last()).map(|point| point.pass as usize).max();
        let passes = passes.unwrap_or(0);
        let after = (0..=passes).map(|pass| format!("mse after {pass}"));
        let networks = self.networks().map(|one| {
            let at = |pass: usize| one.curve.iter().find(|point| (point.pass - pass as f64).abs() < 1e-9);
            let errors = (0..=passes).map(move |pass| at(pass).map(|point| Cell::real(point.held_out_mse, 4)).into());
            let shape =
                [one.name.as_str().into(), n_inputs(&one.net).into(), one.n_weights().into(), one.n_positions.into()];
            shape.into_iter().chain(errors)
        });
        let baselines = self.readouts.iter().flat_map(|Readout { name, data, .. }| {
            let errors = &data.baselines;
            [("material, linear", errors.material_mse), ("constant", errors.constant_mse)].map(|(baseline, mse)| {
                let name = format!("{name} {baseline}").into();
                let shape = [name, Cell::Missing, Cell::Missing, data.training.len().into()];
                shape.into_iter().chain((0..passes).map(|_| Cell::Missing)).chain([Cell::real(mse, 4)])
            })
        });
        let caption = "Mean squared error of held-out results, by passes";
        let empty = Table::new(caption, &["method"], &["inputs", "weights", "positions"]).and_numbers(after);
        empty.with_rows(networks).with_rows(baselines)
    }

    /// Table 1 from the first `n_games` games of each match, with the networks trained beside each cell.
    fn table_1(&self, n_games: usize) -> Table {
        let games = self.config.matches.games.min(n_games);
        let which = if n_games == usize::MAX { "all" } else { "the first" };
        let caption = format!("S1 Table 1: the rough network against built-in evaluators, {which} {games} games");
        let rows = self.cells.iter().map(|cell| {
            let (wdl, score) = first_games(cell.rough, n_games);
            let paper = paper_cells(paper_of(cell.games_in));
            let [bp, td] = cell.beside.map(|result| match result {
                Some(result) => first_games(result, n_games).1.cells(1),
                None => [Cell::Missing, Cell::Missing],
            });
            let names = [cell.opponent.into(), cell.reading.into(), Cell::from(cell.games_in)];
            let counts = [wdl.wins, wdl.draws, wdl.losses].map(Cell::from);
            names.into_iter().chain(counts).chain(score.cells(1)).chain(paper).chain(bp).chain(td)
        });
        let ours = ["training games", "won", "drawn", "lost", "score %", "± %"];
        let paper = ["S1 won", "S1 drawn", "S1 lost", "S1 score %"];
        let beside = ["BP score %", "BP ± %", "TD score %", "TD ± %"];
        Table::new(caption, &["opponent", "reading"], &ours).and_numbers(paper).and_numbers(beside).with_rows(rows)
    }

    /// The cells against `opponent`, one row of them a reading.
    fn rows_against(&self, opponent: &str) -> impl Iterator<Item = (&'a str, Vec<&StageCell<'a>>)> {
        let cells: Vec<_> = self.cells.iter().filter(|cell| cell.opponent == opponent).collect();
        self.readouts.iter().map(move |Readout { name, .. }| {
            (*name, cells.iter().copied().filter(|cell| cell.reading == *name).collect())
        })
    }

    fn table_1_curves(&self, opponent: &str) -> Curves {
        let ours = self.rows_against(opponent).map(|(reading, cells)| {
            let score = |cell: &&StageCell<'_>| (cell.games_in as f64, ScoreEstimate::of_match(cell.rough));
            score_series(reading, &cells.iter().map(score).collect::<Vec<_>>())
        });
        let paper = PAPER_TABLE_1.map(|(games, wdl)| (games as f64, ScoreEstimate::of_counts(wdl)));
        let series = ours.chain([score_series("S1", &paper)]).collect();
        score_curves(format!("S1 Table 1: the rough network against {opponent}"), "training games", series)
    }

    /// Table 1, of all games, beside the paper's: sentences for each opponent and reading.
    fn agreements(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        let against = |opponent: &String| {
            let sentences = |(reading, cells): (&str, Vec<&StageCell<'_>>)| {
                let compared = cells.into_iter().filter_map(|cell| {
                    let paper = ScoreEstimate::of_counts(paper_of(cell.games_in)?);
                    let name = format!("{} training games", cell.games_in);
                    Some(Compared { name, ours: ScoreEstimate::of_match(cell.rough), paper })
                });
                let compared: Vec<Compared> = compared.collect();
                let growing = Trend { name: "training games".to_owned(), cells: (0..compared.len()).collect() };
                let sentences = agreement(&compared, &[growing]).into_iter();
                sentences.map(|sentence| format!("{reading}: {sentence}")).collect::<Vec<_>>()
            };
            (opponent.clone(), self.rows_against(opponent).flat_map(sentences).collect())
        };
        self.config.opponents.iter().map(against)
    }

    /// The score of each network against each opponent, and each network's held-out error.
    fn headline(&self) -> Vec<Figure> {
        let results = self.matches.iter().map(|one| &one.result);
        let against = results.filter(|result| self.config.opponents.contains(&result.names[1]));
        let score = |result: &MatchResult| {
            let [name, opponent] = &result.names;
            (format!("score % {name} against {opponent}"), ScoreEstimate::of_match(result).percent())
        };
        let errors = |one: &Learned| Some((format!("mse {}", one.name), one.curve.last()?.held_out_mse));
        against.map(score).chain(self.networks().filter_map(errors)).collect()
    }

    /// The rules behind the neurons of the rough networks.
    fn rules_page(&self) -> String {
        let mut page = String::from("# Rules of the rough networks\n");
        for one in self.networks().filter(|one| !one.about.rules.is_empty()) {
            page.push_str(&format!("\n## {} (features {})\n\n", one.name, one.about.features));
            one.about.rules.iter().for_each(|rule| page.push_str(&format!("* {rule}\n")));
        }
        page
    }
}

/// What a reading is, with the search that it has in place of that of the profiles.
fn description(Reading { about, data, .. }: &Reading) -> String {
    let Some(teacher) = &data.teacher else { return about.clone() };
    let actual = format!("by the {} evaluator, {} plies deep", teacher.evaluator, teacher.depth);
    about.replace(USUAL_SEARCH, &actual)
}

/// What a reading works with, in a line.
fn about_reading(Readout { name, reading, data, .. }: &Readout<'_>) -> String {
    let [(_, positions), (held_out_games, held_out)] = data.counts();
    let weights: Vec<String> = data.baselines.material_weights.iter().map(|&(v, w)| piece_weight(v, w)).collect();
    format!(
        "{name}: {}; features {}, positions from ply {} on; {} games with {positions} positions to train on{}, {held_out_games} \
         games with {held_out} positions held out, of which {:.1} % occur in training games too; linear fit of material, expected \
         result of one piece more: {}",
        description(reading),
        data.features,
        reading.data.selection.skip_plies,
        data.training.n_played(),
        if data.training.n_played() < data.training.games().len() { ", images included" } else { "" },
        100.0 * data.shared_positions(),
        weights.join(", ")
    )
}

/// The weight of one piece more, by the name of the piece that has this value.
fn piece_weight(value: i32, weight: f64) -> String {
    let role = Role::ALL.into_iter().find(|role| PIECE_VALUES[*role as usize] == value);
    format!("{} {weight:+.3}", role.map_or_else(|| value.to_string(), |role| role.name().to_owned()))
}

fn n_inputs(net: &Net) -> usize {
    match net {
        Net::Dense(net) => net.coding().n_attributes(),
        Net::Rough(net) => net.inputs().len(),
        Net::Tree(net) => net.n_inputs(),
    }
}

/// The results of the first `n_games` games of a match, and their score.
fn first_games(result: &MatchResult, n_games: usize) -> (Wdl, ScoreEstimate) {
    let rows = &result.rows[..n_games.min(result.rows.len())];
    let mut wdl = Wdl::default();
    rows.iter().for_each(|row| wdl.record(row.result_a));
    let pairs = rows.chunks_exact(2).map(|pair| (pair[0].result_a, pair[1].result_a));
    (wdl, ScoreEstimate::of_pairs(wdl, &Pentanomial::of_pairs(pairs)))
}
