//! Reading entries, and comparing what they state with what was computed.

use serde_json::Value as Json;

use super::StatisticsError;
use crate::suite::Report;

/// How far a number may be from the stated one.
const TOLERANCE: f64 = 1e-9;
/// By what share a number may differ from one that was published, rounded and computed less exactly.
const PUBLISHED_TOLERANCE: f64 = 0.01;
/// At most this many characters of a wrong value stand in a message.
const SHOWN_CHARACTERS: usize = 60;

/// What was computed.
#[derive(Debug, Clone)]
pub(super) enum Figure {
    /// A number, perhaps infinite; `None` where there is none, which a document states as `null`.
    Real(Option<f64>),
    /// Several numbers.
    Reals(Vec<f64>),
    /// A word.
    Text(&'static str),
}

impl Figure {
    pub const fn real(value: f64) -> Self {
        Self::Real(Some(value))
    }

    /// Whether `stated` says this; `None` if it has no shape that a figure of this kind has.
    fn agrees(&self, stated: &Json) -> Option<bool> {
        match (self, stated) {
            (Self::Real(found), Json::Null) => Some(found.is_none()),
            (Self::Real(found), stated) => {
                let stated = number(stated)?;
                Some(found.is_some_and(|found| is_near(found, stated, TOLERANCE)))
            }
            (Self::Reals(found), Json::Array(stated)) => {
                let stated: Vec<f64> = stated.iter().map(number).collect::<Option<_>>()?;
                let near = |(found, stated): (&f64, f64)| is_near(*found, stated, TOLERANCE);
                Some(found.len() == stated.len() && found.iter().zip(stated).all(near))
            }
            (Self::Text(found), Json::String(stated)) => Some(found == stated),
            _ => None,
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Real(None) => "null".to_owned(),
            Self::Real(Some(value)) => value.to_string(),
            Self::Reals(values) => format!("{values:?}"),
            Self::Text(text) => format!("{text:?}"),
        }
    }
}

/// A number, or an infinity in words.
fn number(value: &Json) -> Option<f64> {
    match value.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

fn is_near(found: f64, stated: f64, tolerance: f64) -> bool {
    found == stated || (found - stated).abs() <= tolerance
}

/// A named part of the document.
#[derive(Clone, Copy)]
pub(super) struct Section<'d> {
    pub name: &'d str,
    pub value: &'d Json,
}

impl<'d> Section<'d> {
    /// The members of a list, or the section itself.
    pub fn entries(self) -> Result<Vec<Entry<'d>>, StatisticsError> {
        let Some(list) = self.value.as_array() else {
            return Ok(vec![Entry { name: self.name.to_owned(), value: self.value }]);
        };
        let entry = |(at, value)| Entry { name: format!("{} {at}", self.name), value };
        Ok((1..).zip(list).map(entry).collect())
    }
}

/// An object that states figures.
pub(super) struct Entry<'d> {
    /// The section, with the place in it.
    pub name: String,
    pub value: &'d Json,
}

impl<'d> Entry<'d> {
    /// Checks every key but those of `given`, which describe what the figures are about.
    pub fn check(
        &self,
        given: &[&str],
        figures: &[(&'static str, Figure)],
        report: &mut Report,
    ) -> Result<(), StatisticsError> {
        for key in self.keys()?.iter().filter(|key| !given.contains(&key.as_str())) {
            self.compare(key, self.figure(key, figures)?, report)?;
        }
        Ok(())
    }

    /// Checks one key.
    pub fn compare(&self, key: &str, found: &Figure, report: &mut Report) -> Result<(), StatisticsError> {
        let stated = &self.value[key];
        if found.agrees(stated).ok_or_else(|| self.shape(key, "a figure of another kind"))? {
            report.pass();
        } else {
            report.fail(format!("{}: {key}", self.name), stated.to_string(), found.shown());
        }
        Ok(())
    }

    /// Checks the numbers under `published`, if there are any, as their source printed them.
    pub fn check_published(
        &self,
        figures: &[(&'static str, Figure)],
        report: &mut Report,
    ) -> Result<(), StatisticsError> {
        if self.value.get("published").is_none() {
            return Ok(());
        }
        let published = self.part("published")?;
        for key in published.keys()?.iter().filter(|key| *key != "source") {
            let stated = published.real(key)?;
            match published.figure(key, figures)? {
                Figure::Real(Some(found)) if is_near(*found, stated, PUBLISHED_TOLERANCE * stated.abs()) => {
                    report.pass()
                }
                found => report.fail(format!("{}: {key}", published.name), stated.to_string(), found.shown()),
            }
        }
        Ok(())
    }

    fn figure<'f>(&self, key: &str, figures: &'f [(&'static str, Figure)]) -> Result<&'f Figure, StatisticsError> {
        let known = figures.iter().find(|(name, _)| *name == key);
        let unknown = || StatisticsError::UnknownFigure { entry: self.name.clone(), figure: key.to_owned() };
        known.map(|(_, figure)| figure).ok_or_else(unknown)
    }

    /// The error that `key` has another shape than `expected`.
    pub fn shape(&self, key: &str, expected: &'static str) -> StatisticsError {
        let found: String = self.value[key].to_string().chars().take(SHOWN_CHARACTERS).collect();
        StatisticsError::Shape { entry: self.name.clone(), key: key.to_owned(), expected, found }
    }

    pub fn keys(&self) -> Result<Vec<String>, StatisticsError> {
        let object = self.value.as_object();
        let wrong = || StatisticsError::Shape {
            entry: self.name.clone(),
            key: "entry".to_owned(),
            expected: "an object",
            found: self.value.to_string().chars().take(SHOWN_CHARACTERS).collect(),
        };
        Ok(object.ok_or_else(wrong)?.keys().cloned().collect())
    }

    /// The object under `key`.
    pub fn part(&self, key: &str) -> Result<Entry<'d>, StatisticsError> {
        let value = self.value.get(key).filter(|value| value.is_object());
        let value = value.ok_or_else(|| self.shape(key, "an object"))?;
        Ok(Entry { name: format!("{}, {key}", self.name), value })
    }

    /// The objects of the list under `key`.
    pub fn list(&self, key: &str) -> Result<Vec<Entry<'d>>, StatisticsError> {
        let list = self.value.get(key).and_then(Json::as_array).ok_or_else(|| self.shape(key, "a list"))?;
        let entry = |(at, value)| Entry { name: format!("{}, {key} {at}", self.name), value };
        Ok((1..).zip(list).map(entry).collect())
    }

    pub fn real(&self, key: &str) -> Result<f64, StatisticsError> {
        self.value[key].as_f64().ok_or_else(|| self.shape(key, "a number"))
    }

    pub fn reals(&self, key: &str) -> Result<Vec<f64>, StatisticsError> {
        let numbers = self.value[key].as_array().and_then(|list| list.iter().map(Json::as_f64).collect());
        numbers.ok_or_else(|| self.shape(key, "a list of numbers"))
    }

    pub fn whole(&self, key: &str) -> Result<u64, StatisticsError> {
        self.value[key].as_u64().ok_or_else(|| self.shape(key, "a whole number"))
    }

    pub fn text(&self, key: &str) -> Result<&'d str, StatisticsError> {
        self.value[key].as_str().ok_or_else(|| self.shape(key, "a text"))
    }

    /// N counts.
    pub fn counts<const N: usize>(&self, key: &str) -> Result<[u64; N], StatisticsError> {
        let list =
            self.value[key].as_array().and_then(|list| list.iter().map(Json::as_u64).collect::<Option<Vec<_>>>());
        let counts = list.and_then(|list| list.try_into().ok());
        counts.ok_or_else(|| self.shape(key, "a list of as many counts as there are outcomes"))
    }
}
