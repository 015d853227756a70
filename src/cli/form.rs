//! The forms in which an answer goes to another program: JSON, or CSV.

use std::collections::BTreeMap;

use roughboard::table::csv_text;
use serde::ser::{Serialize, SerializeMap, Serializer};
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

    /// Prints the answer as it was asked for: its `sheet` as CSV, all of it as indented JSON, or else the `text`, which readers get.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn give(self, answer: &impl Serialize, sheet: Sheet<'_>, text: &str) -> anyhow::Result<()> {
        match self {
            Self { csv: true, .. } => {
                let answer = serde_json::to_value(answer)?;
                output::print(&sheet.csv(|| answer))
            }
            Self { json: true, .. } => output::print(&(serde_json::to_string_pretty(answer)? + "\n")),
            Self { .. } => output::print(text),
        }
    }

    /// As [`Form::give`], JSON on one line.
    ///
    /// # Errors
    /// As [`Form::give`].
    pub fn give_line(self, answer: &Json, sheet: Sheet<'_>, text: &str) -> anyhow::Result<()> {
        match self {
            Self { json: true, .. } => output::print(&format!("{answer}\n")),
            Self { .. } => self.give(answer, sheet, text),
        }
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
    Made(&'a dyn Fn() -> String),
}

impl Sheet<'_> {
    /// All fields as one row.
    pub const ALL_FIELDS: Self = Self::Fields(&[]);

    /// The CSV of an answer, which is asked for only where it is needed.
    pub fn csv(self, answer: impl FnOnce() -> Json) -> String {
        match self {
            Self::List(place, columns) | Self::Columns(place, columns) => {
                let answer = answer();
                let rows = answer.pointer(place).map_or_else(Vec::new, |list| rows(list, columns));
                written(columns, &rows, matches!(self, Self::List(..)))
            }
            Self::Fields(columns) => {
                let row = answer().as_object().cloned().unwrap_or_default();
                written(columns, &[row], columns.is_empty())
            }
            Self::Made(make) => make(),
        }
    }
}

/// An answer of which one field is so long that its members, which would fill the memory together, are made while they are written.
pub struct Long<M> {
    /// All fields; what stands in place of the long one does not count.
    pub fields: Json,
    /// The name of the long one.
    pub name: &'static str,
    /// Its members.
    pub members: M,
}

/// A list whose members are made one by one.
pub struct Listed<F>(pub F);

/// An object whose members are made one by one, each with its name.
pub struct Named<F>(pub F);

impl<M: Serialize> Serialize for Long<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.fields.as_object().into_iter().flatten() {
            if name == self.name {
                map.serialize_entry(name, &self.members)?;
            } else {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

impl<F: Fn() -> I, I: Iterator<Item = Json>> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl<F: Fn() -> I, I: Iterator<Item = (String, Json)>> Serialize for Named<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}

/// CSV of rows that are made one by one, as [`Sheet::List`] has it, where all have the fields of the first.
pub fn csv_of_rows(columns: &[&str], rows: impl Iterator<Item = Json>) -> String {
    let mut rows = rows.peekable();
    let first = rows.peek().map(fields).unwrap_or_default();
    let others = first.into_keys().filter(|name| !columns.contains(&name.as_str()));
    let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).chain(others).collect();
    csv_text(&columns, rows.map(|row| cells(&columns, &fields(&row))))
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
fn written(columns: &[&str], rows: &[Row], open: bool) -> String {
    let rows: Vec<Fields<'_>> = rows.iter().map(|row| flat("", row).into_iter().collect()).collect();
    let mut columns: Vec<&str> = columns.to_vec();
    for name in rows.iter().flat_map(BTreeMap::keys).filter(|_| open) {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    csv_text(&columns, rows.iter().map(|row| cells(&columns, row)))
}

/// The fields of a row by the names of their columns.
type Fields<'a> = BTreeMap<String, &'a Json>;

fn fields(row: &Json) -> Fields<'_> {
    row.as_object().map_or_else(BTreeMap::new, |row| flat("", row).into_iter().collect())
}

fn cells(columns: &[impl AsRef<str>], row: &Fields<'_>) -> Vec<String> {
    columns.iter().map(|column| row.get(column.as_ref()).map_or_else(String::new, |value| cell(value))).collect()
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
        sheet.csv(|| answer)
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
    fn members_that_are_made_one_by_one_are_written_as_those_that_are_kept() {
        let member = |lower: &[u32], x: f64| json!({ "lower": lower, "by": { "x": x } });
        let members = [("no", member(&[1], 0.5)), ("yes", member(&[], 1.0))];
        let fields = |sets: Json| json!({ "accuracy": 0.1, "sets": sets, "weight": 7 });
        let listed = || members.iter().map(|(_, member)| member.clone());
        let list = Long { fields: fields(Json::Null), name: "sets", members: Listed(listed) };
        let kept = fields(listed().collect());
        assert_eq!(serde_json::to_string(&list).unwrap(), kept.to_string());
        let csv = csv_of_rows(&["lower", "more"], listed());
        assert_eq!(csv, csv_of(kept, Sheet::List("/sets", &["lower", "more"])));
        assert_eq!(csv_of_rows(&["lower"], std::iter::empty()), "lower\n");
        let named = || members.iter().map(|(name, member)| ((*name).to_owned(), member.clone()));
        let object = Long { fields: fields(Json::Null), name: "sets", members: Named(named) };
        assert_eq!(serde_json::to_string(&object).unwrap(), fields(Json::Object(named().collect())).to_string());
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
        assert_eq!(csv_of(answer(), Sheet::Made(&|| "made\n".to_owned())), "made\n");
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
