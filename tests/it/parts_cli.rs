//! Tables in folders of part files: the answers are those of one file, and what does not belong together is refused.

use std::fs;
use std::path::PathBuf;

use roughboard::table::{Attribute, DecisionTable, InformationTable, Layout, Roles, Value};
use serde_json::json;

use crate::command::Files;
use crate::memory_cli::rough;

const IRIS: &str = "tests/data/iris.csv";

/// The rows of a table in CSV, in so many texts with the header each.
fn cut(text: &str, n_parts: usize) -> Vec<String> {
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    rows.chunks(rows.len().div_ceil(n_parts)).map(|rows| format!("{header}\n{}\n", rows.join("\n"))).collect()
}

impl Files {
    /// A folder of files of these names and contents.
    fn parts(&self, folder: &str, parts: &[(&str, &[u8])]) -> PathBuf {
        let folder = self.path(folder);
        fs::create_dir_all(&folder).unwrap();
        parts.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
        folder
    }

    /// The iris table in parts as Spark writes them, with what else it leaves there.
    fn iris(&self, folder: &str, ending: &str) -> PathBuf {
        let others: [(&str, &[u8]); 3] = [("_SUCCESS", b""), (".part-00000.crc", b"crc"), ("part-00000.crc", b"crc")];
        let folder = self.parts(folder, &others);
        for (number, part) in cut(&fs::read_to_string(IRIS).unwrap(), 4).iter().enumerate() {
            let csv = self.write("part.csv", part);
            let target = folder.join(format!("part-{number:05}-c000{ending}"));
            match ending {
                ".csv" => drop(fs::copy(csv, target).unwrap()),
                ".csv.gz" => {
                    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                    std::io::Write::write_all(&mut packed, part.as_bytes()).unwrap();
                    fs::write(target, packed.finish().unwrap()).unwrap();
                }
                _ => {
                    let table = DecisionTable::read(&csv, &Roles::decided_by("species")).unwrap();
                    table.write(&target, Layout::Objects).unwrap();
                }
            }
        }
        folder
    }
}

#[test]
fn each_part_of_csv_has_its_own_separator() {
    let files = Files::new();
    let parts: [(&str, &[u8]); 3] =
        [("1.csv", b"a,b;c\n1,x\n"), ("2.tsv", b"a\tb;c\n2\ty\n"), ("3.txt", b"a,b;c\n3,z\n")];
    let table = InformationTable::read(&files.parts("mixed", &parts)).unwrap();
    let texts = Attribute::from_values("b;c", &["x", "y", "z"].map(Value::text));
    assert_eq!(table.columns(), [Attribute::from_integers("a", [1, 2, 3]), texts]);
}

#[test]
fn a_folder_of_parts_is_one_table() {
    let files = Files::new();
    for ending in [".csv", ".csv.gz", ".snappy.parquet"] {
        let folder = files.iris(&format!("iris{ending}"), ending);
        for command in ["info", "approx", "classes", "reduct", "reducts", "rules", "significance"] {
            let options = ["--decision", "species", "--json"];
            let (whole, parts) = (rough(command, IRIS.as_ref(), &options), rough(command, &folder, &options));
            assert_eq!(parts.ended(0).stdout, whole.ended(0).stdout, "{command} of {ending}");
        }
    }
}

#[test]
fn the_kind_of_a_column_is_told_from_all_parts_of_csv() {
    let files = Files::new();
    let folder =
        files.parts("t", &[("1.csv", b"a,b,d\n1,x,0\n2,y,1\n"), ("2.csv", b"a,b,d\n\n1.5,7,0\n"), ("3.csv", b"")]);
    let run = rough("info", &folder, &["--decision", "d", "--json"]).ended(0);
    let kinds: Vec<_> = run.json()["attributes"].as_array().unwrap().iter().map(|a| a["kind"].clone()).collect();
    assert_eq!((kinds, &run.json()["rows"]), (vec![json!("real"), json!("text")], &json!(3)));
    let folder = files.parts("z", &[("1.csv", b"a,d\n1,0\n2,1\n"), ("2.csv", b"a,d\n\n3,0\n007,1\n")]);
    let run = rough("info", &folder, &["--decision", "d"]).ended(0);
    assert!(run.stderr.contains("column `a` is text because of `007`, line 4 of `2.csv`"), "{}", run.stderr);
    let error = rough("info", &files.parts("z", &[("3.csv", b"a,d\nx,0\n")]), &["--number", "a"]).refusal();
    assert!(error.contains("column `a`, line 2 of `3.csv`: expected a number"), "{error}");
}

#[test]
fn errors_name_the_part() {
    let files = Files::new();
    let folder = files.parts("t", &[("1.csv", b"a,d\n1,0\n"), ("2.csv", b"a,d\n1,0\n3\n")]);
    let error = rough("info", &folder, &[]).refusal();
    assert!(error.contains("2.csv` as a decision table: line 3 has 1 cell, expected 2"), "{error}");
    let folder = files.iris("damaged", ".parquet");
    let second = folder.join("part-00001-c000.parquet");
    let bytes = fs::read(&second).unwrap();
    fs::write(&second, &bytes[..bytes.len() - 9]).unwrap();
    let error = rough("info", &folder, &[]).refusal();
    assert!(error.contains("part-00001-c000.parquet` as a decision table: it is not readable as Parquet"), "{error}");
    let text = |name: &str, cells: &str| {
        let csv = files.write("part.csv", format!("a,d\n{cells}"));
        DecisionTable::read(&csv, &Roles::decided_by("d")).unwrap().write(&files.path(name), Layout::Objects).unwrap();
    };
    files.parts("numbers", &[]);
    text("numbers/1.parquet", "'1',x\n'2',y\n");
    text("numbers/2.parquet", "'3',x\nword,y\n");
    let error = rough("info", &files.path("numbers"), &["--number", "a"]).refusal();
    assert!(error.contains("column `a`, row 1 of `1.parquet`: expected a number"), "{error}");
    text("numbers/1.parquet", "1,x\n2,y\n");
    let error = rough("info", &files.path("numbers"), &[]).refusal();
    let expected = "its parts `1.parquet` and `2.parquet` differ: column `a` has type integer of 32 bits in the first and text in the other";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn wrong_counts_are_told_by_the_row_of_their_part() {
    let files = Files::new();
    let texts = ["a,d,w\n1,x,1\n2,y,2\n", "a,d,w\n3,x,3\n4,y,-1\n"];
    let folder = files.parts("csv", &[("1.csv", texts[0].as_bytes()), ("2.csv", texts[1].as_bytes())]);
    let parquet = files.parts("parquet", &[]);
    for (number, text) in (1..).zip(texts) {
        let columns = InformationTable::read(&files.write("part.csv", text)).unwrap().columns().to_vec();
        InformationTable::new(columns).unwrap().write(&parquet.join(format!("{number}.parquet"))).unwrap();
    }
    for (table, part) in [(folder, "2.csv"), (parquet, "2.parquet")] {
        for memory in [&[][..], &["--memory", "1MB"]] {
            let options = [&["--decision", "d", "--weight", "w"], memory].concat();
            let error = rough("core", &table, &options).refusal();
            let expected = format!("column `w`, row 2 of `{part}`: expected a count from 0 to 4294967295, found `-1`");
            assert!(error.contains(&expected), "{error}");
        }
    }
}

/// Names and contents.
type Contents<'f> = &'f [(&'f str, &'f [u8])];

#[test]
fn what_is_no_table_in_parts_is_refused() {
    let files = Files::new();
    let refused = |name: &str, parts: &[(&str, &[u8])], inner: &[&str]| {
        let folder = files.parts(name, parts);
        inner.iter().for_each(|inner| fs::create_dir(folder.join(inner)).unwrap());
        rough("info", &folder, &[]).refusal()
    };
    let rows: &[u8] = b"a,d\n1,0\n";
    let cases: [(Contents<'_>, &[&str], &str); 9] = [
        (&[], &[], "it is a folder without a part file, expected names ending in .csv"),
        (&[("_SUCCESS", b""), (".a.csv", rows)], &[], "it is a folder without a part file"),
        (
            &[("1.csv", rows)],
            &["day=3", "day=1"],
            "with the folder `day=1` in it, as of a table that was partitioned by `day`",
        ),
        (&[("1.csv", rows)], &["inner"], "with the folder `inner` in it, expected nothing but part files"),
        (&[("1.csv", rows)], &["_delta_log"], "it is a folder of a Delta table"),
        (&[("1.csv", rows)], &["_temporary"], "that is still written"),
        (
            &[("1.csv", rows), ("2.parquet", b"PAR1")],
            &[],
            "its parts `1.csv` and `2.parquet` differ: they are of different kinds",
        ),
        (&[("1.csv", rows), ("notes.md", b"")], &[], "notes.md` as a decision table: expected a name ending in"),
        (&[("1.arff", b"@relation r\n"), ("2.arff", b"")], &[], "it is a folder with several files of ARFF"),
    ];
    for (number, (parts, inner, expected)) in cases.into_iter().enumerate() {
        let error = refused(&number.to_string(), parts, inner);
        assert!(error.contains(expected), "{error}");
    }
    for (other, expected) in [
        ("a,e\n1,0\n", "column 2 is `d` in the first and `e` in the other"),
        ("a\n1\n", "column 2 is `d` in the first and missing in the other"),
        ("a,d,e\n1,0,1\n", "column 3 is missing in the first and `e` in the other"),
    ] {
        let error = refused("columns", &[("1.csv", rows), ("2.csv", other.as_bytes())], &[]);
        assert!(error.contains(&format!("its parts `1.csv` and `2.csv` differ: {expected}")), "{error}");
    }
}

#[test]
fn a_certificate_is_of_the_parts_in_their_order() {
    let files = Files::new();
    let (folder, certificate) = (files.iris("iris", ".csv"), files.path("certificate.json"));
    let written = ["--decision", "species", "--certificate", certificate.to_str().unwrap()];
    rough("reduct", &folder, &written).ended(0);
    let verify = || rough("verify", &folder, &[certificate.to_str().unwrap(), "--json"]).json();
    assert_eq!((&verify()["verified"], &verify()["same_file"]), (&json!(true), &json!(true)));
    fs::write(folder.join("_SUCCESS"), "again").unwrap();
    assert_eq!(verify()["same_file"], json!(true));
    let first = folder.join("part-00000-c000.csv");
    fs::rename(first, folder.join("part-00004-c000.csv")).unwrap();
    assert_eq!(verify()["same_file"], json!(false));
}
