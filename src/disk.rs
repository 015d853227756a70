//! Files that appear whole or not at all, what identifies their content, and how they are packed.

#[cfg(feature = "games")]
mod packing;
#[cfg(feature = "games")]
mod sums;

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

#[cfg(feature = "games")]
pub(crate) use packing::{Packer, Packing, packer};
#[cfg(feature = "games")]
pub(crate) use sums::{Changed, read_sealed, sealed_json, unsealed_json, write_sealed};

/// The file in the folder of a finished run that states what the run wrote.
pub const MANIFEST: &str = "manifest.json";

/// A file or folder that could not be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{path}`")]
pub struct FileError {
    /// What was tried, such as `read`, `write` or `create`.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub source: io::Error,
}

impl FileError {
    /// The error of an `action` that failed on `path`.
    pub fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self { action, path, source }
    }
}

/// The length of `bytes` up to the end of the last whole line: what a kill left of another line does not count.
pub fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1)
}

/// Where a file is written before it is complete: `NAME.partial` in the same folder.
pub fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, ToOwned::to_owned);
    name.push(".partial");
    path.with_file_name(name)
}

/// A file on its way: at [`partial_path`], removed unless it [appears](Partial::appear). Until then an old file of its name stays.
#[derive(Debug)]
pub struct Partial {
    target: PathBuf,
    // Not a file of `tempfile`: that would be its owner's alone to read, under a name that [`check_target`] cannot try.
    path: PathBuf,
    replaces: bool,
}

impl Partial {
    /// A file that is to appear at `target`.
    pub fn new(target: &Path) -> Self {
        Self { target: target.to_owned(), path: partial_path(target), replaces: true }
    }

    /// Lets it take the place of a file with the same content only.
    pub fn spare_others(&mut self) {
        self.replaces = false;
    }

    /// A file that is to appear at `target` while other processes may write it too: under a name on its way that none of them has.
    pub fn shared(target: &Path) -> Self {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mut name = target.file_name().map_or_else(OsString::new, ToOwned::to_owned);
        name.push(format!(".{}-{}", std::process::id(), since_1970.as_nanos()));
        Self { target: target.to_owned(), path: partial_path(&target.with_file_name(name)), replaces: true }
    }

    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The error for what went wrong with it.
    pub fn failed(&self, cause: io::Error) -> FileError {
        FileError::of("write file", &self.target)(cause)
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// When it cannot have that name.
    pub fn appear(self) -> Result<(), FileError> {
        let checked = if self.replaces { Ok(()) } else { self.check_same() };
        checked.and_then(|()| fs::rename(&self.path, &self.target)).map_err(|cause| self.failed(cause))
    }

    /// Checks that no file with another content has the name.
    fn check_same(&self) -> io::Result<()> {
        if fs::symlink_metadata(&self.target).is_err() || sha256_of_file(&self.target)? == sha256_of_file(&self.path)? {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file with another content is there: expected a new file"))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After it has appeared there is nothing to remove; a partial file that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes `bytes` to `path`: the whole file or, on an error, the old one stays.
///
/// # Errors
/// When the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(Partial::new(path), bytes)
}

/// As [`write_whole`], with an error that names the file.
///
/// # Errors
/// When the file cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_whole(path, bytes).map_err(FileError::of("write", path))
}

/// Copies a file: the whole of it, or nothing.
///
/// # Errors
/// When the one cannot be read or the other not be written.
pub fn copy_file(from: &Path, to: &Path) -> Result<(), FileError> {
    let bytes = fs::read(from).map_err(FileError::of("read", from))?;
    write_file(to, &bytes)
}

/// As [`write_whole`], where other processes may write the same file at the same time.
///
/// # Errors
/// When the file cannot be written.
pub fn write_whole_shared(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(Partial::shared(path), bytes)
}

fn write_by(partial: Partial, bytes: &[u8]) -> io::Result<()> {
    fs::write(partial.path(), bytes)?;
    partial.appear().map_err(|error| error.source)
}

/// The file by which a folder is held.
pub const LOCK: &str = ".lock";

/// A file that other processes are kept from locking, until this is dropped or the process ends.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Locks `file`; `None` if another process holds it. Where the file system knows no locks nobody ever does.
    ///
    /// # Errors
    /// When the lock cannot be asked for.
    pub fn of_file(file: File) -> io::Result<Option<Self>> {
        Self::answered(file.try_lock(), file)
    }

    /// As [`Lock::of_file`], but others may lock `file` so at the same time: for those who only ask whether somebody holds it.
    ///
    /// # Errors
    /// When the lock cannot be asked for.
    pub fn beside_others(file: File) -> io::Result<Option<Self>> {
        Self::answered(file.try_lock_shared(), file)
    }

    fn answered(answer: Result<(), TryLockError>, file: File) -> io::Result<Option<Self>> {
        match answer {
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if !is_without_locks(&error) => Err(error),
            _ => Ok(Some(Self(file))),
        }
    }

    /// As [`Lock::of_file`], but waits until nobody else holds it.
    ///
    /// # Errors
    /// When the lock cannot be asked for.
    pub fn await_file(file: File) -> io::Result<Self> {
        match file.lock() {
            Err(error) if !is_without_locks(&error) => Err(error),
            _ => Ok(Self(file)),
        }
    }

    /// Holds `folder`, by the file [`LOCK`] in it.
    ///
    /// # Errors
    /// When another process holds the folder ([`io::ErrorKind::ResourceBusy`]), or nothing can be written there.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        let file = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
        let busy = || io::Error::new(io::ErrorKind::ResourceBusy, "another process is using it");
        Self::of_file(file)?.ok_or_else(busy)
    }
}

impl Deref for Lock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Lock {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for Lock {
    /// Closing the file would not do: a process that another thread is just starting may hold a copy of it for a moment, and the lock
    /// with it.
    fn drop(&mut self) {
        // Where this fails the lock ends with the last copy of the file.
        let _ = self.0.unlock();
    }
}

/// Whether `error` says that there are no locks here, as network file systems without a lock service do.
fn is_without_locks(error: &io::Error) -> bool {
    #[cfg(target_os = "linux")]
    if error.raw_os_error() == Some(libc::ENOLCK) {
        return true;
    }
    error.kind() == io::ErrorKind::Unsupported
}

/// SHA-256 of `bytes` in 64 lower-case hexadecimal digits.
///
/// ```
/// assert!(roughboard::disk::sha256(b"").starts_with("e3b0c442"));
/// ```
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// SHA-256 of the content of a file, as [`sha256`] gives it, without holding all of it in memory.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    sha256_of_files(&[path])
}

/// SHA-256 of the content of files one after another, as [`sha256_of_file`] gives that of one.
///
/// # Errors
/// When a file cannot be opened or read.
pub fn sha256_of_files(paths: &[impl AsRef<Path>]) -> io::Result<String> {
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    for path in paths {
        let mut file = File::open(path)?;
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => hasher.update(&buffer[..length]),
            }
        }
    }
    Ok(hexadecimal(&hasher.finalize()))
}

/// `bytes` in lower-case hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that `path` can be written, before any work is done for it: its folder exists, and it is not a folder itself.
///
/// # Errors
/// With what is wrong.
pub fn check_target(path: &Path) -> io::Result<()> {
    if path.is_dir() || path.file_name().is_none() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    try_create(&partial_path(path))
}

/// A file in `folder` that has no name there, so that it goes with the process, however that ends. On systems that cannot remove the name of
/// an open file it stays until the system's own folder for such files is emptied.
pub(crate) fn nameless_file(folder: &Path) -> io::Result<File> {
    for number in 0_u32.. {
        let path = folder.join(format!(".roughboard-{}-{number}.tmp", std::process::id()));
        match File::options().read(true).write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                let removed = fs::remove_file(&path);
                return if cfg!(unix) { removed.map(|()| file) } else { Ok(file) };
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The bytes that are free for this user where `folder` is, if the system tells.
#[cfg(target_os = "linux")]
pub(crate) fn free_space(folder: &Path) -> Option<u64> {
    use std::os::unix::ffi::OsStrExt;

    let path = std::ffi::CString::new(folder.as_os_str().as_bytes()).ok()?;
    let mut found = std::mem::MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path ends in a zero byte, and the answer is read only where the call says that it has written one.
    let found = unsafe { (libc::statvfs(path.as_ptr(), found.as_mut_ptr()) == 0).then(|| found.assume_init()) }?;
    Some(found.f_bavail * found.f_frsize)
}

/// The bytes that are free for this user where `folder` is, if the system tells.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free_space(_folder: &Path) -> Option<u64> {
    None
}

/// Makes a file and removes it; one that is there already, perhaps of another run, is opened and left as it is.
fn try_create(path: &Path) -> io::Result<()> {
    match File::create_new(path) {
        // Whoever holds the folder may have removed it in between.
        Ok(_) => remove_if_there(path),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => File::options().write(true).open(path).map(drop),
        Err(cause) => Err(cause),
    }
}

/// Removes a file, if there is one.
///
/// # Errors
/// When there is one that cannot be removed.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    fs::remove_file(path).or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nameless_file_leaves_nothing_behind() {
        use std::io::{Seek, Write};

        let folder = tempfile::tempdir().unwrap();
        let mut files = [0, 1].map(|_| nameless_file(folder.path()).unwrap());
        files.iter_mut().zip([b"one", b"two"]).for_each(|(file, bytes)| file.write_all(bytes).unwrap());
        let mut read = Vec::new();
        files[0].rewind().and_then(|()| files[0].read_to_end(&mut read)).unwrap();
        assert_eq!((read.as_slice(), cfg!(unix)), (&b"one"[..], fs::read_dir(folder.path()).unwrap().next().is_none()));
    }

    #[test]
    fn free_space_is_that_of_a_folder_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let free = free_space(folder.path());
        assert_eq!(free.is_some_and(|free| (1 << 20..1 << 50).contains(&free)), cfg!(target_os = "linux"), "{free:?}");
        assert_eq!(free_space(&folder.path().join("missing")), None);
    }

    #[test]
    fn digests_agree_with_the_published_one_of_abc() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((sha256(b"abc").as_str(), sha256_of_file(file.path()).unwrap().as_str()), (expected, expected));
        assert_eq!(hexadecimal(&[0, 0xab, 0x7f]), "00ab7f");
    }

    #[test]
    fn a_file_is_replaced_whole_and_a_bad_target_is_seen_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(check_target(&path).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(check_target(folder.path()).is_err());
        assert!(check_target(&folder.path().join("no/such/folder")).is_err());
        assert!(write_whole(&folder.path().join("no/a"), b"").is_err());
        for (content, is_taken) in [("new", true), ("other", false)] {
            let mut partial = Partial::new(&path);
            partial.spare_others();
            fs::write(partial.path(), content).unwrap();
            assert_eq!((partial.appear().is_ok(), fs::read(&path).unwrap()), (is_taken, b"new".to_vec()));
        }
    }
}
