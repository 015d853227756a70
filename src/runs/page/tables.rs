//! Tables that a run wrote, read by the names of their columns.

use std::path::Path;

/// A row of a table.
pub struct Row {
    names: csv::StringRecord,
    fields: csv::StringRecord,
}

/// The rows of the table at `path`. None where it cannot be read: the page names files that are missing or changed.
pub fn rows(path: &Path) -> Vec<Row> {
    let Ok(mut reader) = csv::Reader::from_path(path) else { return Vec::new() };
    let Ok(names) = reader.headers().cloned() else { return Vec::new() };
    reader.records().flatten().map(|fields| Row { names: names.clone(), fields }).collect()
}

impl Row {
    /// The field under `name`, if there is such a column.
    pub fn text(&self, name: &str) -> Option<&str> {
        let at = self.names.iter().position(|known| known == name)?;
        self.fields.get(at)
    }

    /// The field under `name` as a number.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }
}
