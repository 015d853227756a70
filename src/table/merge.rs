//! Rows that are merged as they are read: equal ones become one that counts them, within a limit of memory.
//!
//! A row is the bytes of its codes, compared in full. Rows are shared out by their hashes among parts that threads merge side by side. Where
//! the different rows take more memory than they may while the table is read, those of all parts go to a file, and later each part is
//! merged again for itself. The rows that are left are in the order in which each occurs first, so that whatever is made of them is what would be
//! made of the whole table.

mod rows;
mod spill;

use rayon::prelude::*;

use self::rows::{Block, Rows};
use self::spill::Spill;
use super::error::bytes;
use super::origin::Origin;
use super::reading::Memory;
use super::{Codes, TableError};

/// Parts that rows are shared out among. Each must fit when it is merged by itself.
const PARTS: usize = 128;
/// Rows that are made bytes by one thread at a time.
const BLOCK: usize = 1 << 10;
/// Blocks whose rows are shared out at a time.
const BLOCKS: usize = 64;
/// The share of the limit that different rows may take while the table is read, and that the dictionaries may take: one in so many.
const SHARE: u64 = 4;
/// How much more a dictionary takes while its values are made from it and sorted.
const WHILE_FINISHED: u64 = 3;
/// Bytes that a row of the finished table takes beside its codes, in weights, classes and keys, when a question is answered.
const OF_A_ROW: u64 = 64;

/// What a column keeps in memory beside the codes of its rows.
#[derive(Debug, Clone, Copy)]
pub struct Held<'c> {
    /// The name of the column.
    pub column: &'c str,
    /// How many different values it has so far.
    pub n_values: usize,
    /// The bytes that these take.
    pub bytes: usize,
}

/// The different rows of a table, as far as it was read.
pub(crate) struct Merger {
    memory: Memory,
    parts: Vec<Rows>,
    /// The rows that did not fit.
    spill: Option<Spill>,
    n_rows: usize,
}

/// Refuses a folder that cannot hold the rows that do not fit: they come to light late.
pub(crate) fn check_folder(memory: &Memory) -> Result<(), TableError> {
    memory.folder.as_deref().map_or(Ok(()), |folder| Spill::new(Some(folder)).map(drop))
}

impl Merger {
    /// No row yet.
    pub fn new(memory: &Memory) -> Self {
        Self { memory: memory.clone(), parts: (0..PARTS).map(|_| Rows::default()).collect(), spill: None, n_rows: 0 }
    }

    /// The bytes that the different rows, and the dictionaries, may take while the table is read.
    const fn share(&self) -> u64 {
        self.memory.limit / SHARE
    }

    /// Takes in rows: the codes of each column, whose values are numbered in the order in which they first occur in the whole table.
    pub fn add<'c>(&mut self, columns: &[&Codes], held: impl Iterator<Item = Held<'c>>) -> Result<(), TableError> {
        self.check_dictionaries(held)?;
        let n_rows = columns.first().map_or(0, |codes| codes.len());
        for stretch in (0..n_rows).step_by(BLOCKS * BLOCK) {
            let starts: Vec<usize> = (stretch..n_rows.min(stretch + BLOCKS * BLOCK)).step_by(BLOCK).collect();
            let block = |start: usize| Block::of(columns, start..n_rows.min(start + BLOCK), PARTS);
            let blocks: Vec<Block> = starts.par_iter().map(|&start| block(start)).collect();
            let first = |start: usize| (self.n_rows + start) as u32;
            self.parts.par_iter_mut().enumerate().for_each(|(part, rows)| {
                blocks.iter().zip(&starts).for_each(|(block, &start)| rows.take_up(block, part, first(start)));
            });
            if self.parts.iter().map(Rows::bytes).sum::<usize>() as u64 > self.share() {
                self.put_out()?;
            }
        }
        self.n_rows += n_rows;
        Ok(())
    }

    /// Refuses a group of rows of the file of this `name` if it takes more than half of the limit to read it.
    pub(crate) fn check_group(&self, n_bytes: u64, name: impl FnOnce() -> String) -> Result<(), TableError> {
        if n_bytes <= self.memory.limit / 2 {
            return Ok(());
        }
        let what = format!("a group of rows of `{}` takes {} or more when it is read", name(), bytes(n_bytes));
        Err(self.too_large(format!("{what}; allow more than {}, or write it in smaller groups", bytes(2 * n_bytes))))
    }

    /// Refuses dictionaries that take more than their share, with the column that takes most.
    fn check_dictionaries<'c>(&self, held: impl Iterator<Item = Held<'c>>) -> Result<(), TableError> {
        let (mut sum, mut most) = (0, None::<Held<'_>>);
        for held in held {
            sum += held.bytes as u64;
            most = Some(held).filter(|held| most.is_none_or(|most| held.bytes > most.bytes)).or(most);
        }
        let Some(most) = most.filter(|_| sum > self.share()) else { return Ok(()) };
        let what = format!("the values of the columns take {}, most of them the {}", bytes(sum), most.n_values);
        let advice = format!("of `{}`; leave that column out, or allow more than {}", most.column, bytes(SHARE * sum));
        Err(self.too_large(format!("{what} {advice}")))
    }

    fn too_large(&self, what: String) -> TableError {
        TableError::Memory { limit: self.memory.limit, what }
    }

    /// Puts all rows into the file.
    fn put_out(&mut self) -> Result<(), TableError> {
        let Self { spill, parts, memory, .. } = self;
        let spill = match spill {
            Some(spill) => spill,
            none => none.insert(Spill::new(memory.folder.as_deref())?),
        };
        let n_bytes = parts.iter().map(Rows::bytes).sum::<usize>();
        spill.check_room(n_bytes as u64)?;
        parts.iter_mut().enumerate().try_for_each(|(part, rows)| spill.put(part, std::mem::take(rows)))
    }

    /// The codes of the different rows in each column, which is `held` so, and which rows of the table they are.
    pub fn finish(mut self, held: &[Held<'_>]) -> Result<(Vec<Codes>, Origin), TableError> {
        if self.spill.is_some() {
            self.put_out()?;
        }
        let mut table = Table::new(held.iter().map(|held| held.n_values));
        let dictionaries = held.iter().map(|held| held.bytes as u64).sum::<u64>() * WHILE_FINISHED;
        let of_a_row = table.bytes_of_row();
        let needed = |n_rows: usize| dictionaries + n_rows as u64 * of_a_row;
        let known = self.parts.iter().map(Rows::len).sum();
        let (mut n_different, mut fits) = (known, needed(known) <= self.memory.limit);
        if fits {
            table.make_room(known);
        }
        for part in 0..PARTS {
            let mut rows = std::mem::take(&mut self.parts[part]);
            if let Some(spill) = &mut self.spill {
                rows =
                    spill.merged(part, self.memory.limit)?.ok_or_else(|| self.part_too_large(needed(n_different)))?;
                n_different += rows.len();
                fits = needed(n_different) <= self.memory.limit;
            }
            if fits {
                table.append(&rows);
            } else {
                // They are only counted from here on.
                table = Table::new(std::iter::empty());
            }
        }
        if !fits {
            return Err(self.too_many(n_different, needed(n_different)));
        }
        Ok(table.in_order())
    }

    fn too_many(&self, n_different: usize, needed: u64) -> TableError {
        let what = format!("{n_different} of its {} rows are different, which take {}", self.n_rows, bytes(needed));
        self.too_large(format!("{what}; allow so much, or leave columns out"))
    }

    fn part_too_large(&self, at_least: u64) -> TableError {
        let what = format!("its {} rows are mostly different and take far more than {}", self.n_rows, bytes(at_least));
        self.too_large(format!("{what}; allow more, or leave columns out"))
    }
}

/// The different rows by columns.
struct Table {
    columns: Vec<Codes>,
    /// The row of the file that is the first of each.
    first: Vec<u32>,
    /// How many rows of the file each is.
    counts: Vec<u32>,
}

impl Table {
    /// No row yet of columns with so many values.
    fn new(n_values: impl Iterator<Item = usize>) -> Self {
        let columns = n_values.map(|n_values| Codes::narrow(Vec::new(), n_values)).collect();
        Self { columns, first: Vec::new(), counts: Vec::new() }
    }

    /// Room for so many rows, while there is none.
    fn make_room(&mut self, n_rows: usize) {
        self.columns.iter_mut().for_each(|codes| *codes = codes.room(n_rows));
        self.first.reserve_exact(n_rows);
        self.counts.reserve_exact(n_rows);
    }

    /// Bytes that a row takes in the end: a question keeps the codes twice and more, as columns and packed.
    fn bytes_of_row(&self) -> u64 {
        let codes: u32 = self.columns.iter().map(|codes| codes.bits() / 8).sum();
        u64::from(codes) * 5 / 2 + OF_A_ROW
    }

    fn append(&mut self, rows: &Rows) {
        for row in 0..rows.len() {
            let codes = rows.codes(row);
            self.columns.iter_mut().zip(codes).for_each(|(column, code)| column.push(code));
        }
        self.first.extend_from_slice(rows.first());
        self.counts.extend_from_slice(rows.counts());
    }

    /// The rows in the order of the file.
    fn in_order(self) -> (Vec<Codes>, Origin) {
        let mut order: Vec<u32> = (0..self.first.len() as u32).collect();
        order.par_sort_unstable_by_key(|&row| self.first[row as usize]);
        let columns = self.columns.into_par_iter().map(|codes| codes.select(&order)).collect();
        let sorted = |numbers: &[u32]| order.iter().map(|&row| numbers[row as usize]).collect();
        (columns, Origin::merged(sorted(&self.first), sorted(&self.counts)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use super::*;

    /// Rows of codes, and where they come from.
    type Rows = (Vec<Vec<u32>>, Origin);

    /// What is merged of rows of codes within a limit, and whether some of it had to go to a file.
    fn merged(rows: &[Vec<u32>], limit: u64, at_once: usize) -> (Result<Rows, TableError>, bool) {
        let n_columns = rows[0].len();
        let column = |rows: &[Vec<u32>], at: usize| {
            let codes: Vec<u32> = rows.iter().map(|row| row[at]).collect();
            let n_values = codes.iter().max().unwrap_or(&0) + 1;
            Codes::narrow(codes, n_values as usize)
        };
        let held = |at: usize| {
            let n_values = rows.iter().map(|row| row[at] as usize + 1).max().unwrap_or_default();
            Held { column: "x", n_values, bytes: 0 }
        };
        let mut merger = Merger::new(&Memory { limit, folder: None });
        for rows in rows.chunks(at_once) {
            let columns: Vec<Codes> = (0..n_columns).map(|at| column(rows, at)).collect();
            merger.add(&columns.iter().collect::<Vec<_>>(), std::iter::empty()).unwrap();
        }
        let spilled = merger.spill.is_some();
        let held: Vec<Held<'_>> = (0..n_columns).map(held).collect();
        let finished = merger.finish(&held).map(|(columns, origin)| {
            let n_rows = columns[0].len();
            let rows = (0..n_rows).map(|row| columns.iter().map(|codes| codes.get(row)).collect()).collect();
            (rows, origin)
        });
        (finished, spilled)
    }

    /// The same by one map of whole rows.
    fn plainly(rows: &[Vec<u32>]) -> (Vec<Vec<u32>>, Vec<u32>, Vec<u32>) {
        let mut seen: FxHashMap<&[u32], usize> = FxHashMap::default();
        let (mut different, mut first, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for (row, number) in rows.iter().zip(0..) {
            let at = *seen.entry(row).or_insert_with(|| {
                different.push(row.clone());
                first.push(number);
                counts.push(0);
                counts.len() - 1
            });
            counts[at] += 1;
        }
        (different, first, counts)
    }

    /// Rows of three columns, of which one has codes of up to five bytes.
    fn some_rows(n: usize, n_different: usize) -> Vec<Vec<u32>> {
        let row = |number: usize| {
            let which = (number * 7919) % n_different;
            vec![(which % 3) as u32, (which * which) as u32, (which / 3) as u32]
        };
        (0..n).map(row).collect()
    }

    fn assert_merged(rows: &[Vec<u32>], limit: u64, at_once: usize) -> bool {
        let (found, spilled) = merged(rows, limit, at_once);
        let ((found, origin), (expected, first, counts)) = (found.unwrap(), plainly(rows));
        assert_eq!(found, expected);
        let objects = 0..expected.len() as u32;
        assert_eq!(objects.clone().map(|object| origin.row(object)).collect::<Vec<_>>(), first);
        assert_eq!(objects.map(|object| origin.n_rows(object) as u32).collect::<Vec<_>>(), counts);
        spilled
    }

    #[test]
    fn rows_are_merged_in_memory_and_by_way_of_a_file() {
        let rows = some_rows(200_000, 3_000);
        assert!(!assert_merged(&rows, 100_000_000, 30_000));
        assert!(assert_merged(&rows, 400_000, 3_000), "nothing went to the file");
    }

    #[test]
    fn what_does_not_fit_is_told_with_what_it_takes() {
        let rows = some_rows(20_000, 20_000);
        let (_, first, _) = plainly(&rows);
        let (found, spilled) = merged(&rows, 100_000, 3_000);
        let error = found.unwrap_err().to_string();
        assert!(spilled && error.contains("does not fit in 100 kB"), "{error}");
        assert!(error.contains(&format!("{} of its 20000 rows are different, which take 1.", first.len())), "{error}");
    }

    #[test]
    fn dictionaries_count() {
        let codes = Codes::U8(vec![0]);
        let held = [Held { column: "id", n_values: 70, bytes: 5_000 }, Held { column: "a", n_values: 2, bytes: 9 }];
        let mut merger = Merger::new(&Memory { limit: 8_000, folder: None });
        let error = merger.add(&[&codes], held.into_iter()).unwrap_err().to_string();
        assert!(error.contains("most of them the 70 of `id`") && error.contains("more than 20.1 kB"), "{error}");
    }

    #[test]
    fn a_table_fits_if_its_rows_do_and_three_times_its_dictionaries() {
        let finished = |limit: u64| {
            let mut merger = Merger::new(&Memory { limit, folder: None });
            merger.add(&[&Codes::U8(vec![0])], std::iter::empty()).unwrap();
            merger.finish(&[Held { column: "id", n_values: 70, bytes: 1_000_000 }])
        };
        // The code of its one row is a byte, of which two and a half are two.
        let needed = 3_000_000 + 2 + OF_A_ROW;
        assert!(finished(needed).is_ok());
        assert!(finished(needed - 1).is_err());
    }

    proptest! {
        #[test]
        fn merging_is_that_of_one_map(
            rows in prop::collection::vec(prop::collection::vec(0_u32..400, 2), 1..3000),
            limit in 1_000_u64..1_000_000,
            at_once in 1_usize..1500,
        ) {
            match merged(&rows, limit, at_once).0 {
                Ok(_) => drop(assert_merged(&rows, limit, at_once)),
                Err(error) => prop_assert!(error.to_string().starts_with("it does not fit in ")),
            }
        }
    }
}
