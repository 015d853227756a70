//! Why a network could not be fitted.

use crate::rough::RoughError;
use crate::settings::SettingError;
use crate::table::TableError;

errors! {
    /// Why a network could not be fitted to a data set.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    #[non_exhaustive]
    pub enum FitNetworkError of
        Linfa(linfa::Error), Setting(SettingError), Run(crate::train::RunError), Table(TableError), Rough(RoughError) {
        /// A column holds measured numbers.
        #[error(
            "column `{column}` has {found} different values, but a network distinguishes at most 256: discretise it first"
        )]
        TooManyValues {
            /// The column.
            column: String,
            /// Its number of values.
            found: usize,
        },
        /// A value is missing or infinite.
        #[error("column `{column}` must hold finite numbers, found {found}")]
        NotFinite {
            /// The column.
            column: String,
            /// The value.
            found: String,
        },
        /// A target is no result.
        #[error("target {row} must be in [-1, 1], found {found}")]
        Target {
            /// The target, from 1.
            row: usize,
            /// Its value.
            found: f64,
        },
        /// All labels are equal.
        #[error("the targets must have at least two different labels, found {0}")]
        Labels(usize),
        /// A label of a further batch is not among those of the first.
        #[error("label {label} of target {row} was not in the first batch")]
        UnknownLabel {
            /// The target, from 1.
            row: usize,
            /// The label.
            label: usize,
        },
        /// A further batch has other columns than the first.
        #[error("the records must have the {expected} features of the first batch, found {found}")]
        Columns {
            /// Columns of the first batch.
            expected: usize,
            /// Columns of the further one.
            found: usize,
        },
        /// Games do not make up the positions.
        #[error("the games must have {expected} positions in all, found {found}")]
        Games {
            /// The number of positions.
            expected: usize,
            /// The sum of the lengths.
            found: usize,
        },
        /// There are too many records to number.
        #[error("{0} records, counted as often as they weigh, are too many: at most {max}", max = u32::MAX)]
        TooMany(u64),
        /// No rule has the support asked for.
        #[error("no rule is supported by at least {min_support} of {n_objects} records: lower the support asked for")]
        NoRules {
            /// Records that must support a rule.
            min_support: u64,
            /// Records in all.
            n_objects: u64,
        },
        /// Training ran away.
        #[error("training produced weights that are no numbers within ±10⁶: lower the step size")]
        Diverged,
    }
}
