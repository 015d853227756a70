//! Parquet files that other programs wrote: `tests/data/parquet/make.py` makes them.

use std::path::{Path, PathBuf};

use roughboard::table::{Attribute, DecisionTable, InformationTable, Layout, ReadOptions, Remark, Value, Weights};

/// The files of the folder whose names begin so.
fn files(prefix: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut found: Vec<PathBuf> = paths.filter(|path| name(path).starts_with(prefix)).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    found.sort();
    found
}

#[test]
fn every_encoding_compression_and_program_gives_the_table_of_the_csv() {
    let all = files("kinds_");
    assert_eq!(all.len(), 17);
    let expected = InformationTable::read(&all[0].with_file_name("kinds.csv")).unwrap();
    let kinds: Vec<&str> = expected.columns().iter().map(|column| column.kind()).collect();
    assert_eq!(&kinds[..2], ["boolean", "integer"]);
    assert_eq!(&kinds[9..], ["text", "real", "real", "text", "text", "interval", "missing", "text"]);
    for path in all {
        let table = InformationTable::read(&path).unwrap();
        for (column, wanted) in table.columns().iter().zip(expected.columns()) {
            assert_eq!(column, wanted, "{}", path.display());
        }
        assert_eq!(table.columns().len(), expected.columns().len());
    }
}

/// Columns of all kinds, with and without missing cells, of few and of many values, in runs and without order, over several pages
/// and groups of rows.
#[test]
fn tables_written_here_come_back_as_they_were() {
    const N_ROWS: usize = 300_000;
    let mixed = |row: usize| (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) as usize;
    let kinds: [fn(usize) -> Value; 5] = [
        |n| Value::Integer(n as i64 - 3),
        |n| Value::Integer((n as i64 - 3) << 33),
        |n| Value::Real(n as f64 / 2.0 - 1.0),
        |n| Value::text(&format!("value {n}")),
        |n| Value::Boolean(n % 2 == 1),
    ];
    let mut columns = Vec::new();
    for (kind, value) in kinds.into_iter().enumerate() {
        for (at, n_values) in [1, 2, 3, 5, 100, 300, 70_000, N_ROWS].into_iter().enumerate() {
            let cell = |row: usize| match (kind + at) % 4 {
                0 => value(row / 1000 % n_values),
                1 => value(mixed(row) % n_values),
                2 if mixed(row) % 5 == 0 => Value::Missing,
                2 => value(mixed(row) % n_values),
                _ if (row / 4000).is_multiple_of(2) => Value::Missing,
                _ => value(row % n_values),
            };
            let cells: Vec<Value> = (0..N_ROWS).map(cell).collect();
            columns.push(Attribute::from_values(format!("{kind} {n_values}"), &cells));
        }
    }
    let decided: Vec<Value> = (0..N_ROWS).map(|row| kinds[0](mixed(row) % 3)).collect();
    let decision = Attribute::from_values("decision", &decided);
    let table = DecisionTable::new(columns, decision, Weights::Unit).unwrap();
    assert_comes_back(&table);
}

/// Of one value, which takes no bits, and of two; with cells that are missing, and without.
#[test]
fn short_tables_of_few_values_come_back_too() {
    for n_rows in 1..20 {
        let column = |name: &str, value: &dyn Fn(usize) -> Value| {
            Attribute::from_values(name, &(0..n_rows).map(value).collect::<Vec<_>>())
        };
        let columns = vec![
            column("one text", &|_| Value::text("k")),
            column("one number", &|_| Value::Real(0.5)),
            column("one interval", &|_| Value::parse("<= 2")),
            column("one, or missing", &|row| if row % 3 == 1 { Value::Missing } else { Value::Integer(7) }),
            column("two", &|row| Value::Integer(row as i64 % 2)),
        ];
        let decision = column("decision", &|_| Value::Boolean(true));
        assert_comes_back(&DecisionTable::new(columns, decision, Weights::Unit).unwrap());
    }
}

/// A table that was written is read as it was.
fn assert_comes_back(table: &DecisionTable) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("written.parquet");
    table.write(&path, Layout::Objects).unwrap();
    let read = InformationTable::read(&path).unwrap();
    for (column, written) in read.columns().iter().zip(table.attributes().iter().chain([table.decision()])) {
        assert_eq!(column.name(), written.name());
        assert!(column == written, "{} of {} rows", column.name(), table.n_objects());
    }
    assert_eq!(read.columns().len(), table.n_attributes() + 1);
}

#[test]
fn columns_of_other_types_are_refused_by_name() {
    let all = files("refused_");
    assert_eq!(all.len(), 5);
    for path in all {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = format!("column `inside` has type {}, expected", stem.trim_start_matches("refused_"));
        assert!(reason(&path, &ReadOptions::default()).starts_with(&expected), "{stem}");
        // What is ignored is not read, however many columns of the file it takes.
        let ignored = ReadOptions { ignore: vec!["inside".to_owned()], ..ReadOptions::default() };
        let table = InformationTable::read_as(&path, &ignored).unwrap();
        let [only] = table.columns() else { panic!("{stem}: {table:?}") };
        assert_eq!((only.name(), only.domain()), ("d", &[Value::text("yes")][..]), "{stem}");
    }
}

/// However they are stored: as bytes, as integers, in a dictionary or not.
#[test]
fn decimal_numbers_are_what_they_are_in_csv() {
    let all = files("decimals_");
    assert_eq!(all.len(), 4);
    let in_csv = all[0].with_file_name("decimals.csv");
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let missing = ReadOptions { missing: names(&["100000000000000000001", "1.5", "1.50"]), ..ReadOptions::default() };
    let text = ReadOptions { text: names(&["whole", "price"]), ..ReadOptions::default() };
    let number = ReadOptions { number: names(&["large", "fine"]), ..ReadOptions::default() };
    for reading in [ReadOptions::default(), missing, text, number] {
        let expected = InformationTable::read_as(&in_csv, &reading).unwrap();
        for path in &all {
            let table = InformationTable::read_as(path, &reading).unwrap();
            for column in table.columns() {
                let wanted = expected.columns().iter().find(|wanted| wanted.name() == column.name()).unwrap();
                assert_eq!(column, wanted, "{}", path.display());
            }
            let is_never = |remark: &Remark| matches!(remark, Remark::NeverMissing(_));
            assert!(!table.remarks().iter().any(is_never), "{}: {:?}", path.display(), table.remarks());
            let without = usize::from(path.ends_with("decimals_polars.parquet"));
            assert_eq!(table.columns().len(), expected.columns().len() - without);
        }
    }
    let table = InformationTable::read(&all[0]).unwrap();
    let kinds: Vec<&str> = table.columns().iter().map(|column| column.kind()).collect();
    assert_eq!(kinds, ["integer", "real", "real", "real", "real", "text", "real", "text"]);
    let said: Vec<String> = table.remarks().iter().map(ToString::to_string).collect();
    let tenth = "0.10000000000000000000000000000";
    let fine = format!("column `fine`: `{tenth}1`, row 2, and `{tenth}0` are one real number of 64 bits");
    let large =
        "column `large` is text because of `100000000000000000001`, row 1: it is too large for a number of 64 bits";
    assert_eq!(said, [fine.as_str(), large]);
}

#[test]
fn a_text_that_is_listed_as_missing_keeps_no_column_from_being_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let intervals = Attribute::from_values("x", &["<= 2.5", "none", "> 2.5"].map(Value::text));
    let written = InformationTable::new(vec![intervals, Attribute::from_integers("d", [0, 1, 1])]).unwrap();
    let reading = ReadOptions { missing: vec!["none".to_owned()], ..ReadOptions::default() };
    let read = |name: &str, reading: &ReadOptions| {
        let path = folder.path().join(name);
        written.write(&path).unwrap();
        InformationTable::read_as(&path, reading).unwrap()
    };
    let (csv, parquet) = (read("written.csv", &reading), read("written.parquet", &reading));
    assert_eq!(parquet.columns(), csv.columns());
    assert_eq!((parquet.columns()[0].kind(), parquet.columns()[0].n_missing()), ("interval", 1));
    assert_eq!(parquet.remarks(), []);
    assert_eq!(read("written.parquet", &ReadOptions::default()).columns()[0].kind(), "text");
}

/// Why a file is refused.
fn reason(path: &Path, reading: &ReadOptions) -> String {
    let error = InformationTable::read_as(path, reading).unwrap_err();
    std::error::Error::source(&error).unwrap().to_string()
}

#[test]
fn dates_and_times_are_texts_that_ascend_with_time_or_numbers() {
    let inside = || vec!["inside".to_owned()];
    let as_text = ReadOptions::default();
    let as_number = ReadOptions { number: inside(), ..ReadOptions::default() };
    for (path, text, number) in [
        ("moment_date.parquet", "2026-01-01", Value::Integer(20_454)),
        ("moment_time.parquet", "01:02:00", Value::Real(3_720.0)),
        ("moment_timestamp.parquet", "2026-01-01T00:00:00", Value::Real(1_767_225_600.0)),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet").join(path);
        let read = |reading| InformationTable::read_as(&path, reading).unwrap().columns()[0].value(0).clone();
        assert_eq!((read(&as_text), read(&as_number)), (Value::text(text), number), "{}", path.display());
    }
}

#[test]
fn durations_are_seconds_in_whatever_unit_they_are_stored() {
    let all = files("duration_");
    assert_eq!(all.len(), 4);
    for path in all {
        let table = InformationTable::read(&path).unwrap();
        let expected = [Value::Real(-5.0), Value::Real(90.0), Value::Missing];
        assert_eq!(table.columns()[0].domain(), expected, "{}", path.display());
        let text = ReadOptions { text: vec!["inside".to_owned()], ..ReadOptions::default() };
        let table = InformationTable::read_as(&path, &text).unwrap();
        assert_eq!(table.columns()[0].value(0), &Value::text("90"), "{}", path.display());
    }
}

#[test]
fn whole_numbers_beyond_64_bits_with_sign_are_text_and_say_so() {
    let path = &files("kinds_zstd")[0];
    let (largest, other) = (u64::MAX.to_string(), (u64::MAX - 1).to_string());
    let read = |options: ReadOptions| InformationTable::read_as(path, &options).unwrap();
    let said = |table: &InformationTable| table.remarks().iter().map(ToString::to_string).collect::<Vec<_>>();
    let note =
        "column `huge` is text because of `18446744073709551615`, row 1: it is too large for a number of 64 bits";
    assert_eq!(said(&read(ReadOptions::default())), [note]);
    let names = || vec!["huge".to_owned()];
    assert!(said(&read(ReadOptions { text: names(), ..ReadOptions::default() })).is_empty());
    let note =
        "column `huge`: `18446744073709551614`, row 2, and `18446744073709551615` are one real number of 64 bits";
    assert_eq!(said(&read(ReadOptions { number: names(), ..ReadOptions::default() })), [note]);
    // What means a missing value makes no text of the other numbers.
    let one = read(ReadOptions { missing: vec![largest.clone()], ..ReadOptions::default() });
    assert!(said(&one)[0].contains(&format!("`{other}`, row 2")), "{:?}", said(&one));
    let both = read(ReadOptions { missing: vec![largest, other], ..ReadOptions::default() });
    assert!(said(&both).is_empty());
    let huge = both.columns().iter().find(|column| column.name() == "huge").unwrap();
    assert_eq!(huge.kind(), "missing");
}

#[test]
fn only_columns_that_are_asked_for_are_read() {
    let path = &files("refused_list")[0];
    let only = |names: &[&str]| ReadOptions {
        only: names.iter().map(|&name| name.to_owned()).collect(),
        ..ReadOptions::default()
    };
    let table = InformationTable::read_as(path, &only(&["d"])).unwrap();
    assert_eq!((table.columns().len(), table.existing()), (1, &["inside".to_owned(), "d".to_owned()][..]));
    assert!(reason(path, &only(&["d", "inside"])).starts_with("column `inside` has type list"));
    let several = &files("nested")[0];
    let expected = "columns have other types: `l` (list), `s` (struct), expected text, integers";
    assert!(reason(several, &ReadOptions::default()).starts_with(expected), "{}", reason(several, &only(&[])));
    assert_eq!(InformationTable::read_as(several, &only(&["x", "d"])).unwrap().columns().len(), 2);
}

#[test]
fn columns_of_parquet_can_be_texts_or_numbers_by_choice() {
    let path = &files("kinds_zstd")[0];
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let chosen = ReadOptions { text: names(&["i8", "flag"]), number: names(&["huge"]), ..ReadOptions::default() };
    let table = InformationTable::read_as(path, &chosen).unwrap();
    let kind = |name: &str| table.columns().iter().find(|column| column.name() == name).unwrap().kind();
    assert_eq!(["i8", "flag", "huge", "i16"].map(kind), ["text", "text", "real", "integer"]);
    for (column, found) in [("text", "row 1: expected a number of 64 bits, found `täxt 0`"), ("flag", "row ")] {
        let refused = reason(path, &ReadOptions { number: names(&[column]), ..ReadOptions::default() });
        assert!(refused.starts_with(&format!("column `{column}`, {found}")), "{refused}");
    }
}

/// Damage anywhere is an error or gives a table, and never ends the program.
#[test]
fn flipped_bytes_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.parquet");
    for path in [files("kinds_"), files("decimals_")]
        .concat()
        .iter()
        .filter(|path| ["zstd", "fallback", "delta", "bytes"].iter().any(|n| path.to_string_lossy().contains(n)))
    {
        let whole = std::fs::read(path).unwrap();
        for at in (0..whole.len()).step_by(5) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&damaged, bytes).unwrap();
            let _ = InformationTable::read(&damaged);
        }
    }
}
