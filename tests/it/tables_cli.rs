//! Tables in files: what is read, what is chosen from it, and what is said of it.

use std::io::Write;

use roughboard::table::{Attribute, DecisionTable, Layout, Value, Weights};
use serde_json::{Value as Json, json};

use crate::command::{Files, Run, roughboard, roughboard_told};

const GAPS: &str = "id,a,b,d\n1,x,1,no\n2,?,2,yes\n3,y,,no\n4,x,1,yes\n5,y,2,\n";

impl Files {
    /// Two numbers and a text with the decision `d`, as Parquet.
    fn parquet(&self) -> String {
        let numbers = Attribute::from_integers("n", [-1, 5, -1, 7]);
        let texts = Attribute::from_values("t", &["x", "none", "y", "x"].map(Value::text));
        let decision = Attribute::from_integers("d", [0, 0, 1, 1]);
        let table = DecisionTable::new(vec![numbers, texts], decision, Weights::Unit).unwrap();
        table.write(&self.path("table.parquet"), Layout::Objects).unwrap();
        self.argument("table.parquet")
    }
}

/// `rough COMMAND TABLE --decision d OPTIONS…`.
fn rough(command: &str, table: &str, options: &[&str]) -> Run {
    roughboard(&[&["rough", command, table, "--decision", "d"], options].concat())
}

/// What `rough info` says of a table with the decision `d`.
fn info(table: &str, options: &[&str]) -> Json {
    rough("info", table, &[options, &["--json"]].concat()).ended(0).json()
}

/// What `rough info` says of the columns of a file.
fn columns(table: &str, options: &[&str]) -> Json {
    roughboard(&[&["rough", "info", table, "--json"], options].concat()).ended(0).json()
}

/// The kinds of the columns of a file.
fn kinds(table: &str, options: &[&str]) -> Vec<String> {
    let columns = columns(table, options);
    let kind = |column: &Json| column["kind"].as_str().unwrap().to_owned();
    columns["attributes"].as_array().unwrap().iter().map(kind).collect()
}

#[test]
fn info_describes_columns_without_a_decision() {
    let files = Files::new();
    let table = files.file("gaps.csv", GAPS);
    let json = columns(&table, &[]);
    assert_eq!(json["rows"], json!(5));
    let b = json!({ "name": "b", "kind": "integer", "values": 2, "missing": 1, "codes": "u8", "domain": "1 … 2" });
    assert_eq!(json["attributes"][2], b);
    let text = roughboard(&["rough", "info", &table]).ended(0).stdout;
    assert!(text.starts_with("5 rows, 4 columns"), "{text}");
    assert!(
        text.lines().any(|line| line.split_whitespace().eq(["b", "integer", "2", "1", "u8", "1", "…", "2"])),
        "{text}"
    );
}

#[test]
fn info_describes_a_decision_table() {
    let files = Files::new();
    let table = files.file("w.csv", "a,w,d\nx,2,yes\nx,3,yes\nx,1,no\ny,4,no\n");
    let json = info(&table, &["--weight", "w"]);
    assert_eq!(json["decision"]["missing"], json!(0));
    let figures = ["rows", "objects", "n_attributes", "distinct_rows", "classes"].map(|key| json[key].clone());
    assert_eq!(figures, [4, 10, 1, 3, 2].map(|figure| json!(figure)));
    assert_eq!((&json["gamma_fraction"], &json["consistent"]), (&json!([4, 10]), &json!(false)));
    assert_eq!(json["decision"]["weights"], json!({ "no": 5, "yes": 5 }));
    let text = rough("info", &table, &["--weight", "w"]).ended(0).stdout;
    assert!(text.starts_with("4 rows, 10 objects, 1 attribute, 3 distinct rows, 2 classes\n"), "{text}");
    assert!(text.contains("inconsistent: gamma 4/10 = 0.400000"), "{text}");
    roughboard(&["rough", "info", &table, "--weight", "w"]).ended(2);
    roughboard(&["table", "info", &table]).ended(2);
    let weightless = files.file("0.csv", "a,w,d\nx,2,yes\nx,0,no\ny,4,no\nz,1,\n");
    let told = rough("info", &weightless, &["--weight", "w"]).ended(0).stderr;
    assert_eq!(told, "note: 1 of 4 rows weigh 0 and are left out\n");
}

#[test]
fn objects_with_missing_values_are_dropped_by_choice_and_counted() {
    let files = Files::new();
    let table = files.file("gaps.csv", GAPS);
    let drop = ["--missing", "drop", "--ignore", "id"];
    let json = info(&table, &drop);
    assert_eq!((&json["rows"], &json["objects"], &json["classes"]), (&json!(5), &json!(2), &json!(1)));
    assert_eq!(json["dropped"], json!({ "rows": 3, "weight": 3 }));
    assert_eq!(json["decision"]["weights"], json!({ "no": 1, "yes": 1 }));
    assert_eq!(json["attributes"][0]["values"], json!(1), "only values that remain");
    let run = rough("classes", &table, &[&drop[..], &["--json"]].concat()).ended(0);
    assert_eq!(run.stderr, "note: 3 of 5 rows have missing values and are left out: 5 read = 2 kept + 3 dropped\n");
    assert_eq!(run.json()["n_classes"], json!(1));
    // What is not in use may be missing.
    let only_b = info(&table, &["--missing", "drop", "--attributes", "b"]);
    assert_eq!(only_b["dropped"]["rows"], json!(2));
    // By default a missing value of a condition is a value, and a missing decision is none.
    let kept = rough("classes", &table, &["--ignore", "id", "--json"]).ended(0);
    let note = "note: 1 of 5 rows have no decision and are left out: 5 read = 4 kept + 1 dropped\n";
    assert_eq!((kept.stderr.as_str(), &kept.json()["n_classes"]), (note, &json!(3)));
    let weighted = files.file("weighted.csv", "a,w,d\n1,5,0\n?,2,1\n2,3,1\n");
    let run = rough("approx", &weighted, &["--missing", "drop", "--weight", "w"]).ended(0);
    let note = "note: 1 of 3 rows (weight 2 of 10) have missing values and are left out: 3 read = 2 kept + 1 dropped\n";
    assert_eq!(run.stderr, note);
}

#[test]
fn a_table_without_complete_objects_is_refused() {
    let files = Files::new();
    let table = files.file("none.csv", "a,b,d\n1,?,x\n?,1,y\n?,2,x\n");
    for command in ["info", "classes", "approx", "core", "reduct", "reducts", "rules"] {
        let error = rough(command, &table, &["--missing", "drop"]).refusal();
        assert!(error.contains("every object has a missing value; `a` has most of them, in 2 of 3 objects"), "{error}");
        assert!(error.contains("none.csv"), "{error}");
    }
}

#[test]
fn an_attribute_without_any_value_is_refused_and_can_be_ignored() {
    let files = Files::new();
    let table = files.file("empty_column.csv", "a,b,d\n1,,x\n2,?,y\n");
    for options in [&[][..], &["--missing", "drop"]] {
        let error = rough("core", &table, options).refusal();
        assert!(error.contains("attribute `b` has no value in any object; leave it out with --ignore"), "{error}");
    }
    rough("core", &table, &["--ignore", "b"]).ended(0);
    rough("core", &table, &["--attributes", "a", "--missing", "drop"]).ended(0);
    assert_eq!(info(&table, &[])["attributes"][1]["kind"], json!("missing"));
}

#[test]
fn attributes_can_be_ignored() {
    let files = Files::new();
    let table = files.file("gaps.csv", GAPS);
    assert_eq!(info(&table, &["--ignore", "id,b"])["n_attributes"], json!(1));
    let error = rough("core", &table, &["--ignore", "id,c"]).refusal();
    assert!(error.contains("no attribute column `c`; its columns are `id`, `a`, `b`"), "{error}");
    let error = rough("core", &table, &["--ignore", "id,a,b"]).refusal();
    assert!(error.contains("no condition attributes"), "{error}");
    rough("core", &table, &["--ignore", "id", "--attributes", "a"]).ended(2);
    for command in ["info", "core"] {
        for options in [["--ignore", "d"], ["--attributes", "a,d"]] {
            let error = rough(command, &table, &options).refusal();
            assert!(error.contains("got `d`, which is the decision or the weight"), "{error}");
        }
    }
    // A part of the decision, and a column of its counts, are known where the columns are.
    let parts = files.file("parts.csv", "a,d,e,d=1\n1,x,1,3\n2,y,2,4\n");
    let counts = files.file("counts.csv", "a,d=0,d=1\n1,2,0\n2,1,3\n");
    for (table, decision, ignored) in [(&parts, "d,e", "d"), (&parts, "d,e", "d,e"), (&counts, "d", "d=1")] {
        let core = ["rough", "core", table, "--decision", decision, "--ignore", ignored];
        let error = roughboard(&core).refusal();
        assert!(error.contains(&format!("got `{ignored}`, which is the decision or the weight")), "{error}");
    }
    rough("core", &parts, &["--ignore", "d=1"]).ended(0);
}

#[test]
fn other_texts_can_mean_missing() {
    let files = Files::new();
    let table = files.file("spelled.csv", "a,b,d\n1,-1,x\nunknown,3,y\n2,-,x\n");
    assert_eq!(kinds(&table, &[]), ["text", "text", "text"]);
    let json = columns(&table, &["--na", "unknown,-,-1"]);
    let (a, b) = (&json["attributes"][0], &json["attributes"][1]);
    assert_eq!(
        (&a["kind"], &a["missing"], &b["kind"], &b["missing"]),
        (&json!("integer"), &json!(1), &json!("integer"), &json!(2))
    );
    let json = columns(&files.parquet(), &["--na", "-1,none"]);
    assert_eq!((&json["attributes"][0]["missing"], &json["attributes"][1]["missing"]), (&json!(2), &json!(1)));
}

#[test]
fn the_separator_can_be_chosen() {
    let files = Files::new();
    for (name, separator) in [("pipe", '|'), ("space", ' '), ("semicolon", ';'), ("tab", '\t'), (":", ':')] {
        let table = files.file("s.csv", "a,b,d\n1,x,0\n2,y,1\n".replace(',', &separator.to_string()));
        assert_eq!(kinds(&table, &["--separator", name]), ["integer", "text", "integer"], "{name}");
    }
    let commas_inside = files.file("c.csv", "a,1,2|d\n1|0\n");
    assert_eq!(kinds(&commas_inside, &["--separator", "|"]).len(), 2);
    for bad in ["", "ab", "\"", "é"] {
        let error = roughboard(&["rough", "info", &commas_inside, "--separator", bad]).ended(2).stderr;
        assert!(error.contains("one ASCII character"), "{error}");
    }
    let error = roughboard(&["rough", "info", &files.parquet(), "--separator", "tab"]).refusal();
    assert!(error.contains("a Parquet file has no separator"), "{error}");
}

#[test]
fn csv_may_quote_separators_and_line_ends() {
    let files = Files::new();
    let table = files.file("q.csv", "\"a, with \"\"quotes\"\"\",\"two\nlines\",d\n\"x,y\",\"1\n2\",0\n\"x\",\"1\",1\n");
    let json = columns(&table, &[]);
    assert_eq!(json["attributes"][0]["name"], json!("a, with \"quotes\""));
    assert_eq!((&json["attributes"][1]["name"], &json["rows"]), (&json!("two\nlines"), &json!(2)));
    let classes = rough("classes", &table, &["--attributes", "two\nlines", "--json"]).ended(0).json();
    assert_eq!(classes["n_classes"], json!(2));
    let separated = files.file("h.csv", "\"a,b,c\";d\n1;0\n2;1\n");
    assert_eq!(columns(&separated, &[])["attributes"][0]["name"], json!("a,b,c"));
}

#[test]
fn csv_may_come_from_any_system() {
    let files = Files::new();
    let expected = columns(&files.file("plain.csv", "größe,名前,d\n1,ä,0\n2,ß,1\n"), &[]);
    assert_eq!(expected["attributes"][1]["name"], json!("名前"));
    for text in [
        "größe,名前,d\r\n1,ä,0\r\n2,ß,1\r\n",
        "\u{feff}größe,名前,d\n1,ä,0\n2,ß,1",
        "\u{feff}größe,名前,d\r\n1,ä,0\r\n2,ß,1",
        "größe;名前;d\r1;ä;0\r2;ß;1\r",
        "\ngröße,名前,d\n\n1,ä,0\n\r\n2,ß,1\n\n\n",
    ] {
        let found = columns(&files.file("other.csv", text), &[]);
        assert_eq!((&found["rows"], &found["attributes"]), (&expected["rows"], &expected["attributes"]), "{text:?}");
    }
    let table = files.file("other.csv", "\u{feff}größe,d\r\n1,0\r\n2,1\r\n");
    rough("core", &table, &["--attributes", "größe"]).ended(0);
}

#[test]
fn the_kind_of_a_column_is_that_of_all_its_cells() {
    let files = Files::new();
    let table = files.file(
        "k.csv",
        "whole,huge,mixed,real,flag,text,d\n-7,99999999999999999999,1.5,1,True,1.50,0\n9,99999999999999999998,x,2.5,false,1.5,1\n",
    );
    assert_eq!(kinds(&table, &[]), ["integer", "text", "text", "real", "boolean", "real", "integer"]);
    // Two whole numbers beyond 64 bits stay apart, two spellings of one real do not.
    let values = |at: usize| columns(&table, &[])["attributes"][at]["values"].clone();
    assert_eq!((values(1), values(5)), (json!(2), json!(1)));
}

#[test]
fn objects_without_a_decision_are_left_out_and_counted() {
    let files = Files::new();
    let table = files.file("m.csv", "a,d\n1,yes\n2,\n3,no\n");
    for options in [&[][..], &["--missing", "drop"]] {
        let json = info(&table, options);
        assert_eq!(json["decision"]["weights"], json!({ "no": 1, "yes": 1 }), "{options:?}");
        assert_eq!(json["dropped"], json!({ "rows": 1, "weight": 1 }), "{options:?}");
        assert_eq!(json["decision"]["missing"], json!(1), "{options:?}");
    }
    let text = rough("info", &table, &[]).ended(0).stdout;
    assert!(text.contains("1 of 3 rows have no decision and are left out: 3 read = 2 kept + 1 dropped"), "{text}");
    // One part of a decision of several that is missing.
    let parts = files.file("parts.csv", "a,d,e\n1,yes,1\n2,no,\n3,no,2\n");
    assert_eq!(info(&parts, &["--decision", "e"])["decision"]["weights"], json!({ "yes,1": 1, "no,2": 1 }));
    // Counts of no decision.
    let counts = files.file("counts.csv", "a,d=0,d=?\n1,2,1\n2,1,0\n");
    let json = info(&counts, &[]);
    assert_eq!((&json["objects"], &json["dropped"]), (&json!(3), &json!({ "rows": 0, "weight": 1 })));
    let partly =
        "objects of weight 1 of 4 have no decision and are left out; their rows have counts of other decisions";
    assert!(rough("info", &counts, &[]).ended(0).stdout.contains(partly));
    // A row whose counts are all 0 is told beside them.
    let weightless = files.file("weightless.csv", "a,d=0,d=1,d=?\n1,2,0,1\n2,0,1,0\n3,0,0,0\n");
    let notes = rough("core", &weightless, &[]).ended(0).stderr;
    for note in [partly, "1 of 3 rows weigh 0 and are left out"] {
        assert!(notes.contains(&format!("note: {note}\n")), "{notes}");
    }
    let none = files.file("none.csv", "a,d\n1,\n2,NA\n");
    let error = rough("approx", &none, &[]).refusal();
    assert!(error.contains("no object has a decision: `d` is missing in each of 2 objects"), "{error}");
}

#[test]
fn the_usual_spellings_of_a_missing_value_are_missing() {
    let files = Files::new();
    let usual = ["", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A", "\\N"];
    let rows: String = usual.iter().map(|cell| format!("{cell},{cell},0\n")).collect();
    let table = files.file("usual.csv", format!("a,t,d\n1,x,0\n{rows}"));
    let run = roughboard(&["rough", "info", &table, "--json"]).ended(0);
    let of =
        |json: &Json, at: usize| (json["attributes"][at]["kind"].clone(), json["attributes"][at]["missing"].clone());
    assert_eq!(of(&run.json(), 0), (json!("integer"), json!(usual.len())));
    assert_eq!(of(&run.json(), 1), (json!("text"), json!(usual.len())));
    // A word that may be a value is told where it stands among words, and can be one.
    let note = "note: column `t` has missing values because of `null`, line 10; --text t reads it as a word\n";
    assert_eq!(run.stderr, note);
    // Where it is a value, an attribute with a single other one is told of.
    let single = "note: a missing value is a value of its own, and there is only one other in `a` `t`: \
        try --ignore a,t, or --missing drop\n";
    let core = |missing: &str| {
        let constant = files.file("halves.csv", "a,t,b,d\n1,x,0,0\n?,?,1,1\n1,?,0,1\n");
        roughboard(&["rough", "core", &constant, "--decision", "d", "--missing", missing]).ended(0).stderr
    };
    assert_eq!([core("value"), core("tolerance")], [single, ""]);
    assert_eq!(of(&columns(&table, &["--text", "t"]), 1), (json!("text"), json!(2)));
    assert_eq!(of(&columns(&table, &["--text", "t", "--na", "null,NULL"]), 1), (json!("text"), json!(4)));
}

#[test]
fn spellings_of_a_missing_value_among_words_are_told_of_the_decision() {
    let files = Files::new();
    let table = files.file("lands.csv", "a,land,d\n1,NA,NA\n2,DE,DE\n3,NA,N/A\n4,FR,NA\n5,FR,FR\n");
    let told = |options: &[&str]| rough("classes", &table, options).ended(0).stderr;
    let note = "note: column `d` has missing values because of `NA`, `N/A`, first line 2; --text d reads them as words\n\
        note: 3 of 5 rows have no decision and are left out: 5 read = 2 kept + 3 dropped\n";
    assert_eq!(told(&[]), note, "a condition in which `NA` stands for a missing value is no news");
    assert_eq!(told(&["--text", "d"]), "");
    assert_eq!(info(&table, &["--text", "d"])["decision"]["weights"], json!({ "DE": 1, "FR": 1, "N/A": 1, "NA": 2 }));
    let of_land = roughboard(&["rough", "classes", &table, "--decision", "land", "--ignore", "d"]).ended(0).stderr;
    assert!(of_land.starts_with(
        "note: column `land` has missing values because of `NA`, line 2; --text land reads it as a word\n"
    ));
    assert_eq!(roughboard(&["rough", "info", &table]).ended(0).stderr, "");
    assert_eq!(info(&table, &[])["notes"].as_array().unwrap().len(), 1);
    // Among numbers, and where it is listed as missing, it can be nothing else.
    let numbers = files.file("numbers.csv", "a,d\n1,NA\n2,7\n3,8\n");
    assert!(!rough("classes", &numbers, &[]).ended(0).stderr.contains("because of"));
    assert!(!told(&["--na", "NA,N/A"]).contains("because of"));
}

#[test]
fn columns_that_have_no_part_are_not_read() {
    let files = Files::new();
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet");
    let nested = data.join("nested.parquet").to_str().unwrap().to_owned();
    for command in ["info", "classes", "reduct", "discretize"] {
        let method: &[&str] = if command == "discretize" { &["--method", "mdlp"] } else { &[] };
        rough(command, &nested, &[&["--attributes", "x"], method].concat()).ended(0);
    }
    let error = rough("core", &nested, &[]).refusal();
    assert!(error.contains("columns have other types: `l` (list), `s` (struct)"), "{error}");
    assert!(error.ends_with("; leave them out with --ignore l,s\n"), "{error}");
    rough("core", &nested, &["--ignore", "l,s"]).ended(0);
    let error = rough("core", &nested, &["--ignore", "l"]).refusal();
    assert!(error.ends_with("column `s` has type struct, expected text, integers, reals, booleans, dates or times; leave it out with --ignore l,s\n"), "{error}");
    let error = rough("core", &nested, &["--attributes", "x,l"]).refusal();
    assert!(error.contains("column `l` has type list") && !error.contains("--ignore"), "{error}");
    let error = rough("core", &nested, &["--attributes", "y"]).refusal();
    assert!(error.contains("no attribute column `y`; its columns are `l`, `x`, `s`, `d`"), "{error}");
    let error = roughboard(&["rough", "core", &nested, "--attributes", "x", "--decision", "e"]).refusal();
    assert!(error.contains("no decision column `e`; its columns are `l`, `x`, `s`, `d`"), "{error}");
    // Counts of the decision and its parts are read with it.
    let counts = files.file("counts.csv", "a,b,d=0,d=1\n1,1,2,0\n2,1,0,3\n");
    assert_eq!(info(&counts, &["--attributes", "a"])["objects"], json!(5));
    let parts = files.file("parts.csv", "a,b,d,e,w\n1,1,0,0,2\n2,1,0,1,3\n");
    let of = ["rough", "info", &parts, "--decision", "d,e", "--attributes", "a", "--weight", "w", "--json"];
    let json = roughboard(&of).ended(0).json();
    assert_eq!(
        (&json["objects"], &json["n_attributes"], &json["decision"]["values"]),
        (&json!(5), &json!(1), &json!(2))
    );
}

#[test]
fn cells_of_any_width_are_shown() {
    let files = Files::new();
    let wide = "x".repeat(70_000);
    let table = files.file("wide.csv", format!("{wide},d\n{wide},yes\ny,no\n"));
    for command in ["info", "classes", "approx", "significance", "core", "reducts", "rules"] {
        rough(command, &table, &["--all"]).ended(0);
    }
    let rows: String = (0..20_000).map(|row| format!("{},{}\n", row % 3, ["a", "b"][row / 7 % 2])).collect();
    let many = files.file("many.csv", format!("x,d\n{rows}"));
    let text = rough("approx", &many, &["--all"]).ended(0).stdout;
    let header = text.lines().find(|line| line.starts_with("d ")).unwrap();
    assert!(header.len() < 200, "lists of objects do not make the columns wide: {}", header.len());
}

#[test]
fn numbers_of_r_may_be_infinite() {
    let files = Files::new();
    let table = files.file("inf.csv", "x,y,d\n1.5,inf,0\nInf,2,1\n-Inf,-inf,0\nNA,1,1\n");
    assert_eq!(kinds(&table, &[]), ["real", "real", "integer"]);
    assert_eq!(columns(&table, &["--na", "inf"])["attributes"][0]["missing"], json!(2));
}

/// What `rough info` says on standard error of a table with this content.
fn notes(text: &str, options: &[&str]) -> String {
    let files = Files::new();
    let table = files.file("t.csv", text);
    let run = roughboard(&[&["rough", "info", &table, "--json"], options].concat()).ended(0);
    let listed = run.json()["notes"].as_array().unwrap().clone();
    let told: String = listed.iter().map(|note| format!("note: {}\n", note.as_str().unwrap())).collect();
    assert_eq!(run.stderr, told);
    told
}

#[test]
fn a_column_of_numbers_that_is_text_says_why() {
    let cases = [
        ("a;d\n7;0\n11,1;1\n", "because of `11,1`, line 3: it has a decimal comma; --decimal comma reads numbers"),
        ("a,d\n5,0\n\n007,1\n", "because of `007`, line 4: a number would lose its leading zeros; --number a reads"),
        ("a,d\n0.5,0\n1e309,1\n", "because of `1e309`, line 3: it is too large for a number of 64 bits"),
        ("a,d\n99999999999999999999,0\n1,1\n", "because of `99999999999999999999`, line 2: it is too large"),
        ("a,d\n1,0\n2,0\n5more,1\n", "because of `5more`, line 4: it is not a number, as most of the other values are"),
    ];
    for (text, expected) in cases {
        let told = notes(text, &[]);
        assert!(told.contains(&format!("note: column `a` is text {expected}")), "{told}");
        // What was asked for needs no note.
        assert!(!notes(text, &["--text", "a"]).contains("is text"));
    }
    assert_eq!(notes("a,b,d\n1,x,0\n2,y,1\n", &[]), "");
    assert_eq!(notes("a,d\nx,0\n2,1\n", &[]), "", "as many words as numbers");
    let files = Files::new();
    let table = files.file("t.csv", "a,zip,d\n1,007,0\n2,7,1\n");
    for (options, n_notes) in [(&[][..], 1), (&["--attributes", "a"], 0), (&["--ignore", "zip"], 0)] {
        let run = rough("classes", &table, options).ended(0);
        assert_eq!(run.stderr.lines().count(), n_notes, "{options:?}: {}", run.stderr);
    }
}

#[test]
fn a_mark_before_three_digits_may_separate_thousands() {
    let thousands = "pop,d\n\"1,200\",a\n\"2,300\",b\n999,b\n";
    let told = notes(thousands, &[]);
    assert!(told.contains("`1,200`, line 2: its comma is a decimal mark or separates thousands"), "{told}");
    let told = notes(thousands, &["--decimal", "comma"]);
    assert!(told.contains("the comma of `1,200`, line 2, is read as a decimal mark in column `pop`"), "{told}");
    assert!(!notes("pop,d\n\"0,200\",a\n\"2,3\",b\n", &["--decimal", "comma"]).contains("thousands"));
    let german = "pop;d\n1.200;a\n2.300;b\n999,5;b\n";
    let told = notes(german, &["--decimal", "comma"]);
    assert!(told.contains("`1.200`, line 2: its point seems to separate thousands; remove it from the file"), "{told}");
    let told = notes(german, &["--decimal", "point"]);
    assert!(told.contains("`999,5`, line 4: neither with a decimal comma nor with a point all cells"), "{told}");
}

#[test]
fn what_keeps_numbers_and_booleans_from_being_read_is_named() {
    for (text, expected) in [
        ("x,d\n1.0 ,a\n 2.0,b\n3.0,a\n", "`x` is text because of `1.0 `, line 2: it has a blank; remove it"),
        ("x,d\n\"1,200,000\",a\n999,b\n", "its comma seems to separate thousands"),
        ("x,d\n10%,a\n9%,b\n", "`10%`, line 2: it has a percent sign"),
        ("x,d\n$5,a\n$10,b\n", "it has a currency sign"),
        ("x,d\n1\u{a0}200,a\n2\u{a0}300,b\n", "it has a no-break blank"),
        ("x,d\n\u{2212}1,a\n1,b\n", "it has the minus sign U+2212"),
        ("x,d\nTRUE,a\nT,b\n1,a\n0,b\n", "because of `T`, line 3: it is not a boolean"),
    ] {
        let told = notes(text, &[]);
        assert!(told.contains(expected), "{text:?}: {told}");
    }
    for text in ["x,d\nT,a\nF,b\n", "x,d\na b,a\nc d,b\n", "x,d\n192.168.1.1,a\n10.0.0.2,b\n"] {
        assert_eq!(notes(text, &[]), "", "{text:?}");
    }
}

#[test]
fn texts_that_differ_only_by_blanks_are_told() {
    let told = notes("x,d\n1,yes\n1,yes \n2,no\n2, no\n", &[]);
    assert_eq!(told, "note: column `d`: `yes `, line 3, differs from `yes` only by blanks\n");
    assert_eq!(notes("x,d\n1, yes\n2, no\n", &[]), "");
    let all = notes("x,d\n1, yes\n1,yes \n2, no\n", &[]);
    assert_eq!(
        all, "note: column `d`: `yes `, line 3, differs from ` yes` only by blanks\n",
        "no text is without blanks"
    );
}

#[test]
fn what_spreadsheets_add_and_joined_files_are_told() {
    let separated = "note: the cells are separated by `|`, as in the first row\n";
    assert_eq!(notes("sep=|\r\na|d\r\n1|x\r\n2|y\r\n", &[]), separated);
    let nameless = "note: 2 columns with neither names nor values are left out\n";
    assert_eq!(notes("a,b,d,,\n1,2,x,,\n3,4,y,,\n", &[]), nameless);
    let again = "note: line 4 is the header again: were files joined?\n";
    assert!(notes("a,d\n1,x\n2,y\na,d\n3,x\n", &[]).starts_with(again));
    let files = Files::new();
    let error = roughboard(&["rough", "info", &files.file("book.csv", "PK\x03\x04rest")]).refusal();
    assert!(error.contains("it is a workbook or another archive of ZIP"), "{error}");
}

#[test]
fn single_precision_is_spelled_as_in_csv_and_parquet_may_have_no_rows() {
    let path = |name: &str| format!("{}/tests/data/parquet/{name}.parquet", env!("CARGO_MANIFEST_DIR"));
    let text = roughboard(&["rough", "info", &path("single")]).ended(0).stdout;
    assert!(text.contains("-0.3") && text.contains("0.1") && !text.contains("0.10000"), "{text}");
    assert_eq!(columns(&path("without_rows"), &[])["rows"], json!(0));
    let error = rough("info", &path("without_rows"), &[]).refusal();
    assert!(error.contains("the table has no rows"), "{error}");
}

#[test]
fn a_reduct_is_the_shortest_of_quick_methods_unless_one_is_chosen() {
    let iris = format!("{}/tests/data/iris.csv", env!("CARGO_MANIFEST_DIR"));
    let reduct = |options: &[&str]| {
        let run = roughboard(&[&["rough", "reduct", &iris, "--decision", "species", "--json"], options].concat());
        run.ended(0).json()
    };
    let sizes = reduct(&[])["size_by_method"].clone();
    let listed: Vec<&String> = sizes.as_object().unwrap().keys().collect();
    assert_eq!(listed, ["backward", "greedy", "short"]);
    let least = sizes.as_object().unwrap().values().filter_map(Json::as_u64).min();
    assert_eq!(reduct(&[])["size"].as_u64(), least);
    assert_eq!(reduct(&["--method", "greedy"])["size_by_method"], json!({ "greedy": sizes["greedy"] }));
}

#[test]
fn names_that_are_numbers_and_names_of_indices_are_told() {
    let note = "note: names of columns are numbers: is there a header? --no-header calls columns c1, c2, …\n";
    assert_eq!(notes("5.1,3.5,a\n4.9,3.0,b\n6.1,3.0,b\n", &[]), note);
    assert_eq!(notes("2019,2020,d\n1,2,a\n", &[]), "", "years are names");
    let mixed = "59,30.7,m,low,yes,no,a\n60,28.1,f,low,no,no,b\n59,30.7,f,high,no,yes,b\n";
    assert_eq!(notes(mixed, &[]), note, "nobody calls a column 30.7");
    let files = Files::new();
    let error = roughboard(&["rough", "info", &files.file("t.csv", "1,1,a\n2,2,b\n")]).refusal();
    let twice = "two columns are called `1`: is there a header? --no-header reads CSV without a header";
    assert!(error.contains(twice), "{error}");
    for (name, ignored) in [("", "''"), ("Unnamed: 0", "'Unnamed: 0'"), ("__index_level_0__", "__index_level_0__")] {
        let told = notes(&format!("{name},d\n1,a\n1,b\n"), &[]);
        let note = format!("note: `{name}` is named like the index of a data frame: try --ignore {ignored}\n");
        assert_eq!(told, note);
        assert_eq!(notes(&format!("{name},d\n1,a\n1,b\n"), &["--ignore", name]), "");
    }
}

#[test]
fn whole_numbers_that_measure_something_are_told() {
    let table = |age: fn(u32) -> u32| {
        let rows: String = (0..100).map(|i| format!("{},{}\n", age(i), i % 2)).collect();
        format!("age,d\n{rows}")
    };
    let told = notes(&table(|i| i * 7 % 50), &[]);
    assert!(told.contains("each of `age` has more than 20: cut them into intervals"), "{told}");
    assert_eq!(notes(&table(|i| i * 7 % 9), &[]), "", "nine grades are values");
}

#[test]
fn info_tells_of_identifiers_and_of_real_numbers() {
    let rows: String = (0..30).map(|i| format!("{i},{}.5,{}\n", i, i % 2)).collect();
    let table = format!("id,x,d\n{rows}");
    for options in [&[][..], &["--decision", "d"]] {
        let told = notes(&table, options);
        assert!(told.contains("nearly every object has its own value of `id`"), "{told}");
        assert!(told.contains("each of `x` has more than 20: cut them into intervals"), "{told}");
    }
}

#[test]
fn texts_for_missing_values_may_be_numbers_and_those_that_never_occur_are_told() {
    let files = Files::new();
    let table = files.file("na.csv", "x,d\n-999.0,a\n-999,a\n3.5,b\nnone,b\n");
    assert_eq!(columns(&table, &["--na=-999, none"])["attributes"][0]["missing"], json!(3));
    let told = |table: &str| roughboard(&["rough", "info", table, "--na", "-7777,none"]).ended(0).stderr;
    let note = "note: no cell that is read is `-7777`, which was to mean a missing value\n";
    assert_eq!((told(&table).as_str(), told(&files.parquet()).as_str()), (note, note));
}

#[test]
fn columns_named_like_counts_beside_the_decision_are_told() {
    let files = Files::new();
    let table = files.file("cnt.csv", "a,d=1,d=2,d\n1,3,0,x\n2,0,4,y\n");
    for command in ["info", "core"] {
        let told = rough(command, &table, &[]).ended(0).stderr;
        assert!(told.contains("named like counts of it, are conditions: try --ignore d=1,d=2"), "{told}");
        assert_eq!(rough(command, &table, &["--ignore", "d=1,d=2"]).ended(0).stderr, "");
    }
}

#[test]
fn a_decision_named_like_one_of_several_counts_is_told() {
    let files = Files::new();
    let table = files.file("counts.csv", "a,d=1,d=2\n1,3,0\n2,0,4\n1,0,4\n");
    for command in ["info", "reduct"] {
        let told = roughboard(&["rough", command, &table, "--decision", "d=1"]).ended(0).stderr;
        let note = "`d=1` is named like a count of `d`, and so are the conditions `d=2`: try --decision d\n";
        assert!(told.contains(note), "{told}");
        assert_eq!(rough(command, &table, &[]).ended(0).stderr, "");
    }
}

#[test]
fn a_decision_of_many_numbers_is_told() {
    let files = Files::new();
    let rows = |end: &str| (0..60).map(|i| format!("{},{i}{end}\n", i % 3)).collect::<String>();
    for (kind, end) in [("real", ".5"), ("integer", "")] {
        let table = files.file("measured.csv", format!("a,d\n{}", rows(end)));
        let note = format!("note: the decision `d` is {kind}, with 60 values for 60 objects: cut it into intervals");
        for command in ["info", "core", "reduct", "rules", "approx"] {
            let told = rough(command, &table, &[]).ended(0).stderr;
            assert!(told.starts_with(&note) && told.lines().count() == 1, "{command}: {told}");
        }
        let other = ["rough", "discretize", &table, "--decision", "a", "--method", "width", "--bins", "3"];
        assert_eq!(roughboard(&[&other[..], &["--only", "d"]].concat()).ended(0).stderr, "");
    }
}

#[test]
fn whole_numbers_that_become_one_real_number_are_told() {
    let told = notes("v,d\n9007199254740993,a\n9007199254740992,b\n0.5,a\n", &[]);
    let note = "note: column `v`: `9007199254740992`, line 3, and `9007199254740993` are one real number of 64 bits";
    assert_eq!(told, format!("{note}; --text v keeps them apart\n"));
    assert_eq!(notes("v,d\n9007199254740992,a\n9007199254740996,b\n0.5,a\n", &[]), "");
    assert_eq!(notes("v,d\n9007199254740992,a\n9007199254740992.0,b\n0.5,a\n", &[]), "");
    let told = notes("v,d\n9007199254740993.0,a\n9007199254740992.00,b\n0.5,a\n", &[]);
    assert!(told.contains("`9007199254740992.00`, line 3, and `9007199254740993.0` are one"), "{told}");
}

#[test]
fn cut_points_of_another_unit_are_told() {
    let files = Files::new();
    let table = files.file("mm.csv", "x,y,d\n12,1,a\n34,3,b\n");
    let cuts = files.file("cuts.json", "{\"x\": [1.5, 3.0], \"y\": [2.0]}");
    let run = rough("discretize", &table, &["--cuts", &cuts]).ended(0);
    assert_eq!(run.stderr, "note: all values lie outside the cut points of `x`: is the unit the same?\n");
}

#[test]
fn names_with_commas_may_be_listed() {
    let files = Files::new();
    let table = files.file("cm.csv", "\"size, cm\",col,d\n5,x,p\n6,y,q\n5,x,p\n");
    let reduct = |list: &str| rough("reduct", &table, &["--attributes", list, "--json"]).ended(0).json();
    assert_eq!(reduct("size, cm")["reduct"], json!(["size, cm"]));
    assert_eq!(reduct("col,size, cm")["n_attributes"], json!(2));
    assert_eq!(kinds(&table, &["--ignore", "size, cm"]), ["text", "text"]);
    assert_eq!(kinds(&table, &["--text", "size, cm"]), ["text", "text", "text"]);
    let cut = rough("discretize", &table, &["--method", "mdlp", "--only", "size, cm"]).ended(0).stdout;
    assert!(cut.starts_with("1 cut of 1 attribute\n"), "{cut}");
    let error = rough("reduct", &table, &["--attributes", "size,cm"]).refusal();
    assert!(error.contains("no attribute column `size`"), "{error}");
    let itself = ["rough", "info", &table, "--decision", "size, cm", "--ignore", "size, cm"];
    assert!(roughboard(&itself).refusal().contains("got `size, cm`, which is the decision or the weight"));
}

/// An empty text and `?` are missing in CSV in columns of text, too.
#[test]
fn a_written_table_that_csv_cannot_hold_is_to_be_parquet() {
    let files = Files::new();
    let texts = Attribute::from_values("t", &["", "?", "a", "b"].map(Value::text));
    let decision = Attribute::from_integers("d", 0..4);
    let table = DecisionTable::new(vec![Attribute::from_integers("n", 0..4), texts], decision, Weights::Unit).unwrap();
    let (path, out) = (files.path("t.parquet"), files.path("t.csv"));
    table.write(&path, Layout::Objects).unwrap();
    let cut = ["--method", "width", "--bins", "2", "--only", "n", "--out", out.to_str().unwrap()];
    let told = rough("discretize", path.to_str().unwrap(), &cut).ended(0).stderr;
    assert!(told.contains("note: `t` is text that CSV") && told.contains("values: write .parquet\n"), "{told}");
}

#[test]
fn a_written_table_says_how_it_is_to_be_read() {
    let files = Files::new();
    let table = files.file("codes.csv", "c,word,v,n,d\n1.0,NA,1,2,x\n1,x,2,0,y\n1.0,y,3,1,x\n1,x,4,3,y\n");
    let told = |name: &str, options: &[&str]| {
        let path = files.argument(name);
        let cut = ["--method", "width", "--bins", "2", "--only", "v", "--text", "c,word", "--out", &path];
        rough("discretize", &table, &[&cut[..], options].concat()).ended(0).stderr
    };
    let text = "note: `c` `word` is text that CSV reads as something else, such as numbers or missing values: read it \
                with --text c,word, or write .parquet\n";
    assert_eq!(told("codes-2.csv", &[]), text);
    assert_eq!(told("codes-2.parquet", &[]), "");
    let gamma = |path: &str, options: &[&str]| {
        let path = files.path(path);
        let of = ["--attributes", "c,word", "--json"];
        rough("approx", path.to_str().unwrap(), &[&of[..], options].concat()).ended(0).json()["gamma_fraction"].clone()
    };
    assert_eq!(gamma("codes-2.csv", &["--text", "c,word"]), gamma("codes-2.parquet", &[]));
    let weighted = told("weighted.parquet", &["--weight", "n"]);
    let expected = "note: 1 of 4 rows weigh 0 and are left out\nnote: how many objects each row stands for, which was `n`, is the column \
                    `weight` of `";
    assert!(weighted.starts_with(expected), "{weighted}");
    assert!(weighted.ends_with("weighted.parquet`: read it with --weight weight\n"), "{weighted}");
}

#[test]
fn a_written_table_of_one_column_is_read_back() {
    let files = Files::new();
    let table = files.file("n.csv", "x\n1\n2\n3\n");
    for name in ["cut.csv", "cut.tsv"] {
        let path = files.argument(name);
        roughboard(&["rough", "discretize", &table, "--method", "width", "--bins", "3", "--out", &path]).ended(0);
        let read = columns(&path, &[]);
        assert_eq!((&read["rows"], &read["attributes"][0]["values"]), (&json!(3), &json!(3)), "{name}");
        assert_eq!(kinds(&path, &[]), ["interval"], "{name}");
    }
}

#[test]
fn decisions_may_be_listed_with_commas() {
    let files = Files::new();
    let table = files.file("two.csv", "a,d,e\n1,x,1\n2,y,2\n");
    let core = |options: &[&str]| roughboard(&[&["rough", "core", &table, "--json"], options].concat()).ended(0).json();
    assert_eq!(core(&["--decision", "d,e"]), core(&["--decision", "d", "--decision", "e"]));
    assert!(roughboard(&["rough", "core", &table, "--decision", "d,f"]).refusal().contains("decision column `d,f`"));
}

#[test]
fn leading_zeros_tell_objects_apart() {
    let files = Files::new();
    let table = files.file("zip.csv", "zip,d\n00123,0\n123,1\n");
    let gamma = |options: &[&str]| info(&table, options)["gamma_fraction"].clone();
    assert_eq!((gamma(&[]), gamma(&["--number", "zip"])), (json!([2, 2]), json!([0, 2])));
    assert_eq!(kinds(&table, &["--number", "zip"]), ["integer", "integer"]);
}

#[test]
fn the_decimal_mark_can_be_a_comma() {
    let files = Files::new();
    let table = files.file("comma.csv", "a;b;d\n11,1;1.5;0\n-0,5;2;1\n");
    assert_eq!(kinds(&table, &[]), ["text", "real", "integer"]);
    for mark in [",", "comma"] {
        assert_eq!(kinds(&table, &["--decimal", mark]), ["real", "text", "integer"]);
    }
    let text = roughboard(&["rough", "info", &table, "--decimal", ","]).ended(0).stdout;
    assert!(text.contains("-0.5 … 11.1"), "{text}");
    roughboard(&["rough", "info", &table, "--decimal", ";"]).ended(2);
}

#[test]
fn columns_are_texts_or_numbers_by_choice() {
    let files = Files::new();
    let table = files.file("k.csv", "a,b,d\n1,007,0\n2,more,1\n");
    assert_eq!(kinds(&table, &["--text", "a,d"]), ["text", "text", "text"]);
    let refused = |options: &[&str]| rough("approx", &table, options).refusal();
    let error = refused(&["--number", "b"]);
    assert!(error.contains("column `b`, line 3: expected a number of 64 bits, found `more`"), "{error}");
    assert_eq!(kinds(&table, &["--number", "b", "--na", "more"]), ["integer", "integer", "integer"]);
    let error = refused(&["--number", "a", "--text", "a"]);
    assert!(error.contains("column `a` cannot be both text and numbers"), "{error}");
}

#[test]
fn dates_in_text_are_numbers_where_numbers_are_asked_for() {
    let files = Files::new();
    let dates = files.file("dates.csv", "day,d\n2023-02-01,0\n2023-02-02,0\n2023-03-01,1\n2023-03-02,1\n");
    let text = rough("info", &dates, &[]).ended(0);
    let note =
        "column `day` is text because of `2023-02-01`, line 2: it is a date or a time; --number day reads numbers";
    assert!(text.stderr.contains(note), "{}", text.stderr);
    let cut = rough("discretize", &dates, &["--number", "day", "--method", "mdlp"]).ended(0);
    assert!(cut.stdout.contains("19403") && !cut.stderr.contains("is text"), "{}{}", cut.stdout, cut.stderr);
    let wrong = files.file("wrong.csv", "day,d\n2023-02-01,0\n2023-02-29,1\n");
    let error = rough("info", &wrong, &["--number", "day"]).refusal();
    let expected =
        "line 3: expected a number of 64 bits, found `2023-02-29`: dates are numbers where all cells are such as";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_name_that_is_no_column_gets_the_nearest() {
    let files = Files::new();
    let names: Vec<String> = (0..93).map(|i| format!("attribute_{i:03}")).collect();
    let table = files.file("wide.csv", format!("{},species\n{}1\n", names.join(","), "0,".repeat(93)));
    for option in ["--decision", "--ignore", "--text", "--number", "--weight"] {
        let decision = if option == "--decision" { &[][..] } else { &["--decision", "species"] };
        let error = roughboard(&[&["rough", "core", &table, option, "specis"], decision].concat()).refusal();
        assert!(error.contains("`specis` (did you mean `species`?); its columns are `attribute_000`"), "{error}");
        assert!(error.contains(" and 82 more"), "{error}");
    }
    let error =
        roughboard(&["rough", "core", &table, "--decision", "species", "--attributes", "atribute_042"]).refusal();
    assert!(error.contains("no attribute column `atribute_042` (did you mean `attribute_042`?)"), "{error}");
    let counts = files.file("counts.csv", "a,result=0,result=1\n1,2,3\n");
    let error = roughboard(&["rough", "core", &counts, "--decision", "reslt"]).refusal();
    assert!(error.contains("no decision column `reslt` (did you mean `result`?)"), "{error}");
    let blank = files.file("blank.csv", "a, d\n1,x\n2,y\n");
    let error = roughboard(&["rough", "core", &blank, "--decision", "d"]).refusal();
    assert!(error.contains("no decision column `d` (did you mean ` d`?)"), "{error}");
    let comma = files.file("comma.csv", "a;d\n30,7;x\n2;y\n");
    let error = roughboard(&["rough", "core", &comma, "--decision", "d", "--number", "a"]).refusal();
    assert!(error.contains("found `30,7`: is the comma a decimal mark?"), "{error}");
}

#[test]
fn tables_may_be_packed_or_come_by_standard_input() {
    let files = Files::new();
    let text = "a,d\n1,x\n2,y\n";
    let expected = columns(&files.file("plain.csv", text), &[]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = files.file("t.csv.gz", gzip.finish().unwrap());
    let zstd = files.file("t.csv.zst", zstd::encode_all(text.as_bytes(), 3).unwrap());
    for table in [&gzip, &zstd] {
        assert_eq!(columns(table, &[]), expected, "{table}");
    }
    let told =
        |input: &str, options: &[&str]| roughboard_told(&[&["rough", "info", "-", "--json"], options].concat(), input);
    assert_eq!(told(text, &[]).ended(0).json(), expected);
    let piped = roughboard_told(&["rough", "core", "-", "--decision", "d", "--json"], text).ended(0).json();
    assert_eq!(piped["core"], json!(["a"]));
    assert!(told("PAR1…", &[]).refusal().contains("it holds Parquet, which is read from files only"));
    let certified = ["rough", "reduct", "-", "--decision", "d", "--certificate", "never.json"];
    assert!(roughboard_told(&certified, text).refusal().contains("a certificate needs a table in a file"));
    let cut = files.file("cut.csv.gz", &std::fs::read(&gzip).unwrap()[..12]);
    assert!(roughboard(&["rough", "info", &cut]).refusal().contains("cannot unpack it"));
    let packed = files.file("t.parquet.gz", "x");
    assert!(roughboard(&["rough", "info", &packed]).refusal().contains("or .parquet or .pq, found `gz`"));
}

#[test]
fn the_header_says_the_separator_and_another_than_the_comma_is_told() {
    let files = Files::new();
    for (name, separator, told) in [
        ("t.txt", "\t", "by tabs"),
        ("t.txt", ";", "by semicolons"),
        ("t.txt", ",", ""),
        ("t.tsv", "\t", "by tabs"),
        ("t.csv", ";", "by semicolons"),
    ] {
        let table = files.file(name, "a,b,d\n1,x,0\n2,y,1\n".replace(',', separator));
        let run = rough("classes", &table, &["--json"]).ended(0);
        assert_eq!(run.json()["n_classes"], json!(2));
        let note = if told.is_empty() {
            String::new()
        } else {
            format!("note: the cells are separated {told}, as in the first row\n")
        };
        assert_eq!(run.stderr, note, "{name} {separator:?}");
    }
    // Commas in names do not make a file of tabs one of commas.
    assert_eq!(kinds(&files.file("names.tsv", "a, b, c\td\n1\t0\n"), &[]).len(), 2);
}

#[test]
fn tables_without_a_header_have_columns_by_number() {
    let files = Files::new();
    let data = files.file("t.data", "5.1,x,a\n4.9,?,b\n5.1,x,b\n");
    let read = columns(&data, &["--no-header"]);
    let names = read["attributes"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap());
    assert_eq!((&read["rows"], names.collect::<Vec<_>>()), (&json!(3), vec!["c1", "c2", "c3"]));
    assert_eq!(kinds(&data, &["--no-header"]), ["real", "text", "text"]);
    roughboard(&["rough", "core", &data, "--no-header", "--decision", "c3"]).ended(0);
    // What would be names twice are cells, and a tab is one of the separators as in a header.
    let tabs = roughboard(&["rough", "info", &files.file("t.tab", "x\tx\n\"x\"\ty\n"), "--no-header", "--json"]);
    assert_eq!(tabs.ended(0).json()["rows"], json!(2));
    let error = roughboard(&["rough", "info", &files.file("short.data", "1,2,3\n1,2\n"), "--no-header"]).refusal();
    assert!(error.contains("line 2 has 2 cells, expected 3 as in the first row"), "{error}");
    let error = roughboard(&["rough", "info", &files.file("blank.data", "\n\n"), "--no-header"]).refusal();
    assert!(error.contains("the table has no rows"), "{error}");
    std::fs::copy(files.parquet(), files.path("table.pq")).unwrap();
    assert_eq!(kinds(&files.argument("table.pq"), &[]), ["integer", "text", "integer"]);
    let error = roughboard(&["rough", "info", &files.argument("table.pq"), "--no-header"]).refusal();
    assert!(error.contains("a Parquet file names its columns, expected CSV where there is no header"), "{error}");
}

#[test]
fn values_with_line_breaks_are_told_on_one_line() {
    let files = Files::new();
    let table = files.file("broken.csv", "a,d\n\"x\ny\",0\nz,1\n");
    let text = roughboard(&["rough", "classes", &table, "--decision", "d"]).ended(0).stdout;
    assert!(text.lines().any(|line| line.contains("x\\ny")), "{text}");
    let json = roughboard(&["rough", "classes", &table, "--decision", "d", "--json"]).ended(0).stdout;
    assert!(json.contains("\"x\\ny\""), "{json}");
}

#[test]
fn dates_of_parquet_are_read_in_order_and_what_is_ignored_is_never_refused() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let dates = data.join("date.parquet").to_str().unwrap().to_owned();
    assert_eq!(kinds(&dates, &[]), ["text", "integer"]);
    assert_eq!(kinds(&dates, &["--number", "day"]), ["integer", "integer"]);
    roughboard(&["rough", "core", &dates, "--decision", "flu"]).ended(0);
    let list = data.join("parquet/refused_list.parquet").to_str().unwrap().to_owned();
    let error = roughboard(&["rough", "info", &list]).refusal();
    assert!(error.contains("column `inside` has type list") && error.contains("leave it out with --ignore"), "{error}");
    assert_eq!(kinds(&list, &["--ignore", "inside"]), ["text"]);
    // What cannot be left out is not to be ignored.
    for parts in
        [&["--decision", "inside"][..], &["--decision", "inside,d"], &["--decision", "d", "--weight", "inside"]]
    {
        let error = roughboard(&[&["rough", "approx", &list], parts].concat()).refusal();
        let expected = "dates or times; `inside` is the decision or the weight: write it as one of these\n";
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn damaged_csv_is_refused_with_the_line() {
    let files = Files::new();
    let cases = [
        ("a,b,d\r\n1,2,0\r\n1,2\r\n", "line 3 has 2 cells, expected 3 as in the header"),
        ("a,b,d\n\"1\n1\n1\",2,0\n1,2,0,5\n", "line 5 has 4 cells, expected 3"),
        ("a,\"b\n\",a\n1,2,0\n", "two columns are called `a`"),
        ("", "the table has no rows"),
        ("\u{feff}", "the table has no rows"),
        ("\n\r\n", "it has no header"),
    ];
    for (text, reason) in cases {
        let error = roughboard(&["rough", "info", &files.file("bad.csv", text)]).refusal();
        assert!(error.contains(reason) && error.contains("bad.csv"), "{text:?}: {error}");
    }
    let header_only = files.file("header.csv", "a,d\n");
    assert_eq!(columns(&header_only, &[])["rows"], json!(0));
    assert!(rough("info", &header_only, &[]).refusal().contains("the table has no rows"));
    let utf16: Vec<u8> = "a,d\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16 = files.file("utf16.csv", [&[0xFF, 0xFE], &utf16[..]].concat());
    assert!(roughboard(&["rough", "info", &utf16]).refusal().contains("`iconv -f UTF-16 -t UTF-8` converts it"));
    let latin = files.file("latin.csv", b"a,d\n\xe9,2\n");
    assert!(roughboard(&["rough", "info", &latin]).refusal().contains("line 2 is not UTF-8; if it is Latin-1, `iconv"));
    let renamed = files.file("renamed.csv", std::fs::read(files.parquet()).unwrap());
    assert!(roughboard(&["rough", "info", &renamed]).refusal().contains("its name must end in .parquet"));
    let renamed = files.file("renamed.parquet", "a,d\n1,2\n");
    assert!(roughboard(&["rough", "info", &renamed]).refusal().contains("if it is CSV, its name must end in .csv"));
}

#[test]
fn a_single_column_of_cells_with_blanks_may_be_several() {
    let text = "\"a\" \"d\"\n\"1\" 3 \"yes\"\n\"2\" 4 \"no\"\n";
    let note = "note: there is one column, and all its cells hold blanks; try --separator space\n";
    assert_eq!(notes(text, &[]), note);
    assert_eq!(notes("name\nx y\nz\n", &[]), "");
}

#[test]
fn many_values_take_wider_codes() {
    let files = Files::new();
    let rows: String = (0..70_000).map(|i| format!("{},{},{i}\n", i % 256, i % 257)).collect();
    let table = files.file("many.csv", format!("a,b,d\n{rows}"));
    let json = columns(&table, &[]);
    let codes = [0, 1, 2].map(|at| json["attributes"][at]["codes"].as_str().unwrap().to_owned());
    assert_eq!(codes, ["u8", "u16", "u32"]);
    // As many decisions as rows are a decision like any other.
    let described = info(&table, &[]);
    assert_eq!((&described["classes"], &described["gamma_fraction"]), (&json!(65_792), &json!([61_584, 70_000])));
    assert_eq!(rough("core", &table, &["--json"]).ended(0).json()["core"], json!(["a", "b"]));
}
