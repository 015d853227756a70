//! `roughboard rough classify` on files, good and bad.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::command::{self, Files, Run};
use crate::discretize::IRIS;

impl Files {
    /// 60 objects: d is `both` where a and b are 1, `one` where one of them is, else `none`; c is noise.
    fn logic(&self) -> PathBuf {
        let line = |i: u32| {
            let (a, b, c) = (i % 2, i / 2 % 2, i * 7 % 5);
            format!("{a},{b},{c},{}\n", ["none", "one", "both"][(a + b) as usize])
        };
        self.write("logic.csv", format!("a,b,c,d\n{}", (0..60).map(line).collect::<String>()))
    }
}

fn run(table: &Path, options: &[&str]) -> Run {
    let fixed = ["rough", "classify", table.to_str().unwrap(), "--decision", "d"];
    command::roughboard(&[&fixed[..], options].concat())
}

/// What is noted where the contents of `test` are tested by what is learned from `train`.
fn noted(files: &Files, train: &Path, test: &str, options: &[&str]) -> String {
    let test = files.write("test.csv", test);
    run(train, &[&["--test", test.to_str().unwrap()], options].concat()).ended(0).stderr
}

fn json_of(table: &Path, options: &[&str]) -> Json {
    run(table, &[options, &["--json"]].concat()).ended(0).json()
}

fn refusal(table: &Path, options: &[&str]) -> String {
    run(table, options).refusal()
}

const ALL: [&str; 4] = ["--baseline", "tree,logistic,knn,majority", "--pipeline", "reduct-tree"];

#[test]
fn learners_are_compared_on_the_same_folds() {
    let files = Files::new();
    let json = json_of(&files.logic(), &ALL);
    let names: Vec<&str> =
        json["learners"].as_array().unwrap().iter().map(|l| l["learner"].as_str().unwrap()).collect();
    assert_eq!(names, ["rules", "tree", "logistic", "knn", "majority", "reduct-tree"]);
    assert_eq!(json["decisions"], json!(["both", "none", "one"]));
    assert_eq!(json["split"]["method"], "stratified cross-validation");
    let learner = |at: usize| &json["learners"][at];
    for right in [0, 1, 5] {
        assert_eq!(learner(right)["accuracy"]["mean"], 1.0);
        assert_eq!(learner(right)["confusion"], json!([[15, 0, 0], [0, 15, 0], [0, 0, 30]]));
    }
    assert_eq!(learner(4)["confusion"], json!([[0, 0, 15], [0, 0, 15], [0, 0, 30]]));
    assert_eq!(learner(4)["rules_minus_this"]["mean"], 0.5);
    assert_eq!(learner(4)["classes"][0]["precision"], Json::Null);
    assert!((learner(4)["balanced_accuracy"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-15);
    let folds = learner(0)["folds"].as_array().unwrap();
    assert_eq!(folds.len(), 10);
    assert!(folds.iter().all(|f| f["test_weight"] == 6 && f["reduct"] == 2 && f["rules"] == 4));
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let files = Files::new();
    let (table, predictions) = (files.logic(), files.path("predictions.csv"));
    let result = |seed: &str, threads: &str| {
        let options = ["--repeats", "3", "--reducts", "4", "--seed", seed, "--all", "--threads", threads];
        let file = ["--force", "--predictions", predictions.to_str().unwrap()];
        let answer = run(&table, &[&options[..], &file, &ALL].concat()).ended(0).stdout;
        (answer, std::fs::read(&predictions).unwrap())
    };
    let of_one_thread = result("7", "1");
    assert!(of_one_thread == result("7", "2") && of_one_thread == result("7", "5"));
    assert!(of_one_thread.1 != result("8", "1").1);
}

#[test]
fn folds_that_are_all_alike_give_no_interval() {
    let files = Files::new();
    let table = files.logic();
    // Every fold has 3 of 6 objects of the most frequent decision.
    let accuracy = &json_of(&table, &[])["learners"][1]["accuracy"];
    assert_eq!(accuracy, &json!({ "mean": 0.5, "interval": [null, null] }));
    let text = run(&table, &[]).ended(0).stdout;
    let line = text.lines().find(|line| line.starts_with("majority")).unwrap();
    assert!(line.starts_with("majority  unused   50.00 %   –  "), "{line}");
}

#[test]
fn predictions_name_every_tested_object() {
    let files = Files::new();
    let path = files.path("predictions.csv");
    let text =
        run(&files.logic(), &["--folds", "4", "--repeats", "2", "--predictions", path.to_str().unwrap()]).ended(0);
    assert!(
        text.stdout.contains("4-fold cross-validation, 2 times, each object counted each time, seed 1"),
        "{}",
        text.stdout
    );
    let csv = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "learner,repeat,fold,object,weight,true,predicted,basis,rules,vote=both,vote=none,vote=one");
    assert_eq!(lines.len(), 1 + 2 * 2 * 60);
    let mut objects: Vec<u32> = lines[1..=60].iter().map(|l| l.split(',').nth(3).unwrap().parse().unwrap()).collect();
    objects.sort_unstable();
    assert_eq!(objects, (1..=60).collect::<Vec<_>>());
    let first: Vec<&str> = lines[1].split(',').collect();
    assert_eq!((first[0], first[4], first[7], first[8]), ("rules", "1", "matching", "1"));
    let votes: Vec<f64> = first[9..].iter().map(|vote| vote.parse().unwrap()).collect();
    let decision = ["both", "none", "one"].iter().position(|value| *value == first[5]).unwrap();
    assert!(votes.iter().enumerate().all(|(at, vote)| (*vote > 0.0) == (at == decision)), "{csv}");
}

/// The numbers of the objects in a file of predictions, with the decision of each, sorted and each once.
fn numbered(path: &Path) -> Vec<(u32, String)> {
    let csv = std::fs::read_to_string(path).unwrap();
    let cells = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let mut found: Vec<_> = cells.map(|cells| (cells[3].parse().unwrap(), cells[5].to_owned())).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn predictions_number_objects_by_the_rows_of_the_file() {
    let files = Files::new();
    let path = files.path("predictions.csv");
    let file = ["--force", "--predictions", path.to_str().unwrap()];
    // Row 2 lacks a, row 3 the decision.
    let table = files.write("gaps.csv", "a,d\n1,x\n,y\n3,\n4,y\n5,x\n6,y\n");
    let of = |rows: &[(u32, &str)]| rows.iter().map(|(row, d)| (*row, (*d).to_owned())).collect::<Vec<_>>();
    let all = of(&[(1, "x"), (2, "y"), (4, "y"), (5, "x"), (6, "y")]);
    let complete = of(&[(1, "x"), (4, "y"), (5, "x"), (6, "y")]);
    for (options, expected) in [(&[][..], &all), (&["--missing", "drop"], &complete)] {
        run(&table, &[&["--folds", "2"], &file[..], options].concat()).ended(0);
        assert_eq!(&numbered(&path), expected, "{options:?}");
        run(&table, &[&["--test", table.to_str().unwrap()], &file[..], options].concat()).ended(0);
        assert_eq!(&numbered(&path), expected, "{options:?}");
    }
}

#[test]
fn a_test_file_is_matched_by_name_and_value() {
    let files = Files::new();
    // Other columns, other types, another order, a value and a decision that training did not see.
    let test = files.write("test.csv", "d,b,x,a\nboth,1,9,1\nnone,0.0,9,0\none,0,9,1\nodd,0.5,9,0\n");
    let json =
        json_of(&files.logic(), &["--test", test.to_str().unwrap(), "--attributes", "a,b", "--unmatched", "majority"]);
    assert_eq!(json["decisions"], json!(["both", "none", "one", "odd"]));
    assert_eq!(json["warnings"], json!(["decision `odd` is tested but not trained on"]));
    let rules = &json["learners"][0];
    assert_eq!(rules["confusion"], json!([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]]));
    assert_eq!((rules["unmatched"].as_f64(), rules["accuracy"]["mean"].as_f64()), (Some(0.25), Some(0.75)));
    assert_eq!(json["split"]["method"], "hold-out");
}

/// What is said of columns may be said of those that training alone has.
#[test]
fn a_test_file_may_lack_what_is_ignored() {
    let files = Files::new();
    let test = files.write("test.csv", "a,b,d\n1,1,both\n0,0,none\n");
    let options = ["--test", test.to_str().unwrap(), "--ignore", "c"];
    assert_eq!(json_of(&files.logic(), &options)["learners"][0]["accuracy"]["mean"], 1.0);
    let error = refusal(&files.logic(), &["--test", test.to_str().unwrap(), "--ignore", "e"]);
    assert!(error.contains("logic.csv") && error.contains("`e`"), "{error}");
}

#[test]
fn many_decisions_that_are_not_trained_on_have_one_warning() {
    let files = Files::new();
    let rows: String = (1..=7).map(|i| format!("1,1,0,odd{i}\n")).collect();
    let test = files.write("test.csv", format!("a,b,c,d\n{rows}"));
    let json = json_of(&files.logic(), &["--test", test.to_str().unwrap()]);
    let warning = "7 decisions are tested but not trained on: `odd1`, `odd2`, `odd3`, `odd4`, `odd5` and 2 more";
    assert_eq!(json["warnings"], json!([warning]));
}

#[test]
fn attributes_of_which_no_tested_value_was_trained_on_are_noted() {
    let files = Files::new();
    let train = files.write("train.csv", "flag,x,d\nTrue,1.5,a\nFalse,2.5,b\nTrue,3.5,a\n");
    let told = |test: &str, options: &[&str]| noted(&files, &train, test, options);
    let integers = "note: no tested value of `flag` (boolean in training, integer in the test) occurs in training";
    assert!(told("flag,x,d\n1,1.5,a\n0,2.5,b\n", &[]).starts_with(integers));
    let numbers = "flag,x,d\nTrue,1.6,a\nFalse,2.6,b\n";
    assert!(told(numbers, &[]).starts_with("note: no tested value of `x` occurs in training: is it spelled alike?\n"));
    for options in [&["--from", "mlem2"][..], &["--discretize", "mdlp"]] {
        assert_eq!(told(numbers, options), "");
    }
}

#[test]
fn tested_values_of_another_kind_that_training_lacks_are_counted() {
    let files = Files::new();
    let train = files.write("train.csv", "zip,d\n01000,a\n12000,b\n09000,a\n13000,b\n");
    let told = |test: &str| noted(&files, &train, test, &[]);
    let note = "note: 2 of 4 tested values of `zip` (text in training, integer in the test) do not occur in training: \
        are they spelled alike?\n";
    assert!(told("zip,d\n1000,a\n12000,b\n9000,a\n13000,b\n").contains(note));
    assert!(!told("zip,d\n01000,a\n12000,b\n99000,a\n13000,b\n").contains("spelled alike"));
}

#[test]
fn intervals_of_other_cut_points_are_noted() {
    let files = Files::new();
    let train = files.write("train.csv", "x,d\n<= 2.5,a\n\"(2.5, 7]\",b\n> 9,a\n");
    let told = |test: &str| noted(&files, &train, test, &[]);
    let note =
        "note: `x` has other cut points in the test than in training, `<= 3.5` and `<= 2.5`: save the cut points";
    let stderr = told("x,d\n<= 3.5,a\n> 9,b\n");
    assert!(stderr.contains(note) && stderr.contains("--save-cuts") && stderr.contains("--cuts"), "{stderr}");
    // No trained object lies in one of these, but they may lie between the same cut points.
    assert!(!told("x,d\n<= 2.5,a\n\"(7, 9]\",b\n").contains("cut points"));
}

#[test]
fn every_source_and_vote_of_rules_can_be_chosen() {
    let files = Files::new();
    let table = files.logic();
    for origin in ["reduct", "minimal", "inclusion"] {
        for vote in ["support", "confidence", "confidence-coverage", "count", "best"] {
            let of_reduct: &[&str] = if origin == "reduct" { &["--method", "backward"] } else { &[] };
            let json = json_of(&table, &[&["--from", origin, "--vote", vote], of_reduct].concat());
            let accuracy = json["learners"][0]["accuracy"]["mean"].as_f64().unwrap();
            // Covering adds conditions one by one, and neither a nor b alone tells anything about `one`.
            let least = if origin == "inclusion" { 0.5 } else { 0.95 };
            assert!(accuracy >= least, "{origin} {vote}: {accuracy}");
        }
    }
}

fn on_iris(options: &[&str]) -> Run {
    command::roughboard(&[&["rough", "classify", IRIS, "--decision", "species"], options].concat())
}

#[test]
fn numbers_are_cut_inside_each_fold() {
    let accuracy = |options: &[&str]| {
        let json = on_iris(&[options, &["--json"]].concat()).ended(0).json();
        (json["learners"][0]["accuracy"]["mean"].as_f64().unwrap(), json["discretize"].clone())
    };
    let (by_values, none) = accuracy(&[]);
    assert!(by_values < 0.85 && none.is_null(), "{by_values}");
    for method in ["mdlp", "md"] {
        let (by_intervals, named) = accuracy(&["--discretize", method]);
        assert!(by_intervals > 0.91, "{method}: {by_intervals}");
        assert_eq!(named, json!(method));
    }
    let text = on_iris(&["--discretize", "frequency", "--bins", "4", "--only", "petal_width"]).ended(0).stdout;
    assert!(text.starts_with("150 objects") && text.contains("seed 1; numbers cut by frequency\n"), "{text}");
    let refusals: [(&[&str], &str); 5] = [
        (&["--cut-for", "all"], "`--cut-for` has no effect without `--discretize`"),
        (&["--discretize", "mdlp", "--bins", "3"], "`--bins` has no effect with `--discretize mdlp`"),
        (&["--bins", "3"], "`--bins` has no effect without `--discretize width` or `--discretize frequency`"),
        (&["--only", "petal_width"], "`--only` has no effect without `--discretize`"),
        (&["--discretize", "mdlp", "--only", "petal"], "no attribute column `petal`"),
    ];
    for (options, message) in refusals {
        let error = on_iris(options).refusal();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn tested_rows_that_were_trained_on_are_noted_and_too_few_give_no_interval() {
    let notes = on_iris(&["--test", IRIS]).ended(0).stderr;
    assert!(notes.contains("note: 150 of 150 tested rows are among the training rows\n"), "{notes}");
    let files = Files::new();
    let train = files.write("train.csv", "x,d\n1,1\n2,0\n3,1\n4,0\n");
    let test = files.write("test.csv", "x,d\n1.0,1.0\n2.0,0.0\n");
    let json = json_of(&train, &["--test", test.to_str().unwrap()]);
    assert!(json["learners"][1]["rules_minus_this"]["interval"][0].is_null(), "{json}");
    let run = run(&train, &["--test", test.to_str().unwrap()]).ended(0);
    let line = run.stdout.lines().find(|line| line.contains(" points")).unwrap();
    assert!(line.trim_end().ends_with('–'), "{line}");
    assert!(run.stderr.contains("note: 2 of 2 tested rows"), "{}", run.stderr);
}

#[test]
fn attributes_that_say_little_when_compared_for_equality_are_noted() {
    let files = Files::new();
    let line = |i: u32| format!("k{i},{},{},{}\n", i % 2, i % 3, i % 2 * (i % 3));
    let table = files.write("named.csv", format!("name,a,b,d\n{}", (0..30).map(line).collect::<String>()));
    let of = |command: &str, options: &[&str]| {
        let start = ["rough", command, table.to_str().unwrap(), "--decision", "d"];
        command::roughboard(&[&start[..], options].concat()).ended(0).stderr
    };
    for command in ["core", "reduct", "reducts", "rules", "classify"] {
        let note = of(command, &[]);
        assert!(note.contains("own value of `name`") && note.contains("--ignore name\n"), "{command}: {note}");
        assert!(!of(command, &["--ignore", "name"]).contains("note"), "{command}");
    }
    let on_iris = |command: &str, options: &[&str]| {
        command::roughboard(&[&["rough", command, IRIS, "--decision", "species"], options].concat()).ended(0).stderr
    };
    assert!(on_iris("classify", &[]).contains("--discretize mdlp"));
    assert!(on_iris("reduct", &[]).contains("`sepal_length` `sepal_width` `petal_length` `petal_width`"));
    assert!(on_iris("rules", &[]).contains("rough discretize"));
    let at_ease: [(&str, &[&str]); 3] = [
        ("classify", &["--discretize", "mdlp"]),
        ("rules", &["--from", "mlem2"]),
        ("reduct", &["--relation", "neighbourhood"]),
    ];
    for (command, options) in at_ease {
        assert!(!on_iris(command, options).contains("note"), "{command}");
    }
}

#[test]
fn decisions_with_few_objects_are_named() {
    let files = Files::new();
    let table = files.write("rare.csv", "a,d\n1,x\n2,x\n3,x\n4,y\n");
    let text = run(&table, &["--folds", "3"]).ended(0).stdout;
    assert!(text.contains("warning: decision `y` has 1 object, fewer than the 3 folds"), "{text}");
    let json = json_of(&table, &["--folds", "3"]);
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn weights_count_as_objects() {
    let files = Files::new();
    let merged = files.write("merged.csv", "a,d=x,d=y\n1,30,0\n2,2,28\n");
    let json = json_of(&merged, &[]);
    assert_eq!((&json["n_objects"], &json["total_weight"]), (&json!(3), &json!(60)));
    assert_eq!(json["learners"][0]["confusion"], json!([[30, 2], [0, 28]]));
}

#[test]
fn what_cannot_be_done_is_refused_in_one_line() {
    let files = Files::new();
    let table = files.logic();
    let small = files.write("small.csv", "a,d\n1,x\n2,y\n3,y\n");
    assert!(refusal(&small, &[]).contains("10 folds need at least 10 objects, the table has 3"));
    let lacking = files.write("lacking.csv", "a,d\n1,one\n");
    let error = refusal(&table, &["--test", lacking.to_str().unwrap()]);
    assert!(error.contains("lacking.csv") && error.contains("no attribute column `b`"), "{error}");
    let endless = files.write("endless.csv", "a,d\n1,x\n2,y\ninf,y\n");
    let error = refusal(&endless, &["--test", small.to_str().unwrap(), "--baseline", "knn", "--k", "1"]);
    assert!(error.contains("attribute `a` has infinite numbers") && !error.contains("small.csv"), "{error}");
    let nowhere = refusal(&table, &["--predictions", files.path("no/such/folder.csv").to_str().unwrap()]);
    assert!(nowhere.contains("cannot write"), "{nowhere}");
    let wide: String = (0..5000).map(|i| format!("{i},{}\n", i % 2)).collect();
    let wide = files.write("wide.csv", format!("a,d\n{wide}"));
    let error = refusal(&wide, &["--baseline", "logistic", "--nominal"]);
    assert!(
        error.contains("the logistic baseline takes at most 4096 columns of numbers, this table gives 5000"),
        "{error}"
    );
    let many: String = (0..9000).map(|i| format!("{},x{i}\n", i % 7)).collect();
    let error = refusal(&files.write("many.csv", format!("a,d\n{many}")), &[]);
    assert!(error.contains("the decision has 9000 values, at most 2048 can stand in a confusion table"), "{error}");
    let idle: [(&[&str], &str); 5] = [
        (&["--k", "3"], "`--k` has no effect with `--baseline majority`: leave it out, or use `--baseline knn`"),
        (
            &["--per-class", "3"],
            "`--per-class` has no effect with `--from reduct`: leave it out, or use `--from minimal`",
        ),
        (&["--max-length", "3"], "`--max-length` has no effect with `--from reduct`"),
        (&["--from", "lem2", "--limit", "3"], "`--limit` has no effect with `--from lem2`"),
        (
            &["--from", "lem2", "--method", "gini"],
            "`--method` has no effect with `--from lem2`: leave it out, or use `--from reduct` or `--pipeline reduct-tree`",
        ),
    ];
    for (options, message) in idle {
        let error = refusal(&table, options);
        assert!(error.contains(message), "{error}");
    }
    for options in [["--folds", "1"], ["--repeats", "0"], ["--vote", "loud"], ["--baseline", "oracle"]] {
        run(&table, &options).ended(2);
    }
    run(&table, &["--baseline", "knn", "--k", "0"]).ended(2);
    let error = refusal(&table, &["--baseline", "knn", "--k", "10000"]);
    assert!(error.contains("`--k` must be at most the 54 training objects, got 10000"), "{error}");
    run(&table, &["--test", table.to_str().unwrap(), "--folds", "5"]).ended(2);
}

/// The irises of every third row, and the others.
fn halves_of_iris(files: &Files) -> [String; 2] {
    let iris = std::fs::read_to_string(IRIS).unwrap();
    let (header, rows) = iris.split_once('\n').unwrap();
    let of = |is_test: bool| {
        let rows = rows.lines().enumerate().filter(|(at, _)| (at % 3 == 0) == is_test);
        let rows: String = rows.map(|(_, row)| format!("{row}\n")).collect();
        let path = files.write(if is_test { "test.csv" } else { "train.csv" }, format!("{header}\n{rows}"));
        path.to_str().unwrap().to_owned()
    };
    [of(false), of(true)]
}

/// What `rough classify` measures of rules from one table on another, with the rules of the first.
fn measured([train, test]: &[String; 2], options: &[&str]) -> Json {
    let start = ["rough", "classify", train, "--test", test, "--decision", "species", "--force", "--json"];
    command::roughboard(&[&start[..], options].concat()).ended(0).json()["learners"][0].clone()
}

#[test]
fn the_rules_that_were_measured_can_be_saved_and_applied() {
    let files = Files::new();
    let tables = halves_of_iris(&files);
    let saved = files.argument("rules.json");
    let of: [&[&str]; 5] = [
        &["--discretize", "mdlp", "--from", "inclusion"],
        &["--discretize", "mdlp", "--from", "minimal", "--vote", "count", "--unmatched", "majority"],
        &["--discretize", "md", "--reducts", "3"],
        &["--from", "mlem2"],
        &["--complete", "mean", "--discretize", "frequency"],
    ];
    for options in of {
        let measured = measured(&tables, &[options, &["--save", &saved]].concat());
        let applied = command::roughboard(&["rough", "predict", &saved, &tables[1], "--json"]).ended(0).json();
        assert_eq!(applied["confusion"], measured["confusion"], "{options:?}");
        assert_eq!(applied["unmatched"], measured["unmatched"], "{options:?}");
    }
}

#[test]
fn rules_and_classify_find_the_same_rules_of_inclusion() {
    let files = Files::new();
    let tables = halves_of_iris(&files);
    let [cut, cuts, rules] = ["cut.csv", "cuts.json", "rules.json"].map(|name| files.argument(name));
    let decision = ["--decision", "species"];
    let discretize = ["rough", "discretize", &tables[0], "--method", "mdlp", "--out", &cut, "--save-cuts", &cuts];
    command::roughboard(&[&discretize[..], &decision].concat()).ended(0);
    let find = ["rough", "rules", &cut, "--from", "inclusion", "--out", &rules];
    command::roughboard(&[&find[..], &decision].concat()).ended(0);
    let measured = measured(&tables, &["--discretize", "mdlp", "--from", "inclusion"]);
    for options in [&[][..], &["--cuts", &cuts]] {
        let applied = [&["rough", "predict", &rules, &tables[1], "--json"], options].concat();
        let applied = command::roughboard(&applied).ended(0).json();
        assert_eq!((&applied["confusion"], &applied["vote"]), (&measured["confusion"], &json!("best")));
    }
}

#[test]
fn baselines_see_numbers_as_they_are() {
    let of = |options: &[&str]| -> Vec<(String, String, f64)> {
        let given = ["--baseline", "tree,logistic,knn,frnn,majority", "--pipeline", "reduct-tree", "--json"];
        let json = on_iris(&[&given[..], options].concat()).ended(0).json();
        let word = |learner: &Json, key: &str| learner[key].as_str().unwrap().to_owned();
        let learner = |l: &Json| (word(l, "learner"), word(l, "numbers"), l["accuracy"]["mean"].as_f64().unwrap());
        json["learners"].as_array().unwrap().iter().map(learner).collect()
    };
    let seen =
        |learners: &[(String, String, f64)]| learners.iter().map(|(_, numbers, _)| numbers.clone()).collect::<Vec<_>>();
    let (raw, cut) = (of(&[]), of(&["--discretize", "mdlp"]));
    assert_eq!(seen(&raw), ["values", "order", "scaled", "scaled", "scaled", "unused", "values"]);
    assert_eq!(seen(&cut), ["cut", "order", "scaled", "scaled", "scaled", "unused", "cut"]);
    // Cutting for the rules leaves the baselines what they were.
    assert_eq!(raw[1..6], cut[1..6]);
    for (name, _, accuracy) in &raw[2..5] {
        assert!(*accuracy >= 0.94, "{name}: {accuracy}");
    }
    assert_eq!(seen(&of(&["--discretize", "mdlp", "--cut-for", "all"])), ["cut"; 7]);
    let nominal = of(&["--nominal"]);
    assert_eq!(seen(&nominal)[2..4], ["values", "values"]);
    assert!(nominal[3].2 < raw[3].2, "{nominal:?}");
    let text = on_iris(&["--discretize", "mdlp", "--baseline", "knn"]).ended(0).stdout;
    assert!(text.contains("\nlearner  numbers  accuracy  ") && text.contains("\nknn      scaled   9"), "{text}");
}
