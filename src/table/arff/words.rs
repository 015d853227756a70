//! The words of a line of ARFF.

use std::borrow::Cow;

use super::{TableError, fault, shown};

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Word<'t> {
    /// A value or a name, without its quotes.
    Value(Cow<'t, str>),
    Comma,
    Open,
    Close,
}

/// The words of a line, one after another; without its comment.
pub(crate) struct Words<'t> {
    rest: &'t str,
    pub line: usize,
}

impl<'t> Words<'t> {
    pub const fn of(text: &'t str, line: usize) -> Self {
        Self { rest: text, line }
    }

    /// The next word; none at the end.
    pub fn next(&mut self) -> Result<Option<Word<'t>>, TableError> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let sign = match first {
            '%' => return Ok(None),
            '\'' | '"' => return self.quoted(first).map(Some),
            ',' => Word::Comma,
            '{' => Word::Open,
            '}' => Word::Close,
            _ => return self.bare().map(Some),
        };
        self.rest = &self.rest[1..];
        Ok(Some(sign))
    }

    /// A word without quotes.
    fn bare(&mut self) -> Result<Word<'t>, TableError> {
        let end = self.rest.find(ends_word).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.contains('%') {
            let what = "has a percent sign, which begins a comment: write the value in quotes";
            return Err(fault(self.line, format_args!("`{}` {what}", shown(word))));
        }
        self.rest = rest;
        Ok(Word::Value(Cow::Borrowed(word)))
    }

    /// A word in quotes, in which a backslash stands before what would mean something else.
    fn quoted(&mut self, quote: char) -> Result<Word<'t>, TableError> {
        let inside = &self.rest[1..];
        let (mut end, mut is_escaped) = (None, false);
        for (at, character) in inside.char_indices() {
            if character == quote && !is_escaped {
                end = Some(at);
                break;
            }
            is_escaped = character == '\\' && !is_escaped;
        }
        let end = end.ok_or(TableError::OpenQuote { line: self.line })?;
        let (text, rest) = (&inside[..end], &inside[end + 1..]);
        if !rest.is_empty() && !rest.starts_with(ends_word) {
            let word = &self.rest[..self.rest.find(ends_word).unwrap_or(self.rest.len())];
            return Err(fault(self.line, format_args!("`{}` goes on behind its quotes", shown(word))));
        }
        self.rest = rest;
        Ok(Word::Value(if text.contains('\\') { Cow::Owned(unescaped(text)) } else { Cow::Borrowed(text) }))
    }
}

/// Whether a character ends a word that is not in quotes.
fn ends_word(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '{' | '}')
}

/// A text whose characters behind backslashes stand for others: line ends, tabs, or themselves.
fn unescaped(text: &str) -> String {
    let (mut plain, mut characters) = (String::new(), text.chars());
    while let Some(character) = characters.next() {
        plain.extend(match character {
            '\\' => characters.next().map(|escaped| match escaped {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                itself => itself,
            }),
            itself => Some(itself),
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_falls_into_words() {
        let mut words = Words::of("a{'b \\'c\\\\', \"d\\te\"} % rest", 1);
        let value = |text: &str| Word::Value(Cow::Owned(text.to_owned()));
        for expected in [value("a"), Word::Open, value("b 'c\\"), Word::Comma, value("d\te"), Word::Close] {
            assert_eq!(words.next().unwrap(), Some(expected));
        }
        assert_eq!(words.next().unwrap(), None);
    }
}
