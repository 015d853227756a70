//! Boards of a page: their geometry, and what runs say of their points.

use super::tables::{Row, RunFiles};
use crate::by_game;
use crate::game::{Game, Grid, Kit};
use crate::games::GameName;
use crate::report::html::{Board, HeatMap};
use crate::settings::Choices;

/// Where experiments write the reducts that they found, and all rules.
const REDUCTS: &str = "reducts.csv";
const RULES: &str = "rules.md";
/// What the diagnosis of a rough network says of its rules.
const DIAGNOSED: &str = "diagnosis/rules.csv";
/// Attributes are points of a board if so many of them are.
const LEAST_POINTS: usize = 8;

/// The board without what stands on it.
pub fn board(grid: &Grid) -> Board {
    let points: Vec<String> = grid.points().collect();
    let columns = points.iter().take(grid.columns).map(|point| point[..1].to_owned()).collect();
    let rows = points.iter().step_by(grid.columns.max(1)).map(|point| point[1..].to_owned()).collect();
    Board { size: [grid.rows, grid.columns], labels: [columns, rows], lines: grid.lines.clone(), reach: grid.reach }
}

/// Which points the reducts and the rules of an experiment ask about; nothing where attributes are no points.
pub(crate) fn of_results(files: RunFiles<'_>) -> Vec<HeatMap> {
    let mut maps = of_reducts(&files.rows(REDUCTS));
    let text = files.path(RULES).and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    maps.extend(on_one_scale(of_rules(&text)));
    maps
}

/// Which points the rules of trained rough networks ask about, all runs together.
pub(crate) fn of_training<'r>(runs: impl IntoIterator<Item = RunFiles<'r>>) -> Vec<HeatMap> {
    let rules = runs.into_iter().flat_map(|run| run.rows(DIAGNOSED));
    let words: Vec<String> = rules.filter_map(|row| row.text("words").map(str::to_owned)).collect();
    let title = format!("How many of {} rules of the rough networks ask about each point", words.len());
    on_one_scale(counted(title, words.iter().map(|rule| conditions(rule))).into_iter().collect())
}

/// In how many reducts of each reading of the data every point is.
fn of_reducts(rows: &[Row]) -> Vec<HeatMap> {
    let mut readings: Vec<&str> = rows.iter().filter_map(|row| row.text("reading")).collect();
    readings.dedup();
    let of = |reading: &&str| {
        let of_it = rows.iter().filter(|row| row.text("reading") == Some(reading));
        let reducts: Vec<Vec<String>> =
            of_it.filter_map(|row| Some(row.text("reduct")?.split(' ').map(str::to_owned).collect())).collect();
        let title = format!("{reading}: in how many of {} reducts each point is", reducts.len());
        counted(title, reducts)
    };
    on_one_scale(readings.iter().filter_map(of).collect())
}

/// How many rules of each network in `text` ask about every point.
fn of_rules(text: &str) -> Vec<HeatMap> {
    let networks = text.split("\n## ").skip(1);
    let of = |network: &str| {
        let name = network.lines().next().unwrap_or_default().split(" (").next().unwrap_or_default();
        let rules: Vec<&str> = network.lines().filter(|line| line.starts_with("* IF ")).collect();
        let title = format!("{name}: how many of {} rules ask about each point", rules.len());
        counted(title, rules.into_iter().map(conditions))
    };
    networks.filter_map(of).collect()
}

/// The attributes that a rule has conditions on.
fn conditions(rule: &str) -> Vec<String> {
    let words = rule.split_whitespace();
    let pairs = words.clone().zip(words.skip(1));
    pairs.filter(|(before, _)| ["IF", "AND"].contains(before)).map(|(_, name)| name.to_owned()).collect()
}

/// How often each point is among the attributes of `sets`; `None` if they are no points of a board.
fn counted(title: String, sets: impl IntoIterator<Item = Vec<String>>) -> Option<HeatMap> {
    let sets: Vec<Vec<String>> = sets.into_iter().collect();
    let grids = GameName::ALL.iter().filter_map(|game| by_game!(*game, G => G::start().grid()));
    let count = |grid: &Grid| -> Vec<usize> {
        grid.points().map(|point| sets.iter().filter(|set| set.contains(&point)).count()).collect()
    };
    let known = |counts: &[usize]| counts.iter().filter(|count| **count > 0).count();
    let counts = grids.map(|grid| (count(&grid), grid));
    // Of boards that have as many of the points, the smallest is meant.
    let (counts, grid) = counts.max_by_key(|(counts, _)| (known(counts), std::cmp::Reverse(counts.len())))?;
    (known(&counts) >= LEAST_POINTS).then(|| HeatMap { title, board: board(&grid), counts, most: 0 })
}

/// The same colour for the same count in all of them.
fn on_one_scale(maps: Vec<HeatMap>) -> Vec<HeatMap> {
    let most = maps.iter().flat_map(|map| &map.counts).copied().max().unwrap_or(0);
    maps.into_iter().map(|map| HeatMap { most, ..map }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_counted_on_the_board_that_has_their_points() {
        let rules = "# Rules\n\n## raw rough 2000 (features x)\n\n\
            * IF e0 = 0 AND i6 = -20 AND e9 = -6000 THEN result = -1 (1 of 2)\n\
            * IF e0 in [0, 5] AND a1 = 0 AND b2 = 0 THEN result = 1\n* IF c3 = 1 AND d4 = 0 AND f5 = 1 THEN result = 0\n";
        let maps = of_rules(rules);
        assert_eq!((maps.len(), maps[0].board.size), (1, [10, 9]));
        assert_eq!(maps[0].title, "raw rough 2000: how many of 3 rules ask about each point");
        // e0 is the fifth point of the lowest row.
        assert_eq!((maps[0].counts[9 * 9 + 4], maps[0].counts.iter().sum::<usize>()), (2, 9));
        assert_eq!(of_rules("\n## terms\n\n* IF red_rooks = 1 AND phase = 2 THEN result = 1\n"), []);
    }
}
