//! Readable tables and shortened lists.

use std::fmt::Display;

use crate::cli::output::print;

/// Lines of a long table that are shown without `--all`.
pub const MAX_LINES: usize = 20;
/// Members of a long list that are shown without `--all`.
const MAX_MEMBERS: usize = 12;

/// Prints a JSON value on one line.
pub fn print_json(value: &serde_json::Value) -> anyhow::Result<()> {
    print(&format!("{value}\n"))
}

/// Columns aligned to the left under their headers.
pub fn table(header: &[&str], lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let format_line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells.zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let body = lines.iter().map(|line| format_line(&mut line.iter().map(String::as_str)));
    std::iter::once(format_line(&mut header.iter().copied())).chain(body).collect()
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

/// Objects numbered from 1; `-` if there are none.
pub fn objects(rows: &[u32], all: bool) -> String {
    let numbers: Vec<u32> = rows.iter().map(|row| row + 1).collect();
    if numbers.is_empty() { "-".to_owned() } else { list(&numbers, all) }
}
