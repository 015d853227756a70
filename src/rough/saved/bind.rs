//! Saved rules with their names and values found in a table.

use super::{RulesError, SavedCondition, SavedRule};
use crate::rough::condition::{Condition, known};
use crate::rough::rule::Rule;
use crate::table::{DecisionTable, Value, code_in, names_of};

impl SavedRule {
    pub(super) fn bind(
        &self,
        at: usize,
        table: &DecisionTable,
        (weights, total): (&[u64], u64),
    ) -> Result<Rule, RulesError> {
        let bind = |condition: &SavedCondition| condition.bind(at, table);
        let mut conditions = self.conditions.iter().map(bind).collect::<Result<Vec<_>, _>>()?;
        conditions.sort_unstable();
        let decision = decision_code(table, &self.decision)?;
        Ok(Rule {
            conditions,
            decision,
            support: self.support,
            matching: self.matching,
            decision_weight: weights[decision as usize],
            total_weight: total,
        })
    }
}

impl SavedCondition {
    fn bind(&self, rule: usize, table: &DecisionTable) -> Result<Condition, RulesError> {
        let name = self.attribute();
        let Some(attr) = table.attribute_called(name) else {
            let existing = names_of(table.attributes());
            return Err(RulesError::Attribute { rule, attribute: name.to_owned(), existing });
        };
        let domain = table.attribute(attr).domain();
        let n_known = known(domain);
        match self {
            Self::Value { value, .. } => {
                // Other values stand behind numbers where `SavedRules::widen` leaves both.
                let n_numbers = domain.partition_point(|value| value.as_real().is_some());
                let (numbers, others) = domain.split_at(n_numbers);
                let code = code_in(value, numbers).or_else(|| Some(n_numbers as u32 + code_in(value, others)?));
                let unknown = || RulesError::Value { rule, attribute: name.to_owned(), value: value.to_string() };
                Ok(Condition::value(attr, code.ok_or_else(unknown)?))
            }
            Self::Never { never: true, .. } => Ok(Condition::never(attr)),
            Self::Never { .. } => Ok(Condition::interval(attr, 0, (n_known as u32).saturating_sub(1))),
            Self::Interval { low, high, .. } => {
                let below = |bound: &Value, open: usize| match bound {
                    Value::Missing => Ok(open),
                    bound => below(&domain[..n_known], bound).map_err(|(bound, value)| RulesError::Bound {
                        rule,
                        attribute: name.to_owned(),
                        bound,
                        value,
                    }),
                };
                let (first, next) = (below(low, 0)?, below(high, n_known)?);
                let empty = first >= next;
                Ok(if empty {
                    Condition::never(attr)
                } else {
                    Condition::interval(attr, first as u32, next as u32 - 1)
                })
            }
        }
    }
}

/// The code of a decision in the table.
pub(super) fn decision_code(table: &DecisionTable, value: &Value) -> Result<u32, RulesError> {
    code_in(value, table.decision().domain()).ok_or_else(|| RulesError::DecisionValue(value.to_string()))
}

/// How many values of an ascending domain are below a bound; both are given if they do not compare.
fn below(domain: &[Value], bound: &Value) -> Result<usize, (String, String)> {
    let is_less = |value: &Value| match (value, bound) {
        (Value::Integer(_), Value::Integer(_)) | (Value::Text(_), Value::Text(_)) => Some(value < bound),
        (Value::Boolean(_), Value::Boolean(_)) => Some(value < bound),
        (Value::Text(text), Value::Real(number)) if number.is_infinite() => Some(*text < bound.to_string()),
        _ => Some(value.as_real()? < bound.as_real()?),
    };
    match domain.iter().find(|value| is_less(value).is_none()) {
        Some(other) => Err((bound.to_string(), other.to_string())),
        None => Ok(domain.partition_point(|value| is_less(value) == Some(true))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_below_a_bound_are_counted_if_they_compare() {
        let booleans = [false, true].map(Value::Boolean);
        assert_eq!(below(&booleans, &Value::Boolean(false)), Ok(0));
        assert_eq!(below(&booleans, &Value::Boolean(true)), Ok(1));
        let integers = [1, 3, 5].map(Value::Integer);
        assert_eq!(below(&integers, &Value::Integer(3)), Ok(1));
        assert_eq!(below(&integers, &Value::Real(3.5)), Ok(2));
        // A text that reads as an infinite number.
        let texts = ["a", "z"].map(Value::text);
        assert_eq!(below(&texts, &Value::text("z")), Ok(1));
        assert_eq!(below(&texts, &Value::Real(f64::INFINITY)), Ok(1));
        assert_eq!(below(&texts, &Value::Integer(3)), Err(("3".to_owned(), "a".to_owned())));
    }
}
