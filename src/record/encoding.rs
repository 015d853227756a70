//! Encodings of text: which one a document has, and decoding it as a stream.

use std::io::{self, BufRead, Read};
use std::sync::OnceLock;

use encoding_rs::{BIG5, Decoder, DecoderResult, Encoding as Codec, GB18030, UTF_16BE, UTF_16LE, WINDOWS_1252};
use rustc_hash::FxHashSet;

use super::entry::FileName;
use crate::settings::{choices, counted};

choices! {
    /// How the text of documents is encoded.
    pub enum Encoding = Auto {
        /// Each document's own, found from its first bytes.
        Auto,
        /// UTF-8, which ASCII is a part of.
        Utf8 = "utf-8",
        /// GB18030, which GBK and GB2312 are parts of: simplified Chinese.
        Gb18030,
        /// GBK, read as GB18030.
        Gbk,
        /// Big5 with the additions of CP950: traditional Chinese.
        Big5,
        /// Windows-1252, which ISO 8859-1 (Latin-1) is a part of: Western Europe.
        Windows1252 = "windows-1252",
        /// UTF-16, low byte first unless a byte order mark says otherwise.
        Utf16 = "utf-16",
        /// UTF-16, low byte first.
        Utf16Le = "utf-16le",
        /// UTF-16, high byte first.
        Utf16Be = "utf-16be",
    }
}

impl Encoding {
    /// The encoding of a document that begins with `head`; never [`Encoding::Auto`] or [`Encoding::Utf16`].
    pub fn settle(self, head: &[u8]) -> Self {
        match self {
            Self::Auto => detect(head),
            Self::Utf16 if head.starts_with(&[0xfe, 0xff]) => Self::Utf16Be,
            Self::Utf16 => Self::Utf16Le,
            settled => settled,
        }
    }

    /// The decoder to UTF-8, which takes a byte order mark away; `None` where there is nothing to decode.
    fn decoder(self) -> Option<Decoder> {
        let codec: &'static Codec = match self {
            Self::Auto | Self::Utf8 => return None,
            Self::Gb18030 | Self::Gbk => GB18030,
            Self::Big5 => BIG5,
            Self::Windows1252 => WINDOWS_1252,
            Self::Utf16 | Self::Utf16Le => UTF_16LE,
            Self::Utf16Be => UTF_16BE,
        };
        Some(codec.new_decoder_with_bom_removal())
    }
}

/// The documents whose encoding was guessed by the sense that they make in it: of each encoding how many, and the first.
#[derive(Debug, Default)]
pub struct Guesses(Vec<(Encoding, u64, FileName)>);

impl Guesses {
    /// Takes up a document of games. UTF-8 and UTF-16 are told by their bytes and no guesses.
    pub fn add(&mut self, encoding: Encoding, file: &FileName) {
        if !matches!(encoding, Encoding::Gb18030 | Encoding::Big5) {
            return;
        }
        match self.0.iter_mut().find(|(known, ..)| *known == encoding) {
            Some((_, count, _)) => *count += 1,
            None => self.0.push((encoding, 1, file.clone())),
        }
    }

    /// What is to be said of them, an encoding at a time.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(encoding, count, first)| {
            let others = if *count > 1 { format!(" and {} like it", counted(count - 1, "document")) } else { String::new() };
            let first = &first.shown;
            format!("{first}{others}: read as {encoding}, a guess that names and comments depend on; `encoding` names another")
        })
    }
}

/// Words of Chinese game records in both scripts, by which GB18030 and Big5 are told apart.
const WORDS: &str = "車馬炮砲包兵卒相象仕士帥將進退平前後中一二三四五六七八九１２３４５６７８９\
    车马将帅进后红黑勝胜負负和局先對对紅棋賽赛杯隊队全國国個个人團团體体年月日第輪轮";

/// What an undecodable place counts against an encoding, in characters.
const COST_OF_ERROR: i64 = 20;

/// The encoding that the first bytes of a document speak for: a byte order mark, the zero bytes of UTF-16, valid UTF-8,
/// or else the one in which they make most sense. `chardetng` knows no words of game records, by which a single short game
/// tells its encoding.
fn detect(head: &[u8]) -> Encoding {
    match head {
        [0xef, 0xbb, 0xbf, ..] => return Encoding::Utf8,
        [0xff, 0xfe, ..] => return Encoding::Utf16Le,
        [0xfe, 0xff, ..] => return Encoding::Utf16Be,
        _ => {}
    }
    if let Some(utf16) = utf16_by_zeros(head) {
        return utf16;
    }
    match std::str::from_utf8(head) {
        Ok(_) => return Encoding::Utf8,
        // A character that the end of the head cuts.
        Err(error) if error.error_len().is_none() && head.len() > 3 => return Encoding::Utf8,
        Err(_) => {}
    }
    let scores = [
        (Encoding::Utf8, sense_in_utf8(head)),
        (Encoding::Big5, sense_in_pairs(head, &BIG5_PAIRS)),
        (Encoding::Gb18030, sense_in_pairs(head, &GB_PAIRS)),
    ];
    let best = scores.iter().map(|score| score.1).max();
    scores.iter().find(|score| Some(score.1) == best).map_or(Encoding::Utf8, |score| score.0)
}

/// UTF-16 without a mark: text of games is full of ASCII, every character of which has one zero byte.
fn utf16_by_zeros(head: &[u8]) -> Option<Encoding> {
    let head = &head[..head.len().min(4096)];
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let many = head.len() / 2 / 5;
    if odd > many && even * 10 <= odd {
        Some(Encoding::Utf16Le)
    } else if even > many && odd * 10 <= even {
        Some(Encoding::Utf16Be)
    } else {
        None
    }
}

/// How much sense `head` makes in UTF-8: characters beyond ASCII, which hardly come about by chance, against errors.
fn sense_in_utf8(head: &[u8]) -> i64 {
    let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
        let characters = chunk.valid().chars().filter(|c| !c.is_ascii()).count() as i64;
        2 * characters - if chunk.invalid().is_empty() { 0 } else { COST_OF_ERROR }
    };
    head.utf8_chunks().map(of_chunk).sum()
}

/// An encoding of pairs of bytes.
struct Pairs {
    codec: &'static Codec,
    /// Whether a second byte fits.
    second: fn(u8) -> bool,
    /// Whether a pair stands in the part of the code that holds the characters in daily use.
    common: fn(u8, u8) -> bool,
    /// Whether a digit in second place begins a sequence of four bytes.
    has_quads: bool,
    words: OnceLock<FxHashSet<[u8; 2]>>,
}

static BIG5_PAIRS: Pairs = Pairs {
    codec: BIG5,
    second: |byte| matches!(byte, 0x40..=0x7e | 0xa1..=0xfe),
    common: |first, _| matches!(first, 0xa1..=0xc6),
    has_quads: false,
    words: OnceLock::new(),
};

static GB_PAIRS: Pairs = Pairs {
    codec: GB18030,
    second: |byte| matches!(byte, 0x40..=0x7e | 0x80..=0xfe),
    common: |first, second| second >= 0xa1 && matches!(first, 0xa1..=0xa3 | 0xb0..=0xd7),
    has_quads: true,
    words: OnceLock::new(),
};

impl Pairs {
    fn words(&self) -> &FxHashSet<[u8; 2]> {
        self.words.get_or_init(|| {
            let one = |c: char| {
                let mut utf8 = [0; 4];
                let (bytes, _, failed) = self.codec.encode(c.encode_utf8(&mut utf8));
                <[u8; 2]>::try_from(&*bytes).ok().filter(|_| !failed)
            };
            WORDS.chars().filter_map(one).collect()
        })
    }
}

/// How much sense `head` makes in an encoding of pairs: words of game records count most, characters in daily use
/// count, rare ones count against it, and errors more so.
fn sense_in_pairs(head: &[u8], pairs: &Pairs) -> i64 {
    let words = pairs.words();
    let (mut sense, mut at) = (0, 0);
    while at < head.len() {
        let first = head[at];
        if first < 0x80 {
            at += 1;
            continue;
        }
        let Some(&second) = head.get(at + 1) else { break };
        if pairs.has_quads && second.is_ascii_digit() && first != 0x80 {
            at += 4;
            sense -= 1;
        } else if matches!(first, 0x80 | 0xff) || !(pairs.second)(second) {
            at += 1;
            sense -= COST_OF_ERROR;
        } else {
            at += 2;
            sense += match () {
                () if words.contains(&[first, second]) => 4,
                () if (pairs.common)(first, second) => 1,
                () => -1,
            };
        }
    }
    sense
}

/// The text of a name whose encoding nobody stated, as names in archives are.
pub(crate) fn decode_name(bytes: &[u8]) -> String {
    let codec = match detect(bytes) {
        Encoding::Gb18030 => GB18030,
        Encoding::Big5 => BIG5,
        _ => return String::from_utf8_lossy(bytes).into_owned(),
    };
    codec.decode_without_bom_handling(bytes).0.into_owned()
}

/// Bytes that are decoded at a time.
const STEP: usize = 1 << 16;

/// The UTF-8 of a stream in another encoding.
///
/// A place that does not decode shows as one byte that no UTF-8 has there: the largest of the undecodable bytes. So
/// whoever reads the stream as UTF-8 finds the error in its place.
struct Decoded<R> {
    input: R,
    decoder: Decoder,
    out: Box<[u8]>,
    at: usize,
    filled: usize,
    ended: bool,
}

/// A stream of bytes in `encoding`, which is settled, as UTF-8.
pub fn decoded<'a>(mut input: impl BufRead + 'a, encoding: Encoding) -> Box<dyn BufRead + 'a> {
    match encoding.decoder() {
        None => Box::new(input),
        Some(decoder) => {
            // A small document needs no more than three bytes for each of its own.
            let size = input.fill_buf().map_or(STEP, |head| head.len() * 3 + 16).min(STEP);
            let out = vec![0; size].into_boxed_slice();
            Box::new(Decoded { input, decoder, out, at: 0, filled: 0, ended: false })
        }
    }
}

impl<R: BufRead> Decoded<R> {
    /// Decodes until there is some output or the input is at its end.
    fn refill(&mut self) -> io::Result<()> {
        (self.at, self.filled) = (0, 0);
        while self.filled == 0 && !self.ended {
            let available = self.input.fill_buf()?;
            let last = available.is_empty();
            // One byte is kept free for a byte that stands for an error.
            let room = self.out.len() - 1;
            let out = &mut self.out[..room];
            let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(available, out, last);
            let bad = matches!(result, DecoderResult::Malformed(..)).then(|| {
                // What went wrong ended at most four bytes back; bytes of an earlier buffer are gone.
                let tail = &available[read.saturating_sub(4)..read];
                tail.iter().copied().max().filter(|byte| *byte >= 0x80).unwrap_or(0xff)
            });
            self.filled = written;
            if let Some(bad) = bad {
                self.out[written] = bad;
                self.filled += 1;
            }
            self.input.consume(read);
            self.ended = last && result == DecoderResult::InputEmpty;
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.filled {
            self.refill()?;
        }
        Ok(&self.out[self.at..self.filled])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, buffer)
    }
}

/// What [`Read::read`] does for a reader with a buffer of its own.
pub(crate) fn read_buffered(input: &mut impl BufRead, buffer: &mut [u8]) -> io::Result<usize> {
    let available = input.fill_buf()?;
    let length = available.len().min(buffer.len());
    buffer[..length].copy_from_slice(&available[..length]);
    input.consume(length);
    Ok(length)
}
