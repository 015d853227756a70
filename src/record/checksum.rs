//! Checksums that tie a result to the file it came from.

use std::path::Path;

use super::error::RecordError;
use crate::disk::sha256_of_file;

/// The SHA-256 of the bytes of a file, in lower-case hexadecimal (64 digits), as `sha256sum` prints it.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn checksum(path: &Path) -> Result<String, RecordError> {
    sha256_of_file(path).map_err(|cause| RecordError::Open { path: path.to_owned(), cause })
}
