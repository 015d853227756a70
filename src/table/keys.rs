//! Keys of rows over columns that come and go: the XOR of one random word per (column, value), so a column is added or
//! dropped in one pass.
//!
//! Equal rows have equal keys always; unequal rows have equal keys with probability 2^-64, so what follows from equal keys
//! is verified by comparing the rows.

use rayon::prelude::*;

use super::codes::{Code, Codes, with_codes};
use super::lanes::{BLOCK, Lane, Source, bits, share_bytes};
use crate::random::mix;

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

/// The key of each of `n_rows` rows over `columns`.
pub fn row_keys(columns: &[Keyed<'_>], n_rows: usize) -> Vec<u64> {
    let (narrow, wide): (Vec<Keyed<'_>>, Vec<Keyed<'_>>) =
        columns.iter().partition(|column| Source::from(column.codes).is_narrow());
    let lanes: Vec<(Lane<'_>, [u64; 0x100])> =
        Lane::share_out(&narrow.iter().map(|c| (c.codes.into(), c.n_values)).collect::<Vec<_>>())
            .into_iter()
            .zip(lane_words(&narrow))
            .collect();
    let wide: Vec<_> = wide.iter().map(|c| (c.codes, value_words(c.number, c.n_values))).collect();
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

/// The XOR of the words of all columns of each lane, by its byte.
fn lane_words(columns: &[Keyed<'_>]) -> Vec<[u64; 0x100]> {
    let mut lanes: Vec<[u64; 0x100]> = Vec::new();
    for ((lane, shift), column) in share_bytes(columns.iter().map(|column| column.n_values)).into_iter().zip(columns) {
        lanes.resize_with(lanes.len().max(lane + 1), || [0; 0x100]);
        let (words, mask) = (value_words(column.number, column.n_values), (1 << bits(column.n_values)) - 1);
        for (byte, word) in lanes[lane].iter_mut().enumerate() {
            *word ^= words[byte >> shift & mask];
        }
    }
    lanes
}

/// XORs the words of at most [`LANES`] lanes into the keys of the rows from `start` on.
fn xor_lanes(keys: &mut [u64], start: usize, lanes: &[(Lane<'_>, [u64; 0x100])]) {
    let mut bytes = [[0; BLOCK]; LANES];
    lanes.iter().zip(&mut bytes).for_each(|((lane, _), bytes)| lane.fill(start, &mut bytes[..keys.len()]));
    let ([a, b, c, d], none) = (&bytes, [0; 0x100]);
    let words = |lane: usize| lanes.get(lane).map_or(&none, |(_, words)| words);
    let (of_a, of_b, of_c, of_d) = (words(0), words(1), words(2), words(3));
    let index = |byte: u8| usize::from(byte);
    for ((((key, &a), &b), &c), &d) in keys.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *key ^= (of_a[index(a)] ^ of_b[index(b)]) ^ (of_c[index(c)] ^ of_d[index(d)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Attribute;

    fn column(values: &[i64]) -> Attribute {
        Attribute::from_integers("x", values.iter().copied())
    }

    fn keyed(number: usize, column: &Attribute) -> Keyed<'_> {
        Keyed { number, codes: column.codes(), n_values: column.n_values() }
    }

    #[test]
    fn dropping_a_column_undoes_adding_it() {
        let (a, b) = (column(&[0, 1, 0]), column(&[2, 2, 3]));
        let mut keys = row_keys(&[keyed(0, &a), keyed(1, &b)], 3);
        xor_column(&mut keys, b.codes(), &value_words(1, 2));
        assert_eq!(keys, row_keys(&[keyed(0, &a)], 3));
    }

    #[test]
    fn joined_columns_have_the_keys_of_single_ones() {
        // Each has all n values, as 11 has no factor in common with any n: those of 300 are wider than a byte.
        let columns =
            [3, 15, 2, 16, 200, 1, 300, 256, 2, 7].map(|n| column(&(0..5000).map(|i| i * 11 % n).collect::<Vec<_>>()));
        let all: Vec<Keyed<'_>> = columns.iter().enumerate().map(|(number, a)| keyed(number, a)).collect();
        let words: Vec<Vec<u64>> = all.iter().map(|column| value_words(column.number, column.n_values)).collect();
        let mut one_by_one = vec![0; 5000];
        all.iter().zip(&words).for_each(|(column, words)| xor_column(&mut one_by_one, column.codes, words));
        let key = |row: usize| all.iter().zip(&words).fold(0, |key, (a, words)| key ^ words[a.codes.get(row) as usize]);
        assert_eq!(one_by_one, (0..5000).map(key).collect::<Vec<u64>>());
        assert_eq!(row_keys(&all, 5000), one_by_one);
    }

    #[test]
    fn words_of_any_number_are_exchanged_in_the_keys() {
        for codes in [Codes::U8(vec![1, 0, 1]), Codes::U16(vec![1, 0, 1]), Codes::U32(vec![1, 0, 1])] {
            let mut keys = [0, 5, 0xFF];
            xor_column(&mut keys, &codes, &[3, 9]);
            assert_eq!(keys, [9, 5 ^ 3, 0xFF ^ 9]);
        }
    }
}
