//! Why classifiers could not be fitted or compared.

use crate::rough::RoughError;
use crate::settings::SettingError;
use crate::table::TableError;

errors! {
    /// Why classifiers could not be fitted or compared.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    pub enum ClassifyError of Table(TableError), Rough(RoughError), Setting(SettingError) {
        /// Every fold must test something.
        #[error("{folds} folds need at least {folds} objects, the table has {objects}")]
        TooFewObjects {
            /// The number of folds.
            folds: usize,
            /// The weight of all objects.
            objects: u64,
        },
        /// What an object without decision is forecast to be cannot be judged.
        #[error("the table to test on has an object without decision")]
        Undecided,
        /// A confusion table of all decisions is too large to be shown.
        #[error(
            "the decision has {found} values, at most {limit} can stand in a confusion table: if it is a number, cut it into \
             intervals first, by `rough discretize` with another decision or none; if it names the objects, take another"
        )]
        TooManyDecisions {
            /// How many there are, those that are only tested included.
            found: usize,
            /// The most that are possible.
            limit: usize,
        },
        /// The indicators of all values do not fit.
        #[error(
            "the {learner} baseline takes at most {limit} {what} of numbers, this table gives {found}: leave out attributes \
             with many values, or the baseline"
        )]
        TooLarge {
            /// The learner.
            learner: &'static str,
            /// `columns` or `cells`.
            what: &'static str,
            /// How many there are.
            found: u64,
            /// The most that are possible.
            limit: u64,
        },
        /// An optimiser gave up.
        #[error("the {learner} baseline cannot be fitted: {reason}")]
        Unfitted {
            /// The learner.
            learner: &'static str,
            /// Its reason, on one line.
            reason: String,
        },
    }
}
