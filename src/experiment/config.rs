//! The settings of experiments as TOML: profiles, changes of single settings by their keys, and sweeps over lists of values.
//!
//! Every experiment has one file of settings. What stands in it outside `[profile.…]` are the settings of the profile
//! [`QUICK`]; `[profile.paper]` and others list only what differs from them.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::settings::assignment;

/// The profile that a file's own settings are: minutes on two cores.
pub const QUICK: &str = "quick";
/// The name of the table that holds the other profiles.
const PROFILES: &str = "profile";
/// The most runs that a sweep may ask for.
const MAX_RUNS: usize = 10_000;

/// Why settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// The error of text that is no settings of the experiment: what is wrong, and in which line.
    pub(super) fn in_text(experiment: &str, problem: impl fmt::Display) -> Self {
        Self(format!("settings of `{experiment}`: {problem}"))
    }

    /// The error of a setting of the experiment that there is not, or that has values of another kind.
    pub(super) fn of_setting(experiment: &str, assignment: &Assignment, problem: impl fmt::Display) -> Self {
        let (key, value) = (&assignment.key, assignment.shown_value());
        Self(format!("cannot set `{key}` to `{value}` in `{experiment}`: {problem}"))
    }
}

/// A setting and a value for it: `td.lambda=0.5`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The setting, with dots between the tables.
    pub key: String,
    /// Its value.
    pub value: Value,
}

impl Assignment {
    /// The value as a table or the name of a folder shows it: words without quotation marks.
    pub fn shown_value(&self) -> String {
        shown(&self.value)
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value in the name of a folder: without a character that separates folders.
fn in_name(value: &Value) -> String {
    shown(value).replace(['/', '\\'], "-")
}

/// `KEY=VALUE`, as a folder may be called.
impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, in_name(&self.value))
    }
}

impl FromStr for Assignment {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let (key, value) = key_and_rest(text)?;
        Ok(Self { key: key.to_owned(), value: value_of(value) })
    }
}

/// A setting and the values that it takes one after the other: `td.lambda=0.5,0.7,0.9`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The setting, with dots between the tables.
    pub key: String,
    /// Its values; at least one.
    pub values: Vec<Value>,
}

impl Sweep {
    /// Refuses values whose runs would have one folder.
    fn check(&self) -> Result<(), ConfigError> {
        let names: Vec<String> = self.values.iter().map(in_name).collect();
        let twin = |at: usize| Some((names[..at].iter().position(|name| *name == names[at])?, at));
        let Some((one, other)) = (1..names.len()).find_map(twin) else { return Ok(()) };
        let (key, one, other) = (&self.key, &self.values[one], &self.values[other]);
        Err(ConfigError(if one == other {
            format!("`{key}` has the value {other} twice")
        } else {
            format!("`{key}` has the values {one} and {other}, whose runs would have one folder")
        }))
    }
}

impl FromStr for Sweep {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let (key, list) = key_and_rest(text)?;
        let values = match Value::from_str(&format!("[{list}]")) {
            Ok(Value::Array(values)) if !values.is_empty() => values,
            // Words without quotation marks.
            _ => list.split(',').map(value_of).collect(),
        };
        Ok(Self { key: key.to_owned(), values })
    }
}

/// Seeds to sweep over: `1..5` is 1 to 5, `1,4,9` a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds(pub Vec<u64>);

impl FromStr for Seeds {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let failed = || {
            ConfigError(format!("expected seeds such as `1..5` (1 to 5) or `1,2,3`, at most 2^63 - 1, found `{text}`"))
        };
        // Settings are TOML, whose whole numbers end there.
        let number =
            |text: &str| text.trim().parse().ok().filter(|seed| i64::try_from(*seed).is_ok()).ok_or_else(failed);
        let Some((first, last)) = text.split_once("..") else {
            return text.split(',').map(number).collect::<Result<_, _>>().map(Self);
        };
        let (first, last) = (number(first)?, number(last)?);
        let bounded = first <= last && last - first < MAX_RUNS as u64;
        if bounded { Ok(Self((first..=last).collect())) } else { Err(failed()) }
    }
}

fn key_and_rest(text: &str) -> Result<(&str, &str), ConfigError> {
    let parts = assignment(text).ok().filter(|(key, rest)| !key.is_empty() && !rest.is_empty());
    parts.ok_or_else(|| ConfigError(format!("expected KEY=VALUE, such as `td.lambda=0.5`, found `{text}`")))
}

/// A value in the syntax of TOML; what is none is a word.
fn value_of(text: &str) -> Value {
    let text = text.trim();
    Value::from_str(text).ok().or_else(|| words_in(text)).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// A list of words without quotation marks.
fn words_in(text: &str) -> Option<Value> {
    let list = text.strip_prefix('[')?.strip_suffix(']')?;
    let words = list.split(',').filter(|word| !word.trim().is_empty());
    (!list.contains(['[', '{', '"', '\''])).then(|| Value::Array(words.map(value_of).collect()))
}

/// Every combination of the values of `sweeps`, the last one changing fastest; one empty combination of none.
///
/// # Errors
/// When there are more than 10,000, or a sweep has a value twice, or two that a folder cannot tell apart.
pub fn combinations(sweeps: &[Sweep]) -> Result<Vec<Vec<Assignment>>, ConfigError> {
    sweeps.iter().try_for_each(Sweep::check)?;
    let found: u128 = sweeps.iter().map(|sweep| sweep.values.len() as u128).product();
    if found > MAX_RUNS as u128 {
        return Err(ConfigError(format!("a sweep may have at most {MAX_RUNS} runs, got {found}")));
    }
    let longer = |rows: Vec<Vec<Assignment>>, sweep: &Sweep| {
        let with = |row: &Vec<Assignment>, value: &Value| {
            let next = Assignment { key: sweep.key.clone(), value: value.clone() };
            row.iter().cloned().chain([next]).collect()
        };
        rows.iter().flat_map(|row| sweep.values.iter().map(move |value| with(row, value))).collect()
    };
    Ok(sweeps.iter().fold(vec![Vec::new()], longer))
}

/// The settings of `profile` in the file `text` of an experiment.
///
/// # Errors
/// When there is no such profile, or the text is no TOML.
pub fn profile(experiment: &'static str, text: &str, profile: &str) -> Result<Table, ConfigError> {
    let mut settings: Table = read(experiment, text)?;
    let others = settings.remove(PROFILES).unwrap_or_else(|| Table::new().into());
    let Value::Table(mut others) = others else {
        return Err(ConfigError::in_text(experiment, format!("`{PROFILES}` must be a table")));
    };
    match others.remove(profile) {
        Some(Value::Table(changes)) => merge(&mut settings, changes),
        _ if profile == QUICK => {}
        _ => {
            let known: Vec<&str> = [QUICK].into_iter().chain(others.keys().map(String::as_str)).collect();
            let known = known.join(", ");
            let problem = format!("`{experiment}` has no profile `{profile}`, expected one of {known}");
            return Err(ConfigError(problem));
        }
    }
    Ok(settings)
}

/// Puts `changes` in the place of what `settings` has; tables are merged.
fn merge(settings: &mut Table, changes: Table) {
    for (key, change) in changes {
        match (settings.get_mut(&key), change) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
            (_, change) => drop(settings.insert(key, change)),
        }
    }
}

/// Reads settings of type `T` from a whole text, whose errors name the line.
///
/// # Errors
/// When the text does not hold them.
pub fn read<T: DeserializeOwned>(experiment: &'static str, text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let place = line_of(text, &error).map(|line| format!("line {line}: ")).unwrap_or_default();
        ConfigError::in_text(experiment, place + &one_line(&error))
    })
}

/// The line of `text` that an error of reading it is about.
pub fn line_of(text: &str, error: &toml::de::Error) -> Option<usize> {
    error.span().map(|span| 1 + text[..span.start].matches('\n').count())
}

/// Settings of type `T` from tables.
///
/// # Errors
/// When a setting is unknown, missing, or of another kind; the text is what serde says of it.
pub fn typed<T: DeserializeOwned>(settings: &Table) -> Result<T, String> {
    // By way of the text, so that the code that reads a `T` is compiled once.
    let text = toml::to_string(settings).map_err(|error| error.to_string())?;
    toml::from_str(&text).map_err(|error| one_line(&error))
}

/// What is wrong, without the picture of it that spans several lines.
fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', " ")
}

/// All settings as tables: those that were left out have their defaults.
///
/// # Errors
/// When a value is none that TOML can hold.
pub fn table_of(config: &impl Serialize) -> Result<Table, String> {
    let text = toml::to_string(config).map_err(|error| error.to_string())?;
    toml::from_str(&text).map_err(|error| one_line(&error))
}

/// Changes one setting. A key may leave out tables where only one setting fits: `lambda` is `td.training.lambda` where there
/// is no other λ.
///
/// # Errors
/// When a part of the key is a value, or several settings fit.
pub(crate) fn assign(settings: &mut Table, key: &str, value: Value) -> Result<(), String> {
    let key = full_key(settings, key)?;
    let mut parts: Vec<&str> = key.split('.').collect();
    let last = parts.pop().unwrap_or_default();
    let mut table = settings;
    for part in parts {
        let inner = table.entry(part).or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(inner) = inner else { return Err(format!("`{part}` is a value and has no settings")) };
        table = inner;
    }
    table.insert(last.to_owned(), value);
    Ok(())
}

/// Puts `seed` in the place of the setting `key`; a list `seeds` beside it becomes this seed and those that follow it.
///
/// # Errors
/// When a seed is beyond what TOML can hold, or `key` is no setting.
pub fn reseed(settings: &mut Table, key: &str, seed: u64) -> Result<(), String> {
    let number = |seed: u64| i64::try_from(seed).map(Value::Integer).map_err(|_| format!("seed {seed} is too large"));
    let (tables, last) = key.rsplit_once('.').unwrap_or(("", key));
    let mut parts = tables.split('.').filter(|part| !part.is_empty());
    let beside = parts.try_fold(settings, |table, part| table.get_mut(part)?.as_table_mut());
    let beside = beside.ok_or_else(|| format!("there is no `{key}`"))?;
    if let Some(Value::Array(seeds)) = beside.get_mut("seeds") {
        for (next, place) in (seed..=u64::MAX).zip(seeds) {
            *place = number(next)?;
        }
    }
    beside.insert(last.to_owned(), number(seed)?);
    Ok(())
}

/// Whether `settings` have this whole key.
pub(super) fn has(settings: &Table, key: &str) -> bool {
    keys_of(settings).iter().any(|known| known == key)
}

/// The one key of `settings` that `key` is, or stands for; `key` itself if there is none.
pub(super) fn full_key(settings: &Table, key: &str) -> Result<String, String> {
    let keys = keys_of(settings);
    if keys.iter().any(|known| known == key) {
        return Ok(key.to_owned());
    }
    let wanted: Vec<&str> = key.split('.').collect();
    let fitting: Vec<&String> = keys.iter().filter(|known| stands_for(&wanted, known)).collect();
    match fitting.as_slice() {
        [] => Ok(key.to_owned()),
        [one] => Ok((*one).clone()),
        several => {
            let quoted: Vec<String> = several.iter().map(|key| format!("`{key}`")).collect();
            Err(format!("it may be any of {}", quoted.join(", ")))
        }
    }
}

/// The whole keys of all settings, those of tables among them.
fn keys_of(settings: &Table) -> Vec<String> {
    let mut keys = Vec::new();
    collect_keys(settings, "", &mut keys);
    keys
}

/// Whether the parts `wanted` come in this order in `known`, the last of them last.
fn stands_for(wanted: &[&str], known: &str) -> bool {
    let mut parts = known.split('.');
    known.rsplit('.').next() == wanted.last().copied() && wanted.iter().all(|want| parts.any(|part| part == *want))
}

fn collect_keys(settings: &Table, prefix: &str, keys: &mut Vec<String>) {
    for (key, value) in settings {
        let key = format!("{prefix}{key}");
        if let Value::Table(inner) = value {
            collect_keys(inner, &format!("{key}."), keys);
        }
        keys.push(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "seed = 1\n[td]\nlambda = 0.9\nalpha = { first = 0.1, last = 0.2 }\n[profile.paper.td]\nlambda = 0.5\n";

    #[test]
    fn a_profile_lists_what_differs() {
        let quick = profile("x", FILE, QUICK).unwrap();
        let paper = profile("x", FILE, "paper").unwrap();
        assert_eq!(quick["td"]["lambda"].as_float(), Some(0.9));
        assert_eq!((paper["td"]["lambda"].as_float(), paper["td"]["alpha"]["last"].as_float()), (Some(0.5), Some(0.2)));
        let error = profile("x", FILE, "fast").unwrap_err().to_string();
        assert_eq!(error, "`x` has no profile `fast`, expected one of quick, paper");
    }

    #[test]
    fn keys_may_be_short_where_one_setting_fits() {
        let mut settings = profile("x", FILE, QUICK).unwrap();
        assign(&mut settings, "td.first", Value::Float(0.3)).unwrap();
        assert_eq!(settings["td"]["alpha"]["first"].as_float(), Some(0.3));
        settings.insert("bp".to_owned(), Value::Table(Table::from_iter([("lambda".to_owned(), Value::Integer(1))])));
        let error = assign(&mut settings, "lambda", Value::Float(0.3)).unwrap_err();
        assert_eq!(error, "it may be any of `bp.lambda`, `td.lambda`");
        assert_eq!(
            assign(&mut settings, "seed.x", Value::Integer(1)).unwrap_err(),
            "`seed` is a value and has no settings"
        );
    }

    #[test]
    fn values_are_toml_or_words() {
        let value = |text: &str| text.parse::<Assignment>().unwrap().value;
        assert_eq!(value("a=0.5"), Value::Float(0.5));
        assert_eq!(value("a=[1, 2]").as_array().unwrap().len(), 2);
        assert_eq!(value("a=literal"), Value::String("literal".to_owned()));
        assert_eq!(value("a=\"7\""), Value::String("7".to_owned()));
        assert_eq!(value("a=[raw, search,]"), value("a=[\"raw\", \"search\"]"));
        assert_eq!(value("a=[raw, 7]").as_array().unwrap()[1], Value::Integer(7));
        assert!("a".parse::<Assignment>().is_err() && "=1".parse::<Assignment>().is_err());
    }

    #[test]
    fn sweeps_make_every_combination() {
        let sweeps = ["a=1,2", "b=x,y,z"].map(|text| text.parse::<Sweep>().unwrap());
        let names: Vec<String> = combinations(&sweeps)
            .unwrap()
            .iter()
            .map(|row| row.iter().map(Assignment::to_string).collect::<Vec<_>>().join(","))
            .collect();
        assert_eq!(names, ["a=1,b=x", "a=1,b=y", "a=1,b=z", "a=2,b=x", "a=2,b=y", "a=2,b=z"]);
        assert_eq!(combinations(&[]).unwrap(), [vec![]]);
        let refused = |text: &str| combinations(&[text.parse::<Sweep>().unwrap()]).unwrap_err().to_string();
        assert_eq!(refused("a=2,1,2"), "`a` has the value 2 twice");
        let one_folder = "`a` has the values \"runs/a\" and \"runs-a\", whose runs would have one folder";
        assert_eq!(refused("a=runs/a,b,runs-a"), one_folder);
        assert_eq!("1..3".parse::<Seeds>().unwrap().0, [1, 2, 3]);
        assert_eq!("4,2".parse::<Seeds>().unwrap().0, [4, 2]);
        assert!("1,9223372036854775808".parse::<Seeds>().is_err() && "9223372036854775807".parse::<Seeds>().is_ok());
        assert!("3..1".parse::<Seeds>().is_err() && "1..99999".parse::<Seeds>().is_err());
    }
}
