//! A learner on intervals of numbers.

use super::prepared::Prepared;
use super::{ClassifyError, Learner, Model, Numbers};
use crate::observe::Silent;
use crate::table::discretize::{Cuts, Discretizer};
use crate::table::{AttrSet, Attribute, DecisionTable};

/// Cuts numbers into intervals and fits another learner to these. The cut points come from the training objects alone, so that
/// none is owed to an object that is tested.
pub struct Discretized {
    /// How cut points are chosen.
    pub discretizer: Discretizer,
    /// The attributes to cut; those without numbers stay as they are.
    pub attrs: AttrSet,
    /// The learner on the intervals.
    pub learner: Box<dyn Learner>,
}

/// The name is that of the learner on the intervals.
impl Learner for Discretized {
    fn name(&self) -> String {
        self.learner.name()
    }

    fn numbers(&self) -> Numbers {
        Numbers::Cut
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let cuts = Cuts::fit(table, &self.attrs, self.discretizer, &Silent)?;
        let model = self.learner.fit(&cuts.apply(table)?)?;
        Ok(Box::new(Prepared { prepare: move |columns: &[Attribute]| cuts.apply_to(columns), model }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Tree;
    use crate::rough::Basis;
    use crate::table::{Value, Weights};

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
            let learner = Discretized { discretizer, attrs: train.all_attributes(), learner };
            let forecasts = learner.fit(&train).unwrap().predict(test.attributes()).unwrap();
            forecasts.iter().map(|forecast| (forecast.decision, forecast.basis)).collect::<Vec<_>>()
        };
        let rules = crate::classify::RuleLearner::default();
        let matching = Some(Basis::Matching(1));
        assert_eq!(of(Box::new(rules)), [1, 1, 0, 0].map(|decision| (decision, matching)));
        assert_eq!(of(Box::new(Tree)), [1, 1, 0, 0].map(|decision| (decision, None)));
    }
}
