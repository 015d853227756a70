//! The `roughboard` command.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

/// Says a line on standard error, as the macro of the standard library does, but goes on where that cannot be written:
/// the answer and the exit code are still worth having.
macro_rules! eprintln {
    ($($words:tt)*) => { $crate::cli::output::tell(format_args!($($words)*)) };
}

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
