//! Tables that a run wrote, read by the names of their columns.

use std::path::{Path, PathBuf};

use crate::report::columns::names_of;
use crate::runs::manifest::Manifest;

/// A finished run: what else lies in its folder, such as a table of an earlier run, is none of its results.
#[derive(Clone, Copy)]
pub struct RunFiles<'a> {
    /// Where its files are.
    pub folder: &'a Path,
    /// Which these are.
    pub manifest: &'a Manifest,
}

impl RunFiles<'_> {
    /// Where the file `name` is; `None` if the run wrote none of this name.
    pub fn path(self, name: &str) -> Option<PathBuf> {
        self.manifest.lists(name).then(|| self.folder.join(name))
    }

    /// The rows of its table `name`; none if it wrote none.
    pub fn rows(self, name: &str) -> Vec<Row> {
        self.path(name).map(|path| rows(&path)).unwrap_or_default()
    }
}

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
        let Some(headings) = cells(line) else { continue };
        let headings: Vec<Vec<String>> = headings.iter().map(|heading| names_of(heading)).collect();
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

/// The cells of a line of a table; in texts of cells a backslash stands before a bar and before another backslash.
fn cells(line: &str) -> Option<Vec<String>> {
    let mut characters = line.strip_prefix('|')?.strip_suffix('|')?.chars();
    let (mut cells, mut cell) = (Vec::new(), String::new());
    while let Some(character) = characters.next() {
        match character {
            '|' => cells.push(std::mem::take(&mut cell)),
            '\\' => cell.extend(characters.next()),
            _ => cell.push(character),
        }
    }
    cells.push(cell);
    Some(cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

fn row(headings: &[Vec<String>], cells: &[String]) -> Row {
    let fields = |(names, cell): (&Vec<String>, &String)| -> Vec<(String, String)> {
        names.iter().cloned().zip(fields_of(cell, names.len())).collect()
    };
    let (names, fields): (Vec<String>, Vec<String>) = headings.iter().zip(cells).flat_map(fields).unzip();
    Row { names: names.into(), fields: fields.into() }
}

/// The fields that a cell has under so many names: its text, a value with its ends and perhaps a group of entrants, or figures
/// one after the other.
fn fields_of(cell: &str, names: usize) -> Vec<String> {
    match names {
        1 => vec![cell.to_owned()],
        3 => with_ends(cell),
        4 => {
            let group = cell.split_once("(group ").and_then(|(_, group)| group.strip_suffix(')'));
            let mut fields = with_ends(cell);
            fields.resize(3, String::new());
            [fields, vec![group.unwrap_or("1").to_owned()]].concat()
        }
        _ => numbers_in(cell).iter().map(f64::to_string).collect(),
    }
}

/// The numbers in a cell.
fn numbers_in(cell: &str) -> Vec<f64> {
    let spelled = cell.replace('∞', "inf");
    spelled.split([' ', '[', ']', ',', '±', '<', '>', '(']).filter_map(|word| word.parse().ok()).collect()
}

/// The value and the ends of its interval, from a cell such as `+58 ± 67`, `+512 [+150, +∞]` or `> +461`.
fn with_ends(cell: &str) -> Vec<String> {
    let numbers = numbers_in(cell);
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

    #[test]
    fn a_cell_has_a_field_for_each_of_its_names() {
        let page = "| a | pairs by points 0 ½ 1 1½ 2 | rating ± 95 % |\n|---|---|---|\n| x | 1 20 3 0 7 | +31 ± 49 (group 2) |\n\
            | y | 0 0 0 0 100 | – |\n";
        let [PageTable { rows, .. }] = &tables_of(page)[..] else { panic!("one table") };
        let names = ["pairs_ll", "pairs_ld", "pairs_even", "pairs_wd", "pairs_ww"];
        let pairs = |row: usize| names.map(|name| rows[row].number::<u64>(name));
        assert_eq!([pairs(0), pairs(1)], [[1, 20, 3, 0, 7].map(Some), [0, 0, 0, 0, 100].map(Some)]);
        let rating = |row: usize| ["rating", "rating_low", "rating_group"].map(|name| rows[row].number::<f64>(name));
        assert_eq!([rating(0), rating(1)], [[Some(31.0), Some(-18.0), Some(2.0)], [None, None, Some(1.0)]]);
        assert_eq!(fields_of("0.272 ± 0.003", 2), ["0.272", "0.003"]);
    }

    #[test]
    fn names_with_bars_and_backslashes_are_whole() {
        let names = ["a|b", "c\\d", "\\|", "e"];
        let rows = [names.map(crate::report::Cell::from)];
        let page = crate::report::Table::new("", &["a", "b", "entrant", "end"], &[]).with_rows(rows).to_markdown();
        let [PageTable { rows, .. }] = &tables_of(&page)[..] else { panic!("one table") };
        assert_eq!(["a", "b", "entrant", "end"].map(|name| rows[0].text(name)), names.map(Some));
    }
}
