//! The table of all runs of a sweep, and that it takes the place of no other.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Context;

use roughboard::experiment::registry::RegisteredExperiment;
use roughboard::report::{Cell, Table};
use roughboard::runs::{Figure, SUMMARY};
use roughboard::settings::first_of;

use super::plan::Run;

/// Runs that a message names.
const NAMED: usize = 6;

/// One row a run: what was changed, and the figures that it came down to.
pub fn summary(entry: &RegisteredExperiment, runs: &[Run], headlines: &[Vec<Figure>]) -> Table {
    let keys: Vec<&str> = runs.first().into_iter().flat_map(|run| &run.changes).map(|one| one.key.as_str()).collect();
    let mut figures: Vec<&str> = Vec::new();
    for (name, _) in headlines.iter().flatten() {
        if !figures.contains(&name.as_str()) {
            figures.push(name);
        }
    }
    let mut table = Table::new(format!("{}: {} runs", entry.name, runs.len()), &keys, &figures);
    for (run, headline) in runs.iter().zip(headlines) {
        let changes = run.changes.iter().map(|change| Cell::from(change.shown_value()));
        let value =
            |name: &&str| headline.iter().find(|(known, _)| known == name).map(|(_, value)| Cell::real(*value, 4));
        table.push(changes.chain(figures.iter().map(|name| value(name).into())));
    }
    table
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
