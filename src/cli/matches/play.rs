//! `roughboard match` without a subcommand: entrants of any kind play each other in pairs of games.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use roughboard::arena::{
    JournalError, JournalPlace, MatchError, MatchSettings, Plan, Played, Player, Schedule, Shard, TimeControl,
    Tournament,
};
use roughboard::disk::{Lock, remove_if_there};
use roughboard::eval::Catalogue;
use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::record::{COLLECTION_LEVEL, GameFile, PGN_ENDINGS};
use roughboard::runs::matches::{MATCH, MatchFolder, holds_shard};
use roughboard::runs::{MANIFEST, RunFolder, Start};

use super::super::adjudication::{AdjudicationOptions, are_timed};
use super::super::folder::{StartOptions, games_in, last_words, last_words_of, note_taken, tables_so_far};
use super::super::interrupt::{self, NOTHING_KEPT};
use super::super::players::SearchOptions;
use super::super::session::Session;
use super::super::targets::OutPath;
use super::entrants::{Defaults, Field, players};
use super::openings;
use super::report::{Outlet, report};
use super::sprt::SprtOptions;
use crate::cli::form::Form;
use crate::cli::parts::shard;
use crate::cli::settings::{Of, named};

/// What is played, and how.
#[derive(clap::Args)]
pub struct Args {
    /// Who plays: evaluators, `random`, `engine:COMMAND`, each with its own settings behind an @
    #[arg(value_name = "ENTRANT", required_unless_present = "entrants_file")]
    entrants: Vec<String>,
    /// More entrants, in a TOML file
    #[arg(long = "entrants", id = "entrants_file", value_name = "FILE.toml")]
    entrants_file: Option<PathBuf>,
    /// The game that is played
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    pub game: GameName,
    #[command(flatten)]
    settings: Of<MatchSettings>,
    /// Search depth of evaluators and engines, in plies, 1 to 64 [default: 3, or none with another limit]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Limit on the positions that one search of an evaluator or engine may visit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Time for each move (of evaluators of Connect6 for each turn), in milliseconds, 1 to 3600000; games then differ from run to run
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Simulations for each move of a tree search, with a clock too [default: 400, or no limit with --movetime or --tc]
    #[arg(long, value_name = "N")]
    simulations: Option<u32>,
    #[command(flatten)]
    sprt: SprtOptions,
    #[command(flatten)]
    openings: openings::Options,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Folder to make for the match: plan, journal, games, tables, chart, manifest
    #[arg(long, value_name = "RUN")]
    out: Option<PathBuf>,
    /// File that all games are written to in the end, whether there is a folder or not (.pgn, .pgn.gz, .pgn.zst or .pgn.xz)
    #[arg(long, value_parser = OutPath::file(&PGN_ENDINGS), value_name = "FILE")]
    pgn: Option<OutPath>,
    #[command(flatten)]
    start: StartOptions,
    /// Play part I of N of the match only; `env/N` takes I from the scheduler (SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX)
    #[arg(long, requires = "out", conflicts_with = "sprt", value_name = "I/N")]
    shard: Option<String>,
    /// Save the moves of games in progress, at most every so many seconds; with 0, each move as it is played
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS")]
    journal_moves: f64,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let mut settings = MatchSettings { seed: session.seed, ..args.settings.read()? };
    settings.adjudication = args.adjudication.settings(settings.adjudication.max_plies)?;
    settings.sprt = args.sprt.test()?;
    settings.check()?;
    let pause = Duration::try_from_secs_f64(args.journal_moves);
    let wrong = || format!("`--journal-moves` must be a number of seconds, got {}", args.journal_moves);
    let pause = pause.with_context(wrong)?;
    let shard = shard(args.shard.as_deref())?;
    let start = args.start.start();
    args.out.as_deref().map_or(Ok(()), |path| RunFolder::check(path, &MATCH, start))?;
    let Field { players, entered_as } = args.field::<G>(settings.adjudication.clock)?;
    settings.event = event(&players, settings.schedule);
    let is_timed = are_timed(&settings.adjudication, players.iter().map(|player| &**player));
    let openings::Openings { openings, sources } = args.openings.make(&settings, session)?;
    let tournament = Tournament::new(players, openings, &settings, sources)?.entered_as(entered_as);
    let plan = tournament.plan();
    args.check_records(start, plan, shard)?;
    if is_timed {
        session.note_crowding(plan.games());
    }
    let folder = args.out.as_deref().map(|path| MatchFolder::open(path, start, plan)).transpose()?;
    if folder.is_some() {
        args.start.remove_replaced(args.pgn.as_deref())?;
    }
    let spare = if folder.is_none() { SpareJournal::of(plan.fingerprint()) } else { None };
    interrupt::tell(match (&args.out, &spare) {
        (Some(path), _) => last_words("games that ended are", &[path]) + "; " + &tables_so_far(path, G::NAME),
        (None, Some(spare)) => spare.last_words(),
        (None, None) => NOTHING_KEPT.to_owned(),
    });
    let journal = folder.as_ref().map(MatchFolder::journal).or_else(|| Some(spare.as_ref()?.path.clone()));
    let place = journal.as_deref().map(|path| JournalPlace { pause, ..JournalPlace::new(path) });
    let told = tournament.play(shard, place, &session.progress).map_err(anyhow::Error::from).and_then(|played| {
        folder.as_ref().map_or(Ok(()), |folder| folder.write(plan, &played))?;
        args.pgn.as_deref().map_or(Ok(()), |path| write_records(path, &played, start))?;
        report(plan, &played, &Outlet { form: args.form, folder: folder.as_ref(), note: None })
    });
    spare.map_or(Ok(()), |spare| spare.close(told.as_ref().err()))?;
    told
}

/// The journal of a match without a folder: in the folder where the program was started, under the name of the match. It goes when the
/// match is over and its records, if they are asked for, are written.
struct SpareJournal {
    path: PathBuf,
}

impl SpareJournal {
    /// That of the match with this `fingerprint`; none where it cannot be written, which is told.
    fn of(fingerprint: &str) -> Option<Self> {
        let path = PathBuf::from(format!("match-{}.journal.jsonl", &fingerprint[..16]));
        let kept = games_in(&path);
        let opened = File::options().create(true).truncate(false).write(true).open(&path).and_then(Lock::of_file);
        let problem = match opened {
            Ok(Some(_)) if kept > 0 => {
                note_taken(kept, &path);
                return Some(Self { path });
            }
            Ok(Some(_)) => return Some(Self { path }),
            Ok(None) => "another process is playing the same match here".to_owned(),
            Err(error) => format!("cannot write `{}`: {error}", path.display()),
        };
        eprintln!(
            "note: the games are not kept until the match is over: {problem}; with `--out` they are kept in a folder"
        );
        None
    }

    fn last_words(&self) -> String {
        last_words_of("games that ended are", &[&self.path], false)
    }

    /// Removes the file, unless it is another process's now, or holds games of a match that has failed or could not be written: then it is
    /// named in a note.
    fn close(self, failure: Option<&anyhow::Error>) -> anyhow::Result<()> {
        if let Some(MatchError::Journal(JournalError::Busy(_))) = failure.and_then(|failure| failure.downcast_ref()) {
            return Ok(());
        }
        if failure.is_some() && games_in(&self.path) > 0 {
            eprintln!("note: {}", self.last_words());
            return Ok(());
        }
        remove_if_there(&self.path).with_context(|| format!("cannot remove `{}`", self.path.display()))
    }
}

impl Args {
    fn field<G: Catalogue>(&self, clock: Option<TimeControl>) -> anyhow::Result<Field<G>> {
        let &Self { depth, nodes, movetime, simulations, .. } = self;
        let search = self.search.settings_of::<G>()?;
        let switches = self.search.switches();
        let defaults = Defaults { depth, nodes, movetime, simulations, search, switches, clock, ..Defaults::default() };
        let field = players(&self.entrants, self.entrants_file.as_ref(), &defaults)?;
        defaults.refuse_idle(&self.search.given())?;
        Ok(field)
    }

    /// Refuses to go on where there is a file of records that is not the run's own, since it is written last: a whole match has its
    /// manifest by then, and no game of a part is missing.
    fn check_records<G: BoardGame>(&self, start: Start, plan: &Plan<G>, shard: Shard) -> anyhow::Result<()> {
        let (Some(run), Some(records), Start::Resume) = (&self.out, self.pgn.as_deref(), start) else { return Ok(()) };
        let is_over = || if shard.is_whole() { run.join(MANIFEST).exists() } else { holds_shard(run, plan, shard) };
        let (is_own, shown) = (!records.exists() || is_over(), records.display());
        ensure!(is_own, "`{shown}` exists, and this run has not written it: expected a new file");
        Ok(())
    }
}

/// Writes the records of all games to the file `path`. A match that goes on finds its own there, or none.
fn write_records<G: BoardGame>(path: &Path, played: &Played<'_, G>, start: Start) -> anyhow::Result<()> {
    let file = GameFile::create::<G>(path, COLLECTION_LEVEL)?;
    let mut file = if start == Start::Resume { file.sparing_others() } else { file };
    played.records().try_for_each(|record| anyhow::Ok(file.push(&record?)?))?;
    Ok(file.finish()?)
}

/// What records and chart call the match.
fn event<G: BoardGame>(players: &[Box<dyn Player<G>>], schedule: Schedule) -> String {
    match players {
        [a, b] => format!("roughboard match: {} - {}", a.name(), b.name()),
        many => {
            format!("roughboard match: {schedule} of {}", many.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_of_another_process_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.journal.jsonl");
        std::fs::write(&path, "").unwrap();
        let close = |failure: Option<MatchError>| {
            SpareJournal { path: path.clone() }.close(failure.map(anyhow::Error::from).as_ref()).unwrap();
        };
        close(Some(JournalError::Busy(path.clone()).into()));
        assert!(path.exists());
        close(None);
        assert!(!path.exists());
    }
}
