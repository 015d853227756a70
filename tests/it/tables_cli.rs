//! Tables in files: what is read, what is chosen from it, and what is said of it.

use roughboard::table::{Attribute, DecisionTable, Layout, Value, Weights};
use serde_json::{Value as Json, json};

use crate::command::{Files, Run, roughboard};

const GAPS: &str = "id,a,b,d\n1,x,1,no\n2,?,2,yes\n3,y,,no\n4,x,1,yes\n5,y,2,NA\n";

impl Files {
    /// As [`Files::write`]; the path as an argument of the program.
    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        self.write(name, contents).to_str().unwrap().to_owned()
    }

    /// Two numbers and a text with the decision `d`, as Parquet.
    fn parquet(&self) -> String {
        let numbers = Attribute::from_values("n", &[-1, 5, -1, 7].map(Value::Integer));
        let texts = Attribute::from_values("t", &["x", "none", "y", "x"].map(Value::text));
        let decision = Attribute::from_values("d", &[0, 0, 1, 1].map(Value::Integer));
        let table = DecisionTable::new(vec![numbers, texts], decision, Weights::Unit).unwrap();
        table.write(&self.path("table.parquet"), Layout::Objects).unwrap();
        self.path("table.parquet").to_str().unwrap().to_owned()
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
    let b = json!({ "name": "b", "kind": "integer", "values": 3, "missing": 1, "codes": "u8" });
    assert_eq!(json["attributes"][2], b);
    let text = roughboard(&["rough", "info", &table]).ended(0).stdout;
    assert!(text.starts_with("5 rows, 4 columns"), "{text}");
    assert!(
        text.lines().any(|line| line.split_whitespace().eq(["b", "integer", "3", "1", "u8", "1", "…", "?"])),
        "{text}"
    );
}

#[test]
fn info_describes_a_decision_table() {
    let files = Files::new();
    let table = files.file("w.csv", "a,w,d\nx,2,yes\nx,3,yes\nx,1,no\ny,4,no\n");
    let json = info(&table, &["--weight", "w"]);
    let figures = ["rows", "objects", "n_attributes", "distinct_rows", "classes"].map(|key| json[key].clone());
    assert_eq!(figures, [4, 10, 1, 3, 2].map(|figure| json!(figure)));
    assert_eq!((&json["gamma_fraction"], &json["consistent"]), (&json!([4, 10]), &json!(false)));
    assert_eq!(json["decision"]["weights"], json!({ "no": 5, "yes": 5 }));
    let text = rough("info", &table, &["--weight", "w"]).ended(0).stdout;
    assert!(text.starts_with("4 rows, 10 objects, 1 attributes, 3 distinct rows, 2 classes\n"), "{text}");
    assert!(text.contains("inconsistent: gamma 4/10 = 0.400000"), "{text}");
    roughboard(&["rough", "info", &table, "--weight", "w"]).ended(2);
    roughboard(&["table", "info", &table]).ended(2);
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
    assert_eq!(run.stderr, "note: 3 of 5 rows have missing values and are left out\n");
    assert_eq!(run.json()["n_classes"], json!(1));
    // What is not in use may be missing.
    let only_b = info(&table, &["--missing", "drop", "--attributes", "b"]);
    assert_eq!(only_b["dropped"]["rows"], json!(2));
    // By default a missing value is a value.
    let kept = rough("classes", &table, &["--ignore", "id", "--json"]).ended(0);
    assert_eq!((kept.stderr.as_str(), &kept.json()["n_classes"]), ("", &json!(4)));
    let weighted = files.file("weighted.csv", "a,w,d\n1,5,0\n?,2,1\n2,3,1\n");
    let run = rough("approx", &weighted, &["--missing", "drop", "--weight", "w"]).ended(0);
    assert_eq!(run.stderr, "note: 1 of 3 rows (weight 2 of 10) have missing values and are left out\n");
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
        assert_eq!(columns(&files.file("other.csv", text), &[]), expected, "{text:?}");
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
fn a_missing_decision_is_a_value_unless_it_is_dropped() {
    let files = Files::new();
    let table = files.file("m.csv", "a,d\n1,yes\n2,\n3,no\n");
    assert_eq!(info(&table, &[])["decision"]["weights"], json!({ "?": 1, "no": 1, "yes": 1 }));
    assert_eq!(info(&table, &["--missing", "drop"])["decision"]["weights"], json!({ "no": 1, "yes": 1 }));
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
    assert!(roughboard(&["rough", "info", &utf16]).refusal().contains("is not UTF-8"));
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
