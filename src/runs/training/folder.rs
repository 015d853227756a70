//! The folder of one training run: its network, its learning curve, its manifest; while it goes on, its state too.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::curves::{curve_events, table_of};
use super::{Data, Learned, curve_plot};
use crate::disk::{Lock, check_target, write_whole};
use crate::net::store::{IN_FOLDER, StoreError};
use crate::report::{PlotError, Table};
use crate::runs::manifest::{FileError, MANIFEST, Manifest, TABLES, write_file};
use crate::train::zero::{GAMES, is_kept_name};
use crate::train::{Checkpoint, CurvePoint, Recorder};

/// What the manifest of a training run calls its experiment.
pub const TRAINING: &str = "train";
/// The learning curve, one row a measurement.
pub const CURVE: &str = "curve.csv";
/// What is found out about a rough network, one file a table; and the network before training.
pub const DIAGNOSIS: &str = "diagnosis";
/// The learning curve for TensorBoard.
pub const EVENTS: &str = "events.out.tfevents.roughboard";
/// How a learner scored while it played, one row a measurement.
pub const SCORES: &str = "scores.csv";
/// The learning curve as a picture, without the ending.
const PICTURE: &str = "curve";
/// The state of a run that goes on; the folder is there exactly as long as the run is not finished.
const STATE: &str = ".resume";
const CHECKPOINT: &str = "checkpoint";

/// How a run starts in a folder that holds one already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// It does not: the folder must be new or empty.
    New,
    /// It goes on from what an interrupted run has left, if there is something.
    Resume,
    /// It takes the place of the one before, finished or not.
    Over,
}

/// Why a run cannot use a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It holds a run that was interrupted.
    #[error("`{}` holds a run that is not finished: go on with it by `--resume`, or start over by `--force`", .0.display())]
    Unfinished(PathBuf),
    /// It holds a finished run.
    #[error("`{}` holds a finished run: choose another folder, or put a new run in its place by `--force`", .0.display())]
    Finished(PathBuf),
    /// It holds something else.
    #[error("`{}` is not the folder of a training run: it holds `{found}`; choose another folder", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// A file in it.
        found: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The network cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The picture cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// The folder of one training run.
#[derive(Debug, Clone)]
pub struct TrainingFolder {
    path: PathBuf,
}

impl TrainingFolder {
    /// The folder `path`, if a run may start there as `start` says. Nothing is written yet.
    ///
    /// # Errors
    /// When the folder holds a run or something else that would be lost, or cannot be written.
    pub fn check(path: &Path, start: Start) -> Result<Self, FolderError> {
        let folder = Self { path: path.to_owned() };
        folder.check_writable().map_err(|source| folder.failed("write", path)(source))?;
        match (start, folder.is_unfinished(), folder.is_finished()) {
            (Start::New, true, _) => Err(FolderError::Unfinished(folder.path)),
            (Start::New | Start::Resume, false, true) => Err(FolderError::Finished(folder.path)),
            (_, false, false) => folder.check_empty(),
            _ => Ok(folder),
        }
    }

    fn check_writable(&self) -> io::Result<()> {
        if self.path.is_dir() {
            return check_target(&self.path.join(MANIFEST));
        }
        if self.path.exists() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        // The first of the folders that have yet to be made.
        let missing = self.path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).last();
        check_target(missing.unwrap_or(&self.path))
    }

    fn check_empty(self) -> Result<Self, FolderError> {
        if !self.path.is_dir() {
            return Ok(self);
        }
        let entries = std::fs::read_dir(&self.path).map_err(self.failed("read", &self.path))?;
        match entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).min() {
            None => Ok(self),
            Some(found) => Err(FolderError::Foreign { path: self.path, found }),
        }
    }

    fn is_unfinished(&self) -> bool {
        self.state().is_dir()
    }

    fn is_finished(&self) -> bool {
        Manifest::read(&self.path).is_ok_and(|manifest| manifest.experiment == TRAINING)
    }

    /// Makes the folder ready for a run; state of an earlier one stays only if the run is to `Resume` it. Other processes are kept out of
    /// the folder for as long as the lock is held that this gives.
    ///
    /// # Errors
    /// When a folder or file cannot be made or removed, or another process uses the folder.
    pub fn open(&self, start: Start) -> Result<Lock, FolderError> {
        let had_state = self.is_unfinished();
        let lock = self.hold()?;
        if start != Start::Over {
            // Another process may have finished its run here since the folder was looked at.
            return if !had_state && self.is_finished() { self.leave_finished() } else { Ok(lock) };
        }
        let state = self.state();
        std::fs::remove_dir_all(&state).map_err(self.failed("remove", &state))?;
        let lock = self.hold()?;
        self.clear()?;
        Ok(lock)
    }

    /// Takes back that a run begins in this folder, which holds a finished one.
    fn leave_finished(&self) -> Result<Lock, FolderError> {
        let state = self.state();
        std::fs::remove_dir_all(&state).map_err(self.failed("remove", &state))?;
        Err(FolderError::Finished(self.path.clone()))
    }

    /// Makes the folder of the state, by which the folder holds a run that is not finished, and locks it.
    fn hold(&self) -> Result<Lock, FileError> {
        let state = self.state();
        std::fs::create_dir_all(&state).map_err(self.failed("create", &state))?;
        Lock::of_folder(&state).map_err(self.failed("use", &state))
    }

    /// Removes the results of an earlier run.
    fn clear(&self) -> Result<(), FolderError> {
        let pictures = ["svg", "png"].map(|ending| format!("{PICTURE}.{ending}"));
        let names = [MANIFEST, IN_FOLDER, CURVE, EVENTS, SCORES, GAMES, TABLES].map(str::to_owned);
        let kept = self.kept_networks()?;
        let paths = names.iter().chain(&pictures).chain(&kept).map(|name| self.path.join(name));
        for path in paths.filter(|path| path.exists()) {
            std::fs::remove_file(&path).map_err(self.failed("remove", &path))?;
        }
        let diagnosis = self.diagnosis();
        if diagnosis.is_dir() {
            std::fs::remove_dir_all(&diagnosis).map_err(self.failed("remove", &diagnosis))?;
        }
        Ok(())
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn failed(&self, action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError + use<> {
        let path = path.to_owned();
        move |source| FileError { action, path, source }
    }

    /// The names of the networks that a run of self-play has kept on its way, in their order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn kept_networks(&self) -> Result<Vec<String>, FileError> {
        let entries = std::fs::read_dir(&self.path).map_err(self.failed("read", &self.path))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| is_kept_name(name)).collect();
        names.sort();
        Ok(names)
    }

    /// The folder for the state of the run, which is there once the run has [begun](TrainingFolder::open).
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.path.join(STATE)
    }

    /// Writes the manifest of a run over the files `outputs`, which are in the folder, and forgets the state: the run is finished.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn close(&self, manifest: Manifest, outputs: &[String]) -> Result<(), FileError> {
        manifest.write(&self.path, outputs)?;
        let state = self.state();
        std::fs::remove_dir_all(&state).map_err(self.failed("remove", &state))
    }

    /// The checkpoint of the run that `fingerprint` identifies.
    #[must_use]
    pub fn checkpoint(&self, fingerprint: String) -> Checkpoint {
        Checkpoint::new(self.state().join(CHECKPOINT), fingerprint)
    }

    /// What writes the learning curve of the run called `name` after each measurement.
    #[must_use]
    pub fn recorder(&self, name: &str) -> CurveRecorder {
        CurveRecorder { folder: self.path.clone(), name: name.to_owned() }
    }

    /// The learning curve, for a program to read.
    #[must_use]
    pub fn curve_file(&self) -> PathBuf {
        self.path.join(CURVE)
    }

    /// The folder for what is found out about a rough network.
    #[must_use]
    pub fn diagnosis(&self) -> PathBuf {
        self.path.join(DIAGNOSIS)
    }

    /// The network.
    #[must_use]
    pub fn network_file(&self) -> PathBuf {
        self.path.join(IN_FOLDER)
    }

    /// Writes how a learner scored while it played; the name of the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_scores(&self, scores: &Table) -> Result<String, FolderError> {
        write_file(&self.path.join(SCORES), scores.to_csv().as_bytes())?;
        Ok(SCORES.to_owned())
    }

    /// Writes the results of a run, the picture as PNG too if `png`, and last the manifest, which lists `others` too, files
    /// that are in the folder already; then forgets the state.
    ///
    /// # Errors
    /// When a file cannot be written; the run is not finished then.
    pub fn finish(
        &self,
        learned: &Learned,
        data: &Data,
        (title, png): (&str, bool),
        others: &[String],
    ) -> Result<(), FolderError> {
        learned.save(&self.network_file())?;
        write_file(&self.curve_file(), table_of(&learned.name, &learned.curve).to_csv().as_bytes())?;
        let events = self.path.join(EVENTS);
        grow(&events, &curve_events(&learned.curve)).map_err(self.failed("write", &events))?;
        let mut outputs = vec![IN_FOLDER.to_owned(), CURVE.to_owned(), EVENTS.to_owned()];
        let curves = curve_plot(title, [learned], data);
        for ending in ["svg", "png"].into_iter().take(if png { 2 } else { 1 }) {
            outputs.push(format!("{PICTURE}.{ending}"));
            curves.render(&self.path.join(format!("{PICTURE}.{ending}")))?;
        }
        outputs.extend_from_slice(others);
        Ok(self.close(manifest(learned), &outputs)?)
    }
}

/// What the run depended on. What follows from seed and settings, such as how many positions were learned from, is not in it,
/// so that runs that differ in the seed alone have equal settings.
fn manifest(learned: &Learned) -> Manifest {
    let about = &learned.about;
    let mut settings = about.settings.clone();
    if let Some(settings) = settings.as_object_mut() {
        let follows = ["seed", "training_games", "training_positions", "skip", "reduced"];
        follows.iter().for_each(|key| drop(settings.remove(*key)));
        let training = settings.insert("method".to_owned(), about.method.as_str().into());
        settings.insert("training".to_owned(), training.unwrap_or_default());
    }
    Manifest {
        experiment: TRAINING.to_owned(),
        program: crate::PROGRAM.to_owned(),
        seed: about.settings["seed"].as_u64().unwrap_or_default(),
        settings,
        inputs: about.inputs.clone(),
        outputs: Vec::new(),
    }
}

/// Writes the learning curve so far into the folder of a run, after each measurement.
#[derive(Debug, Clone)]
pub struct CurveRecorder {
    folder: PathBuf,
    name: String,
}

impl Recorder for CurveRecorder {
    fn record(&mut self, curve: &[CurvePoint]) -> io::Result<()> {
        let write = |name: &str, write: fn(&Path, &[u8]) -> io::Result<()>, bytes: &[u8]| {
            let path = self.folder.join(name);
            write(&path, bytes).map_err(|source| {
                let kind = source.kind();
                io::Error::new(kind, FileError { action: "write", path, source })
            })
        };
        write(CURVE, write_whole, table_of(&self.name, curve).to_csv().as_bytes())?;
        write(EVENTS, grow, &curve_events(curve))
    }
}

/// Gives the file `path` the content `bytes`, by appending what is missing if that is enough: a program that has it open to
/// follow it would never see a file that is put in its place.
pub(in crate::runs) fn grow(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match std::fs::read(path) {
        Ok(known) if bytes.starts_with(&known) => {
            std::fs::File::options().append(true).open(path)?.write_all(&bytes[known.len()..])
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => write_whole(path, bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_grows_in_place_and_is_replaced_only_if_it_says_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events");
        grow(&path, b"one").unwrap();
        let mut follower = std::fs::File::open(&path).unwrap();
        grow(&path, b"one two").unwrap();
        grow(&path, b"one two").unwrap();
        let mut seen = String::new();
        follower.read_to_string(&mut seen).unwrap();
        assert_eq!(seen, "one two");
        grow(&path, b"other").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"other");
    }
}
