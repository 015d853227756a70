//! Lines from a stream that nobody vouches for.

use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The longest line, in bytes, that is read: a game of a hundred thousand moves.
pub(super) const MAX_LINE: usize = 1 << 19;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// The text, without its end; bytes that are not UTF-8 are replaced.
    Text(String),
    /// More than [`MAX_LINE`] bytes, which were skipped.
    TooLong,
}

/// The lines of a stream, up to its end or to an error, which counts as its end.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
}

impl<R: Read> Lines<R> {
    pub fn of(stream: R) -> Self {
        Self { reader: BufReader::new(stream) }
    }

    /// The bytes of the next line as far as [`MAX_LINE`] and one more, and whether there were any.
    fn next_bytes(&mut self, kept: &mut Vec<u8>) -> bool {
        let mut any = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok([]) => return any,
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return any,
            };
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            kept.extend_from_slice(&part[..part.len().min(MAX_LINE + 1 - kept.len())]);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return true;
            }
        }
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let mut bytes = Vec::new();
        if !self.next_bytes(&mut bytes) {
            return None;
        }
        if bytes.len() > MAX_LINE {
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
