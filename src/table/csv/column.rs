//! A column of CSV: the kind of value that its cells spell, and what is to be said of it.

use rustc_hash::FxHashMap;

use super::dictionary::Dictionary;
use super::parse::{Cells, Parsed, known};
use super::tiny::{OTHER, text_of};
use crate::table::cell::{Kind, MISSING, MISSING_TEXT, WORDS, cause_of_text, may_be_thousands};
use crate::table::merge::Held;
use crate::table::parts::{Line, Places};
use crate::table::reading::{DecimalMark, Wanted, shown};
use crate::table::{Attribute, Codes, ReadOptions, Remark, TableError, Value};

/// Below this size all whole numbers are different real numbers.
const EXACT: f64 = (1_u64 << 53) as f64;
/// Different numbers of so many digits are different real numbers, unless they are too small for any.
const SAFE_DIGITS: u32 = 15;

/// The number of no cell.
const NONE: u32 = u32::MAX;

/// A column, a cell of it, shortened, and its line.
type Place = (String, String, Line);

/// A column under construction: its different cells, and the number of each row's.
pub struct Column {
    pub name: String,
    pub wanted: Wanted,
    pub dictionary: Dictionary,
    /// The number in the dictionary of each tiny text; [`NONE`] before its first row.
    of_tiny: [u32; 0x100],
    codes: Codes,
}

impl Column {
    pub fn new(name: String, wanted: Wanted) -> Self {
        Self { name, wanted, dictionary: Dictionary::default(), of_tiny: [NONE; 0x100], codes: Codes::U8(Vec::new()) }
    }

    /// Adds the rows of a piece, in which this is the column number `at`, of a part with so many lines `before` it.
    pub fn append(&mut self, piece: &Parsed, at: usize, before: usize) {
        if self.wanted == Wanted::Nothing {
            return;
        }
        let cells = piece.cells(at);
        if !cells.others.is_empty() || !self.append_known(cells.tiny) {
            self.append_all(&cells, &piece.lines, before);
        }
    }

    /// Adds rows of tiny texts if all of them occurred before and the codes are bytes; whether it did.
    fn append_known(&mut self, tiny: &[u8]) -> bool {
        let Codes::U8(codes) = &mut self.codes else { return false };
        let (n_before, of_tiny, mut all) = (codes.len(), &self.of_tiny, 0);
        codes.extend(tiny.iter().map(|&tiny| {
            let number = of_tiny[usize::from(tiny)];
            all |= number;
            number as u8
        }));
        let fit = all <= u32::from(u8::MAX);
        codes.truncate(if fit { codes.len() } else { n_before });
        fit
    }

    /// Adds rows, on these `lines` after so many `before`.
    fn append_all(&mut self, cells: &Cells<'_>, lines: &[usize], before: usize) {
        let of_fresh = self.take_up(cells, lines, before);
        self.codes.widen(self.dictionary.len());
        let mut others = cells.others.iter().map(|&number| known(number).unwrap_or_else(|fresh| of_fresh[fresh]));
        let of_tiny = &self.of_tiny;
        let number =
            |&tiny: &u8| if tiny == OTHER { others.next().unwrap_or_default() } else { of_tiny[usize::from(tiny)] };
        self.codes.extend(cells.tiny.iter().map(number));
    }

    /// Takes up the cells that are new, in the order of their rows, which stand on these `lines` after so many `before`; gives the number of
    /// each fresh one.
    fn take_up(&mut self, cells: &Cells<'_>, lines: &[usize], before: usize) -> Vec<u32> {
        let is_new = |tiny: &u8| *tiny != OTHER && self.of_tiny[usize::from(*tiny)] == NONE;
        let fresh: Vec<(&str, usize)> = cells.fresh.cells().collect();
        if fresh.is_empty() && !cells.tiny.iter().any(is_new) {
            return Vec::new();
        }
        let mut of_fresh = Vec::with_capacity(fresh.len());
        let mut others = cells.others.iter();
        for (&tiny, &line) in cells.tiny.iter().zip(lines) {
            if tiny != OTHER && self.of_tiny[usize::from(tiny)] == NONE {
                self.of_tiny[usize::from(tiny)] = self.dictionary.number(&text_of(tiny), before + line);
            } else if tiny == OTHER && others.next().is_some_and(|&number| known(number) == Err(of_fresh.len())) {
                let (text, line) = fresh[of_fresh.len()];
                of_fresh.push(self.dictionary.number(text, before + line));
            }
        }
        of_fresh
    }

    /// Adds a row whose cell stands on this line.
    pub fn push(&mut self, cell: &str, line: usize) {
        let number = self.dictionary.number(cell, line);
        self.codes.widen(self.dictionary.len());
        self.codes.extend(std::iter::once(number));
    }

    /// The codes of the rows that were read so far, which the column does not keep.
    pub fn take_codes(&mut self) -> Codes {
        std::mem::replace(&mut self.codes, Codes::U8(Vec::new()))
    }

    /// Makes these the codes of the rows.
    pub fn put_codes(&mut self, codes: Codes) {
        self.codes = codes;
    }

    /// What the column keeps in memory beside its codes.
    pub fn held(&self) -> Held<'_> {
        Held { column: &self.name, n_values: self.dictionary.len(), bytes: self.dictionary.bytes() }
    }

    /// The dictionary, if the column is wanted.
    pub fn wanted_dictionary(&self) -> Option<&Dictionary> {
        (self.wanted != Wanted::Nothing).then_some(&self.dictionary)
    }

    /// Whether it has neither a name nor a value.
    pub fn is_empty(&self) -> bool {
        self.name.is_empty() && self.dictionary.cells().all(|(cell, _)| cell.is_empty())
    }

    /// The finished column, whose lines are at these `places`. What is to be said of it is added to `remarks`.
    pub fn coded(
        self,
        reading: &ReadOptions,
        places: &Places,
        remarks: &mut Vec<Remark>,
    ) -> Result<Attribute, TableError> {
        let is_listed = |text: &str| reading.means_missing(text, self.wanted);
        let is_missing = |text: &str| reading.is_missing(text, self.wanted);
        let (given, lines): (Vec<&str>, Vec<usize>) =
            self.dictionary.cells().filter(|(text, _)| !is_missing(text)).unzip();
        let kind = Kind::of(&given, self.wanted, reading.decimal).map_err(|at| TableError::NotANumber {
            column: self.name.clone(),
            place: format!("line {}", places.line(lines[at])),
            found: shown(given[at]),
        })?;
        let told = |(cell, line): (&str, usize)| (self.name.clone(), shown(cell), places.line(line));
        let place = |at: usize| told((given[at], lines[at]));
        let word = || self.dictionary.cells().find(|(text, _)| WORDS.contains(text) && !is_listed(text));
        let may_be_word = kind == Kind::Text && !given.is_empty();
        let word = may_be_word.then(word).flatten().map(told);
        remarks.extend((may_be_word && self.wanted == Wanted::Any).then(|| self.missing(reading, places)).flatten());
        self.remark(kind, &given, (reading.decimal, word, &place), remarks);
        let value = |text: &str| if is_missing(text) { None } else { kind.value(text, reading.decimal) };
        let cells = self.dictionary.cells();
        let values: Vec<Value> = cells.map(|(text, _)| value(text).unwrap_or(Value::Missing)).collect();
        Ok(Attribute::from_codes(&self.name, &values, self.codes))
    }

    /// The spellings of a missing value, as in a column of text they may be words; those aside that are listed as missing, that
    /// no option makes words, and that are likely words and told of as such.
    fn missing(&self, reading: &ReadOptions, places: &Places) -> Option<Remark> {
        let is_meant = |text: &str| MISSING.contains(&text) && !MISSING_TEXT.contains(&text) && !WORDS.contains(&text);
        let spelled =
            self.dictionary.cells().filter(|(text, _)| is_meant(text) && !reading.means_missing(text, self.wanted));
        let (found, lines): (Vec<String>, Vec<usize>) = spelled.map(|(text, line)| (text.to_owned(), line)).unzip();
        Some(Remark::Missing { column: self.name.clone(), line: places.line(*lines.first()?), found })
    }

    /// Adds to `remarks` what is to be said of the column, which is of this `kind`. Of the `given` cells `place` tells column, text and line;
    /// `word` is the first that is missing and may be a word.
    fn remark(
        &self,
        kind: Kind,
        given: &[&str],
        (mark, word, place): (DecimalMark, Option<Place>, &dyn Fn(usize) -> Place),
        remarks: &mut Vec<Remark>,
    ) {
        let is_free = self.wanted == Wanted::Any;
        if kind == Kind::Text && is_free {
            remarks.extend(cause_of_text(given, mark).map(|(at, cause)| {
                let (column, found, line) = place(at);
                Remark::Text { column, found, place: format!("line {line}"), cause }
            }));
            remarks.extend(word.map(|(column, found, line)| Remark::Word { column, found, line }));
        }
        if kind == Kind::Real && mark == DecimalMark::Comma {
            remarks.extend(may_be_thousands(given, mark).map(|at| {
                let (column, found, line) = place(at);
                Remark::Thousands { column, found, line, mark }
            }));
        }
        remarks.extend(fell_together(given, kind, mark).map(|(like, at)| {
            let (column, found, line) = place(at);
            Remark::FellTogether { column, found, place: format!("line {line}"), like: shown(given[like]) }
        }));
        if kind == Kind::Text {
            remarks.extend(alike_but_for_blanks(given).map(|(like, at)| {
                let (column, found, line) = place(at);
                Remark::Blanks { column, found, line, like: like.map(|like| shown(given[like])) }
            }));
        }
    }
}

/// The first two different cells of this `kind` that are one real number.
fn fell_together(cells: &[&str], kind: Kind, mark: DecimalMark) -> Option<(usize, usize)> {
    let mut first = FxHashMap::default();
    (0..cells.len()).find_map(|at| {
        let decimal = kind.decimal(cells[at], mark)?;
        let real = kind.value(cells[at], mark)?.as_real()?;
        if decimal.length <= SAFE_DIGITS && real.abs() < EXACT && real != 0.0 {
            return None;
        }
        let (like, other) = *first.entry(real.to_bits()).or_insert((at, decimal));
        (other != decimal).then_some((like, at))
    })
}

/// The first text that differs from one before it, or from no text at all, only by blanks around it.
fn alike_but_for_blanks(texts: &[&str]) -> Option<(Option<usize>, usize)> {
    if texts.iter().all(|text| text.trim() == *text) {
        return None;
    }
    let mut first = FxHashMap::default();
    (0..texts.len()).find_map(|at| match texts[at].trim() {
        "" => Some((None, at)),
        text => first.insert(text, at).map(|like| (Some(like), at)),
    })
}
