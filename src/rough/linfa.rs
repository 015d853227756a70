//! Reducts and rule classifiers with the traits of linfa: fit, transform, predict.

use linfa::Float;
use linfa::dataset::{AsSingleTargets, AsTargets, DatasetBase};
use linfa::traits::{Fit, PredictInplace, Transformer};
use ndarray::{Array1, Array2, ArrayBase, Axis, Data, Ix2};

use super::{Method, Notion, Reduct, RoughError, RuleClassifier, RuleSource, Voting};
use crate::observe::Silent;
use crate::table::{Attribute, DecisionTable, TableError, Value, attributes_of_records, names_of};

errors! {
    /// Why a data set could not be fitted.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    pub enum FitError of Table(TableError), Rough(RoughError), Linfa(linfa::error::Error) {}
}

/// Parameters of the reduction of a data set to the features of one reduct.
///
/// Records are codes or discretised numbers, for values are compared exactly (see the conversion of data sets to
/// [`DecisionTable`]). The fitted reducer keeps the reduct's columns of any data set with the same features, with its
/// targets, weights and names.
///
/// ```
/// use linfa::prelude::*;
/// use linfa_trees::DecisionTree;
/// use roughboard::rough::Reducer;
/// use roughboard::table::DecisionTable;
///
/// let rows = [
///     ["sunny", "hot", "high", "weak", "no"], ["sunny", "hot", "high", "strong", "no"],
///     ["overcast", "hot", "high", "weak", "yes"], ["rain", "mild", "high", "weak", "yes"],
///     ["rain", "cool", "normal", "weak", "yes"], ["rain", "cool", "normal", "strong", "no"],
///     ["overcast", "cool", "normal", "strong", "yes"], ["sunny", "mild", "high", "weak", "no"],
///     ["sunny", "cool", "normal", "weak", "yes"], ["rain", "mild", "normal", "weak", "yes"],
///     ["sunny", "mild", "normal", "strong", "yes"], ["overcast", "mild", "high", "strong", "yes"],
///     ["overcast", "hot", "normal", "weak", "yes"], ["rain", "mild", "high", "strong", "no"],
/// ];
/// let names = ["outlook", "temperature", "humidity", "wind"];
/// let dataset = DecisionTable::from_rows(&names, "play", &rows)?.code_dataset();
///
/// let reducer = Reducer::default().fit(&dataset)?;
/// let reduced = reducer.transform(dataset);
/// assert_eq!(reduced.feature_names(), ["outlook", "humidity", "wind"]);
/// let tree = DecisionTree::params().fit(&reduced)?;
/// let accuracy = tree.predict(&reduced).confusion_matrix(&reduced)?.accuracy();
/// println!("accuracy on the training objects: {accuracy:.2}");
/// assert!(accuracy > 0.7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reducer {
    /// What the reduct preserves.
    pub notion: Notion,
    /// How it is found.
    pub method: Method,
}

/// A reducer that knows its reduct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FittedReducer {
    /// The reduct; attribute `i` is the column `i` of the records.
    pub reduct: Reduct,
    n_features: usize,
}

impl FittedReducer {
    /// The columns that are kept, ascending.
    pub fn columns(&self) -> Vec<usize> {
        self.reduct.attrs().iter().map(|attr| attr.index()).collect()
    }
}

impl<F: Float + Into<f64>, D: Data<Elem = F>, T: AsSingleTargets<Elem = usize>> Fit<ArrayBase<D, Ix2>, T, FitError>
    for Reducer
{
    type Object = FittedReducer;

    /// Finds a reduct of the records (n_samples, n_features) with their targets (n_samples).
    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<FittedReducer, FitError> {
        let reduct = Reduct::of(&DecisionTable::try_from(dataset)?, self.notion, self.method);
        Ok(FittedReducer { reduct, n_features: dataset.records().ncols() })
    }
}

impl<F: Float, D: Data<Elem = F>> Transformer<&ArrayBase<D, Ix2>, Array2<F>> for FittedReducer {
    /// Keeps the reduct's columns.
    ///
    /// # Panics
    /// When there are not as many columns as the reducer was fitted to.
    fn transform(&self, records: &ArrayBase<D, Ix2>) -> Array2<F> {
        let found = records.ncols();
        assert_eq!(found, self.n_features, "the records must have the features that the reducer was fitted to");
        records.select(Axis(1), &self.columns())
    }
}

impl<F: Float, D: Data<Elem = F>, L, T: AsTargets<Elem = L>>
    Transformer<DatasetBase<ArrayBase<D, Ix2>, T>, DatasetBase<Array2<F>, T>> for FittedReducer
{
    /// Keeps the reduct's columns and their names; targets and weights stay as they are.
    ///
    /// # Panics
    /// When there are not as many columns as the reducer was fitted to.
    fn transform(&self, dataset: DatasetBase<ArrayBase<D, Ix2>, T>) -> DatasetBase<Array2<F>, T> {
        let records = self.transform(dataset.records());
        let kept = |names: &[String]| self.columns().iter().filter_map(|&at| names.get(at).cloned()).collect();
        let feature_names: Vec<String> = kept(dataset.feature_names());
        let (target_names, weights) = (dataset.target_names().to_vec(), dataset.weights.clone());
        let reduced = DatasetBase::new(records, dataset.targets).with_weights(weights);
        reduced.with_feature_names(feature_names).with_target_names(target_names)
    }
}

/// Parameters of a rule classifier of linfa data sets.
///
/// ```
/// use linfa::prelude::*;
/// use ndarray::array;
/// use roughboard::rough::RuleClassifierParams;
/// let dataset = Dataset::new(array![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]], array![7_usize, 9, 9]);
/// let model = RuleClassifierParams::default().fit(&dataset)?;
/// assert_eq!(model.predict(&array![[0.0, 0.0], [1.0, 5.0]]), array![7, 9]);
/// # Ok::<(), roughboard::rough::FitError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleClassifierParams {
    /// Where rules come from.
    pub source: RuleSource,
    /// How they vote.
    pub voting: Voting,
}

/// A rule classifier fitted to a linfa data set: it predicts labels.
#[derive(Debug, Clone)]
pub struct FittedRuleClassifier {
    /// The classifier by itself, which tells votes and matching rules.
    pub classifier: RuleClassifier,
    labels: Vec<usize>,
    names: Vec<String>,
}

impl<F: Float + Into<f64>, D: Data<Elem = F>, T: AsSingleTargets<Elem = usize>> Fit<ArrayBase<D, Ix2>, T, FitError>
    for RuleClassifierParams
{
    type Object = FittedRuleClassifier;

    /// Finds rules in the records (n_samples, n_features) with their targets (n_samples).
    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<FittedRuleClassifier, FitError> {
        let table = DecisionTable::try_from(dataset)?;
        let classifier = RuleClassifier::new(&table, self.source.rules(&table, &Silent)?.rules, self.voting);
        let names = names_of(table.attributes());
        // The way back from the integers that stand for labels.
        let label = |value: &Value| value.as_integer().unwrap_or_default() as usize;
        let labels = classifier.decisions().iter().map(label).collect();
        Ok(FittedRuleClassifier { classifier, labels, names })
    }
}

impl<F: Float + Into<f64>, D: Data<Elem = F>> PredictInplace<ArrayBase<D, Ix2>, Array1<usize>>
    for FittedRuleClassifier
{
    /// Predicts the label of each record.
    ///
    /// # Panics
    /// When the records have other features than the classifier was fitted to, or there is not one target for each.
    fn predict_inplace(&self, records: &ArrayBase<D, Ix2>, targets: &mut Array1<usize>) {
        assert_eq!(records.nrows(), targets.len(), "there must be one target for each record");
        assert_eq!(records.ncols(), self.names.len(), "the records must have the features of the training records");
        let columns: Vec<Attribute> = attributes_of_records(records, &self.names);
        let predictions = self.classifier.predict(&columns).unwrap_or_default();
        for (target, prediction) in targets.iter_mut().zip(predictions) {
            *target = self.labels[prediction.decision as usize];
        }
    }

    fn default_target(&self, records: &ArrayBase<D, Ix2>) -> Array1<usize> {
        Array1::zeros(records.nrows())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linfa::Dataset;
    use linfa::traits::Predict;
    use ndarray::array;

    #[test]
    fn the_reducer_keeps_targets_weights_and_names() {
        let records = array![[5.0, 0.0, 1.0], [5.0, 1.0, 1.0], [5.0, 0.0, 0.0]];
        let dataset = Dataset::new(records, array![0_usize, 1, 0])
            .with_weights(array![1.0, 2.0, 3.0])
            .with_feature_names(vec!["a", "b", "c"])
            .with_target_names(vec!["d"]);
        let reducer = Reducer::default().fit(&dataset).unwrap();
        assert_eq!(reducer.columns(), [1]);
        let reduced = reducer.transform(dataset);
        assert_eq!(reduced.records(), &array![[0.0], [1.0], [0.0]]);
        assert_eq!((reduced.targets(), reduced.weights()), (&array![0, 1, 0], Some(&[1.0, 2.0, 3.0][..])));
        assert_eq!((reduced.feature_names(), reduced.target_names()), (&["b".to_owned()][..], &["d".to_owned()][..]));
    }

    #[test]
    fn labels_are_predicted_not_codes() {
        let dataset = Dataset::new(array![[0.5_f32], [1.5]], array![40_usize, 30]);
        let model = RuleClassifierParams::default().fit(&dataset).unwrap();
        assert_eq!(model.predict(&dataset), array![40, 30]);
        assert_eq!(model.predict(&array![[9.5_f32]]), array![30]);
        assert_eq!(model.classifier.rules().len(), 2);
    }

    #[test]
    fn a_data_set_without_records_is_refused() {
        let dataset = Dataset::new(Array2::<f64>::zeros((0, 2)), Array1::<usize>::zeros(0));
        assert_eq!(Reducer::default().fit(&dataset).unwrap_err().to_string(), "the table has no rows");
    }
}
