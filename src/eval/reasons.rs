//! Why an evaluator says what it says, for people and for programs.

use serde_json::Value;

/// Reasons for people and for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasons {
    /// For people.
    pub sheets: Vec<Sheet>,
    /// What the value is the sum of, by name: what each part adds for the side that moves first.
    pub terms: Vec<(&'static str, i64)>,
    /// The name of what JSON has of them.
    pub name: &'static str,
    /// What JSON has of them.
    pub json: Value,
}

/// A table of words and whole numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// What the table shows.
    pub caption: &'static str,
    /// The headings of the first columns, which hold words.
    pub names: Vec<String>,
    /// The headings of the other columns, which hold numbers.
    pub numbers: Vec<String>,
    /// The rows: texts and whole numbers.
    pub rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// A table of these rows.
    pub fn new(
        caption: &'static str,
        names: &[&str],
        numbers: &[&str],
        rows: impl IntoIterator<Item = Vec<Value>>,
    ) -> Self {
        let [names, numbers] = [names, numbers].map(|headings| headings.iter().map(|&one| one.to_owned()).collect());
        Self { caption, names, numbers, rows: rows.into_iter().collect() }
    }
}
