//! Tables written as CSV.

use std::io::{self, Write};

use super::SEPARATORS;
use super::pieces::ends_line;
use crate::table::Value;
use crate::table::layout::FileColumn;

/// Writes columns as CSV. A missing value is an empty cell, and an empty text a quoted one. Where there is one column, both are
/// quoted, since an empty line is no row, and so is what holds any separator, since the header does not tell which one it is.
pub fn write(mut out: impl Write, columns: &[FileColumn], separator: u8) -> io::Result<()> {
    let is_only = columns.len() == 1;
    let spelled: Vec<Vec<String>> = columns.iter().map(|column| spellings(column, is_only, separator)).collect();
    for (at, column) in columns.iter().enumerate() {
        begin_cell(&mut out, at, separator)?;
        out.write_all(quoted_fully(column.name(), separator).as_bytes())?;
    }
    out.write_all(b"\n")?;
    for row in 0..columns.first().map_or(0, FileColumn::n_rows) {
        for (at, (column, spelled)) in columns.iter().zip(&spelled).enumerate() {
            begin_cell(&mut out, at, separator)?;
            match column {
                FileColumn::Values(attribute) => out.write_all(spelled[attribute.code(row) as usize].as_bytes())?,
                FileColumn::Counts(_, counts) => write!(out, "{}", counts[row])?,
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// A text of CSV: a line of names, and one for each row of cells.
///
/// ```
/// assert_eq!(roughboard::table::csv_text(["name", "n"], [["a, b", "1"], ["c", ""]]), "name,n\n\"a, b\",1\nc,\n");
/// ```
pub fn csv_text<N: AsRef<[u8]>, C: AsRef<[u8]>>(
    names: impl IntoIterator<Item = N>,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = C>>,
) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(names);
    rows.into_iter().for_each(|row| _ = writer.write_record(row));
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn begin_cell(out: &mut impl Write, at: usize, separator: u8) -> io::Result<()> {
    if at > 0 { out.write_all(&[separator]) } else { Ok(()) }
}

/// The cell of each code of a column, which may be the only one.
fn spellings(column: &FileColumn, is_only: bool, separator: u8) -> Vec<String> {
    let cell = |value: &Value| match value {
        Value::Missing if is_only => "\"\"".to_owned(),
        Value::Missing => String::new(),
        Value::Real(number) => zmij::Buffer::new().format(*number).to_owned(),
        value if is_only => quoted_fully(&value.to_string(), separator),
        value => quoted(&value.to_string(), separator),
    };
    match column {
        FileColumn::Values(attribute) => attribute.domain().iter().map(cell).collect(),
        FileColumn::Counts(..) => Vec::new(),
    }
}

/// A name in the header, from which readers tell the separator, or a cell below a header of one name: quoted where it has any.
fn quoted_fully(text: &str, separator: u8) -> String {
    let other = SEPARATORS.into_iter().find(|other| text.as_bytes().contains(other));
    quoted(text, other.unwrap_or(separator))
}

fn quoted(text: &str, separator: u8) -> String {
    let special = |byte| ends_line(&byte) || byte == b'"' || byte == separator;
    if text.is_empty() || text.bytes().any(special) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::table::{Attribute, InformationTable};

    #[test]
    fn what_is_written_is_quoted_where_it_must_be() {
        let texts = ["", "a,b", "say \"so\"", "two\nlines", "plain"].map(Value::text);
        let reals = [1.0, 1e16, 0.000_01, 1e-7, f64::NEG_INFINITY].map(Value::Real);
        let attributes = [Attribute::from_values("x;y", &texts), Attribute::from_values("z", &reals)];
        let mut columns = Vec::from(attributes.map(|a| FileColumn::Values(Cow::Owned(a))));
        columns.push(FileColumn::Counts("d=1".to_owned(), Cow::Borrowed(&[0, 1, 2, 3, u32::MAX])));
        let mut out = Vec::new();
        write(&mut out, &columns, b';').unwrap();
        let expected = "\"x;y\";z;d=1\n\"\";1.0;0\na,b;1e+16;1\n\"say \"\"so\"\"\";0.00001;2\n\
            \"two\nlines\";1e-7;3\nplain;-inf;4294967295\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_name_with_another_separator_does_not_hide_the_one_that_is_used() {
        let named = |name| FileColumn::Values(Cow::Owned(Attribute::from_values(name, &[Value::Integer(1)])));
        let mut out = Vec::new();
        write(&mut out, &[named("a;b;c"), named("d")], b',').unwrap();
        assert_eq!(out, b"\"a;b;c\",d\n1,1\n");
    }

    #[test]
    fn the_only_column_is_read_back_whatever_its_cells_hold() {
        let texts = ["(1, 2]", "a;b", "a\tb", "say \"so\"", "plain"].map(Value::text);
        let attribute = Attribute::from_values("x", &texts);
        let folder = tempfile::tempdir().unwrap();
        for (name, separator) in [("x.csv", b','), ("x.tsv", b'\t')] {
            let mut out = Vec::new();
            write(&mut out, &[FileColumn::Values(Cow::Borrowed(&attribute))], separator).unwrap();
            let expected = "x\n\"(1, 2]\"\n\"a;b\"\n\"a\tb\"\n\"say \"\"so\"\"\"\nplain\n";
            assert_eq!(String::from_utf8_lossy(&out), expected);
            std::fs::write(folder.path().join(name), out).unwrap();
            let read = InformationTable::read(&folder.path().join(name)).unwrap();
            assert_eq!(read.columns(), std::slice::from_ref(&attribute));
        }
    }

    #[test]
    fn a_missing_value_of_the_only_column_is_a_row() {
        let attribute = Attribute::from_values("x", &[Value::Integer(1), Value::Missing, Value::Integer(2)]);
        let mut out = Vec::new();
        write(&mut out, &[FileColumn::Values(Cow::Owned(attribute.clone()))], b',').unwrap();
        assert_eq!(String::from_utf8_lossy(&out), "x\n1\n\"\"\n2\n");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        std::fs::write(&path, out).unwrap();
        assert_eq!(InformationTable::read(&path).unwrap().columns(), [attribute]);
    }
}
