//! Rough sets on decision tables: classes, approximations, core, reducts, rules.
//!
//! The module knows no game. Names are Pawlak's; `docs/rough-sets.md` sets theory and code side by side.

mod approx;
mod approximate;
mod bireduct;
mod certain;
mod clauses;
mod conflict;
mod core;
mod cover;
mod discernibility;
mod error;
mod fraction;
mod greedy;
mod hitting;
mod inducer;
mod minimum;
mod neighbourhood;
mod notion;
mod packed;
mod partition;
mod precision;
mod quotient;
mod reduct;
mod relation;
mod rule;
mod sampling;
mod significance;
mod under_relation;
mod unmet;

pub use approx::{Approximation, Approximations};
pub use approximate::{ApproximateReduct, Epsilon, Measure};
pub use bireduct::{Bireduct, bireducts};
pub use certain::{minimal_certain_rules, rules_of_reduct};
pub use cover::{Cover, smallest_cover};
pub use discernibility::Discernibility;
pub use error::RoughError;
pub use fraction::{Fraction, NotAFraction};
pub use greedy::Criterion;
pub use hitting::{Enumeration, minimal_hitting_sets};
pub use inducer::{Covering, covering_rules};
pub use minimum::Minimum;
pub use neighbourhood::Neighbourhoods;
pub use notion::Notion;
pub use partition::{Distribution, Partition};
pub use precision::Precision;
pub use quotient::Quotient;
pub use reduct::{Method, Reduct, Superreduct};
pub use relation::{Metric, Neighbourhood, Relation};
pub use rule::{Condition, Rule};
pub use sampling::{Candidates, Drawn, Dynamic, Stability, StableReduct, dynamic_reducts};
pub use significance::{Significance, Significances};
pub use under_relation::UnderRelation;
