//! Small tables drawn at random, and the definitions of rough sets on them, spelled out by brute force.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use proptest::prelude::*;
use roughboard::rough::{Metric, Notion, Relation};
use roughboard::table::{AttrIdx, AttrSet, Attribute, DecisionTable, Value, Weights};

/// Tables of 1 to `most_rows` objects with attributes as `column` draws them for a number of objects, decisions 0 to 2,
/// weights 1 to `most_weight`.
pub fn drawn<Column: Strategy<Value = Vec<Value>>>(
    n_attributes: RangeInclusive<usize>,
    most_rows: usize,
    most_weight: u32,
    column: impl Fn(usize) -> Column,
) -> impl Strategy<Value = DecisionTable> {
    (n_attributes, 1..=most_rows).prop_flat_map(move |(n_attributes, n_rows)| {
        let decision = prop::collection::vec((0..3_i64).prop_map(Value::Integer), n_rows);
        let weights = prop::collection::vec(1..=most_weight, n_rows);
        (prop::collection::vec(column(n_rows), n_attributes), decision, weights)
            .prop_map(|(columns, decision, weights)| table(&columns, &decision, Weights::Counts(weights)))
    })
}

/// A table with the attributes `a0`, `a1`, … and the decision `d`.
pub fn table(columns: &[Vec<Value>], decision: &[Value], weights: Weights) -> DecisionTable {
    let condition = |(at, values): (usize, &Vec<Value>)| Attribute::from_values(format!("a{at}"), values);
    let conditions = columns.iter().enumerate().map(condition).collect();
    DecisionTable::new(conditions, Attribute::from_values("d", decision), weights).unwrap()
}

/// All subsets of the table's attributes.
pub fn subsets(table: &DecisionTable) -> Vec<AttrSet> {
    let n = table.n_attributes();
    (0..1_usize << n).map(|bits| (0..n).filter(|i| bits >> i & 1 == 1).map(AttrIdx::new).collect()).collect()
}

pub fn rows(table: &DecisionTable) -> Range<usize> {
    0..table.n_objects()
}

/// The numbers of an attribute, if all its known values are numbers.
fn numbers(attribute: &Attribute) -> Option<Vec<f64>> {
    attribute.domain().iter().filter(|v| **v != Value::Missing).map(Value::as_real).collect()
}

/// The distance of two values as a share of the range; infinite where they must be equal and are not.
fn distance(attribute: &Attribute, a: &Value, b: &Value) -> f64 {
    if a == b {
        return 0.0;
    }
    let (Some(numbers), Some(x), Some(y)) = (numbers(attribute), a.as_real(), b.as_real()) else {
        return f64::INFINITY;
    };
    (x - y).abs() / (numbers[numbers.len() - 1] - numbers[0])
}

/// Whether two objects are alike, from their values.
pub fn alike(table: &DecisionTable, relation: Relation, attrs: &AttrSet, a: usize, b: usize) -> bool {
    let attributes = attrs.iter().map(|attr| table.attribute(attr));
    let mut values = attributes.map(|attribute| (attribute, attribute.value(a), attribute.value(b)));
    match relation {
        Relation::Indiscernibility => values.all(|(_, a, b)| a == b),
        Relation::Tolerance => values.all(|(_, a, b)| a == b || *a == Value::Missing || *b == Value::Missing),
        Relation::Neighbourhood(near) => {
            let distances = values.map(|(attribute, a, b)| distance(attribute, a, b));
            let whole = match near.metric() {
                Metric::Chebyshev => distances.fold(0.0, f64::max),
                Metric::Euclidean => distances.map(|d| d * d).sum::<f64>().sqrt(),
                Metric::Manhattan => distances.sum(),
            };
            // What is above the radius by less than a billionth of it is rounding.
            whole <= near.radius() * (1.0 + 1e-9)
        }
    }
}

pub type Around = BTreeMap<u32, u64>;

/// Decision → weight in the neighbourhood of an object.
pub fn around(table: &DecisionTable, relation: Relation, attrs: &AttrSet, row: usize) -> Around {
    let mut weights = Around::new();
    for other in rows(table).filter(|&other| alike(table, relation, attrs, row, other)) {
        *weights.entry(table.decision().code(other)).or_insert(0) += table.weight(other);
    }
    weights
}

/// Whether `attrs` preserves `notion` under a relation, by its definition.
pub fn preserves(table: &DecisionTable, relation: Relation, attrs: &AttrSet, notion: Notion) -> bool {
    let all = table.all_attributes();
    rows(table).all(|row| {
        let (part, whole) = (around(table, relation, attrs, row), around(table, relation, &all, row));
        match notion {
            Notion::Positive => (part.len() == 1) == (whole.len() == 1),
            Notion::Generalized => part.keys().eq(whole.keys()),
            Notion::Distribution => same_shares(&part, &whole),
            Notion::Information => rows(table)
                .all(|other| alike(table, relation, attrs, row, other) == alike(table, relation, &all, row, other)),
        }
    })
}

fn same_shares(a: &Around, b: &Around) -> bool {
    let (sum_a, sum_b): (u64, u64) = (a.values().sum(), b.values().sum());
    a.keys().eq(b.keys()) && a.iter().all(|(decision, weight)| weight * sum_b == b[decision] * sum_a)
}
