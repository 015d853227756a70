//! Tables that a run wrote, read by the names of their columns.

use std::path::Path;

use crate::report::columns::names_of;

/// A row of a table.
pub struct Row {
    names: csv::StringRecord,
    fields: csv::StringRecord,
}

/// The rows of the table at `path`. None where it cannot be read: the page names files that are missing or changed.
pub fn rows(path: &Path) -> Vec<Row> {
    let Ok(mut reader) = csv::Reader::from_path(path) else { return Vec::new() };
    let Ok(names) = reader.headers().cloned() else { return Vec::new() };
    reader.records().flatten().map(|fields| Row { names: names.clone(), fields }).collect()
}

/// A table of a page for readers.
pub(crate) struct PageTable {
    /// What stands above it.
    pub caption: String,
    /// Its rows, under the names that columns of CSV have.
    pub rows: Vec<Row>,
}

/// The tables of a page for readers, of runs whose tables stand nowhere else.
pub fn tables_of(text: &str) -> Vec<PageTable> {
    let (mut tables, mut caption) = (Vec::new(), "");
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("**").and_then(|line| line.strip_suffix("**")) {
            caption = words;
        }
        if cells(line).is_none() {
            continue;
        }
        let headings: Vec<Vec<String>> = cells(line).into_iter().flatten().map(names_of).collect();
        let mut rows = Vec::new();
        while let Some(fields) = lines.peek().and_then(|line| cells(line)) {
            rows.push(row(&headings, &fields));
            lines.next();
        }
        // The first line below the headings says how columns are aligned.
        tables.push(PageTable { caption: caption.to_owned(), rows: rows.into_iter().skip(1).collect() });
    }
    tables
}

/// The cells of a line of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

fn row(headings: &[Vec<String>], cells: &[&str]) -> Row {
    let fields = |(names, cell): (&Vec<String>, &&str)| -> Vec<(String, String)> {
        let values = if names.len() == 1 { vec![(*cell).to_owned()] } else { with_ends(cell) };
        names.iter().cloned().zip(values).collect()
    };
    let (names, fields): (Vec<String>, Vec<String>) = headings.iter().zip(cells).flat_map(fields).unzip();
    Row { names: names.into(), fields: fields.into() }
}

/// The value and the ends of its interval, from a cell such as `+58 ± 67`, `+512 [+150, +∞]` or `> +461`.
fn with_ends(cell: &str) -> Vec<String> {
    let spelled = cell.replace('∞', "inf");
    let numbers: Vec<f64> =
        spelled.split([' ', '[', ']', ',', '±', '<', '>', '(']).filter_map(|word| word.parse().ok()).collect();
    let infinity = f64::INFINITY;
    let ends = match numbers[..] {
        [bound] if cell.starts_with('>') => [infinity, bound, infinity],
        [bound] if cell.starts_with('<') => [-infinity, -infinity, bound],
        [value, error] | [value, error, ..] if cell.contains('±') => [value, value - error, value + error],
        [value, low, high, ..] => [value, low, high],
        _ => return Vec::new(),
    };
    ends.map(|number| number.to_string()).into()
}

impl Row {
    /// The field under `name`, if there is such a column.
    pub fn text(&self, name: &str) -> Option<&str> {
        let at = self.names.iter().position(|known| known == name)?;
        self.fields.get(at)
    }

    /// The field under `name` as a number.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_page_are_read_as_those_of_a_file() {
        let page = "# Page\n\n**depth 2, 4 games**\n\n| a | b | Elo of a ± 95 % | won | score % |\n|---|---|---|--:|--:|\n\
            | x | y | +58 ± 67 | 2 | 58.3 |\n| y | z | > +461 | 4 | 100.0 |\n\n![a](b.svg)\n";
        let [PageTable { caption, rows }] = &tables_of(page)[..] else { panic!("one table") };
        assert_eq!((caption.as_str(), rows.len()), ("depth 2, 4 games", 2));
        let number = |row: usize, name: &str| rows[row].number::<f64>(name).unwrap();
        assert_eq!((rows[0].text("b"), number(0, "won"), number(1, "score")), (Some("y"), 2.0, 100.0));
        assert_eq!([number(0, "elo"), number(0, "elo_low"), number(0, "elo_high")], [58.0, -9.0, 125.0]);
        assert_eq!([number(1, "elo"), number(1, "elo_low")], [f64::INFINITY, 461.0]);
        assert_eq!(with_ends("+512 [+150, +∞]"), ["512", "150", "inf"]);
        assert_eq!(with_ends("+31 ± 49 (group 1)"), ["31", "-18", "80"]);
        assert!(with_ends("–").is_empty());
    }
}
