//! Learners compared on the same objects.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::folds::{Fold, stratified_folds};
use super::{ClassifyError, Confusion, Forecast, Learner, ModelSize};
use crate::observe::Observer;
use crate::rough::Basis;
use crate::settings::{counted, first_of, require};
use crate::stats::{Z95, t95, wilson};
use crate::table::{Attribute, DecisionTable, EncodedColumn, Encoder, TableError, Value, codes_in};

/// How a table is split again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossValidation {
    /// The number of folds, at least 2.
    pub folds: usize,
    /// How often the table is split anew, at least 1.
    pub repeats: usize,
    /// The seed of the splits.
    pub seed: u64,
}

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// What one learner did in one fold.
#[derive(Debug, Clone, PartialEq)]
pub struct FoldResult {
    /// The repeat, from 0.
    pub repeat: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// The weight of its training objects.
    pub training_weight: u64,
    /// Its confusion table.
    pub confusion: Confusion,
    /// The size of the model.
    pub size: ModelSize,
}

/// A test object and its forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The repeat, from 0.
    pub repeat: usize,
    /// The fold, from 0.
    pub fold: usize,
    /// The row that the object comes from, counted from 0 as [`DecisionTable::row_of`] does.
    pub row: u32,
    /// The weight that it was tested with.
    pub weight: u64,
    /// Its decision, as an index into [`Comparison::classes`].
    pub truth: u32,
    /// What was forecast; codes are indices into [`Comparison::classes`].
    pub forecast: Forecast,
}

/// The results of one learner.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnerResults {
    /// The learner's name.
    pub name: String,
    /// What it did in each fold, by repeat and fold.
    pub folds: Vec<FoldResult>,
    /// The forecasts for all test objects, if they were to be kept.
    pub judged: Vec<Judged>,
    /// Whether each test object of each fold was forecast rightly.
    right: Vec<bool>,
}

/// The results of several learners on the same test objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The decisions: those of the training table in ascending order, then others that were only tested.
    pub classes: Vec<Value>,
    /// One for each learner, in their order.
    pub outcomes: Vec<LearnerResults>,
    /// What the reader should know about the split, in words.
    pub warnings: Vec<String>,
    /// The weights of all test objects, in the order of [`LearnerResults::right`].
    weights: Vec<u64>,
}

/// Compares learners by stratified cross-validation on `table`; see [`stratified_folds`].
///
/// Each learner is fitted to the training objects of each fold, and to nothing else. With `keep` the forecasts for all
/// test objects are kept, which takes memory for one number per object, repeat, learner and decision that something
/// speaks for. The observer advances by one for each fitted model.
///
/// # Errors
/// When the settings do not fit the table, a learner does not, or there are more decisions than
/// [`Confusion::MOST_SHOWN`].
///
/// ```
/// use roughboard::classify::{CrossValidation, Learner, Majority, RuleLearner, cross_validate};
/// use roughboard::observe::Silent;
/// use roughboard::table::DecisionTable;
/// let rows: Vec<[String; 3]> = (0..40_u32).map(|i| [i % 2, i / 2 % 5, i % 2].map(|n| n.to_string())).collect();
/// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
/// let plan = CrossValidation { folds: 10, repeats: 1, seed: 1 };
/// let rules = RuleLearner::default();
/// let learners: [&dyn Learner; 2] = [&rules, &Majority];
/// let comparison = cross_validate(&table, &learners, &plan, false, &Silent).unwrap();
/// assert_eq!(comparison.outcomes[0].accuracy().mean, 1.0);
/// assert_eq!(comparison.outcomes[1].accuracy().mean, 0.5);
/// assert_eq!(comparison.difference(0, 1).mean, 0.5);
/// ```
pub fn cross_validate(
    table: &DecisionTable,
    learners: &[&dyn Learner],
    plan: &CrossValidation,
    keep: bool,
    observer: &dyn Observer,
) -> Result<Comparison, ClassifyError> {
    require(plan.repeats >= 1, "repeats", "at least 1", plan.repeats)?;
    Confusion::check_size(table.n_decisions())?;
    let mut splits = Vec::new();
    for repeat in 0..plan.repeats {
        let folds = stratified_folds(table, plan.folds, plan.seed, repeat as u64)?;
        splits.extend(folds.into_iter().enumerate().map(|(fold, of)| (repeat, fold, of)));
    }
    observer.begin("cross-validation", (splits.len() * learners.len()) as u64);
    let classes = table.decision().domain().to_vec();
    let run = |(repeat, fold, of): &(usize, usize, Fold)| {
        let train = table.reweighted(&of.training_weights(table))?;
        let test = table.reweighted(&of.test_weights(table))?;
        let rows = of.test.iter().map(|&(object, _)| table.row_of(object)).collect();
        let truths = test.decision().codes().to_vec();
        let trial = FoldTrial { at: (*repeat, *fold), train, test, rows, truths, n_classes: classes.len(), keep };
        trial.run(learners, observer)
    };
    let parts: Vec<Vec<LearnerResults>> = splits.par_iter().map(run).collect::<Result<_, ClassifyError>>()?;
    observer.end();
    let weights = splits.iter().flat_map(|(_, _, fold)| fold.test.iter().map(|&(_, weight)| u64::from(weight)));
    Ok(Comparison {
        outcomes: gather(parts),
        warnings: rare_decisions(table, plan.folds),
        weights: weights.collect(),
        classes,
    })
}

/// Compares learners fitted to all of `train` on all of `test`, whose attributes are found by name and values by value.
///
/// # Errors
/// When `test` lacks an attribute or has an object without decision, a learner does not fit the table, or both tables
/// together have more decisions than [`Confusion::MOST_SHOWN`].
pub fn hold_out(
    train: &DecisionTable,
    test: &DecisionTable,
    learners: &[&dyn Learner],
    keep: bool,
    observer: &dyn Observer,
) -> Result<Comparison, ClassifyError> {
    observer.begin("hold-out test", learners.len() as u64);
    let (classes, places) = joined_classes(train.decision(), test.decision());
    Confusion::check_size(classes.len())?;
    let decided = (0..test.n_objects()).map(|row| places[test.decision().code(row) as usize]);
    let truths = decided.collect::<Option<Vec<u32>>>().ok_or(ClassifyError::Undecided)?;
    let warnings = new_decisions(&classes[train.n_decisions()..]);
    let weights = (0..test.n_objects()).map(|row| test.weight(row)).collect();
    let rows = (0..test.n_objects() as u32).map(|object| test.row_of(object)).collect();
    let (train, test) = (train.clone(), test.clone());
    let trial = FoldTrial { at: (0, 0), train, test, rows, truths, n_classes: classes.len(), keep };
    let outcomes = trial.run(learners, observer)?;
    observer.end();
    Ok(Comparison { classes, outcomes, warnings, weights })
}

/// How many rows of `test` are rows of `train` too, by all attributes of `train` and the decision.
///
/// # Errors
/// When `test` lacks an attribute.
pub fn trained_rows(train: &DecisionTable, test: &DecisionTable) -> Result<usize, TableError> {
    let encoder = Encoder::of(train.attributes());
    let mut columns = encoder.encode(test.attributes())?.columns;
    columns.push(EncodedColumn::new(test.decision(), train.decision().domain()));
    let row_of = |row: usize| train.attributes().iter().chain([train.decision()]).map(|a| a.code(row)).collect();
    let known: FxHashSet<Vec<u32>> = (0..train.n_objects()).map(row_of).collect();
    let found = |row: usize| columns.iter().map(|column| column.place(row).code()).collect::<Option<Vec<u32>>>();
    Ok((0..test.n_objects()).filter_map(found).filter(|row| known.contains(row)).count())
}

/// The decisions that `known` has and then those that only objects of `other` have; and among them the decision of each code of `other`,
/// none of a missing one and of one that no object has. Values are compared by what they say, as those of conditions are.
pub fn joined_classes(known: &Attribute, other: &Attribute) -> (Vec<Value>, Vec<Option<u32>>) {
    let mut classes = known.domain().to_vec();
    let occurs = other.codes().used(other.n_values());
    let class_of = |((value, occurs), code): ((&Value, &bool), Option<u32>)| {
        let is_new = *occurs && *value != Value::Missing;
        code.or_else(|| {
            is_new.then(|| {
                classes.push(value.clone());
                classes.len() as u32 - 1
            })
        })
    };
    let codes = codes_in(other.domain(), known.domain());
    let places = other.domain().iter().zip(&occurs).zip(codes).map(class_of).collect();
    (classes, places)
}

/// A warning for each decision that some fold cannot test; one for all if there are many.
fn rare_decisions(table: &DecisionTable, folds: usize) -> Vec<String> {
    let weights = table.decision_weights();
    let rare = weights.iter().zip(table.decision().domain()).filter(|(weight, _)| (1..folds as u64).contains(*weight));
    let rare: Vec<(&u64, &Value)> = rare.collect();
    if rare.len() > MANY_DECISIONS {
        let (many, listed) = (counted(rare.len(), "decision"), listed(rare.iter().map(|(_, value)| *value)));
        return vec![format!(
            "{many} have fewer objects than the {folds} folds, so that not every fold tests them: {listed}"
        )];
    }
    let word = |(weight, value): (&u64, &Value)| {
        let objects = counted(*weight, "object");
        format!("decision `{value}` has {objects}, fewer than the {folds} folds: not every fold tests it")
    };
    rare.into_iter().map(word).collect()
}

/// A warning for each decision that is `new`: tested, but not trained on; one for all if there are many.
fn new_decisions(new: &[Value]) -> Vec<String> {
    if new.len() > MANY_DECISIONS {
        let (many, listed) = (counted(new.len(), "decision"), listed(new.iter()));
        return vec![format!("{many} are tested but not trained on: {listed}")];
    }
    new.iter().map(|value| format!("decision `{value}` is tested but not trained on")).collect()
}

/// The first of many decisions, as one warning names them.
fn listed<'v>(decisions: impl ExactSizeIterator<Item = &'v Value>) -> String {
    first_of(decisions.map(|value| format!("`{value}`")), MANY_DECISIONS)
}

/// Training and test objects of one fold.
struct FoldTrial {
    at: (usize, usize),
    train: DecisionTable,
    test: DecisionTable,
    /// The rows that the test objects come from.
    rows: Vec<u32>,
    /// The class of each test object.
    truths: Vec<u32>,
    n_classes: usize,
    keep: bool,
}

impl FoldTrial {
    fn run(&self, learners: &[&dyn Learner], observer: &dyn Observer) -> Result<Vec<LearnerResults>, ClassifyError> {
        let run = |learner: &&dyn Learner| {
            let part = self.of(*learner);
            observer.advance(1);
            part
        };
        learners.par_iter().map(run).collect()
    }

    fn of(&self, learner: &dyn Learner) -> Result<LearnerResults, ClassifyError> {
        let model = learner.fit(&self.train)?;
        let forecasts = model.predict(self.test.attributes())?;
        let (mut confusion, mut right) = (Confusion::new(self.n_classes), Vec::with_capacity(forecasts.len()));
        for (row, (forecast, &truth)) in forecasts.iter().zip(&self.truths).enumerate() {
            let matched = forecast.basis.is_none_or(|basis| matches!(basis, Basis::Matching(_)));
            confusion.add(truth, forecast.decision, self.test.weight(row), matched);
            right.push(forecast.decision == truth);
        }
        let (repeat, fold) = self.at;
        let training_weight = self.train.total_weight();
        let result = FoldResult { repeat, fold, training_weight, confusion, size: model.size() };
        let judged = if self.keep { self.judge(forecasts) } else { Vec::new() };
        Ok(LearnerResults { name: learner.name(), folds: vec![result], judged, right })
    }

    fn judge(&self, forecasts: Vec<Forecast>) -> Vec<Judged> {
        let (repeat, fold) = self.at;
        let judge = |(at, forecast): (usize, Forecast)| Judged {
            repeat,
            fold,
            row: self.rows[at],
            weight: self.test.weight(at),
            truth: self.truths[at],
            forecast,
        };
        forecasts.into_iter().enumerate().map(judge).collect()
    }
}

/// The results of each learner in all folds, given those of all learners in each fold.
fn gather(folds: Vec<Vec<LearnerResults>>) -> Vec<LearnerResults> {
    let join = |mut all: Vec<LearnerResults>, of_fold: Vec<LearnerResults>| {
        for (all, one) in all.iter_mut().zip(of_fold) {
            all.folds.extend(one.folds);
            all.judged.extend(one.judged);
            all.right.extend(one.right);
        }
        all
    };
    folds.into_iter().reduce(join).unwrap_or_default()
}

impl LearnerResults {
    /// The confusion table of all folds and repeats together.
    pub fn confusion(&self) -> Confusion {
        let n_classes = self.folds.first().map_or(0, |fold| fold.confusion.n_classes());
        let mut sum = Confusion::new(n_classes);
        self.folds.iter().for_each(|fold| sum.merge(&fold.confusion));
        sum
    }

    /// The mean of the folds' accuracies, with the interval of [`Estimate::of_folds`]; for a single fold Wilson's
    /// interval for a proportion. Without an interval (it is as wide as the numbers) where all folds are alike.
    pub fn accuracy(&self) -> Estimate {
        if let [fold] = self.folds.as_slice() {
            let (low, high) = wilson(fold.confusion.right(), fold.confusion.total());
            return Estimate { mean: fold.confusion.accuracy(), low, high };
        }
        let of_folds: Vec<f64> = self.folds.iter().map(|fold| fold.confusion.accuracy()).collect();
        Estimate::of_folds(&of_folds, self.test_share()).within(0.0, 1.0)
    }

    /// The mean weight of the test part over that of the training part.
    fn test_share(&self) -> f64 {
        let test: u64 = self.folds.iter().map(|fold| fold.confusion.total()).sum();
        let training: u64 = self.folds.iter().map(|fold| fold.training_weight).sum();
        test as f64 / training as f64
    }
}

impl Comparison {
    /// How much more accurate the outcome `a` is than `b`, paired: the mean of the differences fold by fold, with the
    /// interval of [`Estimate::of_folds`]; for a single fold with the normal interval for the difference of paired
    /// proportions. Without an interval (it is as wide as the numbers) where all differences are alike, or for very few objects.
    ///
    /// # Panics
    /// When there is no such outcome.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        let (a, b) = (&self.outcomes[a], &self.outcomes[b]);
        if a.folds.len() == 1 {
            return self.paired_difference(&a.right, &b.right).of_difference(self.weights.iter().sum());
        }
        let of_fold = |(a, b): (&FoldResult, &FoldResult)| a.confusion.accuracy() - b.confusion.accuracy();
        let estimate =
            Estimate::of_folds(&a.folds.iter().zip(&b.folds).map(of_fold).collect::<Vec<_>>(), a.test_share());
        estimate.of_difference(self.weights.iter().sum())
    }

    /// (n₁₀ - n₀₁) / n, where n₁₀ objects are right by the first only and n₀₁ by the second only.
    fn paired_difference(&self, a: &[bool], b: &[bool]) -> Estimate {
        let (mut only_a, mut only_b) = (0.0, 0.0);
        for ((a, b), &weight) in a.iter().zip(b).zip(&self.weights) {
            only_a += if *a && !*b { weight as f64 } else { 0.0 };
            only_b += if *b && !*a { weight as f64 } else { 0.0 };
        }
        let n = self.weights.iter().sum::<u64>() as f64;
        let mean = (only_a - only_b) / n;
        let reach = Z95 * ((only_a + only_b) / n - mean * mean).max(0.0).sqrt() / n.sqrt();
        Estimate { mean, low: mean - reach, high: mean + reach }
    }
}

/// More decisions than this have one warning together.
const MANY_DECISIONS: usize = 5;
/// From fewer objects nothing is said of how a difference varies.
const LEAST_OBJECTS: u64 = 4;

impl Estimate {
    /// This estimate as that of a difference of shares on `n_objects`.
    fn of_difference(self, n_objects: u64) -> Self {
        if n_objects < LEAST_OBJECTS { self.without_interval() } else { self.within(-1.0, 1.0) }
    }

    /// This estimate with what of its interval is possible; without an interval if it has no width, since figures that
    /// are all alike do not tell how they vary.
    fn within(self, least: f64, most: f64) -> Self {
        let is_told = self.high.is_finite() && self.high - self.low > 1e-12;
        if !is_told {
            return self.without_interval();
        }
        Self { low: self.low.max(least), high: self.high.min(most), ..self }
    }

    const fn without_interval(self) -> Self {
        Self { low: f64::NEG_INFINITY, high: f64::INFINITY, ..self }
    }

    /// The mean of figures of folds, with Student's interval by the corrected variance (1/J + test/training) · s² of
    /// Nadeau & Bengio (2003), J - 1 degrees of freedom: folds share training objects, so that the plain variance s²/J
    /// would be too small. Without an interval (it is as wide as the numbers) for a single figure.
    pub fn of_folds(figures: &[f64], test_share: f64) -> Self {
        let n = figures.len() as f64;
        let mean = figures.iter().sum::<f64>() / n;
        let variance = figures.iter().map(|figure| (figure - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let reach = t95(figures.len().saturating_sub(1) as u64) * (variance * (1.0 / n + test_share)).sqrt();
        let reach = if reach.is_nan() { f64::INFINITY } else { reach };
        Self { mean, low: mean - reach, high: mean + reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::{Majority, NearestNeighbours, RuleLearner, Tree};
    use crate::observe::Silent;
    use crate::table::Weights;
    use approx::assert_abs_diff_eq;

    #[test]
    fn the_interval_of_folds_is_corrected() {
        let estimate = Estimate::of_folds(&[0.8, 0.9, 1.0], 0.5);
        assert_abs_diff_eq!(estimate.mean, 0.9, epsilon = 1e-15);
        let reach = 4.302_652_73 * (0.01_f64 * (1.0 / 3.0 + 0.5)).sqrt();
        assert_abs_diff_eq!(estimate.high - estimate.mean, reach, epsilon = 1e-8);
        assert_eq!(Estimate::of_folds(&[0.5], 1.0).high, f64::INFINITY);
    }

    #[test]
    fn new_decisions_and_values_of_a_test_table_are_counted() {
        let train = DecisionTable::from_rows(&["a"], "d", &[["1", "x"], ["2", "y"], ["2", "y"]]).unwrap();
        let test = DecisionTable::from_rows(&["a"], "d", &[["1", "x"], ["2", "w"], ["3", "y"], ["2", "y"]]).unwrap();
        let rules = RuleLearner::default();
        let learners: [&dyn Learner; 2] = [&rules, &Majority];
        let comparison = hold_out(&train, &test, &learners, true, &Silent).unwrap();
        assert_eq!(comparison.classes, ["x", "y", "w"].map(Value::text));
        assert_eq!(comparison.warnings, ["decision `w` is tested but not trained on"]);
        let confusion = comparison.outcomes[0].confusion();
        assert_eq!(confusion.counts(), [[1, 0, 0], [0, 2, 0], [0, 1, 0]]);
        assert_eq!([0, 1, 2].map(|class| confusion.class(class).unmatched), [Some(0.0), Some(0.5), Some(0.0)]);
        assert_eq!(comparison.outcomes[0].judged.len(), 4);
        let difference = comparison.difference(0, 1);
        assert_abs_diff_eq!(difference.mean, 0.25, epsilon = 1e-15);
        assert_abs_diff_eq!(difference.high - 0.25, Z95 * (0.25_f64 - 0.0625).sqrt() / 2.0, epsilon = 1e-15);
        assert_eq!(comparison.difference(0, 0).high, f64::INFINITY, "all differences are alike");
        assert_eq!(trained_rows(&train, &test).unwrap(), 2);
    }

    #[test]
    fn many_new_decisions_have_one_warning() {
        let train = DecisionTable::from_rows(&["a"], "d", &[["1", "x"], ["2", "y"]]).unwrap();
        let tested = ["p", "q", "r", "s", "t", "u", "v"].map(|decision| ["1", decision]);
        let test = DecisionTable::from_rows(&["a"], "d", &tested).unwrap();
        let comparison = hold_out(&train, &test, &[&Majority], false, &Silent).unwrap();
        let warning = "7 decisions are tested but not trained on: `p`, `q`, `r`, `s`, `t` and 2 more";
        assert_eq!(comparison.warnings, [warning]);
    }

    #[test]
    fn more_decisions_than_can_be_shown_are_refused() {
        let table = |n: i64| {
            let column = |name: &str, n_values: i64| Attribute::from_integers(name, (0..n).map(|row| row % n_values));
            DecisionTable::new(vec![column("a", 7)], column("d", n), Weights::Unit).unwrap()
        };
        let (many, few) = (table(9_000), table(20));
        let plan = CrossValidation { folds: 2, repeats: 1, seed: 1 };
        for refused in [
            cross_validate(&many, &[&Majority], &plan, false, &Silent),
            hold_out(&many, &few, &[&Majority], false, &Silent),
            hold_out(&few, &many, &[&Majority], false, &Silent),
        ] {
            let error = refused.unwrap_err();
            assert!(matches!(error, ClassifyError::TooManyDecisions { found: 9_000, limit: 2_048 }), "{error}");
        }
        assert!(cross_validate(&few, &[&Majority], &plan, false, &Silent).is_ok());
    }

    #[test]
    fn the_interval_of_a_difference_is_within_all_points_or_not_told() {
        let estimate = Estimate { mean: 0.5, low: -0.2, high: 1.2 };
        assert_eq!(estimate.of_difference(4), Estimate { mean: 0.5, low: -0.2, high: 1.0 });
        assert_eq!(estimate.of_difference(3).low, f64::NEG_INFINITY);
    }

    #[test]
    fn rare_decisions_are_named() {
        let rows = [["1", "x"], ["2", "x"], ["3", "x"], ["4", "y"]];
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let plan = CrossValidation { folds: 3, repeats: 2, seed: 1 };
        let learners: [&dyn Learner; 2] = [&Tree, &NearestNeighbours { k: 2, as_values: true }];
        let comparison = cross_validate(&table, &learners, &plan, false, &Silent).unwrap();
        let warning = "decision `y` has 1 object, fewer than the 3 folds: not every fold tests it";
        assert_eq!(comparison.warnings, [warning]);
        assert_eq!(comparison.outcomes[0].confusion().total(), 8);
    }
}
