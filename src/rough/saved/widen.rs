//! Tables that rules are bound to, with the values that these ask for.

use super::{RulesError, SavedCondition, SavedRules};
use crate::table::{Attribute, DecisionTable, Value, codes_in, of_one_kind};

impl SavedRules {
    /// `table` with the values added to its domains that the rules speak of and no object of it has, so that the rules
    /// can be bound to it however small it is. Objects and weights stay; codes may change, and how values are spelled. Where rules
    /// ask for intervals of numbers and a column is text, the numbers that it spells come first in the domain, before what lies in
    /// no interval.
    ///
    /// # Errors
    /// None but those of tables, which `table` has passed before.
    pub fn widen(&self, table: &DecisionTable) -> Result<DecisionTable, RulesError> {
        let conditions = self.rules.iter().flat_map(|rule| &rule.conditions);
        let nothing = || vec![Vec::<Value>::new(); table.n_attributes()];
        let (mut extra, mut bounds) = (nothing(), nothing());
        for condition in conditions {
            let Some(attr) = table.attribute_called(condition.attribute()) else { continue };
            match condition {
                SavedCondition::Value { value, .. } => extra[attr.index()].push(value.clone()),
                SavedCondition::Interval { low, high, .. } => {
                    // The infinite ones may be texts.
                    let numbers = [low, high].into_iter().filter(|end| end.as_real().is_some_and(f64::is_finite));
                    bounds[attr.index()].extend(numbers.cloned());
                }
                SavedCondition::Never { .. } => {}
            }
        }
        let decided = self.decisions.iter().map(|decision| &decision.value);
        let decided = decided.chain(self.rules.iter().map(|rule| &rule.decision)).cloned().collect();
        let asked = extra.into_iter().zip(bounds);
        let attributes = table.attributes().iter().zip(asked).map(|(attribute, (extra, bounds))| {
            if bounds.is_empty() || attribute.kind() != "text" {
                widen(attribute, extra)
            } else {
                numbers_first(attribute, &[extra, bounds].concat())
            }
        });
        DecisionTable::new(attributes.collect(), widen(table.decision(), decided), table.weights().clone())
            .map(|wider| wider.with_rows_of(table))
            .map_err(RulesError::Table)
    }
}

/// The attribute with more values in its domain, all of one kind. Where they are texts, those that spell one of `extra` in any way are
/// spelled as it is, so that it is found in all of them.
fn widen(attribute: &Attribute, mut extra: Vec<Value>) -> Attribute {
    let domain = attribute.domain();
    extra.sort();
    extra.dedup();
    let asked: Vec<&[Value]> = extra.chunk_by(|one, next| one.kind() == next.kind()).collect();
    let codes = asked.iter().flat_map(|alike| codes_in(alike, domain));
    // Texts that spell one value are several values to rules that ask for texts.
    let as_texts = attribute.kind() != "text";
    let new = extra.iter().zip(codes).filter(|(value, code)| code.is_none() || as_texts && value.kind() == "text");
    let mut values = of_one_kind(domain.iter().cloned().chain(new.map(|(value, _)| value.clone())).collect());
    if values.first().is_some_and(|value| value.kind() == "text") {
        let are_other = |alike: &[Value]| ![attribute.kind(), "missing"].contains(&alike[0].kind());
        for alike in asked.into_iter().filter(|alike| are_other(alike)) {
            for (value, spelled) in values.iter_mut().zip(codes_in(domain, alike)) {
                let Some(spelled) = spelled else { continue };
                *value = Value::text(&alike[spelled as usize].to_string());
            }
        }
    }
    Attribute::from_codes(attribute.name(), &values, attribute.codes().clone())
}

/// The attribute with more values in its domain, in which the numbers come first that its texts spell. All else is text.
fn numbers_first(attribute: &Attribute, extra: &[Value]) -> Attribute {
    let number_or_text = |value: &Value| match value {
        Value::Text(text) => Some(Value::parse(text)).filter(|spelled| spelled.as_real().is_some()),
        Value::Boolean(_) | Value::Interval(_) => Some(Value::text(&value.to_string())),
        Value::Integer(_) | Value::Real(_) | Value::Missing => None,
    };
    let values = attribute.domain().iter().chain(extra);
    let mut values: Vec<Value> = values.map(|value| number_or_text(value).unwrap_or_else(|| value.clone())).collect();
    if values.iter().any(|value| matches!(value, Value::Real(_))) {
        for value in &mut values {
            if let Some(number) = value.as_real() {
                *value = Value::Real(number);
            }
        }
    }
    Attribute::from_codes(attribute.name(), &values, attribute.codes().clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::{Condition, Rule, RuleSet, Voting};
    use crate::table::{AttrIdx, Weights};

    #[test]
    fn rules_are_applied_to_columns_of_another_kind() {
        let learned = DecisionTable::from_rows(&["zip"], "d", &[["01000", "x"], ["7", "y"]]).unwrap();
        let rule =
            |attr, code, decision| Rule::counted(&learned, vec![Condition::value(AttrIdx::new(attr), code)], decision);
        let rules = RuleSet::new(&learned, vec![rule(0, 0, 0), rule(0, 1, 1)]);
        let saved = SavedRules::parse(&rules.to_json(&learned, Voting::default()).to_string()).unwrap();
        assert_eq!(saved.decision(), "d");
        let [zip] = &saved.attributes()[..] else { panic!("{:?}", saved.attributes()) };
        assert_eq!((zip.name(), zip.domain()), ("zip", &["01000", "7"].map(Value::text)[..]));
        let applied = |values: &[Value]| {
            let zip = Attribute::from_values("zip", values);
            let decision = Attribute::from_values("d", &vec![Value::Missing; values.len()]);
            let table = saved.widen(&DecisionTable::new(vec![zip], decision, Weights::Unit).unwrap()).unwrap();
            let bound = saved.bind(&table).unwrap();
            bound.rules.iter().map(|rule| rule.objects(&table)).collect::<Vec<_>>()
        };
        assert_eq!(applied(&[1000, 7, 8].map(Value::Integer)), [vec![], vec![1]]);
        assert_eq!(applied(&[7.0, 7.5].map(Value::Real)), [vec![], vec![0]]);
        assert_eq!(applied(&["01000", "x"].map(Value::text)), [vec![0], vec![]]);
    }

    /// Rules of one attribute `a` for each of the values `learned`, and the objects of a column of `values` that each matches.
    fn matched(learned: &[Value], values: &[Value]) -> Vec<Vec<u32>> {
        let table = |values: &[Value]| {
            let decision = Attribute::from_integers("d", vec![0; values.len()]);
            DecisionTable::new(vec![Attribute::from_values("a", values)], decision, Weights::Unit).unwrap()
        };
        let (learned, applied) = (table(learned), table(values));
        let attr = AttrIdx::new(0);
        let rule = |code| Rule::counted(&learned, vec![Condition::value(attr, code)], 0);
        let rules = RuleSet::new(&learned, (0..learned.attribute(attr).n_values() as u32).map(rule).collect());
        let saved = SavedRules::parse(&rules.to_json(&learned, Voting::default()).to_string()).unwrap();
        let wider = saved.widen(&applied).unwrap();
        saved.bind(&wider).unwrap().rules.iter().map(|rule| rule.objects(&wider)).collect()
    }

    #[test]
    fn a_value_is_found_in_all_texts_that_spell_it() {
        let flags = ["False", "false", "zzz", "True"].map(Value::text);
        assert_eq!(matched(&[false, true].map(Value::Boolean), &flags), [vec![0, 1], vec![3]]);
        let numbers = ["1000", "1000.0", "x", "7"].map(Value::text);
        assert_eq!(matched(&[7, 1000].map(Value::Integer), &numbers), [vec![3], vec![0, 1]]);
        assert_eq!(matched(&[0.5, 1000.0].map(Value::Real), &numbers), [vec![], vec![0, 1]]);
    }

    #[test]
    fn of_several_texts_that_spell_a_value_it_is_one() {
        let numbers = [1, 2].map(Value::Integer);
        assert_eq!(matched(&["+1", "1", "1.0", "z"].map(Value::text), &numbers), [vec![], vec![0], vec![], vec![]]);
        assert_eq!(matched(&["1", "1.0"].map(Value::text), &numbers), [vec![0], vec![]]);
        assert_eq!(matched(&["1.0", "2.0", "2.00"].map(Value::text), &numbers), [vec![0], vec![1], vec![]]);
    }

    /// The codes of a few objects are of a type that has no room for those among all values of the rules.
    #[test]
    fn a_value_keeps_its_place_among_many_more() {
        let learned: Vec<Value> = (0..300).map(Value::Integer).collect();
        let rows = matched(&learned, &[299, 7, 280].map(Value::Integer));
        let found = [299, 7, 280].map(|value: usize| rows[value].clone());
        assert_eq!((found, rows.iter().flatten().count()), ([vec![0], vec![1], vec![2]], 3));
    }

    #[test]
    fn what_is_no_number_lies_in_no_interval_of_numbers() {
        let rule = |condition: &str| format!(r#"{{"conditions":[{condition}],"decision":1,"support":1,"matching":1}}"#);
        let conditions = [
            r#"{"attribute":"a","low":null,"high":3.0}"#,
            r#"{"attribute":"a","low":3.0,"high":null}"#,
            r#"{"attribute":"a","low":3.5,"high":50}"#,
            r#"{"attribute":"a","value":null}"#,
        ];
        let head = r#""format":1,"decision":"d","decisions":[{"value":1,"weight":9}]"#;
        let saved = format!(r#"{{{head},"rules":[{}]}}"#, conditions.map(rule).join(","));
        let saved = SavedRules::parse(&saved).unwrap();
        let widened = |values: &[Value]| {
            let a = Attribute::from_values("a", values);
            let decision = Attribute::from_integers("d", vec![1; values.len()]);
            saved.widen(&DecisionTable::new(vec![a], decision, Weights::Unit).unwrap()).unwrap()
        };
        let applied = |values: &[Value]| {
            let table = widened(values);
            let bound = saved.bind(&table).unwrap();
            bound.rules.iter().map(|rule| rule.objects(&table)).collect::<Vec<_>>()
        };
        let none = Value::Missing;
        let texts = ["1", "3", "4.50", "100", "-7", "zzz", "?"].map(Value::text);
        assert_eq!(applied(&texts), [vec![0, 4], vec![1, 2, 3], vec![2], vec![]]);
        // An interval without an upper bound does not end at the first text.
        let table = widened(&texts);
        assert_eq!(saved.bind(&table).unwrap().rules[1].conditions_in_words(&table), "a >= 2");
        let with_missing = [&texts[..], std::slice::from_ref(&none)].concat();
        assert_eq!(applied(&with_missing), [vec![0, 4], vec![1, 2, 3], vec![2], vec![7]]);
        // However few objects there are.
        assert_eq!(applied(&[Value::text("zzz")]), vec![Vec::<u32>::new(); 4]);
        assert_eq!(applied(&[none]), [vec![], vec![], vec![], vec![0]]);
        assert_eq!(applied(&[1, 100].map(Value::Integer)), [vec![0], vec![1], vec![], vec![]]);
        // A column of another kind is another thing.
        let error = saved.bind(&widened(&[false, true].map(Value::Boolean))).unwrap_err().to_string();
        assert_eq!(error, "rule 1: the bound 3 does not compare with `false`, a value of attribute `a`");
    }
}
