//! Rule classifiers as learners.

use super::{ClassifyError, Forecast, Learner, Model, ModelSize, Numbers};
use crate::observe::Silent;
use crate::rough::{Prediction, RuleClassifier, RuleSource, Voting};
use crate::table::{AttrSet, Attribute, DecisionTable, TableError};

/// Finds rules and lets them vote.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleLearner {
    /// Where rules come from.
    pub source: RuleSource,
    /// How they vote.
    pub voting: Voting,
}

struct Rules {
    classifier: RuleClassifier,
    n_attributes: Option<usize>,
}

impl Learner for RuleLearner {
    fn name(&self) -> String {
        "rules".to_owned()
    }

    fn numbers(&self) -> Numbers {
        if self.source == RuleSource::Mlem2 { Numbers::Order } else { Numbers::Values }
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let set = self.source.rules(table, &Silent)?;
        let of_reducts: AttrSet = set.reducts.iter().flat_map(|reduct| reduct.attrs().iter()).collect();
        let n_attributes = (!set.reducts.is_empty()).then(|| of_reducts.len());
        Ok(Box::new(Rules { classifier: RuleClassifier::new(table, set.rules, self.voting), n_attributes }))
    }
}

impl Model for Rules {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let forecast = |p: Prediction| Forecast { decision: p.decision, votes: p.votes, basis: Some(p.basis) };
        Ok(self.classifier.predict(columns)?.into_iter().map(forecast).collect())
    }

    fn size(&self) -> ModelSize {
        ModelSize { rules: Some(self.classifier.rules().len()), reduct: self.n_attributes, leaves: None }
    }
}
