//! Rows that do not fit in memory, in a file without a name: it goes with the process, however that ends.

use std::env;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::rows::Rows;
use crate::disk::{free_space, nameless_file};
use crate::table::TableError;
use crate::table::error::bytes;

/// The file, and where in it the rows of each part are.
pub(crate) struct Spill {
    file: File,
    folder: PathBuf,
    /// Of each stretch of the file its part, begin and length.
    stretches: Vec<(usize, u64, usize)>,
    length: u64,
}

impl Spill {
    /// An empty file in `folder`, or in the system's folder for such files.
    pub fn new(folder: Option<&Path>) -> Result<Self, TableError> {
        let folder = folder.map_or_else(env::temp_dir, Path::to_owned);
        let file = nameless_file(&folder).map_err(|source| in_folder(&folder, "create a file in it", source))?;
        Ok(Self { file, folder, stretches: Vec::new(), length: 0 })
    }

    /// Refuses to begin what the disk has no room for, as far as the system tells.
    pub(crate) fn check_room(&self, n_bytes: u64) -> Result<(), TableError> {
        match free_space(&self.folder) {
            Some(free) if free < n_bytes => {
                let what =
                    format!("rows that do not fit in memory take {}, and {} are free", bytes(n_bytes), bytes(free));
                Err(TableError::Scratch { folder: self.folder.clone(), what })
            }
            _ => Ok(()),
        }
    }

    /// Puts rows of a part into the file.
    pub fn put(&mut self, part: usize, rows: Rows) -> Result<(), TableError> {
        let written = rows.written();
        self.file.write_all(&written).map_err(|source| in_folder(&self.folder, "write to it", source))?;
        self.stretches.push((part, self.length, written.len()));
        self.length += written.len() as u64;
        Ok(())
    }

    /// The different rows of a part; nothing if they take more memory than `limit`.
    pub fn merged(&mut self, part: usize, limit: u64) -> Result<Option<Rows>, TableError> {
        let (mut rows, mut written) = (Rows::default(), Vec::new());
        for &(_, begin, length) in self.stretches.iter().filter(|(of, ..)| *of == part) {
            written.resize(length, 0);
            let read = self.file.seek(SeekFrom::Start(begin)).and_then(|_| self.file.read_exact(&mut written));
            read.map_err(|source| in_folder(&self.folder, "read from it", source))?;
            rows.add_written(&written);
            if (rows.bytes() + written.capacity()) as u64 > limit {
                return Ok(None);
            }
        }
        Ok(Some(rows))
    }
}

fn in_folder(folder: &Path, action: &str, source: std::io::Error) -> TableError {
    TableError::Scratch { folder: folder.to_owned(), what: format!("cannot {action}: {source}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Codes;
    use crate::table::merge::rows::Block;

    #[test]
    fn the_limit_holds_for_the_rows_and_for_what_was_read_of_them() {
        let codes = Codes::U32((0..1000).collect());
        let mut rows = Rows::default();
        rows.take_up(&Block::of(&[&codes], 0..1000, 1), 0, 0);
        let n_written = rows.written().len() as u64;
        let mut spill = Spill::new(None).unwrap();
        spill.put(0, rows).unwrap();
        let n_bytes = spill.merged(0, u64::MAX).unwrap().expect("it has no limit").bytes() as u64;
        assert!(spill.merged(0, n_bytes + n_written - 1).unwrap().is_none());
        let merged = spill.merged(0, n_bytes + 2 * n_written).unwrap().expect("it is within the limit");
        assert_eq!(merged.len(), 1000);
    }
}
