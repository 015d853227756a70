//! The fields of [`SearchSettings`] as options, whatever they are: they are asked of its serialised form, so that a new
//! heuristic of the search is an option without a line here.

use serde_json::Value;

use crate::search::SearchSettings;

/// The field that the options `Hash` and `hashsize` set.
pub(super) const TABLE_FIELD: &str = "transposition_mb";

/// One field and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Switch {
    pub field: String,
    pub state: State,
}

/// The value of a field, by what it can be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// On or off.
    Flag(bool),
    /// A whole number within bounds that [`SearchSettings::check`] accepts.
    Number { value: i64, least: i64, most: i64 },
    /// Anything else, as JSON.
    Other(String),
}

/// All fields but [`TABLE_FIELD`], in alphabetical order.
pub(super) fn switches(settings: &SearchSettings) -> Vec<Switch> {
    let others = settings.fields().into_iter().filter(|(field, _)| field != TABLE_FIELD);
    others.map(|(field, value)| Switch { state: state(settings, &field, &value), field }).collect()
}

/// `settings` with another value of `field`, if that is a value that it may have.
pub(super) fn with(settings: &SearchSettings, field: &str, value: Value) -> Option<SearchSettings> {
    let changed = settings.with_field(field, value)?;
    changed.check().ok().map(|()| changed)
}

/// The bounds of a whole number: those values next to the present one that are accepted without a gap.
pub(super) fn bounds(settings: &SearchSettings, field: &str, value: i64) -> (i64, i64) {
    let accepted = |value: i64| with(settings, field, value.into()).is_some();
    let limit = i64::from(i32::MAX);
    (furthest(value, -limit, accepted), furthest(value, limit, accepted))
}

fn state(settings: &SearchSettings, field: &str, value: &Value) -> State {
    match value {
        Value::Bool(on) => State::Flag(*on),
        Value::Number(number) if number.is_i64() => {
            let value = number.as_i64().unwrap_or_default();
            let (least, most) = bounds(settings, field, value);
            State::Number { value, least, most }
        }
        Value::String(text) => State::Other(text.clone()),
        other => State::Other(other.to_string()),
    }
}

/// The number furthest from `inside` towards `limit` that is `accepted`, by bisection.
fn furthest(inside: i64, limit: i64, accepted: impl Fn(i64) -> bool) -> i64 {
    if accepted(limit) {
        return limit;
    }
    let (mut inside, mut outside) = (inside, limit);
    while inside.abs_diff(outside) > 1 {
        let middle = inside.midpoint(outside);
        if accepted(middle) { inside = middle } else { outside = middle }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MAX_TABLE_MB;

    #[test]
    fn every_field_of_the_settings_is_a_switch() {
        let settings = SearchSettings::default();
        let found = switches(&settings);
        assert_eq!(found.len() + 1, settings.fields().len());
        assert!(found.iter().any(|switch| switch.field == "killers" && switch.state == State::Flag(true)));
        for Switch { field, state } in found {
            if let State::Number { value, least, most } = state {
                assert!(least <= value && value <= most, "{field}: {value} in [{least}, {most}]");
                assert!(
                    with(&settings, &field, least.into()).is_some() && with(&settings, &field, most.into()).is_some()
                );
            }
        }
    }

    #[test]
    fn bounds_are_those_of_the_check() {
        assert_eq!(bounds(&SearchSettings::default(), TABLE_FIELD, 8), (0, MAX_TABLE_MB as i64));
        assert_eq!(furthest(3, -100, |value| value >= -7), -7);
        assert_eq!(furthest(3, 100, |_| true), 100);
        assert_eq!(furthest(3, 100, |value| value == 3), 3);
    }

    #[test]
    fn values_of_another_type_are_not_taken() {
        let settings = SearchSettings::default();
        assert_eq!(with(&settings, "killers", Value::Bool(false)).map(|changed| changed.killers), Some(false));
        assert_eq!(with(&settings, "killers", 1.into()), None);
        assert_eq!(with(&settings, "no such field", Value::Bool(true)), None);
        assert_eq!(with(&settings, TABLE_FIELD, (MAX_TABLE_MB + 1).into()), None);
    }
}
