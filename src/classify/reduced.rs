//! A learner on the attributes of a reduct.

use super::{ClassifyError, Forecast, Learner, Majority, Model, ModelSize, Numbers};
use crate::rough::{Method, Notion, Reduct};
use crate::table::{Attribute, DecisionTable, TableError};

/// Finds a reduct of the training table and fits another learner to its columns.
#[derive(Debug, Clone, Copy)]
pub struct Reduced<L> {
    /// What the reduct preserves.
    pub notion: Notion,
    /// How it is found.
    pub method: Method,
    /// The learner on the reduct's columns.
    pub learner: L,
}

struct OnReduct {
    model: Box<dyn Model>,
    len: usize,
}

impl<L: Learner> Learner for Reduced<L> {
    fn name(&self) -> String {
        format!("reduct-{}", self.learner.name())
    }

    fn numbers(&self) -> Numbers {
        Numbers::Values
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let reduct = Reduct::of(table, self.notion, self.method);
        // An empty reduct says that no attribute is needed: there is nothing to tell apart.
        let model =
            if reduct.is_empty() { Majority.fit(table)? } else { self.learner.fit(&table.select(reduct.attrs())?)? };
        Ok(Box::new(OnReduct { model, len: reduct.len() }))
    }
}

impl Model for OnReduct {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        self.model.predict(columns)
    }

    fn size(&self) -> ModelSize {
        ModelSize { reduct: Some(self.len), ..self.model.size() }
    }
}
