//! Checksums that tie a result to the file it came from.

use std::io;
use std::path::Path;

use super::error::RecordError;
use super::source::sorted_entries;
use crate::disk::{FileError, sha256, sha256_of_file};

/// The SHA-256 of the bytes of a file, in lower-case hexadecimal (64 digits), as `sha256sum` prints it. That of a folder
/// is the SHA-256 of the checksums of its entries, links left out, each followed by two blanks, its name and a line feed,
/// in the order of the bytes of the names.
///
/// # Errors
/// When a file cannot be opened or read.
pub fn checksum(path: &Path) -> Result<String, RecordError> {
    Ok(of_path(path).map_err(FileError::of("open game file", path))?)
}

fn of_path(path: &Path) -> io::Result<String> {
    if !path.is_dir() {
        return sha256_of_file(path);
    }
    let mut list = String::new();
    for entry in sorted_entries(path)?.iter().filter(|entry| !entry.is_symlink()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        list += &format!("{}  {name}\n", of_path(entry)?);
    }
    Ok(sha256(list.as_bytes()))
}
