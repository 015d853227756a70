//! A learner on a prepared table: numbers cut into intervals, missing values completed.

use super::{ClassifyError, Forecast, Learner, Model, ModelSize, Numbers};
use crate::observe::Silent;
use crate::table::discretize::{Cuts, Discretizer};
use crate::table::{AttrSet, Attribute, Completer, Completion, DecisionTable, TableError};

/// What is done to a table before it is learned from.
#[derive(Debug, Clone)]
pub enum Preparation {
    /// Numbers of these attributes are cut into intervals; attributes without numbers stay as they are.
    Cut(Discretizer, AttrSet),
    /// Missing values are completed, by a method that [`Completer::fit`] takes.
    Complete(Completion),
}

/// Prepares the training table and fits another learner to it. Cut points, and what stands in for missing values, come from the training
/// objects alone, also for objects that are tested: nothing of them, and least of all their decisions, is known.
pub struct Prepared {
    /// What is done first.
    pub preparation: Preparation,
    /// The learner on the prepared table.
    pub learner: Box<dyn Learner>,
}

/// A model of columns as `prepare` makes them.
struct PreparedModel<P> {
    prepare: P,
    model: Box<dyn Model>,
}

/// The name is that of the learner on the prepared table.
impl Learner for Prepared {
    fn name(&self) -> String {
        self.learner.name()
    }

    fn numbers(&self) -> Numbers {
        if matches!(self.preparation, Preparation::Cut(..)) { Numbers::Cut } else { self.learner.numbers() }
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        match &self.preparation {
            Preparation::Cut(discretizer, attrs) => {
                let cuts = Cuts::fit(table, attrs, *discretizer, &Silent)?;
                let model = self.learner.fit(&cuts.apply(table)?)?;
                Ok(Box::new(PreparedModel { prepare: move |columns: &[Attribute]| cuts.apply_to(columns), model }))
            }
            Preparation::Complete(method) => {
                let completer = Completer::fit(table, *method)?;
                let model = self.learner.fit(&table.completed(*method)?.table)?;
                let prepare = move |columns: &[Attribute]| Ok(completer.apply_to(columns)?.0);
                Ok(Box::new(PreparedModel { prepare, model }))
            }
        }
    }
}

impl<P> Model for PreparedModel<P>
where
    P: Fn(&[Attribute]) -> Result<Vec<Attribute>, TableError> + Send + Sync,
{
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        self.model.predict(&(self.prepare)(columns)?)
    }

    fn size(&self) -> ModelSize {
        self.model.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Tree;
    use crate::rough::Basis;
    use crate::table::{Roles, Value, Weights};

    fn table(numbers: &[f64], decisions: &[&str]) -> DecisionTable {
        let numbers = Attribute::from_values("x", &numbers.iter().copied().map(Value::Real).collect::<Vec<_>>());
        let decision: Vec<Value> = decisions.iter().map(|&text| Value::text(text)).collect();
        DecisionTable::new(vec![numbers], Attribute::from_values("d", &decision), Weights::Unit).unwrap()
    }

    #[test]
    fn numbers_that_training_did_not_see_lie_in_its_intervals() {
        let train = table(&[1.0, 1.5, 2.0, 5.0, 5.5, 6.0], &["low", "low", "low", "high", "high", "high"]);
        let test = table(&[0.1, 3.4, 3.6, 99.9], &["low", "low", "high", "high"]);
        let of = |learner: Box<dyn Learner>| {
            let discretizer = Discretizer::MaximalDiscernibility;
            let learner = Prepared { preparation: Preparation::Cut(discretizer, train.all_attributes()), learner };
            let forecasts = learner.fit(&train).unwrap().predict(test.attributes()).unwrap();
            forecasts.iter().map(|forecast| (forecast.decision, forecast.basis)).collect::<Vec<_>>()
        };
        let rules = crate::classify::RuleLearner::default();
        let matching = Some(Basis::Matching(1));
        assert_eq!(of(Box::new(rules)), [1, 1, 0, 0].map(|decision| (decision, matching)));
        assert_eq!(of(Box::new(Tree)), [1, 1, 0, 0].map(|decision| (decision, None)));
    }

    #[test]
    fn tested_objects_are_completed_by_the_training_table() {
        let train = DecisionTable::from_csv("x,d\n1,low\n1,low\n9,high\n", &Roles::decided_by("d")).unwrap();
        // By themselves these objects would be completed by 9.
        let test = [Attribute::from_integers("x", [9, 9, 9]), lacking()];
        let learner = Prepared { preparation: Preparation::Complete(Completion::Frequent), learner: Box::new(Tree) };
        let model = learner.fit(&train).unwrap();
        let forecast = |column: &Attribute| model.predict(std::slice::from_ref(column)).unwrap()[0].decision;
        let [high, low] = ["high", "low"].map(|name| train.decision().code_of(&Value::text(name)).unwrap());
        assert_eq!(test.each_ref().map(forecast), [high, low]);
        let learner =
            Prepared { preparation: Preparation::Complete(Completion::ConceptFrequent), learner: Box::new(Tree) };
        assert!(learner.fit(&train).is_err());
    }

    fn lacking() -> Attribute {
        Attribute::from_values("x", &[Value::Missing, Value::Integer(9), Value::Integer(9)])
    }
}
