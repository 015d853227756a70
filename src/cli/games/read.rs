//! `roughboard games read`: checks every move and reports what was kept and what was dropped.

use std::process::ExitCode;

use roughboard::record;

use super::summary::{self, Input, Totals};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
}

pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let mut totals = Totals::default();
    let settings = args.input.settings();
    let account = record::for_each_game(&args.input.files, settings, &session.progress, |game| totals.add(&game))?;
    summary::print(&args.input, &account, &totals)?;
    Ok(summary::exit_code(&account))
}
