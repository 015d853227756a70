//! Reading entries, and comparing what they state with what was computed.

use serde_json::Value as Json;

use crate::suite::Report;
use crate::suite::entry::{ContentError, Entry, all, shortened};

/// How far a number may be from the stated one.
const TOLERANCE: f64 = 1e-9;
/// By what share a number may differ from one that was published, rounded and computed less exactly.
const PUBLISHED_TOLERANCE: f64 = 0.01;

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

/// The members of a section that is a list, or the section itself.
pub(super) fn entries<'d>(section: &str, value: &'d Json) -> Vec<Entry<'d>> {
    let Some(list) = value.as_array() else { return vec![Entry { name: section.to_owned(), value }] };
    (1..).zip(list).map(|(at, value)| Entry { name: format!("{section} {at}"), value }).collect()
}

/// An entry that states figures.
impl<'d> Entry<'d> {
    /// Checks every key but those of `given`, which describe what the figures are about.
    pub(super) fn check(
        &self,
        given: &[&str],
        figures: &[(&'static str, Figure)],
        report: &mut Report,
    ) -> Result<(), ContentError> {
        for key in self.keys()?.iter().filter(|key| !given.contains(&key.as_str())) {
            self.compare(key, self.figure(key, figures)?, report)?;
        }
        Ok(())
    }

    /// Checks one key.
    pub(super) fn compare(&self, key: &str, found: &Figure, report: &mut Report) -> Result<(), ContentError> {
        let stated = &self.value[key];
        if found.agrees(stated).ok_or_else(|| self.wrong(key, "a figure of another kind"))? {
            report.pass();
        } else {
            report.fail(format!("{}: {key}", self.name), stated.to_string(), found.shown());
        }
        Ok(())
    }

    /// Checks the numbers under `published`, if there are any, as their source printed them.
    pub(super) fn check_published(
        &self,
        figures: &[(&'static str, Figure)],
        report: &mut Report,
    ) -> Result<(), ContentError> {
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

    fn figure<'f>(&self, key: &str, figures: &'f [(&'static str, Figure)]) -> Result<&'f Figure, ContentError> {
        let known = figures.iter().find(|(name, _)| *name == key);
        let unknown = || ContentError::new(format!("{}: unknown figure `{key}`", self.name));
        known.map(|(_, figure)| figure).ok_or_else(unknown)
    }

    pub(super) fn keys(&self) -> Result<Vec<String>, ContentError> {
        let keys = self.value.as_object().map(|object| object.keys().cloned().collect());
        keys.ok_or_else(|| {
            ContentError::new(format!("{}: expected an object, found {}", self.name, shortened(self.value)))
        })
    }

    /// The object under `key`.
    pub(super) fn part(&self, key: &str) -> Result<Self, ContentError> {
        let value = self.read(key, "an object", |value| value.is_object().then_some(value))?;
        Ok(Entry { name: format!("{}, {key}", self.name), value })
    }

    /// The members of the list under `key`.
    pub(super) fn parts(&self, key: &str) -> Result<Vec<Self>, ContentError> {
        let list = (1..).zip(self.read(key, "a list", Json::as_array)?);
        Ok(list.map(|(at, value)| Entry { name: format!("{}, {key} {at}", self.name), value }).collect())
    }

    pub(super) fn real(&self, key: &str) -> Result<f64, ContentError> {
        self.read(key, "a number", Json::as_f64)
    }

    pub(super) fn reals(&self, key: &str) -> Result<Vec<f64>, ContentError> {
        self.read(key, "a list of numbers", |list| all(list, Json::as_f64))
    }

    pub(super) fn whole(&self, key: &str) -> Result<u64, ContentError> {
        self.read(key, "a whole number", Json::as_u64)
    }

    /// N counts.
    pub(super) fn counts<const N: usize>(&self, key: &str) -> Result<[u64; N], ContentError> {
        let counts = |list| all::<_, Vec<u64>>(list, Json::as_u64)?.try_into().ok();
        self.read(key, "a list of as many counts as there are outcomes", counts)
    }
}
