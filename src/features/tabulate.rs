//! Rows of value codes with results → a merged decision table.

use rustc_hash::FxHashMap;

use super::AttributeSpec;
use crate::table::{Attribute, Codes, DecisionTable, TableError, Value};

/// The name of the decision attribute: the result of the game for the side that moves first.
pub const DECISION: &str = "result";

/// The values of [`DECISION`] in the order of their codes.
pub const RESULTS: [i64; 3] = [-1, 0, 1];

/// The decision table of `rows` (each one code per attribute) and their results (1, 0, -1 each): equal rows are merged
/// into one, in the order of first appearance, and keep their count per result.
///
/// # Errors
/// When there are no rows.
pub fn tabulate<'a>(
    attributes: &[AttributeSpec],
    rows: impl Iterator<Item = &'a [u8]>,
    results: &[f32],
) -> Result<DecisionTable, TableError> {
    let mut index_of: FxHashMap<&[u8], u32> = FxHashMap::default();
    let mut distinct: Vec<&[u8]> = Vec::new();
    let mut counts: [Vec<u32>; RESULTS.len()] = Default::default();
    for (row, &result) in rows.zip(results) {
        let index = *index_of.entry(row).or_insert_with(|| {
            distinct.push(row);
            counts.iter_mut().for_each(|column| column.push(0));
            (distinct.len() - 1) as u32
        });
        counts[(result + 1.0) as usize][index as usize] += 1;
    }
    let conditions: Result<Vec<_>, _> =
        attributes.iter().enumerate().map(|(t, spec)| column(spec, t, &distinct)).collect();
    let domain = RESULTS.map(Value::Integer).to_vec();
    DecisionTable::from_counts(conditions?, (DECISION, domain), &counts)
}

fn column(spec: &AttributeSpec, index: usize, rows: &[&[u8]]) -> Result<Attribute, TableError> {
    let domain = spec.values.iter().map(|&value| Value::Integer(i64::from(value))).collect();
    Attribute::new(spec.name.as_str(), domain, Codes::U8(rows.iter().map(|row| row[index]).collect()))
}
