//! XQF, the file format of XQStudio (象棋演播室), versions 1 to 18.
//!
//! A header of 1024 bytes holds the start position and the texts (GB18030, a length and then the bytes); records of moves
//! follow. From version 11 on, squares and records are masked by keys that the header holds. The main line of the game is
//! the run of records from the first one; variations come after it and are passed over. Squares are `10 * file + rank`,
//! from Red's left and Red's side.
//!
//! Sources: the author's own published reading routines (XQFRW.pas), as several programs document them.

use super::board::{Board, Square, raw_move, square};
use crate::record::account::Flaw;
use crate::record::pgn::{Flawed, RawGame, one_line};

/// The first bytes of every file.
const MAGIC: &[u8] = b"XQ";

/// Bytes of the header.
const HEADER: usize = 0x400;

/// The newest version that is known.
const NEWEST: u8 = 0x12;

/// The last version without keys.
const PLAIN: u8 = 0x0a;

/// Texts of the header: where their length stands, how long they can be, and the tags that they become.
const TEXTS: [(usize, usize, &str); 7] = [
    (80, 63, "Title"),
    (208, 63, "Event"),
    (272, 15, "Date"),
    (288, 15, "Site"),
    (304, 15, "Red"),
    (320, 15, "Black"),
    (480, 15, "Annotator"),
];

/// Whether a document that begins with `head` is an XQF file.
pub(crate) fn is_xqf(head: &[u8]) -> bool {
    head.len() >= HEADER && head.starts_with(MAGIC) && (1..=NEWEST).contains(&head[2])
}

/// The game in a file. Its flaws stand in line 1, since the format has no lines.
pub fn parse(bytes: &[u8]) -> Result<RawGame<'static>, Flawed> {
    let flawed = |expected, found: String| (1, Flaw::Syntax { expected, found });
    if !is_xqf(bytes) {
        return Err(flawed("an XQF header of version 1 to 18", format!("{} bytes", bytes.len())));
    }
    let keys = Keys::of_header(bytes);
    let mut game = RawGame { line: 1, ..RawGame::default() };
    for (at, most, tag) in TEXTS {
        let length = usize::from(bytes[at]).min(most);
        game.tag(tag, decode(&bytes[at + 1..at + 1 + length]));
    }
    let result = ["*", "1-0", "0-1", "1/2-1/2", "1/2-1/2"].get(usize::from(bytes[51])).unwrap_or(&"*");
    game.tags.push(("Result", (*result).to_owned()));
    let cut = || flawed("the record of a move", format!("the end after {} bytes", bytes.len()));
    let mut records = Records { bytes, at: HEADER, keys };
    let root = records.next().ok_or_else(cut)?;
    game.prologue = root.comment;
    let (mut more, mut first) = (root.has_next, None);
    while more {
        let record = records.next().ok_or_else(cut)?;
        let squares = (record.from, record.to);
        let (Some(from), Some(to)) = squares else {
            return Err(flawed("squares of the board", format!("{squares:?} in move {}", game.moves.len() + 1)));
        };
        first = first.or(Some(from));
        game.moves.push(raw_move(from, to, record.comment, 1));
        more = record.has_next;
    }
    game.tags.push(("FEN", board(bytes, &records.keys).fen(first)));
    Ok(game)
}

/// GB18030 text as one line.
fn decode(bytes: &[u8]) -> String {
    let text = encoding_rs::GB18030.decode_without_bom_handling(bytes).0;
    one_line(&text.replace('\0', " "))
}

/// Where the 32 pieces stand. From version 12 on, their list is rotated as well as masked.
fn board(header: &[u8], keys: &Keys) -> Board {
    let mut squares = [0xff; 32];
    for (index, &byte) in header[16..48].iter().enumerate() {
        let slot = if header[2] >= 12 { (usize::from(keys.piece) + index + 1) % 32 } else { index };
        squares[slot] = byte.wrapping_sub(keys.piece);
    }
    Board::of_list(squares.map(unpacked))
}

fn unpacked(byte: u8) -> Option<Square> {
    square(byte / 10, byte % 10)
}

/// What is added to squares, lengths of comments and the bytes of records; all zero up to version 10.
#[derive(Debug, Default)]
struct Keys {
    has_flags: bool,
    piece: u8,
    from: u8,
    to: u8,
    comment: u32,
    mask: [u8; 32],
}

impl Keys {
    fn of_header(header: &[u8]) -> Self {
        if header[2] <= PLAIN {
            return Self::default();
        }
        let [sum, piece, from, to] = [header[12], header[13], header[14], header[15]];
        // Polynomials of the author's choice; only their low bytes matter.
        let mixed = |key: u8, factor: u8| {
            let key = u32::from(key);
            let value = ((((key * key) * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8;
            (value.wrapping_mul(u32::from(factor)) & 0xff) as u8
        };
        let piece_key = mixed(piece, piece);
        let from_key = mixed(from, piece_key);
        let to_key = mixed(to, from_key);
        let masks = [sum, piece, from, to].map(|key| key & header[3]);
        let mut mask = *b"[(C) Copyright Mr. Dong Shiwei.]";
        for (index, byte) in mask.iter_mut().enumerate() {
            *byte &= masks[index % 4] | header[8 + index % 4];
        }
        let comment = (u32::from(sum) * 256 + u32::from(piece)) % 32000 + 767;
        Self { has_flags: true, piece: piece_key, from: from_key, to: to_key, comment, mask }
    }
}

/// The record of a move; that before the first move has no squares.
struct Record {
    from: Option<Square>,
    to: Option<Square>,
    comment: Option<String>,
    has_next: bool,
}

struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: Keys,
}

impl Records<'_> {
    /// The next `length` bytes without their mask.
    fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        let masked = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        let start = self.at;
        self.at += length;
        // The mask repeats every 32 bytes, and so does it from the start of the file.
        let plain =
            masked.iter().enumerate().map(|(index, byte)| byte.wrapping_sub(self.keys.mask[(start + index) % 32]));
        Some(plain.collect())
    }

    fn next(&mut self) -> Option<Record> {
        let record = self.take(4)?;
        // Old files always state the length of a comment, and have the flags in other bits.
        let (has_next, has_comment) = if self.keys.has_flags {
            (record[2] & 0x80 != 0, record[2] & 0x20 != 0)
        } else {
            (record[2] & 0xf0 != 0, true)
        };
        let stated = if has_comment { u32::from_le_bytes(self.take(4)?.try_into().ok()?) } else { 0 };
        let comment = self.take(stated.saturating_sub(self.keys.comment) as usize)?;
        Some(Record {
            from: unpacked(record[0].wrapping_sub(0x18).wrapping_sub(self.keys.from)),
            to: unpacked(record[1].wrapping_sub(0x20).wrapping_sub(self.keys.to)),
            comment: Some(decode(&comment)).filter(|comment| !comment.is_empty()),
            has_next,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with the moves h2e2 (with a comment) and h9g7, masked with `keys` (bytes 3 to 15 of the header).
    fn file(version: u8, keys: [u8; 13]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..2].copy_from_slice(MAGIC);
        bytes[2] = version;
        bytes[3..16].copy_from_slice(&keys);
        let keys = Keys::of_header(&bytes);
        let start = [
            0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83, //
            9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86_u8,
        ];
        for index in 0..32 {
            let slot = if version >= 12 { (usize::from(keys.piece) + index + 1) % 32 } else { index };
            bytes[16 + index] = start[slot].wrapping_add(keys.piece);
        }
        bytes[51] = 1;
        bytes[304..308].copy_from_slice(&[3, b'R', b'e', b'd']);
        let mut plain = Vec::new();
        let flag = |next: bool, comment: bool| {
            let high = if keys.has_flags { 0x80 } else { 0xf0 };
            u8::from(next) * high + u8::from(comment && keys.has_flags) * 0x20
        };
        let mut record = |from: u8, to: u8, next: bool, comment: &str| {
            plain.extend([from.wrapping_add(keys.from), to.wrapping_add(keys.to), flag(next, !comment.is_empty()), 0]);
            if !keys.has_flags || !comment.is_empty() {
                plain.extend((comment.len() as u32 + keys.comment).to_le_bytes());
                plain.extend(comment.bytes());
            }
        };
        record(0x18, 0x20, true, "");
        record(0x18 + 72, 0x20 + 42, true, "usual");
        record(0x18 + 79, 0x20 + 67, false, "");
        bytes.extend(plain.iter().enumerate().map(|(index, byte)| byte.wrapping_add(keys.mask[index % 32])));
        bytes
    }

    const KEYS: [u8; 13] = [0x5a, 1, 2, 3, 4, 0x11, 0x82, 0x43, 0x0f, 201, 17, 99, 43];

    #[test]
    fn all_versions_give_the_same_game() {
        for version in [1, 10, 11, 12, 18] {
            let game = parse(&file(version, KEYS)).unwrap();
            let moves: Vec<&str> = game.moves.iter().map(|mv| &*mv.text).collect();
            assert_eq!(moves, ["h2e2", "h9g7"], "version {version}");
            assert_eq!(game.moves[0].comment.as_deref(), Some("usual"));
            let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
            let tags = [("Red", "Red"), ("Result", "1-0"), ("FEN", fen)];
            assert_eq!(game.tags, tags.map(|(name, value)| (name, value.to_owned())), "version {version}");
        }
    }

    #[test]
    fn no_cut_and_no_damage_makes_the_reader_fail() {
        let whole = file(18, KEYS);
        for length in 0..whole.len() {
            assert!(parse(&whole[..length]).is_err(), "cut to {length} bytes");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xff;
            let _ = parse(&damaged);
        }
    }
}
