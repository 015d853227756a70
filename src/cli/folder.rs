//! How a run starts in its folder, how one that was stopped goes on, and what to do where it cannot.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;
use roughboard::disk::remove_if_there;
use roughboard::games::GameName;
use roughboard::runs::{FolderError, RunsError, Start};
use roughboard::settings::Choices;

use super::output;

/// How a run starts in the folder that `--out` names.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct StartOptions {
    /// Go on with the run that was interrupted in the folder, if there is one; a finished one is kept, and `train zero` goes on from it to more --games
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the run in the folder
    #[arg(long)]
    force: bool,
}

impl StartOptions {
    /// The start that is asked for.
    pub const fn start(self) -> Start {
        start(self.resume, self.force)
    }

    /// Removes the `file` that a run which is replaced wrote beside its folder: whoever goes on with the new one after a kill could not
    /// tell whose it is.
    pub fn remove_replaced(self, file: Option<&Path>) -> anyhow::Result<()> {
        let Some(file) = file.filter(|_| self.start() == Start::Over) else { return Ok(()) };
        remove_if_there(file).with_context(|| format!("cannot remove `{}`", file.display()))
    }
}

/// The start that the options ask for, of which one may be given.
pub const fn start(resume: bool, force: bool) -> Start {
    match (resume, force) {
        (true, _) => Start::Resume,
        (_, true) => Start::Over,
        _ => Start::New,
    }
}

/// Says that the run called `what` is finished in `folder`, and was left as it is.
pub fn told_before(what: &str, folder: &Path) -> anyhow::Result<()> {
    output::print(&format!("{what}: finished before, see {}; nothing was written\n", folder.display()))
}

/// What a run that stops has to say: what is `kept` of it in which `places`, and the command that goes on with it, by `--resume`.
pub fn last_words(kept: &str, places: &[impl AsRef<Path>]) -> String {
    last_words_of(kept, places, true)
}

/// The same of a command that may not know `--resume`.
pub fn last_words_of(kept: &str, places: &[impl AsRef<Path>], knows_resume: bool) -> String {
    let places: Vec<String> = places.iter().map(|place| format!("`{}`", place.as_ref().display())).collect();
    format!("{kept} kept in {}; to go on: {}", places.join(", "), resuming(knows_resume))
}

/// The number of finished games in a journal: one a line after its first, but for lines of games that go on.
pub fn games_in(journal: &Path) -> usize {
    let Ok(mut file) = File::open(journal).map(BufReader::new) else { return 0 };
    let (mut lines, mut unfinished, mut line) = (0_usize, 0, Vec::new());
    // A last line without an end does not count.
    while file.read_until(b'\n', &mut line).is_ok() && line.last() == Some(&b'\n') {
        lines += 1;
        // Within a text the quotation mark would have a backslash before it.
        unfinished += usize::from(line.windows(AFTER.len()).any(|window| window == AFTER));
        line.clear();
    }
    lines.saturating_sub(1 + unfinished)
}

/// What only the lines of games that go on have.
const AFTER: &[u8] = b",\"after\":";

/// Says that games were taken from `journal`.
pub fn note_taken(games: usize, journal: &Path) {
    eprintln!("note: {games} games are taken from `{}`, where an earlier run left them", journal.display());
}

/// The command that goes on with what this one has left: the same with `--resume`, where it knows that option.
pub fn resuming(knows_resume: bool) -> String {
    command_line(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()), knows_resume)
}

/// A command in quotation marks; if it knows `--resume`, with that behind it in place of `--force`. Another needs its `--force` again.
pub fn command_line(arguments: impl Iterator<Item = String>, knows_resume: bool) -> String {
    let others = arguments.filter(|argument| argument != "--resume" && !(knows_resume && argument == "--force"));
    let more = knows_resume.then(|| "--resume".to_owned());
    let words: Vec<String> = others.chain(more).map(|word| quoted(&word)).collect();
    format!("`roughboard {}`", words.join(" "))
}

/// A word of a command line, in quotation marks if a shell would take it apart.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What a user can do about an error of a folder: the end of its message, in options of `command`.
pub fn advice(error: &anyhow::Error, command: &clap::Command) -> String {
    let knows_resume = command.get_arguments().any(|arg| arg.get_long() == Some("resume"));
    let of_run = || match error.downcast_ref() {
        Some(RunsError::Folder(error)) => Some(error),
        _ => None,
    };
    if let Some(RunsError::Extension { .. }) = error.downcast_ref() {
        return "; choose another folder, or continue it all the same with `--extend`".to_owned();
    }
    match error.downcast_ref().or_else(of_run) {
        Some(FolderError::Unfinished(_)) if knows_resume => {
            format!(": go on with it by {}, or start over with `--force`", resuming(true))
        }
        Some(FolderError::Unfinished(_) | FolderError::Finished(_)) => {
            ": choose another folder, or replace it with `--force`".to_owned()
        }
        Some(FolderError::Another(..) | FolderError::Damaged(..)) => {
            "; choose another folder, or start over with `--force`".to_owned()
        }
        _ => String::new(),
    }
}

/// How the tables of a match of `game` in the folder `run` are seen before it is complete.
pub fn tables_so_far(run: &Path, game: &str) -> String {
    let (run, out) = (run.display().to_string(), format!("{}-so-far", run.display()));
    let game = (game != GameName::default().name()).then_some(["--game", game]);
    let words = ["match", "merge", &run, "--out", &out].into_iter().chain(game.into_iter().flatten());
    format!("for the tables so far: {}", command_line(words.map(str::to_owned), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_goes_on_can_be_given_to_a_shell() {
        let line = |arguments: &[&str], knows| command_line(arguments.iter().map(|&one| one.to_owned()), knows);
        let given = ["match", "rough", "engine:pikafish -x", "--force", "--out", "it's"];
        let expected = "`roughboard match rough 'engine:pikafish -x' --out 'it'\\''s' --resume`";
        assert_eq!(line(&given, true), expected);
        assert_eq!(line(&["games", "generate", "--resume"], false), "`roughboard games generate`");
        assert_eq!(line(&["games", "generate", "--force"], false), "`roughboard games generate --force`");
    }
}
