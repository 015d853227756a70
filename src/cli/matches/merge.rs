//! `roughboard match merge`: parts of a match, or matches, put together.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::arena::Played;
use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::runs::Start;
use roughboard::runs::matches::{MatchFolder, Sources};

use super::report::{Outlet, report};
use crate::cli::form::Form;
use crate::cli::settings::named;

/// Arguments of `match merge`.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of parts of one match, or of matches with the same rules
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The game that was played
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    pub game: GameName,
    /// Folder to make for the merged match
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Replace the match in the folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run<G: BoardGame>(args: &Args) -> anyhow::Result<ExitCode> {
    let own = |path: &PathBuf| path.canonicalize().ok().is_some_and(|path| args.out.canonicalize().ok() == Some(path));
    anyhow::ensure!(
        !args.runs.iter().any(own),
        "`--out` must be another folder than those to merge, got {}",
        args.out.display()
    );
    let start = if args.force { Start::Over } else { Start::New };
    let sources = Sources::<G>::open(&args.runs)?;
    let (played, repeated) = sources.games()?;
    let folder = MatchFolder::open(&args.out, start, &sources.plan)?;
    folder.write(&sources.plan, &played)?;
    let equal = repeats(&played, sources.plan.games());
    equal.iter().for_each(|remark| eprintln!("note: {remark}"));
    let note = format!("{} folders, {repeated} games in more than one of them", args.runs.len());
    let note = equal.into_iter().fold(note, |text, line| format!("{text}\n{line}"));
    report(&sources.plan, &played, &Outlet { form: args.form, folder: Some(&folder), note: Some(note) })
}

/// A remark on games that were played more than once, of which there are none in one match with different openings.
fn repeats<G: BoardGame>(played: &Played<'_, G>, planned: usize) -> Option<String> {
    let (repeats, games) = (played.repeats(), planned - played.missing());
    let (repeat, add) = if repeats == 1 { ("repeats", "it adds") } else { ("repeat", "they add") };
    let remark = || {
        format!(
            "{repeats} of {games} games {repeat} another game move by move, with the same players: {add} no evidence"
        )
    };
    (repeats > 0).then(remark)
}
