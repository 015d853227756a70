//! `roughboard games stats`: what is in a collection, as tables and plots.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use roughboard::game::BoardGame;
use roughboard::record::{self, Duplicates, Policy, Reason, Results, Scrutiny, Statistics};
use roughboard::report::{Bar, Bars, Cell, Curves, Heading, Picture, Series, Table};
use roughboard::stats::Wdl;
use serde_json::json;

use super::summary::{Outcome, Tolerance, dropped_by_name, dropped_rows};
use crate::cli::form::{Form, Sheet};
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::sources::{Collection, Copies, note_duplicates, unread};
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: Collection,
    /// A folder for the tables (Markdown, CSV) and plots (SVG, PNG)
    #[arg(long, value_parser = OutPath::folder(), value_name = "FOLDER")]
    out: Option<OutPath>,
    /// The most rows of the tables of players, events, openings and first moves
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    #[command(flatten)]
    form: Form,
}

/// The width of a bar of the histogram, in plies.
const BIN: usize = 10;

pub fn run<G: BoardGame>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let (mut statistics, mut duplicates) = (Statistics::default(), Duplicates::default());
    let settings = args.input.reading.settings(Policy::Drop, Scrutiny::Full);
    let account =
        record::for_each_game(&args.input.paths, settings, &session.progress, |game: record::GameRecord<G>| {
            statistics.add(&game);
            duplicates.add(&game);
        })?;
    let unread = unread(&account);
    let read = Read {
        records: account.read(),
        dropped: account.by_reason(),
        unread: unread.len() as u64,
        duplicates: duplicates.count(),
    };
    let tables = tables(&statistics, &read, G::SIDES, args.top);
    if let Some(folder) = &args.out {
        write(folder, &statistics, G::SIDES, &tables)?;
    }
    let texts: Vec<String> = tables.iter().map(|(_, table)| table.to_text()).collect();
    let [records, again] = [read.records, read.duplicates];
    let first = format!("read {records}, used {}, duplicates among these {again}", account.kept());
    let (json, text) = (as_json(&statistics, &read, G::SIDES), format!("{first}\n\n{}", texts.join("\n")));
    args.form.give(&json, Sheet::ALL_FIELDS, &text)?;
    note_duplicates(&duplicates, account.kept() as usize, Copies::Count);
    let (kept, dropped, unread) = (account.kept(), &read.dropped, &unread[..]);
    let outcome = Outcome { input: &args.input, kept, dropped, unread, if_unread: "" };
    Ok(outcome.exit_code(&Tolerance::default(), 1.0))
}

/// What was read, whatever became of it.
struct Read {
    records: u64,
    /// How many were dropped, by reason.
    dropped: BTreeMap<Reason, u64>,
    /// Those of them that are files that could not be read to their end.
    unread: u64,
    /// Of the games used, those that are there again.
    duplicates: u64,
}

/// All tables, with the names of their files.
fn tables(statistics: &Statistics, read: &Read, sides: [&str; 2], top: usize) -> Vec<(&'static str, Table)> {
    let known = statistics
        .years
        .iter()
        .map(|(year, results)| (year.map_or_else(|| "unknown".to_owned(), |year| year.to_string()), *results));
    let own = |(name, results): (&String, &Results)| (name.clone(), *results);
    let bin = |(least, games): (usize, u64)| {
        let last = least + BIN - 1;
        let bounds = Cell::Several { shown: format!("{least}-{last}"), values: vec![least.into(), last.into()] };
        [bounds, games.into()]
    };
    let plies = [Heading::named("plies", ["plies_from", "plies_to"])];
    let plies = Table::new("Plies", &[], &[]).and_names(plies).and_numbers(["games"]);
    vec![
        ("overview", overview(statistics, read, sides)),
        ("years", results_table("Years", "year", known.collect())),
        (
            "players",
            results_table("Players, from their own side", "player", most(statistics.players.iter().map(own), top)),
        ),
        ("events", results_table("Events", "event", most(statistics.events.iter().map(own), top))),
        ("openings", results_table("Openings by ECCO letter", "letter", letters(statistics))),
        ("codes", results_table("Openings by ECCO code", "code", most(statistics.openings.iter().map(own), top))),
        ("first-moves", results_table("First moves", "move", most(statistics.first_moves.iter().map(own), top))),
        ("plies", plies.with_rows(histogram(statistics).into_iter().map(bin))),
    ]
}

/// The `top` most frequent, those of equal frequency by name.
fn most(all: impl Iterator<Item = (String, Results)>, top: usize) -> Vec<(String, Results)> {
    let mut all: Vec<_> = all.collect();
    all.sort_by(|a, b| b.1.games().cmp(&a.1.games()).then_with(|| a.0.cmp(&b.0)));
    all.truncate(top);
    all
}

/// Results by the first letter of the ECCO code.
fn letters(statistics: &Statistics) -> Vec<(String, Results)> {
    let letter = |code: &String| code.chars().take(1).collect();
    grouped(statistics.openings.iter().map(|(code, results)| (letter(code), *results)))
}

/// Sums of the results of neighbours under the same name.
fn grouped(named: impl Iterator<Item = (String, Results)>) -> Vec<(String, Results)> {
    let mut groups: Vec<(String, Results)> = Vec::new();
    for (name, results) in named {
        match groups.last_mut().filter(|(last, _)| *last == name) {
            Some((_, sum)) => *sum += results,
            None => groups.push((name, results)),
        }
    }
    groups
}

fn overview(statistics: &Statistics, read: &Read, sides: [&str; 2]) -> Table {
    let [first_won, second_won] = sides.map(|side| format!("{side} won"));
    let Results { first, drawn, second, .. } = statistics.results;
    let named = |(name, count): (&str, u64)| (name.to_owned(), count);
    let records = [("records read", read.records), ("files not read to their end", read.unread)].map(named);
    let counts = [
        ("games", statistics.results.games()),
        ("duplicates among these", read.duplicates),
        (first_won.as_str(), first),
        ("drawn", drawn),
        (second_won.as_str(), second),
        ("players", statistics.players.len() as u64),
        ("positions", statistics.positions),
        ("distinct positions", statistics.distinct_positions() as u64),
    ];
    let counts = records.into_iter().chain(dropped_rows(&read.dropped)).chain(counts.map(named));
    let counts = counts.map(|(name, count)| [Cell::from(name), count.into()]);
    let mean = ["plies, mean".into(), statistics.mean_plies().map(|mean| Cell::real(mean, 1)).into()];
    let quantiles = (1..10_u8).map(|tenth| {
        let name = if tenth == 5 { "plies, median".to_owned() } else { format!("plies, {tenth}0 %") };
        [name.into(), statistics.plies_quantile(f64::from(tenth) / 10.0).into()]
    });
    Table::new("Games", &["figure"], &["value"]).with_rows(counts.chain([mean]).chain(quantiles))
}

fn results_table(caption: &str, name: &str, rows: Vec<(String, Results)>) -> Table {
    let row = |(name, results): (String, Results)| {
        let score = wdl(results).score().map(|score| Cell::real(100.0 * score, 1));
        let Results { first, drawn, second, .. } = results;
        [name.into(), results.games().into(), first.into(), drawn.into(), second.into(), score.into()]
    };
    let numbers = ["games", "won", "drawn", "lost", "score %"];
    Table::new(caption, &[name], &numbers).with_rows(rows.into_iter().map(row))
}

/// Games by their plies in bins of [`BIN`], empty ones between others included.
fn histogram(statistics: &Statistics) -> Vec<(usize, u64)> {
    let longest = statistics.plies.keys().next_back().map_or(0, |plies| plies / BIN + 1);
    let games = |bin: usize| statistics.plies.range(bin * BIN..(bin + 1) * BIN).map(|(_, games)| games).sum();
    (0..longest).map(|bin| (bin * BIN, games(bin))).collect()
}

const fn wdl(results: Results) -> Wdl {
    Wdl { wins: results.first, draws: results.drawn, losses: results.second }
}

fn write(folder: &Path, statistics: &Statistics, sides: [&str; 2], tables: &[(&str, Table)]) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make folder `{}`", folder.display()))?;
    for (name, table) in tables {
        for (ending, text) in [("md", table.to_markdown()), ("csv", table.to_csv())] {
            output::write(&folder.join(format!("{name}.{ending}")), text)?;
        }
    }
    if statistics.results.games() == 0 {
        return Ok(());
    }
    for ending in ["svg", "png"] {
        let path = |name: &str| folder.join(format!("{name}.{ending}"));
        plies_plot(statistics).render(&path("plies"))?;
        bars(&format!("Results by decade, for {}", sides[0]), decades(statistics)).render(&path("years"))?;
        if !statistics.openings.is_empty() {
            bars(&format!("Results by ECCO letter, for {}", sides[0]), letters(statistics))
                .render(&path("openings"))?;
        }
    }
    Ok(())
}

fn plies_plot(statistics: &Statistics) -> Curves {
    let centre = |(least, games): (usize, u64)| ((least + BIN / 2) as f64, games as f64);
    let series = Series::new("games", histogram(statistics).into_iter().map(centre).collect());
    Curves::new("Lengths of the games", ["plies", &format!("games in {BIN} plies")], vec![series])
}

fn bars(title: &str, rows: Vec<(String, Results)>) -> Bars {
    let bars = rows.into_iter().map(|(label, results)| Bar::of_games(label, wdl(results))).collect();
    Bars { title: title.to_owned(), bars }
}

/// Results by decade: a bar a year would fill pages.
fn decades(statistics: &Statistics) -> Vec<(String, Results)> {
    let decade = |year: Option<_>| year.map_or_else(|| "unknown".to_owned(), |year| format!("{}s", year / 10 * 10));
    grouped(statistics.years.iter().map(|(year, results)| (decade(*year), *results)))
}

fn as_json(statistics: &Statistics, read: &Read, sides: [&str; 2]) -> serde_json::Value {
    let Results { first, drawn, second, .. } = statistics.results;
    json!({
        "read": read.records,
        "dropped": dropped_by_name(&read.dropped),
        "unread_files": read.unread,
        "duplicates": read.duplicates,
        "games": statistics.results.games(),
        format!("{}_won", sides[0]): first,
        "drawn": drawn,
        format!("{}_won", sides[1]): second,
        "no_result": read.dropped.get(&Reason::NoResult).unwrap_or(&0),
        "mean_plies": statistics.mean_plies(),
        "median_plies": statistics.plies_quantile(0.5),
        "positions": statistics.positions,
        "distinct_positions": statistics.distinct_positions(),
        "players": statistics.players.len(),
        "unknown_dates": statistics.years.get(&None).map_or(0, Results::games),
    })
}
