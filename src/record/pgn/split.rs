//! Cuts a stream of PGN into the texts of single games, without holding more than one of them.

use std::io::{self, BufRead};

use super::Flawed;
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
pub struct Splitter<R> {
    input: R,
    /// Lines read so far.
    line: u64,
    /// A line that was read and belongs to the next game.
    ahead: Option<Vec<u8>>,
}

impl<R: BufRead> Splitter<R> {
    /// Splits what `input` gives.
    pub const fn new(input: R) -> Self {
        Self { input, line: 0, ahead: None }
    }

    /// Lines read so far.
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// The text of the next game; `None` at the end.
    pub fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut game = Growing::default();
        while let Some(line) = self.next_line()? {
            if game.begins_anew_at(&line) {
                self.ahead = Some(line);
                return Ok(Some(game.finish()));
            }
            game.add(&line, self.line);
        }
        Ok((game.first_line > 0).then(|| game.finish()))
    }

    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        let mut found = false;
        loop {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                break;
            }
            found = true;
            let newline = available.iter().position(|&byte| byte == b'\n');
            let length = newline.map_or(available.len(), |at| at + 1);
            // A line beyond all bounds is cut; its game is dropped as too long.
            let room = (LONGEST + 1).saturating_sub(line.len());
            line.extend_from_slice(&available[..length.min(room)]);
            self.input.consume(length);
            if newline.is_some() {
                break;
            }
        }
        if !found {
            return Ok(None);
        }
        self.line += 1;
        if self.line == 1 && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        Ok(Some(line))
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
}

impl Growing {
    fn begins_anew_at(&self, line: &[u8]) -> bool {
        let Some(name) = tag_name(line) else { return false };
        if self.in_comment {
            return (self.after_blank || name == self.first_tag) && line.contains(&b'"');
        }
        self.has_moves || (self.after_blank && name == self.first_tag)
    }

    fn add(&mut self, line: &[u8], number: u64) {
        let blank = line.trim_ascii().is_empty();
        if self.first_line == 0 {
            if blank {
                return;
            }
            self.first_line = number;
        }
        let name = tag_name(line).filter(|_| !self.in_comment);
        if let Some(name) = name {
            if self.first_tag.is_empty() {
                self.first_tag = name.to_vec();
            }
        } else if !blank {
            self.has_moves = true;
            self.in_comment = ends_in_comment(line, self.in_comment);
        }
        self.after_blank = blank;
        if self.text.len() <= LONGEST {
            self.text.extend_from_slice(line);
        }
    }

    fn finish(self) -> Chunk {
        let line = self.first_line;
        if self.text.len() > LONGEST {
            return Chunk { line, text: Err((line, Flaw::TooLong { limit: LONGEST })) };
        }
        let text = String::from_utf8(self.text).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let lines_before = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
            (line + lines_before, Flaw::Encoding { byte: bytes[at] })
        });
        Chunk { line, text }
    }
}

/// The name in a line such as `[Event "…"]`.
fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii().strip_prefix(b"[")?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    (length > 0).then(|| &rest[..length])
}

/// Whether a `{` comment is open at the end of a line of moves.
fn ends_in_comment(line: &[u8], mut inside: bool) -> bool {
    for &byte in line {
        match byte {
            b'{' => inside = true,
            b'}' => inside = false,
            b';' if !inside => return false,
            _ => {}
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &[u8]) -> Vec<Chunk> {
        let mut splitter = Splitter::new(text);
        std::iter::from_fn(|| splitter.next_chunk().unwrap()).collect()
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
    fn foreign_encodings_and_endless_lines_cost_one_game() {
        let mut text = b"[A \"1\"]\n[B \"\xb3\"]\n\n*\n[A \"2\"]\n".to_vec();
        text.extend(b"x".repeat(LONGEST + 5));
        text.extend(b"\n\n[A \"3\"]\n");
        let chunks = split(&text);
        assert_eq!(chunks[0].text, Err((2, Flaw::Encoding { byte: 0xb3 })));
        assert_eq!(chunks[1].text, Err((5, Flaw::TooLong { limit: LONGEST })));
        assert_eq!(chunks[2].text.as_deref(), Ok("[A \"3\"]\n"));
    }
}
