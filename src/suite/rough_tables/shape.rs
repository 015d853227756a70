//! The shapes of figures in JSON, so that a figure that states nothing is not taken for one that holds.

use serde_json::Value as Json;

/// What a figure must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Count,
    Fraction,
    Objects,
    ObjectSets,
    Names,
    NameSets,
    Rules,
    Approximations,
    Subsets,
}

impl Shape {
    /// The shape of a known figure.
    pub fn of(figure: &str) -> Option<Self> {
        Some(match figure {
            "n" | "min_certain_rules" => Self::Count,
            "gamma" => Self::Fraction,
            "positive_region" | "boundary" => Self::Objects,
            "ind_classes" => Self::ObjectSets,
            "approximations" => Self::Approximations,
            "gamma_of_subset" => Self::Subsets,
            "all_minimal_certain_rules" => Self::Rules,
            _ if figure.ends_with("_core") => Self::Names,
            _ if figure.ends_with("_reducts") => Self::NameSets,
            _ => return None,
        })
    }

    /// The shape in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Count => "a whole number",
            Self::Fraction => "a fraction `[numerator, denominator]`",
            Self::Objects => "a list of objects' numbers",
            Self::ObjectSets => "a list of lists of objects' numbers",
            Self::Names => "a list of attributes' names",
            Self::NameSets => "a list of lists of attributes' names",
            Self::Rules => "a list of rules with `cond`, `dec`, `match`, `support` and `coverage`",
            Self::Approximations => "an object of objects with `lower`, `upper`, `boundary` or `accuracy`",
            Self::Subsets => "an object of whole numbers by subset",
        }
    }

    /// Whether `value` has this shape.
    pub fn fits(self, value: &Json) -> bool {
        match self {
            Self::Count => value.is_u64(),
            Self::Fraction => all(value, Json::is_u64) && value.as_array().is_some_and(|parts| parts.len() == 2),
            Self::Objects => all(value, Json::is_u64),
            Self::ObjectSets => all(value, |set| Self::Objects.fits(set)),
            Self::Names => all(value, Json::is_string),
            Self::NameSets => all(value, |set| Self::Names.fits(set)),
            Self::Rules => all(value, is_rule),
            Self::Approximations => some_entries(value, |_, parts| some_entries(parts, is_part)),
            Self::Subsets => some_entries(value, |_, count| count.is_u64()),
        }
    }
}

/// Whether `value` is a list of nothing but what `fits`.
fn all(value: &Json, fits: impl Fn(&Json) -> bool) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(fits))
}

/// Whether `value` is an object that is not empty and whose entries all fit.
fn some_entries(value: &Json, fits: impl Fn(&str, &Json) -> bool) -> bool {
    value.as_object().is_some_and(|entries| !entries.is_empty() && entries.iter().all(|(key, v)| fits(key, v)))
}

fn is_part(part: &str, value: &Json) -> bool {
    match part {
        "lower" | "upper" | "boundary" => Shape::Objects.fits(value),
        "accuracy" => Shape::Fraction.fits(value),
        _ => false,
    }
}

fn is_rule(rule: &Json) -> bool {
    let is_condition = |c: &Json| Shape::Names.fits(c) && c.as_array().is_some_and(|pair| pair.len() == 2);
    all(&rule["cond"], is_condition)
        && rule["dec"].is_string()
        && Shape::Objects.fits(&rule["match"])
        && rule["support"].is_u64()
        && Shape::Fraction.fits(&rule["coverage"])
}
