//! Models of linfa, fitted to positions and their results and kept as networks, so that they are measured and play as
//! networks do: what rough networks, BP and TD(λ) have to beat.
//!
//! Linear models become a plain network without hidden layers, a decision tree becomes a [`TreeNet`](crate::net::TreeNet).
//! All outputs are expected results: y = tanh(a) with a half the log-odds of winning, since 2σ(2a) - 1 = tanh(a). linfa's
//! classifiers know classes and not results, so a draw counts as half a win and half a loss.

mod logistic;
mod svm;
mod tree;

pub use logistic::LogisticSettings;
pub use svm::SvmSettings;
pub use tree::TreeSettings;

use ndarray::Array2;
use rand::seq::index;
use serde::{Deserialize, Serialize};

use super::PositionSet;
use crate::net::Net;
use crate::net::dense::{DenseShape, InputForm};
use crate::net::{Coding, DenseNet, are_weights};
use crate::observe::Observer;
use crate::random;
use crate::settings::{SettingError, require};

/// A model of linfa and its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Model {
    /// Logistic regression (linfa-logistic).
    Logistic(LogisticSettings),
    /// A support vector machine with a linear kernel (linfa-svm).
    Svm(SvmSettings),
    /// A decision tree (linfa-trees).
    Tree(TreeSettings),
}

/// Why a model could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The matrix of the records would be too large.
    #[error(
        "{rows} positions with {columns} inputs each are more than the {MAX_CELLS} numbers that a model is fitted to: \
         `max_objects` must be lower"
    )]
    TooLarge {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// All positions that the model is fitted to have one result.
    #[error("the {0} positions that the model is fitted to have only one result: there is nothing to learn")]
    OneResult(usize),
    /// Logistic regression failed.
    #[error("linfa's logistic regression failed")]
    Logistic(#[from] linfa_logistic::error::Error),
    /// The support vector machine failed.
    #[error("linfa's support vector machine failed")]
    Svm(#[from] linfa_svm::SvmError),
    /// The decision tree failed.
    #[error("linfa's decision tree failed")]
    Tree(#[from] linfa::Error),
    /// The weights are no numbers within ± 10⁶.
    #[error("{0} produced weights that are no numbers within ±10⁶")]
    Diverged(&'static str),
}

/// The most numbers in a matrix of records: 0.8 GB.
const MAX_CELLS: usize = 100_000_000;

impl Model {
    /// The name on the command line and in files: `logistic`, `svm` or `tree`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Logistic(_) => "logistic",
            Self::Svm(_) => "svm",
            Self::Tree(_) => "tree",
        }
    }

    /// Positions that it is fitted to at most, unless other ones are asked for: what takes seconds.
    pub const fn default_max_objects(&self) -> usize {
        match self {
            Self::Logistic(settings) => match settings.inputs {
                InputForm::Numbers => 50_000,
                InputForm::OneHot => 30_000,
            },
            Self::Svm(_) => svm::DEFAULT_OBJECTS,
            Self::Tree(_) => 200_000,
        }
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        match self {
            Self::Logistic(settings) => settings.check(),
            Self::Svm(settings) => settings.check(),
            Self::Tree(settings) => settings.check(),
        }
    }

    /// Fits the model to the results of at most `max_objects` positions of `set`, whose codes are those of `coding`: of all, or
    /// of a sample drawn by `seed`. Also returns the number of positions.
    ///
    /// The same bytes in every run on machines of one type.
    ///
    /// # Errors
    /// When a setting is outside its range, the data are too large or tell nothing, or linfa gives up.
    pub fn fit(
        &self,
        coding: &Coding,
        set: &PositionSet,
        max_objects: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<(Net, usize), ModelError> {
        self.check()?;
        self.check_objects(max_objects)?;
        let sample = Sample { coding, set, rows: chosen(set.len(), max_objects, seed) };
        let n_positions = sample.rows.len();
        if !set.results_differ(sample.rows.iter().copied()) {
            return Err(ModelError::OneResult(n_positions));
        }
        observer.begin(&format!("fit {} to {n_positions} positions", self.name()), n_positions as u64);
        let net = match self {
            Self::Logistic(settings) => logistic::fit(settings, &sample).map(Net::Dense),
            Self::Svm(settings) => svm::fit(settings, &sample).map(Net::Dense),
            Self::Tree(settings) => tree::fit(settings, &sample, observer).map(Net::Tree),
        };
        observer.end();
        Ok((net?, n_positions))
    }

    /// Checks the number of positions to fit to.
    ///
    /// # Errors
    /// When it is too small, or too large for the model.
    pub fn check_objects(&self, max_objects: usize) -> Result<(), SettingError> {
        match self {
            Self::Svm(_) => {
                let most = 10..=svm::MOST_OBJECTS;
                require(most.contains(&max_objects), "max_objects", "in [10, 10000] for svm", max_objects)
            }
            _ => require(max_objects >= 10, "max_objects", "at least 10", max_objects),
        }
    }
}

/// `most` of 0..`n`, or all, ascending.
fn chosen(n: usize, most: usize, seed: u64) -> Vec<usize> {
    if n <= most {
        return (0..n).collect();
    }
    let mut rows = index::sample(&mut random::stream(seed, "positions of a model", 0), n, most).into_vec();
    rows.sort_unstable();
    rows
}

/// The positions that a model is fitted to.
struct Sample<'a> {
    coding: &'a Coding,
    set: &'a PositionSet,
    rows: Vec<usize>,
}

impl Sample<'_> {
    fn codes(&self, row: usize) -> &[u8] {
        self.set.row(row)
    }

    fn result(&self, row: usize) -> f32 {
        self.set.results()[row]
    }

    /// How many inputs a network of this form has.
    fn n_inputs(&self, form: InputForm) -> usize {
        match form {
            InputForm::Numbers => self.coding.n_attributes(),
            InputForm::OneHot => self.coding.n_classes(),
        }
    }

    /// One row for each of `rows`, with the inputs of a plain network without hidden layers.
    fn inputs(&self, rows: &[usize], form: InputForm) -> Result<Array2<f64>, ModelError> {
        let columns = self.n_inputs(form);
        if rows.len().saturating_mul(columns) > MAX_CELLS {
            return Err(ModelError::TooLarge { rows: rows.len(), columns });
        }
        let mut x = Array2::zeros((rows.len(), columns));
        for (mut x, &row) in x.rows_mut().into_iter().zip(rows) {
            for (attribute, &code) in self.codes(row).iter().enumerate() {
                let class = self.coding.class(attribute, code);
                match form {
                    InputForm::Numbers => x[attribute] = f64::from(self.coding.value(class)),
                    InputForm::OneHot => x[class] = 1.0,
                }
            }
        }
        Ok(x)
    }

    /// The plain network without hidden layers whose argument is `weights` · x + `bias`.
    fn linear(
        &self,
        model: &'static str,
        form: InputForm,
        weights: impl Iterator<Item = f64>,
        bias: f64,
    ) -> Result<DenseNet, ModelError> {
        let shape = DenseShape { hidden: Vec::new(), inputs: form, ..DenseShape::one_layer(1) };
        let parameters: Vec<f32> = weights.chain([bias]).map(|weight| weight as f32).collect();
        let net = are_weights(&parameters).then(|| DenseNet::from_parameters(self.coding.clone(), shape, parameters));
        net.flatten().ok_or(ModelError::Diverged(model))
    }
}

/// The share of a win in a result: 1, 0.5 or 0.
fn won(result: f32) -> f32 {
    f32::midpoint(1.0, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_drawn_by_the_seed_and_ascends() {
        assert_eq!(chosen(3, 5, 1), [0, 1, 2]);
        let rows = chosen(100, 10, 1);
        assert!(rows.len() == 10 && rows.is_sorted_by(|a, b| a < b));
        assert_eq!(rows, chosen(100, 10, 1));
        assert_ne!(rows, chosen(100, 10, 2));
    }
}
