//! An inverted index of rules: from a value to the rules with a condition that it meets.

use std::ops::Range;

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

/// The places where a condition holds: those of its codes and all between them. An interval goes to the middle of the gaps at its bounds, and
/// without a bound beyond all known values on that side, where the upper half of the gap has no values.
fn places_of(condition: &Condition) -> Range<usize> {
    let &Condition { first, last, .. } = condition;
    if first > last {
        return 0..0;
    }
    let (below, above) = match condition.code() {
        Some(code) => (ValuePlace::of_code(code), ValuePlace::of_code(code)),
        None => (
            if first == 0 { ValuePlace::lower_half(0) } else { ValuePlace::upper_half(first) },
            ValuePlace::lower_half(last + 1),
        ),
    };
    below.index()..above.index() + 1
}

impl RuleIndex {
    /// The index of `rules`, whose conditions are in the codes of `encoder`.
    pub fn new(rules: &[Rule], encoder: &Encoder) -> Self {
        let n_values: Vec<usize> = encoder.domains().map(<[_]>::len).collect();
        let mut postings: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n_values.len()];
        for (number, rule) in (0..).zip(rules) {
            for condition in &rule.conditions {
                let at = condition.attr.index();
                postings[at].extend(places_of(condition).map(|place| (place as u32, number)));
            }
        }
        let used = postings.into_iter().enumerate().filter(|(_, list)| !list.is_empty());
        let columns = used.map(|(at, list)| IndexedColumn::new(at, ValuePlace::bound(n_values[at]), list)).collect();
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
