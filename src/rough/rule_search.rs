//! The searches for rules that a user may ask for by name.

use super::{
    Covering, Goal, Method, Minimal, Notion, Reduct, RoughError, Rule, Sequential, Vote, covering_rules, lem2,
    minimal_rules, mlem2, reduced_rules, sequential_rules, smallest_cover,
};
use crate::observe::Observer;
use crate::settings::above;
use crate::table::{AttrSet, DecisionTable};
use crate::{choices, settings};

/// The most minimal rules, unless another limit is asked for.
const MANY: usize = 100_000;

choices! {
    /// Where rules come from.
    pub enum RulesFrom = Reduct {
        /// The classes of a reduct, shortened by value reduction.
        Reduct,
        /// All minimal rules: certain, or of the degree beta; exhaustive.
        Minimal | "exhaustive",
        /// A smallest set of the minimal rules for what they cover.
        Cover,
        /// A local covering of each approximation by values.
        Lem2,
        /// The same by intervals, for attributes that are numbers.
        Mlem2,
        /// Covering by inclusion degree, for large tables.
        Inclusion,
    }
}

settings! {
    /// Where rules come from, and how many.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::rough::{RuleSearch, RulesFrom};
    /// use roughboard::table::DecisionTable;
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &[["0", "0", "x"], ["1", "0", "y"]]).unwrap();
    /// let found = RuleSearch { from: RulesFrom::Lem2, ..RuleSearch::default() }.find(&table, &Silent).unwrap();
    /// assert!(found.complete && found.rules.len() == 2);
    /// ```
    #[derive(Debug, Clone, PartialEq)]
    pub struct RuleSearch {
        /// Where rules come from.
        pub from: RulesFrom = RulesFrom::Reduct;
        /// For rules from a reduct: how to find the reduct.
        pub method: Method = Method::Greedy;
        /// For rules from lem2 and mlem2: what the rules of a decision cover.
        pub approximation: Goal = Goal::Lower;
        /// For rules from minimal, cover and inclusion: the least inclusion degree of a rule; minimal and cover take 1 without it,
        /// inclusion then takes what gains most.
        pub beta: Option<f64> = None, in above(0.0).up_to(1.0);
        /// For rules from a reduct: use the N heaviest classes [default: all]; for rules from minimal and cover: find N rules at the most,
        /// of each class some [default: 100,000].
        pub limit: Option<usize> = None, in 1..;
        /// For rules from inclusion: how many rules to find [default: 500 for each decision, with beta as many as it takes].
        pub n_rules: Option<usize> = None, in 1..;
        /// The most conditions of a rule [default: 8 for rules from inclusion without beta].
        pub max_length: Option<usize> = None, in 1..;
        /// The least number of objects that support a rule [default: 2 for rules from inclusion without beta].
        pub min_support: Option<u64> = None, in 1..;
    }
}

/// Rules and whether they are all that were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRules {
    /// The rules, counted in the table.
    pub rules: Vec<Rule>,
    /// Whether no limit kept others from being found.
    pub complete: bool,
    /// Of a smallest cover, whether it is proved that no fewer rules cover as much: no limit kept any from being found, and the search
    /// for the fewest came to its end, which is after a number of steps at the latest. None of other rules.
    pub proved: Option<bool>,
}

impl RuleSearch {
    /// Whether numbers are taken by intervals.
    pub fn takes_intervals(&self) -> bool {
        self.from == RulesFrom::Mlem2
    }

    /// What a vote of these rules usually weighs.
    pub fn vote(&self) -> Vote {
        if self.from == RulesFrom::Inclusion { Vote::OF_COVERING } else { Vote::default() }
    }

    /// Finds rules in `table`.
    ///
    /// # Errors
    /// When a discernibility clause would need more than 128 attributes, or there are too many values and decisions to be counted.
    pub fn find(&self, table: &DecisionTable, observer: &dyn Observer) -> Result<FoundRules, RoughError> {
        let attrs = table.all_attributes();
        let all = |rules| FoundRules { rules, complete: true, proved: None };
        Ok(match self.from {
            RulesFrom::Reduct => {
                let reduct = Reduct::of(table, Notion::Positive, self.method);
                let reduced = reduced_rules(table, reduct.attrs(), self.limit.unwrap_or(usize::MAX), observer);
                FoundRules { rules: reduced.found, complete: reduced.complete, proved: None }
            }
            RulesFrom::Minimal => {
                let rules = minimal_rules(table, &attrs, &self.minimal(), observer)?;
                FoundRules { rules: rules.found, complete: rules.complete, proved: None }
            }
            RulesFrom::Cover => {
                let rules = minimal_rules(table, &attrs, &self.minimal(), observer)?;
                let cover = smallest_cover(table, &rules.found);
                let chosen = cover.chosen.iter().map(|&at| rules.found[at].clone()).collect();
                FoundRules { rules: chosen, complete: rules.complete, proved: Some(cover.smallest && rules.complete) }
            }
            RulesFrom::Lem2 => all(lem2(table, &attrs, self.approximation, observer)),
            RulesFrom::Mlem2 => all(mlem2(table, &attrs, self.approximation, observer)),
            RulesFrom::Inclusion => self.by_inclusion(table, &attrs, observer)?,
        })
    }

    fn minimal(&self) -> Minimal {
        Minimal {
            beta: self.beta.unwrap_or(1.0),
            max_len: self.max_length.unwrap_or(usize::MAX),
            min_support: self.min_support.unwrap_or(1),
            limit: self.limit.unwrap_or(MANY),
        }
    }

    fn by_inclusion(
        &self,
        table: &DecisionTable,
        attrs: &AttrSet,
        observer: &dyn Observer,
    ) -> Result<FoundRules, RoughError> {
        let up_to =
            |n_rules: usize, rules: Vec<Rule>| FoundRules { complete: rules.len() < n_rules, rules, proved: None };
        if let Some(beta) = self.beta {
            let settings = Sequential {
                beta,
                max_len: self.max_length.unwrap_or(usize::MAX),
                min_support: self.min_support.unwrap_or(1),
                n_rules: self.n_rules.unwrap_or(usize::MAX),
            };
            return Ok(up_to(settings.n_rules, sequential_rules(table, attrs, &settings, observer).rules));
        }
        let usual = Covering::usual(table);
        let settings = Covering {
            n_rules: self.n_rules.unwrap_or(usual.n_rules),
            max_len: self.max_length.unwrap_or(usual.max_len),
            min_support: self.min_support.unwrap_or(usual.min_support),
        };
        Ok(up_to(settings.n_rules, covering_rules(table, attrs, &settings, observer)?))
    }
}
