//! The values of the static evaluation, as a text that users may edit.

use std::collections::HashMap;

use crate::games::connect6::{N_PATTERNS, Pattern, SIX};

/// The largest value that a text may state, either way: sums of any board stay within 64 bits.
const LARGEST: i32 = 1_000_000;

/// The text of the values that are built in, to be copied and edited.
pub const fn default_values_text() -> &'static str {
    include_str!("values.txt")
}

/// The text of values set by hand, as S2 and other programs have them.
pub const fn handset_values_text() -> &'static str {
    include_str!("values-handset.txt")
}

/// The values of the static evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The weight of the patterns.
    pub a: i32,
    /// The weight of the segments.
    pub b: i32,
    /// What a stretch is worth to its side, in the order of [`Pattern::ALL`].
    pub patterns: [i32; N_PATTERNS],
    /// What a segment is worth to the only side that has stones there, by their number: 1 to 6.
    pub segments: [i32; SIX],
    /// What it is worth to the side to move to have a second stone yet to place in this turn.
    pub stone: i32,
}

/// Why a text does not state the values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError {
    /// A line is neither empty nor a comment nor a value.
    #[error("line {line}: expected {expected}, found `{found}`")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What belongs there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A value is stated twice.
    #[error("line {line}: expected each name once, found `{name}` again after line {first}")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
        /// The line that states it first.
        first: usize,
    },
    /// A value is not stated.
    #[error("expected a line `{name} = VALUE`, found none")]
    Missing {
        /// The name.
        name: String,
    },
}

/// The values that are built in.
impl Default for Values {
    #[allow(clippy::expect_used, reason = "a test reads the text that is built in")]
    fn default() -> Self {
        Self::parse(default_values_text()).expect("the text that is built in states every value")
    }
}

impl Values {
    /// Reads a text such as [`default_values_text`].
    ///
    /// # Errors
    /// When a line is not `NAME = VALUE` with a known name and a whole number within ±1,000,000, or a name is missing or there
    /// twice.
    pub fn parse(text: &str) -> Result<Self, ValuesError> {
        let stated = stated_values(text)?;
        let value = |name: &str| {
            let value = stated.get(name).map(|&(_, value)| value);
            value.ok_or_else(|| ValuesError::Missing { name: name.to_owned() })
        };
        let (mut patterns, mut segments) = ([0; N_PATTERNS], [0; SIX]);
        for (worth, pattern) in patterns.iter_mut().zip(Pattern::ALL) {
            *worth = value(pattern.name())?;
        }
        for (worth, name) in segments.iter_mut().zip(SEGMENTS) {
            *worth = value(name)?;
        }
        Ok(Self { a: value("A")?, b: value("B")?, patterns, segments, stone: value("stone")? })
    }
}

/// The names of the values of segments with 1 to 6 stones.
const SEGMENTS: [&str; SIX] = ["segment1", "segment2", "segment3", "segment4", "segment5", "segment6"];

/// The values that a text states, by name, with their lines.
fn stated_values(text: &str) -> Result<HashMap<&str, (usize, i32)>, ValuesError> {
    let mut stated = HashMap::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let (name, value) = stated_value(line, content)?;
        if let Some((first, _)) = stated.insert(name, (line, value)) {
            return Err(ValuesError::Twice { line, name: name.to_owned(), first });
        }
    }
    Ok(stated)
}

fn stated_value(line: usize, content: &str) -> Result<(&str, i32), ValuesError> {
    let wrong = |expected: String, found: &str| ValuesError::Line { line, expected, found: found.to_owned() };
    let (name, value) = content.split_once('=').ok_or_else(|| wrong("`NAME = VALUE`".to_owned(), content))?;
    let (name, value) = (name.trim(), value.trim());
    if !names().any(|known| known == name) {
        return Err(wrong(format!("one of {}", names().collect::<Vec<_>>().join(", ")), name));
    }
    let number = value.parse().ok().filter(|value| (-LARGEST..=LARGEST).contains(value));
    let number = number.ok_or_else(|| wrong(format!("a whole number from -{LARGEST} to {LARGEST}"), value))?;
    Ok((name, number))
}

/// Every name that a text must state.
fn names() -> impl Iterator<Item = &'static str> {
    let patterns = Pattern::ALL.into_iter().map(Pattern::name);
    ["A", "B"].into_iter().chain(patterns).chain(SEGMENTS).chain(["stone"])
}
