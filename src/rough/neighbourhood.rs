//! The neighbourhoods of objects under a relation, row by row: the n² matrix never exists.
//!
//! Rows are the distinct rows of a table. Domains are in ascending order, so the values near to one are a run of codes;
//! a row is compared with a block of others column by column, until none of the block is left.

use rayon::prelude::*;

use super::hitting::Clause;
use super::{Distribution, Metric, Relation, RoughError};
use crate::observe::Observer;
use crate::table::{AttrIdx, AttrSet, Attribute, Code, Codes, DecisionTable, Value, with_codes};

/// Rows compared at a time, so that what is known of them stays in the first-level cache.
pub(super) const BLOCK: usize = 512;
/// Rows between two reports of progress.
const CHUNK: usize = 64;
/// The most distinct rows that are all compared with each other.
const MAX_ROWS: usize = 100_000;
/// The most pairs of a row and a decision in its neighbourhood.
const MAX_DECISIONS: usize = 1 << 28;
const NONE: u32 = u32::MAX;

/// The distinct rows of a table, ready to be compared by a relation.
#[derive(Debug, Clone)]
pub struct Neighbourhoods {
    columns: Vec<Column>,
    n_rows: usize,
    /// How distances of all numeric columns are joined, and which of them are near, where no column decides alone.
    joint: Option<(Metric, f64)>,
}

/// One attribute on the rows.
#[derive(Debug, Clone)]
struct Column {
    attr: AttrIdx,
    codes: Codes,
    near: Near,
    /// The numbers that distances are made of, where they are joined.
    numbers: Option<Numbers>,
}

/// The number of each row, 0 for a missing one, and the range of the attribute, 1 if all are equal.
#[derive(Debug, Clone)]
struct Numbers {
    of_rows: Vec<f64>,
    range: f64,
}

/// Which codes are like which: for each code a run of codes, and perhaps one that is like all.
#[derive(Debug, Clone)]
struct Near {
    /// First code of the run, and their number.
    runs: Vec<(u32, u32)>,
    /// The code that is like every other; `NONE` if there is none.
    wild: u32,
}

impl Neighbourhoods {
    /// The objects `rows` of `table`, to be compared on `attrs`. Only those with different values need be given.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks, or `rows` an object that it lacks.
    pub fn new(table: &DecisionTable, attrs: &AttrSet, relation: Relation, rows: &[u32]) -> Self {
        let joint = relation.joint();
        let column = |attr: AttrIdx| {
            let attribute = table.attribute(attr);
            let codes = attribute.codes().select(rows);
            let numbers = joint.and_then(|_| Numbers::new(attribute, &codes));
            Column { attr, near: near(attribute, relation), codes, numbers }
        };
        Self { columns: attrs.iter().map(column).collect(), n_rows: rows.len(), joint }
    }

    pub(super) const fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// The rows in the neighbourhood of `row`, ascending; `row` is one of them.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn of_row(&self, row: usize) -> Vec<u32> {
        let mut found = Vec::new();
        self.visit(row, &mut Vec::new(), |other| found.push(other as u32));
        found
    }

    /// For each row the decisions in its neighbourhood, ascending, with their weights; `of_rows` has those of the rows
    /// themselves.
    pub(super) fn decisions(
        &self,
        of_rows: &Distribution,
        table: &DecisionTable,
        observer: &dyn Observer,
    ) -> Vec<Vec<(u32, u64)>> {
        observer.begin("comparing rows", self.n_rows as u64);
        let mut around = vec![Vec::new(); self.n_rows];
        around.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, around)| {
            let (mut sums, mut distances) = (Sums::new(table.n_decisions()), Vec::new());
            for (at, entries) in around.iter_mut().enumerate() {
                self.visit(chunk * CHUNK + at, &mut distances, |other| sums.add(of_rows.of_class(other)));
                *entries = sums.take();
            }
            observer.advance(around.len() as u64);
        });
        observer.end();
        around
    }

    /// Calls `found` with every row in the neighbourhood of `row`, ascending.
    fn visit(&self, row: usize, distances: &mut Vec<f64>, mut found: impl FnMut(usize)) {
        let mut alike = [1; BLOCK];
        for start in (0..self.n_rows).step_by(BLOCK) {
            let alike = &mut alike[..BLOCK.min(self.n_rows - start)];
            self.compare(row, start, alike, distances);
            (start..).zip(alike.iter()).filter(|(_, alike)| **alike == 1).for_each(|(other, _)| found(other));
        }
    }

    /// Which of the rows from `start` on are in the neighbourhood of `row`: 1 or 0.
    fn compare(&self, row: usize, start: usize, alike: &mut [u8], distances: &mut Vec<f64>) {
        alike.fill(1);
        for column in &self.columns {
            column.each(row, start, alike, |alike, near| *alike &= u8::from(near));
            if !alike.contains(&1) {
                return;
            }
        }
        let Some((metric, radius)) = self.joint else { return };
        distances.clear();
        distances.resize(alike.len(), 0.0);
        for numbers in self.columns.iter().filter_map(|column| column.numbers.as_ref()) {
            numbers.add_distances(metric, row, start, distances);
        }
        for (alike, distance) in alike.iter_mut().zip(distances) {
            let whole = if metric == Metric::Euclidean { distance.sqrt() } else { *distance };
            *alike &= u8::from(whole <= radius);
        }
    }

    /// The columns that tell `row` from each of the rows from `start` on, as bits. At most [`BLOCK`] rows at a time.
    ///
    /// Eight columns at a time make a byte per row, and eight bytes a word, because narrow values are compared many at
    /// once.
    pub(super) fn differences<C: Clause>(&self, row: usize, start: usize, masks: &mut [C]) {
        if self.columns.is_empty() {
            masks.fill(C::default());
        }
        for (at, columns) in self.columns.chunks(64).enumerate() {
            let (mut words, mut bytes) = ([0_u64; BLOCK], [0_u8; BLOCK]);
            for (octet, columns) in columns.chunks(8).enumerate() {
                let bytes = &mut bytes[..masks.len()];
                bytes.fill(0);
                for (bit, column) in columns.iter().enumerate() {
                    column.each(row, start, bytes, |byte, near| *byte |= u8::from(!near) << bit);
                }
                for (word, byte) in words.iter_mut().zip(bytes) {
                    *word |= u64::from(*byte) << (8 * octet);
                }
            }
            for (mask, word) in masks.iter_mut().zip(words) {
                // Written at once, the first word costs no reading of what was there.
                if at == 0 {
                    *mask = C::default();
                }
                mask.insert_word(64 * at, word);
            }
        }
    }

    /// The attributes of the columns whose bits are set.
    pub(super) fn attributes_of<C: Clause>(&self, columns: &C) -> AttrSet {
        columns.elements().filter_map(|at| self.columns.get(at)).map(|column| column.attr).collect()
    }
}

/// Refuses a table whose neighbourhoods cannot be counted.
pub(super) fn check_size(task: &'static str, n_rows: usize, n_decisions: usize) -> Result<(), RoughError> {
    RoughError::check_rows(task, n_rows, MAX_ROWS.min(MAX_DECISIONS / n_decisions.max(1)))
}

impl Relation {
    /// Checks that the numbers of `attrs` have distances, where it asks for some.
    ///
    /// # Errors
    /// For the first attribute with infinite numbers, or whose range is too large for a number.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn check(self, table: &DecisionTable, attrs: &AttrSet) -> Result<(), RoughError> {
        let Self::Neighbourhood(near) = self else { return Ok(()) };
        let asks = near.radius() > 0.0 || self.joint().is_some();
        if !asks {
            return Ok(());
        }
        attrs.iter().map(|attr| table.attribute(attr)).try_for_each(|attribute| {
            let numbers = attribute.numbers().unwrap_or_default();
            let ends = numbers.first().copied().zip(numbers.last().copied());
            ends.map_or(Ok(()), |ends| RoughError::check_range(attribute.name(), ends).map(drop))
        })
    }
}

impl Column {
    /// Calls `set` for each of the rows from `start` on with its lane and whether it is near to `row`.
    fn each(&self, row: usize, start: usize, lanes: &mut [u8], set: impl Fn(&mut u8, bool)) {
        let (first, length) = self.near.runs[self.codes.get(row) as usize];
        // Without a code that is like all, one that is near anyway stands in for it.
        let wild = if self.near.wild == NONE { first } else { self.near.wild };
        macro_rules! compare {
            ($codes:expr, $kind:ty) => {{
                let (first, last, wild) = (first as $kind, (length - 1) as $kind, wild as $kind);
                for (lane, &code) in lanes.iter_mut().zip(&$codes[start..]) {
                    set(lane, (code.wrapping_sub(first) <= last) | (code == wild));
                }
            }};
        }
        match &self.codes {
            Codes::U8(codes) => compare!(codes, u8),
            Codes::U16(codes) => compare!(codes, u16),
            Codes::U32(codes) => compare!(codes, u32),
        }
    }
}

/// The codes of `attribute` that are alike under `relation`; for a joint metric, those that may be.
fn near(attribute: &Attribute, relation: Relation) -> Near {
    let n_values = attribute.n_values() as u32;
    let itself = || (0..n_values).map(|code| (code, 1)).collect();
    match relation {
        Relation::Indiscernibility => Near { runs: itself(), wild: NONE },
        Relation::Tolerance => {
            let missing = attribute.code_of(&Value::Missing);
            let run = |code: u32| if missing == Some(code) { (0, n_values) } else { (code, 1) };
            Near { runs: (0..n_values).map(run).collect(), wild: missing.unwrap_or(NONE) }
        }
        Relation::Neighbourhood(near) => {
            let radius = if relation.joint().is_some() { f64::INFINITY } else { near.reach() };
            let runs = attribute.numbers().map_or_else(itself, |numbers| runs_within(&numbers, radius, n_values));
            Near { runs, wild: NONE }
        }
    }
}

/// The largest less the smallest of some ascending numbers.
fn range(numbers: &[f64]) -> f64 {
    numbers.last().map_or(0.0, |last| last - numbers[0])
}

/// For each of the ascending `numbers` the run of those at most `radius` ranges away; later codes stand alone.
fn runs_within(numbers: &[f64], radius: f64, n_values: u32) -> Vec<(u32, u32)> {
    // Divided as the distances of other metrics are, so that the same numbers lie on the border.
    let range = Some(range(numbers)).filter(|range| *range > 0.0 && radius > 0.0).unwrap_or(1.0);
    let all = radius == f64::INFINITY || range == f64::INFINITY;
    let run = |code: u32| {
        let Some(&number) = numbers.get(code as usize) else { return (code, 1) };
        let first = numbers.partition_point(|&other| !all && (number - other) / range > radius) as u32;
        let end = numbers.partition_point(|&other| all || (other - number) / range <= radius) as u32;
        let (first, end) = (first.min(code), end.max(code + 1));
        (first, end - first)
    };
    (0..n_values).map(run).collect()
}

impl Numbers {
    /// Those of a numeric attribute.
    fn new(attribute: &Attribute, codes: &Codes) -> Option<Self> {
        let mut numbers = attribute.numbers()?;
        let range = range(&numbers);
        numbers.resize(attribute.n_values(), 0.0);
        let of_rows = with_codes!(codes, codes => codes.iter().map(|code| numbers[code.index()]).collect());
        Some(Self { of_rows, range: if range > 0.0 { range } else { 1.0 } })
    }

    /// Adds the distances between `row` and the rows from `start` on.
    fn add_distances(&self, metric: Metric, row: usize, start: usize, distances: &mut [f64]) {
        let own = self.of_rows[row];
        for (sum, other) in distances.iter_mut().zip(&self.of_rows[start..]) {
            let distance = (own - other).abs() / self.range;
            *sum += if metric == Metric::Euclidean { distance * distance } else { distance };
        }
    }
}

/// Weights by decision, summed up over a neighbourhood.
struct Sums {
    weights: Vec<u64>,
    met: Vec<bool>,
    touched: Vec<u32>,
}

impl Sums {
    fn new(n_decisions: usize) -> Self {
        Self { weights: vec![0; n_decisions], met: vec![false; n_decisions], touched: Vec::new() }
    }

    fn add(&mut self, entries: &[(u32, u64)]) {
        for &(decision, weight) in entries {
            let at = decision as usize;
            if !std::mem::replace(&mut self.met[at], true) {
                self.touched.push(decision);
            }
            self.weights[at] += weight;
        }
    }

    /// The sums, by decision; empty afterwards.
    fn take(&mut self) -> Vec<(u32, u64)> {
        self.touched.sort_unstable();
        let entries = self.touched.iter().map(|&decision| (decision, self.weights[decision as usize])).collect();
        for decision in self.touched.drain(..) {
            (self.weights[decision as usize], self.met[decision as usize]) = (0, false);
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::Partition;
    use crate::table::{Roles, Weights};

    #[test]
    fn runs_hold_the_numbers_within_the_radius() {
        let runs = |radius| runs_within(&[0.0, 1.0, 3.0, 10.0], radius, 5);
        assert_eq!(runs(0.0), vec![(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(runs(0.2), vec![(0, 2), (0, 3), (1, 2), (3, 1), (4, 1)]);
        assert_eq!(runs(1.0)[..4], [(0, 4); 4]);
        assert_eq!(runs_within(&[f64::NEG_INFINITY, 0.0, f64::INFINITY], 0.5, 3)[1], (0, 3));
        assert_eq!(runs_within(&[7.0], 0.5, 1), vec![(0, 1)]);
        // On the border, though 0.29 times 100 is less than 29.
        assert_eq!(runs_within(&[0.0, 29.0, 100.0], 0.29, 3)[0], (0, 2));
    }

    #[test]
    fn rounding_takes_no_object_from_the_border() {
        // 0.8 - 0.7 and 0.5 - 0.4 are not the same in floating point.
        let tenths: Vec<Value> = (0..=10).map(|n| Value::Real(f64::from(n) / 10.0)).collect();
        let relation = Relation::neighbourhood(0.1, Metric::Chebyshev).unwrap();
        let runs = near(&Attribute::from_values("a", &tenths), relation).runs;
        assert_eq!((runs[0], runs[10]), ((0, 2), (9, 2)));
        (1..10).for_each(|code| assert_eq!(runs[code], (code as u32 - 1, 3)));
        // 0.1 + 0.2 + 0.3 is more than 0.6, and 0.3 + 0.2 + 0.1 is not.
        for csv in ["a,b,c,d\n0,0,0,x\n1,2,3,y\n10,10,10,x\n", "a,b,c,d\n0,0,0,x\n3,2,1,y\n10,10,10,x\n"] {
            let table = DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap();
            let relation = Relation::neighbourhood(0.6, Metric::Manhattan).unwrap();
            let near = Neighbourhoods::new(&table, &table.all_attributes(), relation, &[0, 1, 2]);
            assert_eq!(near.of_row(0), [0, 1], "{csv}");
        }
        // Different numbers stay different where the radius is 0.
        let relation = Relation::neighbourhood(0.0, Metric::Manhattan).unwrap();
        let table = DecisionTable::from_csv("a,d\n0,x\n1e-300,y\n1,x\n", &Roles::decided_by("d")).unwrap();
        assert_eq!(Neighbourhoods::new(&table, &table.all_attributes(), relation, &[0, 1, 2]).of_row(0), [0]);
    }

    #[test]
    fn a_range_that_is_too_large_is_not_called_infinite() {
        let refused = |csv: &str| {
            let table = DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap();
            let relation = Relation::neighbourhood(0.1, Metric::Chebyshev).unwrap();
            relation.check(&table, &table.all_attributes()).unwrap_err().to_string()
        };
        assert!(refused("a,d\n-1e308,x\n1e308,y\n").contains("`a` have a range that is too large"));
        assert!(refused("a,d\n-1e308,x\ninf,y\n").contains("`a` has infinite numbers"));
    }

    #[test]
    fn a_missing_value_is_near_to_itself_only() {
        let values = [Value::Integer(0), Value::Integer(10), Value::Missing];
        let relation = Relation::neighbourhood(5.0, Metric::Euclidean).unwrap();
        let near = near(&Attribute::from_values("a", &values), relation);
        assert_eq!((near.runs, near.wild), (vec![(0, 2), (0, 2), (2, 1)], NONE));
    }

    /// The numbers from 0 to 100, each a decision of its own: within a tenth of their range are ten on either side.
    #[test]
    fn each_of_many_rows_gets_the_decisions_around_it() {
        let column = |name: &str| Attribute::from_integers(name, 0..101);
        let table = DecisionTable::new(vec![column("a")], column("d"), Weights::Unit).unwrap();
        let (all, relation) = (table.all_attributes(), Relation::neighbourhood(0.1, Metric::Chebyshev).unwrap());
        let partition = Partition::by(&table, &all);
        let near = Neighbourhoods::new(&table, &all, relation, partition.first_objects());
        let around = near.decisions(&Distribution::of(&table, &partition), &table, &Silent);
        assert_eq!(around.len(), 101);
        for (row, found) in (0_u32..).zip(around) {
            let expected = (row.saturating_sub(10)..=(row + 10).min(100)).map(|decision| (decision, 1));
            assert_eq!(found, expected.collect::<Vec<(u32, u64)>>(), "{row}");
        }
    }
}
