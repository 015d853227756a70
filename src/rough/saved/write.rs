//! Rules written: JSON with all that is known of them, CSV for other programs.

use rayon::prelude::*;
use serde_json::{Value as Json, json};

use super::FORMAT;
use crate::rough::classifier::Voting;
use crate::rough::condition::Condition;
use crate::rough::rule::Rule;
use crate::rough::ruleset::RuleSet;
use crate::table::{DecisionTable, Value, csv_text};

impl RuleSet {
    /// The rules with names, values and all measures, as `docs/formats.md` describes; `table` is the one that they were
    /// counted in, and `voting` how they are to decide.
    pub fn to_json(&self, table: &DecisionTable, voting: Voting) -> Json {
        let decision = table.decision();
        let weighted = decision.domain().iter().zip(&self.decision_weights);
        let distribution = |(value, weight): (&Value, &u64)| json!({ "value": value, "weight": weight });
        json!({
            "format": FORMAT,
            "decision": decision.name(),
            "decisions": weighted.map(distribution).collect::<Vec<_>>(),
            "count": self.rules.len(),
            "vote": voting.vote,
            "unmatched": voting.unmatched,
            "rules": self.rules.par_iter().map(|rule| rule_json(table, rule)).collect::<Vec<_>>(),
        })
    }

    /// The rules as CSV with the columns conditions (in words), decision, support, matching, inclusion, coverage, lift,
    /// length, and with all measures laplace, p_value. `table` is the one that they were counted in.
    pub fn to_csv(&self, table: &DecisionTable, all_measures: bool) -> String {
        let header = ["conditions", "decision", "support", "matching", "inclusion", "coverage", "lift", "length"];
        let more: &[&str] = if all_measures { &["laplace", "p_value"] } else { &[] };
        let line = |rule: &Rule| {
            let decision = table.decision().domain()[rule.decision as usize].to_string();
            let measures = [rule.inclusion().value(), rule.coverage().value(), rule.lift()].map(|x| x.to_string());
            let [inclusion, coverage, lift] = measures;
            let [support, matching, length] =
                [rule.support, rule.matching, rule.len() as u64].map(|count| count.to_string());
            let conditions = rule.conditions_in_words(table);
            let cells = [conditions, decision, support, matching, inclusion, coverage, lift, length];
            // The p-value of a rule with large counts takes as long as all else.
            let measure = || [rule.laplace(table.n_decisions()), rule.p_value()].map(|measure| measure.to_string());
            let measures = all_measures.then(measure);
            cells.into_iter().chain(measures.into_iter().flatten())
        };
        csv_text(header.iter().chain(more), self.rules.iter().map(line))
    }
}

fn rule_json(table: &DecisionTable, rule: &Rule) -> Json {
    let coverage = rule.coverage();
    json!({
        "conditions": rule.conditions.iter().map(|condition| condition_json(table, *condition)).collect::<Vec<_>>(),
        "decision": table.decision().domain()[rule.decision as usize],
        "support": rule.support,
        "matching": rule.matching,
        "inclusion": rule.inclusion().value(),
        "coverage": coverage.value(),
        "coverage_fraction": [coverage.numerator, coverage.denominator],
        "lift": rule.lift(),
        "laplace": rule.laplace(table.n_decisions()),
        "p_value": rule.p_value(),
        "length": rule.len(),
        "text": rule.display(table).to_string(),
    })
}

fn condition_json(table: &DecisionTable, condition: Condition) -> Json {
    let attribute = table.attribute(condition.attr);
    let name = attribute.name();
    if let Some(code) = condition.code() {
        return json!({ "attribute": name, "value": attribute.domain()[code as usize] });
    }
    if condition.first > condition.last {
        return json!({ "attribute": name, "never": true });
    }
    let (low, high) = condition.bounds(table);
    json!({ "attribute": name, "low": low, "high": high })
}
