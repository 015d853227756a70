//! Why a table does not bear out a certificate.

use std::fmt;

use super::Pair;

/// At most this many values stand in a message.
const SHOWN_VALUES: usize = 12;

/// A reason why a table does not bear out a certificate. Objects are named by their rows, counted from 0; shown, they are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refutation {
    /// The reduct names an attribute that the table lacks.
    UnknownAttribute(String),
    /// The reduct names an attribute twice.
    RepeatedAttribute(String),
    /// The attributes do not preserve the notion.
    Conflict {
        /// Two objects of different labels.
        objects: Pair,
        /// Their labels.
        labels: [String; 2],
        /// Their common values: attribute and value.
        values: Vec<(String, String)>,
    },
    /// Nothing shows that an attribute is indispensable.
    NoWitness(String),
    /// A witness is given for an attribute that is not kept.
    StrayWitness(String),
    /// A pair names an object that the table lacks.
    UnknownObject {
        /// What the pair is for.
        role: String,
        /// The row that no object comes from.
        row: u32,
        /// The number of objects.
        n_objects: usize,
    },
    /// A pair has one label, so that it need not be told apart.
    SameLabel {
        /// What the pair is for.
        role: String,
        /// The pair.
        objects: Pair,
        /// Its label.
        label: String,
    },
    /// A witness is told apart by another attribute that is kept.
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
    DoesNotDiffer {
        /// The attribute.
        attribute: String,
        /// The pair.
        objects: Pair,
        /// Its value.
        value: String,
    },
    /// Fewer attributes tell the pairs of the lower bound apart.
    BoundTooHigh {
        /// The bound.
        size: usize,
        /// The attributes.
        smaller: Vec<String>,
    },
    /// The lower bound takes too long to check.
    BoundOpen(usize),
}

impl Refutation {
    /// In words, where the objects are numbered from `first` on.
    ///
    /// ```
    /// use roughboard::rough::{Pair, Refutation};
    /// let (role, label) = ("witness for `a`".to_owned(), "d = x".to_owned());
    /// let refutation = Refutation::SameLabel { role, objects: Pair(0, 2), label };
    /// assert_eq!(refutation.numbered_from(0), "witness for `a`: objects 0 and 2 have the same label, d = x");
    /// ```
    pub fn numbered_from(&self, first: u32) -> String {
        let number = |row: u32| u64::from(row) + u64::from(first);
        let shown = |Pair(a, b): &Pair| format!("objects {} and {}", number(*a), number(*b));
        match self {
            Self::UnknownAttribute(name) => format!("the table has no attribute `{name}`"),
            Self::RepeatedAttribute(name) => format!("the attribute `{name}` is listed twice"),
            Self::Conflict { objects, labels: [one, other], values } => format!(
                "{} agree on all attributes kept{}, but have the labels {one} and {other}",
                shown(objects),
                listed(values)
            ),
            Self::NoWitness(name) => format!("no two objects are given that only `{name}` tells apart"),
            Self::StrayWitness(name) => {
                format!("a witness is given for `{name}`, which is not among the attributes kept")
            }
            Self::UnknownObject { role, row, n_objects } => {
                format!("{role}: object {} is none of the {n_objects} objects of the table", number(*row))
            }
            Self::SameLabel { role, objects, label } => {
                format!("{role}: {} have the same label, {label}", shown(objects))
            }
            Self::DiffersElsewhere { attribute, objects, other, values: [one, two] } => format!(
                "witness for `{attribute}`: {} differ also in `{other}`, which is kept: {one} and {two}",
                shown(objects)
            ),
            Self::DoesNotDiffer { attribute, objects, value } => {
                format!("witness for `{attribute}`: {} agree in it: both have {value}", shown(objects))
            }
            Self::BoundTooHigh { size, smaller } => format!(
                "lower bound {size}: its pairs are told apart by {} attributes: {}",
                smaller.len(),
                smaller.join(", ")
            ),
            Self::BoundOpen(size) => {
                format!("lower bound {size}: it takes too long to check, so it is not confirmed")
            }
        }
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.numbered_from(1))
    }
}

impl std::error::Error for Refutation {}

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
