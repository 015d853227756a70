//! stub

use std::process::ExitCode;

use super::session::Session;

#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: Args, _session: &Session) -> anyhow::Result<ExitCode> {
    anyhow::bail!("stub")
}
