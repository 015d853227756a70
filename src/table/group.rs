//! Groups of rows that agree on given columns: random keys per (column, value), verified exactly.
//!
//! A row's key is the XOR of one random word per (column, value), so a column is added or dropped in one pass.
//! Equal rows have equal keys always; unequal rows have equal keys with probability 2^-64, and every hit is verified.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::attribute::Attribute;
use super::codes::{Code, Codes, with_codes};
use crate::random::mix;

/// Rows hashed together, so that their keys stay in the first-level cache.
const BLOCK: usize = 2048;
/// Lanes that are looked up in one pass over the keys.
const LANES: usize = 4;
const SALT: u64 = 0x243F_6A88_85A3_08D3;

/// The codes of a column of `n_values` values and its number, which picks its random words.
#[derive(Clone, Copy)]
pub struct Keyed<'c> {
    /// Different columns have different numbers.
    pub number: usize,
    /// The code of each row, below `n_values`.
    pub codes: &'c Codes,
    /// The number of values.
    pub n_values: usize,
}

impl<'c> Keyed<'c> {
    /// An attribute as the column number `number`.
    pub fn of(number: usize, attribute: &'c Attribute) -> Self {
        Self { number, codes: attribute.codes(), n_values: attribute.n_values() }
    }
}

/// The random word of each value of the column number `column`. A word for every byte, if bytes hold the values.
pub fn value_words(column: usize, n_values: usize) -> Vec<u64> {
    let base = mix(SALT ^ mix(column as u64));
    (0..n_values.max(0x100) as u64).map(|value| mix(base ^ value.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect()
}

/// XORs the words of one column into `keys`: adds the column to keys that lack it, drops it from keys that have it.
pub fn xor_column(keys: &mut [u64], codes: &Codes, words: &[u64]) {
    match (codes, words.first_chunk::<0x100>()) {
        // Every byte is a valid index, so nothing is left to check.
        (Codes::U8(codes), Some(words)) => keys.iter_mut().zip(codes).for_each(|(k, &c)| *k ^= words[usize::from(c)]),
        _ => with_codes!(codes, codes => xor_slice(keys, codes, words)),
    }
}

fn xor_slice<C: Code>(keys: &mut [u64], codes: &[C], words: &[u64]) {
    for (key, code) in keys.iter_mut().zip(codes) {
        *key ^= words[code.index()];
    }
}

/// Codes that are bytes.
fn bytes(codes: &Codes) -> Option<&[u8]> {
    if let Codes::U8(codes) = codes { Some(codes) } else { None }
}

/// Byte columns whose codes fit one byte together: each has some bits of it. One look-up serves them all.
struct Lane<'c> {
    /// Codes, and by how many bits they are shifted.
    columns: Vec<(&'c [u8], u32)>,
    /// The XOR of the words of all columns, by byte.
    words: Box<[u64; 0x100]>,
}

impl<'c> Lane<'c> {
    /// Shares out byte columns to lanes, in their order.
    fn share_out(columns: &[(&'c [u8], Keyed<'c>)]) -> Vec<Self> {
        let (mut lanes, mut used) = (Vec::<Self>::new(), 8);
        for &(codes, column) in columns {
            let bits = column.n_values.max(2).next_power_of_two().trailing_zeros();
            if used + bits > 8 {
                lanes.push(Self { columns: Vec::new(), words: Box::new([0; 0x100]) });
                used = 0;
            }
            if let Some(lane) = lanes.last_mut() {
                lane.columns.push((codes, used));
                let words = value_words(column.number, column.n_values);
                for (byte, word) in lane.words.iter_mut().enumerate() {
                    *word ^= words[byte >> used & ((1 << bits) - 1)];
                }
            }
            used += bits;
        }
        lanes
    }

    /// The joined codes of the rows from `start` on.
    fn join(&self, start: usize, bytes: &mut [u8]) {
        bytes.fill(0);
        for (codes, shift) in &self.columns {
            bytes.iter_mut().zip(&codes[start..]).for_each(|(byte, code)| *byte |= code << shift);
        }
    }
}

/// The key of each of `n_rows` rows over `columns`.
pub fn row_keys(columns: &[Keyed<'_>], n_rows: usize) -> Vec<u64> {
    let narrow: Vec<_> = columns.iter().filter_map(|&column| Some((bytes(column.codes)?, column))).collect();
    let lanes = Lane::share_out(&narrow);
    let wide = columns.iter().filter(|column| bytes(column.codes).is_none());
    let wide: Vec<_> = wide.map(|c| (c.codes, value_words(c.number, c.n_values))).collect();
    let mut keys = vec![0; n_rows];
    keys.par_chunks_mut(BLOCK).enumerate().for_each(|(block, keys)| {
        let rows = block * BLOCK..block * BLOCK + keys.len();
        lanes.chunks(LANES).for_each(|lanes| xor_lanes(keys, rows.start, lanes));
        for (codes, words) in &wide {
            with_codes!(codes, codes => xor_slice(keys, &codes[rows.clone()], words));
        }
    });
    keys
}

/// XORs the words of at most [`LANES`] lanes into the keys of the rows from `start` on.
fn xor_lanes(keys: &mut [u64], start: usize, lanes: &[Lane<'_>]) {
    let mut bytes = [[0; BLOCK]; LANES];
    lanes.iter().zip(&mut bytes).for_each(|(lane, bytes)| lane.join(start, &mut bytes[..keys.len()]));
    let ([a, b, c, d], none) = (&bytes, [0; 0x100]);
    let words = |lane: usize| lanes.get(lane).map_or(&none, |lane| &*lane.words);
    let (of_a, of_b, of_c, of_d) = (words(0), words(1), words(2), words(3));
    let index = |byte: u8| usize::from(byte);
    for ((((key, &a), &b), &c), &d) in keys.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *key ^= (of_a[index(a)] ^ of_b[index(b)]) ^ (of_c[index(c)] ^ of_d[index(d)]);
    }
}

/// The classes of equal rows: of every row its class, of every class its first row.
/// Classes are numbered by first occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// The class of each row.
    pub class_of: Vec<u32>,
    /// The first row of each class, ascending.
    pub first: Vec<u32>,
}

impl Groups {
    /// The classes of rows that agree on all of `columns`; one class if there are none.
    pub fn of(columns: &[&Attribute], n_rows: usize) -> Self {
        let keyed: Vec<Keyed<'_>> = columns.iter().enumerate().map(|(number, a)| Keyed::of(number, a)).collect();
        let groups = Self::by_keys(&row_keys(&keyed, n_rows));
        if groups.verify(columns) { groups } else { Self::by_values(columns, n_rows) }
    }

    /// The sum over the rows of each class.
    pub fn sums(&self, of_row: impl Fn(usize) -> u64) -> Vec<u64> {
        let mut sums = vec![0; self.first.len()];
        self.class_of.iter().enumerate().for_each(|(row, &class)| sums[class as usize] += of_row(row));
        sums
    }

    /// The classes of equal keys.
    fn by_keys(keys: &[u64]) -> Self {
        let capacity = (keys.len() * 2).next_power_of_two().max(2);
        let (mask, shift) = (capacity - 1, 64 - capacity.trailing_zeros());
        // The class of a slot, counted from 1: zeroed memory is there at once.
        let mut slots = vec![0_u32; capacity];
        let (mut class_of, mut first, mut class_keys) = (Vec::with_capacity(keys.len()), Vec::new(), Vec::new());
        for (row, &key) in keys.iter().enumerate() {
            let mut at = (key >> shift) as usize;
            while slots[at] != 0 && class_keys[slots[at] as usize - 1] != key {
                at = (at + 1) & mask;
            }
            if slots[at] == 0 {
                first.push(row as u32);
                class_keys.push(key);
                slots[at] = first.len() as u32;
            }
            class_of.push(slots[at] - 1);
        }
        Self { class_of, first }
    }

    /// Whether every row really equals the first row of its class.
    fn verify(&self, columns: &[&Attribute]) -> bool {
        let pairs = (0..).zip(&self.class_of).map(|(row, &class)| (row, self.first[class as usize]));
        let repeated: Vec<(u32, u32)> = pairs.filter(|(row, first)| row != first).collect();
        let narrow: Vec<&[u8]> = columns.iter().filter_map(|attribute| bytes(attribute.codes())).collect();
        let wide = columns.par_iter().filter(|attribute| bytes(attribute.codes()).is_none());
        narrow.par_chunks(LANES).all(|columns| agree_in_bytes(columns, &repeated))
            && wide.all(|attribute| with_codes!(attribute.codes(), codes => agree(codes, &repeated)))
    }

    /// The reference: compares rows by their values. Used when keys of different rows were equal.
    fn by_values(columns: &[&Attribute], n_rows: usize) -> Self {
        let (mut classes, mut first) = (FxHashMap::<Vec<u32>, u32>::default(), Vec::new());
        let class = |row: usize| {
            *classes.entry(columns.iter().map(|column| column.code(row)).collect()).or_insert_with(|| {
                first.push(row as u32);
                first.len() as u32 - 1
            })
        };
        Self { class_of: (0..n_rows).map(class).collect(), first }
    }
}

/// Whether the rows of each pair agree on all of at most [`LANES`] columns: several at a time, since reading the pairs
/// takes as long as comparing their rows.
fn agree_in_bytes(columns: &[&[u8]], pairs: &[(u32, u32)]) -> bool {
    let &[a, b, c, d] = columns else { return columns.iter().all(|codes| agree(codes, pairs)) };
    pairs.chunks(BLOCK).all(|pairs| {
        let differences = pairs.iter().map(|&(x, y)| {
            let (x, y) = (x as usize, y as usize);
            (a[x] ^ a[y]) | (b[x] ^ b[y]) | (c[x] ^ c[y]) | (d[x] ^ d[y])
        });
        differences.fold(0, |all, difference| all | difference) == 0
    })
}

fn agree<C: Code>(codes: &[C], pairs: &[(u32, u32)]) -> bool {
    pairs
        .chunks(BLOCK)
        .all(|pairs| pairs.iter().fold(true, |equal, &(a, b)| equal & (codes[a as usize] == codes[b as usize])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Value;

    fn column(values: &[i64]) -> Attribute {
        Attribute::from_values("x", &values.iter().copied().map(Value::Integer).collect::<Vec<_>>())
    }

    #[test]
    fn keys_and_values_give_the_same_classes() {
        let columns = [column(&[1, 2, 1, 2, 1, 1]), column(&[0, 0, 0, 1, 0, 7])];
        let columns: Vec<&Attribute> = columns.iter().collect();
        let expected = Groups { class_of: vec![0, 1, 0, 2, 0, 3], first: vec![0, 1, 3, 5] };
        assert_eq!(Groups::of(&columns, 6), expected);
        assert_eq!(Groups::by_values(&columns, 6), expected);
    }

    #[test]
    fn a_collision_of_keys_is_noticed() {
        let column = column(&[0, 1, 0]);
        let wrong = Groups::by_keys(&[5, 5, 5]);
        assert_eq!(wrong.first, vec![0]);
        assert!(!wrong.verify(&[&column]));
        assert!(Groups::by_keys(&[5, 6, 5]).verify(&[&column]));
    }

    #[test]
    fn dropping_a_column_undoes_adding_it() {
        let (a, b) = (column(&[0, 1, 0]), column(&[2, 2, 3]));
        let mut keys = row_keys(&[Keyed::of(0, &a), Keyed::of(1, &b)], 3);
        xor_column(&mut keys, b.codes(), &value_words(1, 2));
        assert_eq!(keys, row_keys(&[Keyed::of(0, &a)], 3));
    }

    #[test]
    fn joined_columns_have_the_keys_of_single_ones() {
        let columns =
            [3, 15, 2, 16, 200, 1, 300, 256, 2, 7].map(|n| column(&(0..5000).map(|i| i * i % n).collect::<Vec<_>>()));
        let keyed: Vec<Keyed<'_>> = columns.iter().enumerate().map(|(number, a)| Keyed::of(number, a)).collect();
        let mut one_by_one = vec![0; 5000];
        for (number, a) in columns.iter().enumerate() {
            xor_column(&mut one_by_one, a.codes(), &value_words(number, a.n_values()));
        }
        assert_eq!(row_keys(&keyed, 5000), one_by_one);
    }

    #[test]
    fn without_columns_all_rows_are_one_class() {
        assert_eq!(Groups::of(&[], 3), Groups { class_of: vec![0; 3], first: vec![0] });
    }
}
