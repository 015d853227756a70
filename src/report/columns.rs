//! The columns of the CSV files that programs read: their names, and what they mean.
//!
//! A table has headings for readers; in CSV its columns have names in snake case. Most names follow from the heading by a rule,
//! the others stand in a file, beside those that the data dictionary is made from.

use std::array;

/// Headings whose columns the rule would not name well, with the names.
const HEADINGS: &str = include_str!("columns/headings.tsv");

/// The CSV files that the program writes: name, in which `*` stands for any characters; what writes it; what a row is about; the names
/// of its columns in order, of which one with `*` stands for any number of columns, none included.
const FILES: &str = include_str!("columns/files.tsv");

/// What columns mean, wherever they stand; `*` stands for any characters.
const MEANINGS: &str = include_str!("columns/meanings.tsv");

/// The rows of one of these tables, without its headings.
fn rows<const CELLS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; CELLS]> {
    table.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        array::from_fn(|_| cells.next().unwrap_or_default())
    })
}

/// Signs that stand for words in the names of columns.
const SIGNS: [(&str, &str); 8] = [
    ("'s", ""),
    ("%", " percent "),
    ("±", " error "),
    ("½", " half "),
    ("α", " alpha "),
    ("γ", " gamma "),
    ("λ", " lambda "),
    ("ω", " omega "),
];

/// The names of the columns under a heading: those of the list, or one by the rule: in lower case, with signs as words, and `_` for
/// whatever is no letter or digit of ASCII. A name begins with a letter.
pub(super) fn names_of(heading: &str) -> Vec<String> {
    if let Some([_, names]) = rows(HEADINGS).find(|[known, _]| *known == heading) {
        return names.split(' ').map(str::to_owned).collect();
    }
    let spelled = SIGNS.iter().fold(heading.to_lowercase(), |text, (sign, word)| text.replace(sign, word));
    let words: Vec<&str> =
        spelled.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = words.join("_");
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
    vec![if begins_well { name } else { format!("x{}{name}", if name.is_empty() { "" } else { "_" }) }]
}

/// The data dictionary in Markdown: every CSV file with its columns, and every column with its meaning.
pub fn dictionary() -> String {
    let file = |[name, by, row, columns]: [&str; 4]| {
        format!("| `{name}` | {by} | {row} | `{}` |\n", columns.replace(' ', "`, `"))
    };
    let meaning = |[names, meaning]: [&str; 2]| format!("| `{}` | {meaning} |\n", names.replace(", ", "`, `"));
    let files: String = rows(FILES).map(file).collect();
    let meanings: String = rows(MEANINGS).map(meaning).collect();
    format!(
        "| file | written by | a row is | columns |\n|---|---|---|---|\n{files}\n| column | means |\n|---|---|\n{meanings}"
    )
}

/// Whether the dictionary has a file of this `name` with these columns.
pub fn is_described(name: &str, columns: &[&str]) -> bool {
    rows(FILES).any(|[file, _, _, known]| fits(file, name) && are_columns_of(known, columns))
}

/// Whether the `known` columns are these, in order but for the repeated ones.
fn are_columns_of(known: &str, columns: &[&str]) -> bool {
    let (open, fixed): (Vec<&str>, Vec<&str>) = known.split(' ').partition(|name| name.contains('*'));
    let is_open = |column: &&&str| !fixed.contains(*column) && open.iter().any(|pattern| fits(pattern, column));
    let others: Vec<&str> = columns.iter().filter(|column| !is_open(column)).copied().collect();
    others == fixed
}

/// Whether `text` is `pattern`, in which one `*` may stand for any characters.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => text.len() >= start.len() + end.len() && text.starts_with(start) && text.ends_with(end),
        None => text == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case_in_ascii() {
        for (heading, name) in [
            ("mean plies", "mean_plies"),
            ("p (Holm)", "p_holm"),
            ("λ = 0.3", "lambda_0_3"),
            ("share %", "share_percent"),
            ("S3's points", "s3_points"),
            ("largest |omega v|", "largest_omega_v"),
            ("exact: accepted H1", "exact_accepted_h1"),
            ("10-19", "x_10_19"),
            ("許", "x"),
        ] {
            assert_eq!(names_of(heading), [name], "{heading}");
        }
        assert_eq!(names_of("Elo of a ± 95 %"), ["elo", "elo_low", "elo_high"]);
    }

    #[test]
    fn every_column_of_a_file_has_a_meaning() {
        let known: Vec<&str> = rows(MEANINGS).flat_map(|[names, _]| names.split(", ")).collect();
        for [file, _, _, columns] in rows(FILES) {
            for column in columns.split(' ').filter(|&column| column != "*") {
                assert!(known.iter().any(|known| fits(known, column)), "{column} of {file}");
            }
        }
    }

    #[test]
    fn every_row_of_the_tables_is_whole() {
        for table in [HEADINGS, FILES, MEANINGS] {
            let n_cells = |line: &str| line.split('\t').filter(|cell| !cell.is_empty()).count();
            let expected = table.lines().next().map(n_cells);
            table.lines().for_each(|line| assert_eq!(Some(n_cells(line)), expected, "{line}"));
        }
    }

    #[test]
    fn repeated_columns_may_be_many() {
        let columns = ["rank", "entrant", "points_1", "games_1", "points_2", "games_2"];
        assert!(is_described("crosstable.csv", &columns) && !is_described("crosstable.csv", &columns[1..]));
        assert!(!is_described("ends.csv", &["end", "games", "other"]));
    }
}
