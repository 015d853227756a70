//! Rough sets on decision tables: classes, approximations, core, reducts, rules.
//!
//! The module knows no game. Names are Pawlak's; `docs/rough-sets.md` sets theory and code side by side.

mod approx;
mod certain;
mod classifier;
mod clauses;
mod conflict;
mod core;
mod cover;
mod error;
mod fraction;
mod greedy;
mod hitting;
mod inducer;
mod linfa;
mod notion;
mod partition;
mod quotient;
mod reduct;
mod rule;
mod rule_index;
mod rule_source;

pub use approx::{Approximation, Approximations};
pub use certain::{minimal_certain_rules, rules_of_reduct};
pub(crate) use classifier::winner;
pub use classifier::{Basis, Prediction, RuleClassifier, Unmatched, Vote, Voting};
pub use cover::{Cover, smallest_cover};
pub use error::RoughError;
pub use fraction::Fraction;
pub use hitting::{Enumeration, minimal_hitting_sets};
pub use inducer::{Covering, covering_rules};
pub use linfa::{FitError, FittedReducer, FittedRuleClassifier, Reducer, RuleClassifierParams};
pub use notion::Notion;
pub use partition::{Distribution, Partition};
pub use quotient::Quotient;
pub use reduct::{Method, Reduct, Superreduct};
pub use rule::{Condition, Rule};
pub use rule_source::{ReductRules, RuleSet, RuleSource};
