//! Readable tables and shortened lists.

use std::borrow::Cow;
use std::fmt::Display;

use roughboard::rough::Fraction;
use roughboard::settings::counted;
use roughboard::table::{AttrSet, DecisionTable, Value};
use serde_json::{Value as Json, json};
use unicode_width::UnicodeWidthStr;

use crate::cli::form::cell;

/// Lines of a long table that are shown without `--all`.
const MAX_LINES: usize = 20;
/// Members of a long list that are shown without `--all`.
const MAX_MEMBERS: usize = 12;

/// A wider cell, in columns of a terminal, stands out of its column, which is not made wide for it.
const WIDEST: usize = 160;

/// Columns aligned to the left under their headers.
pub fn table(header: &[&str], lines: &[Vec<String>]) -> String {
    let lines: Vec<Vec<_>> = lines.iter().map(|line| line.iter().map(|cell| on_one_line(cell)).collect()).collect();
    let width = |column: usize| {
        let cells = lines.iter().map(|line| width_of(&line[column]));
        cells.chain([width_of(header[column])]).filter(|&width| width <= WIDEST).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let format_line = |cells: &mut dyn Iterator<Item = &str>| {
        let aligned: Vec<String> = cells.zip(&widths).map(|(cell, &width)| padded(cell, width)).collect();
        format!("{}\n", aligned.join("  ").trim_end())
    };
    let body = lines.iter().map(|line| format_line(&mut line.iter().map(AsRef::as_ref)));
    std::iter::once(format_line(&mut header.iter().copied())).chain(body).collect()
}

/// A text with its line breaks and tabulators spelled `\n`, `\r` and `\t`, which else would break the lines that it stands in.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r', '\t']) {
        text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t").into()
    } else {
        text.into()
    }
}

/// The width of a cell in columns of a terminal, of which a Chinese character takes two.
pub fn width_of(cell: &str) -> usize {
    cell.width()
}

/// A cell with blanks up to a width, which the formats of the standard library bound.
pub fn padded(cell: &str, width: usize) -> String {
    cell.to_owned() + &" ".repeat(width.saturating_sub(width_of(cell)))
}

/// A list with as many of the `lines` under the headers as are shown.
pub fn listing(header: &[&str], lines: impl ExactSizeIterator<Item = Vec<String>>, what: &str, all: bool) -> String {
    let (shown, rest) = cut(lines, what, all);
    table(header, &shown) + &rest
}

/// As many of the `lines`, which bring their ends, as are shown.
pub fn listed_lines(lines: impl ExactSizeIterator<Item = String>, what: &str, all: bool) -> String {
    let (shown, rest) = cut(lines, what, all);
    shown.concat() + &rest
}

/// The lines that are shown, all or the first few, and what is said of the others.
fn cut<T>(lines: impl ExactSizeIterator<Item = T>, what: &str, all: bool) -> (Vec<T>, String) {
    let count = lines.len();
    let shown = shown(count, all);
    (lines.take(shown).collect(), rest(count - shown, what))
}

/// What was left out.
pub fn rest(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("… and {count} more {what} (--all shows them)\n") }
}

/// Members separated by spaces, the tail counted instead of shown unless `all`.
pub fn list<T: Display>(members: &[T], all: bool) -> String {
    let shown = if all { members.len() } else { members.len().min(MAX_MEMBERS) };
    let mut words: Vec<String> = members[..shown].iter().map(ToString::to_string).collect();
    if shown < members.len() {
        words.push(format!("… {} more", members.len() - shown));
    }
    words.join(" ")
}

/// The [`numbers`] of objects of `table`; `-` if there are none.
pub fn objects(table: &DecisionTable, objects: &[u32], all: bool) -> String {
    let numbers = numbers(table, objects);
    if numbers.is_empty() { "-".to_owned() } else { list(&numbers, all) }
}

/// How many lines of a list of `count` are shown.
pub fn shown(count: usize, all: bool) -> usize {
    if all { count } else { count.min(MAX_LINES) }
}

/// Decision values with their weights, as text.
pub fn shares(decisions: &[(&Value, u64)]) -> String {
    decisions.iter().map(|(value, weight)| format!("{value}: {weight}")).collect::<Vec<_>>().join(", ")
}

/// Decision values with their weights, as JSON.
pub fn weights(decisions: &[(&Value, u64)]) -> Json {
    decisions.iter().map(|(value, weight)| (key(value), json!(weight))).collect::<serde_json::Map<_, _>>().into()
}

/// A value as the name of what is told of it, spelled as JSON spells the value itself: `1.0` of a real number.
pub fn key(value: &Value) -> String {
    cell(&json!(value))
}

/// The number of objects of a table, with their weight if that is another, and of its attributes.
pub fn sizes(table: &DecisionTable) -> String {
    sizes_of(table.n_objects() as u64, table.total_weight(), table.n_attributes())
}

fn sizes_of(n_objects: u64, weight: u64, n_attributes: usize) -> String {
    let weighted = if weight == n_objects { String::new() } else { format!(" of weight {weight}") };
    let [objects, attributes] =
        [(n_objects as usize, "object"), (n_attributes, "attribute")].map(|(number, thing)| counted(number, thing));
    format!("{objects}{weighted}, {attributes}")
}

/// The size of a table and of its partition.
pub fn heading(table: &DecisionTable, n_classes: usize) -> String {
    heading_of(table.n_rows() as u64, table.total_weight(), table.n_attributes(), n_classes as u64)
}

/// The size of a table of so many objects and attributes, and of its partition.
pub fn heading_of(n_objects: u64, weight: u64, n_attributes: usize, n_classes: u64) -> String {
    let sizes = sizes_of(n_objects, weight, n_attributes);
    format!("{sizes}, {}\n\n", counted(n_classes as usize, "class"))
}

/// The names of a set of attributes; `none` if it is empty.
pub fn names(table: &DecisionTable, attrs: &AttrSet, all: bool) -> String {
    list_or_none(&table.names(attrs), all)
}

/// What stands for no attributes.
const NONE: &str = "none";

/// Names of attributes; `none` if there are none. A name that could be read as something else stands in quotes.
pub fn list_or_none(names: &[&str], all: bool) -> String {
    let quoted = |name: &&str| match *name {
        name if name == NONE || name.is_empty() || name.contains([' ', '"']) => {
            format!("\"{}\"", name.replace('"', "\"\""))
        }
        name => name.to_owned(),
    };
    if names.is_empty() { NONE.to_owned() } else { list(&names.iter().map(quoted).collect::<Vec<_>>(), all) }
}

/// Objects of `table` as the command line numbers them: by the rows that they were read from, from 1. A row that stands for several
/// objects is named once.
pub fn numbers(table: &DecisionTable, objects: &[u32]) -> Vec<u32> {
    let mut rows: Vec<u32> = objects.iter().map(|&object| table.row_of(object) + 1).collect();
    rows.dedup();
    rows
}

/// A fraction as a list of numerator and denominator.
pub fn fraction(fraction: Fraction) -> Json {
    json!([fraction.numerator, fraction.denominator])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_line_breaks_stay_on_one_line() {
        let lines = [vec!["a\r\nb\tc".to_owned(), "1".to_owned()]];
        assert_eq!(table(&["value", "n"], &lines), "value      n\na\\r\\nb\\tc  1\n");
    }

    #[test]
    fn wide_cells_stand_out_of_their_columns() {
        let wide = "x".repeat(70_000);
        let lines = [["a", &wide, "1"], ["bb", "täxt", "2"]].map(|cells| cells.map(str::to_owned).to_vec());
        let shown = table(&["name", "value", "n"], &lines);
        let expected = format!("name  value  n\na     {wide}  1\nbb    täxt   2\n");
        assert_eq!(shown, expected);
        assert_eq!(table(&[&wide], &[vec!["1".to_owned()]]), format!("{wide}\n1\n"));
    }
}
