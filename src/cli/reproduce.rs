//! `roughboard reproduce`: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use roughboard::experiment::s1::{S1, S1Config, Source};

use super::output;
use super::session::Session;
use super::sources::GameSources;

/// Arguments of `reproduce`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: GameSources,
    /// Folder to write to
    #[arg(long, default_value = "results/quick", value_name = "DIR")]
    out: PathBuf,
    /// Settings file, such as the config.toml of an earlier run; its seed counts unless --seed is given
    #[arg(long, value_name = "FILE.toml", conflicts_with = "smoke")]
    config: Option<PathBuf>,
    /// The smallest profile that goes through every step: seconds instead of minutes
    #[arg(long)]
    smoke: bool,
    /// Draw the pictures as PNG too
    #[arg(long)]
    png: bool,
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let config = match &args.config {
        Some(path) => read_config(path, session)?,
        None if args.smoke => S1Config::smoke(session.seed),
        None => S1Config::quick(session.seed),
    };
    let games = args.sources.read(session)?;
    let source = Source { records: &games.records, inputs: &games.inputs };
    let results = S1::new(&config, &source, &args.out, &session.progress)?.run(args.png)?;
    let text = format!(
        "{}\nfiles: {} (tables.md, rules.md, *.csv, curves.svg, matches.svg, games.pgn.zst, nets/, manifest.json)\n\
         computed in {:.0} s\n",
        results.tables.to_text(),
        args.out.display(),
        started.elapsed().as_secs_f64()
    );
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn read_config(path: &Path, session: &Session) -> anyhow::Result<S1Config> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read settings `{}`", path.display()))?;
    let mut config: S1Config =
        toml::from_str(&text).with_context(|| format!("settings `{}` are invalid", path.display()))?;
    if session.seed_given {
        config.seed = session.seed;
    }
    Ok(config)
}
