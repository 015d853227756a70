//! What an import sets aside on the disk between its passes, so that memory does not grow with the length of games.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

/// A sequence of blocks of bytes in a file without a name, which goes when the program does. Written once, then read.
pub(crate) struct Spool {
    out: zstd::Encoder<'static, BufWriter<File>>,
}

impl Spool {
    /// An empty spool on the disk that holds `folder`.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?);
        Ok(Self { out: zstd::Encoder::new(file, 1)? })
    }

    /// Appends a block.
    pub fn push(&mut self, block: &[u8]) -> io::Result<()> {
        self.out.write_all(&(block.len() as u64).to_le_bytes())?;
        self.out.write_all(block)
    }

    /// Ends the writing.
    pub fn finish(self) -> io::Result<Stored> {
        let mut file = self.out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(Stored { file })
    }
}

/// A spool that was written.
pub(crate) struct Stored {
    file: File,
}

impl Stored {
    /// The blocks, from the first.
    pub fn blocks(&mut self) -> io::Result<Blocks<'_>> {
        self.file.rewind()?;
        Ok(Blocks { input: zstd::Decoder::new(&mut self.file)? })
    }
}

/// The blocks of a spool in order.
pub(crate) struct Blocks<'a> {
    input: zstd::Decoder<'static, BufReader<&'a mut File>>,
}

impl Blocks<'_> {
    /// Reads the next block into `block`.
    ///
    /// # Errors
    /// When the spool cannot be read, or has no more blocks.
    pub(crate) fn next_into(&mut self, block: &mut Vec<u8>) -> io::Result<()> {
        let mut length = [0; 8];
        self.input.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        block.clear();
        let read = self.input.by_ref().take(length).read_to_end(block)?;
        if read as u64 == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_as_often_as_asked_and_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path()).unwrap();
        let blocks = [b"one".to_vec(), Vec::new(), vec![7; 100_000]];
        blocks.iter().for_each(|block| spool.push(block).unwrap());
        let mut stored = spool.finish().unwrap();
        for _ in 0..2 {
            let mut reader = stored.blocks().unwrap();
            let mut found = Vec::new();
            for block in &blocks {
                reader.next_into(&mut found).unwrap();
                assert_eq!(&found, block);
            }
            assert!(reader.next_into(&mut found).is_err());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
