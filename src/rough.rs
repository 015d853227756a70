//! Rough sets on decision tables: classes, approximations, core, reducts, rules.
//!
//! The module knows no game. Names are Pawlak's; `docs/rough-sets.md` sets theory and code side by side.

mod approx;
mod certain;
mod classes;
mod clauses;
mod condition;
mod conflict;
mod core;
mod cover;
mod error;
mod failures;
mod fraction;
mod greedy;
mod hitting;
mod inducer;
mod lem2;
mod minimal;
mod notion;
mod partition;
mod quotient;
mod reduct;
mod rule;
mod ruleset;
mod saved;
mod sequential;
mod shorten;
mod tail;
mod trial;

pub use approx::{Approximation, Approximations};
pub use certain::{ReducedRules, reduced_rules, rules_of_reduct};
pub use condition::Condition;
pub use cover::{Cover, smallest_cover};
pub use error::RoughError;
pub use fraction::Fraction;
pub use hitting::{Enumeration, minimal_hitting_sets};
pub use inducer::{Covering, covering_rules};
pub use lem2::{Goal, lem2, mlem2};
pub use minimal::{Minimal, minimal_certain_rules, minimal_rules};
pub use notion::Notion;
pub use partition::{Distribution, Partition};
pub use quotient::Quotient;
pub use reduct::{Method, Reduct, Superreduct};
pub use rule::{Rule, Wording};
pub use ruleset::{Filter, Order, RuleSet};
pub use saved::{RulesError, SavedRules};
pub use sequential::{Sequential, SequentialRules, sequential_rules};
