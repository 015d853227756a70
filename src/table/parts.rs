//! Tables in folders: the part files that programs such as Spark, DuckDB and polars write side by side, and where in them a row or a line
//! stands that is counted through all of them.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::TableError;

/// Folders that say of the folder they are in that its files are not simply the parts of a table, and what it is.
const OTHER: [(&str, &str); 3] = [
    ("_delta_log", "of a Delta table, whose files are not all of it: write the table as plain Parquet"),
    ("_temporary", "that is still written, or whose writing was broken off: `_temporary` is in it"),
    ("metadata", "with `metadata` in it, as of an Iceberg table: write the table as plain Parquet"),
];

/// The part files of a folder, in the order of their names. Names that begin with `_` or `.` and checksums that end in `.crc` are no parts,
/// as in Hadoop.
pub(crate) fn parts_of(folder: &Path, expected: &str) -> Result<Vec<PathBuf>, TableError> {
    let unreadable = |source| TableError::Io { action: "read", source };
    let (mut parts, mut within) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = name_of(&path);
        if let Some((_, what)) = OTHER.iter().find(|(other, _)| *other == name).filter(|_| path.is_dir()) {
            return Err(TableError::Folder((*what).to_owned()));
        }
        if name.starts_with(['_', '.']) || name.ends_with(".crc") {
            continue;
        }
        if path.is_dir() { within.push(name) } else { parts.push(path) }
    }
    within.sort_unstable();
    if let Some(inner) = within.first() {
        return Err(TableError::Folder(nested(inner)));
    }
    if parts.is_empty() {
        return Err(TableError::Folder(format!("without a part file, expected names ending in {expected}")));
    }
    parts.sort_unstable_by_key(|part| name_of(part));
    Ok(parts)
}

/// What a folder is that holds another one.
fn nested(inner: &str) -> String {
    let Some((column, _)) = inner.split_once('=') else {
        return format!("with the folder `{inner}` in it, expected nothing but part files");
    };
    let what = format!("with the folder `{inner}` in it, as of a table that was partitioned by `{column}`");
    format!("{what}: write it without partitions, so that `{column}` is a column of the part files")
}

/// The name of a file, without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Refuses a part whose columns have other names than those of the first part, or are more or fewer.
pub(crate) fn check_columns<N: AsRef<str> + PartialEq>(
    (first, other): (&str, &str),
    (expected, found): (&[N], &[N]),
) -> Result<(), TableError> {
    let mut all = 0..expected.len().max(found.len());
    let Some(at) = all.find(|&at| expected.get(at) != found.get(at)) else { return Ok(()) };
    let shown = |names: &[N]| names.get(at).map_or("missing".to_owned(), |name| format!("`{}`", name.as_ref()));
    let what = format!("column {} is {} in the first and {} in the other", at + 1, shown(expected), shown(found));
    Err(differ((first, other), what))
}

/// The error of two parts that do not belong together.
pub fn differ((first, other): (&str, &str), what: String) -> TableError {
    TableError::PartsDiffer { first: first.to_owned(), other: other.to_owned(), what }
}

/// A line or a row of a file, counted from 1, for messages: `7`, or ``7 of `part-00001.csv` `` in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number in its file.
    pub number: usize,
    /// The name of the file, if the table is a folder of them.
    pub part: Option<Arc<str>>,
}

impl Line {
    /// The line or row of this number, from 1, in the only file.
    pub const fn alone(number: usize) -> Self {
        Self { number, part: None }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            None => write!(f, "{}", self.number),
            Some(part) => write!(f, "{} of `{part}`", self.number),
        }
    }
}

/// The parts of a table in a folder, each with how many lines or rows come before it; nothing for a table in one file.
#[derive(Debug, Clone, Default)]
pub struct Places(Vec<(Arc<str>, usize)>);

impl Places {
    /// Takes up the next part of a folder.
    pub fn add(&mut self, part: &str, before: usize) {
        self.0.push((part.into(), before));
    }

    /// Where the line or row stands whose number, from 1, is counted through all parts.
    pub fn line(&self, number: usize) -> Line {
        let after = self.0.partition_point(|(_, before)| *before < number);
        match self.0.get(after.wrapping_sub(1)) {
            None => Line::alone(number),
            Some((part, before)) => Line { number: number - before, part: Some(Arc::clone(part)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_through_all_parts_is_one_in_its_own() {
        let mut places = Places::default();
        assert_eq!(places.line(7).to_string(), "7");
        for (part, before) in [("a", 0), ("b", 3), ("c", 3), ("d", 4)] {
            places.add(part, before);
        }
        let lines = [1, 3, 4, 5, 9].map(|number| places.line(number).to_string());
        assert_eq!(lines, ["1 of `a`", "3 of `a`", "1 of `c`", "1 of `d`", "5 of `d`"]);
    }

    #[test]
    fn hidden_files_and_checksums_are_no_parts() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["part-2.csv", "part-10.csv", "_SUCCESS", ".part-2.csv.crc", "part-2.csv.crc", ".DS_Store"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let parts = parts_of(folder.path(), ".csv").unwrap();
        assert_eq!(parts.iter().map(|part| name_of(part)).collect::<Vec<_>>(), ["part-10.csv", "part-2.csv"]);
        fs::create_dir(folder.path().join("day=1")).unwrap();
        let error = parts_of(folder.path(), ".csv").unwrap_err().to_string();
        assert!(error.contains("folder `day=1` in it") && error.contains("partitioned by `day`"), "{error}");
        fs::create_dir(folder.path().join("_delta_log")).unwrap();
        assert!(parts_of(folder.path(), ".csv").unwrap_err().to_string().contains("a Delta table"));
    }
}
