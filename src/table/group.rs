//! Groups of rows that agree on given columns.
//!
//! Rows are packed into words, some at a time, and found again by keys made of them. A row with the key of one before is compared
//! with it, word by word. Of many classes only some keep the words of their first row, and others those of their second: these two
//! are compared at the end, column by column. Should two rows with one key differ, other keys are taken, so the groups are exact.
//! Threads share out the rows by their keys and not by their places, so each finds all rows of its groups, and nothing is merged.

mod rows;

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::attribute::Attribute;
use super::lanes::{BLOCK, Lane};
use super::slots::Slots;
use crate::pages::{LINE, prefetch, with_large_room};
use rows::Rows;
pub(super) use rows::{key_of, part_of};

/// Kinds of keys that are tried before rows are found by their values.
const SEEDS: u64 = 3;
/// How many rows before its turn the slot of a row is asked for; half as many before it, its class is guessed.
const AHEAD: usize = 32;
/// Rows that one word says of whether they begin a class.
const MARKED: usize = u64::BITS as usize;
/// Marks that are listed together.
const MARKS: usize = 1 << 10;
/// Words of classes that are kept as soon as the first row is met, which saves most comparisons at the end: 64 MiB. More are kept in
/// vain where most classes never see a second row.
const AT_ONCE: usize = 1 << 23;
/// Blocks that each thread packs before they are looked up, so that they are found in its cache.
const BLOCKS: usize = 4;

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
        // From a thread among those that work, which else were called for every stretch of rows.
        rayon::scope(|_| groups_of(columns, n_rows))
    }

    /// The sum over the rows of each class.
    pub fn sums(&self, of_row: impl Fn(usize) -> u64) -> Vec<u64> {
        let mut sums = vec![0; self.first.len()];
        self.class_of.iter().enumerate().for_each(|(row, &class)| sums[class as usize] += of_row(row));
        sums
    }

    /// The classes of rows of which each is known the first that it is equal to.
    fn by_first_rows(mut first_rows: Vec<u32>) -> Self {
        let marks = Mark::of(&first_rows);
        let first = Mark::all_rows(&marks);
        first_rows.par_iter_mut().for_each(|row| *row = marks[*row as usize / MARKED].class(*row));
        Self { class_of: first_rows, first }
    }
}

/// Which of [`MARKED`] rows begin a class, and how many rows before them do: what numbers the classes.
struct Mark {
    begins: u64,
    before: u32,
}

impl Mark {
    /// The marks of all rows, of which each is known the first that it is equal to.
    fn of(first_rows: &[u32]) -> Vec<Self> {
        let mark = |(at, rows): (usize, &[u32])| {
            let is_first = |(place, &first): (usize, &u32)| u64::from((at * MARKED + place) as u32 == first) << place;
            Self { begins: rows.iter().enumerate().map(is_first).sum(), before: 0 }
        };
        let mut marks: Vec<Self> = first_rows.par_chunks(MARKED).enumerate().map(mark).collect();
        let mut n_classes = 0;
        for mark in &mut marks {
            mark.before = n_classes;
            n_classes += mark.begins.count_ones();
        }
        marks
    }

    /// The class that begins with this row.
    #[inline]
    fn class(&self, row: u32) -> u32 {
        let earlier = self.begins & ((1 << (row % MARKED as u32)) - 1);
        self.before + earlier.count_ones()
    }

    /// The rows that begin a class, by all `marks`.
    fn all_rows(marks: &[Self]) -> Vec<u32> {
        let n_classes = marks.last().map_or(0, |mark| mark.before + mark.begins.count_ones());
        let mut rows = vec![0; n_classes as usize];
        let (mut pieces, mut rest) = (Vec::new(), &mut rows[..]);
        for marks in marks.chunks(MARKS) {
            let n: u32 = marks.iter().map(|mark| mark.begins.count_ones()).sum();
            let (piece, others) = rest.split_at_mut(n as usize);
            pieces.push((piece, marks));
            rest = others;
        }
        pieces.into_par_iter().enumerate().for_each(|(number, (piece, marks))| {
            let rows = (number * MARKS..).zip(marks).flat_map(|(at, mark)| mark.rows(at));
            piece.iter_mut().zip(rows).for_each(|(place, row)| *place = row);
        });
        rows
    }

    /// The rows that begin a class, of those that the mark number `at` is of.
    fn rows(&self, at: usize) -> impl Iterator<Item = u32> + use<> {
        let start = (at * MARKED) as u32;
        let next = |begins: u64| (begins != 0).then_some(begins);
        let begins = std::iter::successors(next(self.begins), move |begins| next(begins & (begins - 1)));
        begins.map(move |begins| start + begins.trailing_zeros())
    }
}

/// The classes of `n_rows` rows.
fn groups_of(columns: &[&Attribute], n_rows: usize) -> Groups {
    let held: Vec<_> = columns.iter().map(|column| (column.held().into(), column.n_values())).collect();
    let lanes = Lane::share_out(&held);
    checked(columns, n_rows, |seed| by_keys(&lanes, n_rows, AT_ONCE, seed))
}

/// What is found by the keys of a seed where rows with one key are equal, and else by values.
fn checked(columns: &[&Attribute], n_rows: usize, find: impl Fn(u64) -> Option<Found>) -> Groups {
    let agree = |found: &Found| columns.par_iter().all(|column| column.held().agree(&found.unsure));
    let found = (0..SEEDS).find_map(|seed| find(seed).filter(agree));
    found.map_or_else(|| Groups::by_first_rows(by_values(columns, n_rows)), |found| found.groups)
}

/// The classes of rows, if no rows with one key are known to differ.
struct Found {
    groups: Groups,
    /// Rows with one key that nobody has compared.
    unsure: Vec<(u32, u32)>,
}

/// The classes of rows with one key, where so many words are kept at once. `None` if two rows with one key were seen to differ.
fn by_keys(lanes: &[Lane<'_>], n_rows: usize, at_once: usize, seed: u64) -> Option<Found> {
    let n_parts = rayon::current_num_threads().max(1);
    let stride = Rows::stride_of(lanes);
    let mut names = with_large_room(n_rows);
    (0..n_rows).into_par_iter().map(|_| AtomicU32::new(0)).collect_into_vec(&mut names);
    let part = |number| Part::new((number, n_parts), n_rows, stride, at_once / n_parts);
    let mut parts: Vec<Part> = (0..n_parts).into_par_iter().map(part).collect();
    let stretch = n_parts * BLOCKS * BLOCK;
    let mut rows = Rows::new(stride, stretch.min(n_rows), seed, n_parts);
    for (number, names) in names.chunks(stretch).enumerate() {
        rows.pack(lanes, number * stretch, names.len());
        parts.par_iter_mut().for_each(|part| part.take_up(&rows, number * stretch, names));
    }
    if parts.iter().any(|part| part.differ) {
        return None;
    }
    let unsure = parts.iter_mut().flat_map(|part| std::mem::take(&mut part.unsure)).collect();
    Some(Found { groups: named(parts, names.into_iter().map(AtomicU32::into_inner).collect()), unsure })
}

/// The classes that the parts found, by the names of the classes of all rows.
fn named(mut parts: Vec<Part>, names: Vec<u32>) -> Groups {
    match parts.pop() {
        Some(only) if parts.is_empty() => Groups { class_of: names, first: only.firsts },
        // To give large memory back takes the system long.
        last => rayon::join(|| Groups::by_first_rows(names), || parts.into_par_iter().chain(last).for_each(drop)).0,
    }
}

/// The first row with the values of each row: slow, and the same whatever the keys are.
fn by_values(columns: &[&Attribute], n_rows: usize) -> Vec<u32> {
    let mut first = FxHashMap::<Vec<u32>, u32>::default();
    let values = |row: usize| columns.iter().map(|column| column.code(row)).collect();
    (0..n_rows).map(|row| *first.entry(values(row)).or_insert(row as u32)).collect()
}

/// The class that a row may be of.
#[derive(Clone, Copy, Default)]
struct Guess {
    /// Counted from 1; 0 if the row is of none before.
    class: u32,
    /// Where the words of the class are, 0 if they are not kept.
    place: u32,
}

/// The classes of rows whose keys are in one of several parts of all keys.
// On lines of the cache of its own, two of which processors fetch together: threads that write to neighbours would wait for each other.
#[repr(align(128))]
struct Part {
    number: usize,
    n_parts: usize,
    slots: Slots,
    /// The key of each class.
    keys: Vec<u64>,
    /// The first row of each class.
    firsts: Vec<u32>,
    records: Records,
    /// Where the words of each class are, 0 if they are not kept; but not of the first classes, whose words are in their order.
    places: Vec<u32>,
    /// So many words are kept of first rows, whatever comes. Other classes may get a record when a second row is met that may be of them.
    at_once: usize,
    /// The rows of earlier stretches.
    n_rows: usize,
    /// Of each such class with a record the row that the record is of, and the first row of the class: they have one key, and are
    /// to be compared.
    unsure: Vec<(u32, u32)>,
    /// Whether rows with one key were seen to differ.
    differ: bool,
    /// Room for the rows of this part in a stretch.
    here: Vec<u32>,
}

impl Part {
    /// No class yet of one of several parts of `n_rows` rows, which have `stride` words each.
    fn new((number, n_parts): (usize, usize), n_rows: usize, stride: usize, at_once: usize) -> Self {
        let n_here = n_rows.div_ceil(n_parts);
        Self {
            number,
            n_parts,
            // For more classes than half of the rows the slots grow.
            slots: Slots::new(n_here / 2),
            keys: with_large_room(n_here),
            firsts: with_large_room(n_here),
            places: Vec::new(),
            records: Records::new(2 * n_here / 3, stride),
            at_once,
            n_rows: 0,
            unsure: Vec::new(),
            differ: false,
            here: Vec::new(),
        }
    }

    /// Finds the class of each row of this part, of rows that begin at `start`, and puts down its name.
    fn take_up(&mut self, rows: &Rows, start: usize, names: &[AtomicU32]) {
        if self.n_parts == 1 {
            return self.look_up::<true>(rows, (rows.keys.len(), &[]), start, names);
        }
        let mut here = std::mem::take(&mut self.here);
        here.clear();
        rows.of_part(self.number).for_each(|rows| here.extend_from_slice(rows));
        self.look_up::<false>(rows, (here.len(), &here), start, names);
        self.here = here;
    }

    /// Finds the class of each of the `n` rows `here`, or of the first `n` if this part is `ALONE`, and puts down its name: the number of the
    /// class, or its first row where there are other parts, which have classes of the same numbers.
    ///
    /// Memory is asked for before it is needed: the slot of a row, and later the first row and the words of the class that it may be of. One
    /// row takes each of these steps in a turn, and not many rows one step after the other, so that memory is always at work.
    fn look_up<const ALONE: bool>(
        &mut self,
        rows: &Rows,
        (n, here): (usize, &[u32]),
        start: usize,
        names: &[AtomicU32],
    ) {
        let row_at = |at: usize| if ALONE { at } else { here[at] as usize };
        let mut guesses = [Guess::default(); AHEAD];
        for turn in 0..n + AHEAD {
            if turn < n {
                self.slots.prefetch(rows.keys[row_at(turn)] as u32);
            }
            if turn >= AHEAD / 2 && turn - AHEAD / 2 < n {
                let at = turn - AHEAD / 2;
                guesses[at % AHEAD] = self.guess::<ALONE>(rows, row_at(at));
            }
            if turn >= AHEAD {
                let (row, guess) = (row_at(turn - AHEAD), guesses[turn % AHEAD]);
                // Most rows without a guess begin a class. That is known before any memory comes, so the processor takes the right way early.
                let is_right = guess.class != 0 && self.records.is_equal(guess.place, rows.row(row));
                let class = if is_right { guess.class as usize - 1 } else { self.class(rows, start, row) };
                let name = if ALONE { class as u32 } else { self.firsts[class] };
                names[row].store(name, Ordering::Relaxed);
            }
        }
        self.n_rows += n;
    }

    /// The class that a row may be of, whose memory is asked for.
    #[inline]
    fn guess<const ALONE: bool>(&self, rows: &Rows, row: usize) -> Guess {
        let class = self.slots.guess(rows.keys[row] as u32);
        let place = self.place(class);
        if !ALONE {
            prefetch(&self.firsts, (class as usize).saturating_sub(1));
            rows.prefetch(row);
        }
        self.records.prefetch(place);
        Guess { class, place }
    }

    /// Whether the words of a first row are kept: where there are few of them, or more than half as many further rows as classes came.
    const fn keeps_first_rows(&self) -> bool {
        self.records.words.len() < self.at_once || 2 * self.n_rows > 3 * self.firsts.len()
    }

    /// So many classes, the first ones, have their words in their order: as long as the words of all are kept.
    #[inline]
    const fn n_in_order(&self) -> usize {
        self.firsts.len() - self.places.len()
    }

    /// Where the words of a class are that is counted from 1, 0 if they are not kept or there is no such class.
    #[inline]
    fn place(&self, number: u32) -> u32 {
        let n_in_order = self.n_in_order() as u32;
        if number <= n_in_order { number } else { self.places[(number - n_in_order) as usize - 1] }
    }

    /// The class of a row by its key; the row begins one if none before has it.
    fn class(&mut self, rows: &Rows, start: usize, row: usize) -> usize {
        let (key, words, at) = (rows.keys[row], rows.row(row), (start + row) as u32);
        let known = self.firsts.len();
        let class = self.slots.find(key as u32, |class| self.keys[class] == key, |class| self.keys[class] as u32);
        if class == known {
            self.begin_class(key, at, words);
            return class;
        }
        let number = class as u32 + 1;
        if self.place(number) == 0 {
            let n_in_order = self.n_in_order();
            self.places[class - n_in_order] = self.records.push(words);
            self.unsure.push((at, self.firsts[class]));
        }
        self.differ |= !self.records.is_equal(self.place(number), words);
        class
    }

    /// A class whose first row has this key and these words.
    fn begin_class(&mut self, key: u64, first: u32, words: &[u64]) {
        let place = if self.keeps_first_rows() { self.records.push(words) } else { 0 };
        if place == 0 || !self.places.is_empty() {
            self.places.push(place);
        }
        self.keys.push(key);
        self.firsts.push(first);
    }
}

/// The words of some classes, side by side. If each began a line of the cache, they would take more memory, and the system would need
/// longer to clear that than the look-ups would save.
struct Records {
    /// Words of a row.
    stride: usize,
    /// Words before record 0, which begins a line and which no class has.
    before: usize,
    /// The number of the last record.
    last: u32,
    words: Vec<u64>,
}

impl Records {
    /// None yet, with room for `n` of rows of `stride` words.
    fn new(n: usize, stride: usize) -> Self {
        let mut words: Vec<u64> = with_large_room((n + 1) * stride + LINE / size_of::<u64>());
        let before = words.as_ptr().align_offset(LINE).min(LINE / size_of::<u64>());
        words.resize(before + stride, 0);
        Self { stride, before, last: 0, words }
    }

    /// Keeps these words, and tells where.
    fn push(&mut self, row: &[u64]) -> u32 {
        self.words.extend_from_slice(row);
        self.last += 1;
        self.last
    }

    #[inline]
    fn prefetch(&self, record: u32) {
        let begin = self.before + record as usize * self.stride;
        prefetch(&self.words, begin);
        prefetch(&self.words, begin + self.stride - 1);
    }

    /// Whether there is such a record, and a row is equal to it.
    #[inline]
    fn is_equal(&self, record: u32, row: &[u64]) -> bool {
        let begin = self.before + record as usize * self.stride;
        let words = &self.words[begin..begin + self.stride];
        record != 0 && words.iter().zip(row).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[i64]) -> Attribute {
        Attribute::from_integers("x", values.iter().copied())
    }

    /// The reference: rows found by their values, classes numbered one by one.
    fn by_values(columns: &[&Attribute], n_rows: usize) -> Groups {
        let first_rows = super::by_values(columns, n_rows);
        let first: Vec<u32> = (0..).zip(&first_rows).filter(|(row, first)| row == *first).map(|(row, _)| row).collect();
        let class_of = first_rows.iter().map(|row| first.binary_search(row).unwrap() as u32).collect();
        Groups { class_of, first }
    }

    #[test]
    fn words_and_values_give_the_same_classes() {
        let columns = [column(&[1, 2, 1, 2, 1, 1]), column(&[0, 0, 0, 1, 0, 7])];
        let columns: Vec<&Attribute> = columns.iter().collect();
        let expected = Groups { class_of: vec![0, 1, 0, 2, 0, 3], first: vec![0, 1, 3, 5] };
        assert_eq!(Groups::of(&columns, 6), expected);
        assert_eq!(by_values(&columns, 6), expected);
        assert_eq!(super::by_values(&columns, 6), [0, 1, 0, 3, 0, 5]);
        assert_eq!(expected.sums(|row| 1 << row), [0b010101, 0b10, 0b1000, 0b100000]);
    }

    #[test]
    fn columns_of_all_widths_are_grouped_alike_by_any_number_of_threads() {
        let sizes = [2, 3, 17, 300, 70_000, 256, 257, 1, 5, 4, 16, 2, 2];
        let values =
            |n: i64| -> Vec<i64> { (0..100_000).map(|row| row / 3 * 7919 % 6007 % n + row % 3 * (n / 4)).collect() };
        let columns = sizes.map(|n| column(&values(n)));
        let columns: Vec<&Attribute> = columns.iter().collect();
        for n_columns in 0..=columns.len() {
            let columns = &columns[..n_columns];
            let expected = by_values(columns, 100_000);
            for n_threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                assert_eq!(pool.install(|| Groups::of(columns, 100_000)), expected);
            }
        }
    }

    #[test]
    fn there_may_be_no_rows_or_fewer_than_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
        for n_rows in 0..=3 {
            let numbers = column(&[4, 9, 4][..n_rows]);
            let expected = by_values(&[&numbers], n_rows);
            assert_eq!(pool.install(|| Groups::of(&[&numbers], n_rows)), expected);
        }
    }

    /// What a part that keeps so many words at once makes of rows of one word that all have one key.
    fn of_one_key(words: &[u64], at_once: usize) -> Part {
        let rows = Rows::of_one_key(words);
        let first_rows: Vec<AtomicU32> = words.iter().map(|_| AtomicU32::new(0)).collect();
        let mut part = Part::new((0, 1), words.len(), 1, at_once);
        part.take_up(&rows, 0, &first_rows);
        part
    }

    #[test]
    fn rows_with_one_key_that_differ_are_seen() {
        let (twice, different) = (of_one_key(&[7, 7, 7], 0), of_one_key(&[7, 8], 0));
        assert_eq!((twice.differ, twice.unsure, twice.firsts[0]), (false, vec![(1, 0)], 0));
        assert_eq!((different.differ, different.unsure), (false, vec![(1, 0)]));
        assert!(of_one_key(&[7, 8, 7], 0).differ);
        let (twice, different) = (of_one_key(&[7, 7], AT_ONCE), of_one_key(&[7, 8], AT_ONCE));
        assert_eq!((twice.differ, twice.unsure, different.differ), (false, vec![], true));
    }

    #[test]
    fn first_rows_are_kept_as_long_as_others_follow_them() {
        let mut part = of_one_key(&[7, 8], 0);
        part.firsts = vec![0; 4];
        let kept = [5, 6, 7].map(|n_rows| {
            part.n_rows = n_rows;
            part.keeps_first_rows()
        });
        assert_eq!(kept, [false, false, true]);
    }

    #[test]
    fn words_are_kept_of_first_rows_of_second_rows_or_of_both() {
        let values = |n: i64| (0..5000).map(|row| (row % 3500) * 7919 % 6007 % n).collect::<Vec<_>>();
        let columns = [6007, 17].map(|n| column(&values(n)));
        let held: Vec<_> = columns.iter().map(|column| (column.held().into(), column.n_values())).collect();
        let lanes = Lane::share_out(&held);
        let columns: Vec<&Attribute> = columns.iter().collect();
        let expected = by_values(&columns, 5000);
        for n_threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            for at_once in [0, 300, AT_ONCE] {
                let found = pool.install(|| by_keys(&lanes, 5000, at_once, 0)).unwrap();
                assert!(columns.iter().all(|column| column.held().agree(&found.unsure)));
                assert_eq!(found.unsure.is_empty(), at_once == AT_ONCE);
                assert_eq!(found.groups, expected);
            }
        }
    }

    #[test]
    fn where_rows_with_one_key_differ_other_keys_are_taken_and_values_in_the_end() {
        let (wide, narrow) = (column(&[70_000, 1, 1, 70_000]), column(&[1, 2, 2, 1]));
        let groups = |first_rows: [u32; 4]| Groups::by_first_rows(first_rows.to_vec());
        let wrong = || Found { groups: groups([0; 4]), unsure: vec![(3, 0), (1, 0)] };
        for column in [&wide, &narrow] {
            assert_eq!(checked(&[column], 4, |_| None), groups([0, 1, 1, 0]));
            assert_eq!(checked(&[column], 4, |_| Some(wrong())), groups([0, 1, 1, 0]));
            let right = || Found { groups: groups([0, 1, 1, 0]), unsure: vec![(3, 0), (2, 1)] };
            assert_eq!(
                checked(&[column], 4, |seed| Some(if seed == 1 { right() } else { wrong() })),
                groups([0, 1, 1, 0])
            );
        }
    }

    #[test]
    fn without_columns_all_rows_are_one_class() {
        assert_eq!(Groups::of(&[], 3), Groups { class_of: vec![0; 3], first: vec![0] });
    }
}
