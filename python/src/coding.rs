//! Cells to attributes: their different values in ascending order, and the code of each row.

use std::hash::Hash;
use std::sync::Arc;

use roughboard::table::{
    Attribute, Codes, Held, Interval, Moment, TableError, Value, decimal_values, fallen_together, of_one_kind,
    spelled_decimal,
};
use rustc_hash::FxHashMap;

use crate::cells::{Block, Cells, Strided};
use crate::whole::integers;

/// At most so many digits of a number stand in a message.
const SHOWN_DIGITS: usize = 40;

/// Why a column cannot be coded.
#[derive(Debug)]
pub enum Problem {
    /// A text is not UTF-8.
    NotText {
        column: String,
        row: usize,
    },
    /// A decimal number has more than 256 bits.
    TooLarge {
        column: String,
    },
    Table(TableError),
}

/// The attribute that the cells of a column make, and what a user should know of how they are read.
pub fn attribute(name: &str, blocks: &[Block]) -> Result<(Attribute, Option<String>), Problem> {
    let mut coded = of_blocks(name, blocks)?;
    let note = coded.note.take().map(|note| format!("column `{name}` {note}"));
    coded.finished(name).map(|attribute| (attribute, note)).map_err(Problem::Table)
}

/// The values of a dictionary, in the order of its places, and what a user should know of how they are read.
pub fn dictionary(name: &str, blocks: &[Block]) -> Result<(Arc<Vec<Value>>, Option<String>), Problem> {
    let Coded { values, codes, note } = of_blocks(name, blocks)?;
    let in_order = codes.codes().to_vec().into_iter().map(|code| values[code as usize].clone());
    Ok((Arc::new(in_order.collect()), note))
}

fn of_blocks(name: &str, blocks: &[Block]) -> Result<Coded, Problem> {
    Ok(match blocks.first().map(|block| &block.cells) {
        None | Some(Cells::Missing) => missing(blocks),
        Some(Cells::Bits(_)) => bits(blocks),
        Some(Cells::Bytes(_)) => booleans(blocks),
        Some(Cells::I8(_)) => integers::<i8>(blocks),
        Some(Cells::I16(_)) => integers::<i16>(blocks),
        Some(Cells::I32(_)) => integers::<i32>(blocks),
        Some(Cells::I64(_)) => integers::<i64>(blocks),
        Some(Cells::U8(_)) => integers::<u8>(blocks),
        Some(Cells::U16(_)) => integers::<u16>(blocks),
        Some(Cells::U32(_)) => integers::<u32>(blocks),
        Some(Cells::U64(_)) => integers::<u64>(blocks),
        Some(Cells::F32(_)) => reals(blocks, &|cells| if let Cells::F32(reals) = cells { Some(reals) } else { None }),
        Some(Cells::F64(_)) => reals(blocks, &|cells| if let Cells::F64(reals) = cells { Some(reals) } else { None }),
        Some(Cells::Texts(_)) => texts(name, blocks)?,
        Some(Cells::Moments { numbers, moment }) => moments(blocks, numbers, *moment),
        Some(Cells::Decimals { scale, .. }) => decimals(name, blocks, *scale)?,
        Some(Cells::Coded { places: of_first, values, .. }) => {
            let of_block =
                |block: &Block| if let Cells::Coded { note, .. } = &block.cells { note.clone() } else { None };
            Coded { note: blocks.iter().find_map(of_block), ..places(blocks, of_first, values) }
        }
        Some(Cells::Values { .. }) => values(blocks),
    })
}

/// Values in any order, in which some may be equal, and for each row the number of one.
pub struct Coded {
    pub values: Vec<Value>,
    pub codes: Held,
    /// What a user should know of how the column is read.
    pub note: Option<String>,
}

impl Coded {
    /// The same rows with other values.
    fn with_values(self, value: impl FnMut(Value) -> Value) -> Self {
        Self { values: self.values.into_iter().map(value).collect(), ..self }
    }

    fn finished(self, name: &str) -> Result<Attribute, TableError> {
        if self.values.windows(2).all(|pair| pair[0] < pair[1]) {
            return Attribute::new(name, self.values, self.codes);
        }
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&a, &b| self.values[a].cmp(&self.values[b]));
        let (mut domain, mut code_of) = (Vec::<Value>::new(), vec![0; self.values.len()]);
        for at in order {
            if domain.last() != Some(&self.values[at]) {
                domain.push(self.values[at].clone());
            }
            code_of[at] = domain.len() as u32 - 1;
        }
        let codes = self.codes.codes().to_vec().into_iter().map(|code| code_of[code as usize]).collect();
        Attribute::new(name, domain.clone(), Codes::narrow(codes, domain.len()))
    }
}

/// Keys numbered in the order in which they appear.
pub struct Coder<K> {
    known: FxHashMap<K, u32>,
    keys: Vec<K>,
    missing: Option<u32>,
    n_keys: u32,
    codes: Vec<u32>,
    /// The key before, which is often the next one too.
    last: Option<(K, u32)>,
}

impl<K: Copy + Eq + Hash> Coder<K> {
    fn new(n_rows: usize) -> Self {
        let (known, keys, codes) = (FxHashMap::default(), Vec::new(), Vec::with_capacity(n_rows));
        Self { known, keys, missing: None, n_keys: 0, codes, last: None }
    }

    fn take(&mut self, key: Option<K>) {
        let code = match (key, self.last) {
            (None, _) => self.code_of_missing(),
            (Some(key), Some((last, code))) if key == last => code,
            (Some(key), _) => self.code_of(key),
        };
        self.codes.push(code);
    }

    fn code_of(&mut self, key: K) -> u32 {
        let (keys, n_keys) = (&mut self.keys, &mut self.n_keys);
        let code = *self.known.entry(key).or_insert_with(|| {
            keys.push(key);
            *n_keys += 1;
            *n_keys - 1
        });
        self.last = Some((key, code));
        code
    }

    /// The code of missing values, which stands among those of the keys.
    fn code_of_missing(&mut self) -> u32 {
        *self.missing.get_or_insert_with(|| {
            self.n_keys += 1;
            self.n_keys - 1
        })
    }

    pub fn finished(self, value: impl FnMut(K) -> Value) -> Coded {
        let mut values: Vec<Value> = self.keys.into_iter().map(value).collect();
        if let Some(place) = self.missing {
            values.insert(place as usize, Value::Missing);
        }
        Coded { codes: Codes::narrow(self.codes, values.len()).into(), values, note: None }
    }
}

/// What is to be said of a column that is text because of this number.
pub fn too_large(digits: &str) -> String {
    let rest = if digits.len() > SHOWN_DIGITS { "…" } else { "" };
    format!(
        "is text because of {digits:.SHOWN_DIGITS$}{rest}, which is too large for a whole number of 64 bits with sign"
    )
}

/// What is to be said of the first two values that are one real number, though they are `spelled` otherwise.
pub fn fell_together(values: &[Value], spelled: impl Fn(usize) -> String) -> Option<String> {
    let (like, found) = fallen_together(values.iter().map(Some), &spelled)?;
    Some(format!("has {} and {}, which are one real number of 64 bits", spelled(like), spelled(found)))
}

pub fn n_rows(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.len).sum()
}

/// What the coder makes of the key of each cell that is given.
pub fn coded<'b, K: Copy + Eq + Hash>(
    blocks: &'b [Block],
    mut key: impl FnMut(&'b Block, usize) -> Option<K>,
) -> Coder<K> {
    let mut coder = Coder::new(n_rows(blocks));
    for block in blocks {
        (0..block.len).for_each(|at| coder.take(if block.is_given(at) { key(block, at) } else { None }));
    }
    coder
}

pub fn missing(blocks: &[Block]) -> Coded {
    Coded { values: vec![Value::Missing], codes: Codes::U8(vec![0; n_rows(blocks)]).into(), note: None }
}

fn bits(blocks: &[Block]) -> Coded {
    let key = |block: &Block, at: usize| if let Cells::Bits(bits) = &block.cells { Some(bits.get(at)) } else { None };
    coded(blocks, key).finished(Value::Boolean)
}

fn booleans(blocks: &[Block]) -> Coded {
    integers::<u8>(blocks).with_values(|number| match number {
        Value::Missing => Value::Missing,
        number => Value::Boolean(number != Value::Integer(0)),
    })
}

fn reals<T: Real>(blocks: &[Block], of: &impl Fn(&Cells) -> Option<&Strided<T>>) -> Coded {
    let key = |block: &Block, at: usize| of(&block.cells).and_then(|reals| reals.get(at).key());
    coded(blocks, key).finished(|key| Value::Real(T::value(key)))
}

/// Reals, told apart by their bits, which zeros of both signs share; none of what is no number.
trait Real: Copy {
    fn key(self) -> Option<u64>;
    fn value(key: u64) -> f64;
}

impl Real for f64 {
    fn key(self) -> Option<u64> {
        (!self.is_nan()).then(|| (self + 0.0).to_bits())
    }

    fn value(key: u64) -> f64 {
        Self::from_bits(key)
    }
}

impl Real for f32 {
    fn key(self) -> Option<u64> {
        (!self.is_nan()).then(|| (self + 0.0).to_bits().into())
    }

    fn value(key: u64) -> f64 {
        widened(Self::from_bits(key as u32))
    }
}

/// The real number of 64 bits that is spelled as shortly as one of 32: as in Parquet, 0.1 stays 0.1.
pub fn widened(short: f32) -> f64 {
    short.to_string().parse().unwrap_or_else(|_| short.into())
}

fn texts(name: &str, blocks: &[Block]) -> Result<Coded, Problem> {
    let coder = coded(blocks, text_of);
    let mut broken = None;
    let mut value = |bytes: &[u8]| match std::str::from_utf8(bytes) {
        Ok(text) => Value::text(text),
        Err(_) => {
            broken = Some(bytes.to_vec());
            Value::Missing
        }
    };
    let coded = coder.finished(&mut value);
    match broken {
        Some(bytes) => Err(Problem::NotText { column: name.to_owned(), row: row_of(blocks, &bytes) }),
        None => Ok(Coded { values: as_intervals(coded.values), ..coded }),
    }
}

fn text_of(block: &Block, at: usize) -> Option<&[u8]> {
    if let Cells::Texts(texts) = &block.cells { Some(texts.get(at)) } else { None }
}

/// Dates and times, which whole numbers stand for; the least of these is none, as numpy has it.
fn moments(blocks: &[Block], numbers: &Cells, moment: Moment) -> Coded {
    let coded = if matches!(numbers, Cells::I32(_)) { integers::<i32>(blocks) } else { integers::<i64>(blocks) };
    let number = |at: usize| coded.values[at].as_integer().filter(|&number| number != i64::MIN);
    let value = |at: usize| number(at).map_or(Value::Missing, |number| moment.value(number));
    let values: Vec<Value> = (0..coded.values.len()).map(value).collect();
    let note = fell_together(&values, |at| number(at).map(|number| moment.spelled(number)).unwrap_or_default());
    Coded { values, note, ..coded }
}

fn decimals(name: &str, blocks: &[Block], scale: usize) -> Result<Coded, Problem> {
    let bytes = |block: &Block, at: usize| {
        if let Cells::Decimals { numbers, .. } = &block.cells { Some(numbers.get(at)) } else { None }
    };
    let mut numbers = Vec::new();
    // Each number stands in the list where its value is to be found.
    let coded = coded(blocks, bytes).finished(|number: [u8; 32]| {
        numbers.push(number.to_vec());
        Value::Integer(numbers.len() as i64 - 1)
    });
    let values = decimal_values(&numbers, scale).ok_or_else(|| Problem::TooLarge { column: name.to_owned() })?;
    let is_large = |value: &&Value| matches!(value, Value::Text(text) if text.parse::<i64>().is_err());
    let large = values.iter().find(is_large).map(|value| too_large(&value.to_string()));
    let spelled = |at: usize| spelled_decimal(&numbers[at], scale).unwrap_or_default();
    let note = large.or_else(|| fell_together(&values, spelled));
    let value = |place: &Value| match place {
        Value::Integer(place) => values[*place as usize].clone(),
        _ => Value::Missing,
    };
    Ok(Coded { values: coded.values.iter().map(value).collect(), note, ..coded })
}

/// The first row that has this text.
fn row_of(blocks: &[Block], bytes: &[u8]) -> usize {
    let mut cells = blocks.iter().flat_map(|block| (0..block.len).map(move |at| (block, at)));
    cells.position(|(block, at)| block.is_given(at) && text_of(block, at) == Some(bytes)).unwrap_or_default()
}

/// The intervals that the texts spell, if all do; else the texts.
pub fn as_intervals(values: Vec<Value>) -> Vec<Value> {
    let interval = |value: &Value| match value {
        Value::Text(text) => Interval::parse(text).map(Value::Interval),
        other => Some(other.clone()),
    };
    let has_text = values.iter().any(|value| matches!(value, Value::Text(_)));
    let intervals: Option<Vec<Value>> = if has_text { values.iter().map(interval).collect() } else { None };
    intervals.unwrap_or(values)
}

/// Cells that are places in one dictionary.
fn places(blocks: &[Block], places: &Cells, dictionary: &[Value]) -> Coded {
    let is_same =
        |block: &Block| matches!(&block.cells, Cells::Coded { values, .. } if values.as_slice() == dictionary);
    let coded = match places {
        _ if !blocks.iter().all(is_same) => return places_in_several(blocks),
        Cells::I8(_) => integers::<i8>(blocks),
        Cells::I16(_) => integers::<i16>(blocks),
        Cells::I32(_) => integers::<i32>(blocks),
        Cells::I64(_) => integers::<i64>(blocks),
        Cells::U8(_) => integers::<u8>(blocks),
        Cells::U16(_) => integers::<u16>(blocks),
        Cells::U32(_) => integers::<u32>(blocks),
        _ => return places_in_several(blocks),
    };
    let coded = coded.with_values(|place| match place {
        Value::Integer(place) => {
            let value = usize::try_from(place).ok().and_then(|place| dictionary.get(place));
            value.cloned().unwrap_or(Value::Missing)
        }
        _ => Value::Missing,
    });
    Coded { values: as_intervals(coded.values), ..coded }
}

/// Cells that are places in dictionaries, of which each block has its own. Its values are of one kind, but a text that may be an
/// interval in one dictionary is none beside the texts of another, and a whole number is a text beside one of more than 64 bits.
fn places_in_several(blocks: &[Block]) -> Coded {
    let (mut coder, mut values) = (Coder::<u32>::new(n_rows(blocks)), Vec::<Value>::new());
    let mut number_of: FxHashMap<String, u32> = FxHashMap::default();
    for block in blocks {
        let Cells::Coded { places, values: own, .. } = &block.cells else { continue };
        let numbers: Vec<Option<u32>> = own.iter().map(|value| number(value, &mut number_of, &mut values)).collect();
        for at in 0..block.len {
            let place = if block.is_given(at) { place(places, at) } else { None };
            coder.take(place.and_then(|place| *numbers.get(place)?));
        }
    }
    let coded = coder.finished(|number| values[number as usize].clone());
    Coded { values: as_intervals(of_one_kind(coded.values)), ..coded }
}

/// The number of a value among those of all dictionaries, by how it is spelled; none of a missing one.
fn number(value: &Value, number_of: &mut FxHashMap<String, u32>, values: &mut Vec<Value>) -> Option<u32> {
    if *value == Value::Missing {
        return None;
    }
    Some(*number_of.entry(value.to_string()).or_insert_with(|| {
        values.push(value.clone());
        values.len() as u32 - 1
    }))
}

fn place(places: &Cells, at: usize) -> Option<usize> {
    match places {
        Cells::I8(numbers) => usize::try_from(numbers.get(at)).ok(),
        Cells::I16(numbers) => usize::try_from(numbers.get(at)).ok(),
        Cells::I32(numbers) => usize::try_from(numbers.get(at)).ok(),
        Cells::I64(numbers) => usize::try_from(numbers.get(at)).ok(),
        Cells::U8(numbers) => Some(numbers.get(at).into()),
        Cells::U16(numbers) => Some(numbers.get(at).into()),
        Cells::U32(numbers) => usize::try_from(numbers.get(at)).ok(),
        Cells::U64(numbers) => usize::try_from(numbers.get(at)).ok(),
        _ => None,
    }
}

/// Values that are numbered already: a column of Python objects, which is one block.
fn values(blocks: &[Block]) -> Coded {
    match blocks {
        [Block { cells: Cells::Values { codes, values, note }, .. }] => Coded {
            codes: Codes::narrow(codes.clone(), values.len()).into(),
            values: values.clone(),
            note: note.clone(),
        },
        _ => missing(blocks),
    }
}
