//! Compressed streams: what kind a file is, unpacking, packing.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Packing {
    /// What the name of a file promises.
    pub fn of_name(name: &Path) -> Self {
        match name.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gzip,
            Some("zst") => Self::Zstd,
            _ => Self::Plain,
        }
    }

    /// What the first bytes say; the name decides where they say nothing, so that an empty file called `.zst` is
    /// a truncated file and not an empty database.
    fn of(head: &[u8], name: &Path) -> Self {
        if head.starts_with(&[0x1f, 0x8b]) {
            Self::Gzip
        } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Self::Zstd
        } else {
            Self::of_name(name)
        }
    }
}

/// The unpacked bytes of `input`, whose name is `name`.
pub fn unpack<'a>(mut input: impl BufRead + Send + 'a, name: &Path) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let head = input.fill_buf()?;
    let packing = Packing::of(head, name);
    if head.is_empty() && packing != Packing::Plain {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(match packing {
        Packing::Plain => Box::new(input),
        Packing::Gzip => Box::new(BufReader::new(MultiGzDecoder::new(input))),
        Packing::Zstd => Box::new(BufReader::new(zstd::Decoder::with_buffer(input)?)),
    })
}

/// A writer that packs what it is given.
pub enum Packer<W: Write> {
    /// Passes everything on.
    Plain(BufWriter<W>),
    /// Packs as gzip, without name and time.
    Gzip(GzEncoder<W>),
    /// Packs as Zstandard, with a checksum of the content.
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    /// Packs into `out`; `level` is that of Zstandard, 1 to 22, and is cut to 9 for gzip.
    pub fn new(out: W, packing: Packing, level: i32) -> io::Result<Self> {
        Ok(match packing {
            Packing::Plain => Self::Plain(BufWriter::new(out)),
            Packing::Gzip => {
                let level = flate2::Compression::new(level.clamp(1, 9).unsigned_abs());
                Self::Gzip(GzEncoder::new(out, level))
            }
            Packing::Zstd => {
                let mut encoder = zstd::Encoder::new(out, level)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Completes the stream and gives the writer below it back.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => out.into_inner().map_err(io::IntoInnerError::into_error),
            Self::Gzip(out) => out.finish(),
            Self::Zstd(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
            Self::Zstd(out) => out.flush(),
        }
    }
}

/// A reader that reports how many bytes went through it.
pub struct Metered<'a, R> {
    /// What is read.
    pub inner: R,
    /// Called with the number of bytes of each reading.
    pub report: &'a (dyn Fn(u64) + Sync),
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        (self.report)(length as u64);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(bytes: &[u8], name: &str) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        unpack(bytes, Path::new(name))?.read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn the_first_bytes_outweigh_the_name_and_no_prefix_passes_for_the_whole() {
        for packing in [Packing::Gzip, Packing::Zstd] {
            let mut packer = Packer::new(Vec::new(), packing, 19).unwrap();
            packer.write_all(&b"h2e2 h9g7 ".repeat(20)).unwrap();
            let bytes = packer.finish().unwrap();
            assert_eq!(unpacked(&bytes, "games.pgn").unwrap().len(), 200);
            let name = if packing == Packing::Gzip { "games.pgn.gz" } else { "games.pgn.zst" };
            for length in 0..bytes.len() {
                assert!(unpacked(&bytes[..length], name).is_err(), "{name} cut to {length} bytes");
            }
        }
    }
}
