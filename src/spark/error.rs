//! Why a cluster has given no answer.

use crate::table::TableError;

/// The most that is told of what an engine says, in characters.
const MOST_SAID: usize = 300;

/// Why a question to an engine has no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The address is not one of Spark Connect.
    #[error("cannot use `{0}` as an engine: expected spark://HOST:PORT, the address of a Spark Connect server")]
    Address(String),
    /// Nothing answers at the address.
    #[error("no engine answers at {address}: {reason}")]
    Unreachable {
        /// Host and port.
        address: String,
        /// What the connection failed with.
        reason: String,
    },
    /// The engine answered before, and does no more.
    #[error("the engine at {address} does not answer any more, while it was asked for {question}")]
    Gone {
        /// Host and port.
        address: String,
        /// What it was asked.
        question: String,
    },
    /// The engine refuses, or fails.
    #[error("the engine at {address} fails, asked for {question}: {reason}")]
    Failed {
        /// Host and port.
        address: String,
        /// What it was asked.
        question: String,
        /// What it says.
        reason: String,
    },
    /// What came back is no answer.
    #[error("the engine's answer about {question} is not whole: expected {expected}, found {found}")]
    Incomplete {
        /// What it was asked.
        question: String,
        /// What the answer must have.
        expected: String,
        /// What it has.
        found: String,
    },
    /// The path leads nowhere from the engine.
    #[error(
        "cannot read `{0}` by an engine: expected s3://…, hdfs://… or the like, or an absolute path of a Parquet file or a folder of them"
    )]
    Path(String),
    /// The engine cannot read the table.
    #[error("the engine at {address} cannot read `{path}`: {reason}")]
    Table {
        /// Host and port.
        address: String,
        /// The file or folder.
        path: String,
        /// What it says.
        reason: String,
    },
    /// Columns have types whose values are not compared.
    #[error("columns have types that are not compared by an engine, expected whole numbers, real ones, decimal ones of at most 15 digits, \
         text, dates, timestamps or booleans: {}", listed(.0))]
    UnsupportedTypes(Vec<(String, String)>),
    /// A column of counts has other values.
    #[error("column `{column}`{} has {found} rows without a count, expected whole numbers from 0 to 4294967295", times(.is_weighed))]
    NotACount {
        /// The column.
        column: String,
        /// Whether its counts are multiplied by a weight.
        is_weighed: bool,
        /// The number of rows.
        found: u64,
    },
    /// A column of counts is of a type without numbers.
    #[error("column `{column}` is of the type {found}, expected counts: whole numbers from 0 to 4294967295")]
    NotNumbers {
        /// The column.
        column: String,
        /// The name of its type.
        found: String,
    },
    /// No row is an object.
    #[error("no rows are left of `{path}`: {n_rows} rows read")]
    NothingKept {
        /// The file or folder.
        path: String,
        /// The number of rows.
        n_rows: u64,
    },
    /// Too many decisions to count each in every class.
    #[error("{task} takes at most {limit} decisions on an engine, got {found}")]
    TooManyDecisions {
        /// What was asked for.
        task: String,
        /// The number of decisions.
        found: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// A class is so large that shares of it are not told apart.
    #[error("distributions are compared in classes of up to {limit} objects on an engine, found one of {found}")]
    LargeClass {
        /// The weight of the class.
        found: u64,
        /// The most that is possible.
        limit: u64,
    },
    /// The rows at the end are not those of the beginning.
    #[error("`{path}` has changed while it was read: it had {before} rows, and has {after}{}", same_number(.before, .after))]
    Changed {
        /// The file or folder.
        path: String,
        /// The number of rows at the beginning.
        before: u64,
        /// The number of rows at the end.
        after: u64,
    },
    /// What the columns are makes no decision table.
    #[error(transparent)]
    Roles(#[from] TableError),
}

fn listed(columns: &[(String, String)]) -> String {
    columns.iter().map(|(name, found)| format!("`{name}` ({found})")).collect::<Vec<_>>().join(", ")
}

fn times(is_weighed: &bool) -> &'static str {
    if *is_weighed { " times the weight" } else { "" }
}

fn same_number(before: &u64, after: &u64) -> &'static str {
    if before == after { " with other values" } else { "" }
}

/// What an engine says on one line, as far as it is of use: without the trace of its own code.
pub fn said(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let told: Vec<&str> = lines.take_while(|line| !line.starts_with("at ")).collect();
    let told = if told.is_empty() { "it does not say why".to_owned() } else { told.join(" ") };
    told.chars().take(MOST_SAID).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_says_is_one_line() {
        assert_eq!(
            said("\n [PATH_NOT_FOUND] Path does not exist\n\tat org.apache"),
            "[PATH_NOT_FOUND] Path does not exist"
        );
        assert_eq!(said(""), "it does not say why");
        assert!(said(&"x".repeat(5_000)).chars().count() == MOST_SAID);
        let changed = |after| EngineError::Changed { path: "t".to_owned(), before: 3, after }.to_string();
        assert_eq!(changed(4), "`t` has changed while it was read: it had 3 rows, and has 4");
        assert!(changed(3).ends_with("has 3 with other values"));
    }
}
