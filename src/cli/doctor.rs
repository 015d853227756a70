//! `roughboard doctor`: what the program has to work with on this machine.

use std::path::{Path, PathBuf};

use roughboard::net::SUPPLIED_NETWORKS;
use roughboard::report::{Cell, Table};
use serde::Serialize;

use super::form::{Form, Sheet};

/// Where tests and examples look for games of third parties.
const DATA: &str = "ROUGHBOARD_DATA";
/// Engines of other makes that are asked for by these names.
const ENGINES: [&str; 6] = ["ElephantEye", "cyclone", "eleeye", "fairy-stockfish", "pikafish", "uci2wb"];
/// The features of the build, and whether it has them.
const FEATURES: [(&str, bool); 3] =
    [("gpu", cfg!(feature = "gpu")), ("burn", cfg!(feature = "burn")), ("spark", cfg!(feature = "spark"))];

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    form: Form,
}

/// Something that was looked for.
#[derive(Serialize)]
struct Finding {
    what: &'static str,
    found: String,
    /// What to do where it is not as it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn new(what: &'static str, found: impl ToString) -> Self {
        Self { what, found: found.to_string(), advice: None }
    }

    fn advised(self, advice: Option<String>) -> Self {
        Self { advice, ..self }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let findings = [program(), build(), threads(), memory(), networks(), data(), engines()];
    const COLUMNS: [&str; 3] = ["what", "found", "advice"];
    let rows = findings.iter().map(|Finding { what, found, advice }| {
        [Cell::from(*what), found.as_str().into(), advice.as_deref().unwrap_or_default().into()]
    });
    let text = Table::new("What there is to work with", &COLUMNS, &[]).with_rows(rows).to_text();
    args.form.give(&findings, Sheet::List("", &COLUMNS), &text)
}

fn program() -> Finding {
    Finding::new("program", roughboard::PROGRAM)
}

fn build() -> Finding {
    let extra = FEATURES.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
    let features: Vec<&str> = std::iter::once("default").chain(extra).collect();
    let slow = cfg!(debug_assertions)
        .then(|| "a build for debugging is many times slower: `cargo build --release`".to_owned());
    Finding::new("features", features.join(", ")).advised(slow)
}

fn threads() -> Finding {
    let (used, cores) = (rayon::current_num_threads(), std::thread::available_parallelism().map_or(0, usize::from));
    let crowded = (used > cores && cores > 0).then(|| format!("more threads than cores: `--threads {cores}`"));
    Finding::new("threads", format!("{used} of {cores} cores")).advised(crowded)
}

fn memory() -> Finding {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let gigabytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let kibibytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kibibytes * 1024.0 / 1e9)
    };
    let found = gigabytes("MemTotal").zip(gigabytes("MemAvailable"));
    Finding::new("memory", found.map_or("unknown".to_owned(), |(all, free)| format!("{free:.1} of {all:.1} GB free")))
}

fn networks() -> Finding {
    let shadowed = SUPPLIED_NETWORKS.iter().find(|network| Path::new(network.name).exists());
    let advice = shadowed.map(|network| {
        format!(
            "`{0}` is also a file or folder here, so the name is ambiguous and refused: name the file `./{0}`",
            network.name
        )
    });
    Finding::new("networks", SUPPLIED_NETWORKS.map(|network| network.name).join(", ")).advised(advice)
}

fn data() -> Finding {
    let Some(folder) = std::env::var_os(DATA).filter(|folder| !folder.is_empty()) else {
        let advice = format!("only some tests need them: {DATA} names a folder with real games (docs/games.md)");
        return Finding::new("data", "none").advised(Some(advice));
    };
    let folder = PathBuf::from(folder);
    match std::fs::read_dir(&folder) {
        Ok(entries) => Finding::new("data", format!("{} files in {}", entries.count(), folder.display())),
        Err(error) => Finding::new("data", format!("{DATA}={}", folder.display())).advised(Some(error.to_string())),
    }
}

/// The program called `name` where the shell looks for programs.
pub fn found_on_path(name: &str) -> Option<PathBuf> {
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places).map(|place| place.join(name)).find(|path| path.is_file())
}

fn engines() -> Finding {
    let found: Vec<&str> = ENGINES.into_iter().filter(|name| found_on_path(name).is_some()).collect();
    if found.is_empty() {
        let advice = "engines of other makes are found by name on the PATH, or by their path: docs/external-engines.md";
        return Finding::new("engines", "none").advised(Some(advice.to_owned()));
    }
    Finding::new("engines", found.join(", "))
}
