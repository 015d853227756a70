//! The options that say which table a command reads, and as what.

use std::path::{Path, PathBuf};

use roughboard::table::{DecisionTable, Roles};

/// A decision table in a file.
#[derive(clap::Args)]
pub struct Source {
    /// CSV or Parquet file with the table
    table: PathBuf,
    /// The decision column, or the d of count columns d=VALUE; several together make one decision
    #[arg(long, required = true, value_name = "COLUMN")]
    decision: Vec<String>,
    /// A column that says how many objects each row stands for
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
    /// Use these condition attributes only
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    attributes: Vec<String>,
}

impl Source {
    /// Reads the table and keeps the chosen attributes.
    pub fn read(&self) -> anyhow::Result<DecisionTable> {
        self.read_from(&self.table)
    }

    /// Reads another file as the same kind of table.
    pub fn read_from(&self, path: &Path) -> anyhow::Result<DecisionTable> {
        let roles = Roles { decision: self.decision.clone(), weight: self.weight.clone() };
        let table = DecisionTable::read(path, &roles)?;
        if self.attributes.is_empty() {
            return Ok(table);
        }
        let select = || table.select(&table.attributes_called(&self.attributes)?);
        select().map_err(|e| e.in_file(path).into())
    }
}
