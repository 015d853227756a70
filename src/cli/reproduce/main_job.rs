//! `roughboard reproduce` without the name of an experiment: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use roughboard::experiment::s1::{S1, S1Config, Source};

use super::{GameSources, Session, output};

/// Arguments of the main job.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: GameSources,
    /// Folder to write to [default: results/PROFILE, with the name of the first game file behind it if there is one]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
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
    let out = args.out.clone().unwrap_or_else(|| default_folder(&args));
    let results = S1::new(&config, &source, &out, &session.progress)?.run(args.png)?;
    let text = format!(
        "{}\nfiles: {} (tables.md, rules.md, *.csv, curves.svg, matches.svg, games.pgn.zst, nets/, manifest.json)\n\
         computed in {:.0} s\n",
        results.tables.to_text(),
        out.display(),
        started.elapsed().as_secs_f64()
    );
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// `results/quick` for the main job itself; other profiles and games get folders of their own.
fn default_folder(args: &Args) -> PathBuf {
    let stem = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    let profile = if args.smoke { "smoke".to_owned() } else { args.config.as_deref().map_or("quick".to_owned(), stem) };
    let games = args.sources.first_file().map(|path| format!("-{}", stem(path))).unwrap_or_default();
    Path::new("results").join(profile + &games)
}

fn read_config(path: &Path, session: &Session) -> anyhow::Result<S1Config> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read settings `{}`", path.display()))?;
    let mut config: S1Config = toml::from_str(&text)
        .map_err(|error| anyhow::anyhow!("settings `{}`: {}", path.display(), one_line(&error, &text)))?;
    if session.seed_given {
        config.seed = session.seed;
    }
    Ok(config)
}

/// What is wrong and in which line, without the picture of it that spans several lines.
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let line = error.span().map(|span| text[..span.start].lines().count().max(1));
    let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
    format!("{place}{}", error.message().replace('\n', " "))
}
