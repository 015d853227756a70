//! `roughboard games stats`: what is in a collection.

use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: &Args, _session: &Session) -> anyhow::Result<()> {
    Ok(())
}
