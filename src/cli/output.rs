//! Printing that does not mind if nobody reads on.

use std::io::{self, Write};

use anyhow::Context;

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
