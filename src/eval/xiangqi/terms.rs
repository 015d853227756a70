//! The terms of the traditional evaluator, and sets of them by name.

use std::fmt;
use std::str::FromStr;

/// One term of the traditional evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// e1: the fixed value of each piece.
    Material,
    /// e2: the value of the point that a piece stands on.
    Position,
    /// e3: points that pieces could go to.
    Mobility,
    /// e4: pieces that work together or hold others down.
    Coordination,
    /// e5: what weighs on the king.
    King,
    /// e4 too (S3 names coordination and restraint together): pieces attacked and protected.
    Threats,
}

impl Term {
    /// Every term, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Material, Self::Position, Self::Mobility, Self::Coordination, Self::King, Self::Threats];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        ["material", "position", "mobility", "coordination", "king", "threats"][self as usize]
    }
}

/// Which terms an evaluator adds up.
///
/// ```
/// use roughboard::eval::xiangqi::{Term, Terms};
/// let terms: Terms = "e1+e2+mobility".parse().unwrap();
/// assert_eq!(terms.to_string(), "material+position+mobility");
/// assert_eq!("all-threats".parse::<Terms>().unwrap(), Terms::ALL.without(Term::Threats));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms(u8);

impl Terms {
    /// No term: every position is worth 0.
    pub const NONE: Self = Self(0);
    /// All terms.
    pub const ALL: Self = Self((1 << Term::ALL.len()) - 1);

    /// These terms.
    pub fn of(terms: &[Term]) -> Self {
        terms.iter().fold(Self::NONE, |set, &term| set.with(term))
    }

    /// Whether `term` is among them.
    pub const fn has(self, term: Term) -> bool {
        self.0 >> term as u8 & 1 == 1
    }

    /// These terms and `term`.
    #[must_use]
    pub const fn with(self, term: Term) -> Self {
        Self(self.0 | 1 << term as u8)
    }

    /// These terms but `term`.
    #[must_use]
    pub const fn without(self, term: Term) -> Self {
        Self(self.0 & !(1 << term as u8))
    }

    /// Whether any of them depends on where pieces can go.
    #[inline(always)]
    pub(super) const fn look_at_reaches(self) -> bool {
        self.0 & !(1 << Term::Material as u8 | 1 << Term::Position as u8) != 0
    }

    /// The terms, in the order of [`Term::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Term> {
        Term::ALL.into_iter().filter(move |&term| self.has(term))
    }

    /// What one word of a list of terms stands for.
    fn of_word(word: &str) -> Option<Self> {
        let term = Term::ALL.into_iter().find(|term| term.name() == word);
        Some(match word {
            "all" => Self::ALL,
            "e1" => Self::of(&[Term::Material]),
            "e2" => Self::of(&[Term::Position]),
            "e3" => Self::of(&[Term::Mobility]),
            "e4" => Self::of(&[Term::Coordination, Term::Threats]),
            "e5" => Self::of(&[Term::King]),
            _ => Self::of(&[term?]),
        })
    }
}

/// Why a text is no list of terms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// A word that names no term.
    #[error("unknown term `{word}` in `{text}`: expected {KNOWN}, joined by + and -")]
    Unknown {
        /// The word.
        word: String,
        /// The whole list.
        text: String,
    },
    /// Nothing is left to add up.
    #[error("`{text}` leaves no term: expected at least one of {KNOWN}")]
    Empty {
        /// The whole list.
        text: String,
    },
}

const KNOWN: &str =
    "`material` (e1), `position` (e2), `mobility` (e3), `coordination` and `threats` (e4), `king` (e5), `all`";

impl FromStr for Terms {
    type Err = TermsError;

    /// Reads names joined by `+`, or by `-` for terms taken out again, from left to right.
    fn from_str(text: &str) -> Result<Self, TermsError> {
        let mut terms = Self::NONE;
        for (at, _) in text.match_indices(['+', '-']).chain([(text.len(), "")]) {
            let start = text[..at].rfind(['+', '-']).map_or(0, |before| before + 1);
            let word = &text[start..at];
            let unknown = || TermsError::Unknown { word: word.to_owned(), text: text.to_owned() };
            let named = Self::of_word(word).ok_or_else(unknown)?;
            let is_taken_out = start > 0 && text.as_bytes()[start - 1] == b'-';
            terms.0 = if is_taken_out { terms.0 & !named.0 } else { terms.0 | named.0 };
        }
        if terms == Self::NONE {
            return Err(TermsError::Empty { text: text.to_owned() });
        }
        Ok(terms)
    }
}

/// The names of the terms, joined by `+`; `all` for all of them.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.write_str("all");
        }
        let names: Vec<&str> = self.iter().map(Term::name).collect();
        f.write_str(&names.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_reads_as_it_is_written() {
        for bits in 1..=Terms::ALL.0 {
            assert_eq!(Terms(bits).to_string().parse(), Ok(Terms(bits)));
        }
        assert_eq!("e1+e2+e3+e4+e5".parse(), Ok(Terms::ALL));
        assert_eq!("all-e4-king".parse::<Terms>().unwrap().to_string(), "material+position+mobility");
    }

    #[test]
    fn what_is_no_list_of_terms_is_refused() {
        for bad in ["", "e6", "material+", "-king", "material,king", "all--king"] {
            let error = bad.parse::<Terms>().unwrap_err().to_string();
            assert!(error.contains("`material` (e1)") && error.contains(&format!("`{bad}`")), "{error}");
        }
        assert!(matches!("king-e5".parse::<Terms>(), Err(TermsError::Empty { .. })));
    }
}
