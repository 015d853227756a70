//! The folder of a match: its plan and its journal while it is played, and all results once it is complete.
//!
//! A folder whose match is complete holds the same bytes however it was played: at once, after any number of kills, or in parts
//! by many machines.

use std::path::{Path, PathBuf};

use super::error::RunsError;
use super::folder::{FolderError, Kind, RunFolder, Start, remove};
use super::manifest::{MANIFEST, Manifest, TABLES as PAGE, read_text};
use super::results::{GAMES as RECORDS, Results};
use crate::arena::{FinishedGame, JournalSource, Plan, Played, Shard, TournamentResult};
use crate::disk::write_file;
use crate::game::{BoardGame, Notation, Side};
use crate::record::{COLLECTION_LEVEL, Entry, GameFile, TableFile, integer, result_text};
use crate::report::{Document, Table, matches};
use crate::settings::Changes;

/// The plan.
pub(crate) const PLAN: &str = "plan.json";
/// The games, as they end.
const JOURNAL: &str = "journal.jsonl";

const CHART: &str = "matches";
const GAMES: [&str; 2] = ["games.csv", "games.parquet"];

/// The columns of the table of games. `value` is the result for the first side: 1, 0, -1.
const GAME_COLUMNS: &str =
    "game# pair opening# first second result value# end failure plies# nodes_first# nodes_second# moves";

/// Matches.
pub const MATCH: Kind = Kind {
    name: "match",
    is_unfinished: |folder| folder.join(PLAN).exists() && !folder.join(MANIFEST).exists(),
    owns: |name| {
        let results = [MANIFEST, PLAN, JOURNAL, RECORDS, PAGE, "matches.svg"];
        results.contains(&name)
            || GAMES.contains(&name)
            || TABLES.iter().map(|(table, _)| *table).chain([TEST]).any(|table| format!("{table}.csv") == name)
    },
    is_shared: false,
    has_state: false,
};

/// The folder of one match.
#[derive(Debug, Clone)]
pub struct MatchFolder(RunFolder);

/// Folders whose matches are to be one.
#[derive(Debug)]
pub struct Sources<G: BoardGame> {
    folders: Vec<(PathBuf, Plan<G>)>,
    /// Everything that any of them plans.
    pub plan: Plan<G>,
}

impl MatchFolder {
    /// Makes the folder `path` ready for a match by `plan`.
    ///
    /// # Errors
    /// When it holds another match than is to be resumed, a finished one whose journal was changed, or something else that would be lost,
    /// cannot be written, or another process uses it.
    pub fn open<G: BoardGame>(path: &Path, start: Start, plan: &Plan<G>) -> Result<Self, RunsError> {
        let is_known = start == Start::Resume && path.join(PLAN).exists();
        if is_known {
            check_plan(path, plan)?;
            check_journal(path)?;
        }
        let folder = RunFolder::open(path, &MATCH, None, start)?;
        // A match whose journal was left out is played again; what says that it is finished must not outlive a kill meanwhile.
        if is_known && !path.join(JOURNAL).exists() {
            remove(&path.join(MANIFEST))?;
        }
        if !is_known {
            write_file(&path.join(PLAN), plan.to_text().as_bytes())?;
        }
        Ok(Self(folder))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0.results
    }

    /// Where games go as they end.
    pub fn journal(&self) -> PathBuf {
        self.path().join(JOURNAL)
    }

    /// Writes what was played: of an incomplete match the journal alone, in order; of a complete one everything, last the
    /// manifest.
    ///
    /// # Errors
    /// When a file cannot be written; the match is not complete then.
    pub fn write<G: BoardGame>(&self, plan: &Plan<G>, played: &Played<'_, G>) -> Result<(), RunsError> {
        let journal = self.journal();
        if played.missing() > 0 {
            return played.write_journal(&journal, |_| Ok(()));
        }
        // The games are read once, from the journal that the ordered one replaces when all of it is written.
        let mut files = GameFiles::create::<G>(self.path())?;
        played.write_journal(&journal, |game| files.push(game))?;
        files.finish()?;
        let result = played.result_with_players();
        let mut results = Results::new(&self.0);
        for (name, table) in tables(&result) {
            results.text(&format!("{name}.csv"), &table.to_csv())?;
        }
        results.page(&page(plan, &result))?;
        results.picture(CHART, false, &matches::chart(&plan.document.event, &result.pairings))?;
        results.others([PLAN, JOURNAL, RECORDS].into_iter().chain(GAMES).map(str::to_owned));
        Ok(results.finish(manifest(plan))?)
    }
}

/// Refuses a folder that holds a match by another plan.
fn check_plan<G: BoardGame>(path: &Path, plan: &Plan<G>) -> Result<(), RunsError> {
    let known = read_plan::<G>(path)?;
    if known.fingerprint() == plan.fingerprint() {
        return Ok(());
    }
    Err(FolderError::Another(path.to_owned(), changes(&known, plan)).into())
}

/// What differs between two plans, in the words of those who ask for matches: the number of games, and not that of each opening.
fn changes<G: BoardGame>(before: &Plan<G>, now: &Plan<G>) -> Changes {
    let is_as_long = before.games() == now.games();
    let told = |plan: &Plan<G>| {
        let mut told = serde_json::to_value(&plan.document).unwrap_or_default();
        for pairing in told["pairings"].as_array_mut().into_iter().flatten() {
            pairing["openings"].take();
        }
        for entrant in
            told["entrants"].as_array_mut().into_iter().flatten().filter_map(serde_json::Value::as_object_mut)
        {
            // The same player in other words.
            entrant.remove("entered_as");
        }
        told["games"] = plan.games().into();
        if !is_as_long {
            // A match of another length has more of them or fewer.
            told["openings"].take();
        }
        told
    };
    Changes::between(&told(before), &told(now))
}

/// Refuses the journal in `folder` if a finished match wrote another one there.
fn check_journal(folder: &Path) -> Result<(), RunsError> {
    let changed = Manifest::read(folder).map(|known| known.differences(folder).changed).unwrap_or_default();
    match changed.iter().any(|name| name == JOURNAL) {
        true => Err(RunsError::Changed(folder.join(JOURNAL))),
        false => Ok(()),
    }
}

/// The tables that are files of their own.
type TableOf = fn(&TournamentResult) -> Table;
const TABLES: [(&str, TableOf); 4] = [
    ("standings", matches::standings),
    ("crosstable", matches::cross_table),
    ("pairings", |result| matches::pairings(&result.pairings)),
    ("ends", |result| matches::ends(&result.pairings)),
];

/// The table of the sequential test, where there is one.
const TEST: &str = "sprt";

/// All tables of these results, with the names of their files.
fn tables(result: &TournamentResult) -> Vec<(&'static str, Table)> {
    let test = result.test.iter().map(|test| (TEST, matches::sequential_test(test)));
    TABLES.iter().map(|(name, table)| (*name, table(result))).chain(test).collect()
}

/// The files of all games of a match, which are written side by side, a game at a time.
struct GameFiles {
    records: GameFile,
    tables: Vec<TableFile>,
}

impl GameFiles {
    fn create<G: Notation>(folder: &Path) -> Result<Self, RunsError> {
        let table = |name| TableFile::create(&folder.join(name), GAME_COLUMNS.split(' '), ".csv or .parquet");
        let tables = GAMES.into_iter().map(table).collect::<Result<_, _>>()?;
        Ok(Self { records: GameFile::create::<G>(&folder.join(RECORDS), COLLECTION_LEVEL)?, tables })
    }

    fn push<G: BoardGame>(&mut self, game: FinishedGame<'_, G>) -> Result<(), RunsError> {
        self.tables.iter_mut().try_for_each(|table| table.push(row(&game)))?;
        Ok(self.records.push(&game.record())?)
    }

    fn finish(self) -> Result<(), RunsError> {
        self.tables.into_iter().try_for_each(TableFile::finish)?;
        Ok(self.records.finish()?)
    }
}

/// A row of the table of games.
fn row<G: BoardGame>(game: &FinishedGame<'_, G>) -> Vec<Entry> {
    let FinishedGame { row, played, .. } = game;
    let moves: Vec<String> = played.moves.iter().map(ToString::to_string).collect();
    let text = |text: &str| Entry::Text(text.to_owned());
    vec![
        integer(row.game as u64),
        Entry::Text(game.pair().id.to_string()),
        integer(row.opening as u64),
        text(&row.first),
        text(&row.second),
        result_text(Some(played.outcome)).into(),
        Entry::Integer(Some(played.outcome.value_for(Side::First).into())),
        text(&row.reason),
        text(played.failure.as_deref().unwrap_or_default()),
        integer(row.plies as u64),
        integer(played.nodes[0]),
        integer(played.nodes[1]),
        Entry::Text(moves.join(" ")),
    ]
}

/// The tables for a reader.
fn page<G: BoardGame>(plan: &Plan<G>, result: &TournamentResult) -> String {
    let seeds: Vec<String> = plan.seeds().iter().map(u64::to_string).collect();
    let about = format!(
        "{} of {} entrants, every opening with both colours, draw after {} plies; seed {}",
        length(plan, result),
        result.names.len(),
        plan.document.adjudication.max_plies,
        seeds.join(", ")
    );
    let errors = "errors are 95 % intervals: of scores and of Elo differences over pairs of games, of ratings over single games, each \
                  taken as won or lost outright";
    let mut points = vec![about, errors.to_owned(), "the standings are in the order of the ratings".to_owned()];
    // In Markdown a name would lose its backslash before some signs.
    points.extend(matches::players(result).iter().map(|players| players.replace('\\', "\\\\")));
    points.extend(matches::repeats(result));
    points.extend(result.test.iter().flat_map(matches::test_sentences));
    let page = Document::titled(&plan.document.event).points(points);
    let tables: Vec<Table> = tables(result).into_iter().map(|(_, table)| table).collect();
    page.tables(&tables).picture("results", "matches.svg").into_text()
}

/// How many games were played, and of how many at most where a sequential test ended the match before all of them were.
fn length<G: BoardGame>(plan: &Plan<G>, result: &TournamentResult) -> String {
    let (played, planned) = (result.games(), plan.games() as u64);
    if played < planned { format!("{played} of at most {planned} games") } else { format!("{planned} games") }
}

fn manifest<G: BoardGame>(plan: &Plan<G>) -> Manifest {
    let seeds = plan.seeds();
    let seed = seeds.first().copied().unwrap_or_default();
    let mut settings = serde_json::json!({ "plan": plan.fingerprint(), "adjudication": plan.document.adjudication });
    if let Some(sprt) = plan.sprt() {
        settings["sprt"] = serde_json::json!(sprt);
    }
    if seeds.len() > 1 {
        settings["seeds"] = seeds.into();
    }
    Manifest { program: plan.document.program.clone(), ..Manifest::new(MATCH.name, seed, settings, plan.inputs()) }
}

/// Whether the folder `path` holds all games of this `shard` of the match by `plan`, or a journal that cannot be read: what is wrong
/// with it is told where the match goes on.
pub fn holds_shard<G: BoardGame>(path: &Path, plan: &Plan<G>, shard: Shard) -> bool {
    let journal = path.join(JOURNAL);
    let source = JournalSource { path: &journal, fingerprint: plan.fingerprint() };
    journal.exists() && plan.collect(&[source]).ok().is_none_or(|(played, _)| played.holds(shard))
}

/// The plan in the folder of a match.
///
/// # Errors
/// When there is none, or it is not a plan of this game.
fn read_plan<G: BoardGame>(folder: &Path) -> Result<Plan<G>, RunsError> {
    let path = folder.join(PLAN);
    Plan::parse(&read_text(&path)?).map_err(|source| RunsError::Plan(path, source))
}

/// What keeps the first folder that does not fit the one before all others from it, if there is one.
fn misfit<G: BoardGame>(folders: &[(PathBuf, Plan<G>)]) -> Option<RunsError> {
    let ((_, first), others) = folders.split_first()?;
    others.iter().find_map(|(path, plan)| {
        let error = Plan::union(vec![first.clone(), plan.clone()]).err()?;
        Some(RunsError::Plan(path.clone(), error))
    })
}

impl<G: BoardGame> Sources<G> {
    /// The folders of runs of one match, or of matches that fit together. Their order does not matter.
    ///
    /// # Errors
    /// When one is not the folder of a match, or they do not fit together.
    pub fn open(folders: &[PathBuf]) -> Result<Self, RunsError> {
        let read = |path: &PathBuf| Ok((path.clone(), read_plan(path)?));
        let mut folders: Vec<(PathBuf, Plan<G>)> = folders.iter().map(read).collect::<Result<_, RunsError>>()?;
        let plans = folders.iter().map(|(_, plan)| plan.clone()).collect();
        let plan = Plan::union(plans).map_err(|error| misfit(&folders).unwrap_or(RunsError::Plans(error)))?;
        folders.sort_by(|(_, one), (_, other)| one.fingerprint().cmp(other.fingerprint()));
        Ok(Self { plan, folders })
    }

    /// All their games, and how many of them are in more than one folder.
    ///
    /// # Errors
    /// When a journal cannot be read or was changed since its match was finished, or two hold different games under one name.
    pub fn games(&self) -> Result<(Played<'_, G>, usize), RunsError> {
        self.folders.iter().try_for_each(|(path, _)| check_journal(path))?;
        let journals: Vec<(PathBuf, &str)> =
            self.folders.iter().map(|(path, plan)| (path.join(JOURNAL), plan.fingerprint())).collect();
        // A part that had nothing to play has no journal.
        let known = journals.iter().filter(|(path, _)| path.exists());
        let sources: Vec<_> = known.map(|(path, fingerprint)| JournalSource { path, fingerprint }).collect();
        Ok(self.plan.collect(&sources)?)
    }
}
