//! MTD(f) with S2's three steps beside alpha-beta on positions of any game: null-window searches, nodes and time by depth (S2 §2.3).
//!
//! S2 compares step 0, a fixed step and an adaptive one on its Connect6 program and reports the outcome in words; here all of
//! them search the same positions, once with nothing on that changes a value, where all must agree, and once with all
//! heuristics.

use std::collections::BTreeMap;
use std::time::Duration;

use rayon::prelude::*;

use super::contract::{ExperimentError, Findings};
use crate::arena::{OpeningSettings, OpeningsError, draw_openings};
use crate::eval::{Catalogue, Evaluator, Score};
use crate::game::BoardGame;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::Figure;
use crate::search::{AlphaBeta, Control, Driver, Iteration, Limits, SearchSettings, Stopper};
use crate::settings::{SettingError, require_in};

/// The drivers that are compared, with their names in tables.
const DRIVERS: [(Driver, &str); 4] = [
    (Driver::AlphaBeta, "alpha-beta"),
    (Driver::MtdfZero, "MTD(f), step 0"),
    (Driver::MtdfFixed, "MTD(f), fixed step"),
    (Driver::MtdfAdaptive, "MTD(f), adaptive step"),
];

/// Checks the number of positions, the fixed step, and the depths and the switches of both kinds of search.
pub(crate) fn check(positions: usize, step: u32, searches: &[StepSearch; 2]) -> Result<(), SettingError> {
    require_in("positions", 2..=100_000, positions)?;
    require_in("step", 1..=1_000_000, step)?;
    for (search, name) in searches.iter().zip(["exact_depth", "depth"]) {
        require_in(name, 1..=20, search.depth)?;
    }
    searches.iter().try_for_each(|search| search.settings.check())
}

/// `count` different positions of games: half of them after `plies` plies, half after three times as many.
pub(crate) fn draw_positions<G: BoardGame>(
    records: &[GameRecord<G>],
    (count, plies): (usize, usize),
    seed: u64,
) -> Result<Vec<G>, OpeningsError> {
    let draw = |count, plies| {
        let settings = OpeningSettings { count, plies, seed, at_most: false };
        draw_openings(records, settings).map(|openings| openings.into_iter().map(|opening| opening.position()))
    };
    let early = draw(count - count / 2, plies)?;
    // The initial position comes first in every draw, and is wanted once.
    let late = draw(count / 2 + 1, 3 * plies)?.skip(1);
    Ok(early.chain(late).collect())
}

/// One kind of search, whatever the driver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepSearch {
    /// `exact`: nothing is on that changes a value; or `heuristics`.
    name: &'static str,
    /// The switches, but for the driver.
    settings: SearchSettings,
    /// How deep, in plies.
    depth: u32,
}

impl StepSearch {
    /// The two kinds, of these depths: with nothing on that changes a value, and with the usual settings of `G`; both as `common` has
    /// them.
    pub fn kinds<G: BoardGame>(
        [exact_depth, depth]: [u32; 2],
        common: impl Fn(SearchSettings) -> SearchSettings,
    ) -> [Self; 2] {
        let usual = SearchSettings::of_game::<G>();
        let exact =
            SearchSettings { quiescence: true, quiescence_plies: usual.quiescence_plies, ..SearchSettings::exact() };
        [
            Self { name: "exact", settings: common(exact), depth: exact_depth },
            Self { name: "heuristics", settings: common(usual), depth },
        ]
    }

    fn title(&self) -> &'static str {
        if self.name == "exact" { "Nothing on that changes a value" } else { "All heuristics on" }
    }
}

/// The comparison on the positions of one game, by its usual evaluator.
pub(crate) struct StepComparison<'a, G> {
    /// What is searched.
    pub positions: &'a [G],
    /// The kinds of search.
    pub searches: [StepSearch; 2],
    /// Where the positions come from and what searches them, for the page.
    pub heading: String,
    /// The fixed step, in points.
    pub step: u32,
}

impl<G: Catalogue> StepComparison<'_, G> {
    /// Searches all positions; that is quick, so an interrupted run begins again.
    ///
    /// # Errors
    /// When the evaluator cannot be had, or drivers that must agree do not.
    pub fn findings(&self, observer: &dyn Observer) -> Result<Findings, ExperimentError> {
        let costs = self.searches.iter().map(|search| Ok((search, compare(search, self.positions, observer)?)));
        let costs: Vec<(&StepSearch, Vec<Costs>)> = costs.collect::<Result<_, ExperimentError>>()?;
        // Any other step is none of S2's.
        let of_s2 = if self.step == SearchSettings::default().mtdf_step {
            " (S2's 150,000 where its values end at 1,000,000,000 and ours at 1,000,000)"
        } else {
            ""
        };
        let fixed = format!(
            "step 0: windows next to the last bound; fixed: {} points further{of_s2}; adaptive: the value of the last iteration \
             further",
            self.step
        );
        let page = Findings::titled("MTD(f) and its step").points([
            self.heading.as_str(),
            "each search deepens ply by ply; the first guess of an iteration is the value of the one before",
            fixed.as_str(),
            "with nothing on that changes a value all drivers found the same value at every depth of every position",
            "iterations stop early where the game's end is forced, so deeper rows count fewer searches",
        ]);
        let page = costs.iter().fold(page, |page, (search, costs)| {
            page.table(search.name, cost_table(search, costs, self.positions.len()))
        });
        let page = costs.iter().fold(page, |page, (search, costs)| {
            page.picture(search.name, &format!("null windows, {}", search.name), windows_by_depth(search, costs))
        });
        let times = costs.iter().map(|(search, costs)| time_table(search, costs));
        Ok(page.times(times).headline(costs.iter().flat_map(|(search, costs)| headline(search, costs))))
    }
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

/// The nodes of each driver's last iteration.
fn headline(search: &StepSearch, costs: &[Costs]) -> Vec<Figure> {
    let last = DRIVERS.iter().zip(costs).filter_map(|((_, driver), costs)| Some((driver, costs.last_key_value()?.1)));
    let mean = |sum: &Cost, count: u64| sum.nodes as f64 / count.max(1) as f64;
    last.map(|(driver, (count, sum))| (format!("nodes {} {driver}", search.name), mean(sum, *count))).collect()
}

/// The costs of every driver, in the order of [`DRIVERS`].
fn compare<G: Catalogue>(
    search: &StepSearch,
    positions: &[G],
    observer: &dyn Observer,
) -> Result<Vec<Costs>, ExperimentError> {
    let make = G::evaluator_factory(G::DEFAULT_EVALUATOR)?;
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
fn iterations<G: BoardGame>(
    position: &G,
    evaluator: Box<dyn Evaluator<G>>,
    search: &StepSearch,
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

/// Refuses drivers that must find one value and found several.
fn check_agreement<G: BoardGame>(position: &G, costs: &[Vec<Cost>]) -> Result<(), String> {
    for ((_, driver), found) in DRIVERS.iter().zip(costs) {
        for (depth, (expected, found)) in (1..).zip(costs[0].iter().zip(found)) {
            if expected.score != found.score {
                let (position, expected, found) = (position.notation(), expected.score, found.score);
                return Err(format!(
                    "{driver} at depth {depth} of `{position}`: expected the value {expected} of alpha-beta, found {found}"
                ));
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

fn cost_table(search: &StepSearch, costs: &[Costs], positions: usize) -> Table {
    let caption = format!("{}: means of each iteration over {positions} positions", search.title());
    let rows = rows(costs).map(|(depth, name, count, sum)| {
        let (windows, nodes) = (mean(sum.null_windows as f64, count, 2), mean(sum.nodes as f64, count, 0));
        [name.into(), u64::from(depth).into(), count.into(), windows, nodes]
    });
    Table::new(caption, &["driver"], &["depth", "searches", "null windows", "nodes"]).with_rows(rows)
}

fn time_table(search: &StepSearch, costs: &[Costs]) -> Table {
    let caption = format!("{}: mean time of each iteration", search.title());
    let time = |count, sum: Cost| mean(1000.0 * sum.time.as_secs_f64(), count, 3);
    let rows = rows(costs).map(|(depth, name, count, sum)| [name.into(), u64::from(depth).into(), time(count, sum)]);
    Table::new(caption, &["driver"], &["depth", "ms"]).with_rows(rows)
}

/// How many null windows each step of MTD(f) takes.
fn windows_by_depth(search: &StepSearch, costs: &[Costs]) -> Curves {
    let point = |(&depth, &(count, sum)): (&u32, &(u64, Cost))| {
        (f64::from(depth), sum.null_windows as f64 / count.max(1) as f64)
    };
    let of_mtdf = DRIVERS.iter().zip(costs).filter(|((driver, _), _)| *driver != Driver::AlphaBeta);
    let series = of_mtdf.map(|((_, name), costs)| Series::new(*name, costs.iter().map(point).collect()));
    let title = format!("{}: searches of a null window at the root", search.title());
    Curves::new(title, ["depth, plies", "searches, mean over positions"], series.collect())
}
