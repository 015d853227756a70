//! Lines from a stream that nobody vouches for.

use std::io::{BufRead, BufReader, Read};

/// The longest line, in bytes, that is read: a game of a hundred thousand moves.
pub(super) const MAX_LINE: usize = 1 << 19;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// The text, without its end; bytes that are not UTF-8 are replaced.
    Text(String),
    /// More than [`MAX_LINE`] bytes, which are skipped.
    TooLong,
}

/// The lines of a stream, up to its end or to an error, which counts as its end.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    /// Whether the rest of a line that was too long comes next.
    is_within: bool,
}

impl<R: Read> Lines<R> {
    pub fn of(stream: R) -> Self {
        Self { reader: BufReader::new(stream), is_within: false }
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if std::mem::take(&mut self.is_within) {
            // Not before it was told that the line is too long: it may have no end.
            let _ = self.reader.skip_until(b'\n');
        }
        let (most, mut bytes) = (MAX_LINE as u64 + 1, Vec::new());
        // An error counts as the end; what came before it is a line.
        let _ = self.reader.by_ref().take(most).read_until(b'\n', &mut bytes);
        if bytes.is_empty() {
            return None;
        }
        if bytes.pop_if(|byte| *byte == b'\n').is_none() && bytes.len() > MAX_LINE {
            self.is_within = true;
            return Some(Line::TooLong);
        }
        Some(Line::Text(String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_kind_are_read() {
        let mut bytes = b"uci\r\n\nsto\xFFp\n".to_vec();
        bytes.extend(vec![b'x'; MAX_LINE]);
        bytes.push(b'\n');
        bytes.extend(vec![b'x'; 3 * MAX_LINE]);
        bytes.extend(b"\nquit");
        let lines: Vec<Line> = Lines::of(&bytes[..]).collect();
        let text = |text: &str| Line::Text(text.to_owned());
        let expected =
            [text("uci"), text(""), text("sto\u{FFFD}p"), text(&"x".repeat(MAX_LINE)), Line::TooLong, text("quit")];
        assert!(lines == expected, "{} lines", lines.len());
    }
}
