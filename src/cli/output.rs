//! Printing that does not mind if nobody reads on, and files.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use roughboard::disk;

/// Prints `text`, which brings its own line ends. A reader that has gone away (`roughboard … | head`) is no error.
///
/// # Errors
/// When standard output cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_to_reader(text).map(drop)
}

/// As [`print`]; says whether anybody reads on.
///
/// # Errors
/// As [`print`].
pub fn print_to_reader(text: &str) -> anyhow::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("cannot write the output"),
    }
}

/// Says `words` on standard error, if anybody listens there.
pub fn tell(words: fmt::Arguments<'_>) {
    // Where complaints go to there is nowhere to complain.
    let _ = writeln!(io::stderr().lock(), "{words}");
}

/// Says notes on standard error.
pub fn note(notes: impl IntoIterator<Item = impl fmt::Display>) {
    notes.into_iter().for_each(|note| eprintln!("note: {note}"));
}

/// Writes `bytes` to the file `path`: the whole of them, or nothing.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    disk::write_whole(path, bytes.as_ref()).with_context(|| format!("cannot write `{}`", path.display()))
}
