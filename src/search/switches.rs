//! Settings of the search by name, as the command line and protocols give them.

use serde_json::{Map, Value};

use super::settings::{SearchSettings, SettingsError};

/// Fields that are not written where they are 0, so that settings without them are written, and identified, as before there were
/// any.
const LEFT_OUT_AT_ZERO: [&str; 2] = ["width", "forced_win_nodes"];

impl SearchSettings {
    /// These settings with some of their fields changed: `name=value`, separated by commas, such as
    /// `null_move=false,quiescence_plies=8,driver=mtdf-zero`. An empty text changes nothing.
    ///
    /// # Errors
    /// [`SettingsError::Switch`] when a part is not of that form, names no field, or gives a field a value that it cannot
    /// have; the errors of [`SearchSettings::check`].
    pub fn with_switches(&self, text: &str) -> Result<Self, SettingsError> {
        let mut parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.try_fold(*self, |settings, part| settings.with_switch(part))
    }

    fn with_switch(&self, part: &str) -> Result<Self, SettingsError> {
        let wrong = |expected: String| SettingsError::Switch { found: part.to_owned(), expected };
        let (name, text) = part.split_once('=').ok_or_else(|| wrong("`name=value`".to_owned()))?;
        let fields = self.fields();
        let Some(present) = fields.get(name.trim()) else {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            return Err(wrong(format!("one of {}", names.join(", "))));
        };
        let text = text.trim();
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        let changed = self.with_field(name.trim(), value).ok_or_else(|| wrong(kind_of(name.trim(), present)))?;
        changed.check()?;
        Ok(changed)
    }

    /// The fields with their values.
    #[must_use]
    pub fn fields(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return Map::new() };
        for name in LEFT_OUT_AT_ZERO {
            fields.entry(name).or_insert_with(|| 0.into());
        }
        fields
    }

    /// These settings with another value of a field, which may be out of its range; `None` if there is no such field, or the
    /// value is of another kind.
    #[must_use]
    pub fn with_field(&self, name: &str, value: Value) -> Option<Self> {
        let mut fields = self.fields();
        *fields.get_mut(name)? = value;
        serde_json::from_value(Value::Object(fields)).ok()
    }
}

/// What values a field has, judging by the `present` one.
fn kind_of(name: &str, present: &Value) -> String {
    match present {
        Value::Bool(_) => format!("`{name}=true` or `{name}=false`"),
        Value::Number(_) => format!("a whole number for `{name}`"),
        _ => format!("`{name}` one of alpha-beta, mtdf-zero, mtdf-fixed, mtdf-adaptive"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Driver;

    #[test]
    fn fields_that_are_not_written_can_be_set() {
        let settings = SearchSettings::default();
        assert!(!serde_json::to_string(&settings).unwrap().contains("width"));
        let changed = settings.with_switches("width=16,forced_win_nodes=100").unwrap();
        assert_eq!((changed.width, changed.forced_win_nodes), (16, 100));
        let text = serde_json::to_string(&changed).unwrap();
        assert_eq!(serde_json::from_str::<SearchSettings>(&text).unwrap(), changed);
    }

    #[test]
    fn switches_change_what_they_name() {
        let settings = SearchSettings::default();
        assert_eq!(settings.with_switches(""), Ok(settings));
        let changed = settings.with_switches("null_move=false, driver=mtdf-zero,quiescence_plies=4").unwrap();
        assert_eq!((changed.null_move, changed.driver, changed.quiescence_plies), (false, Driver::MtdfZero, 4));
        assert_eq!(
            SearchSettings { null_move: true, driver: Driver::AlphaBeta, quiescence_plies: 32, ..changed },
            settings
        );
    }

    #[test]
    fn wrong_switches_say_what_is_expected() {
        let error = |text: &str| SearchSettings::default().with_switches(text).unwrap_err().to_string();
        assert_eq!(
            error("null_move=maybe"),
            "search switch `null_move=maybe`: expected `null_move=true` or `null_move=false`"
        );
        assert!(error("nul_move=true").contains("one of aspiration, "), "{}", error("nul_move=true"));
        assert!(error("null_move").contains("expected `name=value`"));
        assert!(error("quiescence_plies=-1").contains("a whole number"));
        assert!(error("driver=x").contains("mtdf-adaptive"));
        assert!(error("mtdf_step=0").contains("[1, 1000000]"));
    }
}
