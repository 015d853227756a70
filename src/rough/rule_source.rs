//! Ways to get the rules of a classifier from a table.

use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

use super::minimal::shortest_rules;
use super::{
    Covering, Goal, Method, Notion, Quotient, Reduct, RoughError, Rule, Vote, covering_rules, lem2, mlem2,
    rules_of_reduct,
};
use crate::observe::Observer;
use crate::random;
use crate::settings;
use crate::table::{AttrIdx, DecisionTable};

/// Where the rules of a classifier come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSource {
    /// One rule for each class of U/IND(R), shortened, where R is a reduct.
    Reduct(ReductRules),
    /// Minimal certain rules over all attributes.
    Minimal {
        /// The most rules for each class of U/IND(A); the shortest are taken.
        per_class: usize,
    },
    /// Covering by inclusion degree.
    Inclusion(Covering),
    /// Certain rules by LEM2.
    Lem2,
    /// Certain rules by MLEM2, with intervals of numbers.
    Mlem2,
}

settings! {
    /// Which reducts give rules, and how many.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ReductRules {
        /// What the reducts preserve.
        pub notion: Notion = Notion::Positive;
        /// How the first reduct is found.
        pub method: Method = Method::Greedy;
        /// The number of reducts, at least 1. Those after the first drop attributes in random orders, so that they differ;
        /// the rules of all of them vote. One short reduct says little where attributes repeat each other: what it leaves
        /// out could have outvoted its mistakes.
        pub count: usize = 1, in 1..;
        /// The seed of those orders.
        pub seed: u64 = 1;
        /// Use the heaviest classes of each reduct only, at most so many.
        pub limit: usize = usize::MAX;
    }
}

/// Rules and what they were made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcedRules {
    /// The rules, counted in the table.
    pub rules: Vec<Rule>,
    /// The reducts whose classes they describe, if they do.
    pub reducts: Vec<Reduct>,
}

impl Default for RuleSource {
    fn default() -> Self {
        Self::Reduct(ReductRules::default())
    }
}

impl RuleSource {
    /// What a vote of these rules usually weighs.
    pub const fn vote(&self) -> Vote {
        if matches!(self, Self::Inclusion(_)) { Vote::OF_COVERING } else { Vote::Support }
    }

    /// The rules of `table`.
    ///
    /// # Errors
    /// When a discernibility clause would need more than 128 attributes, or there are too many values and decisions to be counted.
    pub fn rules(&self, table: &DecisionTable, observer: &dyn Observer) -> Result<SourcedRules, RoughError> {
        let attrs = table.all_attributes();
        let rules = match self {
            Self::Reduct(settings) => return Ok(settings.rules(table)),
            Self::Minimal { per_class } => shortest_rules(table, *per_class, observer)?,
            Self::Lem2 => lem2(table, &attrs, Goal::Lower, observer),
            Self::Mlem2 => mlem2(table, &attrs, Goal::Lower, observer),
            Self::Inclusion(settings) => covering_rules(table, &attrs, settings, observer)?,
        };
        Ok(SourcedRules { rules, reducts: Vec::new() })
    }
}

impl ReductRules {
    fn rules(&self, table: &DecisionTable) -> SourcedRules {
        let reducts = self.reducts(table);
        let mut rules: Vec<Rule> =
            reducts.iter().flat_map(|reduct| rules_of_reduct(table, reduct, self.limit)).collect();
        let mut seen = FxHashSet::default();
        rules.retain(|rule| seen.insert((rule.conditions.clone(), rule.decision)));
        SourcedRules { rules, reducts }
    }

    /// The different reducts, that of the method first.
    fn reducts(&self, table: &DecisionTable) -> Vec<Reduct> {
        let quotient = Quotient::new(table, &table.all_attributes(), self.notion);
        let mut reducts = vec![quotient.reduct(self.method)];
        for draw in 1..self.count {
            let mut order: Vec<AttrIdx> = table.all_attributes().iter().collect();
            order.shuffle(&mut random::stream(self.seed, "reducts", draw as u64));
            let reduct = quotient.reduct_by_order(&order);
            if !reducts.contains(&reduct) {
                reducts.push(reduct);
            }
        }
        reducts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::minimal_certain_rules;

    #[test]
    fn without_a_limit_all_minimal_certain_rules_are_found() {
        let rows = [["0", "0", "x"], ["1", "1", "y"], ["2", "2", "x"], ["2", "2", "y"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        let all = minimal_certain_rules(&table, &table.all_attributes(), usize::MAX).unwrap().found;
        let key = |rules: &[Rule]| {
            let mut keys: Vec<_> = rules.iter().map(|rule| (rule.conditions.clone(), rule.decision)).collect();
            keys.sort();
            keys
        };
        let of = |per_class| RuleSource::Minimal { per_class }.rules(&table, &Silent).unwrap().rules;
        assert_eq!(key(&of(usize::MAX)), key(&all));
        assert_eq!((of(1).len(), all.len()), (2, 4));
    }

    #[test]
    fn rules_of_a_reduct_come_with_it() {
        let table = DecisionTable::from_rows(&["a", "b"], "d", &[["0", "0", "x"], ["1", "0", "y"]]).unwrap();
        let set = RuleSource::default().rules(&table, &Silent).unwrap();
        assert_eq!(table.names(set.reducts[0].attrs()), ["a"]);
        assert_eq!(set.rules.len(), 2);
    }

    #[test]
    fn several_reducts_differ_and_share_no_rule() {
        let rows = [["0", "0", "0", "x"], ["1", "1", "0", "y"], ["2", "2", "2", "z"], ["3", "3", "3", "z"]];
        let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
        let source = RuleSource::Reduct(ReductRules { count: 20, ..ReductRules::default() });
        let set = source.rules(&table, &Silent).unwrap();
        let mut names: Vec<_> = set.reducts.iter().map(|reduct| table.names(reduct.attrs())).collect();
        names.sort();
        assert_eq!(names, [["a"], ["b"]]);
        assert_eq!(set.rules.len(), 8);
    }
}
