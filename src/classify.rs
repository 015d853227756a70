//! Classifiers on decision tables, and their comparison by cross-validation.
//!
//! A [`Learner`] makes a [`Model`] from a training table and sees nothing else: whatever it fits (a reduct, rules,
//! weights) comes from the training objects of the fold. All learners are compared on the same folds. The module knows
//! no game.

mod compare;
mod confusion;
mod error;
mod folds;
mod fuzzy;
#[cfg(feature = "linfa")]
mod logistic;
mod majority;
mod measure;
mod nearest;
mod neighbours;
mod prepared;
mod reduced;
mod riona;
mod rules;
mod tree;

pub use compare::{
    Comparison, CrossValidation, Estimate, FoldResult, Judged, LearnerResults, cross_validate, hold_out,
    joined_classes, trained_rows,
};
pub use confusion::{ClassFigures, Confusion};
pub use error::ClassifyError;
pub use folds::{Fold, stratified_folds};
pub use fuzzy::FuzzyNeighbours;
#[cfg(feature = "linfa")]
pub use logistic::Logistic;
pub use majority::Majority;
pub use neighbours::NearestNeighbours;
pub use prepared::{Preparation, Prepared};
pub use reduced::Reduced;
pub use riona::Riona;
pub use rules::RuleLearner;
pub use tree::Tree;

use crate::choices;
use crate::rough::{Basis, Votes};
use crate::table::{Attribute, DecisionTable, TableError, observed};

/// A way to make classifiers.
pub trait Learner: Sync {
    /// The name that results stand under.
    fn name(&self) -> String;

    /// How it sees the numbers of a table; those that weigh differences see them scaled.
    fn numbers(&self) -> Numbers {
        Numbers::Scaled
    }

    /// Fits a model to all objects of `table`, each counted as often as it weighs.
    ///
    /// # Errors
    /// When the method cannot deal with the table; the message names what it takes.
    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError>;
}

choices! {
    /// How a learner sees attributes whose values are numbers.
    pub enum Numbers = Values {
        /// As names that are equal or not.
        Values,
        /// By their order: it asks whether a number is at most another one.
        Order,
        /// As they are, in units that come from the training objects.
        Scaled,
        /// As the intervals that they were cut into.
        Cut,
        /// Not at all.
        Unused,
    }
}

impl Numbers {
    /// Scaled, unless numbers are taken for names.
    const fn scaled_unless(as_values: bool) -> Self {
        if as_values { Self::Values } else { Self::Scaled }
    }
}

/// A fitted classifier.
pub trait Model: Send + Sync {
    /// Forecasts the decision of each row of `columns`, which hold the attributes of the training table by name, in any
    /// order and in codes of their own. Values that the training table lacks are allowed.
    ///
    /// # Errors
    /// When an attribute is missing.
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError>;

    /// How large the model is.
    fn size(&self) -> ModelSize {
        ModelSize::default()
    }
}

/// A forecast decision with what speaks for each decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The code of the decision in the training table.
    pub decision: u32,
    /// What speaks for each decision: votes, objects or probabilities.
    pub votes: Votes,
    /// Of a rule classifier: whether rules matched.
    pub basis: Option<Basis>,
}

/// The size of a model, in the parts that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelSize {
    /// The number of rules.
    pub rules: Option<usize>,
    /// The number of attributes in the reducts that the model is based on, counted once.
    pub reduct: Option<usize>,
    /// The number of leaves of a tree.
    pub leaves: Option<usize>,
}
