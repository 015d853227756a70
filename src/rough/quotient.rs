//! The quotient of a table: its distinct rows, each with the label that the notion of decision gives its class.
//!
//! Every question about reducts is answered on it: B preserves the notion exactly if no two rows with different
//! labels agree on B.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::{Fraction, Notion, Partition};
use crate::table::keys::{Keyed, row_keys, value_words, xor_column};
use crate::table::{AttrIdx, AttrSet, Attribute, Code, Codes, DecisionTable, with_codes};

/// A column of the quotient with the random word of each of its values.
#[derive(Debug, Clone)]
pub(super) struct QuotientColumn {
    pub attr: AttrIdx,
    name: String,
    pub codes: Codes,
    pub n_values: usize,
    pub words: Vec<u64>,
}

impl QuotientColumn {
    fn new(attr: AttrIdx, name: String, codes: Codes, n_values: usize) -> Self {
        Self { attr, name, codes, n_values, words: value_words(attr.index(), n_values) }
    }
}

/// U/IND(A) with one row and one label per class.
#[derive(Debug, Clone)]
pub struct Quotient {
    notion: Notion,
    pub(super) columns: Vec<QuotientColumn>,
    /// The label of each row.
    pub labels: Vec<u32>,
    /// The first object of the table in each row's class.
    pub objects: Vec<u32>,
    /// |E| of each row's class: the weight of its objects in the table.
    pub weights: Vec<u64>,
}

impl Quotient {
    /// The quotient of `table` by IND of `attrs`, labelled by `notion`.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn new(table: &DecisionTable, attrs: &AttrSet, notion: Notion) -> Self {
        Self::from_partition(table, attrs, notion, &Partition::by(table, attrs))
    }

    /// As [`Quotient::new`], from the partition of `table` by `attrs`, when that is at hand.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn from_partition(table: &DecisionTable, attrs: &AttrSet, notion: Notion, partition: &Partition) -> Self {
        let objects = partition.first_objects().to_vec();
        let codes: Vec<&Codes> = attrs.iter().map(|attr| table.attribute(attr).codes()).collect();
        let column = |(attr, codes): (AttrIdx, Codes)| {
            let attribute = table.attribute(attr);
            QuotientColumn::new(attr, attribute.name().to_owned(), codes, attribute.n_values())
        };
        let columns = attrs.iter().zip(Codes::select_each(&codes, &objects)).map(column).collect();
        Self { notion, columns, labels: notion.labels(table, partition), objects, weights: partition.weights(table) }
    }

    /// The quotient of `table` by IND of all its attributes, labelled by `notion`, in the memory of the table, with
    /// |POS_A(d)| / |U|: for large tables, of which there is not room for two.
    ///
    /// ```
    /// use roughboard::rough::{Fraction, Notion, Quotient};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "x"], ["1", "y"], ["0", "x"], ["1", "z"]];
    /// let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
    /// let (quotient, gamma) = Quotient::taking(table, Notion::Positive);
    /// assert_eq!((quotient.n_rows(), gamma), (2, Fraction::new(2, 4)));
    /// assert_eq!(quotient.names(&quotient.core()), ["a"]);
    /// ```
    pub fn taking(table: DecisionTable, notion: Notion) -> (Self, Fraction) {
        let partition = Partition::by(&table, &table.all_attributes());
        let (labels, weights) = (notion.labels(&table, &partition), partition.weights(&table));
        let gamma = partition.gamma(&table);
        let objects = partition.into_first_objects();
        let column = |(at, attribute): (usize, Attribute)| {
            let (name, n_values) = (attribute.name().to_owned(), attribute.n_values());
            QuotientColumn::new(AttrIdx::new(at), name, attribute.into_codes_of(&objects), n_values)
        };
        let columns = table.into_attributes().into_par_iter().enumerate().map(column).collect();
        (Self { notion, columns, labels, objects, weights }, gamma)
    }

    /// The notion that the labels stand for.
    pub const fn notion(&self) -> Notion {
        self.notion
    }

    /// The number of distinct rows, |U/IND(A)|.
    pub fn n_rows(&self) -> usize {
        self.objects.len()
    }

    /// The attributes A.
    pub fn attributes(&self) -> AttrSet {
        self.columns.iter().map(|c| c.attr).collect()
    }

    /// The names of the attributes of a set, in column order.
    pub fn names(&self, attrs: &AttrSet) -> Vec<&str> {
        self.selected(attrs).into_iter().map(|column| column.name.as_str()).collect()
    }

    /// The number of the column of `attr`.
    pub(super) fn column_of(&self, attr: AttrIdx) -> Option<usize> {
        self.columns.binary_search_by_key(&attr, |column| column.attr).ok()
    }

    /// The columns of `attrs`.
    pub(super) fn selected(&self, attrs: &AttrSet) -> Vec<&QuotientColumn> {
        self.columns.iter().filter(|c| attrs.contains(c.attr)).collect()
    }

    /// The key of each row over `attrs`.
    pub(super) fn keys(&self, attrs: &AttrSet) -> Vec<u64> {
        let columns = self.selected(attrs).into_iter();
        let keyed = columns.map(|c| Keyed { number: c.attr.index(), codes: &c.codes, n_values: c.n_values });
        row_keys(&keyed.collect::<Vec<_>>(), self.n_rows())
    }

    /// Adds `attr` to keys that lack it, drops it from keys that have it.
    pub(super) fn toggle(&self, keys: &mut [u64], attr: AttrIdx) {
        if let Some(column) = self.column_of(attr) {
            self.toggle_column(keys, column);
        }
    }

    /// Adds the column number `column` to keys that lack it, drops it from keys that have it.
    pub(super) fn toggle_column(&self, keys: &mut [u64], column: usize) {
        xor_column(keys, &self.columns[column].codes, &self.columns[column].words);
    }

    /// XORs the words of one column for `rows` only: `keys[i]` belongs to `rows[i]`.
    pub(super) fn toggle_rows(&self, keys: &mut [u64], rows: &[u32], column: usize) {
        let QuotientColumn { codes, words, .. } = &self.columns[column];
        with_codes!(codes, codes => {
            for (key, &row) in keys.iter_mut().zip(rows) {
                *key ^= words[codes[row as usize].index()];
            }
        });
    }

    /// Two of `rows` that agree on `attrs` and differ in label, found by sorting: the answer when keys of different rows collide.
    pub(super) fn conflict_by_sorting(&self, rows: &[u32], attrs: &AttrSet) -> Option<(u32, u32)> {
        let (columns, mut rows) = (self.selected(attrs), rows.to_vec());
        rows.sort_unstable_by(|&a, &b| compare(&columns, a, b).then(a.cmp(&b)));
        let label = |row: u32| self.labels[row as usize];
        // Of equal rows that do not all have one label two neighbours differ in it.
        let conflict = |pair: &&[u32]| label(pair[0]) != label(pair[1]) && compare(&columns, pair[0], pair[1]).is_eq();
        rows.windows(2).find(conflict).map(|pair| (pair[0], pair[1]))
    }
}

/// Orders two rows by their values in some columns.
pub(super) fn compare(columns: &[&QuotientColumn], a: u32, b: u32) -> Ordering {
    let values = |row: u32| columns.iter().map(move |column| column.codes.get(row as usize));
    values(a).cmp(values(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::Method;
    use crate::table::Weights;

    /// Columns of 8, 16 and 32 bits, where half of the rows occur twice and some of them with two decisions.
    fn table() -> DecisionTable {
        let row = |row: i64| if row % 2 == 0 { row } else { row % 1000 };
        let column = |name: &str, step: i64| Attribute::from_integers(name, (0..140_000).map(|at| row(at) / step));
        let decision = Attribute::from_integers("d", (0..140_000).map(|at| row(at) % 3 + at / 139_000));
        let conditions = vec![column("few", 1000), column("all", 1), column("some", 50)];
        DecisionTable::new(conditions, decision, Weights::Counts((0..140_000).map(|at| at % 5 + 1).collect())).unwrap()
    }

    #[test]
    fn a_quotient_is_the_same_in_memory_of_its_own_and_of_the_table() {
        let table = table();
        let partition = Partition::by(&table, &table.all_attributes());
        for notion in [Notion::Positive, Notion::Generalized, Notion::Distribution, Notion::Information] {
            let own = Quotient::from_partition(&table, &table.all_attributes(), notion, &partition);
            let (taken, gamma) = Quotient::taking(table.clone(), notion);
            let facts = |quotient: &Quotient| {
                let columns =
                    quotient.columns.iter().map(|column| (column.attr, column.name.clone(), column.codes.clone()));
                let columns: Vec<_> = columns.collect();
                (columns, quotient.labels.clone(), quotient.objects.clone(), quotient.weights.clone())
            };
            assert!(facts(&own) == facts(&taken), "{notion}");
            // What a reduct preserves is at least the positive region.
            let reduct = taken.reduct(Method::Backward);
            assert_eq!(taken.names(reduct.attrs()), ["all"]);
            assert_eq!((gamma, Partition::by(&table, reduct.attrs()).gamma(&table)), (gamma, gamma));
            assert!(0.0 < gamma.value() && gamma.value() < 1.0);
        }
    }
}
