//! MTD(f) with S2's three steps beside alpha-beta: null-window searches, nodes and time by depth (S2 §2.3).
//!
//! S2 compares step 0, a fixed step and an adaptive one on its Connect6 program and reports the outcome in words; here all of
//! them search the same Xiangqi positions, once with nothing on that changes a value, where all must agree, and once with all
//! heuristics.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::manifest::{FileError, Manifest, write_file};
use crate::arena::{OpeningSettings, OpeningsError, draw_openings};
use crate::eval::xiangqi::{LoadError, TRADITIONAL, factory};
use crate::eval::{Evaluator, Score};
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Cell, Curves, PlotError, Series, Table};
use crate::search::{AlphaBeta, Control, Driver, Iteration, Limits, SearchSettings, SettingsError, Stopper};
use crate::setting::{SettingError, require};

/// The drivers that are compared, with their names in tables.
pub const DRIVERS: [(Driver, &str); 4] = [
    (Driver::AlphaBeta, "alpha-beta"),
    (Driver::MtdfZero, "MTD(f), step 0"),
    (Driver::MtdfFixed, "MTD(f), fixed step"),
    (Driver::MtdfAdaptive, "MTD(f), adaptive step"),
];

/// Half of the positions stand after this many plies of a game, the other half after three times as many.
const PLIES: usize = 14;

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MtdfStepsConfig {
    /// Seed of the draw of positions.
    pub seed: u64,
    /// How many positions are searched, in [2, 100000].
    pub positions: usize,
    /// The depth of the searches with nothing on that changes a value, in plies, in [1, 20].
    pub exact_depth: u32,
    /// The depth of the searches with all heuristics, in plies, in [1, 20].
    pub depth: u32,
    /// The fixed step, in points.
    pub step: u32,
    /// Size of the transposition table, in MiB.
    pub transposition_mb: usize,
}

impl Default for MtdfStepsConfig {
    fn default() -> Self {
        let step = SearchSettings::default().mtdf_step;
        Self { seed: 1, positions: 200, exact_depth: 5, depth: 9, step, transposition_mb: 16 }
    }
}

impl MtdfStepsConfig {
    fn check(&self) -> Result<(), MtdfStepsError> {
        require((2..=100_000).contains(&self.positions), "--positions", "in [2, 100000]", self.positions)?;
        require((1..=20).contains(&self.exact_depth), "--exact-depth", "in [1, 20]", self.exact_depth)?;
        require((1..=20).contains(&self.depth), "--depth", "in [1, 20]", self.depth)?;
        self.searches().into_iter().try_for_each(|search| Ok(search.settings.check()?))
    }

    /// The two kinds of search.
    fn searches(&self) -> [Search; 2] {
        let with =
            |settings| SearchSettings { mtdf_step: self.step, transposition_mb: self.transposition_mb, ..settings };
        let exact = SearchSettings { quiescence: true, quiescence_plies: 32, ..SearchSettings::exact() };
        [
            Search { name: "exact", settings: with(exact), depth: self.exact_depth },
            Search { name: "heuristics", settings: with(SearchSettings::default()), depth: self.depth },
        ]
    }
}

/// One kind of search, whatever the driver.
#[derive(Debug, Clone, Copy)]
struct Search {
    name: &'static str,
    settings: SearchSettings,
    depth: u32,
}

/// Why the experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum MtdfStepsError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A setting of the search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// The positions could not be drawn.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The evaluator could not be made.
    #[error(transparent)]
    Evaluator(#[from] LoadError),
    /// Drivers that must find one value found several.
    #[error("{driver} at depth {depth} of `{position}`: expected the value {expected} of alpha-beta, found {found}")]
    Disagree {
        /// The driver.
        driver: &'static str,
        /// The depth, in plies.
        depth: u32,
        /// The position, as FEN.
        position: String,
        /// The value by alpha-beta.
        expected: Score,
        /// The value by the driver.
        found: Score,
    },
    /// The picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What one iteration cost.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    score: Score,
    null_windows: u64,
    nodes: u64,
    time: Duration,
}

/// Costs summed over positions, by depth.
type Costs = BTreeMap<u32, (u64, Cost)>;

/// Searches positions drawn from `records` and writes the results into `folder`; `inputs` are name and SHA-256 of what the
/// records were read from. Gives the tables: those that are the same on every run, and last the times.
///
/// # Errors
/// When a setting is outside its range, drivers disagree where they must not, or a file cannot be written.
pub fn run(
    config: &MtdfStepsConfig,
    (records, inputs): (&[GameRecord<Xiangqi>], &[(String, String)]),
    folder: &Path,
    observer: &dyn Observer,
) -> Result<Vec<Table>, MtdfStepsError> {
    config.check()?;
    let create = |source| FileError { action: "create", path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(create)?;
    let positions = positions(config, records)?;
    let mut outcomes = Vec::new();
    for search in config.searches() {
        outcomes.push((search, compare(&search, &positions, observer)?));
    }
    let tables: Vec<Table> = outcomes.iter().map(|(search, costs)| table_of(search, costs, positions.len())).collect();
    let times: Vec<Table> = outcomes.iter().map(|(search, costs)| times_of(search, costs)).collect();
    write(config, inputs, folder, (&outcomes, &tables, &times))?;
    Ok(tables.into_iter().chain(times).collect())
}

/// Half of the positions early, half later in the games.
fn positions(config: &MtdfStepsConfig, records: &[GameRecord<Xiangqi>]) -> Result<Vec<Xiangqi>, MtdfStepsError> {
    let draw = |count, plies| {
        let settings = OpeningSettings { count, plies, seed: config.seed };
        Ok::<_, MtdfStepsError>(draw_openings(records, settings)?.into_iter().map(|opening| opening.position()))
    };
    let early = draw(config.positions - config.positions / 2, PLIES)?;
    // The initial position comes first in every draw, and is wanted once.
    let late = draw(config.positions / 2 + 1, 3 * PLIES)?.skip(1);
    Ok(early.chain(late).collect())
}

/// The costs of every driver, in the order of [`DRIVERS`].
fn compare(search: &Search, positions: &[Xiangqi], observer: &dyn Observer) -> Result<Vec<Costs>, MtdfStepsError> {
    let make = factory(TRADITIONAL)?;
    observer.begin(search.name, positions.len() as u64);
    let searched: Vec<Vec<Vec<Cost>>> = positions
        .par_iter()
        .map(|position| {
            let costs = DRIVERS.map(|(driver, _)| iterations(position, make(), search, driver));
            observer.advance(1);
            costs.to_vec()
        })
        .collect();
    observer.end();
    if search.name == "exact" {
        positions.iter().zip(&searched).try_for_each(|(position, costs)| check_agreement(position, costs))?;
    }
    Ok((0..DRIVERS.len()).map(|driver| total(searched.iter().map(|costs| &costs[driver]))).collect())
}

/// What each iteration of one search cost.
fn iterations(
    position: &Xiangqi,
    evaluator: Box<dyn Evaluator<Xiangqi>>,
    search: &Search,
    driver: Driver,
) -> Vec<Cost> {
    let mut searcher = AlphaBeta::new(SearchSettings { driver, ..search.settings });
    let Ok(limits) = Limits::to_depth(search.depth) else { return Vec::new() };
    let mut sums = vec![Cost::default()];
    let mut report = |iteration: Iteration<'_, _>| {
        sums.push(Cost {
            score: iteration.score,
            null_windows: u64::from(iteration.null_windows),
            nodes: iteration.nodes,
            time: iteration.elapsed,
        });
    };
    let mut control = Control { stopper: &Stopper::new(), excluded: &[], lines: 1, report: &mut report };
    searcher.search_with(&mut position.clone(), &mut [evaluator], limits, &mut control);
    let difference = |pair: &[Cost]| Cost {
        score: pair[1].score,
        null_windows: pair[1].null_windows - pair[0].null_windows,
        nodes: pair[1].nodes - pair[0].nodes,
        time: pair[1].time.saturating_sub(pair[0].time),
    };
    sums.windows(2).map(difference).collect()
}

fn check_agreement(position: &Xiangqi, costs: &[Vec<Cost>]) -> Result<(), MtdfStepsError> {
    use crate::game::Game;
    for ((_, driver), found) in DRIVERS.iter().zip(costs) {
        for (depth, (expected, found)) in (1..).zip(costs[0].iter().zip(found)) {
            if expected.score != found.score {
                let (position, expected, found) = (position.notation(), expected.score, found.score);
                return Err(MtdfStepsError::Disagree { driver, depth, position, expected, found });
            }
        }
    }
    Ok(())
}

fn total<'c>(searches: impl Iterator<Item = &'c Vec<Cost>>) -> Costs {
    let mut costs = Costs::new();
    for search in searches {
        for (depth, cost) in (1..).zip(search) {
            let (count, sum) = costs.entry(depth).or_default();
            *count += 1;
            sum.null_windows += cost.null_windows;
            sum.nodes += cost.nodes;
            sum.time += cost.time;
        }
    }
    costs
}

fn mean(sum: f64, count: u64, digits: usize) -> Cell {
    Cell::real(sum / count.max(1) as f64, digits)
}

/// One row a depth and driver.
fn rows(costs: &[Costs]) -> impl Iterator<Item = (u32, &'static str, u64, Cost)> + '_ {
    let depths = costs.first().into_iter().flat_map(|costs| costs.keys().copied());
    depths.flat_map(move |depth| {
        let of_driver = move |((_, name), costs): (&(Driver, &'static str), &Costs)| {
            costs.get(&depth).map(|&(count, sum)| (depth, *name, count, sum))
        };
        DRIVERS.iter().zip(costs).filter_map(of_driver)
    })
}

fn table_of(search: &Search, costs: &[Costs], positions: usize) -> Table {
    let caption = format!("{}: means of each iteration over {positions} positions", title(search));
    let mut table = Table::new(caption, &["driver"], &["depth", "searches", "null windows", "nodes"]);
    for (depth, name, count, sum) in rows(costs) {
        let (windows, nodes) = (mean(sum.null_windows as f64, count, 2), mean(sum.nodes as f64, count, 0));
        table.push([name.into(), u64::from(depth).into(), count.into(), windows, nodes]);
    }
    table
}

fn times_of(search: &Search, costs: &[Costs]) -> Table {
    let caption = format!("{}: mean time of each iteration", title(search));
    let mut table = Table::new(caption, &["driver"], &["depth", "ms"]);
    for (depth, name, count, sum) in rows(costs) {
        table.push([name.into(), u64::from(depth).into(), mean(1000.0 * sum.time.as_secs_f64(), count, 3)]);
    }
    table
}

fn title(search: &Search) -> &'static str {
    if search.name == "exact" { "Nothing on that changes a value" } else { "All heuristics on" }
}

/// What there is to write: the costs with the tables of counts and of times.
type Written<'a> = (&'a [(Search, Vec<Costs>)], &'a [Table], &'a [Table]);

/// Writes everything, and the manifest over all but the times, which are another on every run.
fn write(
    config: &MtdfStepsConfig,
    inputs: &[(String, String)],
    folder: &Path,
    (outcomes, tables, times): Written<'_>,
) -> Result<(), MtdfStepsError> {
    let mut texts = vec![
        ("config.toml".to_owned(), toml::to_string(config).unwrap_or_default()),
        ("tables.md".to_owned(), page(config, tables)),
    ];
    texts.extend(
        outcomes.iter().zip(tables).map(|((search, _), table)| (format!("{}.csv", search.name), table.to_csv())),
    );
    for (name, text) in &texts {
        write_file(&folder.join(name), text.as_bytes())?;
    }
    let mut outputs: Vec<String> = texts.into_iter().map(|(name, _)| name).collect();
    for (search, costs) in outcomes {
        let name = format!("{}.svg", search.name);
        windows_by_depth(search, costs).render(&folder.join(&name))?;
        outputs.push(name);
    }
    let measured: String = times.iter().map(|table| table.to_markdown() + "\n").collect();
    let note = "# Times\n\nMeasured on one machine on one day: not part of the manifest, and another on every run.\n\n";
    write_file(&folder.join("times.md"), (note.to_owned() + &measured).as_bytes())?;
    let manifest = Manifest {
        experiment: "mtdf-steps".to_owned(),
        program: crate::PROGRAM.to_owned(),
        seed: config.seed,
        settings: serde_json::to_value(config).unwrap_or_default(),
        inputs: inputs.to_vec(),
        outputs: Vec::new(),
    };
    Ok(manifest.write(folder, &outputs)?)
}

/// How many null windows each step of MTD(f) takes.
fn windows_by_depth(search: &Search, costs: &[Costs]) -> Curves {
    let point = |(&depth, &(count, sum)): (&u32, &(u64, Cost))| {
        (f64::from(depth), sum.null_windows as f64 / count.max(1) as f64)
    };
    let of_mtdf = DRIVERS.iter().zip(costs).filter(|((driver, _), _)| *driver != Driver::AlphaBeta);
    Curves {
        title: format!("{}: searches of a null window at the root", title(search)),
        x_label: "depth, plies".to_owned(),
        y_label: "searches, mean over positions".to_owned(),
        series: of_mtdf.map(|((_, name), costs)| Series::new(*name, costs.iter().map(point).collect())).collect(),
        levels: Vec::new(),
    }
}

fn page(config: &MtdfStepsConfig, tables: &[Table]) -> String {
    let tables: String = tables.iter().map(|table| table.to_markdown() + "\n").collect();
    format!(
        "# MTD(f) and its step\n\n\
         * {} positions from games, half after {PLIES} plies and half after {}, seed {}; traditional evaluator; table of {} MiB, \
         empty at first\n\
         * each search deepens ply by ply; the first guess of an iteration is the value of the one before\n\
         * step 0: windows next to the last bound; fixed: {} points further (S2's 150,000 where its values end at \
         1,000,000,000 and ours at 1,000,000); adaptive: the value of the last iteration further\n\
         * with nothing on that changes a value all drivers found the same value at every depth of every position\n\
         * iterations stop early where the game's end is forced, so deeper rows count fewer searches\n\n\
         {tables}![null windows, exact](exact.svg)\n\n![null windows, heuristics](heuristics.svg)\n",
        config.positions,
        3 * PLIES,
        config.seed,
        config.transposition_mb,
        config.step,
    )
}
