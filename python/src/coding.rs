//! Cells to attributes: their different values in ascending order, and the code of each row.

use std::hash::Hash;

use roughboard::table::{Attribute, Codes, Interval, TableError, Value};
use rustc_hash::FxHashMap;

use crate::cells::{Block, Cells, Strided};

/// Whole numbers that lie so close together, or closer than this times the number of rows, are coded by a table.
const CLOSE: u64 = 1 << 10;
const CLOSE_BY_ROW: u64 = 2;
/// So many numbers that their distances from the least fit a byte.
const FEW: usize = 1 << 8;
/// Rows that are looked at before it is asked whether all values occurred.
const LOOKED_AT: usize = 1 << 12;

/// Why a column cannot be coded.
#[derive(Debug)]
pub enum Problem {
    /// A text is not UTF-8.
    NotText {
        column: String,
        row: usize,
    },
    Table(TableError),
}

/// The attribute that the cells of a column make.
pub fn attribute(name: &str, blocks: &[Block]) -> Result<Attribute, Problem> {
    let coded = match blocks.first().map(|block| &block.cells) {
        None | Some(Cells::Missing) => missing(blocks),
        Some(Cells::Bits(_)) => booleans(blocks),
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
        Some(Cells::Coded { .. }) => places(blocks),
        Some(Cells::Values { .. }) => values(blocks),
    };
    coded.finished(name).map_err(Problem::Table)
}

/// Values in any order, in which some may be equal, and for each row the number of one.
struct Coded {
    values: Vec<Value>,
    codes: Codes,
}

impl Coded {
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
        let codes = self.codes.to_vec().into_iter().map(|code| code_of[code as usize]).collect();
        Attribute::new(name, domain.clone(), Codes::narrow(codes, domain.len()))
    }
}

/// Keys numbered in the order in which they appear.
struct Coder<K> {
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

    fn finished(self, value: impl FnMut(K) -> Value) -> Coded {
        let mut values: Vec<Value> = self.keys.into_iter().map(value).collect();
        if let Some(place) = self.missing {
            values.insert(place as usize, Value::Missing);
        }
        Coded { codes: Codes::narrow(self.codes, values.len()), values }
    }
}

fn n_rows(blocks: &[Block]) -> usize {
    blocks.iter().map(|block| block.len).sum()
}

/// What the coder makes of the key of each cell that is given.
fn coded<'b, K: Copy + Eq + Hash>(blocks: &'b [Block], mut key: impl FnMut(&'b Block, usize) -> Option<K>) -> Coder<K> {
    let mut coder = Coder::new(n_rows(blocks));
    for block in blocks {
        (0..block.len).for_each(|at| coder.take(if block.is_given(at) { key(block, at) } else { None }));
    }
    coder
}

fn missing(blocks: &[Block]) -> Coded {
    Coded { values: vec![Value::Missing], codes: Codes::U8(vec![0; n_rows(blocks)]) }
}

fn booleans(blocks: &[Block]) -> Coded {
    let key = |block: &Block, at: usize| match &block.cells {
        Cells::Bits(bits) => Some(bits.get(at)),
        Cells::Bytes(bytes) => Some(bytes.get(at) != 0),
        _ => None,
    };
    coded(blocks, key).finished(Value::Boolean)
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

    /// As in Parquet, 0.1 stays 0.1: the real number of 64 bits that is spelled as shortly.
    fn value(key: u64) -> f64 {
        let short = Self::from_bits(key as u32);
        short.to_string().parse().unwrap_or_else(|_| short.into())
    }
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

/// Cells that are places in dictionaries, of which each block has its own.
fn places(blocks: &[Block]) -> Coded {
    let (mut coder, mut values) = (Coder::<u32>::new(n_rows(blocks)), Vec::<Value>::new());
    let mut number_of: FxHashMap<String, u32> = FxHashMap::default();
    for block in blocks {
        let Cells::Coded { places, values: own } = &block.cells else { continue };
        let numbers: Vec<Option<u32>> = own.iter().map(|value| number(value, &mut number_of, &mut values)).collect();
        for at in 0..block.len {
            let place = if block.is_given(at) { place(places, at) } else { None };
            coder.take(place.and_then(|place| *numbers.get(place)?));
        }
    }
    let coded = coder.finished(|number| values[number as usize].clone());
    Coded { values: as_intervals(coded.values), ..coded }
}

/// The number of a value among those of all dictionaries, whose values are of one kind; none of a missing one.
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
        [Block { cells: Cells::Values { codes, values }, .. }] => {
            Coded { codes: Codes::narrow(codes.clone(), values.len()), values: values.clone() }
        }
        _ => missing(blocks),
    }
}

/// Whole numbers of some type.
trait Whole: Copy + Ord + Hash + Default + 'static {
    /// The numbers, if these are cells of this type.
    fn of(cells: &Cells) -> Option<&Strided<Self>>;
    /// How far it lies above another number.
    fn above(self, low: Self) -> u64;
    /// It, where it has at most 64 bits with sign.
    fn wide(self) -> Option<i64>;
    /// The number so far above this one.
    fn plus(self, above: u64) -> Self;
    /// In words.
    fn spelled(self) -> String;
}

macro_rules! whole {
    ($($kind:ty, $unsigned:ty, $cells:ident;)*) => {$(
        impl Whole for $kind {
            fn of(cells: &Cells) -> Option<&Strided<Self>> {
                if let Cells::$cells(numbers) = cells { Some(numbers) } else { None }
            }

            #[inline(always)]
            fn above(self, low: Self) -> u64 {
                (self.wrapping_sub(low) as $unsigned).into()
            }

            fn wide(self) -> Option<i64> {
                i64::try_from(self).ok()
            }

            fn plus(self, above: u64) -> Self {
                self.wrapping_add(above as Self)
            }

            fn spelled(self) -> String {
                self.to_string()
            }
        }
    )*};
}
whole! {
    i8, u8, I8;
    i16, u16, I16;
    i32, u32, I32;
    i64, u64, I64;
    u8, u8, U8;
    u16, u16, U16;
    u32, u32, U32;
    u64, u64, U64;
}

fn integers<T: Whole>(blocks: &[Block]) -> Coded {
    let bounds = blocks.iter().filter_map(bounds_of::<T>).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let Some((low, high)) = bounds else { return missing(blocks) };
    let is_close = high.above(low) < CLOSE.max(CLOSE_BY_ROW * n_rows(blocks) as u64);
    // Larger numbers than 64 bits with sign hold make texts of all, as in Parquet.
    if is_close && low.wide().is_some() && high.wide().is_some() {
        return close(blocks, (low, high));
    }
    let all_wide = high.wide().is_some();
    let value = |number: T| match number.wide() {
        Some(number) if all_wide => Value::Integer(number),
        _ => Value::Text(number.spelled()),
    };
    coded(blocks, |block, at| T::of(&block.cells).map(|numbers| numbers.get(at))).finished(value)
}

/// The least and the largest number of a block.
fn bounds_of<T: Whole>(block: &Block) -> Option<(T, T)> {
    let numbers = T::of(&block.cells)?;
    if let (Some(slice), None) = (numbers.slice(block.len), block.given) {
        // Some at a time, so that the second look finds them near.
        let of_some = |some: &[T]| Some((some.iter().copied().min()?, some.iter().copied().max()?));
        return slice.chunks(LOOKED_AT).filter_map(of_some).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    }
    let given = (0..block.len).filter(|&at| block.is_given(at)).map(|at| numbers.get(at));
    given.fold(None, |bounds: Option<(T, T)>, number| {
        Some(bounds.map_or((number, number), |(low, high)| (low.min(number), high.max(number))))
    })
}

/// Codes of numbers that lie close together, by a table.
fn close<T: Whole>(blocks: &[Block], (low, high): (T, T)) -> Coded {
    let n_numbers = high.above(low) as usize + 1;
    let mut used = vec![false; n_numbers.max(FEW)];
    // Each block, also behind one that lacks a value.
    let n_lacking = blocks.iter().filter(|block| mark(block, (low, n_numbers), &mut used)).count();
    let mut values = Vec::new();
    let code_of: Vec<u32> = used
        .iter()
        .enumerate()
        .map(|(above, used)| {
            let code = values.len() as u32;
            if *used {
                values.push(low.plus(above as u64).wide().map_or(Value::Missing, Value::Integer));
            }
            code
        })
        .collect();
    let missing = values.len() as u32;
    values.extend((n_lacking > 0).then_some(Value::Missing));
    let table = Lookup { low, code_of, missing, is_dense: !used[..n_numbers].contains(&false) };
    let codes = match values.len() {
        0..=0x100 => Codes::U8(table.codes(blocks, |code| code as u8)),
        0x101..=0x1_0000 => Codes::U16(table.codes(blocks, |code| code as u16)),
        _ => Codes::U32(table.codes(blocks, |code| code)),
    };
    Coded { values, codes }
}

/// Marks the numbers of a block, which are at most so many from `low` on; says whether one is missing.
fn mark<T: Whole>(block: &Block, (low, n_numbers): (T, usize), used: &mut [bool]) -> bool {
    let Some(numbers) = T::of(&block.cells) else { return true };
    if let (Some(slice), None) = (numbers.slice(block.len), block.given) {
        for numbers in slice.chunks(LOOKED_AT) {
            mark_some(numbers, low, used);
            if !used[..n_numbers].contains(&false) {
                break;
            }
        }
        return false;
    }
    let mut has_missing = false;
    for at in 0..block.len {
        match used.get_mut(numbers.get(at).above(low) as usize) {
            Some(used) if block.is_given(at) => *used = true,
            _ => has_missing = true,
        }
    }
    has_missing
}

fn mark_some<T: Whole>(numbers: &[T], low: T, used: &mut [bool]) {
    if let Ok(used) = <&mut [bool; FEW]>::try_from(&mut *used) {
        // A place that is always there need not be looked for.
        return numbers.iter().for_each(|number| used[usize::from(number.above(low) as u8)] = true);
    }
    for number in numbers {
        // Memory that another thread writes to may hold other numbers than before.
        if let Some(used) = used.get_mut(number.above(low) as usize) {
            *used = true;
        }
    }
}

/// Codes by how far numbers lie above the least.
struct Lookup<T> {
    low: T,
    code_of: Vec<u32>,
    missing: u32,
    /// Whether each number between the least and the largest occurs, so that the distance is the code.
    is_dense: bool,
}

impl<T: Whole> Lookup<T> {
    fn codes<C>(&self, blocks: &[Block], narrow: impl Fn(u32) -> C + Copy) -> Vec<C> {
        let mut codes = roughboard::pages::with_large_room(n_rows(blocks));
        for block in blocks {
            self.append(block, &mut codes, narrow);
        }
        codes
    }

    fn append<C>(&self, block: &Block, codes: &mut Vec<C>, narrow: impl Fn(u32) -> C + Copy) {
        let Some(numbers) = T::of(&block.cells) else {
            return codes.extend((0..block.len).map(|_| narrow(self.missing)));
        };
        let Some(slice) = numbers.slice(block.len).filter(|_| block.given.is_none()) else {
            let code = |at| if block.is_given(at) { self.code(numbers.get(at)) } else { self.missing };
            return codes.extend((0..block.len).map(|at| narrow(code(at))));
        };
        // All by value: what lies in memory would be read again for each number, as writing codes might change it.
        let low = self.low;
        if self.is_dense {
            return codes.extend(slice.iter().map(move |number| narrow(number.above(low) as u32)));
        }
        match <&[u32; FEW]>::try_from(self.code_of.as_slice()) {
            Ok(few) => codes.extend(slice.iter().map(move |number| narrow(few[usize::from(number.above(low) as u8)]))),
            Err(_) => codes.extend(slice.iter().map(|&number| narrow(self.code(number)))),
        }
    }

    fn code(&self, number: T) -> u32 {
        self.code_of.get(number.above(self.low) as usize).copied().unwrap_or(0)
    }
}
