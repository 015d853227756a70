//! `roughboard report`: finished runs on one page.

use std::path::{Path, PathBuf};

use roughboard::report::html::page;
use roughboard::runs::matches::MATCH;
use roughboard::runs::{Differences, RunsError, sections};
use roughboard::settings::counted;

use super::output;
use super::targets::OutPath;

/// Arguments of `report`.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of finished runs of `reproduce`, `match` and `train`
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Page to write; it needs no network and no other file
    #[arg(long, value_parser = OutPath::file(&[".html", ".htm"]), value_name = "FILE.html")]
    out: OutPath,
    /// Games of each run that the page shows on boards, at most
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(0..=1000), value_name = "N")]
    games: u16,
    /// The title
    #[arg(long, default_value = "roughboard: results")]
    title: String,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let sections = sections(&args.runs, args.games.into(), note_changes).map_err(explained)?;
    let page = page(&args.title, &sections);
    output::write(&args.out, &page)?;
    let (out, number) = (args.out.display(), counted(sections.len(), "section"));
    output::print(&format!("page: {out} ({number}, {} kB)\n", page.len() / 1024))
}

/// Of a match that is not finished, what there is in place of a page.
fn explained(error: RunsError) -> anyhow::Error {
    match &error {
        RunsError::NoRun(run) if (MATCH.is_unfinished)(run) => anyhow::anyhow!(
            "`{}` holds a match that is not finished, which has no page; `match merge` prints its tables so far",
            run.display()
        ),
        _ => error.into(),
    }
}

/// Says which files of a run are not those that it wrote.
fn note_changes(run: &Path, Differences { changed, removed, .. }: &Differences) {
    for (what, names) in [("were changed", changed), ("were removed", removed)] {
        if !names.is_empty() {
            eprintln!("note: `{}`: files {what} since the run finished: {}", run.display(), names.join(", "));
        }
    }
}
