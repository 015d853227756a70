//! The shapes of figures in JSON, so that a figure that states nothing is not taken for one that holds.

use serde_json::Value as Json;

/// What a figure must look like.
#[derive(Clone, Copy)]
pub struct Shape {
    /// In words.
    pub words: &'static str,
    /// Whether a value has this shape.
    pub fits: fn(&Json) -> bool,
}

/// A whole number.
pub const COUNT: Shape = Shape { words: "a whole number", fits: Json::is_u64 };

/// The shape of a known figure.
pub fn shape_of(figure: &str) -> Option<Shape> {
    let (words, fits): (_, fn(&Json) -> bool) = match figure {
        "n" | "min_certain_rules" => return Some(COUNT),
        "gamma" => ("a fraction `[numerator, denominator]`", is_fraction),
        "positive_region" | "boundary" => ("a list of objects' numbers", are_objects),
        "ind_classes" => ("a list of lists of objects' numbers", |value| all(value, are_objects)),
        "approximations" => ("an object of objects with `lower`, `upper`, `boundary` or `accuracy`", |value| {
            some_entries(value, |_, parts| some_entries(parts, is_part))
        }),
        "gamma_of_subset" => ("an object of whole numbers by subset", |value| some_entries(value, |_, n| n.is_u64())),
        "all_minimal_certain_rules" => {
            let words = "a list of rules with `cond` (a list of `[attribute, value]`), `dec`, `match`, `support` and `coverage`";
            (words, |value| all(value, is_rule))
        }
        _ if figure.ends_with("_core") => ("a list of attributes' names", are_names),
        _ if figure.ends_with("_reducts") => ("a list of lists of attributes' names", |value| all(value, are_names)),
        _ => return None,
    };
    Some(Shape { words, fits })
}

fn are_objects(value: &Json) -> bool {
    all(value, Json::is_u64)
}

fn are_names(value: &Json) -> bool {
    all(value, Json::is_string)
}

fn is_fraction(value: &Json) -> bool {
    are_objects(value) && value.as_array().is_some_and(|parts| parts.len() == 2)
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
        "lower" | "upper" | "boundary" => are_objects(value),
        "accuracy" => is_fraction(value),
        _ => false,
    }
}

fn is_rule(rule: &Json) -> bool {
    let is_condition = |c: &Json| are_names(c) && c.as_array().is_some_and(|pair| pair.len() == 2);
    all(&rule["cond"], is_condition)
        && rule["dec"].is_string()
        && are_objects(&rule["match"])
        && rule["support"].is_u64()
        && is_fraction(&rule["coverage"])
}
