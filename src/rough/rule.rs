//! Decision rules and their measures.

use std::fmt;

use super::Fraction;
use crate::table::{AttrIdx, Code, DecisionTable, with_codes};

/// A condition: the attribute has the value with this code.
pub type Condition = (AttrIdx, u32);

/// IF all conditions hold THEN the decision, with its counts in the table it was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The conditions, by attribute, ascending; no attribute twice.
    pub conditions: Vec<Condition>,
    /// The code of the decision.
    pub decision: u32,
    /// The weight of the objects that match all conditions and have the decision.
    pub support: u64,
    /// The weight of the objects that match all conditions.
    pub matching: u64,
    /// |X_k|: the weight of the objects that have the decision.
    pub decision_weight: u64,
}

impl Rule {
    /// The rule with these conditions, counted in `table`.
    ///
    /// # Panics
    /// When the table has no such attribute or decision.
    #[must_use]
    pub fn counted(table: &DecisionTable, mut conditions: Vec<Condition>, decision: u32) -> Self {
        conditions.sort_unstable();
        let rows = matching_objects(table, &conditions);
        let weight = |rows: &[u32]| rows.iter().map(|&row| table.weight(row as usize)).sum();
        let deciding: Vec<u32> =
            rows.iter().copied().filter(|&row| table.decision().code(row as usize) == decision).collect();
        let decision_weight = table.decision_weights()[decision as usize];
        Self { conditions, decision, support: weight(&deciding), matching: weight(&rows), decision_weight }
    }

    /// The inclusion degree of the matching objects in the decision class (the rule's confidence): support / matching.
    #[must_use]
    pub const fn inclusion(&self) -> Fraction {
        Fraction::new(self.support, self.matching)
    }

    /// The share of the decision class that the rule covers: support / |X_k|.
    #[must_use]
    pub const fn coverage(&self) -> Fraction {
        Fraction::new(self.support, self.decision_weight)
    }

    /// Whether every matching object has the decision.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        self.support == self.matching
    }

    /// Whether the object `row` of `table` meets all conditions.
    ///
    /// # Panics
    /// When there is no such object.
    #[must_use]
    pub fn matches(&self, table: &DecisionTable, row: usize) -> bool {
        self.conditions.iter().all(|&(attr, code)| table.attribute(attr).code(row) == code)
    }

    /// The objects that meet all conditions, ascending.
    #[must_use]
    pub fn objects(&self, table: &DecisionTable) -> Vec<u32> {
        matching_objects(table, &self.conditions)
    }

    /// The rule in words, with the names and values of `table`:
    /// `IF tear = normal AND astigmatism = no THEN lenses = soft (5 of 6, inclusion 0.83, coverage 1.00)`.
    #[must_use]
    pub const fn display<'a>(&'a self, table: &'a DecisionTable) -> impl fmt::Display + 'a {
        Worded { rule: self, table }
    }
}

fn matching_objects(table: &DecisionTable, conditions: &[Condition]) -> Vec<u32> {
    let Some((&(first, code), rest)) = conditions.split_first() else {
        return (0..table.n_objects() as u32).collect();
    };
    let mut rows: Vec<u32> = with_codes!(table.attribute(first).codes(), codes => {
        (0..).zip(codes).filter(|(_, c)| c.index() == code as usize).map(|(row, _)| row).collect()
    });
    for &(attr, code) in rest {
        let attribute = table.attribute(attr);
        rows.retain(|&row| attribute.code(row as usize) == code);
    }
    rows
}

struct Worded<'a> {
    rule: &'a Rule,
    table: &'a DecisionTable,
}

impl fmt::Display for Worded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, table } = self;
        for (i, &(attr, code)) in rule.conditions.iter().enumerate() {
            let attribute = table.attribute(attr);
            let joint = if i == 0 { "IF" } else { " AND" };
            write!(f, "{joint} {} {}", attribute.name(), attribute.domain()[code as usize].condition())?;
        }
        let start = if rule.conditions.is_empty() { "ALWAYS" } else { " THEN" };
        let decision = table.decision();
        write!(f, "{start} {} {}", decision.name(), decision.domain()[rule.decision as usize].condition())?;
        let (inclusion, coverage) = (rule.inclusion().value(), rule.coverage().value());
        write!(f, " ({} of {}, inclusion {inclusion:.2}, coverage {coverage:.2})", rule.support, rule.matching)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_reads_as_a_rule() {
        let rows = [["normal", "no", "soft"], ["normal", "no", "none"], ["reduced", "no", "none"]];
        let table = DecisionTable::from_rows(&["tear", "astigmatism"], "lenses", &rows).unwrap();
        let rule = Rule::counted(&table, vec![(AttrIdx::new(1), 0), (AttrIdx::new(0), 0)], 1);
        let words = "IF tear = normal AND astigmatism = no THEN lenses = soft (1 of 2, inclusion 0.50, coverage 1.00)";
        assert_eq!(rule.display(&table).to_string(), words);
        assert_eq!(rule.objects(&table), vec![0, 1]);
        assert!(!rule.is_certain() && rule.matches(&table, 1) && !rule.matches(&table, 2));
        let always = Rule::counted(&table, vec![], 0);
        assert_eq!(always.display(&table).to_string(), "ALWAYS lenses = none (2 of 3, inclusion 0.67, coverage 1.00)");
    }
}
