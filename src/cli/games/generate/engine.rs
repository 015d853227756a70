//! The options that describe an engine of any make.

use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use roughboard::arena::{EnginePlayer, TimeControl};
use roughboard::disk::{sha256, sha256_of_file};
use roughboard::engine::Dialect;
use roughboard::engine::client::{Budget, EngineCommand};
use roughboard::eval::Catalogue;
use roughboard::game::Ranks;

use crate::cli::doctor::found_on_path;
use crate::cli::settings::Of;

/// The depth of an engine that was given no limit.
const DEFAULT_DEPTH: u32 = 4;

/// How to start an engine, and how far it may think.
#[derive(clap::Args)]
pub struct EngineOptions {
    /// The engine's program and its arguments, separated by blanks; quotes keep blanks together
    #[arg(long, value_name = "COMMAND")]
    pub engine: String,
    /// An option to set, by the engine's own name of it, such as `Hash=64`; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub engine_option: Vec<String>,
    #[command(flatten)]
    pub settings: Of<EngineSettings>,
}

roughboard::settings! {
    /// How an engine is talked to, and how far it may think.
    #[derive(Debug, Clone)]
    pub struct EngineSettings {
        /// What the engine speaks.
        pub protocol: Protocol = Protocol::Auto;
        /// Search depth of the engine, in plies, 1 to 64 [default: 4, or none with another limit].
        pub depth: Option<u32> = None;
        /// Limit on the positions that one search of the engine may visit.
        pub nodes: Option<u64> = None;
        /// Time for each move of the engine, in milliseconds, 1 to 3600000; games then differ from run to run.
        pub movetime: Option<u64> = None;
        /// Seconds that the engine may take to get ready, and to answer beyond the time that it was given.
        pub patience: f64 = 10.0, in 0.001..=86_400.0;
        /// Seconds after which an engine without a time limit counts as hung.
        pub longest_move: f64 = 600.0, in 0.001..=86_400.0;
    }
}

roughboard::choices! {
    /// A protocol, and how it names the ranks of the board.
    pub enum Protocol = Auto {
        /// What the engine turns out to speak: it is greeted and asked for a first move.
        Auto,
        /// UCI with ranks from 0: `h2e2`.
        Uci,
        /// UCI with ranks from 1, for engines of many variants: `h3e3`.
        UciFromOne,
        /// UCCI.
        Ucci,
        /// That of contests in Connect6: whole turns such as `move JJKK`, and no limit but `depth`.
        Connect6,
    }
}

impl EngineOptions {
    /// The engine, which is started once to see whether it runs; in a game with a `clock` that is limit enough.
    pub fn player<G: Catalogue>(&self, clock: Option<TimeControl>) -> anyhow::Result<EnginePlayer> {
        let options = self.engine_option.iter().map(|option| named_value(option)).collect::<anyhow::Result<_>>()?;
        self.settings.read()?.player::<G>(&self.engine, options, clock)
    }
}

impl EngineSettings {
    /// The engine that `command` starts, with these `options` of its own.
    pub fn player<G: Catalogue>(
        &self,
        command: &str,
        options: Vec<(String, String)>,
        clock: Option<TimeControl>,
    ) -> anyhow::Result<EnginePlayer> {
        let speaks_it = match self.protocol {
            Protocol::Auto | Protocol::Uci => true,
            Protocol::UciFromOne | Protocol::Ucci => G::PROTOCOL.speaks_ucci,
            Protocol::Connect6 => G::PROTOCOL.speaks_stones,
        };
        anyhow::ensure!(
            speaks_it,
            "`--protocol`: engines of {} are asked in UCI, with moves as the game writes them",
            G::NAME
        );
        anyhow::ensure!(
            self.protocol != Protocol::Connect6 || (self.nodes.is_none() && self.movetime.is_none()),
            "nodes and movetime have no effect on an engine of the protocol connect6, which knows no limit but depth; leave them out"
        );
        self.check()?;
        let (dialect, ranks) = match self.protocol {
            Protocol::Auto | Protocol::Uci => (Dialect::Uci, Ranks::FromZero),
            Protocol::UciFromOne => (Dialect::Uci, Ranks::FromOne),
            Protocol::Ucci => (Dialect::Ucci, Ranks::FromZero),
            Protocol::Connect6 => (Dialect::Contest, Ranks::FromZero),
        };
        let (program, arguments) = words(command)?;
        let [patience, longest] = [self.patience, self.longest_move].map(Duration::from_secs_f64);
        let unstarted = EngineCommand::new::<G>(&program, dialect);
        let checksum = checksum_of(&program, &arguments)?;
        let command = EngineCommand { arguments, ranks, options, patience, longest, ..unstarted };
        let meet = if self.protocol == Protocol::Auto { EnginePlayer::meet_any::<G> } else { EnginePlayer::meet };
        Ok(meet(command, checksum, self.budget(clock))?)
    }

    fn budget(&self, clock: Option<TimeControl>) -> Budget {
        let is_stones = self.protocol == Protocol::Connect6;
        let unlimited = self.nodes.is_none() && self.movetime.is_none() && clock.is_none() && !is_stones;
        let depth = self.depth.or(unlimited.then_some(DEFAULT_DEPTH));
        let (movetime, clocks) = (self.movetime.map(Duration::from_millis), clock.map(TimeControl::at_start));
        Budget { depth, nodes: self.nodes, movetime, clocks }
    }
}

/// Program and arguments, between blanks outside of quotes; a text that names a file is a program without arguments, whatever blanks
/// are in it.
fn words(command: &str) -> anyhow::Result<(String, Vec<String>)> {
    if Path::new(command).is_file() {
        return Ok((command.to_owned(), Vec::new()));
    }
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter.is_whitespace() => words.extend(word.take()),
            None if matches!(letter, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    anyhow::ensure!(quote.is_none(), "expected a second quotation mark in the engine's command `{command}`");
    let mut words = words.into_iter().chain(word);
    Ok((words.next().unwrap_or_default(), words.collect()))
}

fn named_value(option: &str) -> anyhow::Result<(String, String)> {
    let parts = option.split_once('=');
    let (name, value) = parts.with_context(|| format!("`--engine-option` must be NAME=VALUE, got {option}"))?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// The SHA-256 of the program's file, which is one of the PATH where its name is no path, or, where arguments name files such as a
/// script, of the checksums of all of them; empty if the program is not found.
fn checksum_of(program: &str, arguments: &[String]) -> anyhow::Result<String> {
    // A file of this name that lies here is not the one that runs.
    let file = if program.contains('/') { Some(PathBuf::from(program)) } else { found_on_path(program) };
    let Some(file) = file.filter(|file| file.is_file()) else { return Ok(String::new()) };
    let named = arguments.iter().map(PathBuf::from).filter(|path| path.is_file());
    let sum = |path: PathBuf| sha256_of_file(&path).with_context(|| format!("cannot read `{}`", path.display()));
    let sums: Vec<String> = iter::once(file).chain(named).map(sum).collect::<anyhow::Result<_>>()?;
    Ok(if sums.len() == 1 { sums.concat() } else { sha256(sums.concat().as_bytes()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_cut_at_blanks_outside_of_quotes() {
        let cut = |command: &str| {
            let (program, arguments) = words(command).unwrap();
            [vec![program], arguments].concat()
        };
        assert_eq!(cut(" engine  --hash 16 "), ["engine", "--hash", "16"]);
        assert_eq!(
            cut(r#""my dir/engine" --name='it "is"' '' C:\x"#),
            ["my dir/engine", r#"--name=it "is""#, "", r"C:\x"]
        );
        assert!(words("'my dir/engine").unwrap_err().to_string().contains("second quotation mark"));
    }

    /// Another program under the same name, or another script, is another engine.
    #[test]
    fn checksums_are_those_of_the_files_that_run() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("engine.py");
        let arguments = [script.to_str().unwrap().to_owned(), "--quick".to_owned()];
        let shell = sha256_of_file(&found_on_path("sh").unwrap()).unwrap();
        assert_eq!(checksum_of("sh", &arguments).unwrap(), shell, "no such script");
        let of_script = |text: &str| {
            std::fs::write(&script, text).unwrap();
            checksum_of("sh", &arguments).unwrap()
        };
        let [one, other] = ["exit 1", "exit 2"].map(of_script);
        assert!(one.len() == 64 && one != other && one != shell);
        assert_eq!(checksum_of(&arguments[0], &[]).unwrap(), sha256_of_file(&script).unwrap());
        assert_eq!(checksum_of("no-such-program", &[]).unwrap(), "");
    }
}
