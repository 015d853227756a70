//! What commands write: which files these are, and what stands in their way. All is checked before a command begins.

use std::any::TypeId;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use roughboard::record::check_writable;

/// The option by which files are replaced.
const FORCE: &str = "force";

/// The option by which a run goes on, which may have written files before.
const RESUME: &str = "resume";

/// The arguments that name folders of runs and networks: of these known files are read, and others may be written beside them.
const RUNS: [&str; 4] = ["runs", "net", "init", "before"];

/// A path that a command writes to. By this type it is known among the other arguments.
#[derive(Debug, Clone)]
pub struct OutPath {
    path: PathBuf,
    form: Form,
}

/// The endings that the name of a file may have; any if there are none.
pub type Endings = &'static [&'static str];

/// What is written at a path.
#[derive(Debug, Clone, Copy)]
enum Form {
    File(Endings),
    /// Several files.
    Folder,
    /// Nothing: the names of files are made from it, and the command checks these by [`Targets::check`].
    Stem(Endings),
}

impl OutPath {
    /// Takes the path of a file whose name has one of `endings`.
    pub fn file(endings: Endings) -> impl TypedValueParser<Value = Self> {
        Self::parser(Form::File(endings))
    }

    /// Takes the path of a folder for several files.
    pub fn folder() -> impl TypedValueParser<Value = Self> {
        Self::parser(Form::Folder)
    }

    /// Takes a path that the names of files may be made from, which the command checks by [`Targets::check`].
    pub fn stem(endings: Endings) -> impl TypedValueParser<Value = Self> {
        Self::parser(Form::Stem(endings))
    }

    fn parser(form: Form) -> impl TypedValueParser<Value = Self> {
        PathBufValueParser::new().map(move |path| Self { path, form })
    }
}

impl Deref for OutPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// The command with `--force` wherever a command writes and has no such option yet.
pub fn with_force(command: Command) -> Command {
    let command = command.mut_subcommands(with_force);
    let is_missing = command.get_arguments().any(is_target) && command.get_arguments().all(|arg| arg.get_id() != FORCE);
    let force = Arg::new(FORCE).long(FORCE).action(ArgAction::SetTrue).help_heading(None);
    if is_missing { command.arg(force.help("Replace files that exist")) } else { command }
}

fn is_target(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<OutPath>()
}

fn is_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<PathBuf>()
}

/// What decides whether a command may write a file.
#[derive(Debug)]
pub struct Targets {
    /// The files that arguments name which are not to be written.
    read: Vec<PathBuf>,
    /// The folders that they name: any file in them may be read.
    folders: Vec<PathBuf>,
    /// Those of which all files are read, also new ones.
    wholes: Vec<PathBuf>,
    replaces: bool,
}

impl Targets {
    /// Checks all that the arguments of `command` ask it to write.
    ///
    /// # Errors
    /// With the first file that must not or cannot be written.
    pub fn of(command: &Command, matches: &ArgMatches) -> anyhow::Result<Self> {
        let is_given = |arg: &&Arg| {
            arg.get_action().takes_values()
                && matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let (written, others): (Vec<&Arg>, Vec<&Arg>) =
            command.get_arguments().filter(is_given).partition(|arg| is_target(arg));
        let (paths, words): (Vec<&Arg>, Vec<&Arg>) = others.into_iter().partition(|arg| is_path(arg));
        let dashes = named(&paths, matches).filter(|path| path == Path::new("-")).count();
        ensure!(dashes <= 1, "standard input is named {dashes} times: it can be read once");
        // The folder of a run is called so. What may become of one that is there is not decided here.
        let (run, paths): (Vec<&Arg>, Vec<&Arg>) = paths.into_iter().partition(|arg| arg.get_id() == "out");
        let wholes: Vec<&Arg> = paths.iter().copied().filter(|arg| !RUNS.contains(&arg.get_id().as_str())).collect();
        let is_set = |name| matches.try_get_one::<bool>(name).ok().flatten() == Some(&true);
        // A run that goes on may find files that it wrote itself. One without a folder has written none.
        let goes_on = is_set(RESUME) && named(&run, matches).any(|folder| folder.is_dir());
        let targets = Self {
            // Words may name files too, such as a network that evaluates.
            read: named(&[&paths[..], &words].concat(), matches).filter(|path| path.is_file()).collect(),
            folders: named(&paths, matches).filter(|path| path.is_dir()).collect(),
            wholes: named(&wholes, matches).filter(|path| path.is_dir()).collect(),
            replaces: is_set(FORCE) || goes_on,
        };
        for folder in named(&run, matches) {
            targets.check_outside(&folder, &targets.wholes)?;
            if is_set(FORCE) {
                targets.check_unread(&folder)?;
            }
        }
        let written = written.iter().filter_map(|arg| matches.get_many::<OutPath>(arg.get_id().as_str())).flatten();
        targets.check_forms(&written.collect::<Vec<_>>())?;
        Ok(targets)
    }

    fn check_forms(&self, written: &[&OutPath]) -> anyhow::Result<()> {
        let mut files: Vec<&Path> = Vec::new();
        for OutPath { path, form } in written {
            ensure!(path != Path::new("-"), "cannot write `-`: expected the name of a file, not standard output");
            match *form {
                Form::Folder => self.check_folder(path)?,
                Form::File(endings) => {
                    check_ending(path, endings)?;
                    files.push(path);
                }
                Form::Stem(endings) => check_ending(path, endings)?,
            }
        }
        self.check(&files)
    }

    /// Checks that these files can be written: that they are different ones, none is read, none is there unless it may be replaced,
    /// and their folders are.
    ///
    /// # Errors
    /// With the first file of which this is not so.
    pub fn check(&self, files: &[&Path]) -> anyhow::Result<()> {
        check_apart(files)?;
        files.iter().try_for_each(|file| self.check_file(file))
    }

    fn check_file(&self, file: &Path) -> anyhow::Result<()> {
        let shown = file.display();
        self.check_unread(file)?;
        check_writable(file)?;
        // A link to nothing is there as well.
        let is_there = fs::symlink_metadata(file).is_ok();
        self.check_outside(file, if is_there { &self.folders } else { &self.wholes })?;
        let is_special = fs::metadata(file).is_ok_and(|found| !found.is_file());
        ensure!(!is_special, "`{shown}` is a device or a pipe: expected a file to write");
        ensure!(self.replaces || !is_there, "`{shown}` exists: expected a new file; `--force` replaces it");
        Ok(())
    }

    fn check_folder(&self, folder: &Path) -> anyhow::Result<()> {
        let shown = folder.display();
        self.check_unread(folder)?;
        self.check_outside(folder, &self.wholes)?;
        if !folder.exists() {
            return Ok(());
        }
        let mut entries = fs::read_dir(folder).with_context(|| format!("cannot write into `{shown}`"))?;
        let is_free = self.replaces || entries.next().is_none();
        ensure!(is_free, "`{shown}` is not empty: expected a new folder; `--force` replaces files in it");
        Ok(())
    }

    /// Refuses what lies in one of `folders`, which are read.
    fn check_outside(&self, path: &Path, folders: &[PathBuf]) -> anyhow::Result<()> {
        folders.iter().find(|folder| is_within(path, folder)).map_or(Ok(()), |folder| {
            bail!("`{}` is in the folder `{}`, which is read: expected another place", path.display(), folder.display())
        })
    }

    fn check_unread(&self, path: &Path) -> anyhow::Result<()> {
        let is_read = self.read.iter().chain(&self.folders).any(|read| is_same(read, path));
        ensure!(!is_read, "`{}` is to be read and written: expected another name for what is written", path.display());
        Ok(())
    }
}

/// Checks that these are different files.
///
/// # Errors
/// With the first two that are one.
pub fn check_apart(files: &[&Path]) -> anyhow::Result<()> {
    for (at, file) in files.iter().enumerate() {
        if let Some(other) = files[..at].iter().find(|other| is_same(other, file)) {
            bail!("`{}` and `{}` are one file: expected two to write", other.display(), file.display());
        }
    }
    Ok(())
}

/// The values of `args` as paths.
fn named<'m>(args: &[&Arg], matches: &'m ArgMatches) -> impl Iterator<Item = PathBuf> + use<'m> {
    let values = args.iter().filter_map(|arg| matches.get_raw(arg.get_id().as_str()));
    values.flatten().map(PathBuf::from).collect::<Vec<_>>().into_iter()
}

/// Refuses a name that has none of `endings`.
///
/// # Errors
/// With the endings that are known.
pub fn check_ending(path: &Path, endings: Endings) -> anyhow::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    // That a folder is no file to write is told by other words.
    let is_known = endings.is_empty() || path.is_dir() || endings.iter().any(|ending| name.ends_with(ending));
    ensure!(is_known, "cannot tell the format of `{}`: expected a name ending in {}", path.display(), listed(endings));
    Ok(())
}

/// `.csv, .tsv or .parquet`.
fn listed(endings: Endings) -> String {
    match endings {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => endings.concat(),
    }
}

/// Whether two paths lead to one file, be it by another spelling or by a link.
fn is_same(a: &Path, b: &Path) -> bool {
    let same_place = place(a).is_some_and(|at| place(b) == Some(at));
    same_place || identity(a).is_some_and(|file| identity(b) == Some(file))
}

/// Where a path leads to; there need be nothing yet.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = || path.file_name().and_then(|name| Some(place(folder)?.join(name)));
    path.canonicalize().ok().or_else(new)
}

/// What two names of a file have in common that are hard links.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
const fn identity(_path: &Path) -> Option<(u64, u64)> {
    None
}

fn is_within(file: &Path, folder: &Path) -> bool {
    place(file).zip(place(folder)).is_some_and(|(file, folder)| file != folder && file.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_listed_and_told_in_either_case() {
        assert_eq!(listed(&[".a"]), ".a");
        assert_eq!(listed(&[".a", ".b", ".c"]), ".a, .b or .c");
        assert!(check_ending(Path::new("x.PGN.zst"), &[".pgn.zst"]).is_ok());
        assert!(check_ending(Path::new("anything"), &[]).is_ok());
        let refused = check_ending(Path::new("x.docx"), &[".pgn", ".csv"]).unwrap_err().to_string();
        assert_eq!(refused, "cannot tell the format of `x.docx`: expected a name ending in .pgn or .csv");
    }

    #[test]
    fn one_file_is_known_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let [file, hard, twin] = ["file", "hard", "twin"].map(|name| folder.path().join(name));
        fs::write(&file, "same").unwrap();
        fs::write(&twin, "same").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        assert!(is_same(&file, &folder.path().join("./file")) && !is_same(&file, &twin));
        assert_eq!(is_same(&file, &hard), cfg!(unix));
        assert!(is_same(&folder.path().join("new"), &folder.path().join(".").join("new")));
        assert!(is_within(&file, folder.path()) && !is_within(folder.path(), &file));
    }
}
