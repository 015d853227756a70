//! `roughboard rough complete`.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use roughboard::settings::counted;
use roughboard::table::{
    Attribute, Completed, Completer, Completion, DecisionTable, Filled, InformationTable, Layout, ReadOptions,
    TABLE_ENDINGS, TableError, Value,
};
use serde_json::{Value as Json, json};

use super::hints::{self, quoted};
use super::source::{self, Missing, Source, write_columns};
use super::text::{list, table as columns};
use crate::cli::form::{Form, Sheet};
use crate::cli::output::note;
use crate::cli::settings::named;
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
#[command(mut_args(source::exact_undecided))]
pub struct Options {
    #[command(flatten)]
    source: Source,
    /// What replaces a missing value of a condition; where no object of a decision has a value, the whole table tells it
    #[arg(long, value_parser = named::<Completion>())]
    method: Completion,
    /// Take what is filled in from the rows of this file, such as those that rules were found in; --decision and --weight are its columns
    #[arg(long, value_name = "TABLE")]
    from: Option<PathBuf>,
    /// Table to write, .csv, .tsv or .parquet; without it only the account is printed
    #[arg(long, value_parser = OutPath::file(TABLE_ENDINGS), value_name = "FILE")]
    out: Option<OutPath>,
    #[command(flatten)]
    form: Form,
    /// Print long lists in full
    #[arg(long)]
    all: bool,
}

/// What was completed, and how many rows there are.
struct Outcome {
    filled: Vec<Filled>,
    kept: usize,
    left_out: usize,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let is_usual = options.source.view.missing == Missing::Value;
    ensure!(is_usual, "`--missing` has no effect here: leave it out; `--method delete` leaves out what `drop` does");
    options.source.view.check_columns(&options.source.decision)?;
    let outcome = match &options.from {
        Some(path) => options.complete_from(path)?,
        None => options.complete_itself()?,
    };
    let left: Vec<String> =
        outcome.filled.iter().filter(|filled| filled.left > 0).map(|filled| filled.name.clone()).collect();
    if !left.is_empty() {
        eprintln!(
            "note: values of {} stay missing: nothing is known, or infinite numbers of both signs have no mean",
            quoted(&left)
        );
    }
    let sheet = Sheet::List("/attributes", &["attribute", "missing", "left", "values"]);
    options.form.give_line(&as_json(&outcome, options), sheet, &as_text(&outcome, options))
}

impl Options {
    /// The table in `path`: without a decision, all its columns are conditions.
    fn read(&self, path: &Path) -> anyhow::Result<DecisionTable> {
        if matches!(self.method, Completion::ConceptFrequent | Completion::ConceptMean) {
            self.source.require_decision(&format!("`--method {}`", self.method))?;
        }
        let table = self.source.read_from(path, None)?;
        if matches!(self.method, Completion::Frequent | Completion::ConceptFrequent) {
            note(hints::of_frequent(&table));
        }
        Ok(table)
    }

    /// Completes the table by what its own rows say.
    fn complete_itself(&self) -> anyhow::Result<Outcome> {
        let read = self.read(&self.source.file.path)?;
        let Completed { table, mut filled, left_out } = read.completed(self.method)?;
        for ((filled, before), after) in filled.iter_mut().zip(read.attributes()).zip(table.attributes()) {
            filled.missing = read.n_missing(before);
            filled.left = table.n_missing(after);
            if !filled.values.is_empty() {
                count_rows(&mut filled.values, &read, before, after);
            }
        }
        if let Some(path) = &self.out {
            if self.source.is_decided() {
                table.write(path, Layout::Objects)?;
                self.source.note_written(path, &table);
            } else {
                write_columns(path, table.attributes())?;
            }
        }
        Ok(Outcome { filled, kept: table.n_rows(), left_out: left_out.rows })
    }

    /// Completes the table by what the rows of `known` say. Its other columns stay as they are, the decision among them.
    fn complete_from(&self, known: &Path) -> anyhow::Result<Outcome> {
        self.method.require_for_others("method")?;
        let completer = Completer::fit(&self.read(known)?, self.method)?;
        let path = &self.source.file.path;
        // The other table has the columns that are named; the decision may be in it alone.
        let reading = ReadOptions { may_lack: true, ..self.source.file.reading() };
        let columns = InformationTable::read_as(path, &reading)?;
        let completed = completer.apply_to(columns.columns());
        let (completed, filled) = completed.map_err(|error| {
            let lacks = matches!(error, TableError::MissingColumn { .. }) && !self.source.is_decided();
            let doubt = if lacks { "; `--decision` names what new rows lack as their decision" } else { "" };
            let failed = format!("cannot complete `{}` from `{}`{doubt}", path.display(), known.display());
            anyhow::Error::from(error).context(failed)
        })?;
        if let Some(path) = &self.out {
            write_columns(path, &completed)?;
        }
        Ok(Outcome { filled, kept: columns.n_rows(), left_out: 0 })
    }
}

/// Counts in rows of the file which values stand in where an attribute `before` lacks them: a row of counts of decisions is several
/// objects, whose value is one cell.
fn count_rows(values: &mut [(Value, usize)], read: &DecisionTable, before: &Attribute, after: &Attribute) {
    let mut objects_of = vec![Vec::new(); after.n_values()];
    for (object, _) in (0_u32..).zip(before.missing()).filter(|(_, is_missing)| *is_missing) {
        objects_of[after.code(object as usize) as usize].push(object);
    }
    for (value, n_rows) in values {
        *n_rows = after.code_of(value).map_or(0, |code| read.n_rows_of(&objects_of[code as usize]));
    }
}

fn as_json(outcome: &Outcome, options: &Options) -> Json {
    let attribute = |filled: &Filled| {
        let values: Vec<Json> =
            filled.values.iter().map(|(value, objects)| json!({ "value": value, "objects": objects })).collect();
        json!({ "attribute": filled.name, "missing": filled.missing, "left": filled.left, "values": values })
    };
    json!({
        "method": options.method, "from": options.from, "rows": outcome.kept, "left_out": outcome.left_out,
        "attributes": outcome.filled.iter().map(attribute).collect::<Vec<_>>(),
    })
}

fn as_text(outcome: &Outcome, options: &Options) -> String {
    let sum = |count: fn(&Filled) -> usize| outcome.filled.iter().map(count).sum::<usize>();
    let (missing, left) = (sum(|filled| filled.missing), sum(|filled| filled.left));
    let &Outcome { kept, left_out: lost, .. } = outcome;
    let what = match options.method {
        Completion::Delete => format!("{} read = {kept} kept + {lost} left out", counted(kept + lost, "row")),
        method => {
            let (of, rows) = (counted(missing, "missing value"), counted(kept, "row"));
            let completed = if left == 0 { of } else { format!("{} of {of}", missing - left) };
            format!("{completed} in {rows} completed ({method})")
        }
    };
    let path = options.out.as_ref().map(|path| format!(": {}", path.display())).unwrap_or_default();
    let shown = |(value, objects): &(Value, usize)| format!("{value} ({objects})");
    let line = |filled: &Filled| {
        let values: Vec<String> = filled.values.iter().map(shown).collect();
        let values = if values.is_empty() { "-".to_owned() } else { list(&values, options.all) };
        vec![filled.name.clone(), filled.missing.to_string(), values]
    };
    let lines: Vec<_> = outcome.filled.iter().filter(|filled| filled.missing > 0).map(line).collect();
    let listed = if lines.is_empty() {
        String::new()
    } else {
        columns(&["attribute", "missing", "completed by (objects)"], &lines)
    };
    format!("{what}{path}\n{}{listed}", if lines.is_empty() { "" } else { "\n" })
}
