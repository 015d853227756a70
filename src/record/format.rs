//! Formats of game records, told by content.
//!
//! A new format is a variant of [`Format`], a line in [`kind_of`], and a file in the folder `format`.

use super::source::Name;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A record of games.
    Games(Format),
    /// Something else, in words.
    Other(&'static str),
    /// A record of games in a format that cannot be read: its name, and why.
    Unsupported(&'static str, &'static str),
}

/// A format of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation: tags and moves as text.
    Pgn,
}

/// What the document is whose text begins with `head`.
pub fn kind_of_text(head: &[u8], name: &Name) -> Kind {
    if head.trim_ascii().is_empty() {
        return Kind::Other("an empty file");
    }
    if is_named_pgn(name) || looks_like_pgn(head) {
        return Kind::Games(Format::Pgn);
    }
    Kind::Other(if head.contains(&0) { "binary data" } else { "text without games" })
}

fn is_named_pgn(name: &Name) -> bool {
    name.bare.len() >= 4 && name.bare.as_bytes()[name.bare.len() - 4..].eq_ignore_ascii_case(b".pgn")
}

/// Whether a line is a tag, or one of the first words is a move.
fn looks_like_pgn(head: &[u8]) -> bool {
    head.split(|byte| matches!(byte, b'\n' | b'\r')).any(is_tag_line)
        || String::from_utf8_lossy(&head[..head.len().min(1024)]).split_whitespace().take(40).any(looks_like_move)
}

/// `[Name "…`
fn is_tag_line(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii().strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// A move in ICCS, WXF or Chinese notation, by its outer form.
fn looks_like_move(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
    if word.contains(['進', '进', '退', '平']) {
        return word.chars().count() == 4;
    }
    let is_file = |byte: u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'i');
    match *word.as_bytes() {
        [a, b, c, d] if is_file(a) && is_file(c) => b.is_ascii_digit() && d.is_ascii_digit(),
        [a, b, b'-', c, d] if is_file(a) && is_file(c) => b.is_ascii_digit() && d.is_ascii_digit(),
        [a, _, sign, d] => a.is_ascii_alphabetic() && matches!(sign, b'.' | b'+' | b'-') && d.is_ascii_digit(),
        _ => false,
    }
}
