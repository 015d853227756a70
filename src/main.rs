//! The `roughboard` command.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
