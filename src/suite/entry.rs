//! Reading what a document states: entries, and values of a known shape under their keys.

use serde_json::Value;

/// At most this many characters of a wrong value stand in a message.
const SHOWN_CHARACTERS: usize = 60;

/// Why a suite cannot be checked: its file cannot be read, states no facts, or states them otherwise than its format says.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct ContentError {
    what: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl ContentError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), source: None }
    }

    /// The error of something that `source` is the matter with.
    pub(super) fn because(what: String, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { what, source: Some(Box::new(source)) }
    }

    /// The error of a document that has nothing of what is checked.
    pub(super) fn nothing(what: &str) -> Self {
        Self::new(format!("it has {what}, so there is nothing to check"))
    }
}

/// A part of a document, and what messages call it.
#[derive(Debug, Clone)]
pub(super) struct Entry<'d> {
    pub name: String,
    pub value: &'d Value,
}

impl<'d> Entry<'d> {
    /// The error that `key` has another value than `expected`.
    pub fn wrong(&self, key: &str, expected: &str) -> ContentError {
        let found = shortened(&self.value[key]);
        ContentError::new(format!("{}: `{key}`: expected {expected}, found {found}", self.name))
    }

    /// What `read` makes of the value under `key`, which is null where there is none.
    pub fn read<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&'d Value) -> Option<T>,
    ) -> Result<T, ContentError> {
        read(&self.value[key]).ok_or_else(|| self.wrong(key, expected))
    }

    /// As [`Entry::read`], but there need not be a value.
    pub fn optional<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&'d Value) -> Option<T>,
    ) -> Result<Option<T>, ContentError> {
        if self.value[key].is_null() { Ok(None) } else { self.read(key, expected, read).map(Some) }
    }

    pub fn text(&self, key: &str) -> Result<&'d str, ContentError> {
        self.read(key, "a text", Value::as_str)
    }

    /// The members of the list under `key`, with their numbers from 1.
    pub fn list(&self, key: &str) -> Result<impl Iterator<Item = (usize, &'d Value)> + use<'d>, ContentError> {
        Ok((1..).zip(self.read(key, "a list", Value::as_array)?))
    }
}

/// What `read` makes of the members of the list under `key`; none if there is no such list.
pub(super) fn read_list<'d, T>(
    document: &'d Value,
    key: &str,
    read: impl Fn(Entry<'d>) -> Result<T, ContentError>,
) -> Result<Vec<T>, ContentError> {
    let members = document[key].as_array().into_iter().flatten().enumerate();
    members.map(|(index, value)| read(Entry { name: format!("{key}[{index}]"), value })).collect()
}

/// Every member of the list `value`, if each one can be read.
pub(super) fn all<'d, T, C: FromIterator<T>>(value: &'d Value, read: impl FnMut(&'d Value) -> Option<T>) -> Option<C> {
    value.as_array()?.iter().map(read).collect()
}

pub(super) fn shortened(value: &Value) -> String {
    let text = value.to_string();
    let shown: String = text.chars().take(SHOWN_CHARACTERS).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}
