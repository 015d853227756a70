//! Rough sets on decision tables: classes, approximations, core, reducts, rules.
//!
//! The module knows no game. Names are Pawlak's; `docs/rough-sets.md` sets theory and code side by side.
//!
//! | what is asked | where the answer begins |
//! |---|---|
//! | classes U/IND(B) and the decisions in them | [`Partition`], [`Distribution`] |
//! | lower and upper approximation, regions, γ, accuracy | [`Approximations`], also of variable [`Precision`] and under a [`Relation`] |
//! | the core, one reduct, a minimum reduct, all reducts | [`Quotient`], or [`Reduct::of`] for one |
//! | core and reduct of rows that lie elsewhere | [`Asking`] |
//! | the discernibility matrix and function, reducts of one object | [`DiscernibilityMatrix`] |
//! | reducts by sampling, approximate reducts, bireducts | [`dynamic_reducts`], [`ApproximateReduct`], [`bireducts`] |
//! | degrees instead of yes and no, for numbers | [`FuzzyRoughSets`] |
//! | criteria with preferences | [`DominanceRoughSets`] |
//! | what each attribute is worth | [`Significances`] |
//! | rules | [`rules_of_reduct`], [`minimal_rules`], [`lem2`], [`mlem2`], [`covering_rules`], [`sequential_rules`] |
//! | filtering, sorting and shortening rules | [`RuleSet`] |
//! | a decision for a new object | [`RuleClassifier`] |
//! | a proof that others can check | [`Certificate`] |
//!
//! Objects are rows, counted from 0; a decision is its code, an index into the domain of the decision attribute; sizes
//! of sets of objects are sums of weights. What must not fail on a valid table returns no `Result`: it panics only
//! where an argument names an attribute, object or code that the table lacks. [`RoughError`] says where a method ends,
//! such as at 128 attributes. Answers are exact and do not depend on the number of threads.

mod approx;
mod approximate;
mod asking;
mod bireduct;
mod certain;
mod certificate;
mod classes;
mod classifier;
mod clauses;
mod condition;
mod conflict;
mod core;
mod cover;
mod difference;
mod discernibility;
mod dominance;
mod error;
mod failures;
mod fraction;
mod fuzzy;
mod greedy;
mod hitting;
mod inducer;
mod kinds;
mod lem2;
#[cfg(feature = "linfa")]
mod linfa;
mod matrix;
mod minimal;
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
mod rule_index;
mod rule_search;
mod rule_source;
mod ruleset;
mod sampling;
mod saved;
mod sequential;
mod significance;
mod tail;
mod under_relation;
mod unmet;

pub use approx::{Approximation, Approximations};
pub use approximate::{ApproximateReduct, Epsilon, Measure};
pub use asking::{Asking, AtHand, ClauseSource};
pub use bireduct::{Bireduct, bireducts};
pub use certain::{reduced_rules, rules_of_reduct};
pub use certificate::{Certificate, Effort, LowerBound, Pair, Refutation, Witness};
pub(crate) use classifier::winner;
pub use classifier::{Basis, Prediction, RuleClassifier, Unmatched, Vote, Votes, Voting};
pub use condition::Condition;
pub use cover::{Cover, smallest_cover};
pub use difference::{difference_sets, minimal_sets};
pub use discernibility::Discernibility;
pub use dominance::{ClassUnion, DominanceApproximations, DominanceRoughSets, Preference, UnionApproximation};
pub use error::RoughError;
pub use fraction::{Fraction, NotAFraction};
#[cfg(feature = "classify")]
pub(crate) use fuzzy::similarity::{Alike, Point, Scale};
pub use fuzzy::{FuzzyApproximations, FuzzyReduct, FuzzyRoughSets, FuzzySettings, Implicator, Similarity, TNorm};
pub use hitting::{Enumeration, minimal_hitting_sets};
pub use inducer::{Covering, covering_rules};
pub use lem2::{Goal, lem2, mlem2};
#[cfg(feature = "linfa")]
pub use linfa::{FitError, FittedReducer, FittedRuleClassifier, Reducer, RuleClassifierParams};
pub use matrix::{DiscernibilityFunction, DiscernibilityMatrix};
pub use minimal::{Minimal, minimal_certain_rules, minimal_rules};
pub use minimum::Minimum;
pub use neighbourhood::Neighbourhoods;
pub use notion::Notion;
pub(crate) use notion::gcd;
pub use partition::{Distribution, Partition};
pub use precision::Precision;
pub use quotient::Quotient;
pub use reduct::{Method, QuickReduct, Reduct};
pub use relation::{Metric, Neighbourhood, Relation};
pub use rule::{Rule, Wording};
pub use rule_search::{FoundRules, RuleSearch, RulesFrom};
pub use rule_source::{ReductRules, RuleSource, SourcedRules};
pub use ruleset::{Filter, RuleOrder, RuleSet, Verdicts};
pub use sampling::{Candidates, Drawn, Dynamic, Stability, StableReduct, dynamic_reducts};
pub use saved::{RulesError, SavedRules};
pub use sequential::{Sequential, SequentialRules, sequential_rules};
pub use significance::{Significance, Significances};
pub use under_relation::UnderRelation;
