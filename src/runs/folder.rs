//! The folder of a run, and the hidden one in it that holds what an interrupted run needs to go on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::manifest::{FileError, Manifest};
use super::results::{NETS, SUMMARY};
use crate::disk::{LOCK, Lock, sha256};

/// How the names of the folders for the state of runs begin.
const STATE: &str = ".resume-";

/// A folder is not that of another part of a run.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` holds no part of this run: expected the state `{}` in it, which stands for the same settings, games and program",
    folder.display(),
    state.display()
)]
pub struct NoPart {
    /// The folder.
    folder: PathBuf,
    /// What was looked for in it.
    state: PathBuf,
}

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
    pub fn of_others(&self, others: &[PathBuf], name: &str) -> Result<Vec<PathBuf>, NoPart> {
        let state = self.work.file_name().unwrap_or_default();
        let place = |folder: &PathBuf| {
            let work = folder.join(state);
            let foreign = || NoPart { folder: folder.clone(), state: PathBuf::from(state) };
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

/// A name as part of a file's name: `rough, reduct only` becomes `rough-reduct-only`.
#[must_use]
pub fn file_name(name: &str) -> String {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}
