//! The report of S5: its Tables 1 to 7 with our figures beside the paper's, learning curves, and the chart of results.

use super::{Size, TdXiangqiConfig};
use crate::arena::{FinishedMatch, MatchResult};
use crate::experiment::agreement::{Compared, ScoreEstimate, Trend, agreement, paper_cells};
use crate::experiment::contest::{game_table, match_table};
use crate::experiment::contract::{Context, Findings};
use crate::games::xiangqi::Xiangqi;
use crate::report::matches::{bar, elo_cell};
use crate::report::{Bar, Bars, Cell, Curves, Series, Table};
use crate::runs::training::{Data, baseline_levels};
use crate::settings::counted;
use crate::stats::Wdl;
use crate::train::{CurvePoint, UpdateTime};

/// Tables 4 to 7 of S5: hidden neurons, and the results of 1000 games after one, two and three passes.
const PAPER: [(usize, [Wdl; 3]); 4] = [
    (30, [Wdl::new(9, 20, 971), Wdl::new(11, 29, 960), Wdl::new(10, 28, 962)]),
    (50, [Wdl::new(13, 32, 955), Wdl::new(26, 30, 944), Wdl::new(13, 32, 955)]),
    (80, [Wdl::new(12, 52, 936), Wdl::new(32, 51, 917), Wdl::new(37, 45, 918)]),
    (100, [Wdl::new(19, 64, 917), Wdl::new(30, 65, 905), Wdl::new(28, 55, 917)]),
];

/// The number of the paper's first table by size; those before it are by passes.
const FIRST_BY_SIZE: usize = 4;

/// One network of the experiment: its size, its passes, and its match.
struct CellOf<'a> {
    hidden: usize,
    passes: usize,
    result: &'a MatchResult,
}

impl CellOf<'_> {
    fn name(&self) -> String {
        super::network_name(self.hidden, self.passes)
    }

    fn paper(&self) -> Option<Wdl> {
        let (_, by_pass) = PAPER.iter().find(|(hidden, _)| *hidden == self.hidden)?;
        by_pass.get(self.passes - 1).copied()
    }

    /// A row of a table, behind what the row is about.
    fn row(&self) -> impl Iterator<Item = Cell> {
        let (wdl, score) = (self.result.wdl, ScoreEstimate::of_match(self.result));
        let counts = [wdl.wins, wdl.draws, wdl.losses, wdl.games()].map(Cell::from);
        counts.into_iter().chain(score.cells(2)).chain(paper_cells(self.paper()))
    }
}

/// The headings that go with [`CellOf::row`].
const ROW: [&str; 10] =
    ["won", "drawn", "lost", "games", "score %", "± %", "S5 won", "S5 drawn", "S5 lost", "S5 score %"];

/// The page that shows it all: Tables 1 to 7, those by passes first, then all cells in one table.
pub fn findings(
    config: &TdXiangqiConfig,
    context: &Context<'_>,
    (data, sizes): (&Data, &[Size]),
    matches: &[FinishedMatch<Xiangqi>],
) -> Findings {
    let by_size = config.hidden.iter().flat_map(|&hidden| (1..=config.td.passes).map(move |passes| (hidden, passes)));
    let results = matches.iter().map(|one| &one.result);
    let cells = by_size.zip(results).map(|((hidden, passes), result)| CellOf { hidden, passes, result });
    let cells: Vec<CellOf<'_>> = cells.collect();
    let n_games = data.training.games().len();
    let findings = Findings::titled("S5: TD(λ) on expert games as evaluator of a Xiangqi program");
    let tables = numbered_tables(config, &cells).into_iter();
    let figure =
        |cell: &CellOf<'_>| (format!("score % {}", cell.name()), ScoreEstimate::of_match(cell.result).percent());
    tables
        .fold(findings.points(heading(config, context, data)), |findings, (name, table)| findings.table(&name, table))
        .table("cells", cell_table(sizes, &cells))
        .text("Beside the paper's figures, whose errors follow from counts of 1000 games taken as independent:")
        .remarks(agreement_of(config, &cells))
        .picture("curves", "learning curves", curve_plot(data, sizes, n_games))
        .picture("matches", "results of the matches", chart(config, &cells))
        .data("matches", &match_table("Matches", matches))
        .data("curves", &curve_table(sizes, n_games))
        .data("games", &game_table(matches))
        .headline(cells.iter().map(figure))
}

fn heading(config: &TdXiangqiConfig, context: &Context<'_>, data: &Data) -> [String; 7] {
    let TdXiangqiConfig { seed, td, opponent, matches, inputs, .. } = config;
    let [(_, positions), (held_out_games, held_out)] = data.counts();
    let games = data.training.n_played();
    let when = match td.update {
        UpdateTime::Game => "summed over each game",
        UpdateTime::Move => "applied after each move",
    };
    [
        format!("games: {}; seed {seed}", context.sources()),
        format!(
            "{games} games with {positions} positions to learn from, in the order of the database; {held_out_games} games \
             with {held_out} positions held out; features {}",
            data.features
        ),
        format!(
            "networks {}-N-1 with tanh over {inputs}, eq. (2) and (3) {when}; λ = {}, α from {} to {}, which S5 \
             does not state",
            data.specs.len(),
            td.lambda,
            td.alpha.first,
            td.alpha.last
        ),
        "networks of one size are stages of one run and share their initial weights".to_owned(),
        format!("opponent: `{opponent}`"),
        matches.heading(),
        "S5's database, opponent and depth were not published, so figures are comparable in kind, not in value"
            .to_owned(),
    ]
}

/// The tables of the paper, with the names of their files: by passes, then by size.
fn numbered_tables(config: &TdXiangqiConfig, cells: &[CellOf<'_>]) -> Vec<(String, Table)> {
    let by_passes = (1..=config.td.passes).map(|passes| {
        let number = (passes < FIRST_BY_SIZE).then_some(passes);
        let caption = format!("after {} over the database", counted(passes, "pass"));
        let rows = cells.iter().filter(move |cell| cell.passes == passes).map(|cell| (cell.hidden, cell));
        numbered(number, &format!("passes-{passes}"), &caption, "hidden neurons", rows)
    });
    let by_size = config.hidden.iter().map(|&hidden| {
        let number = PAPER.iter().position(|(known, _)| *known == hidden).map(|at| at + FIRST_BY_SIZE);
        let rows = cells.iter().filter(move |cell| cell.hidden == hidden).map(|cell| (cell.passes, cell));
        numbered(number, &format!("hidden-{hidden}"), &format!("{hidden} hidden neurons"), "passes", rows)
    });
    by_passes.chain(by_size).collect()
}

fn numbered<'c>(
    number: Option<usize>,
    name: &str,
    caption: &str,
    first: &str,
    rows: impl Iterator<Item = (usize, &'c CellOf<'c>)>,
) -> (String, Table) {
    let title = number.map(|number| format!("S5 Table {number}: ")).unwrap_or_default();
    let rows = rows.map(|(value, cell)| [value.into()].into_iter().chain(cell.row()));
    let table = Table::new(format!("{title}{caption}"), &[], &[first]).and_numbers(ROW).with_rows(rows);
    (number.map_or_else(|| name.to_owned(), |number| format!("table-{number}")), table)
}

fn cell_table(sizes: &[Size], cells: &[CellOf<'_>]) -> Table {
    let headings = ["hidden neurons", "passes", "score %", "± %", "S5 score %", "mean plies", "held-out mse"];
    let errors = sizes.iter().flat_map(|size| &size.after).map(|one| one.curve.last().map(|point| point.held_out_mse));
    let rows = cells.iter().zip(errors).map(|(cell, error)| {
        let [score, score_error] = ScoreEstimate::of_match(cell.result).cells(2);
        [
            elo_cell(cell.result.pentanomial.elo()),
            cell.hidden.into(),
            cell.passes.into(),
            score,
            score_error,
            cell.paper().map(|wdl| Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 2)).into(),
            Cell::real(cell.result.mean_plies, 0),
            error.map(|error| Cell::real(error, 4)).into(),
        ]
    });
    Table::new("All cells", &["Elo ± 95 %"], &headings).with_rows(rows)
}

/// Order and size of all cells that the paper has too, the trend with size after each pass, and that with passes at each size.
fn agreement_of(config: &TdXiangqiConfig, cells: &[CellOf<'_>]) -> Vec<String> {
    let known: Vec<&CellOf<'_>> = cells.iter().filter(|cell| cell.paper().is_some()).collect();
    let compared: Vec<Compared> = known
        .iter()
        .filter_map(|cell| {
            let paper = ScoreEstimate::of_counts(cell.paper()?);
            Some(Compared { name: cell.name(), ours: ScoreEstimate::of_match(cell.result), paper })
        })
        .collect();
    let which = |fits: &dyn Fn(&CellOf<'_>) -> bool| -> Vec<usize> {
        known.iter().enumerate().filter(|(_, cell)| fits(cell)).map(|(index, _)| index).collect()
    };
    let with_size = (1..=config.td.passes)
        .map(|passes| Trend { name: format!("N after {passes}"), cells: which(&|cell| cell.passes == passes) });
    let with_passes = config
        .hidden
        .iter()
        .map(|&hidden| Trend { name: format!("passes at N = {hidden}"), cells: which(&|cell| cell.hidden == hidden) });
    agreement(&compared, &with_size.chain(with_passes).collect::<Vec<_>>())
}

/// Every measurement of every size.
fn curve_table(sizes: &[Size], n_games: usize) -> Table {
    let numbers = ["hidden neurons", "pass", "games", "positions", "training_mse", "held_out_mse"];
    let row = |size: &Size, point: &CurvePoint| {
        let place = [size.hidden.into(), Cell::real(point.pass, 2), Cell::real(point.pass * n_games as f64, 0)];
        let errors = [point.training_mse, point.held_out_mse].map(|error| Cell::real(error, 5));
        place.into_iter().chain([point.positions.into()]).chain(errors)
    };
    let rows = sizes.iter().flat_map(|size| size.curve().iter().map(move |point| row(size, point)));
    Table::new("Learning curves", &[], &numbers).with_rows(rows)
}

fn curve_plot(data: &Data, sizes: &[Size], n_games: usize) -> Curves {
    let series = |size: &Size| {
        let points = size.curve().iter().map(|point| (point.pass * n_games as f64, point.held_out_mse)).collect();
        Series::new(format!("N = {}", size.hidden), points)
    };
    let labels = ["games learned from", "mean squared error, held-out games"];
    let series = sizes.iter().map(series).collect();
    Curves { levels: baseline_levels(data), ..Curves::new("S5: learning curves", labels, series) }
}

/// Each cell, and below it the paper's where there is one.
fn chart(config: &TdXiangqiConfig, cells: &[CellOf<'_>]) -> Bars {
    let bars = cells.iter().flat_map(|cell| {
        let paper = cell.paper().map(|wdl| Bar::of_games("in S5", wdl));
        [bar(cell.name(), cell.result)].into_iter().chain(paper)
    });
    Bars { title: format!("S5: networks trained by TD(λ) against {}", config.opponent), bars: bars.collect() }
}
