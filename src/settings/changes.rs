//! What differs between the settings of two runs, told to whoever takes one for the other.

use std::fmt;

use serde_json::Value;

/// So many changes are told in one message.
const MOST_TOLD: usize = 8;

/// A setting that two runs differ in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Where it is, such as `training.rate.first`.
    pub name: String,
    /// Its value in the run that is there.
    pub before: String,
    /// Its value in the run that is asked for.
    pub now: String,
}

/// The settings that two runs differ in: `depth: 3 before, 4 now`. There are none where it is not known what the first depended on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes(pub Vec<Change>);

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(changes) = self;
        if changes.is_empty() {
            return f.write_str("other settings, games or program");
        }
        let told = changes.iter().take(MOST_TOLD);
        let told: Vec<String> =
            told.map(|Change { name, before, now }| format!("{name}: {before} before, {now} now")).collect();
        f.write_str(&told.join("; "))?;
        let others = changes.len() - told.len();
        if others > 0 { write!(f, "; and {others} more") } else { Ok(()) }
    }
}

impl Changes {
    /// What differs between the identities of two runs.
    pub fn between(before: &Value, now: &Value) -> Self {
        let mut changes = Vec::new();
        compare("", Some(before), Some(now), &mut changes);
        Self(changes)
    }
}

fn compare(name: &str, before: Option<&Value>, now: Option<&Value>, changes: &mut Vec<Change>) {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (before, now) {
        (before, now) if before == now => {}
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let new = other.keys().filter(|key| !one.contains_key(*key));
            one.keys().chain(new).for_each(|key| compare(&inner(key), one.get(key), other.get(key), changes));
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) if one.len() == other.len() && holds_parts(one) => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&inner(&(at + 1).to_string()), Some(one), Some(other), changes);
            }
        }
        _ => changes.push(Change { name: name.to_owned(), before: shown(before), now: shown(now) }),
    }
}

/// Whether a list is one of parts, which are compared one by one, and no value itself.
fn holds_parts(list: &[Value]) -> bool {
    list.iter().any(|value| value.is_object() || value.is_array())
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "none".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(list)) if holds_parts(list) => format!("{} entries", list.len()),
        Some(Value::Object(_)) => "other values".to_owned(),
        Some(value) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_that_differ_are_told_with_both_values() {
        let before = json!({ "depth": 3, "rate": { "first": 0.1, "last": 0.1 }, "hidden": [4], "seats": [{ "a": 1 }] });
        let now = json!({ "depth": 4, "rate": { "first": 0.1 }, "hidden": [4, 2], "seats": [{ "a": 2 }] });
        let told = Changes::between(&before, &now).to_string();
        let expected = "depth: 3 before, 4 now; hidden: [4] before, [4,2] now; rate.last: 0.1 before, none now; \
                        seats.1.a: 1 before, 2 now";
        assert_eq!(told, expected);
        assert_eq!(Changes::default().to_string(), "other settings, games or program");
    }
}
