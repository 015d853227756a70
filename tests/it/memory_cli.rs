//! `--memory`: tables are merged while they are read, within a limit, and the answers are the same.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use roughboard::table::{DecisionTable, InformationTable, Layout, Memory, ReadOptions, Roles};
use serde_json::{Value as Json, json};

use crate::command::{Files, Run, roughboard};

/// A limit under which the rows of [`mixed`] do not fit while they are read, though the merged ones do in the end.
const TIGHT: &str = "60kB";
const N_ROWS: usize = 6_000;

/// A table with columns of all kinds, missing values among them, whose rows repeat.
fn mixed() -> String {
    let mut text = "number,real,word,day,flag,gap,weight,d\n".to_owned();
    for row in 0..N_ROWS {
        let which = (row * row + 3 * row) % 487;
        let (word, gap) = (["red", "green", "?", "\"a, b\""][which % 4], ["", "1", "2"][which / 7 % 3]);
        let day = format!("2026-01-{:02}", 1 + which % 9);
        let (flag, decision) = (which.is_multiple_of(2), ["yes", "no", "", "yes"][(which / 5 + row / 4_000) % 4]);
        let (number, real, weight) = (which % 6, (which % 10) as f64 / 4.0, 1 + which % 2);
        writeln!(text, "{number},{real},{word},{day},{flag},{gap},{weight},{decision}").unwrap();
    }
    text
}

impl Files {
    /// The mixed table as CSV and as a folder of Parquet.
    fn mixed(&self) -> [PathBuf; 2] {
        let (text, folder) = (mixed(), self.path("mixed"));
        fs::create_dir(&folder).unwrap();
        let (header, rows) = text.split_once('\n').unwrap();
        let rows: Vec<&str> = rows.lines().collect();
        for (number, rows) in rows.chunks(500).enumerate() {
            let csv = self.write("part.csv", format!("{header}\n{}\n", rows.join("\n")));
            let columns = InformationTable::read(&csv).unwrap().columns().to_vec();
            let (d, conditions) = columns.split_last().unwrap();
            let table = DecisionTable::new(conditions.to_vec(), d.clone(), roughboard::table::Weights::Unit).unwrap();
            table.write(&folder.join(format!("{number:02}.parquet")), Layout::Objects).unwrap();
        }
        [self.write("mixed.csv", text), folder]
    }
}

pub fn rough(command: &str, table: &Path, options: &[&str]) -> Run {
    roughboard(&[&["rough", command, table.to_str().unwrap()], options].concat())
}

#[test]
fn answers_are_those_of_the_whole_table() {
    let files = Files::new();
    for table in files.mixed() {
        for command in ["info", "core", "reduct", "reducts", "significance"] {
            for options in
                [&[][..], &["--weight", "weight"], &["--missing", "drop"], &["--attributes", "number,word,gap"]]
            {
                let options = [&["--decision", "d", "--json"], options].concat();
                let whole = rough(command, &table, &options).ended(0);
                let merged = rough(command, &table, &[&options[..], &["--memory", TIGHT]].concat()).ended(0);
                assert_eq!(merged.stdout, whole.stdout, "{command} {options:?}");
                assert!(merged.stderr.contains("of 6000 rows are different"), "{}", merged.stderr);
            }
        }
    }
}

#[test]
fn other_questions_of_the_same_table_are_answered_alike() {
    let files = Files::new();
    let [csv, _] = files.mixed();
    let some = ["--decision", "d", "--json", "--attributes", "number,word,gap,flag"];
    for (command, options) in [
        ("info", &[][..]),
        ("core", &["--notion", "information"]),
        ("reduct", &["--method", "short"]),
        ("reduct", &["--minimum"]),
        ("reduct", &["--epsilon", "0.1", "--measure", "majority"]),
        ("reduct", &["--relation", "tolerance"]),
        ("core", &["--missing", "tolerance"]),
        ("reducts", &["--permutations", "20"]),
    ] {
        let options = [&some[..], options].concat();
        let whole = rough(command, &csv, &options).ended(0);
        let merged = rough(command, &csv, &[&options[..], &["--memory", "1MB"]].concat()).ended(0);
        assert_eq!(merged.stdout, whole.stdout, "{command} {options:?}");
    }
    let (whole, merged) = (rough("info", &csv, &["--json"]), rough("info", &csv, &["--json", "--memory", "1MB"]));
    assert_eq!(merged.ended(0).stdout, whole.ended(0).stdout);
}

#[test]
fn approximations_are_the_same_in_numbers() {
    let files = Files::new();
    let [csv, _] = files.mixed();
    let options = ["--decision", "d", "--json", "--attributes", "number,word,gap"];
    let whole = rough("approx", &csv, &options).ended(0).json();
    let mut merged = rough("approx", &csv, &[&options[..], &["--memory", "1MB"]].concat()).ended(0).json();
    let mut sized = whole.clone();
    let lists = ["lower", "upper", "boundary", "negative", "positive_region"];
    let size = |answer: &mut Json| {
        for list in lists {
            if let Some(listed) = answer.as_object_mut().unwrap().remove(list) {
                answer[format!("{list}_size")] = listed.as_array().unwrap().len().into();
            }
        }
    };
    size(&mut sized);
    sized["approximations"].as_object_mut().unwrap().values_mut().for_each(size);
    assert_eq!(merged.take(), sized);
    let text = |options: &[&str]| rough("approx", &csv, options).ended(0).stdout;
    let (whole, merged) = (text(&["--decision", "d"]), text(&["--decision", "d", "--memory", "1MB"]));
    for (merged, whole) in merged.lines().zip(whole.lines()) {
        assert!(whole.starts_with(merged.split("  accuracy").next().unwrap()), "{merged}\n{whole}");
    }
}

#[test]
fn rows_that_do_not_fit_leave_nothing_in_the_folder_for_them() {
    let files = Files::new();
    let [csv, _] = files.mixed();
    let (temp, options) = (files.path("temp"), ["--decision", "d", "--memory", TIGHT, "--temp"]);
    let core = |temp: &Path| rough("core", &csv, &[&options[..], &[temp.to_str().unwrap()]].concat());
    let error = core(&temp).refusal();
    assert!(
        error.contains("the folder for temporary files") && error.contains("cannot create a file in it"),
        "{error}"
    );
    // Also where all rows would fit, and before the table is looked at.
    let roomy = ["core", "missing.csv", "--decision", "d", "--memory", "1GB", "--temp", temp.to_str().unwrap()];
    let early = roughboard(&[&["rough"], &roomy[..]].concat()).refusal();
    assert!(early.contains("cannot create a file in it"), "{early}");
    fs::create_dir(&temp).unwrap();
    core(&temp).ended(0);
    assert_eq!(fs::read_dir(&temp).unwrap().count(), 0);
}

#[test]
fn what_does_not_fit_says_what_it_takes() {
    let files = Files::new();
    let cell = |row: usize, column: usize| (row >> (2 * column)) % 4;
    let row = |row: usize| (0..7).map(|column| cell(row, column).to_string()).collect::<Vec<_>>().join(",");
    let rows: String = (0..10_000).map(|n| row(n) + "\n").collect();
    let table = files.write("different.csv", format!("a,b,c,e,f,g,d\n{rows}"));
    let core = |limit: &str| rough("core", &table, &["--decision", "d", "--memory", limit]);
    let error = core("200kB").refusal();
    assert!(
        error.contains("different.csv`") && error.contains("it does not fit in 200 kB: 10000 of its 10000 rows"),
        "{error}"
    );
    let needed = error.split("which take ").nth(1).unwrap().split(';').next().unwrap();
    core(needed).ended(0);
    let ids: String = (0..3_000).map(|n| format!("name{n},{}\n", n % 2)).collect();
    let table = files.write("ids.csv", format!("id,d\n{ids}"));
    let error = rough("core", &table, &["--decision", "d", "--memory", "500kB"]).refusal();
    assert!(error.contains("most of them the 3000 of `id`; leave that column out"), "{error}");
}

/// Codes of a group of rows are as wide as its values ask for, which is known only once they are read.
#[test]
fn a_group_of_rows_is_measured_by_the_codes_that_it_turns_out_to_have() {
    let files = Files::new();
    let row = |row: usize| (0..20).map(|column| (row % 260 * (column + 1)).to_string()).collect::<Vec<_>>().join(",");
    let rows: String = (0..20_000).map(|n| format!("{},{}\n", row(n), n % 260 % 2)).collect();
    let header = (0..20).map(|column| format!("c{column}")).collect::<Vec<_>>().join(",");
    let (csv, wide) = (files.write("wide.csv", format!("{header},d\n{rows}")), files.path("wide.parquet"));
    DecisionTable::read(&csv, &Roles::decided_by("d")).unwrap().write(&wide, Layout::Objects).unwrap();
    let core = |limit: &str| rough("core", &wide, &["--decision", "d", "--memory", limit, "--threads", "1"]);
    let error = core("1.2MB").refusal();
    assert!(error.contains("a group of rows of `wide.parquet` takes") && error.contains(" or more"), "{error}");
    core("2MB").ended(0);
}

#[test]
fn weights_of_equal_rows_that_add_up_to_too_much_are_told_with_their_sum() {
    let files = Files::new();
    let rows = "0,1,7\n1,0,3000000000\n1,1,7\n1,0,3000000000\n";
    let table = files.write("heavy.csv", format!("a,d,w\n{rows}"));
    let core =
        |table: &Path| rough("core", table, &["--decision", "d", "--weight", "w", "--memory", "1MB"]).ended(2).stderr;
    let (sum, most) = ("the weights of 2 equal rows, 3000000000 each, add up to 6000000000", "at most 4294967295");
    let error = core(&table);
    assert!(error.contains(&format!("column `w`: {sum}, expected {most}; the first of them is row 2")), "{error}");
    let folder = files.path("parts");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.csv"), "a,d,w\n0,1,7\n").unwrap();
    fs::write(folder.join("b.csv"), "a,d,w\n1,0,3000000000\n1,0,3000000000\n").unwrap();
    let error = core(&folder);
    assert!(error.contains(sum) && error.contains("the first of them is row 1 of `b.csv`"), "{error}");
}

#[test]
fn the_option_is_refused_where_it_says_nothing() {
    let files = Files::new();
    let [csv, _] = files.mixed();
    let arff = files.write("t.arff", "@relation r\n@attribute a {x}\n@attribute d {x}\n@data\nx,x\n");
    let error = rough("info", &arff, &["--memory", "1GB"]).refusal();
    assert!(error.contains("an ARFF file is read whole"), "{error}");
    let error = rough("reducts", &csv, &["--decision", "d", "--dynamic", "--memory", "1GB"]).refusal();
    assert!(error.contains("--memory"), "{error}");
    let whole = files.path("whole.parquet");
    DecisionTable::read(&csv, &Roles::decided_by("number")).unwrap().write(&whole, Layout::Objects).unwrap();
    let error = rough("core", &whole, &["--decision", "d", "--memory", TIGHT]).refusal();
    assert!(error.contains("a group of rows of `whole.parquet` takes"), "{error}");
    assert_eq!(rough("core", &csv, &["--decision", "d", "--temp", "."]).code, 2);
    assert_eq!(rough("core", &csv, &["--decision", "d", "--memory", "much"]).code, 2);
}

#[test]
fn a_certificate_of_a_merged_table_holds_for_the_file() {
    let files = Files::new();
    let [csv, _] = files.mixed();
    let certificate = files.path("certificate.json");
    let written = ["--decision", "d", "--memory", "1MB", "--certificate", certificate.to_str().unwrap()];
    rough("reduct", &csv, &written).ended(0);
    let verified = rough("verify", &csv, &[certificate.to_str().unwrap(), "--json"]).ended(0).json();
    assert_eq!((&verified["verified"], &verified["same_file"]), (&json!(true), &json!(true)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_table_read_within_a_limit_is_the_merged_table(
        rows in prop::collection::vec(("[xy?]", 0_u8..4, prop::sample::select(vec!["", "0.5", "2"]), 0_u8..3), 2..60),
    ) {
        let files = Files::new();
        let cells: String = rows.iter().map(|(a, b, c, d)| format!("{a},{b},{c},{d}\n")).collect();
        let csv = files.write("t.csv", format!("a,b,c,d\n{cells}"));
        let read = |memory: Option<Memory>| {
            let reading = ReadOptions { memory, ..ReadOptions::default() };
            InformationTable::read_as(&csv, &reading).unwrap().decide(&Roles::decided_by("d")).unwrap()
        };
        let (whole, merged) = (read(None), read(Some(Memory { limit: 1_000_000, folder: None })));
        prop_assert_eq!(merged.merged().unwrap(), whole.merged().unwrap());
        prop_assert_eq!(merged.merged().unwrap().n_objects(), merged.n_objects());
        prop_assert_eq!(merged.n_rows(), whole.n_objects());
    }
}
