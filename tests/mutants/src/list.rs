//! The list of mutants as cargo-mutants states it.

use std::ops::Range;

use serde::Deserialize;

/// One change of one place.
#[derive(Deserialize)]
pub struct Mutant {
    /// The number by which the environment chooses it, from 0 on: its place in the list.
    #[serde(default)]
    pub number: usize,
    /// Whether it stays out of the files, as an error of the compiler named it.
    #[serde(default)]
    pub skip: bool,
    pub file: String,
    pub genre: Genre,
    pub replacement: String,
    span: Span,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

#[derive(Deserialize)]
struct Span {
    start: Place,
    end: Place,
}

/// A line and a character in it, both from 1 on.
#[derive(Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Mutant {
    /// The bytes of `text` that it changes; `starts` has the first byte of each line.
    pub fn bytes(&self, text: &str, starts: &[usize]) -> Range<usize> {
        let byte = |place: &Place| {
            let line = &text[starts[place.line - 1]..];
            let before: usize = line.chars().take(place.column - 1).map(char::len_utf8).sum();
            starts[place.line - 1] + before
        };
        byte(&self.span.start)..byte(&self.span.end)
    }
}

/// The first byte of each line of `text`.
pub fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}
