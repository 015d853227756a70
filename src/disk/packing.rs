//! Compressed streams: what kind a file is, unpacking, packing.

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;
use liblzma::write::XzEncoder;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
    /// xz (the format of XZ Utils).
    Xz,
}

/// Endings of names of packed files, what they promise, and what takes their place when the file is unpacked.
const ENDINGS: [(&str, Packing, &str); 7] = [
    (".gz", Packing::Gzip, ""),
    (".tgz", Packing::Gzip, ".tar"),
    (".zst", Packing::Zstd, ""),
    (".tzst", Packing::Zstd, ".tar"),
    (".xz", Packing::Xz, ""),
    (".txz", Packing::Xz, ".tar"),
    (".gzip", Packing::Gzip, ""),
];

/// What packed files begin with.
const MAGIC: [(&[u8], Packing); 3] = [
    (&[0x1f, 0x8b], Packing::Gzip),
    (&[0x28, 0xb5, 0x2f, 0xfd], Packing::Zstd),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], Packing::Xz),
];

/// The most memory that the decoder of xz may take; its highest preset needs 65 MiB.
const XZ_MEMORY: u64 = 1 << 29;

impl Packing {
    /// What the name of a file promises.
    pub fn of_name(name: &Path) -> Self {
        Self::split_name(&name.to_string_lossy()).0
    }

    /// What a name promises, and the name of what is inside.
    pub(crate) fn split_name(name: &str) -> (Self, String) {
        for (ending, packing, instead) in ENDINGS {
            let at = name.len().saturating_sub(ending.len());
            if at > 0 && name.as_bytes()[at..].eq_ignore_ascii_case(ending.as_bytes()) {
                return (packing, format!("{}{instead}", &name[..at]));
            }
        }
        (Self::Plain, name.to_owned())
    }

    /// What the first bytes of a file called `name` say; the name decides where they say nothing, so that an empty
    /// file called `.zst` is a truncated file and not an empty database.
    pub fn of(head: &[u8], name: &str) -> Self {
        let known = MAGIC.iter().find(|(magic, _)| head.starts_with(magic));
        known.map_or_else(|| Self::split_name(name).0, |(_, packing)| *packing)
    }

    /// The name of the format, and the levels that it has.
    pub(crate) const fn levels(self) -> Option<(&'static str, RangeInclusive<i32>)> {
        match self {
            Self::Plain => None,
            Self::Gzip => Some(("gzip", 1..=9)),
            Self::Zstd => Some(("Zstandard", 1..=22)),
            Self::Xz => Some(("xz", 0..=9)),
        }
    }

    /// The unpacked bytes of `input`.
    pub(crate) fn unpack<'a>(self, mut input: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
        if self != Self::Plain && input.fill_buf()?.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(match self {
            Self::Plain => Box::new(input),
            Self::Gzip => Box::new(MultiGzDecoder::new(input)),
            Self::Zstd => Box::new(zstd::Decoder::with_buffer(input)?),
            Self::Xz => {
                let stream = Stream::new_auto_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?;
                Box::new(XzDecoder::new_stream(input, stream))
            }
        })
    }
}

/// A writer that packs what it is given.
pub trait Packer: Write + Send {
    /// Completes the stream and gives the file below it back.
    fn finish(self: Box<Self>) -> io::Result<File>;
}

impl Packer for BufWriter<File> {
    fn finish(self: Box<Self>) -> io::Result<File> {
        self.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl Packer for GzEncoder<File> {
    fn finish(self: Box<Self>) -> io::Result<File> {
        (*self).finish()
    }
}

impl Packer for zstd::Encoder<'static, File> {
    fn finish(self: Box<Self>) -> io::Result<File> {
        (*self).finish()
    }
}

impl Packer for XzEncoder<File> {
    fn finish(self: Box<Self>) -> io::Result<File> {
        (*self).finish()
    }
}

/// Packs into `out`; a `level` that the format does not have is cut to the nearest that it has. Packed files have no name and no time, and
/// those of Zstandard and xz have a checksum of their content.
pub fn packer(out: File, packing: Packing, level: i32) -> io::Result<Box<dyn Packer>> {
    let level = packing.levels().map_or(level, |(_, levels)| level.clamp(*levels.start(), *levels.end()));
    Ok(match packing {
        Packing::Plain => Box::new(BufWriter::new(out)),
        Packing::Gzip => Box::new(GzEncoder::new(out, flate2::Compression::new(level.unsigned_abs()))),
        Packing::Zstd => {
            let mut encoder = zstd::Encoder::new(out, level)?;
            encoder.include_checksum(true)?;
            Box::new(encoder)
        }
        Packing::Xz => Box::new(XzEncoder::new(out, level.unsigned_abs())),
    })
}

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use super::*;

    fn unpacked(bytes: &[u8], name: &str) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Packing::of(bytes, name).unpack(bytes)?.read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn the_first_bytes_outweigh_the_name_and_no_prefix_passes_for_the_whole() {
        for (packing, ending) in [(Packing::Gzip, "gz"), (Packing::Zstd, "zst"), (Packing::Xz, "xz")] {
            let mut packer = packer(tempfile::tempfile().unwrap(), packing, 19).unwrap();
            packer.write_all(&b"h2e2 h9g7 ".repeat(20)).unwrap();
            let (mut file, mut bytes) = (packer.finish().unwrap(), Vec::new());
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            assert_eq!(unpacked(&bytes, "games.pgn").unwrap().len(), 200);
            let name = format!("games.pgn.{ending}");
            for length in 0..bytes.len() {
                assert!(unpacked(&bytes[..length], &name).is_err(), "{name} cut to {length} bytes");
            }
        }
    }
}
