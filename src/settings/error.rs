//! What is wrong with a setting: one sentence for each case.

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// A value that the setting cannot have.
    #[error("`{setting}` must be {range}, got {found}")]
    Value {
        /// The setting, with dots between the groups that it stands in.
        setting: String,
        /// The values that it may take, such as `in [0, 1]`.
        range: String,
        /// The value that it was given.
        found: String,
    },
    /// No setting has this name.
    #[error("there is no setting `{setting}`{}; there are {known}", perhaps(.nearest.as_deref()))]
    Unknown {
        /// The name.
        setting: String,
        /// The name that was probably meant.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// Something that is not `name=value`.
    #[error("expected `name=value`, got `{found}`")]
    Form {
        /// What it is.
        found: String,
    },
}

/// The name that was probably meant, as a part of a message; nothing if there is none.
pub(crate) fn perhaps(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

impl SettingError {
    /// A value that a setting cannot have.
    pub fn value(setting: &str, range: &str, found: impl ToString) -> Self {
        Self::Value { setting: setting.to_owned(), range: range.to_owned(), found: found.to_string() }
    }

    /// The same error of a setting that stands in `group`.
    #[must_use]
    pub fn within(mut self, group: &str) -> Self {
        if let Self::Value { setting, .. } | Self::Unknown { setting, .. } = &mut self {
            *setting = format!("{group}.{setting}");
        }
        self
    }

    /// The same error where those who set it know the settings of `group` without that group.
    #[must_use]
    pub fn without(mut self, group: &str) -> Self {
        if let Self::Value { setting, .. } | Self::Unknown { setting, .. } = &mut self
            && let Some(name) = setting.strip_prefix(group).and_then(|rest| rest.strip_prefix('.'))
        {
            *setting = name.to_owned();
        }
        self
    }
}

/// Name and value of a text `name=value`.
///
/// # Errors
/// When the text has no such form.
pub fn assignment(text: &str) -> Result<(&str, &str), SettingError> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    parts.ok_or_else(|| SettingError::Form { found: text.to_owned() })
}

/// What was checked of settings that stand in `group`: an error names it, too.
///
/// # Errors
/// Those of `checked`.
pub fn within(group: &str, checked: Result<(), SettingError>) -> Result<(), SettingError> {
    checked.map_err(|error| error.within(group))
}

/// Checks that `valid` holds for a setting.
///
/// # Errors
/// When it does not, with the setting's name, range and value.
///
/// ```
/// use roughboard::settings::require;
/// let lambda = 1.2;
/// let error = require((0.0..=1.0).contains(&lambda), "lambda", "in [0, 1]", lambda).unwrap_err();
/// assert_eq!(error.to_string(), "`lambda` must be in [0, 1], got 1.2");
/// ```
pub fn require(valid: bool, setting: &str, range: &str, found: impl ToString) -> Result<(), SettingError> {
    if valid { Ok(()) } else { Err(SettingError::value(setting, range, found)) }
}
