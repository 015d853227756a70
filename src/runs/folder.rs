//! The folder of a run: who may write there, and what an interrupted run needs to go on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::identity::{identity_in, is_bare, take_up};
use super::manifest::{Differences, FileError, MANIFEST, Manifest};
use crate::disk::{LOCK, Lock, check_target, partial_path};
use crate::settings::Changes;

/// The folder in it for the state of an unfinished run; runs that are identified by what they depend on append a part of their
/// fingerprint.
pub(crate) const STATE: &str = ".resume";
/// Where a run that starts over puts what it takes the place of, until it has kept something of its own.
const SET_ASIDE: &str = ".set-aside";
/// The figures of all runs of a sweep, beside their folders.
pub const SUMMARY: &str = "summary.csv";
/// The folder of a run's networks.
pub(crate) const NETS: &str = "nets";

/// What runs of one kind have in common.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What the manifest calls it.
    pub name: &'static str,
    /// Whether a folder holds a run of this kind that is not finished.
    pub is_unfinished: fn(&Path) -> bool,
    /// Whether a run of this kind writes a file or folder of this name, so that a run that starts over removes it.
    pub owns: fn(&str) -> bool,
    /// Whether the folder may hold other folders, hidden files and logs.
    pub is_shared: bool,
    /// Whether a run has a folder for its state while it is not finished.
    pub has_state: bool,
}

impl Kind {
    /// An experiment: its runs go on by themselves, and write over earlier results of the same settings.
    pub const fn experiment(name: &'static str) -> Self {
        Self { name, is_unfinished: has_state, owns: |_| false, is_shared: true, has_state: true }
    }
}

/// How a run starts in a folder that holds one already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// It does not: the folder must be new or empty.
    New,
    /// It continues from what an interrupted run has left, if there is anything.
    Resume,
    /// It takes the place of the one before, finished or not.
    Over,
}

/// Why a run cannot use a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It holds a run that was interrupted, or a part of one.
    #[error("`{}` holds a run that is not finished", .0.display())]
    Unfinished(PathBuf),
    /// It holds a finished run.
    #[error("`{}` holds a finished run", .0.display())]
    Finished(PathBuf),
    /// It holds another run than the one that is to go on, and in what they differ.
    #[error("`{path}` holds another run: {1}", path = .0.display())]
    Another(PathBuf, Changes),
    /// It holds the finished run, but not as that was written: the files that are missing or were changed.
    #[error("`{path}` holds a finished run, but files of it are missing or were changed: {1}", path = .0.display())]
    Damaged(PathBuf, String),
    /// It holds something else, which could be lost among the results or be taken for one of them: the kind of run that was
    /// expected, and what is there.
    #[error("cannot use `{path}`: it holds {2}, not a run of `{1}`; choose another folder", path = .0.display())]
    Foreign(PathBuf, &'static str, String),
    /// It holds no state of the run that it is to be a part of; the name of that state.
    #[error(
        "`{path}` holds no part of this run: expected the state `{1}` in it, which stands for the same settings, games and program",
        path = .0.display(),
    )]
    NoPart(PathBuf, String),
    /// A file cannot be read or written, or another process uses the folder.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The folder of a run, held against other processes.
#[derive(Debug, Clone)]
pub struct RunFolder {
    /// The results.
    pub results: PathBuf,
    /// The state for resuming.
    pub work: PathBuf,
    _held: Arc<Held>,
}

/// The lock of a folder, whose file stays only beside the state of a run that is not finished.
#[derive(Debug)]
struct Held {
    folder: PathBuf,
    state: PathBuf,
    /// What was there, if the run has made its state and not found one.
    before: Option<Before>,
    _lock: Lock,
}

impl Drop for Held {
    /// Leaves the folder as it was, if the run ends before it has kept anything: it has failed at its inputs.
    fn drop(&mut self) {
        let before = self.before.take().filter(|before| is_bare(&self.state) && !before.has_results(&self.folder));
        // Nobody can be told any more of what fails here. Nothing is lost: what was set aside is still there then.
        let _ = match &before {
            Some(before) => before.restore(&self.folder, &self.state),
            None if is_bare(&self.state) => Ok(()),
            None => remove(&self.folder.join(SET_ASIDE)),
        };
        if !self.state.is_dir() {
            // Another process that finds the file takes it over, so nothing is lost if it stays.
            let _ = std::fs::remove_file(self.folder.join(LOCK));
        }
        for folder in before.iter().flat_map(|before| &before.made) {
            // One that holds something stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// What was there before a run.
#[derive(Debug)]
struct Before {
    /// The folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
    /// What the folder of the run held beside that which was set aside.
    names: Vec<String>,
    /// As [`Kind::owns`].
    owns: fn(&str) -> bool,
}

impl Before {
    /// Whether the run has written results that nobody removes, as an experiment does on a disk that is full before the last of them.
    fn has_results(&self, folder: &Path) -> bool {
        let is_aside = |name: &str| name.starts_with('.') || name.ends_with(".partial") || (self.owns)(name);
        names_in(folder).iter().any(|name| !is_aside(name) && !self.names.contains(name))
    }

    /// Removes what the run has written in `folder`, its `state` included, and puts back what was set aside for it.
    fn restore(&self, folder: &Path, state: &Path) -> Result<(), FileError> {
        remove(state)?;
        let is_new = |name: &String| (self.owns)(name) && !self.names.contains(name);
        names_in(folder).iter().filter(|name| is_new(name)).try_for_each(|name| remove(&folder.join(name)))?;
        put_back(folder)
    }
}

impl RunFolder {
    /// Checks that a run of this `kind` may start in the folder `path` as `start` says; writes nothing.
    ///
    /// # Errors
    /// When the folder holds a run or something else that would be lost, or cannot be written.
    pub fn check(path: &Path, kind: &Kind, start: Start) -> Result<(), FolderError> {
        let path = path.to_owned();
        let is_unfinished = (kind.is_unfinished)(&path);
        let is_finished = !is_unfinished && path.join(MANIFEST).exists();
        // A kill at the trial would leave a file more in a finished run that is only to be kept.
        if !is_finished || start != Start::Resume {
            check_writable(&path)?;
        }
        if let Some(found) = foreign(&path, kind) {
            return Err(FolderError::Foreign(path, kind.name, found));
        }
        match start {
            Start::New if is_unfinished => Err(FolderError::Unfinished(path)),
            Start::New if is_finished => Err(FolderError::Finished(path)),
            _ => Ok(()),
        }
    }

    /// Makes the folder `path` ready for a run of this `kind`, and keeps other processes out of it. The state of an earlier run stays only
    /// if this run is to `Resume` it, and if it has the same `identity`, where there is one.
    ///
    /// A run that has a state and ends before it has put anything into it, having failed at its inputs, leaves the folder as it was.
    ///
    /// # Errors
    /// As [`RunFolder::check`]; when a folder or file cannot be made or removed, or another process uses the folder.
    pub fn open(path: &Path, kind: &Kind, identity: Option<&str>, start: Start) -> Result<Self, FolderError> {
        Self::check(path, kind, start)?;
        let made = path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let made = made.map(Path::to_owned).collect();
        std::fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        let state = state_of(identity);
        let lock = Lock::of_folder(path).map_err(FileError::of("use", path))?;
        let mut held = Held { folder: path.to_owned(), state: path.join(state), before: None, _lock: lock };
        // Another process may have been here since the folder was looked at.
        Self::check(path, kind, start)?;
        let lock_file = path.join(LOCK);
        std::fs::write(&lock_file, kind.name).map_err(FileError::of("write", &lock_file))?;
        // What a kill has left of a check that the folder can be written.
        remove(&partial_path(&lock_file))?;
        if start == Start::Over {
            set_aside(path, kind)?;
        }
        if kind.has_state {
            if held.state.exists() {
                // A kill at the very end leaves both: it lists files that this run writes again, one after the other.
                remove(&path.join(MANIFEST))?;
            } else {
                held.before = Some(Before { made, names: names_in(path), owns: kind.owns });
            }
            std::fs::create_dir_all(&held.state).map_err(FileError::of("create", &held.state))?;
        }
        Ok(Self { results: path.to_owned(), work: held.state.clone(), _held: Arc::new(held) })
    }

    /// Whether the folder `path` holds the finished run of this `kind` that `now` is the manifest of, before its files are known.
    ///
    /// # Errors
    /// When it holds a finished run with other settings, or not all that the run wrote.
    pub fn is_finished(path: &Path, kind: &Kind, now: &Manifest) -> Result<bool, FolderError> {
        let known = Manifest::read(path).ok().filter(|known| known.experiment == kind.name);
        let Some(known) = known.filter(|_| !(kind.is_unfinished)(path)) else { return Ok(false) };
        let Changes(changes) = Changes::between(&known.identity(), &now.identity());
        if !changes.is_empty() {
            return Err(FolderError::Another(path.to_owned(), Changes(changes)));
        }
        let Differences { removed, changed, .. } = known.differences(path);
        let lost = [removed, changed].concat();
        if lost.is_empty() { Ok(true) } else { Err(FolderError::Damaged(path.to_owned(), lost.join(", "))) }
    }

    /// Checks that the state is that of the run with this `identity`, as far as it says, and lets a new state say so.
    ///
    /// # Errors
    /// When it is that of another run, or cannot be written.
    pub fn take_up(&self, identity: &Value) -> Result<(), FolderError> {
        let changes = take_up(&self.work, identity)?;
        changes.map_or(Ok(()), |changes| Err(FolderError::Another(self.results.clone(), changes)))
    }

    /// Checks that the state in the folder `path`, if there is one, is that of the run with this `identity`, whoever holds the folder.
    ///
    /// # Errors
    /// When it is that of another run.
    pub(crate) fn check_state(path: &Path, identity: &Value) -> Result<(), FolderError> {
        let changes = identity_in(&path.join(STATE)).map(|known| Changes::between(&known, identity));
        match changes.filter(|Changes(changes)| !changes.is_empty()) {
            Some(changes) => Err(FolderError::Another(path.to_owned(), changes)),
            None => Ok(()),
        }
    }

    /// Checks that the folder `path` holds no state of another run than that with this `identity`, if it is to be gone on with.
    ///
    /// # Errors
    /// When it holds the state of other runs alone.
    pub fn check_states(path: &Path, fingerprint: &str, identity: &Value) -> Result<(), FolderError> {
        let own = state_of(Some(fingerprint));
        let states = states_in(path);
        match states.first().filter(|_| !states.contains(&own)) {
            None => Ok(()),
            Some(other) => {
                let known = identity_in(&path.join(other));
                let changes = known.map(|known| Changes::between(&known, identity));
                Err(FolderError::Another(path.to_owned(), changes.unwrap_or_default()))
            }
        }
    }

    /// The same folder with the part `name` of its state, for steps whose files have the same names.
    ///
    /// # Errors
    /// When the folder of the part cannot be made.
    pub fn part(&self, name: &str) -> Result<Self, FileError> {
        let work = self.work.join(name);
        std::fs::create_dir_all(&work).map_err(FileError::of("create", &work))?;
        Ok(Self { work, ..self.clone() })
    }

    /// Where the runs in the folders of `others`, which are parts of the same run, keep the file `name` of their state.
    ///
    /// # Errors
    /// When a folder holds no state of this run.
    pub fn of_others(&self, others: &[PathBuf], name: &str) -> Result<Vec<PathBuf>, FolderError> {
        // Of a part of the state, the same part; a run that has not come to it yet has no such folder.
        let work = self.work.strip_prefix(&self.results).unwrap_or(&self.work);
        let state = work.iter().next().unwrap_or_default();
        let place = |folder: &PathBuf| {
            let foreign = || FolderError::NoPart(folder.clone(), state.to_string_lossy().into_owned());
            folder.join(state).is_dir().then(|| folder.join(work).join(name)).ok_or_else(foreign)
        };
        others.iter().map(place).collect()
    }

    /// Writes the manifest of the run over the files `outputs`, which are in the folder, and forgets the state: the run is finished.
    ///
    /// # Errors
    /// When a file cannot be read, written or removed.
    pub fn finish(&self, manifest: Manifest, outputs: &[String]) -> Result<(), FileError> {
        manifest.write(MANIFEST, &self.results, outputs)?;
        remove(&self.results.join(SET_ASIDE))?;
        // The state last: whoever is killed before leaves a run that is not finished, and no file more in one that is.
        remove(&self.results.join(LOCK))?;
        remove(&self.work)
    }
}

/// Sets aside what earlier runs have left in `folder`: the manifest before the other files, which are no results without it.
fn set_aside(folder: &Path, kind: &Kind) -> Result<(), FileError> {
    let aside = folder.join(SET_ASIDE);
    // What a kill has left of an earlier start is to be put back if this run keeps nothing either.
    if aside.exists() && has_kept_nothing(folder, kind) {
        states_in(folder).iter().try_for_each(|state| remove(&folder.join(state)))?;
        put_back(folder)?;
    }
    remove(&aside)?;
    std::fs::create_dir(&aside).map_err(FileError::of("create", &aside))?;
    let manifest = Some(MANIFEST.to_owned()).filter(|name| (kind.owns)(name) && folder.join(name).exists());
    let owned = names_in(folder).into_iter().filter(|name| name != MANIFEST && (kind.owns)(name));
    let names = states_in(folder).into_iter().chain(manifest).chain(owned);
    names.into_iter().try_for_each(|name| rename(&folder.join(&name), &aside.join(name)))
}

/// Puts back what was set aside in `folder`, in place of what has been written there since.
fn put_back(folder: &Path) -> Result<(), FileError> {
    let aside = folder.join(SET_ASIDE);
    for name in names_in(&aside) {
        let place = folder.join(&name);
        remove(&place)?;
        rename(&aside.join(name), &place)?;
    }
    remove(&aside)
}

/// Whether the run of this `kind` in `folder` that started over, and was killed, has kept nothing: not even a file, if it has no
/// state.
fn has_kept_nothing(folder: &Path, kind: &Kind) -> bool {
    if kind.has_state {
        states_in(folder).iter().all(|state| is_bare(&folder.join(state)))
    } else {
        !names_in(folder).iter().any(|name| (kind.owns)(name))
    }
}

/// Gives the file or folder `path` another name.
fn rename(path: &Path, name: &Path) -> Result<(), FileError> {
    std::fs::rename(path, name).map_err(FileError::of("rename", path))
}

/// Checks that the folder `path`, or the first of the folders above it that have yet to be made, can be written.
fn check_writable(path: &Path) -> Result<(), FileError> {
    let missing = path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).last();
    let target = if path.is_dir() { path.join(LOCK) } else { missing.unwrap_or(path).to_owned() };
    let is_file = path.exists() && !path.is_dir();
    let checked = if is_file { Err(std::io::ErrorKind::NotADirectory.into()) } else { check_target(&target) };
    checked.map_err(FileError::of("write", path))
}

/// What the folder `path` holds that is no run of this `kind`.
fn foreign(path: &Path, kind: &Kind) -> Option<String> {
    // Whoever holds a folder leaves the name of the kind in it.
    let holder = std::fs::read_to_string(path.join(LOCK)).unwrap_or_default();
    if !holder.is_empty() && holder != kind.name {
        return Some(format!("an interrupted run of `{holder}`"));
    }
    if let Ok(manifest) = Manifest::read(path) {
        return (manifest.experiment != kind.name).then(|| format!("results of `{}`", manifest.experiment));
    }
    if (kind.is_unfinished)(path) || holder == kind.name {
        return None;
    }
    let may_be_lost = |name: &String| {
        let is_beside_results = name.starts_with('.') || name.ends_with(".log") || name == SUMMARY;
        let is_shared = kind.is_shared && name != NETS && (!path.join(name).is_file() || is_beside_results);
        name != LOCK && !name.ends_with(".partial") && !is_shared
    };
    names_in(path).into_iter().filter(may_be_lost).min().map(|name| format!("`{name}`"))
}

/// The name of the folder for the state of a run, with a part of its fingerprint if it has one.
fn state_of(fingerprint: Option<&str>) -> String {
    fingerprint.map_or_else(|| STATE.to_owned(), |fingerprint| format!("{STATE}-{}", &fingerprint[..16]))
}

/// The names of the states of unfinished runs in the folder `path`, in order.
fn states_in(path: &Path) -> Vec<String> {
    let is_state = |name: &String| name == STATE || name.strip_prefix(STATE).is_some_and(|rest| rest.starts_with('-'));
    let mut states: Vec<String> = names_in(path).into_iter().filter(is_state).collect();
    states.sort();
    states
}

/// Whether the folder `path` holds the state of a run with an identity.
fn has_state(path: &Path) -> bool {
    states_in(path).iter().any(|name| name != STATE)
}

/// The names of what the folder `path` holds; none if it is not there.
pub(super) fn names_in(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Removes the file or folder `path`, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), FileError> {
    let removed = match path {
        path if path.is_dir() => std::fs::remove_dir_all(path),
        path if path.exists() => std::fs::remove_file(path),
        _ => Ok(()),
    };
    removed.map_err(FileError::of("remove", path))
}

/// A name as part of a file's name: `rough, reduct only` becomes `rough-reduct-only`.
pub fn file_name(name: &str) -> String {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_experiment_that_fails_between_its_results_can_go_on() {
        let place = tempfile::tempdir().unwrap();
        let (path, kind) = (place.path().join("run"), Kind::experiment("x"));
        let identity = "0123456789abcdef";
        let open = |start| RunFolder::open(&path, &kind, Some(identity), start);
        drop(open(Start::New).unwrap());
        assert!(!path.exists(), "it has left nothing");
        let folder = open(Start::New).unwrap();
        std::fs::write(path.join("tables.md"), "").unwrap();
        drop(folder);
        assert!(matches!(open(Start::New), Err(FolderError::Unfinished(_))));
        drop(open(Start::Resume).unwrap());
        assert!(path.join("tables.md").exists());
    }

    #[test]
    fn in_a_finished_run_that_is_kept_no_file_is_tried() {
        let place = tempfile::tempdir().unwrap();
        let kind = Kind::experiment("x");
        Manifest::new("x", 1, Value::Null, Vec::new()).write(MANIFEST, place.path(), &[]).unwrap();
        // The trial fails where its file is a folder.
        std::fs::create_dir(partial_path(&place.path().join(LOCK))).unwrap();
        assert!(RunFolder::check(place.path(), &kind, Start::Resume).is_ok());
        assert!(RunFolder::check(place.path(), &kind, Start::Over).is_err());
    }

    #[test]
    fn a_run_that_has_kept_nothing_leaves_the_folder_as_it_was() {
        fn tree(folder: &Path) -> Vec<(PathBuf, String)> {
            let of = |name: String| {
                let path = folder.join(name);
                if path.is_dir() { tree(&path) } else { vec![(path.clone(), std::fs::read_to_string(path).unwrap())] }
            };
            let mut files: Vec<_> = names_in(folder).into_iter().flat_map(of).collect();
            files.sort();
            files
        }
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("runs").join("one");
        let is_unfinished = |folder: &Path| folder.join(STATE).is_dir();
        let owns = |name: &str| ["curve", MANIFEST].contains(&name);
        let kind = Kind { is_unfinished, owns, is_shared: false, ..Kind::experiment("x") };
        let identity = serde_json::json!({ "depth": 3 });
        let open = |start| {
            let folder = RunFolder::open(&path, &kind, None, start).unwrap();
            folder.take_up(&identity).unwrap();
            folder.part("round-1").unwrap();
            std::fs::write(path.join("curve"), "new").unwrap();
            folder
        };
        drop(open(Start::New));
        assert!(!place.path().join("runs").exists());
        // A run that has kept something stays, and so does it beside one that fails in its place.
        std::fs::write(open(Start::New).work.join("checkpoint"), "kept").unwrap();
        let unfinished = tree(&path);
        assert_eq!(unfinished.len(), 4, "{unfinished:?}");
        drop(open(Start::Over));
        assert_eq!(tree(&path), unfinished);
        open(Start::Resume).finish(Manifest::new("x", 1, Value::Null, Vec::new()), &["curve".to_owned()]).unwrap();
        let finished = tree(&path);
        assert_eq!(finished.len(), 2, "{finished:?}");
        drop(open(Start::Over));
        assert_eq!(tree(&path), finished);
        // A manifest beside a state, as a kill at the very end leaves it, does not outlive files that are written again.
        std::fs::create_dir(path.join(STATE)).unwrap();
        let again = open(Start::Resume);
        assert!(!path.join(MANIFEST).exists());
        again.finish(Manifest::new("x", 1, Value::Null, Vec::new()), &["curve".to_owned()]).unwrap();
        drop(again);
        assert_eq!(tree(&path), finished);
        // One that was killed before it has kept anything is as if it had not been there.
        let aside = path.join(SET_ASIDE);
        std::fs::create_dir(&aside).unwrap();
        for name in ["curve", MANIFEST] {
            std::fs::rename(path.join(name), aside.join(name)).unwrap();
        }
        std::fs::create_dir(path.join(STATE)).unwrap();
        std::fs::write(path.join("curve"), "half").unwrap();
        drop(open(Start::Over));
        assert_eq!(tree(&path), finished);
        std::fs::write(open(Start::Over).work.join("checkpoint"), "new").unwrap();
        assert_eq!(tree(&path).len(), 4, "what was set aside is gone");
    }

    #[test]
    fn the_same_part_of_the_state_is_found_in_other_folders() {
        let place = tempfile::tempdir().unwrap();
        let [here, other, foreign] = ["here", "other", "foreign"].map(|name| place.path().join(name));
        let kind = Kind::experiment("x");
        let identity = "0123456789abcdef0123456789abcdef";
        let open = |path: &Path, identity| RunFolder::open(path, &kind, Some(identity), Start::Resume).unwrap();
        let (here, _other) = (open(&here, identity), open(&other, identity));
        let _foreign = open(&foreign, "fedcba9876543210");
        let state = other.join(".resume-0123456789abcdef");
        let part = here.part("curve").unwrap();
        assert_eq!(here.of_others(std::slice::from_ref(&other), "a").unwrap(), [state.join("a")]);
        assert_eq!(part.of_others(std::slice::from_ref(&other), "a").unwrap(), [state.join("curve").join("a")]);
        let error = part.of_others(&[other, foreign], "a").unwrap_err().to_string();
        assert!(error.contains("expected the state `.resume-0123456789abcdef`"), "{error}");
    }
}
