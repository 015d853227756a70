//! The quotient of a table: its distinct rows, each with the label that the notion of decision gives its class.
//!
//! Every question about reducts is answered on it: B preserves the notion exactly if no two rows with different
//! labels agree on B.

use std::cmp::Ordering;

use super::{Notion, Partition};
use crate::table::keys::{Keyed, row_keys, value_words, xor_column};
use crate::table::{AttrIdx, AttrSet, Code, Codes, DecisionTable, with_codes};

/// A column of the quotient with the random word of each of its values.
#[derive(Debug, Clone)]
pub(super) struct QuotientColumn {
    pub attr: AttrIdx,
    pub codes: Codes,
    pub n_values: usize,
    pub words: Vec<u64>,
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
            let n_values = table.attribute(attr).n_values();
            QuotientColumn { attr, codes, n_values, words: value_words(attr.index(), n_values) }
        };
        let columns = attrs.iter().zip(Codes::select_each(&codes, &objects)).map(column).collect();
        Self { notion, columns, labels: notion.labels(table, partition), objects, weights: partition.weights(table) }
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

    /// Whether two of `rows` agree on `attrs` and differ in label, found by sorting: the reference, and the answer
    /// when keys of different rows collide.
    pub(super) fn conflict_by_sorting(&self, rows: &[u32], attrs: &AttrSet) -> bool {
        let (columns, mut rows) = (self.selected(attrs), rows.to_vec());
        rows.sort_unstable_by(|&a, &b| compare(&columns, a, b));
        let label = |row: u32| self.labels[row as usize];
        rows.windows(2).any(|w| label(w[0]) != label(w[1]) && compare(&columns, w[0], w[1]).is_eq())
            || rows
                .chunk_by(|&a, &b| compare(&columns, a, b).is_eq())
                .any(|run| run.iter().any(|&row| label(row) != label(run[0])))
    }
}

/// Orders two rows by their values in some columns.
pub(super) fn compare(columns: &[&QuotientColumn], a: u32, b: u32) -> Ordering {
    let values = |row: u32| columns.iter().map(move |column| column.codes.get(row as usize));
    values(a).cmp(values(b))
}
