//! The options that say which table a command reads, and as what.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, ensure};
use clap::Arg;
use roughboard::rough::Notion;
use roughboard::settings::{counted, is_zero};
use roughboard::table::{
    AttrSet, Attribute, DecimalMark, DecisionTable, InformationTable, LeftOut, Memory, ReadOptions, Remark, Roles,
    TableError, TextCause, Weights, check_existing, joined_names, misread_from_csv,
};
use serde::{Deserialize, Serialize};

use super::hints;
use super::memory::MemoryLimit;
use crate::cli::effects::no_effect;
use crate::cli::folder::quoted;
use crate::cli::output::note;
use crate::cli::settings::{named, named_but};

/// At most this many remarks about columns are told.
pub const SHOWN_REMARKS: usize = 12;

/// A decision table in a file.
#[derive(clap::Args)]
pub struct Source {
    #[command(flatten)]
    pub file: TableFile,
    /// The decision column, or the d of count columns d=VALUE; several together make one decision
    #[arg(long, required = true, value_name = "COLUMN")]
    pub decision: Vec<String>,
    #[command(flatten)]
    pub view: TableView,
}

impl Source {
    /// Whether the table has a decision; without one it is an information system.
    pub fn is_decided(&self) -> bool {
        !self.decision.is_empty()
    }

    /// Refuses an information system for a question `what` about decisions.
    pub fn require_decision(&self, what: &str) -> anyhow::Result<()> {
        ensure!(self.is_decided(), "{what} asks for the decision of each object: name its column with --decision");
        Ok(())
    }

    /// The notion of decision that is asked about: without a decision there is one only.
    pub fn notion(&self, asked: Option<Notion>) -> anyhow::Result<Notion> {
        match (asked, self.is_decided()) {
            (None | Some(Notion::Information), false) => Ok(Notion::Information),
            (Some(notion), false) => {
                self.require_decision(&format!("`--notion {notion}`"))?;
                Ok(notion)
            }
            (asked, true) => Ok(asked.unwrap_or_default()),
        }
    }

    /// Whether a missing value is like any value.
    pub fn is_tolerant(&self) -> bool {
        self.view.missing == Missing::Tolerance
    }

    /// Reads the table for a question that knows no other relation than indiscernibility.
    pub fn read_exact(&self) -> anyhow::Result<DecisionTable> {
        self.view.check_exact()?;
        self.read()
    }

    /// As [`Source::read_decided`], for a question that knows no other relation than indiscernibility.
    pub fn read_decided_exact(&self) -> anyhow::Result<DecisionTable> {
        self.view.check_exact()?;
        self.read_decided()
    }

    /// Reads the table and keeps the chosen attributes and objects; objects that are left out are noted.
    pub fn read(&self) -> anyhow::Result<DecisionTable> {
        self.read_from(&self.file.path, None)
    }

    /// As [`Source::read`], within a limit of memory if there is one.
    pub fn read_within(&self, memory: &MemoryLimit) -> anyhow::Result<DecisionTable> {
        self.read_from(&self.file.path, memory.of_reading())
    }

    /// Reads another file as the same kind of table.
    pub fn read_from(&self, path: &Path, memory: Option<Memory>) -> anyhow::Result<DecisionTable> {
        self.read_by(path, ReadOptions { memory, ..self.file.reading() })
    }

    /// Reads the second of two tables that are read alike: what is known of columns may be of columns of the first alone.
    pub fn read_beside(&self, path: &Path) -> anyhow::Result<DecisionTable> {
        self.read_by(path, ReadOptions { may_lack: true, ..self.file.reading() })
    }

    fn read_by(&self, path: &Path, reading: ReadOptions) -> anyhow::Result<DecisionTable> {
        let columns = self.view.read(path, &self.decision, reading)?;
        note_remarks(&remarks(&columns, &self.decision), SHOWN_REMARKS);
        note_merged(&columns);
        let n_rows = columns.n_rows_read();
        let objects = self.view.objects(columns, &self.decision, path)?;
        let n_weighing = objects.n_rows();
        let (table, dropped) = self.view.keep(objects, path)?;
        note(self.view.account((table.n_rows(), table.total_weight()), dropped));
        note(weightless(n_rows, n_weighing));
        note(hints::of_counts(&table));
        if let Some(attribute) = table.without_values() {
            let (path, name) = (path.display(), attribute.name());
            let what = format!("attribute `{name}` has no value in any object");
            bail!("cannot use `{path}`: {what}; leave it out with --ignore, or choose others with --attributes");
        }
        Ok(table)
    }

    /// Reads a table for a question about its decision, which must not always be the same.
    pub fn read_decided(&self) -> anyhow::Result<DecisionTable> {
        self.decided(self.read()?)
    }

    /// As [`Source::read_decided`], within a limit of memory if there is one.
    pub fn read_decided_within(&self, memory: &MemoryLimit) -> anyhow::Result<DecisionTable> {
        self.decided(self.read_within(memory)?)
    }

    /// The table, if its decision is not always the same.
    fn decided(&self, table: DecisionTable) -> anyhow::Result<DecisionTable> {
        if let Some(value) = table.constant_decision() {
            let (path, name) = (self.file.path.display(), table.decision().name());
            bail!(
                "cannot use `{path}`: the decision `{name}` is `{value}` for every object, expected different values"
            );
        }
        note(hints::of_decision(table.decision(), table.n_rows()));
        Ok(table)
    }

    /// Notes what must be said of the written table where it is read, for it to be the same.
    pub fn note_written(&self, path: &Path, written: &DecisionTable) {
        note_misread(path, written.attributes().iter().chain([written.decision()]));
        let weight = self.view.weight.as_deref();
        if matches!(written.weights(), Weights::Counts(_)) && weight != Some("weight") {
            let were = weight.map_or("counts".to_owned(), |column| format!("`{column}`"));
            let what = format!("how many objects each row stands for, which was {were}, is the column `weight`");
            eprintln!("note: {what} of `{}`: read it with --weight weight", path.display());
        }
    }
}

/// Notes the columns of text that are misread where `path` is CSV and is read as it is, and what helps, which --text may not.
fn note_misread<'t>(path: &Path, columns: impl IntoIterator<Item = &'t Attribute>) {
    let is_csv = path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("parquet"));
    let (misread, are_kept_as_text): (Vec<String>, Vec<bool>) =
        if is_csv { misread_from_csv(columns).into_iter().unzip() } else { Default::default() };
    if !misread.is_empty() {
        let what = "is text that CSV reads as something else, such as numbers or missing values";
        let remedy = if are_kept_as_text.contains(&false) {
            "write .parquet".to_owned()
        } else {
            format!("read it with --text {}, or write .parquet", hints::argument(&misread))
        };
        eprintln!("note: {} {what}: {remedy}", hints::quoted(&misread));
    }
}

/// Writes columns without a decision to the table `path`.
pub fn write_columns(path: &Path, columns: &[Attribute]) -> anyhow::Result<()> {
    InformationTable::new(columns.to_vec())?.write(path)?;
    note_misread(path, columns);
    Ok(())
}

/// A file with a table, and how to read it. Certificates hold all but its path.
#[derive(Clone, clap::Args, Serialize, Deserialize)]
pub struct TableFile {
    /// CSV (.csv, .tsv, .tab, .txt, .data), ARFF (.arff; both also packed: .gz, .zst, .xz) or Parquet file (.parquet, .pq) with the table, or a folder of part files; - is CSV on standard input
    #[arg(value_name = "TABLE")]
    #[serde(skip)]
    pub path: PathBuf,
    /// What else means a missing value, besides an empty cell, ?, NA, N/A, NaN, null, None and the like
    #[arg(long, value_name = "TEXT,…", value_delimiter = ',', allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub na: Vec<String>,
    /// The separator of CSV: a character, or comma, semicolon, tab, space, pipe [default: comma, semicolon or tab,
    /// whichever the header has most of]
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separator: Option<u8>,
    /// The first row of CSV is an object, and columns are called c1, c2, …
    #[arg(long)]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub no_header: bool,
    /// The decimal mark of numbers in text: point (.) or comma (,)
    #[arg(long, value_name = "MARK", value_parser = named::<DecimalMark>(), default_value_t, hide_possible_values = true)]
    #[serde(default, skip_serializing_if = "is_zero")]
    pub decimal: DecimalMark,
    /// Columns to read as text whatever they hold, such as NA as a name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// Columns that must be numbers: leading zeros do not count; dates are days, times seconds
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub number: Vec<String>,
}

impl TableFile {
    /// How this file is to be read, with all of its columns.
    pub fn reading(&self) -> ReadOptions {
        ReadOptions {
            separator: self.separator,
            no_header: self.no_header,
            missing: self.na.clone(),
            decimal: self.decimal,
            text: self.text.clone(),
            number: self.number.clone(),
            ..ReadOptions::default()
        }
    }
}

fn names(columns: &[Attribute]) -> Vec<String> {
    columns.iter().map(|column| column.name().to_owned()).collect()
}

/// The attributes of a table that a list names, which was split at its commas.
pub fn listed_attributes(table: &DecisionTable, parts: &[String]) -> Result<AttrSet, TableError> {
    table.attributes_called(&joined_names(parts, &names(table.attributes())))
}

/// Names of columns, of which one with commas stands for its parts where these are columns and it is none.
pub fn split_names(names: &[String], existing: &[String]) -> Vec<String> {
    let is_column = |name: &str| existing.iter().any(|column| column == name);
    let parts = |name: &String| -> Vec<String> {
        let parts: Vec<&str> = name.split(',').collect();
        let is_list = !is_column(name) && parts.iter().all(|part| is_column(part));
        if is_list { parts.into_iter().map(str::to_owned).collect() } else { vec![name.clone()] }
    };
    names.iter().flat_map(parts).collect()
}

/// How a file was read where it could be read in another way, with the options that do so. Of spellings of a missing value it is
/// told in the decision only, where they cost objects.
pub fn remarks(table: &InformationTable, decision: &[String]) -> Vec<String> {
    let decision = split_names(decision, table.existing());
    let is_told = |remark: &&Remark| match remark {
        Remark::Missing { column, .. } => decision.contains(column),
        _ => true,
    };
    table.remarks().iter().filter(is_told).map(advice).collect()
}

/// Refuses attributes that the file of `columns` lacks, while it is known what else it has.
pub fn check_attributes(names: &[String], columns: &InformationTable) -> Result<(), TableError> {
    check_existing("attribute column", names, columns.existing())
}

/// Says how many different rows there are, where equal ones were merged.
pub fn note_merged(table: &InformationTable) {
    let (n_rows, n_different) = (table.n_rows_read(), table.n_rows());
    if n_different < n_rows {
        eprintln!("note: {n_different} of {n_rows} rows are different; equal ones were merged");
    }
}

/// What is to be said of the rows that were read and weigh 0, where so many weigh more.
pub fn weightless(n_rows: usize, n_weighing: usize) -> Option<String> {
    let weightless = n_rows.saturating_sub(n_weighing);
    (weightless > 0).then(|| format!("{weightless} of {} weigh 0 and are left out", counted(n_rows as u64, "row")))
}

/// Says remarks on standard error, at most so many.
pub fn note_remarks(remarks: &[String], most: usize) {
    note(remarks.iter().take(most));
    if let Some(more) = remarks.len().checked_sub(most).filter(|&more| more > 0) {
        eprintln!("note: there are {more} more notes about columns; `roughboard rough info` prints them all");
    }
}

/// Refuses the first of some options that is given, where they have no effect, and says why.
pub fn check_idle(options: &[(&str, bool)], why: &str) -> anyhow::Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!(no_effect(option, why, None)),
        None => Ok(()),
    }
}

/// A remark, and the options that read the column in another way.
fn advice(remark: &Remark) -> String {
    let remedy = match remark {
        Remark::Separator(_)
        | Remark::HeaderAgain(_)
        | Remark::Nameless(_)
        | Remark::Blanks { .. }
        | Remark::NeverMissing(_) => String::new(),
        Remark::NumbersAsNames => " --no-header calls columns c1, c2, …".to_owned(),
        Remark::OneColumn(b' ') => "; try --separator space".to_owned(),
        Remark::OneColumn(other) => format!("; try --separator '{}'", char::from(*other)),
        Remark::FellTogether { column, .. } => format!("; --text {} keeps them apart", quoted(column)),
        Remark::Thousands { .. } => "; then remove it from the file".to_owned(),
        Remark::Text { column, cause: TextCause::LeadingZero | TextCause::Moment, .. } => {
            format!("; --number {} reads numbers", quoted(column))
        }
        Remark::Text { cause: TextCause::OtherMark(mark), .. } => format!("; --decimal {mark} reads numbers"),
        Remark::Text { cause: TextCause::EitherMark(mark), .. } => {
            format!("; --decimal {mark} reads the former, and for the latter remove it from the file")
        }
        Remark::Text { cause: TextCause::NeitherMark, .. } => {
            "; remove what separates thousands from the file".to_owned()
        }
        Remark::Text { cause: TextCause::Thousands(_) | TextCause::Beside(_), .. } => {
            "; remove it from the file to read numbers".to_owned()
        }
        Remark::Text { cause: TextCause::Boolean, .. } => String::new(),
        Remark::Text { .. } => "; --na can say that it is a missing value".to_owned(),
        Remark::Word { column, .. } => format!("; --text {} reads it as a word", quoted(column)),
        Remark::Missing { column, found, .. } => {
            format!(
                "; --text {} reads {} as {}",
                quoted(column),
                one_or(found, "it", "them"),
                one_or(found, "a word", "words")
            )
        }
    };
    format!("{remark}{remedy}")
}

/// The word for one thing, or that for several.
fn one_or<'w, T>(things: &[T], one: &'w str, several: &'w str) -> &'w str {
    if things.len() == 1 { one } else { several }
}

/// The character that separates cells, by name or as it is.
fn separator(text: &str) -> Result<u8, String> {
    match text {
        "comma" => Ok(b','),
        "semicolon" => Ok(b';'),
        "tab" | "\\t" => Ok(b'\t'),
        "space" => Ok(b' '),
        "pipe" => Ok(b'|'),
        _ => match text.as_bytes() {
            &[byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(byte),
            _ => Err("expected one ASCII character other than a quote or a line end, or its name".to_owned()),
        },
    }
}

/// Which attributes and objects of a table count, as certificates hold it, too.
#[derive(Clone, clap::Args, Serialize, Deserialize)]
pub struct TableView {
    /// A column that says how many objects each row stands for
    #[arg(long, value_name = "COLUMN")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// Use these condition attributes only
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// Use all condition attributes but these, which are not read, such as a number that names the object
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "attributes")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// What becomes of missing values
    #[arg(long, value_parser = named::<Missing>(), default_value_t)]
    #[serde(default)]
    pub missing: Missing,
}

roughboard::choices! {
    /// What becomes of missing values.
    pub enum Missing = Value {
        /// A missing value of a condition is a value of its own.
        Value,
        /// Objects that lack the decision or a condition in use are left out.
        Drop,
        /// A missing value is like any value: the same as --relation tolerance.
        Tolerance,
    }
}

/// An option of a question that knows no other relation than indiscernibility.
pub fn exact(arg: Arg) -> Arg {
    let is_hidden = |missing: Missing| missing == Missing::Tolerance;
    if arg.get_id() == "missing" { arg.value_parser(named_but(is_hidden)) } else { arg }
}

/// An option of a question that does without a decision.
pub fn undecided(arg: Arg) -> Arg {
    if arg.get_id() == "decision" { arg.required(false) } else { arg }
}

/// An option of a question of both kinds.
pub fn exact_undecided(arg: Arg) -> Arg {
    exact(undecided(arg))
}

impl TableView {
    /// Refuses `--missing tolerance`, for a question that knows no other relation than indiscernibility.
    pub fn check_exact(&self) -> anyhow::Result<()> {
        let commands = "classes, approx, core, reduct and reducts";
        let is_exact = self.missing != Missing::Tolerance;
        ensure!(is_exact, "`--missing tolerance` goes with {commands}, expected `value` or `drop` here");
        Ok(())
    }

    /// Refuses what asks for a `decision` if there is none, of a command that then looks at columns only.
    pub fn check_columns(&self, decision: &[String]) -> anyhow::Result<()> {
        let given = [
            ("weight", self.weight.is_some()),
            ("attributes", !self.attributes.is_empty()),
            ("missing", self.missing != Missing::Value),
        ];
        if decision.is_empty() { check_idle(&given, "without `--decision`") } else { Ok(()) }
    }

    /// Reads the columns of `path` that a table with this `decision` has: all but those that are ignored, or only those that have
    /// a part in it. With a limit of memory equal rows are merged.
    pub fn read(&self, path: &Path, decision: &[String], reading: ReadOptions) -> anyhow::Result<InformationTable> {
        let used: Vec<String> = self.attributes.iter().chain(decision).chain(&self.weight).cloned().collect();
        self.check_ignored(decision, &used)?;
        let only = if self.attributes.is_empty() { Vec::new() } else { used };
        let columns = InformationTable::read_as(path, &ReadOptions { ignore: self.ignore.clone(), only, ..reading });
        let columns = columns.map_err(|error| self.with_remedy(error, decision))?;
        self.check_conditions(decision, columns.existing())?;
        Ok(columns)
    }

    /// Refuses to ignore what is the decision or the weight, of which a part and a column of counts are known among the names
    /// `existing` only.
    fn check_ignored(&self, decision: &[String], existing: &[String]) -> anyhow::Result<()> {
        self.check_listed(("--ignore leaves out", &self.ignore[..]), decision, existing)
    }

    /// As [`TableView::check_ignored`], and refuses to choose it as a condition.
    pub fn check_conditions(&self, decision: &[String], existing: &[String]) -> anyhow::Result<()> {
        self.check_ignored(decision, existing)?;
        self.check_listed(("--attributes chooses", &self.attributes[..]), decision, existing)
    }

    /// Refuses the decision and the weight in a list of conditions, of which it is said what it does with them.
    fn check_listed(
        &self,
        (does, listed): (&str, &[String]),
        decision: &[String],
        existing: &[String],
    ) -> anyhow::Result<()> {
        let parts = split_names(decision, existing);
        let is_count = |name: &str| match &parts[..] {
            [decision] if !existing.contains(decision) => hints::is_count(name, decision),
            _ => false,
        };
        let is_used = |name: &String| parts.contains(name) || self.weight.as_ref() == Some(name) || is_count(name);
        match joined_names(listed, existing).into_iter().find(is_used) {
            None => Ok(()),
            Some(name) => bail!("{does} conditions, got `{name}`, which is the decision or the weight"),
        }
    }

    /// The error, and how to go on without columns whose type is the reason.
    fn with_remedy(&self, error: TableError, decision: &[String]) -> anyhow::Error {
        let refused: Vec<String> = match &error {
            TableError::File { reason, .. } => match &**reason {
                TableError::UnsupportedTypes(columns) => columns.iter().map(|(name, _)| name.clone()).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if let TableError::File { reason, .. } = &error
            && matches!(**reason, TableError::DuplicateColumn(_))
        {
            let said = format!("{:#}", anyhow::Error::from(error));
            let end = if said.ends_with('?') { "" } else { ";" };
            return anyhow!("{said}{end} --no-header reads CSV without a header");
        }
        let is_part_of = |of: &String, name: &String| of == name || of.split(',').any(|part| part == name);
        let is_needed = |name: &&String| decision.iter().chain(&self.weight).any(|of| is_part_of(of, name));
        if let Some(needed) = refused.iter().find(is_needed) {
            return anyhow!(
                "{:#}; `{needed}` is the decision or the weight: write it as one of these",
                anyhow::Error::from(error)
            );
        }
        if refused.is_empty() || !self.attributes.is_empty() {
            return error.into();
        }
        let ignored = hints::argument(&[&self.ignore[..], &refused].concat());
        let them = one_or(&refused, "it", "them");
        anyhow!("{:#}; leave {them} out with --ignore {ignored}", anyhow::Error::from(error))
    }

    /// The decision table of these columns, with what is to be left out for want of values. Errors name the file `path`.
    pub fn objects(
        &self,
        columns: InformationTable,
        decision: &[String],
        path: &Path,
    ) -> Result<DecisionTable, TableError> {
        let roles = Roles { decision: split_names(decision, columns.existing()), weight: self.weight.clone() };
        let decide = || {
            check_attributes(&joined_names(&self.attributes, columns.existing()), &columns)?;
            self.choose(columns.decide(&roles)?)
        };
        decide().map_err(|e: TableError| e.in_file(path))
    }

    /// What is kept of `objects`, and what is left out for want of values.
    pub fn keep(&self, objects: DecisionTable, path: &Path) -> Result<(DecisionTable, LeftOut), TableError> {
        // An attribute without any value is the reader's to see; it would only hide behind an empty table.
        let drops = self.missing == Missing::Drop && objects.without_values().is_none();
        let kept = if drops { objects.complete() } else { objects.decided() };
        kept.map_err(|e| e.in_file(path))
    }

    /// The table with the chosen attributes.
    fn choose(&self, table: DecisionTable) -> Result<DecisionTable, TableError> {
        if self.attributes.is_empty() { Ok(table) } else { table.select(&listed_attributes(&table, &self.attributes)?) }
    }

    /// What was left out of a table of which so many rows, with this weight, are kept, in words; none if nothing was.
    pub fn account(&self, (kept, kept_weight): (usize, u64), dropped: LeftOut) -> Option<String> {
        let lost = dropped.rows;
        let (rows, weight) = (kept + lost, kept_weight + dropped.weight);
        let weighted =
            if weight == rows as u64 { String::new() } else { format!(" (weight {} of {weight})", dropped.weight) };
        let lack = if self.missing == Missing::Drop { "missing values" } else { "no decision" };
        if lost > 0 {
            let read = format!("{rows} read = {kept} kept + {lost} dropped");
            return Some(format!("{lost} of {rows} rows{weighted} have {lack} and are left out: {read}"));
        }
        // A row of counts that has some for no decision is kept for the others.
        (dropped.weight > 0).then(|| {
            let objects = format!("objects of weight {} of {weight} have {lack} and are left out", dropped.weight);
            format!("{objects}; their rows have counts of other decisions")
        })
    }
}
