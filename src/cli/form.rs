//! The forms in which an answer goes to another program: JSON, or CSV where the answer is a table.

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::output;

/// The options of every command whose answer is a table.
#[derive(clap::Args, Debug, Clone, Copy, Default)]
pub struct Form {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print CSV, where the answer is one table
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

impl Form {
    /// Whether the answer goes to another program.
    pub const fn is_for_programs(self) -> bool {
        self.json || self.csv
    }

    /// Prints the answer as CSV if that is asked for, else as indented JSON.
    ///
    /// # Errors
    /// When it cannot be printed, or is no table that CSV could hold.
    pub fn print(self, answer: &impl Serialize) -> anyhow::Result<()> {
        if self.csv { output::print(&csv_of(&serde_json::to_value(answer)?)?) } else { output::print_json(answer) }
    }

    /// As [`Form::print`], JSON on one line.
    ///
    /// # Errors
    /// As [`Form::print`].
    pub fn print_line(self, answer: &Json) -> anyhow::Result<()> {
        output::print(&if self.csv { csv_of(answer)? } else { format!("{answer}\n") })
    }
}

/// A table with named columns.
type Rows = Vec<Map<String, Json>>;

/// The table of an answer as CSV: its one list of objects, or, where it has no lists at all, its fields as one row. Fields that
/// are objects are columns of their own, `accuracy_mean` for `accuracy.mean`, and lists stand as JSON in one cell. What is said of
/// the whole table beside it is left to JSON.
///
/// # Errors
/// When the answer holds no table, or several.
pub fn csv_of(answer: &Json) -> anyhow::Result<String> {
    let rows: Rows = match (answer, tables(answer).as_slice()) {
        (Json::Array(rows), _) => rows.iter().filter_map(Json::as_object).cloned().collect(),
        (_, [(_, rows)]) => rows.clone(),
        (Json::Object(fields), []) if !fields.values().any(Json::is_array) => vec![fields.clone()],
        (_, []) => bail!("the answer is no table, which `--csv` could print: take `--json`"),
        (_, several) => {
            let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
            bail!(
                "the answer holds several tables ({}), of which CSV has room for one: take `--json`",
                names.join(", ")
            )
        }
    };
    written(&rows)
}

/// The lists of objects in an answer, and its objects of objects, whose names become the column `name`.
fn tables(answer: &Json) -> Vec<(String, Rows)> {
    let objects = |values: &mut dyn Iterator<Item = (Option<&String>, &Json)>| -> Option<Rows> {
        let row = |(name, value): (Option<&String>, &Json)| {
            let name = name.map(|name| ("name".to_owned(), Json::from(name.as_str())));
            Some(name.into_iter().chain(value.as_object()?.clone()).collect())
        };
        values.map(row).collect::<Option<Rows>>().filter(|rows| !rows.is_empty())
    };
    let fields = answer.as_object().into_iter().flatten();
    let found = fields.filter_map(|(name, value)| {
        let rows = match value {
            Json::Array(list) => objects(&mut list.iter().map(|value| (None, value))),
            Json::Object(inner) => objects(&mut inner.iter().map(|(name, value)| (Some(name), value))),
            _ => None,
        };
        Some((name.clone(), rows?))
    });
    found.collect()
}

/// The rows as CSV, columns of words before the others.
fn written(rows: &Rows) -> anyhow::Result<String> {
    let rows: Vec<Vec<(String, &Json)>> = rows.iter().map(|row| flat("", row)).collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let is_words = |column: &str| {
        let mut values = rows.iter().flatten().filter(|(name, _)| name == column).map(|(_, value)| value);
        values.all(|value| value.is_string())
    };
    columns.sort_by_cached_key(|column| !is_words(column));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns)?;
    for row in &rows {
        let cell = |column: &&str| row.iter().find(|(name, _)| name == column).map(|(_, value)| cell(value));
        writer.write_record(columns.iter().map(|column| cell(column).unwrap_or_default()))?;
    }
    String::from_utf8(writer.into_inner()?).context("the answer is not UTF-8")
}

fn cell(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The fields of a row, those of objects in it under both names.
fn flat<'a>(above: &str, row: &'a Map<String, Json>) -> Vec<(String, &'a Json)> {
    let fields = |(name, value): (&String, &'a Json)| {
        let name = if above.is_empty() { name.clone() } else { format!("{above}_{name}") };
        match value {
            Json::Object(inner) => flat(&name, inner),
            other => vec![(name, other)],
        }
    };
    row.iter().flat_map(fields).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_one_table_of_an_answer_becomes_csv() {
        let answer = json!({ "gamma": 0.5, "classes": [{ "a": 1, "d": { "x": 2 } }, { "a": null, "d": { "x": 3, "y, z": 4 }, "l": [1] }] });
        assert_eq!(csv_of(&answer).unwrap(), "a,d_x,\"d_y, z\",l\n1,2,,\n,3,4,[1]\n");
        assert_eq!(csv_of(&json!([{ "what": "b" }])).unwrap(), "what\nb\n");
        assert_eq!(csv_of(&json!({ "n": 2, "by": { "x": 1 } })).unwrap(), "by_x,n\n1,2\n");
        let named = json!({ "n": 2, "sets": { "no": { "lower": [1] }, "yes": { "lower": [] } } });
        assert_eq!(csv_of(&named).unwrap(), "name,lower\nno,[1]\nyes,[]\n");
    }

    #[test]
    fn answers_without_a_table_or_with_several_are_refused() {
        let error = |answer: Json| csv_of(&answer).unwrap_err().to_string();
        assert!(error(json!({ "core": ["a", "b"] })).contains("is no table"));
        assert!(error(json!({ "a": [{ "x": 1 }], "b": [{ "x": 1 }] })).contains("several tables (a, b)"));
    }
}
