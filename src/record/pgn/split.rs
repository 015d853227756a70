//! Cuts a stream of PGN into the texts of single games, without holding more than one of them.

use std::borrow::Cow;
use std::io::{self, BufRead};

use memchr::memchr3;

use super::Flawed;
use super::parse::{ends_in_result, lines_in};
use crate::record::account::Flaw;

/// The longest text that is taken for a game, in bytes. A game of 300 moves with a remark on each has some 30,000.
pub const LONGEST: usize = 1 << 20;

/// The text of a game (of several, where tags are missing between them).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The line of the stream in which the text begins, from 1.
    pub line: u64,
    /// The text, or why there is none.
    pub text: Result<String, Flawed>,
}

/// Finds where games begin.
///
/// A game begins at a tag after moves, or at a tag section that starts over after a blank line. Inside a comment
/// nothing begins, unless a tag after a blank line, or the tag with which the game began, shows that the comment was never
/// closed: so one broken game does not swallow those after it.
pub(crate) struct Splitter<R> {
    input: R,
    /// Lines read so far.
    pub line: u64,
    /// The line that was read last.
    text: Vec<u8>,
    /// Whether that line belongs to the next game.
    ahead: bool,
    /// What ends a line: a line feed, or in files of old Macs a carriage return.
    newline: Option<u8>,
}

impl<R: BufRead> Splitter<R> {
    /// Splits what `input` gives.
    pub const fn new(input: R) -> Self {
        Self { input, line: 0, text: Vec::new(), ahead: false, newline: None }
    }

    /// The text of the next game; `None` at the end.
    pub(crate) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut game = Growing::default();
        while self.ahead || self.read_line()? {
            if game.begins_anew_at(&self.text) {
                self.ahead = true;
                return Ok(Some(game.finish()));
            }
            self.ahead = false;
            game.add(&self.text, self.line);
        }
        Ok((game.first_line > 0).then(|| game.finish()))
    }

    /// Reads a line, which always ends in a line feed, unless it is the last. Whether there was one.
    fn read_line(&mut self) -> io::Result<bool> {
        let newline = match self.newline {
            Some(newline) => newline,
            None => *self.newline.insert(newline_of(self.input.fill_buf()?)),
        };
        self.text.clear();
        // A line beyond all bounds is cut; its game is dropped as too long.
        if !read_until(&mut self.input, newline, LONGEST + 1, &mut self.text)? {
            return Ok(false);
        }
        if let Some(last) = self.text.last_mut().filter(|last| **last == newline) {
            *last = b'\n';
        }
        self.line += 1;
        if self.line == 1 && self.text.starts_with(b"\xef\xbb\xbf") {
            self.text.drain(..3);
        }
        Ok(true)
    }
}

/// What ends the lines of a text that begins with `head`.
fn newline_of(head: &[u8]) -> u8 {
    if head.contains(&b'\r') && !head.contains(&b'\n') { b'\r' } else { b'\n' }
}

/// Appends what `input` has up to and with `stop` to `text`, as far as `text` stays within `most` bytes. Whether there
/// was anything.
pub fn read_until(input: &mut impl BufRead, stop: u8, most: usize, text: &mut Vec<u8>) -> io::Result<bool> {
    read_through(input, |byte| byte == stop, most, text)
}

/// As [`read_until`], up to and with the first byte that `stops`, which sees every byte once and in order.
pub fn read_through(
    input: &mut impl BufRead,
    mut stops: impl FnMut(u8) -> bool,
    most: usize,
    text: &mut Vec<u8>,
) -> io::Result<bool> {
    let mut found = false;
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(found);
        }
        found = true;
        let end = available.iter().position(|&byte| stops(byte));
        let length = end.map_or(available.len(), |at| at + 1);
        let room = most.saturating_sub(text.len());
        text.extend_from_slice(&available[..length.min(room)]);
        input.consume(length);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// The game that is being put together.
#[derive(Default)]
struct Growing {
    text: Vec<u8>,
    first_line: u64,
    first_tag: Vec<u8>,
    has_moves: bool,
    in_comment: bool,
    after_blank: bool,
    after_result: bool,
}

impl Growing {
    fn begins_anew_at(&self, line: &[u8]) -> bool {
        let Some((name, _)) = tag_in(line) else { return false };
        if self.in_comment {
            return (self.after_blank || name == self.first_tag) && line.contains(&b'"');
        }
        // What is no tag may also stand among tags, by mistake: then neither a blank line nor a result comes before the next tag.
        let is_apart = self.after_blank || self.after_result;
        (self.has_moves && is_apart) || ((self.has_moves || self.after_blank) && name == self.first_tag)
    }

    fn add(&mut self, line: &[u8], number: u64) {
        let blank = line.trim_ascii().is_empty();
        if self.first_line == 0 {
            if blank {
                return;
            }
            self.first_line = number;
        }
        // The parser steps over lines that begin with `%`, but for those of a comment.
        if self.in_comment || !line.starts_with(b"%") {
            self.heed(line, blank);
        }
        if self.text.len() <= LONGEST {
            self.text.extend_from_slice(line);
        }
    }

    /// Notes what a line says of where the next game begins.
    fn heed(&mut self, line: &[u8], blank: bool) {
        let tag = tag_in(line).filter(|_| !self.in_comment);
        if let Some((name, _)) = tag {
            if self.first_tag.is_empty() {
                self.first_tag = name.to_vec();
            }
        } else if !blank {
            let (words, in_comment) = outside_comments(line, self.in_comment);
            let is_flawed_tag = !self.has_moves && !self.in_comment && words.starts_with(b"[");
            if !words.is_empty() {
                self.has_moves |= !is_flawed_tag;
                self.after_result = std::str::from_utf8(&words).is_ok_and(ends_in_result);
            }
            self.in_comment = in_comment;
        }
        self.after_blank = blank;
    }

    fn finish(self) -> Chunk {
        Chunk::new(self.first_line, self.text)
    }
}

impl Chunk {
    /// The game whose text is `text` and begins in the line `line`.
    pub fn new(line: u64, text: Vec<u8>) -> Self {
        Self::within(LONGEST, line, text)
    }

    /// As [`Chunk::new`], of a text that may have `limit` bytes.
    pub fn within(limit: usize, line: u64, text: Vec<u8>) -> Self {
        if text.len() > limit {
            return Self { line, text: Err((line, Flaw::TooLong(limit))) };
        }
        let text = String::from_utf8(text).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            (line + lines_in(&bytes[..at]), Flaw::Encoding(bytes[at]))
        });
        Self { line, text }
    }
}

/// The name in a line such as `[Event "…"]`, and what follows it.
pub(crate) fn tag_in(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.trim_ascii().strip_prefix(b"[")?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    (length > 0).then(|| rest.split_at(length))
}

/// What a line says outside comments, and whether a `{` comment is open at its end.
fn outside_comments(line: &[u8], mut inside: bool) -> (Cow<'_, [u8]>, bool) {
    if !inside && memchr3(b'{', b'}', b';', line).is_none() {
        return (line.trim_ascii().into(), false);
    }
    let mut words = Vec::new();
    for &byte in line {
        match byte {
            b'{' => inside = true,
            b'}' => inside = false,
            b';' if !inside => break,
            _ if !inside => words.push(byte),
            _ => {}
        }
    }
    (words.trim_ascii().to_vec().into(), inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<Chunk> {
        let mut splitter = Splitter::new(text);
        std::iter::from_fn(|| splitter.next_chunk().unwrap()).collect()
    }

    #[test]
    fn carriage_returns_alone_end_lines() {
        let chunks = split(b"[A \"1\"]\r\ra1 ; b\rc3 *\r\r[A \"2\"]\r\ra1 *\r");
        assert_eq!(chunks[0].text.as_deref(), Ok("[A \"1\"]\n\na1 ; b\nc3 *\n\n"));
        assert_eq!(chunks[1].line, 6);
    }

    fn lines(text: &str) -> Vec<u64> {
        split(text.as_bytes()).iter().map(|chunk| chunk.line).collect()
    }

    #[test]
    fn games_begin_at_tags_after_moves() {
        assert_eq!(lines("\n[A \"1\"]\n[B \"2\"]\n\na1 b2\n\nc3 *\n\n[A \"1\"]\n\n*\n"), [2, 9]);
    }

    #[test]
    fn a_game_without_moves_is_not_merged_with_the_next() {
        assert_eq!(lines("[A \"1\"]\n[B \"2\"]\n\n[A \"1\"]\n[B \"2\"]\n\na1\n"), [1, 4]);
    }

    #[test]
    fn a_comment_may_hold_brackets_but_an_open_one_does_not_swallow_the_next_game() {
        assert_eq!(lines("[A \"1\"]\n\na1 {see\n[2] there} b2 *\n[A \"1\"]\n\na1\n"), [1, 5]);
        assert_eq!(lines("[A \"1\"]\n\na1 {never closed *\n\n[B \"1\"]\n\na1 *\n"), [1, 5]);
        assert_eq!(lines("[A \"1\"]\n\na1 {never closed *\n[A \"1\"]\n\na1 *\n"), [1, 4]);
    }

    #[test]
    fn what_is_no_tag_among_tags_does_not_cut_a_game() {
        for strange in ["; typed in", "{typed in}", "{typed\nin}", "[紅方 \"x\"]", "Source: book", "[Site Beijing]"] {
            let game = format!("[A \"1\"]\n{strange}\n[B \"2\"]\n\na1 *\n");
            let next = 1 + lines_in(&game);
            assert_eq!(lines(&format!("{game}[A \"3\"]\n\na1 *\n")), [1, next], "{strange}");
            assert_eq!(lines(&format!("{game}\n[B \"3\"]\n\na1 *\n")), [1, next + 1], "{strange}");
        }
        // Games may stand close together.
        assert_eq!(lines("[A \"1\"]\na1 1-0\n{said\nafterwards}\n[B \"1\"]\na1 *\n"), [1, 5]);
        assert_eq!(lines("[A \"1\"]\na1　和棋\n[B \"1\"]\na1 2.1:0\n[C \"1\"]\na1\n"), [1, 3, 5]);
        assert_eq!(lines("[A \"1\"]\na1 1-0\n[B \"1\"]\na1 *\n[C \"1\"]\na1\n"), [1, 3, 5]);
    }

    #[test]
    fn escaped_lines_change_nothing_outside_comments() {
        assert_eq!(lines("[A \"1\"]\n% note {\n[B \"2\"]\n\na1\n% note\n*\n[A \"1\"]\n\na1\n"), [1, 8]);
        assert_eq!(lines("[A \"1\"]\n[B \"2\"]\n\n% note\n[A \"1\"]\n\na1\n"), [1, 5]);
        assert_eq!(lines("% note\n\n[A \"1\"]\n\na1\n"), [1]);
        // A comment ends in such a line as in any other.
        assert_eq!(lines("[A \"1\"]\n\na1 {one\n% two}\nb2 *\n[B \"1\"]\n\na1\n"), [1, 6]);
    }

    #[test]
    fn foreign_encodings_and_endless_lines_cost_one_game() {
        let mut text = b"[A \"1\"]\n[B \"\xb3\"]\n\n*\n[A \"2\"]\n".to_vec();
        text.extend(b"x".repeat(LONGEST + 5));
        text.extend(b"\n\n[A \"3\"]\n");
        let chunks = split(&text);
        assert_eq!(chunks[0].text, Err((2, Flaw::Encoding(0xb3))));
        assert_eq!(chunks[1].text, Err((5, Flaw::TooLong(LONGEST))));
        assert_eq!(chunks[2].text.as_deref(), Ok("[A \"3\"]\n"));
    }
}
