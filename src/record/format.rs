//! Formats of game records, told by content.
//!
//! A new format is a variant of [`Format`], a line in [`kind_of_text`], an arm in [`games`], and a file in the folder `format`.

mod board;
mod brackets;
mod ccga;
mod dhtmlxq;
mod sgf;
mod stones;
mod table;
mod xqf;

use std::io::BufRead;

use super::account::Flaw;
use super::pgn::{self, Flawed, RawGame};
use super::source::Name;

pub(crate) use brackets::Splitter as BracketSplitter;
pub(crate) use dhtmlxq::Splitter as DhtmlxqSplitter;
pub(crate) use table::Splitter as TableSplitter;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A record of games as text.
    Games(Format),
    /// A game in a file of XQStudio.
    Xqf,
    /// Something else, in words.
    Other(&'static str),
    /// A record of games in a format that cannot be read: its name, and why.
    Unsupported(&'static str, &'static str),
}

/// A format of game records that is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation: tags and moves as text.
    Pgn,
    /// The text form of the web viewer of dpxq.com.
    Dhtmlxq,
    /// Connect6 in the Smart Game Format.
    Sgf,
    /// Connect6 in the text of the Chinese computer game championships.
    Ccga,
    /// A table with a line a game.
    Table,
}

/// The most bytes of a file of XQStudio, and of a game in SGF or CCGA; the first two hold all variations of a game.
pub const LARGEST: usize = 4 << 20;

/// What the document is that begins with the bytes `head`, if they are not those of a text.
pub(crate) fn kind_of_bytes(head: &[u8]) -> Option<Kind> {
    const UNVERIFIED: &str = "its layout is known from a single program and could not be checked against files";
    if xqf::is_xqf(head) {
        Some(Kind::Xqf)
    } else if head.starts_with(b"CCBridge Record\0") {
        Some(Kind::Unsupported("a game of CCBridge (CBR)", UNVERIFIED))
    } else if head.starts_with(b"CCBridgeLibrary\0") {
        Some(Kind::Unsupported("a library of CCBridge (CBL)", UNVERIFIED))
    } else {
        None
    }
}

/// What the document is whose text begins with `head`. What is piped in has no name, and is meant to be games.
pub(crate) fn kind_of_text(head: &[u8], name: &Name) -> Kind {
    if head.is_empty() {
        return Kind::Other("an empty file");
    }
    type Test = fn(&[u8]) -> bool;
    let marked: [(Test, Format); 4] = [
        (sgf::is_sgf, Format::Sgf),
        (ccga::is_ccga, Format::Ccga),
        (table::is_table, Format::Table),
        (dhtmlxq::is_within, Format::Dhtmlxq),
    ];
    if let Some((_, format)) = marked.iter().find(|(is_one, _)| is_one(head)) {
        return Kind::Games(*format);
    }
    let ending = name.bare.len().checked_sub(4).map(|at| &name.bare.as_bytes()[at..]);
    let is_named = name.bare == "-" || ending.is_some_and(|ending| ending.eq_ignore_ascii_case(b".pgn"));
    if is_named || looks_like_pgn(head) {
        return Kind::Games(Format::Pgn);
    }
    Kind::Other(if head.contains(&0) { "binary data" } else { "text without games" })
}

/// Cuts a text of `format`, which is one whose games brackets close, into its games.
pub(crate) fn bracketed<R: BufRead>(format: Format, text: R) -> BracketSplitter<R> {
    BracketSplitter::new(text, if format == Format::Ccga { ccga::ends } else { sgf::ends })
}

/// The games in a text of `format`, whose first line has the number `line`.
pub fn games(format: Format, text: &str, line: u64) -> Vec<Result<RawGame<'_>, Flawed>> {
    match format {
        Format::Pgn => pgn::parse(text, line),
        Format::Dhtmlxq => vec![dhtmlxq::parse(text, line)],
        Format::Sgf => sgf::parse(text, line),
        Format::Ccga => ccga::parse(text, line),
        Format::Table => vec![table::parse(text, line)],
    }
}

/// The game in a file of XQStudio.
pub(crate) fn game_of_xqf(bytes: &[u8]) -> Result<RawGame<'_>, Flawed> {
    if bytes.len() > LARGEST { Err((1, Flaw::TooLong(LARGEST))) } else { xqf::parse(bytes) }
}

/// Whether a line is a tag, or one of the first words is a move.
fn looks_like_pgn(head: &[u8]) -> bool {
    head.split(|byte| matches!(byte, b'\n' | b'\r')).any(is_tag_line)
        || String::from_utf8_lossy(&head[..head.len().min(1024)]).split_whitespace().take(40).any(looks_like_move)
}

/// `[Name "…`
fn is_tag_line(line: &[u8]) -> bool {
    pgn::tag_in(line).is_some_and(|(_, rest)| rest.trim_ascii_start().starts_with(b"\""))
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
