//! Archives: tar as a stream, zip out of order.

use std::io::{self, Read, Seek, SeekFrom};

use tar::EntryType;
use zip::ZipArchive;
use zip::result::ZipError;

use super::stream::{Member, Unpacked, Watch, Watched};
use super::{Name, Peeked, Walk};
use crate::record::account::Flaw;
use crate::record::error::RecordError;

/// The most members that are read of one archive.
const MOST_MEMBERS: usize = 10_000_000;

/// The most bytes that the headers of one member of a tar archive may have, long names included.
const LONGEST_HEADER: u64 = 1 << 20;

/// A zip archive in a stream is held in memory up to this size, and in a temporary file beyond it.
const SPOOL_IN_MEMORY: usize = 16 << 20;

/// Whether a stream that begins with `head` is a zip archive; an empty one has no member first.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Whether a stream that begins with `head` is a tar archive. The oldest kind has no mark but its checksum, so that the
/// name must promise it.
pub(crate) fn is_tar(head: &[u8], name: &str) -> bool {
    let Some(header) = head.get(..512) else { return false };
    header[257..].starts_with(b"ustar") || (name.to_ascii_lowercase().ends_with(".tar") && has_checksum(header))
}

fn has_checksum(header: &[u8]) -> bool {
    let blank = |at: usize, byte: u8| if (148..156).contains(&at) { b' ' } else { byte };
    let sum: u64 = header.iter().enumerate().map(|(at, &byte)| u64::from(blank(at, byte))).sum();
    let stated = String::from_utf8_lossy(&header[148..156]);
    let all_zero = header.iter().all(|byte| *byte == 0);
    all_zero || u64::from_str_radix(stated.trim_matches(['\0', ' ']), 8).is_ok_and(|stated| stated == sum)
}

impl Walk<'_> {
    pub(super) fn tar(&mut self, name: &Name, input: &mut Peeked<'_>, depth: usize) -> Result<(), RecordError> {
        let watch = Watch::default();
        let mut archive = tar::Archive::new(Watched { input: &mut *input, watch: &watch });
        let mut entries = match archive.entries() {
            Ok(entries) => entries,
            Err(cause) => return self.sink.failed(name, cause),
        };
        let mut members = 0;
        loop {
            watch.allowance.set(Some(LONGEST_HEADER));
            let Some(entry) = entries.next() else { break };
            watch.allowance.set(None);
            members += 1;
            match entry {
                Err(cause) => return self.sink.failed(name, cause),
                Ok(_) if members > MOST_MEMBERS => return self.sink.failed(name, too_many()),
                Ok(entry) => self.tar_member(name, entry, &watch, depth)?,
            }
            if watch.failed.get() {
                return Ok(());
            }
        }
        if members == 0 {
            self.sink.passed_over(name, Flaw::NotGames("an archive without members"))?;
        }
        // What packs the archive may find an error at its end.
        watch.allowance.set(None);
        io::copy(input, &mut io::sink()).map_or_else(|cause| self.sink.failed(name, cause), |_| Ok(()))
    }

    fn tar_member(
        &mut self,
        archive: &Name,
        mut entry: tar::Entry<'_, impl Read>,
        watch: &Watch,
        depth: usize,
    ) -> Result<(), RecordError> {
        let name = archive.member(&entry.path_bytes());
        let kind = entry.header().entry_type();
        let length = match kind {
            EntryType::Regular | EntryType::Continuous => entry.size(),
            // Its holes are not in the archive.
            EntryType::GNUSparse => 0,
            EntryType::Directory => return Ok(()),
            EntryType::Symlink | EntryType::Link => {
                return self.sink.passed_over(&name, Flaw::NotGames("a link, which is not followed"));
            }
            _ => return self.sink.passed_over(&name, Flaw::NotGames("no regular file")),
        };
        // Old archives have folders as empty files whose names end so.
        if name.file.shown.ends_with('/') {
            return Ok(());
        }
        let member = Member { input: &mut entry, left: length, watch };
        let mut member = Unpacked::new(member, self.most, || u64::MAX);
        self.stream(&name, &mut member, depth + 1)?;
        if watch.failed.get() {
            return Ok(());
        }
        // The rest is stepped over here, since the next header may have only so many bytes.
        let rest = io::copy(&mut Member { input: &mut entry, left: 0, watch }, &mut io::sink());
        rest.map_or_else(|cause| self.sink.failed(&name, cause), |_| Ok(()))
    }

    /// A zip archive that comes as a stream; its list of members stands at its end.
    pub(super) fn spooled_zip(&mut self, name: &Name, input: &mut Peeked<'_>, depth: usize) -> Result<(), RecordError> {
        let mut spool = tempfile::spooled_tempfile(SPOOL_IN_MEMORY);
        match io::copy(input, &mut spool).and_then(|_| spool.seek(SeekFrom::Start(0))) {
            Ok(_) => self.zip(name, spool, depth),
            Err(cause) => self.sink.failed(name, cause),
        }
    }

    pub(super) fn zip(&mut self, name: &Name, file: impl Read + Seek, depth: usize) -> Result<(), RecordError> {
        let mut archive = match ZipArchive::new(file) {
            Ok(archive) => archive,
            Err(cause) => return self.sink.failed(name, zip_failure(cause)),
        };
        if archive.is_empty() {
            return self.sink.passed_over(name, Flaw::NotGames("an archive without members"));
        }
        if archive.len() > MOST_MEMBERS {
            return self.sink.failed(name, too_many());
        }
        if archive.has_overlapping_files().unwrap_or(false) {
            let cause = io::Error::new(io::ErrorKind::InvalidData, "its members overlap: a bomb?");
            return self.sink.failed(name, cause);
        }
        for index in 0..archive.len() {
            self.zip_member(name, &mut archive, index, depth)?;
        }
        Ok(())
    }

    fn zip_member(
        &mut self,
        archive: &Name,
        members: &mut ZipArchive<impl Read + Seek>,
        index: usize,
        depth: usize,
    ) -> Result<(), RecordError> {
        let listed = members.name_for_index(index).and_then(Result::ok).map(|name| name.into_owned());
        match members.by_index(index) {
            Ok(member) if member.is_dir() => Ok(()),
            Ok(member) => {
                let name = archive.member(member.name_raw());
                if member.is_symlink() {
                    return self.sink.passed_over(&name, Flaw::NotGames("a link, which is not followed"));
                }
                let packed = member.compressed_size();
                let mut unpacked = Unpacked::new(member, self.most, || packed);
                self.stream(&name, &mut unpacked, depth + 1)
            }
            Err(cause) => {
                let listed = listed.unwrap_or_else(|| format!("member {}", index + 1));
                self.sink.failed(&archive.member(listed.as_bytes()), zip_failure(cause))
            }
        }
    }
}

fn too_many() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("expected at most {MOST_MEMBERS} members, found more"))
}

/// A zip archive whose list of members is missing was cut short.
fn zip_failure(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(cause) => cause,
        ZipError::InvalidArchive(_) => io::Error::new(io::ErrorKind::UnexpectedEof, error),
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}
