//! Files that appear whole or not at all, and what identifies their content.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Where a file is written before it is complete: `NAME.partial` in the same folder.
#[must_use]
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, ToOwned::to_owned);
    name.push(".partial");
    path.with_file_name(name)
}

/// Writes `bytes` to `path`: the whole file or, on an error, the old one stays.
///
/// # Errors
/// When the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = partial_path(path);
    std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path)).inspect_err(|_| {
        // The first failure is the one to tell; a partial file that cannot be removed either adds nothing.
        let _ = std::fs::remove_file(&partial);
    })
}

/// SHA-256 of `bytes` in 64 lower-case hexadecimal digits.
///
/// ```
/// assert!(roughboard::disk::sha256(b"").starts_with("e3b0c442"));
/// ```
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that `path` can be written, before any work is done for it: its folder exists, and it is not a folder itself.
///
/// # Errors
/// With what is wrong.
pub fn check_target(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let partial = partial_path(path);
    std::fs::File::create(&partial)?;
    std::fs::remove_file(&partial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_bad_target_is_seen_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(check_target(&path).is_ok());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(check_target(folder.path()).is_err());
        assert!(check_target(&folder.path().join("no/such/folder")).is_err());
        assert!(write_whole(&folder.path().join("no/a"), b"").is_err());
    }
}
