//! The diagnosis of a rough network as tables, in words.

use std::path::Path;

use serde::Serialize;

use crate::disk::{FileError, write_file};
use crate::eval::Catalogue;
use crate::features::FeatureSet;
use crate::net::rough::RoughForm;
use crate::net::store::About;
use crate::net::{Network, RoughNet};
use crate::report::{Cell, Field, Table};
use crate::settings::is_zero;
use crate::train::PositionSet;
use crate::train::rough::diagnosis::{Diagnosis, MOST_POSITIONS, diagnose};

/// The file of the whole report.
const REPORT: &str = "diagnosis.md";
/// Factors of values that occur in a smaller share of the positions are no finding.
const LEAST_SEEN: f64 = 0.001;

/// One weight of layer 2, in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Factor {
    /// The rule's number, from 1.
    pub rule: usize,
    /// What the rule speaks for: `win`, `draw` or `loss` of the side that moves first; empty if that is not known.
    pub decision: &'static str,
    /// The value.
    pub value: String,
    /// Positions with the value.
    pub seen: usize,
    /// What a rule's strength is multiplied by before the exponent τ: μ / P = e^θ; in the literal form A.
    pub factor: f64,
    /// What it was before training.
    pub before: Option<f64>,
}

/// How far training moved the weights of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distance {
    /// The layer.
    pub layer: &'static str,
    /// The Euclidean norm of the weights before.
    pub before: f64,
    /// That of their change.
    pub change: f64,
    /// The cosine of the angle between the weights before and after.
    pub cosine: f64,
}

/// Everything that can be said of a rough network from positions, and from its weights before training if they are known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiagnosisReport {
    /// What it did in positions.
    pub diagnosis: Diagnosis,
    /// The number of dead rules.
    pub dead: usize,
    /// The sharpest factors, the sharpest first.
    pub sharpest: Vec<Factor>,
    /// How far training moved the weights, if it is known.
    pub distances: Vec<Distance>,
    /// ω of each rule.
    pub omega: Vec<f32>,
    /// ω of each rule before training, if it is known.
    pub omega_before: Vec<f32>,
    /// The rules in words, if they are known.
    pub rules: Vec<String>,
    /// Whether the second half of the rules are the twins of the first, which are shown.
    #[serde(skip_serializing_if = "is_zero")]
    pub symmetric: bool,
}

impl DiagnosisReport {
    /// The report of `net`, which was `before` training, on the positions of `set`, with the `n_sharpest` sharpest factors.
    ///
    /// # Panics
    /// When `before` has another number of parameters, so that no training made `net` of it.
    pub fn of<G: Catalogue>(
        (net, before): (&RoughNet, Option<&RoughNet>),
        set: &PositionSet,
        (features, about): (&G::Features, &About),
        n_sharpest: usize,
    ) -> Self {
        let is_alike = before.is_none_or(|before| before.parameters().len() == net.parameters().len());
        assert!(is_alike, "the network before training has another number of parameters");
        let diagnosis = diagnose(net, set);
        let words = |attribute, code| features.describe(attribute, code);
        Self {
            dead: diagnosis.dead(),
            sharpest: sharpest((net, before), &diagnosis, &words, n_sharpest),
            distances: before.map_or_else(Vec::new, |before| distances(before, net)),
            omega: net.omega().to_vec(),
            omega_before: before.map_or_else(Vec::new, |before| before.omega().to_vec()),
            rules: about.rules.clone(),
            symmetric: net.is_symmetric(),
            diagnosis,
        }
    }

    /// What a reader should see first, in lines.
    pub fn summary(&self) -> String {
        let Diagnosis { positions, rules, without_gradient, coverage, .. } = &self.diagnosis;
        let percent = |part: usize| 100.0 * part as f64 / (*positions).max(1) as f64;
        let mut text = format!("{positions} positions (at most {MOST_POSITIONS} are looked at)\n");
        if self.symmetric {
            let pairs = rules.len() / 2;
            text += &format!(
                "symmetric: rules {} to {} are the twins of 1 to {pairs}, with colours exchanged, and not shown\n",
                pairs + 1,
                rules.len()
            );
        }
        text += &format!("dead rules: {} of {}\n", self.dead, rules.len());
        text += &format!("positions in which no factor has a gradient: {:.1} %\n", percent(*without_gradient));
        if let Some(unmatched) = coverage.first() {
            text += &format!("positions that meet the conditions of no rule: {:.1} %\n", percent(*unmatched));
        }
        text
    }

    /// The tables for a terminal: all but that of the rules, which is long.
    pub fn to_text(&self) -> String {
        let tables = self.tables().into_iter().filter(|(name, table)| *name != "rules" && !table.is_empty());
        self.summary() + &tables.map(|(_, table)| format!("\n{}", table.to_text())).collect::<String>()
    }

    /// The whole report as a page.
    pub fn to_markdown(&self) -> String {
        let summary: String = self.summary().lines().map(|line| format!("- {line}\n")).collect();
        let tables = self.tables().into_iter().filter(|(_, table)| !table.is_empty());
        format!("# Diagnosis\n\n{summary}")
            + &tables.map(|(_, table)| format!("\n{}", table.to_markdown())).collect::<String>()
    }

    /// Writes the report and one CSV file a table into `folder`, which is made; gives the names of the files.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<String>, FileError> {
        std::fs::create_dir_all(folder).map_err(FileError::of("create", folder))?;
        let tables = self.tables().into_iter().map(|(name, table)| (format!("{name}.csv"), table.to_csv()));
        let files = [(REPORT.to_owned(), self.to_markdown())].into_iter().chain(tables);
        let write = |(name, text): (String, String)| {
            write_file(&folder.join(&name), text.as_bytes())?;
            Ok(name)
        };
        files.map(write).collect()
    }

    /// The tables with the names of their files.
    fn tables(&self) -> [(&'static str, Table); 5] {
        [
            ("coverage", self.coverage_table()),
            ("gradient", self.gradient_table()),
            ("distance", self.distance_table()),
            ("sharpest", self.sharpest_table()),
            ("rules", self.rule_table()),
        ]
    }

    fn coverage_table(&self) -> Table {
        let Diagnosis { coverage, positions: all, .. } = &self.diagnosis;
        let rows = coverage.iter().enumerate().map(|(n_rules, &positions)| {
            let share = 100.0 * positions as f64 / (*all).max(1) as f64;
            [n_rules.into(), positions.into(), Cell::real(share, 1)]
        });
        let caption = "Positions by the number of rules whose conditions they meet";
        Table::new(caption, &[], &["rules", "positions", "share %"]).with_rows(rows)
    }

    fn gradient_table(&self) -> Table {
        let total: f64 = self.diagnosis.gradient.iter().map(|layer| layer.norm.powi(2)).sum();
        let rows = self.diagnosis.gradient.iter().map(|layer| {
            let shares = [100.0 * layer.norm.powi(2) / total, 100.0 * layer.zero as f64 / layer.weights as f64];
            let [share, zero] = shares.map(|share| Cell::real(share, 1));
            [layer.layer.into(), layer.weights.into(), Cell::real(layer.norm, 6), share, zero]
        });
        let caption = "Gradient of the mean squared error by layers; shares of its squared norm";
        Table::new(caption, &["layer"], &["weights", "norm", "share %", "zero %"]).with_rows(rows)
    }

    fn distance_table(&self) -> Table {
        let numbers: [Field<Distance>; 4] = [
            ("norm before", |distance| Cell::real(distance.before, 4)),
            ("norm of the change", |distance| Cell::real(distance.change, 4)),
            ("change / before", |distance| Cell::real(distance.change / distance.before, 3)),
            ("cosine", |distance| Cell::real(distance.cosine, 3)),
        ];
        let layer: Field<Distance> = ("layer", |distance| distance.layer.into());
        Table::of("Weights before and after training", &self.distances, &[layer], &numbers)
    }

    fn sharpest_table(&self) -> Table {
        let names: [Field<Factor>; 2] =
            [("value", |factor| factor.value.as_str().into()), ("speaks for", |factor| factor.decision.into())];
        let numbers: [Field<Factor>; 4] = [
            ("rule", |factor| factor.rule.into()),
            ("positions", |factor| factor.seen.into()),
            ("factor", |factor| Cell::real(factor.factor, 3)),
            ("factor before", |factor| factor.before.map(|before| Cell::real(before, 3)).into()),
        ];
        Table::of("The sharpest factors of values that occur", &self.sharpest, &names, &numbers)
    }

    /// What each rule did, in the order of the network.
    pub fn rule_table(&self) -> Table {
        let numbers = ["rule", "matched", "mean v", "largest |omega v|", "held", "omega before", "omega"];
        let shown = if self.symmetric { self.diagnosis.rules.len() / 2 } else { self.diagnosis.rules.len() };
        let rows = self.diagnosis.rules[..shown].iter().enumerate().map(|(at, activity)| {
            [
                self.rules.get(at).map_or("", String::as_str).into(),
                if self.diagnosis.is_dead(at) { "dead" } else { "alive" }.into(),
                (at + 1).into(),
                activity.matched.into(),
                Cell::real(activity.mean_strength, 4),
                Cell::real(f64::from(activity.largest_effect), 6),
                activity.at_bound.into(),
                self.omega_before.get(at).map(|&omega| Cell::real(f64::from(omega), 4)).into(),
                Cell::real(f64::from(self.omega[at]), 4),
            ]
        });
        Table::new("Rules", &["words", "state"], &numbers).with_rows(rows)
    }
}

/// One weight of layer 2: its rule, attribute, value code, size, and the positions with the value.
struct Candidate {
    rule: usize,
    attribute: usize,
    code: u8,
    weight: f32,
    seen: usize,
}

/// The `n` sharpest factors; `words` says what it means that an attribute has a code, such as `black rook on e9`.
fn sharpest(
    (net, before): (&RoughNet, Option<&RoughNet>),
    diagnosis: &Diagnosis,
    words: &dyn Fn(usize, u8) -> String,
    n: usize,
) -> Vec<Factor> {
    let least_seen = (LEAST_SEEN * diagnosis.positions as f64).ceil().max(1.0) as usize;
    let mut all = Vec::new();
    for &attribute in net.inputs() {
        for code in 0..net.coding().n_values(attribute) {
            let (code, seen) = (code as u8, diagnosis.seen[net.coding().class(attribute, code as u8)]);
            if seen >= least_seen {
                let weight = |rule| net.layer_2(rule, attribute, code).map(|weight| (rule, weight));
                let candidate = |(rule, weight)| Candidate { rule, attribute, code, weight, seen };
                all.extend((0..net.n_shown()).filter_map(weight).map(candidate));
            }
        }
    }
    all.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    let factor = |net: &RoughNet, weight: f32| match net.shape().form {
        RoughForm::Default => f64::from(weight).exp(),
        RoughForm::Literal => f64::from(weight),
    };
    let in_words = |candidate: Candidate| {
        let Candidate { rule, attribute, code, weight, seen } = candidate;
        Factor {
            rule: rule + 1,
            decision: decision_of(net, rule),
            value: words(attribute, code),
            seen,
            factor: factor(net, weight),
            before: before.and_then(|net| net.layer_2(rule, attribute, code).map(|weight| factor(net, weight))),
        }
    };
    all.into_iter().take(n).map(in_words).collect()
}

fn decision_of(net: &RoughNet, rule: usize) -> &'static str {
    match net.shape().rules.get(rule).map(|rule| rule.value) {
        Some(value) if value > 0.0 => "win",
        Some(value) if value < 0.0 => "loss",
        Some(_) => "draw",
        None => "",
    }
}

fn distances(before: &RoughNet, after: &RoughNet) -> Vec<Distance> {
    let layers =
        [("layer 2", before.layer_2_weights(), after.layer_2_weights()), ("omega", before.omega(), after.omega())];
    layers.map(|(layer, before, after)| distance(layer, before, after)).to_vec()
}

fn distance(layer: &'static str, before: &[f32], after: &[f32]) -> Distance {
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        before.iter().zip(after).map(|(&b, &a)| term(f64::from(b), f64::from(a))).sum()
    };
    let (norm_before, norm_after) = (sum(&|b, _| b * b).sqrt(), sum(&|_, a| a * a).sqrt());
    Distance {
        layer,
        before: norm_before,
        change: sum(&|b, a| (a - b).powi(2)).sqrt(),
        cosine: sum(&|b, a| a * b) / (norm_before * norm_after),
    }
}
