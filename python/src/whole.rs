//! Columns of whole numbers to codes. What lies close together is coded by how far it lies above the least number, at
//! little more than the pace of memory; other numbers by a dictionary.

use std::hash::Hash;

use roughboard::table::{ByteCodes, Codes, Held, LentBytes, Value};

use crate::cells::{Block, Cells, Strided};
use crate::coding::{Coded, coded, missing, n_rows, too_large};

/// Whole numbers that lie so close together, or closer than this times the number of rows, are coded by a table.
const CLOSE: u64 = 1 << 10;
const CLOSE_BY_ROW: u64 = 2;
/// So many numbers that their distances from the least fit a byte.
const FEW: usize = 1 << 8;
/// Rows that are looked at before it is asked which numbers occurred.
const LOOKED_AT: usize = 1 << 12;
/// Numbers that are compared at a time with one that is looked for.
const COMPARED: usize = 1 << 10;
/// Bytes of numbers that are looked for one by one, where a comparison takes so many at once.
const SOUGHT_BYTES: usize = 16;

/// Whole numbers of some type.
pub trait Whole: Copy + Ord + Hash + Default + 'static {
    /// The least number of the type.
    const LEAST: Self;
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
    /// Its lowest byte.
    fn byte(self) -> u8;
    /// Numbers of 8 bits as bytes.
    fn bytes(numbers: &[Self]) -> Option<&[u8]>;
}

macro_rules! whole {
    ($($kind:ty, $unsigned:ty, $($cells:ident)|+;)*) => {$(
        impl Whole for $kind {
            const LEAST: Self = Self::MIN;

            fn of(cells: &Cells) -> Option<&Strided<Self>> {
                match cells {
                    $(Cells::$cells(numbers))|+ => Some(numbers),
                    Cells::Moments { numbers, .. } | Cells::Coded { places: numbers, .. } => Self::of(numbers),
                    _ => None,
                }
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

            #[inline(always)]
            fn byte(self) -> u8 {
                self as u8
            }

            fn bytes(numbers: &[Self]) -> Option<&[u8]> {
                // SAFETY: numbers of 8 bits are bytes.
                (size_of::<Self>() == 1)
                    .then(|| unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) })
            }
        }
    )*};
}
whole! {
    i8, u8, I8;
    i16, u16, I16;
    i32, u32, I32;
    i64, u64, I64;
    u8, u8, U8 | Bytes;
    u16, u16, U16;
    u32, u32, U32;
    u64, u64, U64;
}

pub fn integers<T: Whole>(blocks: &[Block]) -> Coded {
    let bounds = blocks.iter().filter_map(bounds_of::<T>).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    let Some((low, high)) = bounds else { return missing(blocks) };
    let is_close = high.above(low) < CLOSE.max(CLOSE_BY_ROW * n_rows(blocks) as u64);
    // Larger numbers than 64 bits with sign hold make texts of all, as in Parquet.
    let all_wide = high.wide().is_some();
    if is_close && all_wide {
        return close(blocks, (low, high));
    }
    let value = |number: T| match number.wide() {
        Some(number) if all_wide => Value::Integer(number),
        _ => Value::Text(number.spelled()),
    };
    let coded = coded(blocks, |block, at| T::of(&block.cells).map(|numbers| numbers.get(at))).finished(value);
    Coded { note: (!all_wide).then(|| too_large(&high.spelled())), ..coded }
}

/// The least and the largest number of a block.
fn bounds_of<T: Whole>(block: &Block) -> Option<(T, T)> {
    let numbers = T::of(&block.cells)?;
    if let (Some(slice), None) = (numbers.slice(block.len), block.given) {
        return bounds(slice);
    }
    let given = (0..block.len).filter(|&at| block.is_given(at)).map(|at| numbers.get(at));
    given.fold(None, |bounds: Option<(T, T)>, number| {
        Some(bounds.map_or((number, number), |(low, high)| (low.min(number), high.max(number))))
    })
}

fn bounds<T: Whole>(numbers: &[T]) -> Option<(T, T)> {
    let Some(bytes) = T::bytes(numbers).filter(|bytes| !bytes.is_empty()) else {
        // Some at a time, so that the second look finds them near.
        let of_some = |some: &[T]| Some((some.iter().copied().min()?, some.iter().copied().max()?));
        return numbers.chunks(LOOKED_AT).filter_map(of_some).reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
    };
    // Bytes without sign, since every processor has an instruction for many of these.
    let least = T::LEAST.byte();
    let (low, high) = bytes.iter().fold((u8::MAX, 0), |(low, high), byte| {
        let above = byte.wrapping_sub(least);
        (above.min(low), above.max(high))
    });
    Some((T::LEAST.plus(low.into()), T::LEAST.plus(high.into())))
}

/// Codes of numbers that lie close together; the numbers themselves where they are bytes that may be held.
fn close<T: Whole>(blocks: &[Block], (low, high): (T, T)) -> Coded {
    let mut used = Used::new(low, high.above(low) as usize + 1);
    // Each block, also behind one that lacks a value.
    let n_lacking = blocks.iter().filter(|block| used.mark(block)).count();
    let (table, values) = used.lookup(n_lacking > 0);
    let codes = table.lent(blocks).unwrap_or_else(|| {
        Held::Own(match values.len() {
            0..=0x100 => Codes::U8(table.codes(blocks, |code| code as u8, |some, codes| table.decode(some, codes))),
            0x101..=0x1_0000 => Codes::U16(table.codes(blocks, |code| code as u16, |_, _| false)),
            _ => Codes::U32(table.codes(blocks, |code| code, |_, _| false)),
        })
    });
    Coded { values, codes, note: None }
}

/// Which numbers occur, by how far they lie above the least.
struct Used<T> {
    low: T,
    n_numbers: usize,
    /// [`FEW`] places at least.
    used: Vec<bool>,
}

impl<T: Whole> Used<T> {
    fn new(low: T, n_numbers: usize) -> Self {
        Self { low, n_numbers, used: vec![false; n_numbers.max(FEW)] }
    }

    /// Marks the numbers of a block; says whether one is missing.
    fn mark(&mut self, block: &Block) -> bool {
        let Some(numbers) = T::of(&block.cells) else { return true };
        if let (Some(slice), None) = (numbers.slice(block.len), block.given) {
            self.mark_slice(slice);
            return false;
        }
        let mut has_missing = false;
        for at in 0..block.len {
            match self.used.get_mut(numbers.get(at).above(self.low) as usize) {
                Some(used) if block.is_given(at) => *used = true,
                _ => has_missing = true,
            }
        }
        has_missing
    }

    /// Marks one number after another, until so few are left that looking for each is quicker.
    fn mark_slice(&mut self, numbers: &[T]) {
        if self.n_numbers > LOOKED_AT {
            // Asking which are left would take longer than marking does.
            return self.mark_some(numbers);
        }
        let mut chunks = numbers.chunks(LOOKED_AT);
        loop {
            let unused = (0..self.n_numbers).filter(|&above| !self.used[above]);
            let left: Vec<usize> = unused.take(SOUGHT_BYTES / size_of::<T>() + 1).collect();
            if left.len() <= SOUGHT_BYTES / size_of::<T>() {
                let rest = &numbers[numbers.len() - chunks.map(<[T]>::len).sum::<usize>()..];
                return left.into_iter().for_each(|above| self.used[above] = occurs(rest, self.low.plus(above as u64)));
            }
            let Some(some) = chunks.next() else { return };
            self.mark_some(some);
        }
    }

    fn mark_some(&mut self, numbers: &[T]) {
        if let Ok(used) = <&mut [bool; FEW]>::try_from(self.used.as_mut_slice()) {
            // A place that is always there need not be looked for.
            return numbers.iter().for_each(|number| used[usize::from(number.above(self.low) as u8)] = true);
        }
        for number in numbers {
            // Memory that another thread writes to may hold other numbers than before.
            if let Some(used) = self.used.get_mut(number.above(self.low) as usize) {
                *used = true;
            }
        }
    }

    /// The codes of the numbers that occur, which ascend as they do, and their values; behind them that of missing ones.
    fn lookup(self, has_missing: bool) -> (Lookup<T>, Vec<Value>) {
        let (low, used, mut values) = (self.low, &self.used[..self.n_numbers], Vec::new());
        let mut bytes = Vec::new();
        let mut code_of = vec![0; self.used.len()];
        for above in (0..used.len()).filter(|&above| used[above]) {
            code_of[above] = values.len() as u32;
            bytes.push(low.plus(above as u64).byte());
            values.push(low.plus(above as u64).wide().map_or(Value::Missing, Value::Integer));
        }
        let missing = values.len() as u32;
        values.extend(has_missing.then_some(Value::Missing));
        let by = ByteCodes::of(&bytes).filter(|_| used.len() <= FEW);
        (Lookup { low, code_of, missing, by }, values)
    }
}

/// Whether a number occurs. Many are compared before it is asked, so that it takes one instruction for several.
fn occurs<T: Whole>(numbers: &[T], number: T) -> bool {
    numbers.chunks(COMPARED).any(|some| some.iter().fold(false, |found, other| found | (*other == number)))
}

/// Codes by how far numbers lie above the least.
struct Lookup<T> {
    low: T,
    code_of: Vec<u32>,
    missing: u32,
    /// The codes by the lowest bytes of the numbers, if these tell them apart.
    by: Option<ByteCodes>,
}

impl<T: Whole> Lookup<T> {
    /// The memory of the blocks, if it may be held and has a byte for each row.
    fn lent(&self, blocks: &[Block]) -> Option<Held> {
        let by = self.by?;
        let of_block = |block: &Block| {
            let numbers = T::of(&block.cells)?.slice(block.len).filter(|_| block.given.is_none())?;
            block.lent(T::bytes(numbers)?)
        };
        Some(Held::lent(blocks.iter().map(of_block).collect::<Option<Vec<LentBytes>>>()?, by))
    }

    /// The codes of all blocks. `decode` appends those of numbers side by side, or says that it does not.
    fn codes<C>(
        &self,
        blocks: &[Block],
        narrow: impl Fn(u32) -> C + Copy,
        decode: impl Fn(&[T], &mut Vec<C>) -> bool,
    ) -> Vec<C> {
        let mut codes = roughboard::pages::with_large_room(n_rows(blocks));
        for block in blocks {
            self.append(block, &mut codes, narrow, &decode);
        }
        codes
    }

    fn append<C>(
        &self,
        block: &Block,
        codes: &mut Vec<C>,
        narrow: impl Fn(u32) -> C + Copy,
        decode: impl Fn(&[T], &mut Vec<C>) -> bool,
    ) {
        let Some(numbers) = T::of(&block.cells) else {
            return codes.extend((0..block.len).map(|_| narrow(self.missing)));
        };
        let Some(slice) = numbers.slice(block.len).filter(|_| block.given.is_none()) else {
            let code = |at| if block.is_given(at) { self.code(numbers.get(at)) } else { self.missing };
            return codes.extend((0..block.len).map(|at| narrow(code(at))));
        };
        if !decode(slice, codes) {
            self.by_table(slice, codes, narrow);
        }
    }

    /// Appends the codes of numbers whose lowest bytes tell them apart; says whether they do.
    fn decode(&self, numbers: &[T], codes: &mut Vec<u8>) -> bool {
        let Some(by) = self.by else { return false };
        // Some at a time, so that the second look finds them near.
        for some in numbers.chunks(LOOKED_AT) {
            let first = codes.len();
            codes.extend(some.iter().map(|number| number.byte()));
            by.decode(&mut codes[first..]);
        }
        true
    }

    fn by_table<C>(&self, numbers: &[T], codes: &mut Vec<C>, narrow: impl Fn(u32) -> C) {
        let low = self.low;
        match <&[u32; FEW]>::try_from(self.code_of.as_slice()) {
            Ok(few) => codes.extend(numbers.iter().map(|number| narrow(few[usize::from(number.above(low) as u8)]))),
            Err(_) => codes.extend(numbers.iter().map(|&number| narrow(self.code(number)))),
        }
    }

    fn code(&self, number: T) -> u32 {
        self.code_of.get(number.above(self.low) as usize).copied().unwrap_or(0)
    }
}
