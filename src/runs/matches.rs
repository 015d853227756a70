//! The folder of a match: its plan and its journal while it goes on, and all that it came to once it is complete.
//!
//! A folder whose match is complete holds the same bytes however it was played: at once, after any number of kills, or in parts
//! by many machines.

use std::io;
use std::path::{Path, PathBuf};

use super::manifest::{FileError, MANIFEST, Manifest, TABLES as PAGE, write_file};
use super::training::Start;
use crate::arena::{JournalError, JournalSource, Plan, PlanError, Played, TournamentResult};
use crate::disk::check_target;
use crate::game::{Game, Side};
use crate::record::{DEFAULT_LEVEL, Entry, GameFile, Kind, RecordError, TableFile, integer, result_text};
use crate::report::{PlotError, Table, matches};

/// What the manifest of a match calls its experiment.
pub const MATCH: &str = "match";
/// The plan.
pub const PLAN: &str = "plan.json";
/// The games, as they end.
pub const JOURNAL: &str = "journal.jsonl";

const CHART: &str = "matches.svg";
const GAMES: [&str; 2] = ["games.csv", "games.parquet"];
const RECORDS: &str = "games.pgn.zst";

/// The columns of the table of games. `value` is the result for the first side: 1, 0, -1.
const GAME_COLUMNS: [(&str, Kind); 13] = [
    ("game", Kind::Integer),
    ("pair", Kind::Text),
    ("opening", Kind::Integer),
    ("first", Kind::Text),
    ("second", Kind::Text),
    ("result", Kind::Text),
    ("value", Kind::Integer),
    ("end", Kind::Text),
    ("failure", Kind::Text),
    ("plies", Kind::Integer),
    ("nodes_first", Kind::Integer),
    ("nodes_second", Kind::Integer),
    ("moves", Kind::Text),
];

/// Why the folder of a match cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchFolderError {
    /// It holds a match that was interrupted, or a part of one.
    #[error("`{}` holds a match that is not complete: go on with it by `--resume`, or start over by `--force`", .0.display())]
    Unfinished(PathBuf),
    /// It holds a complete match.
    #[error("`{}` holds a complete match: choose another folder, or put a new match in its place by `--force`", .0.display())]
    Finished(PathBuf),
    /// It holds another match.
    #[error("`{}` holds another match: expected plan {expected}, found {found}; choose another folder, or start over by `--force`", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// The fingerprint of the plan to play.
        expected: String,
        /// The fingerprint of the plan in the folder.
        found: String,
    },
    /// It holds something else.
    #[error("`{}` is not the folder of a match: it holds `{found}`; choose another folder", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// A file in it.
        found: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its plan cannot be used.
    #[error("`{}`", path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: PlanError,
    },
    /// Plans of several folders cannot be one.
    #[error(transparent)]
    Plans(PlanError),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The games cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The chart cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// The folder of one match.
#[derive(Debug, Clone)]
pub struct MatchFolder {
    path: PathBuf,
}

/// Folders whose matches are to be one.
#[derive(Debug)]
pub struct Sources<G: Game> {
    folders: Vec<(PathBuf, Plan<G>)>,
    /// Everything that any of them plans.
    pub plan: Plan<G>,
}

impl MatchFolder {
    /// The folder `path`, if a match may start there as `start` says. Nothing is written yet.
    ///
    /// # Errors
    /// When the folder holds a match or something else that would be lost, or cannot be written.
    pub fn check(path: &Path, start: Start) -> Result<Self, MatchFolderError> {
        let folder = Self { path: path.to_owned() };
        let is_finished = Manifest::read(path).is_ok_and(|manifest| manifest.experiment == MATCH);
        match (start, is_finished, folder.file(PLAN).exists()) {
            (Start::New, true, _) => return Err(MatchFolderError::Finished(folder.path)),
            (Start::New, false, true) => return Err(MatchFolderError::Unfinished(folder.path)),
            (_, false, false) => folder.check_empty()?,
            _ => {}
        }
        folder.check_writable().map_err(folder.failed("write"))?;
        Ok(folder)
    }

    fn check_writable(&self) -> io::Result<()> {
        if self.path.is_dir() {
            return check_target(&self.file(MANIFEST));
        }
        // The first of the folders that have yet to be made.
        let missing = self.path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).last();
        check_target(missing.unwrap_or(&self.path))
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> FileError {
        let path = self.path.clone();
        move |source| FileError { action, path, source }
    }

    /// Makes the folder ready for a match by `plan`.
    ///
    /// # Errors
    /// When it holds another match than is to be resumed, or cannot be written.
    pub fn open<G: Game>(&self, start: Start, plan: &Plan<G>) -> Result<(), MatchFolderError> {
        if start == Start::Resume && self.file(PLAN).exists() {
            return self.check_plan(plan);
        }
        std::fs::create_dir_all(&self.path).map_err(self.failed("create"))?;
        self.clear()?;
        Ok(write_file(&self.file(PLAN), plan.to_text().as_bytes())?)
    }

    fn check_empty(&self) -> Result<(), MatchFolderError> {
        let entries = match std::fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|source| FileError { action: "read", path: self.path.clone(), source })?,
        };
        // What a kill left of a file that was being written is nothing to lose.
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        match names.filter(|name| !name.ends_with(".partial")).min() {
            None => Ok(()),
            Some(found) => Err(MatchFolderError::Foreign { path: self.path.clone(), found }),
        }
    }

    fn check_plan<G: Game>(&self, plan: &Plan<G>) -> Result<(), MatchFolderError> {
        let known = read_plan::<G>(&self.path)?;
        if known.fingerprint() == plan.fingerprint() {
            return Ok(());
        }
        let [expected, found] = [plan, &known].map(|plan| plan.fingerprint().to_owned());
        Err(MatchFolderError::Other { path: self.path.clone(), expected, found })
    }

    /// Removes what an earlier match has left.
    fn clear(&self) -> Result<(), FileError> {
        // The manifest first: without it the others are no results. The plan last: as long as it is there, so is a match.
        let names = [MANIFEST, JOURNAL, RECORDS, PAGE, CHART].into_iter().chain(GAMES);
        let tables = TABLES.iter().map(|(name, _)| *name);
        for path in names.chain(tables).chain([PLAN]).map(|name| self.file(name)).filter(|path| path.exists()) {
            std::fs::remove_file(&path).map_err(|source| FileError { action: "remove", path, source })?;
        }
        Ok(())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where games go as they end.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.file(JOURNAL)
    }

    /// Writes what was played: of an incomplete match the journal alone, in order; of a complete one everything, last the
    /// manifest.
    ///
    /// # Errors
    /// When a file cannot be written; the match is not complete then.
    pub fn write<G: Game>(&self, plan: &Plan<G>, played: &Played<'_, G>) -> Result<(), MatchFolderError> {
        let journal = self.journal();
        write_file(&journal, played.to_journal(&journal)?.as_bytes())?;
        if played.missing() > 0 {
            return Ok(());
        }
        let result = played.result();
        let mut outputs = vec![PLAN.to_owned(), JOURNAL.to_owned()];
        outputs.extend(self.write_games(played)?);
        for (name, table) in TABLES {
            write_file(&self.file(name), table(&result).to_csv().as_bytes())?;
            outputs.push(name.to_owned());
        }
        write_file(&self.file(PAGE), page(plan, &result).as_bytes())?;
        matches::chart(plan.event(), &result.pairings).render(&self.file(CHART))?;
        outputs.extend([PAGE, CHART].map(str::to_owned));
        Ok(manifest(plan).write(&self.path, &outputs)?)
    }

    /// Writes the games, and gives the files' names.
    fn write_games<G: Game>(&self, played: &Played<'_, G>) -> Result<Vec<String>, RecordError> {
        let mut records = GameFile::create(&self.file(RECORDS), DEFAULT_LEVEL)?;
        played.records().try_for_each(|record| records.push(&record))?;
        records.finish()?;
        for name in GAMES {
            let mut table = TableFile::create(&self.file(name), &GAME_COLUMNS, ".csv or .parquet")?;
            rows(played).try_for_each(|row| table.push(row))?;
            table.finish()?;
        }
        Ok([RECORDS].into_iter().chain(GAMES).map(str::to_owned).collect())
    }
}

/// The tables that are files of their own.
type TableOf = fn(&TournamentResult) -> Table;
const TABLES: [(&str, TableOf); 4] = [
    ("standings.csv", matches::standings),
    ("crosstable.csv", matches::cross_table),
    ("pairings.csv", |result| matches::pairings(&result.pairings)),
    ("ends.csv", |result| matches::ends(&result.pairings)),
];

/// The rows of the table of games.
fn rows<G: Game>(played: &Played<'_, G>) -> impl Iterator<Item = Vec<Entry>> {
    played.games().map(|(row, pair, game)| {
        let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
        vec![
            integer(row.game as u64),
            Entry::Text(pair.id.to_string()),
            integer(row.opening as u64),
            Entry::Text(row.first),
            Entry::Text(row.second),
            result_text(Some(game.outcome)).into(),
            Entry::Integer(Some(game.outcome.value_for(Side::First).into())),
            Entry::Text(row.reason),
            Entry::Text(game.failure.clone().unwrap_or_default()),
            integer(row.plies as u64),
            integer(game.nodes[0]),
            integer(game.nodes[1]),
            Entry::Text(moves.join(" ")),
        ]
    })
}

/// The tables for a reader.
fn page<G: Game>(plan: &Plan<G>, result: &TournamentResult) -> String {
    let seeds: Vec<String> = plan.seeds().iter().map(u64::to_string).collect();
    let mut page = format!(
        "# {}\n\n* {} games of {} entrants, every opening with both colours, draw after {} plies; seed {}\n\
         * errors are 95 % intervals over pairs of games\n",
        plan.event(),
        plan.games(),
        result.names.len(),
        plan.adjudication().max_plies,
        seeds.join(", ")
    );
    let tables: [TableOf; 3] = [matches::standings, matches::cross_table, |result| matches::pairings(&result.pairings)];
    for table in tables.into_iter().chain([(|result| matches::ends(&result.pairings)) as TableOf]) {
        page += &format!("\n{}", table(result).to_markdown());
    }
    page + "\n![results](matches.svg)\n"
}

fn manifest<G: Game>(plan: &Plan<G>) -> Manifest {
    Manifest {
        experiment: MATCH.to_owned(),
        program: plan.program().to_owned(),
        seed: plan.seeds().first().copied().unwrap_or_default(),
        settings: serde_json::json!({ "plan": plan.fingerprint(), "adjudication": plan.adjudication() }),
        inputs: plan.inputs(),
        outputs: Vec::new(),
    }
}

/// The plan in the folder of a match.
///
/// # Errors
/// When there is none, or it is not a plan of this game.
pub fn read_plan<G: Game>(folder: &Path) -> Result<Plan<G>, MatchFolderError> {
    let path = folder.join(PLAN);
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|source| FileError { action: "read", path: path.clone(), source })?;
    Plan::parse(&text).map_err(|source| MatchFolderError::Plan { path, source })
}

impl<G: Game> Sources<G> {
    /// The folders of runs of one match, or of matches that fit together. Their order does not matter.
    ///
    /// # Errors
    /// When one is not the folder of a match, or they do not fit together.
    pub fn open(folders: &[PathBuf]) -> Result<Self, MatchFolderError> {
        let read = |path: &PathBuf| Ok((path.clone(), read_plan(path)?));
        let mut folders: Vec<(PathBuf, Plan<G>)> = folders.iter().map(read).collect::<Result<_, MatchFolderError>>()?;
        folders.sort_by(|(_, one), (_, other)| one.fingerprint().cmp(other.fingerprint()));
        let plans = folders.iter().map(|(_, plan)| plan.clone()).collect();
        Ok(Self { plan: Plan::union(plans).map_err(MatchFolderError::Plans)?, folders })
    }

    /// All their games, and how many of them are in more than one folder.
    ///
    /// # Errors
    /// When a journal cannot be read, or two hold different games under one name.
    pub fn games(&self) -> Result<(Played<'_, G>, usize), MatchFolderError> {
        let journals: Vec<(PathBuf, &str)> =
            self.folders.iter().map(|(path, plan)| (path.join(JOURNAL), plan.fingerprint())).collect();
        // A part that had nothing to play has no journal.
        let known = journals.iter().filter(|(path, _)| path.exists());
        let sources: Vec<_> = known.map(|(path, fingerprint)| JournalSource { path, fingerprint }).collect();
        Ok(self.plan.collect(&sources)?)
    }
}
