//! Tables that a run wrote, read by the names of their columns.

use std::path::{Path, PathBuf};

use crate::runs::manifest::Manifest;

/// A finished run: what else lies in its folder, such as a table of an earlier run, is none of its results.
#[derive(Clone, Copy)]
pub struct RunFiles<'a> {
    /// Where its files are.
    pub folder: &'a Path,
    /// Which these are.
    pub manifest: &'a Manifest,
}

impl RunFiles<'_> {
    /// Where the file `name` is; `None` if the run wrote none of this name.
    pub fn path(self, name: &str) -> Option<PathBuf> {
        self.manifest.lists(name).then(|| self.folder.join(name))
    }

    /// The rows of its table `name`; none if it wrote none.
    pub fn rows(self, name: &str) -> Vec<Row> {
        self.path(name).map(|path| rows(&path)).unwrap_or_default()
    }
}

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
