//! How a run starts in its folder, and what to do where it cannot.

use roughboard::runs::{FolderError, RunsError, Start};

/// How a run starts in the folder that `--out` names.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct StartOptions {
    /// Go on with the run that was interrupted in the folder, if there is one
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Put the run in the place of the one in the folder
    #[arg(long, requires = "out")]
    force: bool,
}

impl StartOptions {
    /// The start that is asked for.
    pub const fn start(self) -> Start {
        match self {
            Self { resume: true, .. } => Start::Resume,
            Self { force: true, .. } => Start::Over,
            _ => Start::New,
        }
    }
}

/// What a user can do about an error of a folder: the end of its message, in options of the command line.
pub fn advice(error: &anyhow::Error) -> &'static str {
    let of_run = || match error.downcast_ref() {
        Some(RunsError::Folder(error)) => Some(error),
        _ => None,
    };
    match error.downcast_ref().or_else(of_run) {
        Some(FolderError::Unfinished(_)) => ": go on with it by `--resume`, or start over by `--force`",
        Some(FolderError::Finished(_)) => ": choose another folder, or put a new run in its place by `--force`",
        Some(FolderError::Another { .. }) => "; choose another folder, or start over by `--force`",
        _ => "",
    }
}
