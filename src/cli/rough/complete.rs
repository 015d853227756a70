//! `roughboard rough complete`.

use anyhow::ensure;
use roughboard::settings::counted;
use roughboard::table::{Completed, Completion, Filled, Layout, TABLE_ENDINGS, Value};
use serde_json::{Value as Json, json};

use super::hints::quoted;
use super::source::{Missing, Source};
use super::text::{list, table as columns};
use crate::cli::output::print;
use crate::cli::settings::named;
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    /// What stands in for a missing value of a condition
    #[arg(long, value_parser = named::<Completion>())]
    method: Completion,
    /// Table to write, .csv, .tsv or .parquet; without it only the account is printed
    #[arg(long, value_parser = OutPath::file(TABLE_ENDINGS), value_name = "FILE")]
    out: Option<OutPath>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print long lists in full
    #[arg(long)]
    all: bool,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let is_usual = options.source.view.missing == Missing::Value;
    ensure!(is_usual, "`--missing` has no effect here: leave it out; `--method delete` leaves out what `drop` does");
    let table = options.source.read()?;
    let completed = table.completed(options.method)?;
    if let Some(path) = &options.out {
        completed.table.write(path, Layout::Objects)?;
        options.source.note_written(path, &completed.table);
    }
    let left: Vec<String> =
        completed.filled.iter().filter(|filled| filled.left > 0).map(|filled| filled.name.clone()).collect();
    if !left.is_empty() {
        eprintln!("note: values of {} stay missing: infinite numbers of both signs have no mean", quoted(&left));
    }
    print(&if options.json { format!("{}\n", as_json(&completed, options)) } else { as_text(&completed, options) })
}

fn as_json(completed: &Completed, options: &Options) -> Json {
    let attribute = |filled: &Filled| {
        let values: Vec<Json> =
            filled.values.iter().map(|(value, objects)| json!({ "value": value, "objects": objects })).collect();
        json!({ "attribute": filled.name, "missing": filled.missing, "left": filled.left, "values": values })
    };
    json!({
        "method": options.method, "rows": completed.table.n_objects(), "left_out": completed.left_out.rows,
        "attributes": completed.filled.iter().map(attribute).collect::<Vec<_>>(),
    })
}

fn as_text(completed: &Completed, options: &Options) -> String {
    let missing: usize = completed.filled.iter().map(|filled| filled.missing).sum();
    let (kept, lost) = (completed.table.n_objects(), completed.left_out.rows);
    let what = match options.method {
        Completion::Delete => format!("{} read = {kept} kept + {lost} left out", counted(kept + lost, "row")),
        method => format!("{} in {} completed ({method})", counted(missing, "missing value"), counted(kept, "row")),
    };
    let path = options.out.as_ref().map(|path| format!(": {}", path.display())).unwrap_or_default();
    let shown = |(value, objects): &(Value, usize)| format!("{value} ({objects})");
    let line = |filled: &Filled| {
        let values: Vec<String> = filled.values.iter().map(shown).collect();
        let values = if values.is_empty() { "-".to_owned() } else { list(&values, options.all) };
        vec![filled.name.clone(), filled.missing.to_string(), values]
    };
    let lines: Vec<_> = completed.filled.iter().filter(|filled| filled.missing > 0).map(line).collect();
    let listed = if lines.is_empty() {
        String::new()
    } else {
        columns(&["attribute", "missing", "completed by (objects)"], &lines)
    };
    format!("{what}{path}\n{}{listed}", if lines.is_empty() { "" } else { "\n" })
}
