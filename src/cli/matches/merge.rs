//! `roughboard match merge`: parts of a match, or matches, put together.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::runs::Start;
use roughboard::runs::matches::{MatchFolder, Sources};
use roughboard::settings::counted;

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
    let (folders, games) = (counted(args.runs.len(), "folder"), counted(repeated, "game"));
    let note = format!("{folders}, {games} in more than one of them");
    report(&sources.plan, &played, &Outlet { form: args.form, folder: Some(&folder), note: Some(note) })
}
