//! What reading came to: the account, and what the kept games add up to.

use std::collections::BTreeMap;
use std::process::ExitCode;

use roughboard::game::{BoardGame, Side};
use roughboard::record::{Account, Dropped, Duplicates, GameRecord, Policy, ReadSettings, Reason, Scrutiny};
use roughboard::report::Table;
use roughboard::settings::Choices;
use roughboard::stats::Wdl;
use serde_json::json;

use crate::cli::CHECKS_FAILED;
use crate::cli::form::{Form, Sheet};
use crate::cli::sources::{Collection, other_game, unread, unread_files};
use crate::cli::values::real;

/// Dropped games that are listed with their places; all of them stand in JSON.
const LISTED: usize = 5;

/// What is read, and how strictly.
#[derive(clap::Args)]
pub struct Input {
    #[command(flatten)]
    pub collection: Collection,
    /// Fail at the first invalid game instead of dropping it
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    pub tolerance: Tolerance,
    #[command(flatten)]
    pub form: Form,
}

impl Input {
    /// How the documents are read.
    pub fn settings(&self) -> ReadSettings {
        self.collection.reading.settings(if self.strict { Policy::Strict } else { Policy::Drop }, Scrutiny::Full)
    }

    /// The code of a command that has read this, and bears a share of `usual` wrong records unless another was asked for.
    /// `if_unread` is what becomes of its work where files were not read to their end.
    pub fn exit_code(&self, account: &Account, usual: f64, if_unread: &str) -> ExitCode {
        let (dropped, unread) = (account.by_reason(), unread(account));
        let outcome =
            Outcome { input: &self.collection, kept: account.kept(), dropped: &dropped, unread: &unread, if_unread };
        outcome.exit_code(&self.tolerance, usual)
    }
}

/// How much may be wrong with what is read.
#[derive(Default, clap::Args)]
pub struct Tolerance {
    /// The largest share of wrong records, 0 to 1, at which the exit code is 0 [default: 0 for `games read`, 1 for other commands]; if it is given, a
    /// file that cannot be read to its end is one wrong record
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_wrong: Option<f64>,
}

impl Tolerance {
    /// Whether a file of games may be made of what was read, where these files could not be read to their end: their games would
    /// pass for a smaller collection.
    pub const fn bears(&self, unread: &[Dropped]) -> bool {
        unread.is_empty() || self.max_wrong.is_some()
    }
}

/// What becomes of a file of games that is not to be made of what was read.
pub const UNWRITTEN: &str =
    "; no file of games is written: leave such files out, or count each as one wrong record with `--max-wrong SHARE`";

fn share(text: &str) -> Result<f64, String> {
    let share = real(text).ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// What became of the records that a command has read.
pub struct Outcome<'a> {
    /// Where they were read.
    pub input: &'a Collection,
    /// How many were kept.
    pub kept: u64,
    /// How many were dropped, by reason.
    pub dropped: &'a BTreeMap<Reason, u64>,
    /// Those of them that are files that could not be read to their end.
    pub unread: &'a [Dropped],
    /// What becomes of the work of the command where there are such files, as the end of a sentence.
    pub if_unread: &'a str,
}

impl Outcome<'_> {
    /// The code of the command, which says why where it is not that of success. `usual` is the largest share of wrong records unless
    /// another was asked for.
    pub fn exit_code(&self, tolerance: &Tolerance, usual: f64) -> ExitCode {
        let complaint = if tolerance.bears(self.unread) {
            if !self.unread.is_empty() {
                eprintln!("note: {}", self.unread_files());
            }
            self.complaint(tolerance.max_wrong.unwrap_or(usual))
        } else {
            Some(self.unread_files() + self.if_unread)
        };
        complaint.map_or(ExitCode::SUCCESS, |complaint| {
            eprintln!("check failed: {complaint}");
            ExitCode::from(CHECKS_FAILED)
        })
    }

    fn complaint(&self, max_wrong: f64) -> Option<String> {
        let read = self.kept + self.dropped.values().sum::<u64>();
        let wrong = self.dropped_for(Reason::is_invalid);
        let sound = read - wrong - self.dropped_for(|reason| reason == Reason::NotGames);
        if sound == 0 {
            return Some(self.none_found());
        }
        if self.kept == 0 {
            return Some(format!("no game was kept of {read} records"));
        }
        // Divided, 29 of 100 is the same number as 0.29; a product may be rounded to less.
        let is_too_much = wrong as f64 / read as f64 > max_wrong;
        is_too_much.then(|| format!("{wrong} of {read} records are wrong; `--max-wrong` allows a share of {max_wrong}"))
    }

    /// Which files could not be read to their end, and what that means.
    fn unread_files(&self) -> String {
        let named = unread_files(self.unread);
        format!("{named}; records before that point count, those after it are lost")
    }

    fn dropped_for(&self, is_meant: impl Fn(Reason) -> bool) -> u64 {
        self.dropped.iter().filter(|(reason, _)| is_meant(**reason)).map(|(_, count)| count).sum()
    }

    fn none_found(&self) -> String {
        let asked = self.input.game.name();
        let other = other_game(&self.input.paths, &self.input.reading, asked);
        let hint = other.map_or_else(String::new, |other| {
            let name = other.name();
            format!("; there are games of {name}: read them with `--game {name}`")
        });
        format!("no game of {asked} was found{hint}")
    }
}

/// What the kept games add up to.
#[derive(Default)]
pub struct Totals {
    /// Results for the first side.
    results: Wdl,
    plies: u64,
    duplicates: Duplicates,
}

impl Totals {
    /// Counts a game.
    pub fn add<G: BoardGame>(&mut self, game: &GameRecord<G>) {
        if let Some(outcome) = game.outcome {
            self.results.record(outcome.value_for(Side::First));
        }
        self.plies += game.moves.len() as u64;
        self.duplicates.add(game);
    }
}

/// Prints the account and the totals.
pub fn print<G: BoardGame>(input: &Input, account: &Account, totals: &Totals) -> anyhow::Result<()> {
    let mean_plies = (totals.results.games() > 0).then(|| totals.plies as f64 / totals.results.games() as f64);
    let table = account_table("games", [account.read(), account.kept()], &account.by_reason());
    let mut text = table.to_text();
    text.extend(account.dropped().iter().take(LISTED).map(|dropped| format!("  {dropped}\n")));
    if account.dropped().len() > LISTED {
        text += &format!("  … and {} more (all of them with --json)\n", account.dropped().len() - LISTED);
    }
    text += &format!("duplicates  {} (kept)\n", totals.duplicates.count());
    text += &results_line(G::SIDES, totals.results);
    if let Some(mean) = mean_plies {
        text += &format!("plies    {} in all, {mean:.1} a game\n", totals.plies);
    }
    input.form.give(&as_json::<G>(input, account, totals, mean_plies), Sheet::Made(&|| table.to_csv()), &text)
}

/// What was read and kept, and why the others were dropped.
pub fn account_table(unit: &str, [read, kept]: [u64; 2], dropped: &BTreeMap<Reason, u64>) -> Table {
    let rows = [("read".to_owned(), read), ("kept".to_owned(), kept)].into_iter().chain(dropped_rows(dropped));
    Table::new("", &["account"], &[unit]).with_rows(rows.map(|(name, count)| [name.into(), count.into()]))
}

/// How many were dropped for each reason, as tables show it.
pub fn dropped_rows(dropped: &BTreeMap<Reason, u64>) -> impl Iterator<Item = (String, u64)> {
    dropped.iter().map(|(reason, count)| (format!("dropped: {reason}"), *count))
}

/// How many were dropped for each reason, as JSON has it.
pub fn dropped_by_name(dropped: &BTreeMap<Reason, u64>) -> BTreeMap<&'static str, u64> {
    dropped.iter().map(|(reason, count)| (reason.name(), *count)).collect()
}

/// Results of the first side.
pub fn results_line([first, second]: [&str; 2], Wdl { wins, draws, losses }: Wdl) -> String {
    format!("results  {first} won {wins}, drawn {draws}, {second} won {losses}\n")
}

fn as_json<G: BoardGame>(
    input: &Input,
    account: &Account,
    totals: &Totals,
    mean_plies: Option<f64>,
) -> serde_json::Value {
    let drops = account.dropped().iter().map(|dropped| {
        json!({
            "file": &*dropped.place.file.shown,
            "game": dropped.place.game,
            "line": dropped.place.line,
            "reason": dropped.flaw.reason().name(),
            "detail": dropped.flaw.to_string(),
        })
    });
    json!({
        "files": input.collection.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        "read": account.read(),
        "kept": account.kept(),
        "dropped": dropped_by_name(&account.by_reason()),
        "drops": drops.collect::<Vec<_>>(),
        "duplicates": totals.duplicates.count(),
        format!("{}_won", G::SIDES[0]): totals.results.wins,
        "drawn": totals.results.draws,
        format!("{}_won", G::SIDES[1]): totals.results.losses,
        "mean_plies": mean_plies,
    })
}
