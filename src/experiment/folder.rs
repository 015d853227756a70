//! The folder of a run, and the hidden one in it that holds what an interrupted run needs to go on; the files of its results.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::catalogue::{Experiment, Figure, Outcome};
use super::error::ExperimentError;
use super::manifest::{FileError, Manifest, TABLES, write_file};
use crate::disk::{LOCK, Lock, sha256};
use crate::game::Game;
use crate::record::{DEFAULT_LEVEL, GameRecord, RecordError, write_games};
use crate::report::{PlotError, Table};

/// All settings of a run.
pub const CONFIG: &str = "config.toml";
/// The figures that runs of a sweep are compared by.
pub const HEADLINE: &str = "headline.csv";
/// The figures of all runs of a sweep, beside their folders.
pub const SUMMARY: &str = "summary.csv";
/// Measured times; no part of the manifest.
pub const TIMES: &str = "times.md";

/// The games of a run's matches.
const GAMES: &str = "games.pgn.zst";
/// The folder of a run's networks.
pub const NETS: &str = "nets";
/// How the names of the folders for the state of runs begin.
const STATE: &str = ".resume-";

/// Where a run writes its results and keeps its state.
#[derive(Debug, Clone)]
pub struct RunFolder {
    /// The results.
    pub results: PathBuf,
    /// The state for resuming, named after everything that the results depend on, so that a run takes up only what an
    /// interrupted run of the same kind has left.
    pub work: PathBuf,
    /// Keeps other processes out of `results`.
    _lock: Arc<Lock>,
}

impl RunFolder {
    /// Checks that the results of `experiment` may be written to `folder`: it is new, or holds nothing but results of the same experiment
    /// or what an interrupted run has left.
    ///
    /// # Errors
    /// When it holds something else, which could be lost among the results or be taken for one of them.
    fn check(folder: &Path, experiment: &str) -> Result<(), FileError> {
        let foreign = |found: String| {
            let problem = format!("it holds {found}, no run of `{experiment}`: choose another folder");
            let source = io::Error::new(io::ErrorKind::AlreadyExists, problem);
            Err(FileError { action: "use", path: folder.to_owned(), source })
        };
        // An interrupted run has left its experiment's name where it held the folder.
        let interrupted = std::fs::read_to_string(folder.join(LOCK)).unwrap_or_default();
        if !interrupted.is_empty() && interrupted != experiment {
            return foreign(format!("an interrupted run of `{interrupted}`"));
        }
        if let Ok(manifest) = Manifest::read(folder) {
            let is_same = manifest.experiment == experiment;
            return if is_same { Ok(()) } else { foreign(format!("results of `{}`", manifest.experiment)) };
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let names_of = |entry: std::fs::DirEntry| (entry.file_name().to_string_lossy().into_owned(), entry.path());
        let entries: Vec<(String, PathBuf)> = entries.map(names_of).collect();
        let is_state = |name: &str| name.starts_with(STATE) || (name == LOCK && interrupted == experiment);
        let may_be_lost = |(name, path): &&(String, PathBuf)| {
            let is_plain_file = path.is_file() && !name.starts_with('.') && !name.ends_with(".log") && name != SUMMARY;
            is_plain_file || name == NETS
        };
        match entries.iter().filter(may_be_lost).min() {
            Some((found, _)) if !entries.iter().any(|(name, _)| is_state(name)) => foreign(format!("`{found}`")),
            _ => Ok(()),
        }
    }

    /// Creates `folder`, and in it the folder for the state of a run of `experiment` with this `identity`: name, settings and inputs. The
    /// program and its version are part of it. State that is there already is taken up, unless the run starts `afresh`.
    ///
    /// # Errors
    /// When a folder cannot be made or emptied, another process uses it, or it holds something else than runs of this experiment.
    pub fn create(
        folder: &Path,
        (experiment, identity): (&str, &impl Serialize),
        afresh: bool,
    ) -> Result<Self, FileError> {
        Self::check(folder, experiment)?;
        let fingerprint = sha256(&serde_json::to_vec(&(crate::PROGRAM, identity)).unwrap_or_default());
        let work = folder.join(format!("{STATE}{}", &fingerprint[..16]));
        let failed = |action, path: &Path| {
            let path = path.to_owned();
            move |source| FileError { action, path, source }
        };
        std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
        let lock = Lock::of_folder(folder).map_err(failed("use", folder))?;
        std::fs::write(folder.join(LOCK), experiment).map_err(failed("write", folder))?;
        if afresh && work.exists() {
            std::fs::remove_dir_all(&work).map_err(failed("remove", &work))?;
        }
        std::fs::create_dir_all(&work).map_err(failed("create", &work))?;
        Ok(Self { results: folder.to_owned(), work, _lock: Arc::new(lock) })
    }

    /// The same folder with the part `name` of its state, for steps whose files have the same names.
    ///
    /// # Errors
    /// When the folder of the part cannot be made.
    pub fn part(&self, name: &str) -> Result<Self, FileError> {
        let work = self.work.join(name);
        std::fs::create_dir_all(&work).map_err(|source| FileError { action: "create", path: work.clone(), source })?;
        Ok(Self { work, ..self.clone() })
    }

    /// Where the runs in the folders of `others`, which are parts of the same run, keep the file `name` of their state.
    ///
    /// # Errors
    /// When a folder holds no state of this run.
    pub fn of_others(&self, others: &[PathBuf], name: &str) -> Result<Vec<PathBuf>, ExperimentError> {
        let state = self.work.file_name().unwrap_or_default();
        let place = |folder: &PathBuf| {
            let work = folder.join(state);
            let foreign = || ExperimentError::NoPart { folder: folder.clone(), state: PathBuf::from(state) };
            work.is_dir().then(|| work.join(name)).ok_or_else(foreign)
        };
        others.iter().map(place).collect()
    }

    /// Removes the state of a run that is finished.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn forget_state(&self) -> Result<(), FileError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| FileError { action: "remove", path, source }
        };
        std::fs::remove_dir_all(&self.work).map_err(failed(&self.work))?;
        let lock = self.results.join(LOCK);
        std::fs::remove_file(&lock).map_err(failed(&lock))
    }
}

/// Makes the folder `path` and empties it.
///
/// # Errors
/// When it cannot be made, or something in it not be removed.
pub fn empty_folder(path: &Path) -> Result<(), FileError> {
    let failed = |action| move |source| FileError { action, path: path.to_owned(), source };
    if path.exists() {
        std::fs::remove_dir_all(path).map_err(failed("replace"))?;
    }
    std::fs::create_dir_all(path).map_err(failed("create"))
}

/// The files of a run's results, as they are written one after the other, and last the manifest over all of them.
#[derive(Debug)]
pub struct Results<'a> {
    folder: &'a RunFolder,
    names: Vec<String>,
    outcome: Outcome,
}

impl<'a> Results<'a> {
    /// The results that go into `folder`.
    #[must_use]
    pub fn new(folder: &'a RunFolder) -> Self {
        Self { folder, names: Vec::new(), outcome: Outcome::default() }
    }

    /// Writes a text.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn text(&mut self, name: &str, text: &str) -> Result<(), FileError> {
        write_file(&self.folder.results.join(name), text.as_bytes())?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Writes the page for readers.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn page(&mut self, text: &str) -> Result<(), FileError> {
        self.text(TABLES, text)
    }

    /// Writes games.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn games<'g, G: Game>(
        &mut self,
        records: impl IntoIterator<Item = &'g GameRecord<G>>,
    ) -> Result<(), RecordError> {
        write_games(&self.folder.results.join(GAMES), records, DEFAULT_LEVEL)?;
        self.names.push(GAMES.to_owned());
        Ok(())
    }

    /// Writes a table as CSV.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn csv(&mut self, name: &str, table: &Table) -> Result<(), FileError> {
        self.text(&format!("{name}.csv"), &table.to_csv())
    }

    /// Draws a picture in place of one of the same name: as SVG, and as PNG too if `png`.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn picture(
        &mut self,
        name: &str,
        png: bool,
        render: impl Fn(&Path) -> Result<(), PlotError>,
    ) -> Result<(), ExperimentError> {
        for (format, wanted) in [("svg", true), ("png", png)] {
            let file = format!("{name}.{format}");
            let path = self.folder.results.join(&file);
            if wanted {
                render(&path)?;
                self.names.push(file);
            } else if path.exists() {
                // A picture of an earlier run, which had more of them.
                std::fs::remove_file(&path).map_err(|source| FileError { action: "remove", path, source })?;
            }
        }
        Ok(())
    }

    /// Adds files that were written by others.
    pub fn others(&mut self, names: impl IntoIterator<Item = String>) {
        self.names.extend(names);
    }

    /// Writes measured times, which are another on every run and no part of the manifest, and shows them at the end.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn times(&mut self, tables: impl IntoIterator<Item = Table>) -> Result<(), FileError> {
        let note =
            "# Times\n\nMeasured on one machine on one day: not part of the manifest, and another on every run.\n\n";
        let tables: Vec<Table> = tables.into_iter().collect();
        let texts: Vec<String> = tables.iter().map(Table::to_markdown).collect();
        write_file(&self.folder.results.join(TIMES), (note.to_owned() + &texts.join("\n")).as_bytes())?;
        self.outcome.tables.extend(tables);
        Ok(())
    }

    /// Tables that a reader wants at the end of the run.
    pub fn show<'t>(&mut self, tables: impl IntoIterator<Item = &'t Table>) {
        self.outcome.tables.extend(tables.into_iter().cloned());
    }

    /// Sentences that a reader wants at the end of the run.
    pub fn remark(&mut self, remarks: impl IntoIterator<Item = String>) {
        self.outcome.remarks.extend(remarks);
    }

    /// The figures that runs of a sweep are compared by.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn headline(&mut self, figures: Vec<Figure>) -> Result<(), FileError> {
        let mut text = String::from("figure,value\n");
        for (name, value) in &figures {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{},{value}", name.replace([',', '"', '\n'], ""));
        }
        self.outcome.headline = figures;
        self.text(HEADLINE, &text)
    }

    /// Writes settings and manifest, and forgets the state for resuming: the run is finished.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn close<E: Experiment>(mut self, config: &E, inputs: &[(String, String)]) -> Result<Outcome, FileError> {
        self.text(CONFIG, &toml::to_string(config).unwrap_or_default())?;
        let manifest = Manifest {
            experiment: E::NAME.to_owned(),
            program: crate::PROGRAM.to_owned(),
            seed: *config.clone().seed_mut(),
            settings: serde_json::to_value(config).unwrap_or_default(),
            inputs: inputs.to_vec(),
            outputs: Vec::new(),
        };
        manifest.write(&self.folder.results, &self.names)?;
        self.folder.forget_state()?;
        Ok(Outcome { files: self.names, ..self.outcome })
    }
}

/// The figures that [`Results::headline`] wrote into `folder`; none if there are none.
#[must_use]
pub fn read_headline(folder: &Path) -> Vec<Figure> {
    let text = std::fs::read_to_string(folder.join(HEADLINE)).unwrap_or_default();
    let figure =
        |line: &str| line.rsplit_once(',').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    text.lines().skip(1).filter_map(figure).collect()
}

/// A name as part of a file's name: `rough, reduct only` becomes `rough-reduct-only`.
#[must_use]
pub fn file_name(name: &str) -> String {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}
