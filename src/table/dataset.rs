//! Decision tables as data sets of linfa, and back.

use linfa::dataset::{AsSingleTargets, DatasetBase};
use linfa::{Dataset, Float};
use ndarray::{Array1, Array2, ArrayBase, Data, Ix1, Ix2};

use super::{Attribute, DecisionTable, TableError, Value, Weights, names_of};

impl DecisionTable {
    /// The codes as a data set: records (n_objects, n_attributes) with the code of each value, targets (n_objects)
    /// with the code of each decision, and the weights if objects have some.
    ///
    /// Codes ascend as the values do, so that numbers keep their order; for other values the order says nothing.
    ///
    /// ```
    /// use roughboard::table::DecisionTable;
    /// let rows = [["sunny", "hot", "no"], ["rainy", "hot", "yes"]];
    /// let table = DecisionTable::from_rows(&["outlook", "temperature"], "play", &rows).unwrap();
    /// let dataset = table.code_dataset();
    /// assert_eq!(dataset.records(), &ndarray::array![[1.0, 0.0], [0.0, 0.0]]);
    /// assert_eq!(dataset.targets(), &ndarray::array![0, 1]);
    /// assert_eq!(dataset.feature_names(), ["outlook", "temperature"]);
    /// ```
    pub fn code_dataset(&self) -> Dataset<f64, usize, Ix1> {
        let shape = (self.n_objects(), self.n_attributes());
        let records = Array2::from_shape_fn(shape, |(row, at)| f64::from(self.conditions[at].code(row)));
        self.dataset(records, names_of(&self.conditions))
    }

    /// The values as indicators: one column `attribute=value` for each value of each attribute, 1 where an object has
    /// the value and 0 elsewhere; records (n_objects, Σ|V_a|), targets and weights as [`Self::code_dataset`].
    pub fn one_hot_dataset(&self) -> Dataset<f64, usize, Ix1> {
        let width = self.conditions.iter().map(Attribute::n_values).sum();
        let mut records = Array2::zeros((self.n_objects(), width));
        let (mut names, mut start) = (Vec::with_capacity(width), 0);
        for attribute in &self.conditions {
            for row in 0..self.n_objects() {
                records[(row, start + attribute.code(row) as usize)] = 1.0;
            }
            names.extend(attribute.domain().iter().map(|value| format!("{}={value}", attribute.name())));
            start += attribute.n_values();
        }
        self.dataset(records, names)
    }

    fn dataset(&self, records: Array2<f64>, names: Vec<String>) -> Dataset<f64, usize, Ix1> {
        let targets: Array1<usize> = self.decision.codes().to_vec().into_iter().map(|code| code as usize).collect();
        let weights = match &self.weights {
            Weights::Unit => Array1::zeros(0),
            Weights::Counts(counts) => counts.iter().map(|&count| count as f32).collect(),
        };
        let named = Dataset::new(records, targets).with_weights(weights).with_feature_names(names);
        named.with_target_names(vec![self.decision.name()])
    }
}

/// A data set as a decision table.
///
/// Each record is an object, each feature an attribute, each target a decision: an integer. Numbers are compared
/// exactly, bit for bit but for the two zeros, which are one value: records should hold codes or discretised numbers.
/// A NaN is a missing value. Weights must be counts; objects of weight 0 are left out. A feature without a name is
/// called `feature-0`, `feature-1`, …, a target without one `target`.
///
/// ```
/// use linfa::Dataset;
/// use ndarray::array;
/// use roughboard::table::DecisionTable;
/// let dataset = Dataset::new(array![[0.0, 2.5], [1.0, 2.5]], array![7_usize, 9]);
/// let table = DecisionTable::try_from(&dataset).unwrap();
/// assert_eq!((table.n_attributes(), table.decision().value(1).to_string()), (2, "9".to_owned()));
/// ```
impl<F: Float + Into<f64>, D: Data<Elem = F>, T: AsSingleTargets<Elem = usize>>
    TryFrom<&DatasetBase<ArrayBase<D, Ix2>, T>> for DecisionTable
{
    type Error = TableError;

    fn try_from(dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Result<Self, TableError> {
        let names = feature_names(dataset.feature_names(), dataset.records().ncols());
        let conditions = attributes_of_records(dataset.records(), &names);
        let targets: Vec<Value> = dataset.as_single_targets().iter().map(|&label| label_value(label)).collect();
        let name = dataset.target_names().first().map_or("target", String::as_str);
        let table = Self::new(conditions, Attribute::from_values(name, &targets), Weights::Unit)?;
        match dataset.weights() {
            None => Ok(table),
            Some(weights) => table.reweighted(&weight_counts(weights)?),
        }
    }
}

/// The decision value that stands for a label; labels above 2⁶³ are negative, and different.
pub(crate) const fn label_value(label: usize) -> Value {
    Value::Integer(label as i64)
}

/// The given names, or `feature-0`, `feature-1`, … if there are none.
pub(crate) fn feature_names(names: &[String], n_features: usize) -> Vec<String> {
    if names.is_empty() { (0..n_features).map(|at| format!("feature-{at}")).collect() } else { names.to_vec() }
}

/// One attribute for each column of `records`, as many as there are names.
pub(crate) fn attributes_of_records<F: Float + Into<f64>>(
    records: &ArrayBase<impl Data<Elem = F>, Ix2>,
    names: &[String],
) -> Vec<Attribute> {
    let value = |number: &F| {
        let number: f64 = (*number).into();
        // Adding 0 makes one zero of both.
        if number.is_nan() { Value::Missing } else { Value::Real(number + 0.0) }
    };
    let column = |(name, column): (&String, ndarray::ArrayView1<'_, F>)| {
        Attribute::from_values(name.as_str(), &column.iter().map(value).collect::<Vec<_>>())
    };
    names.iter().zip(records.columns()).map(column).collect()
}

/// The weights of a data set as counts.
pub(crate) fn weight_counts(weights: &[f32]) -> Result<Vec<u32>, TableError> {
    let count = |(row, &weight): (usize, &f32)| {
        let is_count = weight.fract() == 0.0 && (0.0..4_294_967_296.0).contains(&weight);
        is_count.then_some(weight as u32).ok_or_else(|| TableError::not_a_count("weights", row, weight))
    };
    weights.iter().enumerate().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_table_survives_the_way_there_and_back() {
        let rows = [["x", "1", "no"], ["y", "1", "yes"], ["x", "1", "no"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap().merged().unwrap();
        let dataset = table.code_dataset();
        assert_eq!(dataset.weights(), Some(&[2.0, 1.0][..]));
        let back = DecisionTable::try_from(&dataset).unwrap();
        assert_eq!((back.weights(), back.decision().name()), (table.weights(), "d"));
        for (ours, theirs) in table.attributes().iter().zip(back.attributes()) {
            assert_eq!((ours.name(), ours.codes()), (theirs.name(), theirs.codes()));
        }
    }

    #[test]
    fn every_value_has_an_indicator() {
        let table = DecisionTable::from_rows(&["a", "b"], "d", &[["x", "u", "1"], ["y", "u", "2"]]).unwrap();
        let dataset = table.one_hot_dataset();
        assert_eq!(dataset.records(), &array![[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
        assert_eq!(dataset.feature_names(), ["a=x", "a=y", "b=u"]);
    }

    #[test]
    fn numbers_are_compared_exactly_and_weights_must_be_counts() {
        let dataset =
            Dataset::new(array![[0.1_f32], [0.1 + f32::EPSILON], [-0.0], [0.0], [f32::NAN]], array![0, 1, 2, 2, 3]);
        let table = DecisionTable::try_from(&dataset).unwrap();
        assert_eq!(table.attributes()[0].codes().to_vec(), [1, 2, 0, 0, 3]);
        let error = DecisionTable::try_from(&dataset.with_weights(array![1.0, 1.0, 0.5, 1.0, 1.0])).unwrap_err();
        assert_eq!(error.to_string(), "column `weights`, row 3: expected a count from 0 to 4294967295, found `0.5`");
    }

    #[test]
    fn objects_without_weight_are_left_out() {
        let dataset = Dataset::new(array![[1.0], [2.0]], array![0, 1]).with_weights(array![0.0, 3.0]);
        let table = DecisionTable::try_from(&dataset).unwrap();
        assert_eq!((table.n_objects(), table.total_weight()), (1, 3));
    }

    /// The largest count is the last number of 24 binary digits below 2³².
    #[test]
    fn weights_are_counts_of_32_bits() {
        assert_eq!(weight_counts(&[0.0, 1.0, 4_294_967_040.0]).unwrap(), [0, 1, 4_294_967_040]);
        for weight in [-1.0, 0.5, 4_294_967_296.0, f32::NAN, f32::INFINITY] {
            assert!(matches!(weight_counts(&[1.0, weight]), Err(TableError::NotACount { .. })), "{weight}");
        }
        assert_eq!(feature_names(&[], 2), ["feature-0", "feature-1"]);
        assert_eq!(feature_names(&["a".to_owned()], 2), ["a"]);
        assert_eq!([3, usize::MAX].map(label_value), [3, -1].map(Value::Integer));
    }
}
