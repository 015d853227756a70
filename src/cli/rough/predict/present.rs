//! The forecasts as text, as JSON and as CSV.

use roughboard::classify::{Confusion, Estimate};
use roughboard::rough::{Basis, Rule};
use roughboard::settings::counted;
use roughboard::stats::wilson;
use roughboard::table::{Attribute, Value, csv_text};
use serde_json::{Value as Json, json};

use super::{Decider, Forecasts};
use crate::cli::rough::answer::Answer;
use crate::cli::rough::confusion::{self, estimate_json, interval, percent};
use crate::cli::rough::forecasts::{self, Forecast, n_rules, vote_cells, vote_names, word};
use crate::cli::rough::text::listing;

/// The names of the cells that tell the rule that decided.
const RULE: [&str; 3] = ["rule", "support", "matching"];

impl Forecasts {
    fn forecast(&self, object: usize) -> Forecast<'_> {
        let prediction = &self.predictions[object];
        let truth = Some(self.table.decision().value(object)).filter(|value| **value != Value::Missing);
        Forecast {
            row: self.table.row_of(object as u32),
            weight: self.table.weight(object),
            truth,
            predicted: self.classes.get(prediction.decision as usize),
            basis: prediction.basis,
        }
    }

    /// The name of an object, if objects have one, under the name of its column.
    fn id(&self, object: usize) -> Option<(&str, &Value)> {
        let attribute = self.id.as_ref()?;
        Some((attribute.name(), attribute.value(object)))
    }

    /// The number of the rule that decided, from 1, and the rule.
    fn rule(&self, object: usize) -> Option<(usize, &Rule)> {
        match &self.decider {
            Decider::Rules { rules, decided, .. } => decided[object].map(|at| (at + 1, &rules[at])),
            Decider::Classifier(_) => None,
        }
    }

    /// The weight of the objects whose forecasts have such a basis.
    fn weight_by(&self, is_such: fn(Basis) -> bool) -> u64 {
        let weighed = self.predictions.iter().enumerate();
        let such = weighed.filter(|(_, prediction)| prediction.basis.is_some_and(is_such));
        such.map(|(object, _)| self.table.weight(object)).sum()
    }

    /// The weight of the objects that no rule matches.
    fn unmatched(&self) -> u64 {
        self.weight_by(|basis| !matches!(basis, Basis::Matching(_)))
    }

    /// Notes that most forecasts do not rest on a rule that matches.
    pub fn note_unmatched(&self) {
        let (unmatched, total) = (self.unmatched(), self.table.total_weight());
        if 2 * unmatched >= total {
            let by_majority = self.weight_by(|basis| basis == Basis::Majority);
            let nearest = "rules of which a part of the conditions is met decide";
            let majority = "the most frequent decision decides";
            let instead = match (unmatched - by_majority, by_majority) {
                (_, 0) => nearest.to_owned(),
                (0, _) => majority.to_owned(),
                (some, others) => format!("{nearest} about {some}, and {majority} about {others}"),
            };
            eprintln!("note: no rule matches {unmatched} of {}; there {instead}", counted(total, "object"));
        }
    }

    /// Whether votes and a confusion table are given: with very many decisions these would fill the memory.
    const fn are_few(&self) -> bool {
        self.classes.len() <= Confusion::MOST_SHOWN
    }

    /// Notes what is left out of an answer for programs.
    pub fn note_left_out(&self, answer: &Answer) {
        if !self.are_few() {
            let (n_decisions, most) = (self.classes.len(), Confusion::MOST_SHOWN);
            answer.note(&format!(
                "no votes and no confusion table are given: {n_decisions} decisions are more than {most}"
            ));
        }
    }

    /// The share of right forecasts, with Wilson's interval.
    fn accuracy(&self) -> Option<(&Confusion, Estimate)> {
        let confusion = self.confusion.as_ref()?;
        let (low, high) = wilson(confusion.right(), confusion.total());
        Some((confusion, Estimate { mean: confusion.accuracy(), low, high }))
    }
}

/// One line for each object, with the rule that decided and a column of votes for each decision; numbers count from 1.
pub fn csv(forecasts: &Forecasts) -> String {
    let names = forecasts::HEADER.iter().chain(&RULE).map(|name| (*name).to_owned());
    // Programs find columns by their names, so no two may have one.
    let is_taken = |name: &str| forecasts::HEADER.contains(&name) || RULE.contains(&name) || name.starts_with("vote=");
    let free = |name: &str| if is_taken(name) { "id".to_owned() } else { name.to_owned() };
    let id = forecasts.id.as_ref().map(|id| free(id.name()));
    let with_votes = if forecasts.are_few() { forecasts.classes.as_slice() } else { &[] };
    let lines = forecasts.predictions.iter().enumerate().map(|(object, prediction)| {
        let counts =
            |(number, rule): (usize, &Rule)| [number.to_string(), rule.support.to_string(), rule.matching.to_string()];
        let rule = forecasts.rule(object).map(counts).unwrap_or_default();
        let votes = vote_cells(&prediction.votes, with_votes.len());
        let id = forecasts.id(object).map(|(_, value)| value.to_string());
        id.into_iter().chain(forecasts.forecast(object).cells()).chain(rule).chain(votes)
    });
    csv_text(id.into_iter().chain(names).chain(vote_names(with_votes)), lines)
}

/// The forecasts for reading, and how right they are where that is known.
pub fn text(forecasts: &Forecasts, all: bool) -> String {
    let (objects, decision) = (forecasts.predictions.len(), forecasts.table.decision().name());
    let by = match &forecasts.decider {
        Decider::Rules { rules, .. } => format!("{} for `{decision}`", counted(rules.len(), "rule")),
        Decider::Classifier(name) => format!("`{decision}` by {name}"),
    };
    let line = |object: usize| {
        let [number, _, truth, predicted, ..] = forecasts.forecast(object).cells();
        let named = forecasts.id(object).map_or(number, |(_, value)| value.to_string());
        vec![named, predicted, truth, decided_by(forecasts, object)]
    };
    let first = forecasts.id.as_ref().map_or("object", Attribute::name);
    let header = [first, "predicted", "true", "decided by"];
    let listed = listing(&header, (0..objects).map(line), "objects", all);
    let unmatched = match forecasts.unmatched() {
        0 => String::new(),
        unmatched => format!("; no rule matches {unmatched} of {}", forecasts.table.total_weight()),
    };
    let mut out = format!("{}, {by}{unmatched}\n\n{listed}", counted(objects, "object"));
    if let Some((confusion, accuracy)) = forecasts.accuracy() {
        let (mean, total) = (percent(accuracy.mean), confusion.total());
        let unmatched = match forecasts.decider {
            Decider::Rules { .. } => format!(", no rule matched {}", percent(confusion.unmatched_share())),
            Decider::Classifier(_) => String::new(),
        };
        out += &format!("\naccuracy {mean} of {total} (95 % interval {}){unmatched}\n", interval(accuracy));
        out += &confusion::text(confusion, &forecasts.classes, all);
    }
    out
}

/// What decided, in words.
fn decided_by(forecasts: &Forecasts, object: usize) -> String {
    let prediction = &forecasts.predictions[object];
    let Some(basis) = prediction.basis else {
        let share = prediction.votes.of(prediction.decision) / prediction.votes.iter().sum::<f64>();
        return if share.is_finite() { format!("{} of the votes", percent(share)) } else { String::new() };
    };
    let Some((number, rule)) = forecasts.rule(object) else {
        return "no rule: the most frequent decision".to_owned();
    };
    let others = match (basis, n_rules(basis) - 1) {
        (Basis::Nearest(_), 0) => ", nearest".to_owned(),
        (Basis::Nearest(_), others) => format!(", nearest, as {others} more"),
        (_, 0) => String::new(),
        (_, others) => format!(", {others} more match"),
    };
    format!("rule {number} ({} of {}){others}", rule.support, rule.matching)
}

/// The forecasts with every figure.
pub fn json(forecasts: &Forecasts) -> Json {
    let accuracy = forecasts.accuracy();
    let confusion = accuracy.map(|(confusion, _)| confusion);
    let (rules, voting, classifier) = match &forecasts.decider {
        Decider::Rules { rules, voting, .. } => (Some(rules.len()), Some(voting), None),
        Decider::Classifier(name) => (None, None, Some(name)),
    };
    let is_by_rules = classifier.is_none();
    json!({
        "decision": forecasts.table.decision().name(),
        "classifier": classifier,
        "n_objects": forecasts.predictions.len(),
        "total_weight": forecasts.table.total_weight(),
        "n_rules": rules,
        "vote": voting.map(|voting| voting.vote),
        "unmatched_by": voting.map(|voting| voting.unmatched),
        "decisions": forecasts.classes,
        "accuracy": accuracy.map(|(_, accuracy)| estimate_json(accuracy)),
        "unmatched": is_by_rules.then(|| forecasts.unmatched() as f64 / forecasts.table.total_weight() as f64),
        "confusion": confusion.filter(|_| forecasts.are_few()).map(Confusion::counts),
        "classes": confusion.map(|confusion| confusion::classes_json(confusion, &forecasts.classes)),
        "forecasts": (0..forecasts.predictions.len()).map(|object| forecast_json(forecasts, object)).collect::<Vec<_>>(),
    })
}

fn forecast_json(forecasts: &Forecasts, object: usize) -> Json {
    let prediction = &forecasts.predictions[object];
    let Forecast { row, weight, truth, predicted, .. } = forecasts.forecast(object);
    let rule = forecasts.rule(object);
    let votes = || (0..forecasts.classes.len() as u32).map(|class| prediction.votes.of(class)).collect::<Vec<_>>();
    let mut json = json!({
        "object": row + 1, "weight": weight, "true": truth, "predicted": predicted,
        "basis": prediction.basis.map(word), "rules": prediction.basis.map(n_rules),
        "rule": rule.map(|(number, _)| number), "support": rule.map(|(_, rule)| rule.support),
        "matching": rule.map(|(_, rule)| rule.matching), "votes": forecasts.are_few().then(votes),
    });
    if let Some((_, id)) = forecasts.id(object) {
        json["id"] = json!(id);
    }
    json
}
