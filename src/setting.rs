//! Settings outside their range: one sentence for all of them.

/// A setting outside its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{setting}` must be {range}, got {found}")]
pub struct SettingError {
    /// The setting, as the command line or the configuration file spells it.
    pub setting: &'static str,
    /// The values that it may take, such as `in [0, 1]`.
    pub range: &'static str,
    /// The value that it has.
    pub found: String,
}

/// Checks that `valid` holds for a setting.
///
/// # Errors
/// When it does not, with the setting's name, range and value.
///
/// ```
/// use roughboard::setting::require;
/// let lambda = 1.2;
/// let error = require((0.0..=1.0).contains(&lambda), "--lambda", "in [0, 1]", lambda).unwrap_err();
/// assert_eq!(error.to_string(), "`--lambda` must be in [0, 1], got 1.2");
/// ```
pub fn require(
    valid: bool,
    setting: &'static str,
    range: &'static str,
    found: impl ToString,
) -> Result<(), SettingError> {
    if valid { Ok(()) } else { Err(SettingError { setting, range, found: found.to_string() }) }
}

/// Whether a setting has the value that stands for "none", for settings that are written only where they are set.
pub fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
