//! What a network sees in a position, as text and as JSON.

use roughboard::eval::network::{ConditionPart, Explanation, Part, RulePart};
use roughboard::report::{Cell, Table};
use serde_json::{Value, json};

/// Rules shown in text; JSON has all.
const RULES_SHOWN: usize = 10;

/// What the network says of the position as a whole.
pub fn summary(explanation: &Explanation, first: &str) -> Table {
    let caption = format!("What the network sees, as expected results for {first}");
    let mut table = Table::new(caption, &["figure"], &["value"]);
    table.push(["this position".into(), Cell::real(explanation.value, 3)]);
    let bias = format!("bias: the same without pieces{}", as_it_is(explanation));
    table.push([bias.into(), Cell::real(explanation.bias, 3)]);
    if let Some(offset) = explanation.offset {
        table.push(["the evaluator beside it, in the argument of the output".into(), Cell::real(offset, 3)]);
    }
    table.push(["argument of the output".into(), Cell::real(explanation.argument, 3)]);
    table
}

/// What stays as it is while parts of the position are left out.
const fn as_it_is(explanation: &Explanation) -> &'static str {
    if explanation.offset.is_some() { ", with the evaluator beside it as it is" } else { "" }
}

/// What each part of the position changes.
pub fn list(explanation: &Explanation, first: &str) -> Table {
    let less = format!("The value for {first} less what it would be without, or with the other side to move");
    let mut table = Table::new(less + as_it_is(explanation), &["what"], &["change"]);
    explanation.parts.iter().for_each(|part| table.push([part.words.as_str().into(), Cell::real(part.change, 3)]));
    table
}

/// The rules with the largest shares; `None` for networks without rules.
pub fn rules(rules: &[RulePart]) -> Option<Table> {
    let shown = rules.len().min(RULES_SHOWN);
    let caption = format!("Rules, {shown} of {}: weight ω, activation v, and what moves ln v most", rules.len());
    let names = ["decision", "rule", "what matters here"];
    let mut table = Table::new(caption, &[], &["share", "ω v", "ω", "v"]).and_names(names);
    for rule in rules.iter().take(RULES_SHOWN) {
        let conditions: Vec<String> =
            rule.conditions.iter().map(|part| format!("{} {:+.3}", part.words, part.log)).collect();
        table.push([
            format!("{:.0}%", 100.0 * rule.share).into(),
            Cell::real(rule.product(), 3),
            Cell::real(rule.weight, 3),
            Cell::real(rule.activation, 3),
            rule.decision.as_str().into(),
            rule.rule.as_str().into(),
            conditions.join("; ").into(),
        ]);
    }
    (!rules.is_empty()).then_some(table)
}

/// The whole explanation.
pub fn to_json(explanation: &Explanation, first: &str) -> Value {
    let part = |part: &Part| json!({ "what": part.words, "change": part.change });
    json!({
        format!("value_for_{first}"): explanation.value,
        "argument": explanation.argument,
        "skip_term": explanation.offset,
        "bias": explanation.bias,
        "parts": explanation.parts.iter().map(part).collect::<Vec<_>>(),
        "rules": explanation.rules.iter().map(rule_json).collect::<Vec<_>>(),
    })
}

fn rule_json(rule: &RulePart) -> Value {
    let condition = |part: &ConditionPart| json!({ "what": part.words, "log": part.log });
    json!({
        "number": rule.number + 1,
        "rule": rule.rule,
        "decision": rule.decision,
        "omega": rule.weight,
        "activation": rule.activation,
        "product": rule.product(),
        "share": rule.share,
        "conditions": rule.conditions.iter().map(condition).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_as_it_is_beside_a_network_is_told() {
        let told = |offset| {
            let (parts, rules) = (Vec::new(), Vec::new());
            let explanation = Explanation { value: 0.0, argument: 0.0, offset, bias: 0.0, parts, rules };
            summary(&explanation, "red").to_text() + &list(&explanation, "red").to_text()
        };
        let count = |offset| told(offset).matches(", with the evaluator beside it as it is").count();
        assert_eq!([count(None), count(Some(0.5))], [0, 2]);
    }
}
