//! What a run depends on, kept beside its state: who takes it up with other settings is told which they are.

use std::path::Path;

use serde_json::{Value, json};

use crate::disk::{FileError, partial_path, write_file};
use crate::settings::Changes;

/// The file of a run's state that says what the run depends on, in JSON.
const IDENTITY: &str = "identity.json";

/// All that a run depends on besides its seed, if that is none of the settings: settings by their names, program, inputs in their
/// order, of which two may have one name.
pub fn identity_of(program: &str, settings: &Value, inputs: &[(String, String)]) -> Value {
    let mut identity = settings.as_object().cloned().unwrap_or_default();
    identity.insert("program".to_owned(), program.into());
    identity.insert("inputs".to_owned(), inputs.iter().map(|(name, sum)| json!({ name: sum })).collect());
    Value::Object(identity)
}

/// What the run whose state is in the folder `state` depends on; `None` if the state does not say.
pub(super) fn identity_in(state: &Path) -> Option<Value> {
    let bytes = std::fs::read(state.join(IDENTITY)).ok()?;
    // Older programs wrote a checksum here, which tells no setting, or kept the inputs by name.
    let mut known = serde_json::from_slice(&bytes).ok().filter(Value::is_object)?;
    if let Some(inputs) = known["inputs"].as_object() {
        known["inputs"] = inputs.iter().map(|(name, sum)| json!({ name: sum })).collect();
    }
    Some(known)
}

/// Whether the folder `state` of a run is there and holds nothing but what the run depends on, whole or as a kill has left it in part.
pub(super) fn is_bare(state: &Path) -> bool {
    fn holds_nothing(folder: &Path) -> bool {
        let identity = folder.join(IDENTITY);
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).all(|path| {
            if path.is_dir() { holds_nothing(&path) } else { path == identity || path == partial_path(&identity) }
        })
    }
    state.is_dir() && holds_nothing(state)
}

/// What differs between the run whose state is in the folder `state` and the one with this `identity`, which is left there if the
/// state is new; `None` if nothing does, or the state does not say.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn take_up(state: &Path, identity: &Value) -> Result<Option<Changes>, FileError> {
    let path = state.join(IDENTITY);
    if !path.exists() && is_bare(state) {
        write_file(&path, &serde_json::to_vec(identity).unwrap_or_default())?;
        return Ok(None);
    }
    let changes = match identity_in(state) {
        Some(known) => Changes::between(&known, identity),
        None if path.exists() => return Ok(Some(Changes::default())),
        None => return Ok(None),
    };
    Ok(Some(changes).filter(|Changes(changes)| !changes.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_whose_identity_a_kill_has_left_in_part_is_new() {
        let place = tempfile::tempdir().unwrap();
        let (state, one) = (place.path(), json!({ "depth": 3 }));
        std::fs::write(partial_path(&state.join(IDENTITY)), "{\"dep").unwrap();
        assert_eq!(take_up(state, &one).unwrap(), None);
        assert_eq!(identity_in(state), Some(one));
    }

    #[test]
    fn a_state_is_taken_up_by_its_own_run_and_an_older_one_says_nothing() {
        let place = tempfile::tempdir().unwrap();
        let state = place.path();
        let (one, other) = (json!({ "depth": 3 }), json!({ "depth": 4 }));
        assert_eq!(take_up(state, &one).unwrap(), None);
        assert_eq!(take_up(state, &one).unwrap(), None);
        assert_eq!(take_up(state, &other).unwrap().unwrap().to_string(), "depth: 3 before, 4 now");
        std::fs::write(state.join(IDENTITY), "\"run 0123456789abcdef\"").unwrap();
        assert_eq!(take_up(state, &one).unwrap(), Some(Changes::default()));
        std::fs::remove_file(state.join(IDENTITY)).unwrap();
        std::fs::write(state.join("checkpoint"), "").unwrap();
        assert_eq!(take_up(state, &one).unwrap(), None);
    }

    #[test]
    fn inputs_are_told_apart_by_number_order_and_content() {
        let of = |inputs: &[(&str, &str)]| {
            let inputs: Vec<_> = inputs.iter().map(|&(name, sum)| (name.to_owned(), sum.to_owned())).collect();
            identity_of("program", &json!({}), &inputs)
        };
        let known = of(&[("a/games.pgn", "1"), ("b.pgn", "2")]);
        let told = |now: &[(&str, &str)]| Changes::between(&known, &of(now)).to_string();
        assert_eq!(told(&[("a/games.pgn", "1")]), "inputs: 2 entries before, 1 entries now");
        assert_eq!(told(&[("a/games.pgn", "1"), ("b.pgn", "3")]), "inputs.2.b.pgn: 2 before, 3 now");
        assert!(told(&[("b.pgn", "2"), ("a/games.pgn", "1")]).starts_with("inputs.1.a/games.pgn: 1 before, none now"));
        assert_ne!(of(&[("x", "1"), ("x", "2")]), of(&[("x", "2")]));
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join(IDENTITY), r#"{"inputs":{"b.pgn":"2"},"program":"program"}"#).unwrap();
        assert_eq!(identity_in(place.path()), Some(of(&[("b.pgn", "2")])), "as older programs wrote it");
    }
}
