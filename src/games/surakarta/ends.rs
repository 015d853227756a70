//! The settable rules that end a game by a count of the pieces.

use std::fmt;
use std::str::FromStr;

use crate::games::rows::number_of;

/// The rules by which pieces are counted before one side has none. Tournaments differ, so they can be set, and a position's
/// text tells those that are not the usual ones.
///
/// Read and written as `quiet=80,plies=300,repetitions=2`: what is not named is as usual, and 0 switches a rule off. One of the
/// rules about plies must stand, as games that only repetition ends have no length that anybody could wait for.
///
/// ```
/// use roughboard::games::surakarta::EndRules;
/// let rules: EndRules = "quiet=80,repetitions=0".parse().unwrap();
/// assert_eq!((rules.quiet_plies, rules.max_plies, rules.repetitions), (80, 400, 0));
/// assert_eq!(rules.to_string(), "quiet=80,repetitions=0");
/// assert!("quiet=0,plies=0".parse::<EndRules>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndRules {
    /// Plies without a capture after which the pieces are counted, at most 10000; 0 for no such rule.
    pub quiet_plies: u16,
    /// Plies after which the pieces are counted, those before a set-up not included, at most 100000; 0 for no such rule.
    pub max_plies: u32,
    /// How often a position has to occur for the pieces to be counted, 2 to 100; 0 for no such rule.
    pub repetitions: u16,
}

/// The usual rules: 50 plies without a capture, 400 plies in all, the third occurrence of a position.
impl Default for EndRules {
    fn default() -> Self {
        Self { quiet_plies: 50, max_plies: 400, repetitions: 3 }
    }
}

/// Why rules cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndRulesError {
    /// The text of a rule names none.
    #[error("expected a rule of the end, {EXPECTED}, found `{0}`")]
    Unknown(String),
    /// A rule's number is out of its range or none.
    #[error("`{key}` must be {range}, got `{found}`")]
    Number {
        /// The rule.
        key: &'static str,
        /// The numbers that it may have.
        range: &'static str,
        /// What was found.
        found: String,
    },
    /// A rule is set twice.
    #[error("expected `{0}` once, found it twice")]
    Twice(&'static str),
    /// No rule bounds the length of games.
    #[error("one of `quiet` and `plies` must not be 0, or games need not end")]
    Unbounded,
}

/// The rules as they can be set.
pub(super) const EXPECTED: &str = "`quiet=PLIES`, `plies=PLIES` or `repetitions=TIMES`";

/// One of the rules: its name, the numbers it may have, and where they are kept.
struct Rule {
    key: &'static str,
    range: &'static str,
    valid: fn(u32) -> bool,
    get: fn(&EndRules) -> u32,
    set: fn(&mut EndRules, u32),
}

/// In the order in which they are written.
const RULES: [Rule; 3] = [
    Rule {
        key: "quiet",
        range: "a number of plies in [0, 10000]",
        valid: |plies| plies <= 10_000,
        get: |rules| u32::from(rules.quiet_plies),
        set: |rules, plies| rules.quiet_plies = plies as u16,
    },
    Rule {
        key: "plies",
        range: "a number in [0, 100000]",
        valid: |plies| plies <= 100_000,
        get: |rules| rules.max_plies,
        set: |rules, plies| rules.max_plies = plies,
    },
    Rule {
        key: "repetitions",
        range: "0 or a number in [2, 100]",
        valid: |times| times == 0 || (2..=100).contains(&times),
        get: |rules| u32::from(rules.repetitions),
        set: |rules, times| rules.repetitions = times as u16,
    },
];

impl EndRules {
    /// Checks the ranges, and that games end.
    ///
    /// # Errors
    /// With the first rule that is out of range, or when neither rule about plies stands.
    pub fn check(&self) -> Result<(), EndRulesError> {
        match RULES.iter().find(|rule| !(rule.valid)((rule.get)(self))) {
            Some(rule) => Err(rule.wrong(&(rule.get)(self).to_string())),
            None if self.quiet_plies == 0 && self.max_plies == 0 => Err(EndRulesError::Unbounded),
            None => Ok(()),
        }
    }

    /// The rules that differ from the usual ones, as `quiet=80`.
    pub(super) fn unusual(&self) -> impl Iterator<Item = String> + '_ {
        let usual = Self::default();
        let unusual = RULES.iter().filter(move |rule| (rule.get)(self) != (rule.get)(&usual));
        unusual.map(|rule| format!("{}={}", rule.key, (rule.get)(self)))
    }
}

impl Rule {
    fn wrong(&self, found: &str) -> EndRulesError {
        EndRulesError::Number { key: self.key, range: self.range, found: found.to_owned() }
    }
}

/// Rules that are read one by one.
#[derive(Default)]
pub(super) struct Reading {
    rules: EndRules,
    seen: Vec<&'static str>,
}

impl Reading {
    /// Reads one rule, such as `quiet=80`.
    pub(super) fn read(&mut self, text: &str) -> Result<(), EndRulesError> {
        let unknown = || EndRulesError::Unknown(text.to_owned());
        let (key, number) = text.split_once('=').ok_or_else(unknown)?;
        let rule = RULES.iter().find(|rule| rule.key == key).ok_or_else(unknown)?;
        if self.seen.contains(&rule.key) {
            return Err(EndRulesError::Twice(rule.key));
        }
        self.seen.push(rule.key);
        let valid = number_of(number).filter(|&number| (rule.valid)(number));
        (rule.set)(&mut self.rules, valid.ok_or_else(|| rule.wrong(number))?);
        Ok(())
    }

    /// All that were read, and the usual ones beside them.
    pub(super) fn finish(self) -> Result<EndRules, EndRulesError> {
        self.rules.check().map(|()| self.rules)
    }
}

impl FromStr for EndRules {
    type Err = EndRulesError;

    /// Reads rules with commas between them; nothing at all stands for the usual ones.
    fn from_str(text: &str) -> Result<Self, EndRulesError> {
        let mut reading = Reading::default();
        let rules = text.split(',').map(str::trim).filter(|_| !text.trim().is_empty());
        rules.into_iter().try_for_each(|rule| reading.read(rule))?;
        reading.finish()
    }
}

impl fmt::Display for EndRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.unusual().collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_they_are_read() {
        for text in ["", "quiet=80"] {
            assert_eq!(text.parse::<EndRules>().unwrap().to_string(), text);
        }
    }
}
