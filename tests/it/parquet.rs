//! Parquet files that other programs wrote: `tests/data/parquet/make.py` makes them.

use std::path::{Path, PathBuf};

use roughboard::table::InformationTable;

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

#[test]
fn columns_of_other_types_are_refused_by_name() {
    let all = files("refused_");
    assert_eq!(all.len(), 9);
    for path in all {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let expected = format!("column `inside` has type {}, expected", stem.trim_start_matches("refused_"));
        let error = InformationTable::read(&path).unwrap_err();
        let reason = std::error::Error::source(&error).unwrap().to_string();
        assert!(reason.starts_with(&expected), "{reason}");
    }
}

/// Damage anywhere is an error or gives a table, and never ends the program.
#[test]
fn flipped_bytes_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.parquet");
    for path in files("kinds_")
        .iter()
        .filter(|path| ["zstd", "fallback", "delta"].iter().any(|n| path.to_string_lossy().contains(n)))
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
