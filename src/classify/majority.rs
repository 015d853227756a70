//! The learner to beat: always the most frequent decision.

use super::{ClassifyError, Forecast, Learner, Model, Numbers};
use crate::rough::winner;
use crate::table::{Attribute, DecisionTable, TableError};

/// Forecasts the most frequent decision of the training table, whatever the object.
#[derive(Debug, Clone, Copy, Default)]
pub struct Majority;

struct Constant {
    priors: Vec<u64>,
}

impl Learner for Majority {
    fn name(&self) -> String {
        "majority".to_owned()
    }

    fn numbers(&self) -> Numbers {
        Numbers::Unused
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        Ok(Box::new(Constant { priors: table.decision_weights() }))
    }
}

impl Model for Constant {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let votes: Vec<f64> = self.priors.iter().map(|&weight| weight as f64).collect();
        let forecast = Forecast { decision: winner(&votes, &self.priors), votes: votes.into(), basis: None };
        Ok(vec![forecast; columns.first().map_or(0, Attribute::len)])
    }
}
