//! `roughboard rough matrix` and `roughboard rough complete` the way a user runs them.

use serde_json::{Value as Json, json};

use crate::command::{Files, roughboard};

/// The hiring example of Komorowski, Pawlak, Polkowski & Skowron, *Rough sets: a tutorial*, in: Rough Fuzzy
/// Hybridization, Springer 1999, with their figures below.
const HIRING: &str = "diploma,experience,french,reference,decision\nMBA,medium,yes,excellent,accept\n\
    MBA,low,yes,neutral,reject\nMCE,low,yes,good,reject\nMSc,high,yes,neutral,accept\nMSc,medium,yes,neutral,reject\n\
    MSc,high,yes,excellent,accept\nMBA,high,no,good,accept\nMCE,low,no,excellent,reject\n";

fn files() -> Files {
    Files::decided_by("decision")
}

fn matrix(options: &[&str]) -> Json {
    files().json("matrix", HIRING, options)
}

#[test]
fn the_matrix_and_the_function_are_those_of_the_tutorial() {
    let json = matrix(&[]);
    let entries = json["entries"].as_array().unwrap();
    let entry = |a: usize, b: usize| entries.iter().find(|e| e["objects"] == json!([a, b])).map(|e| &e["attributes"]);
    assert_eq!(entries.len(), 16);
    assert_eq!(entry(2, 1), Some(&json!(["experience", "reference"])));
    assert_eq!(entry(5, 1), Some(&json!(["diploma", "reference"])));
    assert_eq!(entry(5, 4), Some(&json!(["experience"])));
    assert_eq!(entry(8, 7), Some(&json!(["diploma", "experience", "reference"])));
    assert_eq!(entry(3, 2), None);
    assert_eq!(json["function"], json!([["diploma", "reference"], ["experience"]]));
    assert_eq!(json["reducts"], json!([["diploma", "experience"], ["experience", "reference"]]));
    // The function of the information system without its decision is er.
    let all = matrix(&["--notion", "information"]);
    let expected = json!([["experience", "reference"]]);
    assert_eq!((all["entries"].as_array().unwrap().len(), &all["reducts"]), (28, &expected));
}

#[test]
fn the_matrix_is_shown_below_its_diagonal() {
    let files = files();
    let text = files.text("matrix", HIRING, &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "discernibility matrix (positive)");
    assert_eq!(lines[4].split_whitespace().collect::<Vec<_>>(), ["3", "diploma,experience,reference", "-"]);
    let rest = "discernibility function\n  (diploma OR reference) AND experience\nreducts (2)\n  \
        {diploma, experience}\n  {experience, reference}\n";
    assert!(text.ends_with(rest), "{text}");
    let one = files.text("matrix", HIRING, &["--limit", "1"]);
    assert!(one.contains("reducts (1, there may be more)"), "{one}");
    let path = files.path("matrix.csv");
    files.rough("matrix", HIRING, &["--out", path.to_str().unwrap()]).ended(0);
    let csv = std::fs::read_to_string(path).unwrap();
    assert!(csv.starts_with("object,other,attribute\n2,1,experience\n2,1,reference\n3,1,diploma\n"), "{csv}");
}

#[test]
fn a_row_of_counts_is_an_object_of_each_decision() {
    let files = files();
    let counts = "a,decision=no,decision=yes\n1,2,1\n2,0,3\n";
    let json = files.json("matrix", counts, &["--object", "1"]);
    let of = |key: &str| json["objects"].as_array().unwrap().iter().map(|object| object[key].clone()).collect::<Json>();
    assert_eq!((of("object"), of("decision")), (json!([1, 1]), json!(["no", "yes"])));
    assert_eq!(of("reducts"), json!([[["a"]], [["a"]]]));
}

/// Reducts of one object hold what its minimal rules ask for: object 5 is the only MSc that is rejected for experience.
#[test]
fn objects_have_functions_and_reducts_of_their_own() {
    let json = matrix(&["--object", "5,1"]);
    let objects = json["objects"].as_array().unwrap();
    assert_eq!((&objects[0]["object"], &objects[0]["decision"]), (&json!(5), &json!("reject")));
    assert_eq!(objects[0]["function"], json!([["diploma", "reference"], ["experience"]]));
    // Object 1 differs from 2, 3, 5 and 8 in er, der, dr and def.
    assert_eq!(
        objects[1]["function"],
        json!([["diploma", "experience", "french"], ["diploma", "reference"], ["experience", "reference"]])
    );
    let expected = json!([
        ["diploma", "experience"],
        ["diploma", "reference"],
        ["experience", "reference"],
        ["french", "reference"]
    ]);
    assert_eq!(objects[1]["reducts"], expected);
    let text = files().text("matrix", HIRING, &["--object", "all"]);
    let line = text.lines().find(|line| line.starts_with("4 ")).unwrap();
    assert!(line.ends_with("{experience}") && line.contains("accept"), "{text}");
    let error = files().refusal("matrix", HIRING, &["--object", "9"]);
    assert_eq!(error, "error: expected rows of objects, 1 to 8, or `all`, found `9`\n");
}

#[test]
fn a_table_that_is_too_large_for_a_matrix_is_refused() {
    let rows: String = (0..1001).map(|n| format!("{n},{}\n", n % 2)).collect();
    let error = files().refusal("matrix", format!("a,decision\n{rows}").as_str(), &[]);
    assert_eq!(error, "error: the discernibility matrix takes at most 1000 objects, got 1001\n");
}

const GAPS: &str = "a,b,decision\n1,x,no\n?,x,no\n4,?,yes\n4,y,yes\n";

#[test]
fn missing_values_are_completed_and_counted_by_column() {
    let files = files();
    let path = files.path("out.csv");
    let out = ["--out", path.to_str().unwrap()];
    let json = files.rough("complete", GAPS, &[&["--method", "mean", "--json"], &out[..]].concat()).ended(0).json();
    let a = json!({ "attribute": "a", "missing": 1, "left": 0, "values": [{ "value": 3, "objects": 1 }] });
    assert_eq!((&json["attributes"][0], &json["method"]), (&a, &json!("mean")));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b,decision\n1,x,no\n3,x,no\n4,x,yes\n4,y,yes\n");
    let text = files.text("complete", GAPS, &["--method", "concept-frequent"]);
    assert!(text.starts_with("2 missing values in 4 rows completed (concept-frequent)\n"), "{text}");
    assert!(text.contains("b          1        y (1)"), "{text}");
    let text = files.text("complete", GAPS, &["--method", "delete"]);
    assert!(text.starts_with("4 rows read = 2 kept + 2 left out\n"), "{text}");
    // The cell of a row of counts is one, however many decisions the row has.
    let counts = "a,decision=1,decision=2\n1,3,0\n?,5,7\n3,1,2\n";
    let json = files.json("complete", counts, &["--method", "mean"]);
    let a = json!({ "attribute": "a", "missing": 1, "left": 0, "values": [{ "value": 2, "objects": 1 }] });
    assert_eq!(json["attributes"], json!([a]));
    // Without a decision every column is a condition.
    let table = files.write("table.csv", GAPS);
    let undecided = |options: &[&str]| roughboard(&[&["rough", "complete", table.to_str().unwrap()], options].concat());
    let text = undecided(&["--method", "median", "--out", path.to_str().unwrap(), "--force"]).ended(0).stdout;
    assert!(text.starts_with("2 missing values in 4 rows completed (median)"), "{text}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b,decision\n1,x,no\n4,x,no\n4,x,yes\n4,y,yes\n");
    let error = undecided(&["--method", "concept-mean"]).refusal();
    assert!(error.contains("asks for the decision of each object: name its column with --decision"), "{error}");
    let error = files.refusal("complete", GAPS, &["--method", "mean", "--missing", "drop"]);
    assert!(error.starts_with("error: `--missing` has no effect here: leave it out"), "{error}");
}

/// The new table by itself would say 9 and z; it has a column more, and no decision.
#[test]
fn one_table_completes_another() {
    let files = Files::new();
    let [train, new] = [files.write("train.csv", GAPS), files.write("new.csv", "name,b,a\nu,?,9\nv,z,?\n?,z,9\n")];
    let [train, new] = [train.to_str().unwrap(), new.to_str().unwrap()];
    let out = files.path("out.csv");
    let run = |options: &[&str]| {
        let from = ["rough", "complete", new, "--from", train, "--decision", "decision", "--method"];
        roughboard(&[&from[..], options].concat())
    };
    let text = run(&["mean", "--out", out.to_str().unwrap()]).ended(0).stdout;
    assert!(text.starts_with("2 missing values in 3 rows completed (mean)"), "{text}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "name,b,a\nu,x,9\nv,z,3\n,z,9\n");
    // The new table need not have what is said of a column of the other.
    run(&["mean", "--text", "decision,b"]).ended(0);
    assert!(run(&["mean", "--text", "nosuch"]).refusal().contains("no column `nosuch`"));
    let error = run(&["concept-mean"]).refusal();
    assert!(
        error.contains("`--method` must be frequent, mean, median or closest-fit where known objects complete"),
        "{error}"
    );
    let other = files.write("other.csv", "b\nx\n");
    let error =
        roughboard(&["rough", "complete", other.to_str().unwrap(), "--from", train, "--method", "mean"]).refusal();
    assert!(error.contains("cannot complete `") && error.contains("no attribute column `a`"), "{error}");
}

#[test]
fn folds_complete_missing_values_by_their_training_objects() {
    let files = files();
    let row = |at: usize| {
        format!(
            "{},{},{}\n",
            if usize::is_multiple_of(at, 5) { "?".to_owned() } else { (at % 2).to_string() },
            at % 3,
            at % 2
        )
    };
    let table: String = ["a,b,decision\n".to_owned()].into_iter().chain((0..60).map(row)).collect();
    let classify = |options: &[&str]| files.rough("classify", table.as_str(), &[&["--folds", "3"], options].concat());
    let text = classify(&["--complete", "frequent"]).ended(0).stdout;
    assert!(text.contains("seed 1; missing values completed (frequent)\n"), "{text}");
    let json = classify(&["--complete", "closest-fit", "--json"]).ended(0).json();
    assert_eq!(json["complete"], json!("closest-fit"));
    let error = classify(&["--complete", "concept-mean"]).refusal();
    assert!(error.contains("`--complete` must be frequent, mean, median or closest-fit where known"), "{error}");
    let help = classify(&["--help"]).ended(0).stdout;
    assert!(help.contains("closest-fit") && !help.contains("concept-"), "{help}");
    let error = classify(&["--complete", "mean", "--missing", "drop"]).refusal();
    assert!(error.contains("leave one of them out"), "{error}");
}

#[test]
fn rules_that_ask_for_missing_values_are_noted() {
    let run = files().rough("rules", "a,decision\n1,x\n?,y\n", &["--from", "lem2"]).ended(0);
    assert!(
        run.stderr.contains("note: 1 rule asks for a missing value, such as `a = ?`, which is a value"),
        "{}",
        run.stderr
    );
    let run = files().rough("rules", "a,decision\n1,x\n2,y\n", &["--from", "lem2"]).ended(0);
    assert!(!run.stderr.contains("missing value"), "{}", run.stderr);
}

/// The hiring example without its decision: its function is er.
#[test]
fn an_information_system_needs_no_decision() {
    let files = Files::new();
    let without = |line: &str| format!("{}\n", line.rsplit_once(',').unwrap().0);
    let system = files.write("system.csv", HIRING.lines().map(without).collect::<String>());
    let ask = |command: &str, options: &[&str]| {
        roughboard(&[&["rough", command, system.to_str().unwrap()], options].concat())
    };
    let json = |command: &str, options: &[&str]| ask(command, &[options, &["--json"]].concat()).ended(0).json();
    let (core, reduct) = (json!(["experience", "reference"]), json("reduct", &[]));
    assert_eq!(json("core", &[]), json!({ "notion": "information", "core": core }));
    assert_eq!((&reduct["reduct"], &reduct["gamma"]), (&core, &Json::Null));
    assert_eq!(json("reducts", &[])["reducts"], json!([core]));
    let matrix = json("matrix", &[]);
    assert_eq!((&matrix["notion"], matrix["entries"].as_array().unwrap().len()), (&json!("information"), 28));
    assert_eq!(json("matrix", &["--object", "5"])["objects"][0]["decision"], Json::Null);
    let classes = json("classes", &["--attributes", "diploma,french"]);
    assert_eq!(
        classes["classes"][0],
        json!({ "objects": [1, 2], "size": 2, "values": { "diploma": "MBA", "french": "yes" } })
    );
    let text = ask("classes", &["--attributes", "diploma,french"]).ended(0).stdout;
    assert!(
        text.contains("class  size  objects  values\n1      2     1 2      diploma = MBA french = yes\n"),
        "{text}"
    );
    // A decision column that is always the same gives the same answers.
    let dummy: String = HIRING
        .lines()
        .enumerate()
        .map(|(at, line)| without(line).replace('\n', if at == 0 { ",z\n" } else { ",0\n" }))
        .collect();
    let dummy = files.write("dummy.csv", dummy);
    let named = ["rough", "reducts", dummy.to_str().unwrap(), "--decision", "z", "--notion", "information", "--json"];
    assert_eq!(roughboard(&named).ended(0).json(), json("reducts", &[]));
    // A certificate of such a reduct is checked as any other.
    let certificate = files.path("reduct.json");
    let certificate = certificate.to_str().unwrap();
    ask("reduct", &["--minimum", "--certificate", certificate]).ended(0);
    let verdict = roughboard(&["rough", "verify", system.to_str().unwrap(), certificate, "--json"]).ended(0).json();
    assert_eq!((&verdict["verified"], &verdict["lower_bound"]), (&json!(true), &json!(2)));
    for (command, options, what) in [
        ("core", &["--notion", "positive"][..], "`--notion positive`"),
        ("reduct", &["--epsilon", "0.1"], "`--epsilon`"),
        ("reducts", &["--bireducts"], "`--bireducts`"),
    ] {
        let error = ask(command, options).refusal();
        let expected = format!("{what} asks for the decision of each object: name its column with --decision");
        assert!(error.contains(&expected), "{error}");
    }
    ask("approx", &[]).ended(2);
}
