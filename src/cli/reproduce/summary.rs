//! The table of all runs of a sweep, and that it takes the place of no other.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context;

use roughboard::experiment::registry::RegisteredExperiment;
use roughboard::report::{Cell, Table};
use roughboard::runs::{Figure, SUMMARY, mean_and_sd};
use roughboard::settings::first_of;
use roughboard::stats::t95;

use super::plan::{Run, SEED};

/// Runs that a message names.
const NAMED: usize = 6;

/// One row a run: what was changed, and the figures that it came down to.
pub fn summary(entry: &RegisteredExperiment, runs: &[Run], headlines: &[Vec<Figure>]) -> Table {
    let keys: Vec<&str> = runs.first().into_iter().flat_map(|run| &run.changes).map(|one| one.key.as_str()).collect();
    let figures = names_in(headlines);
    let mut table = Table::new(format!("{}: {} runs", entry.name, runs.len()), &keys, &figures);
    for (run, headline) in runs.iter().zip(headlines) {
        let changes = run.changes.iter().map(|change| Cell::from(change.shown_value()));
        let value = |name: &&str| value_of(headline, name).map(|value| Cell::real(value, digits_of(name)));
        table.push(changes.chain(figures.iter().map(|name| value(name).into())));
    }
    table
}

/// The names of all figures, each once.
fn names_in(headlines: &[Vec<Figure>]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in headlines.iter().flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn value_of(headline: &[Figure], name: &str) -> Option<f64> {
    headline.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

/// One row for the runs that differ in the seed alone: the mean of each figure with its 95 % interval, by Student's t; none if there are
/// no such runs.
pub fn means(entry: &RegisteredExperiment, runs: &[Run], headlines: &[Vec<Figure>]) -> Option<Table> {
    type Group<'a> = (Vec<(&'a str, String)>, Vec<&'a Vec<Figure>>);
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (run, headline) in runs.iter().zip(headlines) {
        let changes = run.changes.iter().filter(|change| change.key != SEED);
        let changes: Vec<_> = changes.map(|change| (change.key.as_str(), change.shown_value())).collect();
        match groups.iter_mut().find(|(known, _)| *known == changes) {
            Some((_, group)) => group.push(headline),
            None => groups.push((changes, vec![headline])),
        }
    }
    if groups.iter().all(|(_, group)| group.len() < 2) {
        return None;
    }
    let keys: Vec<&str> = groups.first()?.0.iter().map(|(key, _)| *key).collect();
    let names = names_in(headlines);
    let caption = format!("{}: means over the seeds ± 95 %", entry.name);
    let rows = groups.iter().map(|(changes, group)| {
        let values = |name: &str| group.iter().filter_map(|headline| value_of(headline, name)).collect::<Vec<f64>>();
        let settings = changes.iter().map(|(_, value)| Cell::from(value.as_str()));
        settings
            .chain([group.len().into()])
            .chain(names.iter().map(|name| mean_cell(name, &values(name))))
            .collect::<Vec<_>>()
    });
    let numbers: Vec<&str> = ["seeds"].into_iter().chain(names.iter().copied()).collect();
    Some(Table::new(caption, &keys, &numbers).with_rows(rows))
}

/// The mean of a figure, with half of its interval where there are several values.
fn mean_cell(name: &str, values: &[f64]) -> Cell {
    let digits = digits_of(name);
    let (mean, sd) = mean_and_sd(values);
    match values.len() {
        0 => Cell::Missing,
        // Values that are all alike tell nothing of how they vary.
        _ if sd == 0.0 => Cell::real(mean, digits),
        n => Cell::with_error(mean, t95(n as u64 - 1) * sd / (n as f64).sqrt(), digits),
    }
}

/// How many decimals of a figure are shown.
fn digits_of(name: &str) -> usize {
    if name.contains('%') { 1 } else { 4 }
}

/// Refuses to put the summary of `runs` in the place of one in `folder` that holds others.
pub fn check_summary(folder: &Path, entry: &RegisteredExperiment, runs: &[Run]) -> anyhow::Result<()> {
    let path = folder.join(SUMMARY);
    if runs.iter().all(|run| run.changes.is_empty()) || !path.exists() {
        return Ok(());
    }
    let cannot = || format!("cannot read the summary of earlier runs `{}`", path.display());
    let before = lines(&std::fs::read(&path).with_context(cannot)?).with_context(cannot)?;
    let asked = summary(entry, runs, &vec![Vec::new(); runs.len()]).to_csv();
    let others = others(&before, &lines(asked.as_bytes())?);
    anyhow::ensure!(
        others.is_empty(),
        "`{}` holds a summary of other runs: {}; name all of them together, choose another folder, or overwrite it with `--force`",
        folder.display(),
        first_of(others.iter(), NAMED)
    );
    Ok(())
}

/// The lines of a CSV file, that of the names first.
fn lines(text: &[u8]) -> Result<Vec<Vec<String>>, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    reader.records().map(|line| Ok(line?.iter().map(str::to_owned).collect())).collect()
}

/// The runs of the summary `before` that are none of those of `asked`, which has the columns of changed settings alone.
fn others(before: &[Vec<String>], asked: &[Vec<String>]) -> Vec<String> {
    let ([heads, rows @ ..], [keys, runs @ ..]) = (before, asked) else { return Vec::new() };
    let has_keys = heads.starts_with(keys);
    let n_keys = if has_keys { keys.len() } else { 1 };
    let mut known = HashSet::new();
    // Runs that the settings of `asked` do not tell apart differ in others.
    let mut is_asked = |row: &[String]| {
        has_keys && runs.iter().any(|run| row.starts_with(run)) && known.insert(row[..n_keys].to_owned())
    };
    let name = |row: &Vec<String>| {
        let changes = heads.iter().zip(row).take(n_keys).map(|(key, value)| format!("{key}={value}"));
        changes.collect::<Vec<_>>().join(",")
    };
    let mut others: Vec<String> = rows.iter().filter(|row| !is_asked(row)).map(name).collect();
    others.dedup();
    others
}
