//! `roughboard games import`: from a messy collection to clean games, with an account of every record.

mod options;
mod parts;
mod split;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use roughboard::game::{Notation, Side, Symmetric};
use roughboard::record::clean::{Cleaned, Gathered, Kept};
use roughboard::record::{self, COLLECTION_LEVEL, GAME_ENDINGS, PositionFile};
use roughboard::stats::Wdl;
use serde_json::json;

use self::options::{CleaningOptions, SelectionOptions};
use self::split::{Split, Targets};
use super::summary::{Outcome, Tolerance, UNWRITTEN, account_table, dropped_by_name, results_line};
use crate::cli::form::{Form, Sheet};
use crate::cli::parts::PartOptions;
use crate::cli::session::Session;
use crate::cli::sources::Collection;
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: Collection,
    /// The file for the clean games: .pgn, .pgn.gz, .pgn.zst, .pgn.xz, or a table with one row a game, .csv or .parquet
    #[arg(long, value_parser = OutPath::stem(&GAME_ENDINGS), value_name = "FILE")]
    out: OutPath,
    /// A table with one row a position, .csv or .parquet: game, ply, fen, move, side, value (of the result for the side
    /// that moves first)
    #[arg(long, value_parser = OutPath::stem(&[".csv", ".parquet"]), value_name = "FILE")]
    positions: Option<OutPath>,
    /// A table with a row for each record of the input: file, game, line, heading, detail
    #[arg(long, value_parser = OutPath::stem(&[".csv"]), value_name = "FILE.csv")]
    account: Option<OutPath>,
    /// For packed PGN files: the level of Zstandard, 1 (fast) to 22 (small); gzip and xz take at most 9
    #[arg(long, default_value_t = COLLECTION_LEVEL, value_parser = clap::value_parser!(i32).range(0..=22), value_name = "N")]
    level: i32,
    /// Divide the games among files by per cent, as 80/10/10: GAMES.train.pgn, GAMES.valid.pgn, GAMES.test.pgn; of two parts,
    /// train and test. A game falls on its side by its moves and --seed, whatever else is in the input
    #[arg(long, value_name = "A/B[/C]")]
    split: Option<Split>,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    cleaning: CleaningOptions,
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten, next_help_heading = None)]
    tolerance: Tolerance,
    #[command(flatten)]
    form: Form,
}

pub fn run<G: Notation + Symmetric>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let targets = Targets::new(args.split.as_ref(), &args.out, args.positions.as_deref());
    session.targets.check(&targets.paths().chain(args.account.as_deref()).collect::<Vec<_>>())?;
    record::check_level(&args.out, args.level)?;
    let shard = args.parts.shard()?;
    let cleaning = args.cleaning.with(args.selection.read(G::SIDES)?, session.seed);
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let import = parts::Import::<G>::new(args, cleaning, session);
    if !shard.is_whole() {
        return import.do_part(shard);
    }
    let mut importer = import.importer(folder)?;
    let Gathered { tags, unread } = if args.parts.parts.is_empty() {
        import.read_all(&mut importer)?
    } else {
        import.gather(folder, &mut importer)?
    };
    let mut cleaned = importer.finish()?;
    args.selection.note_misses(&tags, cleaned.balance());
    // An empty file would only take the place of what may be there.
    let is_written = cleaned.balance().kept > 0 && args.tolerance.bears(&unread);
    let parts = if is_written { write_games::<G>(args, &targets, &mut cleaned, session)? } else { Vec::new() };
    targets.note_shares(&parts);
    if let Some(path) = &args.account {
        cleaned.write_account(path)?;
    }
    let balance = cleaned.balance();
    let (mut results, mut plies) = (Wdl::default(), 0_u64);
    for (outcome, length) in cleaned.kept() {
        outcome.into_iter().for_each(|outcome| results.record(outcome.value_for(Side::First)));
        plies += u64::from(length);
    }
    let mean = (balance.kept > 0).then(|| plies as f64 / balance.kept as f64);
    let table = account_table("records", [balance.read, balance.kept], &balance.dropped);
    let mut text = table.to_text();
    text += &results_line(G::SIDES, results);
    text += &mean.map_or_else(String::new, |mean| format!("plies    {mean:.1} a game\n"));
    text.extend(parts.iter().map(|(name, games)| format!("written  {name}: {games} games\n")));
    if let Some(path) = &args.account {
        text += &format!("account  {}: {} rows\n", path.display(), balance.read);
    }
    let seconds = started.elapsed().as_secs_f64();
    let speed = balance.read as f64 / seconds;
    text += &format!("time     {seconds:.1} s, {speed:.0} records a second\n");
    let [first, second] = G::SIDES.map(|side| format!("{side}_won"));
    let answer = json!({
        "read": balance.read, "kept": balance.kept, "dropped": dropped_by_name(&balance.dropped),
        first: results.wins, "drawn": results.draws, second: results.losses, "mean_plies": mean,
        "written": parts.into_iter().collect::<BTreeMap<_, _>>(),
    });
    args.form.give(&answer, Sheet::Made(&|| table.to_csv()), &text)?;
    let (dropped, unread) = (&balance.dropped, &unread[..]);
    let outcome = Outcome { input: &args.input, kept: balance.kept, dropped, unread, if_unread: UNWRITTEN };
    Ok(outcome.exit_code(&args.tolerance, 1.0))
}

/// Writes the kept games to their files. The games in each.
fn write_games<G: Notation + Symmetric>(
    args: &Args,
    targets: &Targets,
    cleaned: &mut Cleaned,
    session: &Session,
) -> anyhow::Result<Vec<(String, u64)>> {
    let mut files = targets.create::<G>(args.level)?;
    let mut positions: Vec<Option<PositionFile>> = targets.create_positions()?;
    let mut counts = vec![0; files.len()];
    cleaned.for_each_kept(&session.progress, |Kept { record, key }: Kept<G>| {
        let part = targets.part_of(session.seed, key);
        counts[part] += 1;
        files[part].push(&record)?;
        positions[part].as_mut().map_or(Ok(()), |file| file.push(&record))
    })?;
    files.into_iter().try_for_each(record::GameFile::finish)?;
    positions.into_iter().flatten().try_for_each(PositionFile::finish)?;
    Ok(targets.names().zip(counts).collect())
}
