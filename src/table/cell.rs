//! What cells of text spell: the kind of value that all cells of a column have, what keeps a column from being numbers, and
//! the value of a cell that stands alone.

use super::interval::Interval;
use super::moment::Spelled;
use super::reading::{DecimalMark, ReadOptions, TextCause, Wanted};
use super::value::Value;

/// Texts that mean a missing value, as pandas and R read and write them.
pub const MISSING: [&str; 21] = [
    "", "?", "NA", "N/A", "n/a", "#N/A", "#N/A N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan", "1.#QNAN",
    "-1.#QNAN", "1.#IND", "-1.#IND", "NULL", "null", "None", "\\N",
];
/// Those of them that mean one also in a column that is to be text.
pub(crate) const MISSING_TEXT: [&str; 2] = ["", "?"];
/// Those of them that may be words like others.
pub const WORDS: [&str; 3] = ["NULL", "null", "None"];

/// The minus sign of typesetters.
const MINUS: char = '\u{2212}';
/// What may stand in a cell beside a number and does not change which it is.
const DROPPED: [char; 8] = ['\u{a0}', '\u{202f}', '\u{2009}', '%', '$', '€', '£', '¥'];
/// Characters that keep a cell from being a number, and what they are called.
const BESIDE: [(&[char], &str); 5] = [
    (&['\u{a0}', '\u{202f}', '\u{2009}'], "a no-break blank"),
    (&[MINUS], "the minus sign U+2212"),
    (&['%'], "a percent sign"),
    (&['$', '€', '£', '¥'], "a currency sign"),
    (&[' ', '\t'], "a blank"),
];

/// A kind of value that a cell can spell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    Integer,
    Real,
    Interval,
    /// A date or a time, which is text unless it is to be a number.
    Moment(Spelled),
    Text,
}

impl Kind {
    /// The kind of a column of `cells`, none of which is missing; or the place of the first cell that is no number
    /// where numbers are wanted.
    pub fn of(cells: &[&str], wanted: Wanted, mark: DecimalMark) -> Result<Self, usize> {
        match wanted {
            Wanted::Number => Self::of_numbers(cells, mark),
            Wanted::Text => Ok(Self::Text),
            Wanted::Any | Wanted::Nothing => Ok(Self::told_by(cells, mark)),
        }
    }

    /// The first kind of number that all of `cells` are; or the place of the first cell that keeps the others from being one.
    fn of_numbers(cells: &[&str], mark: DecimalMark) -> Result<Self, usize> {
        let moments = [Spelled::Date, Spelled::Time, Spelled::Timestamp].map(Self::Moment);
        let mut first = 0;
        for kind in [Self::Integer, Self::Real].into_iter().chain(moments) {
            match cells.iter().position(|cell| kind.value(cell, mark).is_none()) {
                None => return Ok(kind),
                Some(at) => first = first.max(at),
            }
        }
        Err(first)
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
            Self::Moment(spelled) => spelled.number(cell),
            Self::Text => Some(Value::text(cell)),
        }
    }

    /// The decimal number that a real one stands for, up to a power of ten that all cells share.
    pub fn decimal(self, cell: &str, mark: DecimalMark) -> Option<Decimal> {
        match self {
            Self::Real => Decimal::parse(cell, mark),
            Self::Moment(spelled) => Decimal::parse(&spelled.nanoseconds(cell)?.to_string(), mark),
            _ => None,
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
    // Zeros of both signs are one number. pandas writes `inf`, R `Inf`.
    (number.is_finite() || matches!(cell, "inf" | "-inf" | "Inf" | "-Inf")).then_some(number + 0.0)
}

/// The number that a cell spells, infinite where it is beyond the reals of 64 bits.
fn parsed(cell: &str, mark: DecimalMark) -> Option<f64> {
    match mark {
        DecimalMark::Point => cell.parse().ok(),
        DecimalMark::Comma if cell.contains('.') => None,
        DecimalMark::Comma => cell.replacen(',', ".", 1).parse().ok(),
    }
}

impl Value {
    /// The value that `text` spells, read as a cell of CSV that is a column of its own: a boolean, a number, an interval, or else
    /// a text. `NA`, `?` and the empty text are missing. A number with leading zeros is text; a whole number beyond 64 bits is
    /// a real, as there is no other that it could be taken for.
    ///
    /// It is the inverse of `Display`, but for texts that spell another value.
    pub fn parse(text: &str) -> Self {
        if matches!(text, "" | "?" | "NA") {
            return Self::Missing;
        }
        let number = [Kind::Integer, Kind::Real].into_iter().filter(|_| !has_leading_zero(text));
        let mut kinds = [Kind::Boolean].into_iter().chain(number).chain([Kind::Interval, Kind::Text]);
        kinds.find_map(|kind| kind.value(text, DecimalMark::Point)).unwrap_or(Self::Missing)
    }
}

impl ReadOptions {
    /// Whether a cell of a column of which this is `wanted` means a missing value.
    pub(super) fn is_missing(&self, cell: &str, wanted: Wanted) -> bool {
        let usual: &[&str] = if wanted == Wanted::Text { &MISSING_TEXT } else { &MISSING };
        usual.contains(&cell) || self.means_missing(cell, wanted)
    }

    /// Whether a cell of a column of which this is `wanted` is one that is listed as missing.
    pub(super) fn means_missing(&self, cell: &str, wanted: Wanted) -> bool {
        self.listed(cell, wanted).is_some()
    }

    /// The text that is listed as missing and that a cell of a column of which this is `wanted` is; none if it is no such cell.
    pub(super) fn listed(&self, cell: &str, wanted: Wanted) -> Option<&str> {
        self.missing.iter().map(String::as_str).find(|missing| means(missing, cell, wanted, self.decimal))
    }
}

/// Whether a `cell` is the `text` that means a missing value, blanks around which do not count: spelled so or, unless it
/// is to be text, the same number.
pub fn means(text: &str, cell: &str, wanted: Wanted, mark: DecimalMark) -> bool {
    let trimmed = text.trim();
    if text == cell || trimmed == cell && !cell.is_empty() {
        return true;
    }
    if wanted == Wanted::Text || has_leading_zero(cell) {
        return false;
    }
    match (trimmed.parse::<i64>(), cell.parse::<i64>()) {
        (Ok(text), Ok(cell)) => text == cell,
        _ => real(trimmed, DecimalMark::Point).is_some_and(|text| real(cell, mark) == Some(text)),
    }
}

/// Whether a text begins with a zero that a number would not keep.
pub fn has_leading_zero(text: &str) -> bool {
    matches!(unsigned(text).as_bytes(), [b'0', b'0'..=b'9', ..])
}

/// Whether a number is written as a whole one.
fn is_whole(cell: &str) -> bool {
    unsigned(cell).bytes().all(|byte| byte.is_ascii_digit())
}

/// A decimal number without its sign: other numbers of a real size have other ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// The digits from the first to the last that is not 0, as a whole number; of more than 38, what is left of it in 128 bits.
    digits: u128,
    /// How many these are; 0 for the number 0.
    pub length: u32,
    /// The power of ten of the last of them.
    exponent: i64,
}

impl Decimal {
    /// The one that `cell` spells, if it does.
    fn parse(cell: &str, mark: DecimalMark) -> Option<Self> {
        let (mantissa, power) = match cell.find(['e', 'E']) {
            Some(at) => (&cell[..at], cell[at + 1..].parse().ok()?),
            None => (cell, 0_i64),
        };
        let (whole, fraction) = unsigned(mantissa).split_once(mark.character()).unwrap_or((unsigned(mantissa), ""));
        let (mut digits, mut length, mut zeros) = (0_u128, 0, 0);
        for byte in whole.bytes().chain(fraction.bytes()) {
            match byte {
                // Zeros count once a digit stands behind them.
                b'0' => zeros += u32::from(length > 0),
                b'1'..=b'9' => {
                    length += zeros + 1;
                    digits = (0..=zeros).fold(digits, |digits, _| digits.wrapping_mul(10));
                    (digits, zeros) = (digits.wrapping_add(u128::from(byte - b'0')), 0);
                }
                _ => return None,
            }
        }
        let behind = i64::from(zeros) - fraction.len() as i64;
        let exponent = if length == 0 { 0 } else { power.wrapping_add(behind) };
        Some(Self { digits, length, exponent })
    }
}

/// A text without signs before it.
fn unsigned(text: &str) -> &str {
    text.trim_start_matches(['+', '-'])
}

/// The first of the `cells` for which a column is text, though all or most of the cells are numbers of some form;
/// nothing where text is what they are.
pub(crate) fn cause_of_text(cells: &[&str], mark: DecimalMark) -> Option<(usize, TextCause)> {
    if let Some(at) = other_boolean(cells) {
        return Some((at, TextCause::Boolean));
    }
    if let Ok(Kind::Moment(_)) = Kind::of_numbers(cells, mark) {
        return Some((0, TextCause::Moment));
    }
    let causes: Vec<Option<TextCause>> = cells.iter().map(|cell| cause(cell, mark)).collect();
    let first = |of: &dyn Fn(TextCause) -> bool| {
        causes.iter().enumerate().find_map(|(at, cause)| cause.filter(|&c| of(c)).map(|cause| (at, cause)))
    };
    let found = match first(&|cause| cause == TextCause::NotANumber) {
        None => first(&|_| true),
        found => {
            let n_numbers = causes.iter().filter(|cause| **cause != Some(TextCause::NotANumber)).count();
            found.filter(|_| 2 * n_numbers > cells.len())
        }
    };
    let of_all = |cause| if let TextCause::OtherMark(other) = cause { cause_of_mark(cells, other) } else { cause };
    found.map(|(at, cause)| (at, of_all(cause)))
}

/// What it means for a column that a cell has the decimal `mark`, which was not expected.
fn cause_of_mark(cells: &[&str], mark: DecimalMark) -> TextCause {
    match (cells.iter().all(|cell| real(cell, mark).is_some()), may_be_thousands(cells, mark).is_some()) {
        (true, true) => TextCause::EitherMark(mark),
        (true, false) => TextCause::OtherMark(mark),
        (false, true) => TextCause::Thousands(mark),
        (false, false) => TextCause::NeitherMark,
    }
}

/// The first of the `cells` with this mark, if it could separate thousands in each of them.
pub(crate) fn may_be_thousands(cells: &[&str], mark: DecimalMark) -> Option<usize> {
    let is_marked = |cell: &&str| cell.contains(mark.character());
    let first = cells.iter().position(is_marked);
    first.filter(|_| cells.iter().filter(|cell| is_marked(cell)).all(|cell| is_grouped(cell, mark)))
}

/// Whether `mark` stands before every three digits of the whole part of a number.
fn is_grouped(cell: &str, mark: DecimalMark) -> bool {
    let whole = unsigned(cell).split(mark.other().character()).next().unwrap_or_default();
    let is_number = real(&cell.replace(mark.character(), ""), mark.other()).is_some();
    let Some((first, rest)) = whole.split_once(mark.character()).filter(|_| is_number) else { return false };
    let has_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let leads = matches!(first.len(), 1..=3) && has_digits(first) && !first.starts_with('0');
    leads && rest.split(mark.character()).all(|group| group.len() == 3 && has_digits(group))
}

/// The first cell that is no boolean, where all are but for their spelling.
fn other_boolean(cells: &[&str]) -> Option<usize> {
    let is_like = |cell: &&str| boolean(cell).is_some() || matches!(*cell, "T" | "F" | "t" | "f" | "1" | "0");
    let is_mixed = cells.iter().any(|cell| boolean(cell).is_some()) && cells.iter().all(is_like);
    cells.iter().position(|cell| boolean(cell).is_none()).filter(|_| is_mixed)
}

/// What keeps a cell from being a number, if it is one without that.
fn beside(cell: &str, mark: DecimalMark) -> Option<&'static str> {
    let (_, what) = BESIDE.iter().find(|(characters, _)| cell.contains(*characters))?;
    let plain: String =
        cell.chars().filter(|c| !DROPPED.contains(c)).map(|c| if c == MINUS { '-' } else { c }).collect();
    is_number_of_some_form(plain.trim(), mark).then_some(what)
}

fn is_number_of_some_form(cell: &str, mark: DecimalMark) -> bool {
    [mark, mark.other()].into_iter().any(|mark| real(cell, mark).is_some() || is_grouped(cell, mark))
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
    } else if let Some(mark) = [mark, mark.other()].into_iter().find(|&mark| is_grouped(cell, mark)) {
        Some(TextCause::Thousands(mark))
    } else {
        Some(beside(cell, mark).map_or(TextCause::NotANumber, TextCause::Beside))
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
    fn a_number_that_means_a_missing_value_may_be_spelled_otherwise() {
        let means = |text, cell| means(text, cell, Wanted::Any, DecimalMark::Point);
        for (text, cell) in [("-999", "-999.0"), ("-999.0", "-999"), (" NA", "NA"), (" ", " ")] {
            assert!(means(text, cell), "{text:?} {cell:?}");
        }
        for (text, cell) in [("7", "007"), ("9007199254740993", "9007199254740992"), ("x", "y"), (" ", "")] {
            assert!(!means(text, cell), "{text:?} {cell:?}");
        }
        assert!(!super::means("1", "1.0", Wanted::Text, DecimalMark::Point));
        assert!(super::means("1.5", "1,5", Wanted::Any, DecimalMark::Comma));
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
        assert_eq!(wanted(&["2024-01-01", "2024-02-29"]), Ok(Kind::Moment(Spelled::Date)));
        assert_eq!(wanted(&["2024-01-01", "2023-02-29"]), Err(1));
        assert_eq!(wanted(&["7", "2024-01-01"]), Err(1));
        assert_eq!(Kind::of(&["1"], Wanted::Text, DecimalMark::Point), Ok(Kind::Text));
    }

    #[test]
    fn a_cell_that_stands_alone_is_read_as_a_column_of_its_own() {
        for text in ["True", "FALSE", "+5", "-0.0", "1e3", "Inf", "-inf", "infinity", "NaN", "007", "> 2.5", "won"] {
            let kind = Kind::of(&[text], Wanted::Any, DecimalMark::Point).unwrap();
            assert_eq!(Some(Value::parse(text)), kind.value(text, DecimalMark::Point), "{text}");
        }
        assert_eq!(Value::parse("-0.0"), Value::Real(0.0));
        assert_eq!(Value::parse("99999999999999999999"), Value::Real(1e20));
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
        assert_eq!(cause(&["2024-01-01", "2024-02-01"]), Some((0, TextCause::Moment)));
        assert_eq!(
            cause_of_text(&["1.5", "2"], DecimalMark::Comma),
            Some((0, TextCause::OtherMark(DecimalMark::Point)))
        );
        assert_eq!(cause_of_text(&["1.5", "2,5"], DecimalMark::Comma), Some((0, TextCause::NeitherMark)));
        assert_eq!(cause(&["$1,200", "7"]), Some((0, TextCause::Beside("a currency sign"))));
        assert_eq!(cause(&["7", "1,200.5"]), Some((1, TextCause::Thousands(DecimalMark::Comma))));
        assert_eq!(cause(&["0,200", "7"]), Some((0, TextCause::OtherMark(DecimalMark::Comma))));
    }
}
