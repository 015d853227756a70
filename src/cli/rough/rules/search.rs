//! The ways to find rules that `roughboard rough rules` offers.

use roughboard::rough::{
    Covering, Goal, Method, Minimal, Notion, Reduct, RoughError, Rule, Sequential, covering_rules, lem2, minimal_rules,
    mlem2, reduced_rules, sequential_rules, smallest_cover,
};
use roughboard::settings::above;
use roughboard::table::DecisionTable;

use crate::cli::session::Session;

/// What a rule must reach and how many there may be when rules are found by weighted covering.
const COVERING: Covering = Covering { n_rules: 60, max_len: 4, min_support: 50 };

roughboard::choices! {
    /// Where rules come from.
    pub enum Origin = Reduct {
        /// The classes of a reduct, shortened by value reduction.
        Reduct = "reduct",
        /// All minimal rules: certain, or of the degree --beta; exhaustive.
        Minimal = "minimal" | "exhaustive",
        /// A smallest set of the minimal rules for what they cover.
        Cover = "cover",
        /// A local covering of each approximation by values.
        Lem2 = "lem2",
        /// The same by intervals, for attributes that are numbers.
        Mlem2 = "mlem2",
        /// Covering by inclusion degree, for large tables.
        Inclusion = "inclusion",
    }
}

roughboard::settings! {
    /// Where rules come from, and how many.
    #[derive(Debug)]
    pub struct Search {
        /// Where rules come from.
        from: Origin = Origin::Reduct;
        /// For --from reduct: how to find the reduct.
        method: Method = Method::Greedy;
        /// For --from lem2 and mlem2: what the rules of a decision cover.
        approximation: Goal = Goal::Lower;
        /// For --from minimal, cover and inclusion: the least inclusion degree of a rule; minimal and cover take 1 without it,
        /// inclusion then takes what gains most.
        beta: Option<f64> = None, in above(0.0).up_to(1.0);
        /// For --from reduct: use the N heaviest classes; for --from minimal and cover: stop after N rules.
        limit: usize = 1000, in 1..;
        /// For --from inclusion: how many rules to find [default: 60, with --beta as many as it takes].
        rules: Option<usize> = None, in 1..;
        /// The most conditions of a rule [default: 4 for --from inclusion without --beta].
        pub max_length: Option<usize> = None, in 1..;
        /// The least number of objects that support a rule [default: 50 for --from inclusion without --beta].
        pub min_support: Option<u64> = None, in 1..;
    }
}

/// Rules and whether they are all that were asked for.
pub struct FoundRules {
    pub rules: Vec<Rule>,
    pub complete: bool,
}

impl Search {
    fn minimal(&self) -> Minimal {
        Minimal {
            beta: self.beta.unwrap_or(1.0),
            max_len: self.max_length.unwrap_or(usize::MAX),
            min_support: self.min_support.unwrap_or(1),
            limit: self.limit,
        }
    }

    /// Whether numbers are taken by intervals.
    pub fn takes_intervals(&self) -> bool {
        self.from == Origin::Mlem2
    }

    /// Finds rules in `table`.
    pub fn find(&self, table: &DecisionTable, session: &Session) -> Result<FoundRules, RoughError> {
        let (attrs, observer) = (table.all_attributes(), &session.progress);
        let all = |rules| FoundRules { rules, complete: true };
        Ok(match self.from {
            Origin::Reduct => {
                let reduct = Reduct::of(table, Notion::Positive, self.method);
                let reduced = reduced_rules(table, reduct.attrs(), self.limit, observer);
                FoundRules { rules: reduced.found, complete: reduced.complete }
            }
            Origin::Minimal => {
                let rules = minimal_rules(table, &attrs, &self.minimal(), observer)?;
                FoundRules { rules: rules.found, complete: rules.complete }
            }
            Origin::Cover => {
                let rules = minimal_rules(table, &attrs, &self.minimal(), observer)?;
                let cover = smallest_cover(table, &rules.found);
                let chosen = cover.chosen.iter().map(|&at| rules.found[at].clone()).collect();
                FoundRules { rules: chosen, complete: rules.complete && cover.smallest }
            }
            Origin::Lem2 => all(lem2(table, &attrs, self.approximation, observer)),
            Origin::Mlem2 => all(mlem2(table, &attrs, self.approximation, observer)),
            Origin::Inclusion => all(self.by_inclusion(table, session)),
        })
    }

    fn by_inclusion(&self, table: &DecisionTable, session: &Session) -> Vec<Rule> {
        let (attrs, observer) = (table.all_attributes(), &session.progress);
        if let Some(beta) = self.beta {
            let settings = Sequential {
                beta,
                max_len: self.max_length.unwrap_or(usize::MAX),
                min_support: self.min_support.unwrap_or(1),
                n_rules: self.rules.unwrap_or(usize::MAX),
            };
            return sequential_rules(table, &attrs, &settings, observer).rules;
        }
        let settings = Covering {
            n_rules: self.rules.unwrap_or(COVERING.n_rules),
            max_len: self.max_length.unwrap_or(COVERING.max_len),
            min_support: self.min_support.unwrap_or(COVERING.min_support),
        };
        covering_rules(table, &attrs, &settings, observer)
    }
}
