//! Decision rules and their measures.

use std::fmt;

use super::Fraction;
use super::condition::{Condition, value_condition, word};
use super::tail::upper_tail;
use crate::table::{Code, DecisionTable, with_codes};

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
    /// |U|: the weight of all objects.
    pub total_weight: u64,
}

/// How much of a rule's measures its text form shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wording {
    /// `(5 of 6, 0.83)`: support of matching, inclusion degree.
    #[default]
    Short,
    /// `(5 of 6, inclusion 0.83, coverage 1.00)`.
    Coverage,
    /// `(5 of 6, inclusion 0.83, coverage 1.00, lift 4.00, Laplace 0.67, p 1.2e-3)`.
    Measures,
}

impl Rule {
    /// The rule with these conditions, counted in `table`.
    ///
    /// # Panics
    /// When the table has no such attribute or decision.
    pub fn counted(table: &DecisionTable, mut conditions: Vec<Condition>, decision: u32) -> Self {
        conditions.sort_unstable();
        let rows = matching_objects(table, &conditions);
        let deciding: Vec<u32> =
            rows.iter().copied().filter(|&row| table.decision().code(row as usize) == decision).collect();
        Self {
            conditions,
            decision,
            support: table.weight_of(&deciding),
            matching: table.weight_of(&rows),
            decision_weight: table.decision_weights()[decision as usize],
            total_weight: table.total_weight(),
        }
    }

    /// The inclusion degree of the matching objects in the decision class, which is the rule's confidence:
    /// support / matching.
    pub const fn inclusion(&self) -> Fraction {
        Fraction::new(self.support, self.matching)
    }

    /// The share of the decision class that the rule covers: support / |X_k|.
    pub const fn coverage(&self) -> Fraction {
        Fraction::new(self.support, self.decision_weight)
    }

    /// How much more frequent the decision is among the matching objects than among all: inclusion / (|X_k| / |U|).
    /// Above 1 if the conditions speak for the decision; infinite if no object has it.
    pub fn lift(&self) -> f64 {
        // No objects are in every decision, as inclusion has it.
        let (support, matching) = if self.matching == 0 { (1, 1) } else { (self.support, self.matching) };
        // One division, so that a lift of 3 is 3.
        let product = |a: u64, b: u64| (u128::from(a) * u128::from(b)) as f64;
        product(support, self.total_weight) / product(matching, self.decision_weight)
    }

    /// Laplace's estimate of the inclusion degree, (support + 1) / (matching + |V_d|), in (0, 1): nearer to the middle
    /// the fewer objects match (Clark & Boswell 1991, whose number of classes is that of the domain: decisions without objects count).
    pub fn laplace(&self, n_decisions: usize) -> f64 {
        (self.support + 1) as f64 / (self.matching + n_decisions as u64) as f64
    }

    /// The chance that conditions without any bearing on the decision have at least this support, given what matches:
    /// the upper tail of the hypergeometric distribution, which is Fisher's exact test with one side. In [0, 1]: 0 where it
    /// is too small for a number.
    pub fn p_value(&self) -> f64 {
        upper_tail(self.support, self.matching, self.decision_weight, self.total_weight)
    }

    /// The number of conditions.
    pub const fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Whether it has no conditions and so always holds.
    pub const fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Whether every matching object has the decision.
    pub const fn is_certain(&self) -> bool {
        self.support == self.matching
    }

    /// Whether whatever meets the conditions of this rule meets those of `other`: each of `other`'s conditions is
    /// here too, as it is or narrower.
    pub fn is_special_case_of(&self, other: &Self) -> bool {
        other.conditions.iter().all(|wider| self.conditions.iter().any(|own| own.implies(*wider)))
    }

    /// Whether the object `row` of `table` meets all conditions.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn matches(&self, table: &DecisionTable, row: usize) -> bool {
        self.conditions.iter().all(|condition| condition.matches(table, row))
    }

    /// The objects that meet all conditions, ascending.
    pub fn objects(&self, table: &DecisionTable) -> Vec<u32> {
        matching_objects(table, &self.conditions)
    }

    /// The rule in words, with the names and values of `table`:
    /// `IF tear = normal AND astigmatism = no THEN lenses = soft (5 of 6, 0.83)`.
    ///
    /// Words are separated by spaces; a name or value that holds a space or a quote, is empty or is a word of the
    /// form itself stands in quotes, its own quotes doubled. A missing value is a bare `?`.
    pub fn display<'a>(&'a self, table: &'a DecisionTable) -> impl fmt::Display + 'a {
        self.display_as(table, Wording::Short)
    }

    /// The rule in words as [`Rule::display`] gives it, with the measures that `wording` asks for.
    pub fn display_as<'a>(&'a self, table: &'a DecisionTable, wording: Wording) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            match self.conditions_in_words(table).as_str() {
                "" => f.write_str("ALWAYS")?,
                conditions => write!(f, "IF {conditions} THEN")?,
            }
            let decision = table.decision();
            let value = &decision.domain()[self.decision as usize];
            write!(f, " {} {}", word(decision.name()), value_condition(value))?;
            let (inclusion, coverage) = (self.inclusion().value(), self.coverage().value());
            write!(f, " ({} of {}, ", self.support, self.matching)?;
            match wording {
                Wording::Short => write!(f, "{inclusion:.2})"),
                Wording::Coverage => write!(f, "inclusion {inclusion:.2}, coverage {coverage:.2})"),
                Wording::Measures => {
                    let (lift, laplace, p) = (self.lift(), self.laplace(table.n_decisions()), self.p_value());
                    write!(f, "inclusion {inclusion:.2}, coverage {coverage:.2}, lift {lift:.2}, ")?;
                    write!(f, "Laplace {laplace:.2}, p {p:.1e})")
                }
            }
        })
    }

    /// The conditions alone in words, joined by `AND`; empty if there are none.
    pub fn conditions_in_words(&self, table: &DecisionTable) -> String {
        let words = self.conditions.iter().map(|condition| condition.display(table).to_string());
        words.collect::<Vec<_>>().join(" AND ")
    }
}

fn matching_objects(table: &DecisionTable, conditions: &[Condition]) -> Vec<u32> {
    let Some((first, rest)) = conditions.split_first() else {
        return (0..table.n_objects() as u32).collect();
    };
    let mut rows: Vec<u32> = with_codes!(table.attribute(first.attr).codes(), codes => {
        (0..).zip(codes).filter(|(_, code)| first.holds(code.index() as u32)).map(|(row, _)| row).collect()
    });
    for condition in rest {
        let attribute = table.attribute(condition.attr);
        rows.retain(|&row| condition.holds(attribute.code(row as usize)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::AttrIdx;

    fn lenses() -> DecisionTable {
        let rows = [["normal", "no", "soft"], ["normal", "no", "none"], ["reduced", "no", "none"]];
        DecisionTable::from_rows(&["tear", "astigmatism"], "lenses", &rows).unwrap()
    }

    #[test]
    fn a_lift_of_three_is_three() {
        let rule = Rule {
            conditions: Vec::new(),
            decision: 0,
            support: 6,
            matching: 10,
            decision_weight: 10,
            total_weight: 50,
        };
        assert_eq!(rule.lift(), 3.0);
        assert_eq!(Rule { matching: 0, support: 0, ..rule.clone() }.lift(), 5.0);
        assert!(Rule { decision_weight: 0, ..rule }.lift().is_infinite());
    }

    #[test]
    fn a_rule_reads_as_a_rule() {
        let table = lenses();
        let conditions = vec![Condition::value(AttrIdx::new(1), 0), Condition::value(AttrIdx::new(0), 0)];
        let rule = Rule::counted(&table, conditions, 1);
        let words = "IF tear = normal AND astigmatism = no THEN lenses = soft";
        assert_eq!(rule.display(&table).to_string(), format!("{words} (1 of 2, 0.50)"));
        let coverage = rule.display_as(&table, Wording::Coverage).to_string();
        assert_eq!(coverage, format!("{words} (1 of 2, inclusion 0.50, coverage 1.00)"));
        let measures = rule.display_as(&table, Wording::Measures).to_string();
        let expected = "(1 of 2, inclusion 0.50, coverage 1.00, lift 1.50, Laplace 0.50, p 6.7e-1)";
        assert_eq!(measures, format!("{words} {expected}"));
        assert_eq!(rule.objects(&table), vec![0, 1]);
        assert!(!rule.is_certain() && rule.matches(&table, 1) && !rule.matches(&table, 2));
        let always = Rule::counted(&table, vec![], 0);
        assert_eq!(always.display(&table).to_string(), "ALWAYS lenses = none (2 of 3, 0.67)");
        assert!(rule.is_special_case_of(&always) && !always.is_special_case_of(&rule));
        assert!(always.is_empty() && !rule.is_empty());
    }
}
