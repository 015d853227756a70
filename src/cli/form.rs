//! The forms in which an answer goes to another program: JSON, or CSV.

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::output;

/// The options of every command whose answer another program may read.
#[derive(clap::Args, Debug, Clone, Copy, Default)]
pub struct Form {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print CSV: the answer's table, or its fields as one row
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

impl Form {
    /// Whether the answer goes to another program.
    pub const fn is_for_programs(self) -> bool {
        self.json || self.csv
    }

    /// Prints the `sheet` of the answer as CSV if that is asked for, else the answer as indented JSON.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn print(self, answer: &impl Serialize, sheet: Sheet<'_>) -> anyhow::Result<()> {
        if self.csv {
            return output::print(&sheet.csv(|| Ok(serde_json::to_value(answer)?))?);
        }
        output::print_json(answer)
    }

    /// As [`Form::print`], JSON on one line.
    ///
    /// # Errors
    /// As [`Form::print`].
    pub fn print_line(self, answer: &Json, sheet: Sheet<'_>) -> anyhow::Result<()> {
        output::print(&if self.csv { sheet.csv(|| Ok(answer.clone()))? } else { format!("{answer}\n") })
    }
}

/// What CSV has of an answer. The command says so, whatever the answer holds, and an empty list has the header of a full one. Fields
/// that are objects are columns of their own, `accuracy_mean` for `accuracy.mean`; lists stand as JSON in one cell. What is said beside
/// a list is left to JSON.
#[derive(Clone, Copy)]
pub enum Sheet<'a> {
    /// The list at this JSON pointer, a row for each member, with these columns before any others. Where it is an object, each field is
    /// a row, and its name stands in the first column. Members that are no objects stand in the last column. None is an empty list.
    List(&'a str, &'a [&'a str]),
    /// As [`Sheet::List`], with these columns only: what the members hold beside them is left to JSON.
    Columns(&'a str, &'a [&'a str]),
    /// The fields with these names as one row; all fields where none is named.
    Fields(&'a [&'a str]),
    /// CSV that is made apart from JSON.
    Made(&'a dyn Fn() -> anyhow::Result<String>),
}

impl Sheet<'_> {
    /// All fields as one row.
    pub const ALL_FIELDS: Self = Self::Fields(&[]);

    /// The CSV of an answer, which is asked for only where it is needed.
    ///
    /// # Errors
    /// When the answer cannot be made, or is no text.
    pub fn csv(self, answer: impl FnOnce() -> anyhow::Result<Json>) -> anyhow::Result<String> {
        match self {
            Self::List(place, columns) | Self::Columns(place, columns) => {
                let answer = answer()?;
                let rows = answer.pointer(place).map_or_else(Vec::new, |list| rows(list, columns));
                written(columns, &rows, matches!(self, Self::List(..)))
            }
            Self::Fields(columns) => {
                let row = answer()?.as_object().cloned().unwrap_or_default();
                written(columns, &[row], columns.is_empty())
            }
            Self::Made(make) => make(),
        }
    }
}

/// A row with named cells.
type Row = Map<String, Json>;

/// The rows of a list, or of an object whose names are the first column.
fn rows(list: &Json, columns: &[&str]) -> Vec<Row> {
    let member = |value: &Json| match (value, columns.last()) {
        (Json::Object(fields), _) => fields.clone(),
        (value, Some(&column)) => Row::from_iter([(column.to_owned(), value.clone())]),
        (_, None) => Row::new(),
    };
    let named = |(name, value): (&String, &Json)| {
        let first = columns.first().map(|&column| (column.to_owned(), Json::from(name.as_str())));
        first.into_iter().chain(member(value)).collect()
    };
    match list {
        Json::Array(members) => members.iter().map(member).collect(),
        Json::Object(fields) => fields.iter().map(named).collect(),
        _ => Vec::new(),
    }
}

/// The rows as CSV under `columns`, and under those that they have beside them if these are `open`.
fn written(columns: &[&str], rows: &[Row], open: bool) -> anyhow::Result<String> {
    let rows: Vec<BTreeMap<String, &Json>> = rows.iter().map(|row| flat("", row).into_iter().collect()).collect();
    let mut columns: Vec<&str> = columns.to_vec();
    for name in rows.iter().flat_map(BTreeMap::keys).filter(|_| open) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns)?;
    for row in &rows {
        writer.write_record(
            columns.iter().map(|&column| row.get(column).map_or_else(String::new, |value| cell(value))),
        )?;
    }
    String::from_utf8(writer.into_inner()?).context("the answer is not UTF-8")
}

/// A field of CSV.
pub fn cell(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The fields of a row, those of objects in it under both names.
fn flat<'a>(above: &str, row: &'a Row) -> Vec<(String, &'a Json)> {
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

    fn csv_of(answer: Json, sheet: Sheet<'_>) -> String {
        sheet.csv(|| Ok(answer)).unwrap()
    }

    #[test]
    fn a_list_has_the_columns_of_its_command_and_more() {
        let answer = json!({ "gamma": 0.5, "classes": [{ "a": 1, "d": { "x": 2 } }, { "a": null, "d": { "x": 3, "y, z": 4 }, "l": [1] }] });
        let sheet = Sheet::List("/classes", &["l", "a"]);
        assert_eq!(csv_of(answer.clone(), sheet), "l,a,d_x,\"d_y, z\"\n,1,2,\n[1],,3,4\n");
        assert_eq!(csv_of(answer, Sheet::Columns("/classes", &["a", "d_x"])), "a,d_x\n1,2\n,3\n");
        assert_eq!(csv_of(json!({ "classes": [] }), sheet), "l,a\n");
        assert_eq!(csv_of(json!({}), sheet), "l,a\n");
        assert_eq!(csv_of(json!([{ "what": "b" }]), Sheet::List("", &["what", "found"])), "what,found\nb,\n");
    }

    #[test]
    fn objects_by_name_and_members_that_are_none_are_rows() {
        let named = json!({ "n": 2, "sets": { "no": { "lower": [1] }, "yes": { "lower": [] } } });
        assert_eq!(csv_of(named, Sheet::List("/sets", &["name", "lower"])), "name,lower\nno,[1]\nyes,[]\n");
        let reducts = json!({ "reducts": [["a", "b"], ["c"]] });
        let expected = "attributes\n\"[\"\"a\"\",\"\"b\"\"]\"\n\"[\"\"c\"\"]\"\n";
        assert_eq!(csv_of(reducts, Sheet::List("/reducts", &["attributes"])), expected);
        let sizes = json!({ "sizes": { "2": 5, "3": 1 } });
        assert_eq!(csv_of(sizes, Sheet::List("/sizes", &["size", "reducts"])), "size,reducts\n2,5\n3,1\n");
    }

    #[test]
    fn an_answer_without_a_table_is_one_row() {
        let answer = || json!({ "n": 2, "by": { "x": 1 }, "core": ["a"] });
        assert_eq!(csv_of(answer(), Sheet::ALL_FIELDS), "by_x,core,n\n1,\"[\"\"a\"\"]\",2\n");
        assert_eq!(csv_of(answer(), Sheet::Fields(&["n", "line"])), "n,line\n2,\n");
        assert_eq!(csv_of(answer(), Sheet::Made(&|| Ok("made\n".to_owned()))), "made\n");
    }

    #[test]
    fn every_command_that_answers_in_json_answers_in_csv() {
        fn check(command: &clap::Command) {
            let has = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
            assert!(!has("json") || has("csv"), "{} has no --csv", command.get_name());
            command.get_subcommands().for_each(check);
        }
        check(&<crate::cli::Cli as clap::CommandFactory>::command());
    }
}
