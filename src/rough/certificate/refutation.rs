//! Why a table does not bear out a certificate.

use super::Pair;

/// At most this many values stand in a message.
const SHOWN_VALUES: usize = 12;

/// A reason why a table does not bear out a certificate. Objects are named by their rows, counted from 0, in messages from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refutation {
    /// The reduct names an attribute that the table lacks.
    #[error("the table has no attribute `{0}`")]
    UnknownAttribute(String),
    /// The reduct names an attribute twice.
    #[error("the attribute `{0}` is listed twice")]
    RepeatedAttribute(String),
    /// The attributes do not preserve the notion.
    #[error(
        "{} agree on all attributes kept{}, but have the labels {} and {}",
        shown(objects), listed(values), labels[0], labels[1]
    )]
    Conflict {
        /// Two objects of different labels.
        objects: Pair,
        /// Their labels.
        labels: [String; 2],
        /// Their common values: attribute and value.
        values: Vec<(String, String)>,
    },
    /// Nothing shows that an attribute is indispensable.
    #[error("no two objects are given that only `{0}` tells apart")]
    NoWitness(String),
    /// A witness is given for an attribute that is not kept.
    #[error("a witness is given for `{0}`, which is not among the attributes kept")]
    StrayWitness(String),
    /// A pair names an object that the table lacks.
    #[error("{role}: object {} is none of the {n_objects} objects of the table", u64::from(*row) + 1)]
    UnknownObject {
        /// What the pair is for.
        role: String,
        /// The row that no object comes from.
        row: u32,
        /// The number of objects.
        n_objects: usize,
    },
    /// A pair has one label, so that it need not be told apart.
    #[error("{role}: {} have the same label, {label}", shown(objects))]
    SameLabel {
        /// What the pair is for.
        role: String,
        /// The pair.
        objects: Pair,
        /// Its label.
        label: String,
    },
    /// A witness is told apart by another attribute that is kept.
    #[error(
        "witness for `{attribute}`: {} differ also in `{other}`, which is kept: {} and {}",
        shown(objects), values[0], values[1]
    )]
    DiffersElsewhere {
        /// The attribute that the witness is for.
        attribute: String,
        /// The pair.
        objects: Pair,
        /// Another attribute of the reduct.
        other: String,
        /// The pair's values of it.
        values: [String; 2],
    },
    /// A witness is not told apart by the attribute that it is for.
    #[error("witness for `{attribute}`: {} agree in it: both have {value}", shown(objects))]
    DoesNotDiffer {
        /// The attribute.
        attribute: String,
        /// The pair.
        objects: Pair,
        /// Its value.
        value: String,
    },
    /// Fewer attributes tell the pairs of the lower bound apart.
    #[error("lower bound {size}: its pairs are told apart by {} attributes: {}", smaller.len(), smaller.join(", "))]
    BoundTooHigh {
        /// The bound.
        size: usize,
        /// The attributes.
        smaller: Vec<String>,
    },
    /// The lower bound takes too long to check.
    #[error("lower bound {0}: it takes too long to check, so it is not confirmed")]
    BoundOpen(usize),
}

fn shown(Pair(a, b): &Pair) -> String {
    format!("objects {} and {}", u64::from(*a) + 1, u64::from(*b) + 1)
}

/// ` (a = 1, b = 2)`, nothing for no values.
fn listed(values: &[(String, String)]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let mut words: Vec<String> =
        values.iter().take(SHOWN_VALUES).map(|(name, value)| format!("{name} = {value}")).collect();
    if values.len() > SHOWN_VALUES {
        words.push(format!("{} more", values.len() - SHOWN_VALUES));
    }
    format!(" ({})", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_values_the_first_are_shown_and_the_others_counted() {
        let values: Vec<(String, String)> = (0..14).map(|i| (format!("a{i}"), i.to_string())).collect();
        let first: Vec<String> = (0..12).map(|i| format!("a{i} = {i}")).collect();
        assert_eq!(listed(&values), format!(" ({}, 2 more)", first.join(", ")));
        assert_eq!(listed(&values[..12]), format!(" ({})", first.join(", ")));
        assert_eq!(listed(&values[..1]), " (a0 = 0)");
        assert_eq!(listed(&[]), "");
    }
}
