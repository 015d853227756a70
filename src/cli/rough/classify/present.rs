//! The comparison as text and as JSON.

use std::path::Path;

use roughboard::classify::{Comparison, CrossValidation, FoldResult, LearnerResults, ModelSize, Numbers};
use roughboard::settings::counted;
use roughboard::table::{Attribute, Completion, DecisionTable, Value};
use serde_json::{Value as Json, json};

use crate::cli::form::Sheet;
use crate::cli::rough::confusion::{self, estimate_json, interval, percent};
use crate::cli::rough::discretize::MethodName;
use crate::cli::rough::text::{sizes, table as columns};

/// What was compared on what.
pub struct Setup<'a> {
    pub table: &'a DecisionTable,
    pub test: Option<&'a Path>,
    pub split: CrossValidation,
    /// How missing values were completed in each fold, if they were.
    pub complete: Option<Completion>,
    /// How numbers were cut in each fold, if they were.
    pub discretize: Option<MethodName>,
    /// How each learner sees numbers.
    pub numbers: &'a [Numbers],
}

impl Setup<'_> {
    /// Whether the table has numbers, which learners see differently.
    fn has_numbers(&self) -> bool {
        self.table.attributes().iter().any(Attribute::is_numeric)
    }
}

/// The comparison for reading; with `all` the folds and confusion tables of every learner.
pub fn text(comparison: &Comparison, setup: &Setup<'_>, all: bool) -> String {
    let mut out = heading(setup);
    out.extend(comparison.warnings.iter().map(|warning| format!("warning: {warning}\n")));
    out += &format!("\n{}\n", summary(comparison, setup));
    if comparison.outcomes.len() > 1 {
        out += &format!("{}\n", differences(comparison));
    }
    let shown = if all { comparison.outcomes.len() } else { 1 };
    for outcome in &comparison.outcomes[..shown] {
        out += &details(outcome, &comparison.classes, all);
    }
    out
}

fn heading(setup: &Setup<'_>) -> String {
    let Setup { table, test, split, complete, discretize, .. } = setup;
    let sizes = format!("{}, {}", sizes(table), counted(table.n_decisions(), "decision"));
    let method = match test {
        Some(path) => format!("tested on {}", path.display()),
        None => {
            let repeats = if split.repeats == 1 {
                String::new()
            } else {
                format!(", {} times, each object counted each time", split.repeats)
            };
            format!("stratified {}-fold cross-validation{repeats}, seed {}", split.folds, split.seed)
        }
    };
    let cut = discretize.map(|method| format!("; numbers cut by {method}")).unwrap_or_default();
    let completed = complete.map(|method| format!("; missing values completed ({method})")).unwrap_or_default();
    format!("{sizes}; {method}{completed}{cut}\n")
}

/// The mean of a part of the models' sizes, if they have it.
fn mean_size(outcome: &LearnerResults, part: fn(&ModelSize) -> Option<usize>) -> Option<f64> {
    let sizes: Option<Vec<usize>> = outcome.folds.iter().map(|fold| part(&fold.size)).collect();
    sizes.map(|sizes| sizes.iter().sum::<usize>() as f64 / sizes.len() as f64)
}

fn summary(comparison: &Comparison, setup: &Setup<'_>) -> String {
    let mut header =
        vec!["learner", "accuracy", "95 % interval", "balanced", "macro F1", "no rule", "rules", "reduct", "leaves"];
    let line = |(outcome, numbers): (&LearnerResults, &Numbers)| {
        let (accuracy, confusion) = (outcome.accuracy(), outcome.confusion());
        let size = |part| mean_size(outcome, part).map_or("-".to_owned(), |mean| format!("{mean:.1}"));
        let has_rules = outcome.folds.iter().any(|fold| fold.size.rules.is_some());
        let mut cells = vec![
            outcome.name.clone(),
            percent(accuracy.mean),
            interval(accuracy),
            percent(confusion.balanced_accuracy()),
            percent(confusion.macro_f1()),
            if has_rules { percent(confusion.unmatched_share()) } else { "-".to_owned() },
            size(|size| size.rules),
            size(|size| size.reduct),
            size(|size| size.leaves),
        ];
        if setup.has_numbers() {
            cells.insert(1, numbers.to_string());
        }
        cells
    };
    if setup.has_numbers() {
        header.insert(1, "numbers");
    }
    columns(&header, &comparison.outcomes.iter().zip(setup.numbers).map(line).collect::<Vec<_>>())
}

fn differences(comparison: &Comparison) -> String {
    let line = |other: usize| {
        let difference = comparison.difference(0, other);
        // In per cent as it is printed, without a sign on zero.
        let mean = format!("{:+.2} points", (10_000.0 * difference.mean).round() / 100.0 + 0.0);
        vec![comparison.outcomes[other].name.clone(), mean, interval(difference)]
    };
    let lines: Vec<_> = (1..comparison.outcomes.len()).map(line).collect();
    columns(&["rules minus", "accuracy", "95 % interval"], &lines)
}

/// The confusion table of a learner and the figures of each decision.
fn details(outcome: &LearnerResults, classes: &[Value], all: bool) -> String {
    let confusion = outcome.confusion();
    let mut out = format!("{}\n", outcome.name);
    if all {
        let line = |FoldResult { repeat, fold, confusion, .. }: &FoldResult| {
            let [accuracy, unmatched] = [confusion.accuracy(), confusion.unmatched_share()].map(percent);
            vec![(repeat + 1).to_string(), (fold + 1).to_string(), accuracy, confusion.total().to_string(), unmatched]
        };
        let lines: Vec<_> = outcome.folds.iter().map(line).collect();
        out += &columns(&["repeat", "fold", "accuracy", "objects", "no rule"], &lines);
    }
    out + &confusion::text(&confusion, classes, all) + "\n"
}

/// The comparison with every figure.
pub fn json(comparison: &Comparison, setup: &Setup<'_>) -> Json {
    let outcomes: Vec<Json> =
        (0..comparison.outcomes.len()).map(|at| outcome_json(comparison, at, setup.numbers[at])).collect();
    let split = match setup.test {
        Some(path) => json!({ "method": "hold-out", "test": path.display().to_string() }),
        None => json!({
            "method": "stratified cross-validation", "folds": setup.split.folds, "repeats": setup.split.repeats,
            "seed": setup.split.seed,
        }),
    };
    json!({
        "n_objects": setup.table.n_objects(),
        "total_weight": setup.table.total_weight(),
        "n_attributes": setup.table.n_attributes(),
        "split": split,
        "complete": setup.complete, "discretize": setup.discretize,
        "decisions": comparison.classes,
        "warnings": comparison.warnings,
        "learners": outcomes,
    })
}

/// What CSV has of the comparison.
pub const SHEET: Sheet<'_> = Sheet::Columns(
    "/learners",
    &[
        "learner",
        "numbers",
        "accuracy_mean",
        "accuracy_interval",
        "balanced_accuracy",
        "macro_f1",
        "unmatched",
        "rules_minus_this_mean",
        "rules_minus_this_interval",
    ],
);

fn outcome_json(comparison: &Comparison, at: usize, numbers: Numbers) -> Json {
    let outcome = &comparison.outcomes[at];
    let confusion = outcome.confusion();
    json!({
        "learner": outcome.name,
        "numbers": numbers,
        "accuracy": estimate_json(outcome.accuracy()),
        "rules_minus_this": estimate_json(comparison.difference(0, at)),
        "balanced_accuracy": confusion.balanced_accuracy(),
        "macro_f1": confusion.macro_f1(),
        "unmatched": confusion.unmatched_share(),
        "confusion": confusion.counts(),
        "classes": confusion::classes_json(&confusion, &comparison.classes),
        "folds": outcome.folds.iter().map(fold_json).collect::<Vec<_>>(),
    })
}

fn fold_json(fold: &FoldResult) -> Json {
    json!({
        "repeat": fold.repeat + 1, "fold": fold.fold + 1, "training_weight": fold.training_weight,
        "test_weight": fold.confusion.total(), "accuracy": fold.confusion.accuracy(),
        "unmatched": fold.confusion.unmatched_share(), "rules": fold.size.rules, "reduct": fold.size.reduct,
        "leaves": fold.size.leaves,
    })
}
