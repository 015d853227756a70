//! What reading came to: the account, and what the kept games add up to.

use std::collections::BTreeMap;
use std::process::ExitCode;

use roughboard::game::{BoardGame, Side};
use roughboard::record::{Account, Duplicates, GameRecord, Policy, ReadSettings, Reason, Scrutiny};
use roughboard::report::Table;
use roughboard::settings::Choices;
use roughboard::stats::Wdl;
use serde_json::json;

use crate::cli::sources::Collection;
use crate::cli::{CHECKS_FAILED, output};

/// Dropped games that are listed with their places; all of them stand in `--json`.
const LISTED: usize = 5;

/// What is read, and how strictly.
#[derive(clap::Args)]
pub struct Input {
    #[command(flatten)]
    pub collection: Collection,
    /// Fail at the first invalid game instead of dropping it
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Input {
    /// How the documents are read.
    pub fn settings(&self) -> ReadSettings {
        self.collection.reading.settings(if self.strict { Policy::Strict } else { Policy::Drop }, Scrutiny::Full)
    }
}

/// The code of a command that has read these games.
pub fn exit_code(account: &Account) -> ExitCode {
    if account.invalid() > 0 { ExitCode::from(CHECKS_FAILED) } else { ExitCode::SUCCESS }
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
    if input.json {
        return output::print_json(&as_json::<G>(input, account, totals, mean_plies));
    }
    let mut text = account_table("games", [account.read(), account.kept()], &account.by_reason()).to_text();
    text.extend(account.dropped().iter().take(LISTED).map(|dropped| format!("  {dropped}\n")));
    if account.dropped().len() > LISTED {
        text += &format!("  … and {} more (all of them with --json)\n", account.dropped().len() - LISTED);
    }
    text += &format!("duplicates  {} (kept)\n", totals.duplicates.count());
    text += &results_line(G::SIDES, totals.results);
    if let Some(mean) = mean_plies {
        text += &format!("plies    {} in all, {mean:.1} a game\n", totals.plies);
    }
    output::print(&text)
}

/// What was read and kept, and why the others were dropped.
pub fn account_table(unit: &str, [read, kept]: [u64; 2], dropped: &BTreeMap<Reason, u64>) -> Table {
    let rows = [("read".to_owned(), read), ("kept".to_owned(), kept)].into_iter();
    let rows = rows.chain(dropped.iter().map(|(reason, count)| (format!("dropped: {reason}"), *count)));
    Table::new("", &["account"], &[unit]).with_rows(rows.map(|(name, count)| [name.into(), count.into()]))
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
    let reasons = account.by_reason().into_iter().map(|(reason, count)| (reason.name().to_owned(), json!(count)));
    let drops = account.dropped().iter().map(|dropped| {
        json!({
            "file": &*dropped.place.file,
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
        "dropped": reasons.collect::<serde_json::Map<_, _>>(),
        "drops": drops.collect::<Vec<_>>(),
        "duplicates": totals.duplicates.count(),
        format!("{}_wins", G::SIDES[0]): totals.results.wins,
        "draws": totals.results.draws,
        format!("{}_wins", G::SIDES[1]): totals.results.losses,
        "mean_plies": mean_plies,
    })
}
