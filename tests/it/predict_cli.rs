//! `roughboard rough predict`: rules in a file, applied to tables.

use serde_json::{Value as Json, json};

use crate::command::{Files, Run, roughboard};
use crate::discretize::IRIS;

/// 60 objects: d is `both` where a and b are 1, `one` where one of them is, else `none`.
fn logic(files: &Files) -> String {
    let line = |i: u32| format!("{},{},{}\n", i % 2, i / 2 % 2, ["none", "one", "both"][(i % 2 + i / 2 % 2) as usize]);
    files.file("logic.csv", format!("a,b,d\n{}", (0..60).map(line).collect::<String>()))
}

/// Keeps the rules of a table.
fn rules(files: &Files, table: &str, decision: &str, options: &[&str]) -> String {
    let path = files.argument("rules.json");
    roughboard(&[&["rough", "rules", table, "--decision", decision, "--out", &path], options].concat()).ended(0);
    path
}

/// The rules of a table, and where other files go.
fn with_rules() -> (Files, String) {
    let files = Files::new();
    let rules = rules(&files, &logic(&files), "d", &[]);
    (files, rules)
}

fn predict(rules: &str, table: &str, options: &[&str]) -> Run {
    roughboard(&[&["rough", "predict", rules, table], options].concat())
}

/// The first cells of the lines of a file, from the cell `first` on.
fn cells(path: &str, first: usize) -> Vec<Vec<String>> {
    let csv = std::fs::read_to_string(path).unwrap();
    csv.lines().map(|line| line.split(',').skip(first).take(6).map(str::to_owned).collect()).collect()
}

/// The cells of one column of a CSV file, of the rows whose first cell is `first`, if that is asked for.
fn column(path: &str, name: &str, first: Option<&str>) -> Vec<String> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let at = reader.headers().unwrap().iter().position(|known| known == name).unwrap();
    let rows = reader.records().map(Result::unwrap).filter(|row| first.is_none_or(|first| row[0] == *first));
    rows.map(|row| row[at].to_owned()).collect()
}

/// JSON has no infinite numbers.
#[test]
fn rules_with_infinite_numbers_are_kept_as_they_are() {
    let files = Files::new();
    let table = files.file("t.csv", "a,d\n1.5,x\n2.5,x\ninf,y\n");
    for options in [&[][..], &["--from", "mlem2"]] {
        let rules = rules(&files, &table, "d", &[options, &["--force"]].concat());
        let json = predict(&rules, &table, &["--json"]).ended(0).json();
        assert_eq!(json["accuracy"]["mean"], 1.0, "{json}");
    }
}

/// A decision that is read as another kind of value, since the table holds other ones, is the decision that it says.
#[test]
fn decisions_of_another_kind_are_compared_by_what_they_say() {
    let files = Files::new();
    let table = |name, decisions: [&str; 4]| {
        let lines = (0..4).map(|i| format!("{},{}\n", i % 2, decisions[i]));
        files.file(name, format!("a,d\n{}", lines.collect::<String>()))
    };
    let training = table("training.csv", ["0", "1", "0", "1"]);
    for (name, decisions) in [("real.csv", ["0.0", "1.0", "0.0", "0.0"]), ("text.csv", ["0", "1", "0", "maybe"])] {
        let told = ["--classifier", "tree", "--decision", "d", "--json"];
        let json = predict(&training, &table(name, decisions), &told).ended(0).json();
        assert_eq!(json["accuracy"]["mean"], 0.75, "{json}");
    }
}

/// One stray cell makes a column text: its other values are known all the same, whichever of the tables has it.
#[test]
fn values_of_another_kind_are_compared_by_what_they_say() {
    let files = Files::new();
    let table = |name: &str, values: [&str; 4]| {
        let lines = (0..4).map(|row| format!("{},{}\n", values[row], ["p", "q"][row % 2]));
        files.file(name, format!("x,d\n{}", lines.collect::<String>()))
    };
    for [first, second, stray] in [["True", "False", "maybe"], ["1.0", "2.0", "z"], ["-0.0", "1.50", "z"]] {
        let plain = table("plain.csv", [first, second, first, second]);
        let mixed = table("mixed.csv", [first, second, first, stray]);
        for (training, tested, unmatched) in [(&mixed, &plain, 0.0), (&plain, &mixed, 0.25)] {
            let rules = rules(&files, training, "d", &["--force"]);
            let json = predict(&rules, tested, &["--json"]).ended(0).json();
            assert_eq!(json["unmatched"].as_f64(), Some(unmatched), "{first}: {json}");
            let predicted: Vec<&Json> = json["forecasts"].as_array().unwrap().iter().map(|f| &f["predicted"]).collect();
            assert_eq!(predicted[..3], ["p", "q", "p"], "{first}: {json}");
        }
    }
}

/// Rules in a file say of another table what `rough classify --test` says of it, whatever kind its cells make of its columns.
#[test]
fn rules_forecast_what_they_do_in_a_comparison() {
    let files = Files::new();
    let many: String = (0..300).map(|i| format!("{i},{}\n", i % 3)).collect();
    let cases = [
        ("mlem2", "1,q\n2,q\n4,p\n5,p\n", "1,q\n4.50,p\n30,p\n-1,q\nzzz,p\n"),
        ("mlem2", "1,q\n2,q\n4,p\n?,r\n", "zzz,q\n30,p\n,r\n"),
        ("mlem2", "1,q\n2,q\n4,p\n5,p\n", "few,q\nmany,p\n"),
        ("lem2", "false,q\ntrue,p\n", "False,q\nfalse,q\nTRUE,p\nTrue,p\nzzz,p\n"),
        ("lem2", "7,1\n8,2\n9,1\n", "7,1\n8,2.0\n9,1.0\n9,zzz\n"),
        ("lem2", "1.0,q\n1,p\n+1,r\nz,s\n", "1,p\n2,p\n"),
        // Of few objects in a table of its own.
        ("lem2", many.as_str(), "280,1\n299,2\n7,1\n"),
    ];
    for (from, training, tested) in cases {
        let table = |name: &str, rows: &str| files.file(name, format!("a,d\n{rows}"));
        let (learned, applied) = (table("training.csv", training), table("tested.csv", tested));
        let [rules, ours, theirs] = ["rules.json", "ours.csv", "theirs.csv"].map(|name| files.argument(name));
        let classify = ["rough", "classify", &learned, "--decision", "d", "--test", &applied, "--from", from];
        let kept = ["--save", &rules, "--predictions", &theirs, "--force"];
        roughboard(&[&classify[..], &kept].concat()).ended(0);
        predict(&rules, &applied, &["--out", &ours, "--force"]).ended(0);
        for name in ["true", "predicted", "basis", "rules"] {
            let said = column(&ours, name, None);
            assert_eq!(said, column(&theirs, name, Some("rules")), "{name} of {tested:?}");
        }
    }
}

/// Classifiers that learn from one table say of another what `rough classify --test` reports, and need no decision in it.
#[test]
fn classifiers_forecast_what_they_do_in_a_comparison() {
    let files = Files::new();
    let iris = std::fs::read_to_string(IRIS).unwrap();
    let tested: String = iris.lines().step_by(7).map(|line| format!("{line}\n")).collect();
    let unknown: String = tested.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    let [tested, unknown] = [("test.csv", tested), ("new.csv", unknown)].map(|(name, table)| files.file(name, table));
    for classifier in ["tree", "logistic", "knn", "frnn", "riona", "majority"] {
        let [ours, theirs] = ["ours", "theirs"].map(|name| files.argument(&format!("{classifier}-{name}.csv")));
        let told = ["--classifier", classifier, "--decision", "species"];
        predict(IRIS, &tested, &[&told[..], &["--out", &ours]].concat()).ended(0);
        let classify =
            ["rough", "classify", IRIS, "--decision", "species", "--test", &tested, "--baseline", classifier];
        roughboard(&[&classify[..], &["--predictions", &theirs]].concat()).ended(0);
        let forecasts = column(&ours, "predicted", None);
        assert_eq!(forecasts.len(), tested_rows(&tested));
        assert_eq!(forecasts, column(&theirs, "predicted", Some(classifier)), "{classifier}");
        let json = predict(IRIS, &unknown, &[&told[..], &["--json"]].concat()).ended(0).json();
        let said = json["forecasts"].as_array().unwrap().iter().map(|one| one["predicted"].as_str().unwrap());
        assert_eq!(said.collect::<Vec<_>>(), forecasts, "{classifier}");
        assert_eq!(
            (&json["accuracy"], &json["n_rules"], &json["classifier"]),
            (&Json::Null, &Json::Null, &classifier.into())
        );
    }
    let said = predict(IRIS, &tested, &["--classifier", "riona", "--decision", "species"]).ended(0).stdout;
    let words = ["`species` by riona", "accuracy ", " of the votes"];
    assert!(words.iter().all(|words| said.contains(words)), "{said}");
    for (option, value) in [("k", "3"), ("vote", "best")] {
        let option = format!("--{option}");
        let error =
            predict(IRIS, &tested, &["--classifier", "tree", "--decision", "species", &option, value]).refusal();
        assert!(error.contains(&format!("`{option}` has no effect with `--classifier")), "{error}");
    }
}

/// The decision may be in the table alone that a classifier learns from, and so may what is ignored there.
#[test]
fn columns_of_the_training_table_alone_may_be_named() {
    let files = Files::new();
    let [training, new] = [("training.csv", "a,note,d\n1,u,007\n2,v,8\n1,w,007\n2,v,8\n"), ("new.csv", "a\n1\n2\n")]
        .map(|(name, table)| files.file(name, table));
    let tree = ["--classifier", "tree", "--decision", "d", "--ignore", "note"];
    let json = predict(&training, &new, &[&tree[..], &["--text", "d,note", "--json"]].concat()).ended(0).json();
    let said: Vec<&Json> = json["forecasts"].as_array().unwrap().iter().map(|one| &one["predicted"]).collect();
    assert_eq!(said, ["007", "8"]);
    predict(&training, &new, &[&tree[..], &["--number", "d"]].concat()).ended(0);
    for nosuch in [["--text", "nosuch"], ["--number", "nosuch"]] {
        let error = predict(&training, &new, &[&tree[..], &nosuch].concat()).refusal();
        assert!(error.contains("training.csv") && error.contains("no column `nosuch`"), "{error}");
    }
    let rules = rules(&files, &training, "d", &["--ignore", "note"]);
    let error = predict(&rules, &new, &["--text", "nosuch"]).refusal();
    assert!(error.contains("new.csv") && error.contains("no column `nosuch`"), "{error}");
}

#[test]
fn the_training_table_alone_may_have_weights() {
    let files = Files::new();
    let [training, new] = [("training.csv", "a,n,d\n1,1,x\n1,2,y\n2,4,x\n"), ("new.csv", "a\n1\n2\n")]
        .map(|(name, table)| files.file(name, table));
    let tree = ["--classifier", "tree", "--decision", "d", "--weight"];
    let run = predict(&training, &new, &[&tree[..], &["n", "--json"]].concat()).ended(0);
    let note = format!("note: `{new}` has no weight column `n`: each of its rows is one object\n");
    assert!(run.stderr.contains(&note), "{}", run.stderr);
    let json = run.json();
    let predicted = [0, 1].map(|at: usize| json["forecasts"][at]["predicted"].clone());
    assert_eq!((predicted, &json["total_weight"]), (["y", "x"].map(Json::from), &json!(2)));
    let error = predict(&training, &new, &[&tree[..], &["m"]].concat()).refusal();
    assert!(error.contains("training.csv") && error.contains("no weight column `m`"), "{error}");
}

#[test]
fn rows_of_weight_0_are_told() {
    let files = Files::new();
    let table = files.file("weighed.csv", "a,n,d\n1,2,x\n2,0,y\n2,1,y\n");
    let rules = rules(&files, &table, "d", &["--ignore", "n"]);
    let majority = ["--classifier", "majority", "--decision", "d", "--weight", "n"];
    let note = "note: 1 of 3 rows weigh 0 and are left out\n";
    assert_eq!(predict(&rules, &table, &["--weight", "n"]).ended(0).stderr, note);
    assert_eq!(predict(&table, &table, &majority).ended(0).stderr, note.repeat(2));
}

#[test]
fn a_classifier_of_more_decisions_than_can_be_shown_is_refused() {
    let files = Files::new();
    let rows: String = (0..9000).map(|i| format!("{},x{i}\n", i % 7)).collect();
    let table = files.file("many.csv", format!("a,d\n{rows}"));
    let error = predict(&table, &table, &["--classifier", "majority", "--decision", "d"]).refusal();
    assert!(error.contains("the decision has 9000 values, at most 2048 can stand in a confusion table"), "{error}");
}

/// Votes for each object and counts for each pair of decisions would fill the memory.
#[test]
fn of_very_many_decisions_neither_votes_nor_a_confusion_table_are_given() {
    let files = Files::new();
    let answer = |n: usize, options: &[&str]| {
        let decisions: Vec<Json> = (0..n).map(|i| json!({ "value": format!("x{i}"), "weight": 1 })).collect();
        let rule = json!({
            "conditions": [{ "attribute": "a", "value": 1 }], "decision": "x1", "support": 1, "matching": 1,
        });
        let rules = json!({ "format": 1, "decision": "d", "decisions": decisions, "rules": [rule] });
        let rules = files.file("rules.json", rules.to_string());
        let table = files.file("new.csv", "a,d\n1,x1\n2,x5\n");
        predict(&rules, &table, options).ended(0)
    };
    let left_out = "note: no votes and no confusion table are given: 2049 decisions are more than 2048\n";
    let many = answer(2049, &["--json"]);
    assert!(many.stderr.contains(left_out), "{}", many.stderr);
    let json = many.json();
    assert_eq!((&json["confusion"], &json["forecasts"][0]["votes"]), (&Json::Null, &Json::Null));
    let predicted = [0, 1].map(|at: usize| json["forecasts"][at]["predicted"].clone());
    assert_eq!((predicted, json["accuracy"]["mean"].as_f64()), (["x1", "x0"].map(Json::from), Some(0.5)));
    let csv = answer(2049, &["--csv"]).stdout;
    let first = "object,weight,true,predicted,basis,rules,rule,support,matching\n1,1,x1,x1,matching,1,1,1,1\n";
    assert!(csv.starts_with(first), "{csv}");
    let all = answer(2049, &["--all"]);
    assert!(all.stdout.contains("\n(2049 decisions are too many for a confusion table)\n"), "{}", all.stdout);
    assert!(!all.stderr.contains("confusion table"), "{}", all.stderr);
    let most = answer(2048, &["--json"]);
    assert!(!most.stderr.contains("confusion table"), "{}", most.stderr);
    let json = most.json();
    assert_eq!((&json["confusion"][1][1], &json["forecasts"][0]["votes"][1]), (&json!(1), &json!(1.0)));
}

#[test]
fn names_of_objects_take_no_name_of_another_column() {
    let files = Files::new();
    let table = files.file("named.csv", "object,a,d\no1,1,x\no2,2,y\n");
    let rules = rules(&files, &table, "d", &["--ignore", "object"]);
    let first = |id: &str| {
        let csv = predict(&rules, &table, &["--id", id, "--csv"]).ended(0).stdout;
        csv.lines().next().map(str::to_owned)
    };
    let others = "object,weight,true,predicted,basis,rules,rule,support,matching,vote=x,vote=y";
    assert_eq!([first("object"), first("a")], ["id", "a"].map(|id| Some(format!("{id},{others}"))));
}

fn tested_rows(path: &str) -> usize {
    std::fs::read_to_string(path).unwrap().lines().count() - 1
}

#[test]
fn saved_rules_forecast_what_the_classifier_of_rules_does() {
    let files = Files::new();
    let table = logic(&files);
    let rules = rules(&files, &table, "d", &[]);
    // Other columns, other types, another order, an object without a decision, a value and a decision that the rules do not know.
    let test = files.file("test.csv", "d,b,x,a\nboth,1,9,1\n,0,9,1\nnone,0.0,9,0\nodd,0.5,9,0\n");
    let [ours, theirs] = ["ours.csv", "theirs.csv"].map(|name| files.argument(name));
    let run = predict(&rules, &test, &["--out", &ours]).ended(0);
    assert_eq!(
        run.stderr,
        "note: 1 of 4 tested values of `b` (integer in the rules, real in the test) do not occur in the rules: \
        are they spelled alike?\nnote: the rules do not know the decision `odd`: is it spelled alike?\n"
    );
    let classify = ["rough", "classify", &table, "--decision", "d", "--test", &test, "--predictions", &theirs];
    roughboard(&classify).ended(0);
    let (ours, theirs) = (cells(&ours, 0), cells(&theirs, 3));
    assert_eq!(ours[0], ["object", "weight", "true", "predicted", "basis", "rules"]);
    assert_eq!(ours[2], ["2", "1", "", "one", "matching", "1"]);
    assert_eq!([&ours[1], &ours[3], &ours[4]], [&theirs[1], &theirs[2], &theirs[3]]);
    let text = predict(&rules, &test, &[]).ended(0).stdout;
    assert!(
        text.starts_with(
            "4 objects, 4 rules for `d`; no rule matches 1 of 4\n\nobject  predicted  true  decided by\n1       both       both  rule "
        ),
        "{text}"
    );
    assert!(text.contains("\naccuracy 66.67 % of 3 (95 % interval ") && text.contains("true \\ predicted"), "{text}");
    let json = predict(&rules, &test, &["--json"]).ended(0).json();
    assert_eq!(json["decisions"], json!(["both", "none", "odd", "one"]));
    assert_eq!(json["confusion"][0], json!([1, 0, 0, 0]));
    let first = &json["forecasts"][0];
    assert_eq!((&first["object"], &first["predicted"], &first["true"]), (&json!(1), &json!("both"), &json!("both")));
    let listed = std::fs::read_to_string(&rules).unwrap();
    let number = first["rule"].as_u64().unwrap() as usize;
    let rule = &serde_json::from_str::<Json>(&listed).unwrap()["rules"][number - 1];
    assert_eq!((&rule["decision"], &rule["support"]), (&json!("both"), &first["support"]));
}

/// In JSON, `rough classify` and `rough predict` write a decision as the same number wherever they name it.
#[test]
fn decisions_that_are_numbers_are_written_as_numbers() {
    let files = Files::new();
    let table = files.file("graded.csv", "a,grade\n0,1\n1,2.5\n2,4\n0,1\n1,2.5\n2,4\n");
    let rules = rules(&files, &table, "grade", &[]);
    let predicted = predict(&rules, &table, &["--json"]).ended(0).json();
    let compared =
        roughboard(&["rough", "classify", &table, "--decision", "grade", "--test", &table, "--json"]).ended(0).json();
    let grades = [1.0, 2.5, 4.0];
    for decisions in [&predicted["decisions"], &compared["decisions"]] {
        assert_eq!(decisions, &json!(grades));
    }
    let named: Vec<&Json> = predicted["classes"].as_array().unwrap().iter().map(|class| &class["decision"]).collect();
    assert_eq!(named, grades);
    assert_eq!(predicted["forecasts"][1]["predicted"], 2.5);
}

#[test]
fn the_decision_need_not_be_known() {
    let (files, rules) = with_rules();
    let new = files.file("new.csv", "a,b\n1,1\n0,1\n");
    let run = predict(&rules, &new, &["--json"]).ended(0);
    assert_eq!(run.stderr, "note: no object has a decision `d`, so it is not known which forecasts are right\n");
    let json = run.json();
    assert_eq!((&json["accuracy"], &json["confusion"]), (&Json::Null, &Json::Null));
    let predicted: Vec<&Json> = json["forecasts"].as_array().unwrap().iter().map(|f| &f["predicted"]).collect();
    assert_eq!(predicted, ["both", "one"]);
    assert!(!predict(&rules, &new, &[]).ended(0).stdout.contains("accuracy"));
    // A row of a merged table is several objects, each with the number of the row.
    let merged = files.file("merged.csv", "a,b,d=both,d=one\n1,1,4,0\n0,1,1,2\n");
    let json = predict(&rules, &merged, &["--json"]).ended(0).json();
    let objects: Vec<&Json> = json["forecasts"].as_array().unwrap().iter().map(|f| &f["object"]).collect();
    assert_eq!((objects, &json["total_weight"]), (vec![&json!(1), &json!(2), &json!(2)], &json!(7)));
    assert!((json["accuracy"]["mean"].as_f64().unwrap() - 6.0 / 7.0).abs() < 1e-15);
}

/// As by `rough discretize`. Columns that are not read may have cut points.
#[test]
fn cut_points_of_a_column_that_the_table_lacks_are_refused() {
    let files = Files::new();
    let cut = files.file("cut.csv", "a,b,d\n<= 2.5,7,p\n<= 2.5,7,p\n> 2.5,7,q\n> 2.5,7,q\n");
    let rules = rules(&files, &cut, "d", &[]);
    let training = files.file("training.csv", "a,b,d\n1,7,p\n2,7,p\n3,7,q\n4,7,q\n");
    let narrow = files.file("narrow.csv", "a,d\n1,p\n4,q\n");
    let known = files.file("known.json", r#"{"a": [2.5], "b": [8.5]}"#);
    let typo = files.file("typo.json", r#"{"a": [2.5], "bb": [8.5]}"#);
    let classifier = ["--classifier", "tree", "--decision", "d"];
    for (from, options) in [(&rules, &[][..]), (&training, &classifier[..])] {
        predict(from, &training, &[options, &["--cuts", &known]].concat()).ended(0);
        let error = predict(from, &training, &[options, &["--cuts", &typo]].concat()).refusal();
        assert!(error.contains("typo.json` as cut points") && error.contains("no attribute column `bb`"), "{error}");
    }
    let error = predict(&rules, &narrow, &["--cuts", &known]).refusal();
    assert!(error.contains("no attribute column `b`"), "{error}");
    predict(&training, &narrow, &[&classifier[..], &["--ignore", "b", "--cuts", &known]].concat()).ended(0);
}

#[test]
fn rules_of_intervals_cut_numbers_at_the_ends_of_their_intervals() {
    let files = Files::new();
    let [cut, cuts] = ["cut.csv", "cuts.json"].map(|name| files.argument(name));
    let discretize = ["rough", "discretize", IRIS, "--decision", "species", "--method", "mdlp"];
    roughboard(&[&discretize[..], &["--out", &cut, "--save-cuts", &cuts]].concat()).ended(0);
    let rules = rules(&files, &cut, "species", &["--from", "lem2"]);
    let by_ends = predict(&rules, IRIS, &["--json"]).ended(0).json();
    let of_numbers = predict(&rules, IRIS, &["--cuts", &cuts, "--json"]).ended(0).json();
    let of_intervals = predict(&rules, &cut, &["--json"]).ended(0).json();
    assert_eq!(of_numbers["forecasts"], of_intervals["forecasts"]);
    assert_eq!(by_ends["forecasts"], of_intervals["forecasts"]);
    let wrong = files.file("wrong.json", "{\"petal_lenght\":[2.45]}");
    let error = predict(&rules, IRIS, &["--cuts", &wrong]).refusal();
    assert!(error.contains("wrong.json` as cut points") && error.contains("`petal_lenght`"), "{error}");
    // Certain rules cover 126 of the 150 irises after these cuts.
    assert!(of_numbers["accuracy"]["mean"].as_f64().unwrap() >= 0.84);
    // Intervals of other cut points.
    let other = files.argument("other.csv");
    let width =
        ["rough", "discretize", IRIS, "--decision", "species", "--method", "width", "--bins", "7", "--out", &other];
    roughboard(&width).ended(0);
    assert!(
        predict(&rules, &other, &[]).ended(0).stderr.contains("has other cut points in the test than in the rules")
    );
    // Rules whose conditions are intervals themselves take numbers.
    let by_bounds = files.argument("bounds.json");
    roughboard(&["rough", "rules", IRIS, "--decision", "species", "--from", "mlem2", "--out", &by_bounds]).ended(0);
    let json = predict(&by_bounds, IRIS, &["--json"]).ended(0).json();
    assert!(json["accuracy"]["mean"].as_f64().unwrap() > 0.98, "{}", json["accuracy"]);
}

#[test]
fn one_stray_text_does_not_keep_the_numbers_of_its_column_out_of_intervals() {
    let files = Files::new();
    let training = files.file("training.csv", "x,d\n<= 4.5,lo\n<= 4.5,lo\n> 4.5,hi\n> 4.5,hi\n");
    let rules = rules(&files, &training, "d", &[]);
    let forecasts = |name: &str, cell: &str| {
        let table = files.file(name, format!("x\n1.5\n8\n{cell}\n"));
        let json = predict(&rules, &table, &["--json"]).ended(0).json();
        json["forecasts"].as_array().unwrap().clone()
    };
    let (of_numbers, of_stray) = (forecasts("numbers.csv", "9"), forecasts("stray.csv", "zzz"));
    assert_eq!(of_stray[..2], of_numbers[..2]);
    assert_eq!((&of_stray[1]["predicted"], &of_stray[1]["basis"]), (&json!("hi"), &json!("matching")));
    assert_eq!(of_stray[2]["basis"], "majority");
}

/// `> 2` is a category beside 0, 1 and 2, and no interval that would take them up.
#[test]
fn a_category_that_looks_like_an_interval_leaves_its_column_as_it_is() {
    let files = Files::new();
    let training = files.file("kids.csv", "kids,d\n0,a\n1,b\n2,c\n> 2,e\n".to_owned() + "0,a\n1,b\n2,c\n> 2,e\n");
    let rules = rules(&files, &training, "d", &["--from", "lem2"]);
    let json = predict(&rules, &training, &["--json"]).ended(0).json();
    assert_eq!(json["accuracy"]["mean"], 1.0, "{json}");
}

#[test]
fn a_condition_that_lacks_a_part_is_refused_in_words() {
    let (files, rules) = with_rules();
    let whole = std::fs::read_to_string(&rules).unwrap();
    let mut json: Json = serde_json::from_str(&whole).unwrap();
    json["rules"][0]["conditions"][0] = json!({"attribute": "a", "low": 1});
    let broken = files.file("broken.json", json.to_string());
    let error = predict(&broken, &logic(&files), &[]).refusal();
    assert!(error.contains("a condition must have `attribute`, and `value`, `never`, or both"), "{error}");
}

#[test]
fn standard_input_is_read_once() {
    let error = predict("-", "-", &["--decision", "d", "--classifier", "tree"]).refusal();
    assert_eq!(error, "error: standard input is named 2 times: it can be read once\n");
}

#[test]
fn only_columns_that_rules_ask_for_are_read() {
    let files = Files::new();
    let nested = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/parquet/nested.parquet");
    let rules = |conditions: &str, weight: u32| {
        let rule = format!(r#"{{"conditions":[{conditions}],"decision":"yes","support":3,"matching":3}}"#);
        let head = format!(r#""format":1,"decision":"d","decisions":[{{"value":"yes","weight":{weight}}}]"#);
        files.file("hand.json", format!("{{{head},\"rules\":[{rule}]}}"))
    };
    let of_x = rules(r#"{"attribute":"x","value":1}"#, 3);
    let json = predict(&of_x, nested, &["--json"]).ended(0).json();
    let decided: Vec<&Json> = json["forecasts"].as_array().unwrap().iter().map(|f| &f["basis"]).collect();
    assert_eq!(decided, ["matching", "majority"]);
    let lacking = files.file("lacking.csv", "z,d\n1,yes\n");
    let error = predict(&of_x, &lacking, &[]).refusal();
    assert!(error.contains("hand.json") && error.contains("lacking.csv"), "{error}");
    assert!(error.contains("no attribute column `x`; its columns are `z`, `d`"), "{error}");
    let error = predict(&lacking, &lacking, &[]).refusal();
    assert!(error.contains("as rules: expected the JSON form of `rough rules`"), "{error}");
    // A rule without conditions asks for no column and decides always.
    let weighted = files.file("weighted.csv", "a,n,d\n1,2,yes\n2,3,no\n");
    let json = predict(&rules("", 3), &weighted, &["--weight", "n", "--json"]).ended(0).json();
    assert_eq!((&json["total_weight"], &json["accuracy"]["mean"]), (&json!(5), &json!(0.4)));
    let error = predict(&rules("", 0), &weighted, &[]).refusal();
    assert!(error.contains("no decision has a weight above 0"), "{error}");
}

#[test]
fn decisions_that_the_rules_never_give_are_told() {
    let (files, rules) = with_rules();
    let told = |test: &str, options: &[&str]| {
        let test = files.file("test.csv", test);
        predict(&rules, &test, options).ended(0).stderr
    };
    assert_eq!(
        told("a,b,d\n1,1,2\n0,0,0\n", &["--out", &files.argument("forecasts.csv")]),
        "note: no tested value of `d` (text in the rules, integer in the test) occurs in the rules: is it spelled alike?\n"
    );
    let note = told("a,b,d\n1,1,both\n0,0,NONE\n0,0,NONE\n", &[]);
    assert_eq!(note, "note: the rules do not know the decision `NONE`: is it spelled alike?\n");
}

#[test]
fn objects_that_no_rule_matches_are_told() {
    let files = Files::new();
    let table = logic(&files);
    let rules = rules(&files, &table, "d", &[]);
    let far = files.file("far.csv", "a,b\n7,7\n7,1\n1,1\n");
    let note = predict(&rules, &far, &["--json"]).ended(0);
    let nearest = "there rules of which a part of the conditions is met decide about 1";
    let told =
        format!("note: no rule matches 2 of 3 objects; {nearest}, and the most frequent decision decides about 1\n");
    assert!(note.stderr.contains(&told), "{}", note.stderr);
    assert_eq!(note.json()["unmatched"], json!(2.0 / 3.0));
    let note = predict(&rules, &far, &["--unmatched", "majority"]).ended(0).stderr;
    assert!(note.contains("there the most frequent decision decides\n"), "{note}");
    let few = ["--from", "inclusion", "--min-support", "50", "--force"];
    let none = self::rules(&files, &table, "d", &few);
    let note = predict(&none, &table, &[]).ended(0).stderr;
    assert!(
        note.contains("rules.json` holds no rule: the most frequent decision is forecast for every object"),
        "{note}"
    );
}

#[test]
fn names_of_objects_stand_beside_their_forecasts() {
    let (files, rules) = with_rules();
    let new = files.file("new.csv", "who,a,b\nEve,1,1\nAda,0,0\n");
    let csv = predict(&rules, &new, &["--id", "who", "--csv"]).ended(0).stdout;
    assert!(csv.starts_with("who,object,weight,true,predicted,") && csv.contains("\nAda,2,1,,none,"), "{csv}");
    let shown = predict(&rules, &new, &["--id", "who"]).ended(0).stdout;
    assert!(shown.contains("\nwho  predicted  true  decided by\nEve  both"), "{shown}");
    let json = predict(&rules, &new, &["--id", "who", "--json"]).ended(0).json();
    assert_eq!((&json["forecasts"][1]["id"], &json["forecasts"][1]["predicted"]), (&json!("Ada"), &json!("none")));
    let error = predict(&rules, &new, &["--id", "whom"]).refusal();
    assert!(error.contains("new.csv") && error.contains("no attribute column `whom`"), "{error}");
}

/// Cut points are for what decides, and not for the names.
#[test]
fn names_of_objects_are_not_cut() {
    let files = Files::new();
    let line = |i: u32| format!("{},{},{}\n", 1000 + i, i % 7, if i % 7 > 3 { "sick" } else { "well" });
    let table = files.file("t.csv", format!("patient,temp,d\n{}", (1..=30).map(line).collect::<String>()));
    let cuts = files.file("cuts.json", r#"{"patient":[1010.5],"temp":[3.5]}"#);
    let cut = files.argument("cut.csv");
    let discretize = ["rough", "discretize", &table, "--decision", "d", "--cuts", &cuts, "--out", &cut];
    roughboard(&discretize).ended(0);
    let rules = rules(&files, &cut, "d", &["--from", "lem2"]);
    let with_cuts = ["--id", "patient", "--cuts", &cuts, "--csv"];
    let by_rules = predict(&rules, &table, &with_cuts).ended(0).stdout;
    let by_tree = [&with_cuts[..], &["--decision", "d", "--classifier", "tree"]].concat();
    let by_tree = predict(&table, &table, &by_tree).ended(0);
    for csv in [&by_rules, &by_tree.stdout] {
        assert!(csv.contains("\n1001,1,") && csv.contains("\n1030,30,"), "{csv}");
    }
    // What compares by order asks for no known values.
    let other = files.file("other.csv", "patient,temp,d\n7,2.5,well\n");
    for classifier in ["tree", "majority"] {
        let told = predict(&table, &other, &["--decision", "d", "--classifier", classifier]).ended(0).stderr;
        assert!(!told.contains("no tested value"), "{told}");
    }
}

#[test]
fn decisions_that_say_the_same_are_known() {
    let files = Files::new();
    let rules = rules(&files, &files.file("t.csv", "a,d\n1,1\n2,2\n"), "d", &[]);
    let test = files.file("test.csv", "a,d\n1,1.0\n2,2.5\n");
    let errors = predict(&rules, &test, &[]).ended(0).stderr;
    assert!(errors.contains("do not know the decision `2.5`") && !errors.contains("`1"), "{errors}");
}

#[test]
fn options_without_effect_are_refused() {
    let (files, rules) = with_rules();
    let table = logic(&files);
    let refused = |options: &[&str], message: &str| {
        let error = predict(&rules, &table, options).refusal();
        assert!(error.contains(message), "{error}");
    };
    refused(&["--id", "d"], "`--id` must be a column beside the decision and the weight, got `d`");
    refused(&["--nominal"], "--nominal");
}
