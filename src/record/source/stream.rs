//! Readers between a file and a document: they look ahead, count, bound, and remember failures.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use crate::record::encoding::read_buffered;

/// Bytes that are looked at before it is decided what a stream holds.
const HEAD: usize = 1 << 16;

/// A stream whose first bytes can be looked at without being taken.
pub(crate) struct Peeked<'a> {
    input: &'a mut dyn Read,
    /// The bytes read ahead: at first the head of the stream.
    buffer: Vec<u8>,
    at: usize,
    /// A failure behind the bytes in `buffer`.
    failure: Option<io::Error>,
    ended: bool,
}

impl<'a> Peeked<'a> {
    /// Reads the head of `input`. A failure shows when all before it has been taken.
    pub fn new(input: &'a mut dyn Read) -> Self {
        let mut buffer = Vec::new();
        let failure = (&mut *input).take(HEAD as u64).read_to_end(&mut buffer).err();
        let ended = buffer.len() < HEAD;
        Self { input, buffer, at: 0, failure, ended }
    }

    /// The failure that cut the head short, if one did; what stands before it can still be taken.
    pub(crate) const fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// The first bytes, as long as nothing has been taken: 64 KiB, or less if the stream is shorter.
    pub fn head(&self) -> &[u8] {
        &self.buffer[self.at..]
    }
}

impl BufRead for Peeked<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            if !self.ended {
                self.buffer.resize(HEAD, 0);
                let length = read_some(self.input, &mut self.buffer)?;
                self.buffer.truncate(length);
                self.at = 0;
                self.ended = length == 0;
            }
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Read for Peeked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, buffer)
    }
}

fn read_some(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A reader that reports how many bytes went through it.
pub(crate) struct Metered<'a, R> {
    /// What is read.
    pub input: R,
    /// Called with the number of bytes of each reading.
    pub advance: &'a dyn Fn(u64),
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        (self.advance)(length as u64);
        Ok(length)
    }
}

/// What is known of a stream by those who no longer hold it.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Bytes taken so far.
    pub taken: Cell<u64>,
    /// Whether the stream has failed, or ended where more was promised, so that nothing more comes of it.
    pub failed: Cell<bool>,
    /// How many bytes more may be taken before the stream is refused; `None` for any number.
    pub allowance: Cell<Option<u64>>,
}

/// A stream that tells its [`Watch`] what happens to it.
pub(crate) struct Watched<'w, R> {
    /// The stream.
    pub input: R,
    /// What hears of it.
    pub watch: &'w Watch,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.allowance.get() == Some(0) {
            self.watch.failed.set(true);
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the header of a member is too long"));
        }
        let result = self.input.read(buffer);
        match &result {
            Ok(length) => {
                let length = *length as u64;
                self.watch.taken.set(self.watch.taken.get() + length);
                self.watch.allowance.set(self.watch.allowance.get().map(|left| left.saturating_sub(length)));
            }
            Err(cause) if cause.kind() != io::ErrorKind::Interrupted => self.watch.failed.set(true),
            Err(_) => {}
        }
        result
    }
}

/// Bytes that any packed file may unpack to, however small it is.
const UNSUSPECTED: u64 = 64 << 20;

/// Beyond [`UNSUSPECTED`] bytes, the most bytes that may come of one packed byte.
const RATIO: u64 = 1000;

/// An unpacked stream that is cut where it grows beyond all bounds.
pub(crate) struct Unpacked<R, P> {
    input: R,
    given: u64,
    most: u64,
    /// How many packed bytes were used so far.
    packed: P,
}

impl<R: Read, P: Fn() -> u64> Unpacked<R, P> {
    /// Gives at most `most` bytes of `input`, which comes of `packed()` bytes.
    pub const fn new(input: R, most: u64, packed: P) -> Self {
        Self { input, given: 0, most, packed }
    }
}

impl<R: Read, P: Fn() -> u64> Read for Unpacked<R, P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.given += length as u64;
        if self.given > self.most {
            return Err(bomb(&format!("{} bytes", self.most)));
        }
        if self.given > UNSUSPECTED && self.given / RATIO > (self.packed)() {
            return Err(bomb(&format!("{RATIO} times its size")));
        }
        Ok(length)
    }
}

fn bomb(bound: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it unpacks to more than {bound}: a bomb?"))
}

/// The content of a member of an archive that is read as a stream, whose length is known.
pub(crate) struct Member<'w, R> {
    /// The archive, at the content.
    pub input: R,
    /// Bytes that are still to come.
    pub left: u64,
    /// That of the archive, which is broken when a member is cut short.
    pub watch: &'w Watch,
}

impl<R: Read> Read for Member<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        if length == 0 && self.left > 0 && !buffer.is_empty() {
            self.watch.failed.set(true);
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left = self.left.saturating_sub(length as u64);
        Ok(length)
    }
}
