//! An inverted index of rules: from a value to the rules with a condition that it meets.

use std::ops::RangeInclusive;

use super::Rule;
use super::condition::Condition;
use crate::table::{Encoded, Encoder, ValuePlace};

/// For every place of every attribute, the rules whose condition on the attribute holds there.
#[derive(Debug, Clone)]
pub(super) struct RuleIndex {
    columns: Vec<IndexedColumn>,
    /// The number of conditions of each rule.
    pub lengths: Vec<u32>,
}

/// The rules of one attribute, those of place `p` from `starts[p]` to `starts[p + 1]`.
#[derive(Debug, Clone)]
struct IndexedColumn {
    /// The position of the attribute among the encoded columns.
    at: usize,
    starts: Vec<u32>,
    rules: Vec<u32>,
}

/// The places where a condition on an attribute of `n_values` values holds: those of its codes and all between them.
/// An interval without a bound reaches beyond all values on that side; the gap at a bound is on neither side.
fn places_of(condition: &Condition, n_values: usize) -> RangeInclusive<usize> {
    let (first, last) = (ValuePlace::of_code(condition.first).index(), ValuePlace::of_code(condition.last).index());
    let below = usize::from(condition.interval && condition.first == 0);
    let above = usize::from(condition.interval && condition.last as usize + 1 == n_values);
    first - below..=last + above
}

impl RuleIndex {
    /// The index of `rules`, whose conditions are in the codes of `encoder`.
    pub fn new(rules: &[Rule], encoder: &Encoder) -> Self {
        let sizes: Vec<usize> = encoder.n_values().collect();
        let mut postings: Vec<Vec<(u32, u32)>> = encoder.n_values().map(|_| Vec::new()).collect();
        for (number, rule) in (0..).zip(rules) {
            for condition in &rule.conditions {
                let at = condition.attr.index();
                postings[at].extend(places_of(condition, sizes[at]).map(|place| (place as u32, number)));
            }
        }
        let used = postings.into_iter().enumerate().filter(|(_, list)| !list.is_empty());
        let columns = used.map(|(at, list)| IndexedColumn::new(at, 2 * sizes[at] + 1, list)).collect();
        Self { columns, lengths: rules.iter().map(|rule| rule.conditions.len() as u32).collect() }
    }

    /// Counts for each rule how many of its conditions the row `row` meets.
    pub(crate) fn count_met(&self, encoded: &Encoded<'_>, row: usize, met: &mut Vec<u32>) {
        met.clear();
        met.resize(self.lengths.len(), 0);
        for column in &self.columns {
            let place = encoded.columns[column.at].place(row).index();
            for &rule in &column.rules[column.starts[place] as usize..column.starts[place + 1] as usize] {
                met[rule as usize] += 1;
            }
        }
    }
}

impl IndexedColumn {
    /// The lists of an attribute with `n_places` places, from pairs of place and rule.
    fn new(at: usize, n_places: usize, mut postings: Vec<(u32, u32)>) -> Self {
        postings.sort_unstable();
        let start = |place: usize| postings.partition_point(|&(other, _)| (other as usize) < place) as u32;
        let starts = (0..=n_places).map(start).collect();
        Self { at, starts, rules: postings.into_iter().map(|(_, rule)| rule).collect() }
    }
}
