//! The files of a table, which must have the same columns.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::metadata::ParquetMetaDataReader;

use super::chunk::Chunks;
use super::{Column, names, unreadable};
use crate::table::build::check_rows;
use crate::table::parts::{Places, check_columns, differ, name_of};
use crate::table::{ReadOptions, TableError};

/// The files of a table before its rows are read.
pub struct Parts {
    pub chunks: Chunks,
    pub columns: Vec<Column>,
    /// The names of all columns.
    pub existing: Vec<String>,
    pub places: Places,
}

impl Parts {
    /// Opens one file after another, all of which must have the columns of the first.
    pub fn open(
        paths: &[PathBuf],
        open: impl Fn(&Path) -> Result<File, TableError>,
        reading: &ReadOptions,
    ) -> Result<Self, TableError> {
        let (mut parts, mut last, mut places, mut n_rows) = (Vec::new(), None, Places::default(), 0);
        let (mut columns, mut existing) = (Vec::new(), Vec::new());
        for (number, path) in paths.iter().enumerate() {
            let described = || {
                let file = open(path)?;
                let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).map_err(unreadable)?;
                let columns = super::columns(&metadata, reading)?;
                Ok((file, metadata, columns))
            };
            let (file, metadata, found) = described().map_err(|error: TableError| error.in_file(path))?;
            if number == 0 {
                (columns, existing) = (found, names(&metadata));
            } else {
                let names_of_parts = (name_of(&paths[0]), name_of(path));
                check_part(&names_of_parts, (&existing, &columns), (&names(&metadata), &found))?;
            }
            if paths.len() > 1 {
                places.add(&name_of(path), n_rows);
            }
            let of_part = usize::try_from(metadata.file_metadata().num_rows()).unwrap_or_default();
            n_rows = n_rows.saturating_add(of_part);
            check_rows(n_rows)?;
            parts.push((path.clone(), metadata));
            last = Some((number, file));
        }
        let chunks = Chunks::new(parts, last.ok_or(TableError::NoRows)?);
        Ok(Self { chunks, columns, existing, places })
    }
}

/// Refuses a part whose columns are not those of the first part, by name and type.
fn check_part(
    (first, other): &(String, String),
    (expected, columns): (&[String], &[Column]),
    (found, others): (&[String], &[Column]),
) -> Result<(), TableError> {
    check_columns((first, other), (expected, found))?;
    // Columns that are not read may be groups of several, so that those behind them lie elsewhere.
    if let Some((column, _)) = columns.iter().zip(others).find(|(column, other)| column.at != other.at) {
        let what =
            format!("before column `{}` stands a group with other columns in the other than in the first", column.name);
        return Err(differ((first, other), what));
    }
    match columns.iter().zip(others).find(|(column, other)| column.kind != other.kind) {
        None => Ok(()),
        Some((column, found)) => {
            let (name, expected, found) = (&column.name, column.kind.described(), found.kind.described());
            let what = format!("column `{name}` has type {expected} in the first and {found} in the other");
            Err(differ((first, other), what))
        }
    }
}
