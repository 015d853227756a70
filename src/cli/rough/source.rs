//! The options that say which table a command reads, and as what.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use roughboard::table::{AttrSet, DecisionTable, InformationTable, LeftOut, ReadOptions, Roles, TableError};

use crate::cli::settings::named;

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
    /// Whether a missing value is like any value.
    pub fn is_tolerant(&self) -> bool {
        self.view.missing == Missing::Tolerance
    }

    /// Reads the table for a question that knows no other relation than indiscernibility.
    pub fn read_exact(&self) -> anyhow::Result<DecisionTable> {
        self.check_exact()?;
        self.read()
    }

    /// As [`Source::read_decided`], for a question that knows no other relation than indiscernibility.
    pub fn read_decided_exact(&self) -> anyhow::Result<DecisionTable> {
        self.check_exact()?;
        self.read_decided()
    }

    /// Refuses `--missing tolerance`, for a question that knows no other relation than indiscernibility.
    pub fn check_exact(&self) -> anyhow::Result<()> {
        let commands = "classes, approx, core, reduct and reducts";
        ensure!(!self.is_tolerant(), "`--missing tolerance` goes with {commands}, expected `value` or `drop` here");
        Ok(())
    }

    /// Reads the table and keeps the chosen attributes and objects; objects that are left out are noted.
    pub fn read(&self) -> anyhow::Result<DecisionTable> {
        self.read_from(&self.file.path)
    }

    /// Reads another file as the same kind of table.
    pub fn read_from(&self, path: &Path) -> anyhow::Result<DecisionTable> {
        let (table, dropped) = self.view.decide(self.file.read_from(path)?, &self.decision, path)?;
        if let Some(account) = account(dropped, &table) {
            eprintln!("note: {account}");
        }
        if let Some(attribute) = table.without_values() {
            let (path, name) = (path.display(), attribute.name());
            let what = format!("attribute `{name}` has no value in any object");
            bail!("cannot use `{path}`: {what}; leave it out with --ignore, or choose others with --attributes");
        }
        Ok(table)
    }

    /// Reads a table for a question about its decision, which must not always be the same.
    pub fn read_decided(&self) -> anyhow::Result<DecisionTable> {
        let table = self.read()?;
        if let Some(value) = table.constant_decision() {
            let (path, name) = (self.file.path.display(), table.decision().name());
            bail!(
                "cannot use `{path}`: the decision `{name}` is `{value}` for every object, expected different values"
            );
        }
        Ok(table)
    }
}

/// A file with a table, and how to read it.
#[derive(clap::Args)]
pub struct TableFile {
    /// CSV or Parquet file with the table
    #[arg(value_name = "TABLE")]
    pub path: PathBuf,
    /// What means a missing value, beside an empty cell, ? and NA
    #[arg(long, value_name = "TEXT,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub na: Vec<String>,
    /// The separator of CSV: a character, or comma, semicolon, tab, space, pipe [default: comma, semicolon or tab,
    /// whichever the header has most of]
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    pub separator: Option<u8>,
}

impl TableFile {
    /// Reads all columns.
    pub fn read(&self) -> Result<InformationTable, TableError> {
        self.read_from(&self.path)
    }

    /// Reads all columns of another file of the same kind.
    fn read_from(&self, path: &Path) -> Result<InformationTable, TableError> {
        let reading = ReadOptions { separator: self.separator, missing: self.na.clone() };
        InformationTable::read_as(path, &reading)
    }
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

/// Which attributes and objects of a table count. To be flattened beside an option `--decision`.
#[derive(clap::Args)]
pub struct TableView {
    /// A column that says how many objects each row stands for
    #[arg(long, value_name = "COLUMN", requires = "decision")]
    pub weight: Option<String>,
    /// Use these condition attributes only
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', requires = "decision")]
    pub attributes: Vec<String>,
    /// Use all condition attributes but these, such as a number that names the object
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', requires = "decision", conflicts_with = "attributes")]
    pub ignore: Vec<String>,
    /// What becomes of missing values
    #[arg(long, value_parser = named::<Missing>(), default_value_t, requires = "decision")]
    pub missing: Missing,
}

roughboard::choices! {
    /// What becomes of missing values.
    pub enum Missing = Value {
        /// A missing value is a value of its own.
        Value = "value",
        /// Objects that lack the decision or a condition in use are left out.
        Drop = "drop",
        /// A missing value is like any value: the same as --relation tolerance.
        Tolerance = "tolerance",
    }
}

impl TableView {
    /// The decision table of these columns, and what was left out of it. Errors name the file `path`.
    pub fn decide(
        &self,
        columns: InformationTable,
        decision: &[String],
        path: &Path,
    ) -> Result<(DecisionTable, LeftOut), TableError> {
        let roles = Roles { decision: decision.to_vec(), weight: self.weight.clone() };
        let decide = || {
            let table = self.choose(columns.decide(&roles)?)?;
            match self.missing {
                Missing::Value | Missing::Tolerance => Ok((table, LeftOut::default())),
                // An attribute without any value is the reader's to see; it would only hide behind an empty table.
                Missing::Drop if table.without_values().is_some() => Ok((table, LeftOut::default())),
                Missing::Drop => table.complete(),
            }
        };
        decide().map_err(|e: TableError| e.in_file(path))
    }

    /// The table with the chosen attributes.
    fn choose(&self, table: DecisionTable) -> Result<DecisionTable, TableError> {
        if !self.attributes.is_empty() {
            return table.select(&table.attributes_called(&self.attributes)?);
        }
        if self.ignore.is_empty() {
            return Ok(table);
        }
        let ignored = table.attributes_called(&self.ignore)?;
        let kept: AttrSet = table.all_attributes().iter().filter(|&attr| !ignored.contains(attr)).collect();
        table.select(&kept)
    }
}

/// What was left out of `table`, in words; none if nothing was.
pub fn account(dropped: LeftOut, table: &DecisionTable) -> Option<String> {
    let (rows, weight) = (table.n_objects() + dropped.rows, table.total_weight() + dropped.weight);
    let weighted =
        if weight == rows as u64 { String::new() } else { format!(" (weight {} of {weight})", dropped.weight) };
    (dropped.rows > 0)
        .then(|| format!("{} of {rows} rows{weighted} have missing values and are left out", dropped.rows))
}
