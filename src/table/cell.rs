//! What cells of text spell: the kind of value that all cells of a column have, and what keeps a column from being
//! numbers.

use super::interval::Interval;
use super::reading::{DecimalMark, TextCause, Wanted};
use super::value::{Value, has_leading_zero, unsigned};

/// Texts that mean a missing value, as pandas and R read and write them.
pub const MISSING: [&str; 20] = [
    "", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan", "1.#QNAN",
    "-1.#QNAN", "1.#IND", "-1.#IND", "NULL", "null", "None",
];
/// Those of them that mean one also in a column that is to be text.
pub const MISSING_TEXT: [&str; 2] = ["", "?"];
/// Those of them that may be words like others.
pub const WORDS: [&str; 3] = ["NULL", "null", "None"];

/// A kind of value that a cell can spell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Integer,
    Real,
    Interval,
    Text,
}

impl Kind {
    /// The kind of a column of `cells`, none of which is missing; or the place of the first cell that is no number
    /// where numbers are wanted.
    pub fn of(cells: &[&str], wanted: Wanted, mark: DecimalMark) -> Result<Self, usize> {
        match wanted {
            Wanted::Number if Self::Integer.fits(cells, mark) => Ok(Self::Integer),
            Wanted::Number => match cells.iter().position(|cell| Self::Real.value(cell, mark).is_none()) {
                None => Ok(Self::Real),
                Some(at) => Err(at),
            },
            Wanted::Text => Ok(Self::Text),
            Wanted::Any | Wanted::Nothing => Ok(Self::told_by(cells, mark)),
        }
    }

    /// The first kind of value that all of `cells` spell. Numbers lose nothing: neither leading zeros, nor digits of
    /// whole numbers beyond 64 bits, so that different ones stay different.
    fn told_by(cells: &[&str], mark: DecimalMark) -> Self {
        let numbers: &[Self] = if cells.iter().any(|cell| has_leading_zero(cell)) {
            &[]
        } else if cells.iter().all(|cell| is_whole(cell)) {
            &[Self::Integer]
        } else {
            &[Self::Integer, Self::Real]
        };
        let kinds = [&[Self::Boolean], numbers, &[Self::Interval]].concat();
        kinds.into_iter().find(|kind| kind.fits(cells, mark)).unwrap_or(Self::Text)
    }

    fn fits(self, cells: &[&str], mark: DecimalMark) -> bool {
        cells.iter().all(|cell| self.value(cell, mark).is_some())
    }

    /// The value of this kind that `cell` spells.
    pub fn value(self, cell: &str, mark: DecimalMark) -> Option<Value> {
        match self {
            Self::Boolean => boolean(cell).map(Value::Boolean),
            Self::Integer => cell.parse().ok().map(Value::Integer),
            Self::Real => real(cell, mark).map(Value::Real),
            Self::Interval => Interval::parse(cell).map(Value::Interval),
            Self::Text => Some(Value::text(cell)),
        }
    }
}

fn boolean(cell: &str) -> Option<bool> {
    match cell {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

fn real(cell: &str, mark: DecimalMark) -> Option<f64> {
    let number = parsed(cell, mark)?;
    // Zeros of both signs are one number.
    (number.is_finite() || matches!(cell, "inf" | "-inf")).then_some(number + 0.0)
}

/// The number that a cell spells, infinite where it is beyond the reals of 64 bits.
fn parsed(cell: &str, mark: DecimalMark) -> Option<f64> {
    match mark {
        DecimalMark::Point => cell.parse().ok(),
        DecimalMark::Comma if cell.contains('.') => None,
        DecimalMark::Comma => cell.replacen(',', ".", 1).parse().ok(),
    }
}

fn is_whole(cell: &str) -> bool {
    unsigned(cell).bytes().all(|byte| byte.is_ascii_digit())
}

/// The first of the `cells` for which a column is text, though all or most of the cells are numbers of some form;
/// nothing where text is what they are.
pub fn cause_of_text(cells: &[&str], mark: DecimalMark) -> Option<(usize, TextCause)> {
    let causes: Vec<Option<TextCause>> = cells.iter().map(|cell| cause(cell, mark)).collect();
    let first = |of: &dyn Fn(TextCause) -> bool| {
        causes.iter().enumerate().find_map(|(at, cause)| cause.filter(|&c| of(c)).map(|cause| (at, cause)))
    };
    match first(&|cause| cause == TextCause::NotANumber) {
        None => first(&|_| true),
        found => {
            let n_numbers = causes.iter().filter(|cause| **cause != Some(TextCause::NotANumber)).count();
            found.filter(|_| 2 * n_numbers > cells.len())
        }
    }
}

/// Why a cell is no number that loses nothing; nothing if it is one.
fn cause(cell: &str, mark: DecimalMark) -> Option<TextCause> {
    let is_number = || parsed(cell, mark).is_some_and(|number| !number.is_nan()) && cell.contains(char::is_numeric);
    let is_integer = || cell.parse::<i64>().is_ok();
    if has_leading_zero(cell) && real(cell, mark).is_some() {
        Some(TextCause::LeadingZero)
    } else if is_integer() || real(cell, mark).is_some() && !is_whole(cell) {
        None
    } else if is_number() {
        Some(TextCause::TooLarge)
    } else if real(cell, mark.other()).is_some() {
        Some(TextCause::OtherMark(mark.other()))
    } else {
        Some(TextCause::NotANumber)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_comma_is_read_where_it_is_asked_for() {
        let cells = ["11,1", "-0,5", "7"];
        assert_eq!(Kind::of(&cells, Wanted::Any, DecimalMark::Point), Ok(Kind::Text));
        assert_eq!(Kind::of(&cells, Wanted::Any, DecimalMark::Comma), Ok(Kind::Real));
        assert_eq!(Kind::Real.value("11,1", DecimalMark::Comma), Some(Value::Real(11.1)));
        assert_eq!(Kind::of(&["1.5", "2"], Wanted::Any, DecimalMark::Comma), Ok(Kind::Text));
        assert_eq!(Kind::of(&["1,000,000"], Wanted::Number, DecimalMark::Comma), Err(0));
    }

    #[test]
    fn numbers_lose_nothing_unless_numbers_are_wanted() {
        let told = |cells: &[&str]| Kind::of(cells, Wanted::Any, DecimalMark::Point).unwrap();
        assert_eq!(told(&["00123", "123"]), Kind::Text);
        assert_eq!(told(&["-07"]), Kind::Text);
        assert_eq!(told(&["0", "-0", "10"]), Kind::Integer);
        assert_eq!(told(&["0.5", "0"]), Kind::Real);
        assert_eq!(told(&["1e309", "1"]), Kind::Text);
        let wanted = |cells: &[&str]| Kind::of(cells, Wanted::Number, DecimalMark::Point);
        assert_eq!(wanted(&["00123", "123"]), Ok(Kind::Integer));
        assert_eq!(wanted(&["99999999999999999999", "1"]), Ok(Kind::Real));
        assert_eq!(wanted(&["1", "1e309"]), Err(1));
        assert_eq!(Kind::of(&["1"], Wanted::Text, DecimalMark::Point), Ok(Kind::Text));
    }

    #[test]
    fn the_cause_of_text_is_told_where_most_cells_are_numbers() {
        let cause = |cells: &[&str]| cause_of_text(cells, DecimalMark::Point);
        assert_eq!(cause(&["1", "11,1"]), Some((1, TextCause::OtherMark(DecimalMark::Comma))));
        assert_eq!(cause(&["12", "012"]), Some((1, TextCause::LeadingZero)));
        assert_eq!(cause(&["0.5", "1e309", "2"]), Some((1, TextCause::TooLarge)));
        assert_eq!(cause(&["99999999999999999999", "1"]), Some((0, TextCause::TooLarge)));
        assert_eq!(cause(&["1", "2", "more", "012"]), Some((2, TextCause::NotANumber)));
        assert_eq!(cause(&["1", "x"]), None);
        assert_eq!(cause(&["2024-01-01", "2024-02-01", "3"]), None);
        assert_eq!(
            cause_of_text(&["1.5", "2,5"], DecimalMark::Comma),
            Some((0, TextCause::OtherMark(DecimalMark::Point)))
        );
    }
}
