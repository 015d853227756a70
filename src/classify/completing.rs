//! A learner on completed tables.

use super::prepared::Prepared;
use super::{ClassifyError, Learner, Model, Numbers};
use crate::table::{Attribute, Completer, Completion, DecisionTable};

/// Completes missing values and fits another learner to the completed table. What stands in comes from the training objects
/// alone, also for objects that are tested: nothing of them, and least of all their decisions, is known.
pub struct Completing {
    /// What stands in: a method that [`Completer::fit`] takes.
    pub method: Completion,
    /// The learner on the completed table.
    pub learner: Box<dyn Learner>,
}

/// The name is that of the learner on the completed table.
impl Learner for Completing {
    fn name(&self) -> String {
        self.learner.name()
    }

    fn numbers(&self) -> Numbers {
        self.learner.numbers()
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let completer = Completer::fit(table, self.method)?;
        let model = self.learner.fit(&table.completed(self.method)?.table)?;
        let prepare = move |columns: &[Attribute]| Ok(completer.apply_to(columns)?.0);
        Ok(Box::new(Prepared { prepare, model }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Tree;
    use crate::table::{Roles, Value};

    #[test]
    fn tested_objects_are_completed_by_the_training_table() {
        let train = DecisionTable::from_csv("x,d\n1,low\n1,low\n9,high\n", &Roles::decided_by("d")).unwrap();
        // By themselves these objects would be completed by 9.
        let test = [Attribute::from_integers("x", [9, 9, 9]), lacking()];
        let learner = Completing { method: Completion::Frequent, learner: Box::new(Tree) };
        let model = learner.fit(&train).unwrap();
        let forecast = |column: &Attribute| model.predict(std::slice::from_ref(column)).unwrap()[0].decision;
        let [high, low] = ["high", "low"].map(|name| train.decision().code_of(&Value::text(name)).unwrap());
        assert_eq!(test.each_ref().map(forecast), [high, low]);
        let learner = Completing { method: Completion::ConceptFrequent, learner: Box::new(Tree) };
        assert!(learner.fit(&train).is_err());
    }

    fn lacking() -> Attribute {
        Attribute::from_values("x", &[Value::Missing, Value::Integer(9), Value::Integer(9)])
    }
}
