//! A table of results: Markdown for a page, CSV for a program, aligned text for a terminal.

use std::collections::HashSet;

use unicode_width::UnicodeWidthStr;

use super::columns::names_of;
use crate::table::csv_text;

/// The heading of a column as a reader sees it, and the names of the columns of CSV that its cells spread to.
///
/// A text becomes the heading that the list of columns ([`super::columns`]) has under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    shown: String,
    names: Vec<String>,
}

impl Heading {
    /// A heading for readers over the columns with these `names`, which are snake case in ASCII.
    pub fn named(shown: impl Into<String>, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { shown: shown.into(), names: names.into_iter().map(Into::into).collect() }
    }

    /// The same heading over two columns: that of its name, and one for the half width or the deviation, which ends in `suffix`.
    #[must_use]
    pub fn with(mut self, suffix: &str) -> Self {
        self.names.truncate(1);
        let other = self.names.iter().map(|name| format!("{name}_{suffix}")).collect::<Vec<_>>();
        self.names.extend(other);
        self
    }
}

impl From<&str> for Heading {
    fn from(shown: &str) -> Self {
        Self::named(shown, names_of(shown))
    }
}

impl From<String> for Heading {
    fn from(shown: String) -> Self {
        Self::from(shown.as_str())
    }
}

/// A heading, and whether its column holds numbers (flush right) or names (flush left).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    heading: Heading,
    is_number: bool,
}

/// A share in per cent, without the digits that binary numbers add: 100 times 0.29 is 28.999999999999996.
pub fn in_percent(share: f64) -> f64 {
    (1e12 * share).round() / 1e10
}

/// A column of a table that is made of values of one type: its heading, and its cell for one of them.
pub type Field<T> = (&'static str, fn(&T) -> Cell);

/// One entry of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Integer(i64),
    /// A measured number: rounded to `digits` decimals for a reader, in full precision in CSV.
    Real {
        /// The number.
        value: f64,
        /// Decimals shown.
        digits: usize,
    },
    /// Figures that a reader sees as one text, such as `42.3 ± 3.3` or `< 0.001`; a field each in CSV.
    Several {
        /// What a reader sees.
        shown: String,
        /// The figures.
        values: Vec<Self>,
    },
    /// Nothing to say: `–` for a reader, an empty field in CSV.
    Missing,
}

impl Cell {
    /// A measured number, shown with `digits` decimals.
    pub const fn real(value: f64, digits: usize) -> Self {
        Self::Real { value, digits }
    }

    /// A number that was asked for, shown with all its decimals and with `least` at the least.
    pub fn setting(value: f64, least: usize) -> Self {
        let decimals = value.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Self::real(value, decimals.max(least))
    }

    /// A measured number with its error or deviation, both shown with `digits` decimals: `42.3 ± 3.3`.
    pub fn with_error(value: f64, error: f64, digits: usize) -> Self {
        let values = [value, error].map(|one| Self::real(one, digits)).into();
        Self::Several { shown: format!("{value:.digits$} ± {error:.digits$}"), values }
    }

    /// The text that a reader sees.
    fn shown(&self) -> String {
        match self {
            Self::Text(text) | Self::Several { shown: text, .. } => text.clone(),
            Self::Integer(count) => count.to_string(),
            Self::Real { value, digits } if value.is_finite() => format!("{value:.digits$}"),
            Self::Real { value, .. } if *value > 0.0 => "∞".to_owned(),
            Self::Real { value, .. } if *value < 0.0 => "-∞".to_owned(),
            Self::Real { .. } | Self::Missing => "–".to_owned(),
        }
    }

    /// The text that a program reads: the shortest decimal that gives the same number back.
    fn exact(&self) -> String {
        match self {
            Self::Real { value, .. } if value.is_nan() => String::new(),
            Self::Real { value, .. } => value.to_string(),
            Self::Missing => String::new(),
            Self::Text(_) | Self::Integer(_) | Self::Several { .. } => self.shown(),
        }
    }

    /// The `n` fields of CSV that the cell spreads to; those that it has nothing for are empty.
    fn fields(&self, n: usize) -> Vec<String> {
        let mut fields: Vec<String> = match self {
            Self::Several { values, .. } if n > 1 || values.len() == 1 => values.iter().map(Self::exact).collect(),
            one => vec![one.exact()],
        };
        fields.resize(n, String::new());
        fields
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        i64::try_from(count).map_or_else(|_| Self::Text(count.to_string()), Self::Integer)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::from(count as u64)
    }
}

impl From<i64> for Cell {
    fn from(count: i64) -> Self {
        Self::Integer(count)
    }
}

/// `Missing` for `None`.
impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Missing, Into::into)
    }
}

/// A caption, columns, and rows with one cell a column.
///
/// ```
/// use roughboard::report::{Cell, Table};
/// let mut table = Table::new("Games", &["player"], &["games", "score"]);
/// table.push([Cell::from("rough"), Cell::from(100_u64), Cell::real(0.625, 2)]);
/// assert_eq!(table.to_csv(), "player,games,score\nrough,100,0.625\n");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the table shows; empty for no caption.
    pub caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table whose first columns hold `names` (flush left) and whose others hold `numbers` (flush right).
    pub fn new(caption: impl Into<String>, names: &[&str], numbers: &[&str]) -> Self {
        let empty = Self { caption: caption.into(), columns: Vec::new(), rows: Vec::new() };
        empty.and_names(names.iter().copied()).and_numbers(numbers.iter().copied())
    }

    /// A table with one row for each of `items`; its first columns are the `names` (flush left), the others the `numbers`
    /// (flush right).
    pub fn of<'t, T: 't>(
        caption: impl Into<String>,
        items: impl IntoIterator<Item = &'t T>,
        names: &[Field<T>],
        numbers: &[Field<T>],
    ) -> Self {
        let heading = |(name, _): &Field<T>| *name;
        let cells = |item: &'t T| names.iter().chain(numbers).map(move |(_, cell)| cell(item));
        let empty = Self::new(caption, &[], &[]).and_names(names.iter().map(heading));
        empty.and_numbers(numbers.iter().map(heading)).with_rows(items.into_iter().map(cells))
    }

    /// The same table with these rows below its own, as [`Table::push`] adds them.
    #[must_use]
    pub fn with_rows(mut self, rows: impl IntoIterator<Item = impl IntoIterator<Item = Cell>>) -> Self {
        rows.into_iter().for_each(|row| self.push(row));
        self
    }

    /// The same table, still empty, with columns of `names` (flush left) behind its own.
    #[must_use]
    pub fn and_names(mut self, names: impl IntoIterator<Item = impl Into<Heading>>) -> Self {
        self.columns.extend(columns_of(names, false));
        self
    }

    /// The same table, still empty, with columns of `numbers` (flush right) behind its own.
    #[must_use]
    pub fn and_numbers(mut self, numbers: impl IntoIterator<Item = impl Into<Heading>>) -> Self {
        self.columns.extend(columns_of(numbers, true));
        self
    }

    /// Adds a row. Missing cells at its end are shown as such; cells beyond the last column are left out.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut row: Vec<Cell> = cells.into_iter().take(self.columns.len()).collect();
        row.resize(self.columns.len(), Cell::Missing);
        self.rows.push(row);
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in Markdown, its caption in bold above it, columns padded so that the source is readable too.
    pub fn to_markdown(&self) -> String {
        let escape = |text: String| text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', "<br>");
        let lines = self.lines(escape);
        let widths = self.widths(&lines, 3);
        let mut out = if self.caption.is_empty() { String::new() } else { format!("**{}**\n\n", self.caption) };
        for (index, line) in lines.iter().enumerate() {
            out += &format!("| {} |\n", self.padded(line, &widths).join(" | "));
            if index == 0 {
                out += &format!("|{}|\n", self.rule(&widths).join("|"));
            }
        }
        out
    }

    /// The table for a terminal: caption, headings, a rule, aligned rows.
    pub fn to_text(&self) -> String {
        let lines = self.lines(|text| text.replace('\n', " "));
        let widths = self.widths(&lines, 0);
        let mut out = if self.caption.is_empty() { String::new() } else { format!("{}\n", self.caption) };
        for (index, line) in lines.iter().enumerate() {
            out += self.padded(line, &widths).join("  ").trim_end();
            out.push('\n');
            if index == 0 {
                let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
                out += &"─".repeat(total);
                out.push('\n');
            }
        }
        out
    }

    /// The table as CSV: a line of names in snake case, each once, one figure a field, numbers in full precision, no caption.
    pub fn to_csv(&self) -> String {
        let sizes: Vec<usize> = self.columns.iter().map(|column| column.heading.names.len()).collect();
        let fields = |row: &Vec<Cell>| row.iter().zip(&sizes).flat_map(|(cell, &n)| cell.fields(n)).collect::<Vec<_>>();
        csv_text(self.csv_names(), self.rows.iter().map(fields))
    }

    /// The names of the columns in CSV; of one that occurs again, the repetitions are numbered.
    fn csv_names(&self) -> Vec<String> {
        let mut used = HashSet::new();
        let mut once = |name: &String| {
            let numbered = (2..).map(|number| format!("{name}_{number}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| used.insert(name.clone()));
            free.unwrap_or_default()
        };
        self.columns.iter().flat_map(|column| &column.heading.names).map(&mut once).collect()
    }

    /// Headings and rows as a reader sees them, each text passed through `prepare`.
    fn lines(&self, prepare: impl Fn(String) -> String) -> Vec<Vec<String>> {
        let headings = self.columns.iter().map(|column| prepare(column.heading.shown.clone())).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| prepare(cell.shown())).collect());
        std::iter::once(headings).chain(rows).collect()
    }

    fn widths(&self, lines: &[Vec<String>], least: usize) -> Vec<usize> {
        let widest = |column: usize| lines.iter().map(|line| line[column].width()).max();
        (0..self.columns.len()).map(|column| widest(column).unwrap_or(0).max(least)).collect()
    }

    fn padded(&self, line: &[String], widths: &[usize]) -> Vec<String> {
        let padded = |((text, &width), column): ((&String, &usize), &Column)| {
            let space = " ".repeat(width - text.width());
            if column.is_number { format!("{space}{text}") } else { format!("{text}{space}") }
        };
        line.iter().zip(widths).zip(&self.columns).map(padded).collect()
    }

    fn rule(&self, widths: &[usize]) -> Vec<String> {
        let dashes = |(column, &width): (&Column, &usize)| {
            if column.is_number { format!("{}:", "-".repeat(width + 1)) } else { "-".repeat(width + 2) }
        };
        self.columns.iter().zip(widths).map(dashes).collect()
    }
}

fn columns_of(headings: impl IntoIterator<Item = impl Into<Heading>>, is_number: bool) -> impl Iterator<Item = Column> {
    headings.into_iter().map(move |heading| Column { heading: heading.into(), is_number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new("Match", &["entrant"], &["games", "share"]);
        table.push([Cell::from("rough|net"), Cell::from(1000_u64), Cell::real(1.0 / 3.0, 3)]);
        table.push([Cell::from("許銀川"), Cell::from(8_u64)]);
        table
    }

    #[test]
    fn settings_are_shown_with_all_their_decimals() {
        let shown = [30.0, 0.05, 0.001, 1e9].map(|value| Cell::setting(value, 1).shown());
        assert_eq!(shown, ["30.0", "0.05", "0.001", "1000000000.0"]);
    }

    #[test]
    fn shares_in_percent_have_no_digits_of_binary_numbers() {
        let shown = [0.29, 0.07, 0.3, 0.0, 1.0, 0.12345, 1e-9].map(|share| in_percent(share).to_string());
        assert_eq!(shown, ["29", "7", "30", "0", "100", "12.345", "0.0000001"]);
    }

    #[test]
    fn markdown_aligns_and_escapes() {
        let expected = "**Match**\n\n\
            | entrant    | games | share |\n\
            |------------|------:|------:|\n\
            | rough\\|net |  1000 | 0.333 |\n\
            | 許銀川     |     8 |     – |\n";
        assert_eq!(sample().to_markdown(), expected);
    }

    #[test]
    fn text_aligns_wide_characters() {
        let expected = "Match\n\
            entrant    games  share\n\
            ───────────────────────\n\
            rough|net   1000  0.333\n\
            許銀川         8      –\n";
        assert_eq!(sample().to_text(), expected);
    }

    #[test]
    fn csv_keeps_full_precision() {
        assert_eq!(sample().to_csv(), "entrant,games,share\nrough|net,1000,0.3333333333333333\n許銀川,8,\n");
    }

    #[test]
    fn csv_has_one_number_a_field_under_names_that_programs_can_use() {
        let mut table = Table::new("", &["λ = 0.3"], &["score %"]).and_numbers([Heading::from("mse").with("sd")]);
        table = table.and_numbers(["score %"]);
        table.push([Cell::from("a"), Cell::real(f64::NAN, 1), Cell::with_error(0.25, 0.125, 1), Cell::real(50.0, 1)]);
        table.push([Cell::from("b"), Cell::Missing, Cell::real(0.5, 1)]);
        assert_eq!(table.to_csv(), "lambda_0_3,score,mse,mse_sd,score_2\na,,0.25,0.125,50\nb,,0.5,,\n");
        assert!(table.to_text().contains("0.2 ± 0.1"), "{}", table.to_text());
    }

    #[test]
    fn infinite_numbers_are_readable_in_both() {
        let mut table = Table::new("", &[], &["low", "high"]);
        table.push([Cell::real(f64::NEG_INFINITY, 1), Cell::real(f64::INFINITY, 1)]);
        assert_eq!(table.to_csv(), "low,high\n-inf,inf\n");
        assert!(table.to_text().contains("-∞"));
    }
}
