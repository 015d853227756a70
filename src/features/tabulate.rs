//! Rows of value codes with results → a merged decision table.

use super::AttributeSpec;
use super::distinct::DistinctRows;
use crate::table::{Attribute, Codes, CountTable, DecisionTable, TableError, Value};

/// The name of the decision attribute: the result of the game for the side that moves first.
pub const DECISION: &str = "result";

/// The values of [`DECISION`] in the order of their codes.
pub const RESULTS: [i64; 3] = [-1, 0, 1];

/// Rows that are merged as they come: only different ones take memory, about half a byte a code where no attribute has more than 16
/// values.
#[derive(Debug, Clone)]
pub struct Tabulation {
    attributes: Vec<AttributeSpec>,
    distinct: DistinctRows,
    /// Of each result, how often each distinct row had it.
    counts: [Vec<u32>; RESULTS.len()],
}

impl Tabulation {
    /// No rows yet.
    pub fn new(attributes: Vec<AttributeSpec>) -> Self {
        let most_values = attributes.iter().map(|spec| spec.values.len()).max().unwrap_or_default();
        let distinct = DistinctRows::new(attributes.len(), most_values);
        Self { attributes, distinct, counts: Default::default() }
    }

    /// Takes in `rows` (each one code per attribute) with their results (1, 0, -1 each).
    pub fn add<'a>(&mut self, rows: impl Iterator<Item = &'a [u8]>, results: &[f32]) {
        let (counts, mut results) = (&mut self.counts, results.iter());
        self.distinct.number_all(rows.take(results.len()), |index| {
            if index == counts[0].len() {
                counts.iter_mut().for_each(|column| column.push(0));
            }
            if let Some(&result) = results.next() {
                counts[(result + 1.0) as usize][index] += 1;
            }
        });
    }

    /// The table of the rows: equal ones are one, in the order of first appearance, and keep their count per result.
    ///
    /// # Errors
    /// When there are no rows.
    pub fn finish(self) -> Result<CountTable, TableError> {
        let columns = self.attributes.into_iter().zip(self.distinct.into_columns());
        let conditions = columns.map(|(spec, codes)| column(spec, codes)).collect::<Result<_, _>>()?;
        let domain = RESULTS.map(Value::Integer).to_vec();
        CountTable::new(conditions, (DECISION, domain), self.counts.into())
    }
}

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
    let mut merged = Tabulation::new(attributes.to_vec());
    merged.add(rows, results);
    merged.finish()?.into_objects()
}

fn column(spec: AttributeSpec, codes: Vec<u8>) -> Result<Attribute, TableError> {
    let domain = spec.values.iter().map(|&value| Value::Integer(i64::from(value))).collect();
    Attribute::new(spec.name, domain, Codes::U8(codes))
}
