//! What a notion says of each object, recomputed from its definition.

use std::collections::BTreeMap;

use super::Pair;
use crate::rough::{Notion, Partition, gcd};
use crate::table::DecisionTable;

/// The label of an object: what the notion says of its class E in U/IND(A).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Label {
    /// All of E has this decision.
    Decision(u32),
    /// E has several decisions.
    Boundary,
    /// The decisions in E.
    Decisions(Vec<u32>),
    /// The decisions in E with their weights, in lowest terms.
    Shares(Vec<(u32, u64)>),
    /// E itself, by its number.
    Class(usize),
}

/// The label of every class of U/IND(A).
pub struct Labels<'t> {
    table: &'t DecisionTable,
    classes: Partition,
    /// By class.
    labels: Vec<Label>,
}

impl<'t> Labels<'t> {
    pub fn of(table: &'t DecisionTable, notion: Notion) -> Self {
        let classes = Partition::by(table, &table.all_attributes());
        let mut weights = vec![BTreeMap::new(); classes.n_classes()];
        for object in 0..table.n_objects() {
            *weights[classes.class_of(object)].entry(table.decision().code(object)).or_insert(0) +=
                table.weight(object);
        }
        let labels = weights.iter().enumerate().map(|(class, weights)| label(notion, class, weights)).collect();
        Self { table, classes, labels }
    }

    fn of_object(&self, object: u32) -> &Label {
        &self.labels[self.classes.class_of(object as usize)]
    }

    /// Whether two objects have different labels.
    pub fn differ(&self, Pair(a, b): Pair) -> bool {
        self.of_object(a) != self.of_object(b)
    }

    /// The label of an object in words.
    pub fn spelled(&self, object: u32) -> String {
        let decision = self.table.decision();
        let value = |code: &u32| decision.domain()[*code as usize].to_string();
        let set = |members: Vec<String>| format!("{} in {{{}}}", decision.name(), members.join(", "));
        match self.of_object(object) {
            Label::Decision(code) => format!("{} = {}", decision.name(), value(code)),
            Label::Boundary => "boundary".to_owned(),
            Label::Decisions(codes) => set(codes.iter().map(value).collect()),
            Label::Shares(shares) => {
                set(shares.iter().map(|(code, share)| format!("{}: {share}", value(code))).collect())
            }
            Label::Class(class) => format!("class {}", class + 1),
        }
    }
}

/// The label of the class number `class`, whose decisions have these weights.
fn label(notion: Notion, class: usize, weights: &BTreeMap<u32, u64>) -> Label {
    let decisions: Vec<u32> = weights.keys().copied().collect();
    match (notion, decisions.as_slice()) {
        (Notion::Positive, [decision]) => Label::Decision(*decision),
        (Notion::Positive, _) => Label::Boundary,
        (Notion::Generalized, _) => Label::Decisions(decisions),
        (Notion::Distribution, _) => {
            let divisor = weights.values().fold(0, |a, b| gcd(a, *b)).max(1);
            Label::Shares(weights.iter().map(|(decision, weight)| (*decision, weight / divisor)).collect())
        }
        (Notion::Information, _) => Label::Class(class),
    }
}
