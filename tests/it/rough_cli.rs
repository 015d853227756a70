//! `roughboard rough` on files, good and bad.

use std::path::{Path, PathBuf};

use roughboard::table::{Attribute, DecisionTable, Layout, Roles, Value, Weights};
use serde_json::{Value as Json, json};

use crate::command::{Files, make_pipe, roughboard};

pub const FLU: &str = "headache,muscle_pain,temperature,flu\n\
    no,yes,high,yes\nyes,no,high,yes\nyes,yes,very_high,yes\nno,yes,normal,no\nyes,no,high,no\nno,yes,very_high,yes\n";

impl Files {
    /// The flu table as Parquet, merged.
    fn merged_flu(&self) -> PathBuf {
        let table = DecisionTable::read(&self.write("flu.csv", FLU), &Roles::decided_by("flu")).unwrap();
        table.write(&self.path("merged.parquet"), Layout::Merged).unwrap();
        self.path("merged.parquet")
    }
}

#[test]
fn approx_prints_the_figures_of_the_flu_table() {
    let files = Files::decided_by("flu");
    let json = files.json("approx", FLU, &[]);
    assert_eq!(json["gamma_fraction"], json!([4, 6]));
    assert!((json["gamma"].as_f64().unwrap() - 4.0 / 6.0).abs() < 1e-15);
    assert_eq!(json["positive_region"], json!([1, 3, 4, 6]));
    assert_eq!(json["boundary"], json!([2, 5]));
    assert_eq!(json["approximations"]["yes"]["lower"], json!([1, 3, 6]));
    assert_eq!(json["approximations"]["yes"]["upper"], json!([1, 2, 3, 5, 6]));
    let text = files.text("approx", FLU, &[]);
    assert!(text.contains("gamma            4/6 = 0.666667"), "{text}");
}

#[test]
fn core_reducts_and_rules_of_the_flu_table() {
    let files = Files::decided_by("flu");
    assert_eq!(files.json("core", FLU, &[])["core"], json!(["temperature"]));
    let information = files.json("reducts", FLU, &["--notion", "information"]);
    assert_eq!(information["reducts"], json!([["headache", "temperature"]]));
    for method in ["greedy", "backward"] {
        let json = files.json("reduct", FLU, &["--method", method]);
        assert_eq!((json["size"].as_u64(), &json["gamma_fraction"]), (Some(2), &json!([4, 6])));
    }
    let cover = files.json("rules", FLU, &["--from", "cover"]);
    assert_eq!((cover["count"].as_u64(), cover["complete"].as_bool()), (Some(3), Some(true)));
    let text = files.text("rules", FLU, &["--from", "minimal"]);
    assert!(text.contains("IF temperature = very_high THEN flu = yes (2 of 2, 1.00)"), "{text}");
    let of_reduct = files.text("rules", FLU, &[]);
    assert!(of_reduct.contains("IF temperature = normal THEN flu = no (1 of 1"), "{of_reduct}");
    let induced = files.json("rules", FLU, &["--from", "inclusion", "--rules", "2", "--min-support", "1"]);
    assert_eq!(induced["count"], json!(2));
}

#[test]
fn a_merged_parquet_table_gives_the_same_answers() {
    let files = Files::decided_by("flu");
    let merged = files.merged_flu();
    let json = files.json("approx", &merged, &[]);
    assert_eq!((json["gamma_fraction"].clone(), json["total_weight"].as_u64()), (json!([4, 6]), Some(6)));
    assert_eq!(files.json("core", &merged, &[])["core"], json!(["temperature"]));
    assert_eq!(files.json("classes", &merged, &[])["n_classes"], json!(5));
}

#[test]
fn objects_are_numbered_by_the_rows_of_the_file() {
    let files = Files::decided_by("flu");
    // Row 2 has no decision, row 4 no weight.
    let table = files.write("gaps.csv", "a,n,flu\n1,1,yes\n1,1,\n1,1,no\n2,0,no\n3,2,no\n");
    let of = |command: &str| files.json(command, &table, &["--weight", "n"]);
    assert_eq!(of("classes")["classes"][0]["objects"], json!([1, 3]));
    let approximations = of("approx");
    assert_eq!((&approximations["boundary"], &approximations["positive_region"]), (&json!([1, 3]), &json!([5])));
    let text = files.text("classes", &table, &["--weight", "n", "--relation", "neighbourhood"]);
    assert!(text.contains("\n1 3 "), "{text}");
    let bireducts = files.json("reducts", &table, &["--weight", "n", "--bireducts"]);
    let named: Vec<&Json> =
        bireducts["bireducts"].as_array().unwrap().iter().flat_map(|b| b["objects"].as_array().unwrap()).collect();
    assert!(named.contains(&&json!(5)) && !named.contains(&&json!(2)), "{bireducts}");
    // A row of a merged table may be several objects: it is named once.
    let merged = files.write("merged.csv", "a,flu=no,flu=yes\n7,0,0\n1,2,1\n2,0,4\n");
    let regions = files.json("approx", &merged, &[]);
    assert_eq!((&regions["boundary"], &regions["positive_region"]), (&json!([2]), &json!([3])));
}

#[test]
fn rows_of_counts_are_counted_as_rows_and_not_as_objects() {
    let files = Files::decided_by("flu");
    // Row 3 has no object.
    let counts = files.write("counts.csv", "a,b,flu=0,flu=1,flu=2\n1,1,2,0,0\n2,1,1,1,0\n3,1,0,0,0\n");
    let approximated = files.rough("approx", &counts, &[]).ended(0);
    let note = "note: 1 of 3 rows weigh 0 and are left out\n";
    assert!(approximated.stderr.contains(note), "{}", approximated.stderr);
    let text = approximated.stdout;
    assert!(text.starts_with("2 objects of weight 4, 2 attributes, 2 classes\n"), "{text}");
    assert!(text.contains("boundary         1 object: 2\n"), "{text}");
    // Rows 1 and 2 are two objects each, and row 2 lacks a value.
    let gaps = files.write("gaps.csv", "a,b,flu=0,flu=1\n1,1,2,1\n?,1,1,1\n3,1,0,4\n");
    let text = files.text("complete", &gaps, &["--method", "delete"]);
    assert!(text.starts_with("3 rows read = 2 kept + 1 left out\n"), "{text}");
    let text = files.text("complete", &gaps, &["--method", "frequent"]);
    assert!(text.starts_with("1 missing value in 3 rows completed (frequent)\n"), "{text}");
    let completed = files.json("complete", &gaps, &["--method", "concept-mean"]);
    let of_a = &completed["attributes"][0];
    assert_eq!((&of_a["missing"], &of_a["left"]), (&json!(1), &json!(0)));
    let dropped = files.rough("classes", &gaps, &["--missing", "drop"]).ended(0).stderr;
    let account = "1 of 3 rows (weight 2 of 9) have missing values and are left out: 3 read = 2 kept + 1 dropped\n";
    assert!(dropped.contains(account), "{dropped}");
    let nothing = files.write("nothing.csv", "a,b,flu=0,flu=1\n?,1,2,1\n1,?,1,1\n2,?,1,0\n");
    let error = files.refusal("classes", &nothing, &["--missing", "drop"]);
    assert!(error.contains("`b` has most of them, in 2 of 3 objects"), "{error}");
}

/// The value 1000, which no object has, makes no range.
#[test]
fn a_row_of_counts_without_an_object_changes_no_distance() {
    let files = Files::decided_by("flu");
    let near = ["--relation", "neighbourhood", "--radius", "0.2"];
    let counted = files.json("approx", "a,flu=0,flu=1\n0,2,0\n1,0,1\n2,1,0\n1000,0,0\n", &near);
    let by_weight = [&near[..], &["--weight", "w"]].concat();
    let weighted = files.json("approx", "a,flu,w\n0,0,2\n1,1,1\n2,0,1\n1000,0,0\n", &by_weight);
    assert_eq!((&counted["gamma_fraction"], &weighted["gamma_fraction"]), (&json!([4, 4]), &json!([4, 4])));
}

#[test]
fn a_column_completed_from_another_table_keeps_what_was_observed() {
    let files = Files::decided_by("flu");
    let known = files.write("known.csv", "a,flu\n5,x\n5,x\n");
    let own = files.write("own.csv", "a,flu\n1.5,x\n5.0,y\n?,y\n");
    let values = |path: &Path| -> Vec<Value> {
        let written = DecisionTable::read(path, &Roles::decided_by("flu")).unwrap();
        (0..written.n_objects()).map(|row| written.attributes()[0].value(row).clone()).collect()
    };
    for name in ["out.csv", "out.parquet"] {
        let out = files.path(name);
        let options = ["--from", known.to_str().unwrap(), "--method", "frequent", "--out", out.to_str().unwrap()];
        files.text("complete", &own, &options);
        assert_eq!(values(&out), [1.5, 5.0, 5.0].map(Value::Real), "{name}");
    }
    // Parquet has one type for a column, whatever a program puts into it.
    let mixed = Attribute::from_values("a", &[Value::Integer(5), Value::Real(1.5)]);
    let table = DecisionTable::new(vec![mixed], Attribute::from_integers("flu", [0, 1]), Weights::Unit).unwrap();
    table.write(&files.path("mixed.parquet"), Layout::Objects).unwrap();
    assert_eq!(values(&files.path("mixed.parquet")), [5.0, 1.5].map(Value::Real));
}

#[test]
fn a_subset_of_attributes_can_be_chosen() {
    let files = Files::decided_by("flu");
    let json = files.json("approx", FLU, &["--attributes", "headache,muscle_pain"]);
    assert_eq!(json["gamma_fraction"], json!([1, 6]));
    let error = files.refusal("approx", FLU, &["--attributes", "headache,cough"]);
    assert!(error.contains("no attribute column `cough`"), "{error}");
}

#[test]
fn long_lists_are_shortened_and_counted() {
    let files = Files::decided_by("flu");
    let rows: String = (0..200).map(|i| format!("{i},{}\n", i % 2)).collect();
    let table = files.write("long.csv", format!("a,flu\n{rows}"));
    let short = files.text("classes", &table, &[]);
    assert!(short.contains("… and 180 more classes (--all shows them)"), "{short}");
    assert_eq!(files.text("classes", &table, &["--all"]).lines().count(), 3 + 200);
}

#[test]
fn a_missing_decision_column_names_those_that_exist() {
    let files = Files::decided_by("flu");
    let table = files.write("cold.csv", FLU.replace("flu", "cold"));
    let error = files.refusal("approx", &table, &[]);
    for part in ["cold.csv", "no decision column `flu`", "`headache`, `muscle_pain`, `temperature`, `cold`"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let files = Files::decided_by("flu");
    let error = files.refusal("core", &files.path("nowhere.parquet"), &[]);
    assert!(error.contains("nowhere.parquet") && error.contains("cannot open it"), "{error}");
}

/// The table is not there, and that is not what is told.
#[test]
fn options_that_no_table_makes_right_are_refused_before_it_is_read() {
    let files = Files::decided_by("flu");
    let (table, out) = (files.path("nowhere.csv"), files.path("answer.txt"));
    let csv = ["--csv", "--out", out.to_str().unwrap()];
    let commands = ["info", "classes", "approx", "fuzzy", "dominance", "significance", "matrix", "core", "reduct"];
    for command in commands.into_iter().chain(["reducts", "rules", "classify"]) {
        let error = files.refusal(command, &table, &csv);
        assert!(error.contains("`--csv` needs a name for `--out` that ends in .csv"), "{command}: {error}");
    }
    let nowhere = table.to_str().unwrap();
    for command in ["predict", "verify"] {
        let error = roughboard(&[&["rough", command, nowhere, nowhere], &csv[..]].concat()).refusal();
        assert!(error.contains("`--csv` needs a name for `--out` that ends in .csv"), "{command}: {error}");
    }
    let cases: [(&str, &[&str], &str); 4] = [
        ("reduct", &["--minimum", "--time-limit", "0"], "`--time-limit` must be above 0, got 0"),
        ("reducts", &["--time-limit=-1"], "`--time-limit` must be above 0, got -1"),
        ("reducts", &["--dynamic", "--stability", "1.5"], "`--stability` must be in [0, 1], got 1.5"),
        ("reduct", &["--relation", "tolerance", "--method", "short"], "--method must be greedy or backward"),
    ];
    for (command, options, reason) in cases {
        let error = files.refusal(command, &table, options);
        assert!(error.contains(reason), "expected `{reason}`, got {error}");
    }
    assert!(!out.exists());
}

/// Before anything is read, as a pipe that nobody writes to has no end.
#[cfg(unix)]
#[test]
fn a_table_from_a_pipe_has_no_certificate() {
    let files = Files::decided_by("flu");
    let pipe = files.path("pipe.csv");
    make_pipe(&pipe);
    let error = files.refusal("reduct", &pipe, &["--certificate", files.path("c.json").to_str().unwrap()]);
    assert!(error.contains("a certificate needs a table in a file, got `"), "{error}");
}

#[test]
fn a_truncated_parquet_file_is_refused_at_every_length() {
    let files = Files::decided_by("flu");
    let whole = std::fs::read(files.merged_flu()).unwrap();
    for kept in [0, 3, 12, whole.len() / 2, whole.len() - 1] {
        let error = files.refusal("reduct", &files.write("cut.parquet", &whole[..kept]), &[]);
        assert!(error.contains("cut.parquet") && error.contains("not readable as Parquet"), "{error}");
    }
}

#[test]
fn bad_tables_are_refused_with_their_reason() {
    let files = Files::decided_by("flu");
    let cases = [
        ("", "the table has no rows"),
        ("a,flu\n", "the table has no rows"),
        ("flu\nyes\n", "the table has no condition attributes, only `flu`"),
        ("a,a,flu\n1,2,yes\n", "two columns are called `a`"),
        ("a,flu=yes,flu=no\n1,2,0\n2,1.5,0\n", "column `flu=yes`, row 2: expected a count"),
        ("a,flu=yes\n1,-2\n", "column `flu=yes`, row 1: expected a count from 0 to 4294967295, found `-2`"),
        ("a,flu\n1,no\n1,yes,3,4\n", "line 3 has 4 cells, expected 2 as in the header"),
        ("a,flu\n1,no\n\n1\n", "line 4 has 1 cell, expected 2"),
        ("\n\n", "not readable as CSV: it has no header"),
        ("a,flu\n\"1,no\n", "the quote opened in line 2 is never closed"),
        (
            "a,flu\n\"3\"4,no\n",
            "line 2: found text behind a closing quote, expected a separator or the end of the line",
        ),
        ("a,flu\n1,\"n\n\"\"o\"\n\"2\" ,\"no\"!\n", "line 4: found text behind a closing quote"),
        ("a,flu\n\"abc,p\nb,q\n", "the quote opened in line 2 is never closed"),
        ("a,flu\n1,no\n2,\"yes\n3,no\n", "the quote opened in line 3 is never closed"),
        ("a,flu\nr1,1,no\nr2,2,yes\n", "every row has one cell more than the header, as write.table of R writes"),
        ("a,flu\nr1,1,no\n2,yes\n", "line 2 has 3 cells, expected 2"),
        ("a,flu=no,flu=yes\n1,0,0\n2,0,0\n", "every row has a count of 0 in `flu=no`, `flu=yes`"),
    ];
    for (contents, reason) in cases {
        let error = files.refusal("approx", &files.write("bad.csv", contents), &[]);
        assert!(error.contains("bad.csv") && error.contains(reason), "expected `{reason}`, got {error}");
    }
    let error = files.refusal("approx", &files.write("bad.csv", b"a,flu\n1,\xff\n"), &[]);
    assert!(error.contains("bad.csv") && error.contains("not readable as CSV: line 2 is not UTF-8"), "{error}");
    let error = files.refusal("approx", &files.write("table.xls", "x"), &[]);
    assert!(error.contains(".zst, .xz) or .parquet or .pq, found `xls`"), "{error}");
}

/// All commands on decision tables, with limits no table needs where there are some.
const COMMANDS: [&[&str]; 7] = [
    &["classes"],
    &["approx"],
    &["core"],
    &["reduct"],
    &["reducts", "--limit", "18446744073709551615"],
    &["rules", "--limit", "18446744073709551615"],
    &["rules", "--from", "minimal", "--limit", "18446744073709551615"],
];

#[test]
fn every_command_refuses_what_is_no_table() {
    let files = Files::decided_by("flu");
    std::fs::create_dir(files.path("folder.csv")).unwrap();
    std::fs::create_dir(files.path("folder.parquet")).unwrap();
    let lists = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet/refused_list.parquet");
    let cases = [
        (files.write("empty.csv", ""), "the table has no rows"),
        (files.write("header.csv", "a,flu\n"), "the table has no rows"),
        (files.write("one.csv", "flu\nyes\n"), "the table has no condition attributes"),
        (files.path("folder.csv"), "it is a folder without a part file"),
        (files.path("folder.parquet"), "it is a folder without a part file"),
        (files.folder.path().to_owned(), "it is a folder with the folder `folder.csv` in it"),
        (lists, "column `inside` has type list, expected text, integers, reals, booleans, dates or times"),
    ];
    for ((path, reason), command) in cases.iter().flat_map(|case| COMMANDS.map(|command| (case, command))) {
        let error = files.refusal(command[0], path, &command[1..]);
        assert!(error.contains(reason) && error.contains(path.to_str().unwrap()), "{command:?}: {error}");
    }
}

#[test]
fn a_constant_decision_is_refused_where_it_is_asked_about() {
    let files = Files::decided_by("flu");
    let table = files.write("constant.csv", "a,b,flu\n1,2,yes\n2,2,yes\n1,3,yes\n");
    for command in COMMANDS.iter().filter(|command| command[0] != "classes") {
        let error = files.refusal(command[0], &table, &command[1..]);
        assert!(error.contains("constant.csv") && error.contains("`flu` is `yes` for every object"), "{error}");
    }
    for options in [&["--relation", "tolerance"][..], &["--epsilon", "0.1"]] {
        let error = files.refusal("reduct", &table, options);
        assert!(error.contains("`flu` is `yes` for every object"), "{error}");
    }
    assert_eq!(files.json("classes", &table, &[])["n_classes"], json!(3));
    let information = files.json("reducts", &table, &["--notion", "information"]);
    assert_eq!(information["reducts"], json!([["a", "b"]]));
}

/// The formats of the standard library take no width above 65535.
#[test]
fn a_name_may_be_wider_than_any_column() {
    let name = "d".repeat(70_000);
    let files = Files::new();
    let table = files.write("t.csv", format!("a,{name}\n1,2\n2,1\n"));
    let significance = ["rough", "significance", table.to_str().unwrap(), "--decision", &name];
    let text = roughboard(&significance).ended(0).stdout;
    assert!(text.contains(&format!("gini of {name}     0.5")), "{} characters", text.len());
}

#[test]
fn decisions_that_read_alike_stay_apart() {
    let files = Files::decided_by("flu");
    let json = files.json("approx", "a,flu,next\n1,\"x,y\",z\n1,x,\"y,z\"\n", &["--decision", "next"]);
    assert_eq!(json["gamma_fraction"], json!([0, 2]));
    assert_eq!(json["approximations"].as_object().unwrap().len(), 2);
}

#[test]
fn weights_that_are_all_0_are_refused() {
    let files = Files::decided_by("flu");
    let table = files.write("weighted.csv", "a,n,flu\n1,0,yes\n2,0,no\n");
    let error = files.refusal("approx", &table, &["--weight", "n"]);
    assert!(error.contains("weighted.csv") && error.contains("every row has a count of 0 in `n`"), "{error}");
}

#[test]
fn a_weight_column_counts() {
    let files = Files::decided_by("flu");
    let json = files.json("approx", "a;n;flu\n1;3;yes\n1;1;no\n2;5;no\n", &["--weight", "n"]);
    assert_eq!(json["gamma_fraction"], json!([5, 9]));
}

#[test]
fn files_keep_values_of_every_kind() {
    let files = Files::new();
    let csv = files.write(
        "kinds.csv",
        "text,whole,real,truth,gap,flu\nx,-3,0.5,true,1,no\ny,300,2,false,?,yes\nx,7,NA,true,,no\n",
    );
    let table = DecisionTable::read(&csv, &Roles::decided_by("flu")).unwrap();
    assert_eq!(table.attributes()[2].domain().last().unwrap().to_string(), "?");
    assert_eq!(table.attributes()[4].codes().to_vec(), [0, 1, 1]);
    for name in ["again.csv", "again.tsv", "again.parquet"] {
        table.write(&files.path(name), Layout::Objects).unwrap();
        assert_eq!(DecisionTable::read(&files.path(name), &Roles::decided_by("flu")).unwrap(), table, "{name}");
    }
    table.merged().unwrap().write(&files.path("merged.csv"), Layout::Merged).unwrap();
    let merged = DecisionTable::read(&files.path("merged.csv"), &Roles::decided_by("flu")).unwrap();
    assert_eq!(merged, table.merged().unwrap());
}

#[test]
fn more_attributes_than_128_have_all_reducts_and_a_minimum() {
    let files = Files::decided_by("flu");
    let names: Vec<String> = (0..140).map(|at| format!("a{at}")).collect();
    // Two attributes together decide, each copied once; all others are constant.
    let row = |i: usize| {
        let value = |at: usize| match at {
            3 | 133 => i % 2,
            70 | 139 => i / 2,
            _ => 0,
        };
        let cells: Vec<String> = (0..140).map(|at| value(at).to_string()).collect();
        format!("{},{}\n", cells.join(","), (i % 2) * (i / 2))
    };
    let table = format!("{},flu\n{}", names.join(","), (0..4).map(row).collect::<String>());
    let table = files.write("wide.csv", table);
    let all = files.json("reducts", &table, &[]);
    assert_eq!(all["reducts"], json!([["a3", "a70"], ["a3", "a139"], ["a70", "a133"], ["a133", "a139"]]));
    let minimum = files.json("reduct", &table, &["--minimum"]);
    assert_eq!((&minimum["size"], &minimum["minimum"]), (&json!(2), &json!(true)));
    let tolerant = files.json("reducts", &table, &["--relation", "tolerance"]);
    assert_eq!(tolerant["reducts"], all["reducts"]);
    assert_eq!(files.json("reduct", &table, &["--relation", "tolerance"])["size"], json!(2));
}

#[test]
fn a_concept_is_named_as_the_file_spells_it() {
    let files = Files::decided_by("flu");
    let table = files.write("flags.csv", "a,flu\n1,True\n2,False\n");
    for name in ["True", "true"] {
        let json = files.json("approx", &table, &["--concept", name]);
        assert_eq!(json["approximations"]["true"]["lower"], json!([1]), "{name}");
    }
}
