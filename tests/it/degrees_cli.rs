//! Fuzzy-rough sets and the dominance-based approach on the command line.

use serde_json::{Value as Json, json};

use crate::command::{Files, Run, roughboard};

/// The example of Jensen & Shen, *New approaches to fuzzy-rough feature selection*, IEEE Trans. Fuzzy Systems 17, 2009.
const FEATURES: &str = "a,b,c,q\n-0.4,-0.3,-0.5,no\n-0.4,0.2,-0.1,yes\n-0.3,-0.4,-0.3,no\n0.3,-0.3,0,yes\n\
    0.2,-0.3,0,yes\n0.2,0,0,no\n";
/// The students of the article "Dominance-based rough set approach" of Wikipedia, with its figures below: x4 and x6 contradict
/// each other.
const STUDENTS: &str = "mathematics,physics,literature,q\nmedium,medium,bad,bad\ngood,medium,bad,medium\n\
    medium,good,bad,medium\nbad,medium,good,bad\nbad,bad,medium,bad\nbad,medium,medium,medium\ngood,good,bad,good\n\
    good,medium,medium,medium\nmedium,medium,good,good\ngood,medium,good,good\n";

fn rough(command: &str, table: &str, options: &[&str]) -> Run {
    Files::decided_by("q").rough(command, table, options)
}

fn fuzzy(options: &[&str]) -> Json {
    rough("fuzzy", FEATURES, &[&["--similarity", "triangular", "--json"], options].concat()).ended(0).json()
}

fn close(found: &Json, expected: f64) -> bool {
    (found.as_f64().unwrap() - expected).abs() < 5e-5
}

#[test]
fn dependencies_and_the_reduct_are_those_of_the_paper() {
    for (attributes, gamma) in [("b", 0.3597), ("c", 0.4078), ("a,c", 0.5501), ("b,c", 1.0)] {
        let json = fuzzy(&["--attributes", attributes]);
        assert!(close(&json["gamma"], gamma), "{attributes}: {json}");
    }
    let json = fuzzy(&["--reduct"]);
    assert_eq!((&json["reduct"], &json["gamma"]), (&json!(["b", "c"]), &json!(1.0)));
    assert_eq!((&json["steps"][0]["attribute"], &json["steps"][1]["attribute"]), (&json!("c"), &json!("b")));
    let less = fuzzy(&["--reduct", "--share", "0.4"]);
    assert_eq!((&less["reduct"], &less["share"]), (&json!(["c"]), &json!(0.4)));
    let error = rough("fuzzy", FEATURES, &["--reduct", "--share", "1.5"]).refusal();
    assert_eq!(error, "error: `--share` must be in (0, 1], got 1.5\n");
    let error = rough("fuzzy", FEATURES, &["--share", "0.5"]).refusal();
    assert!(error.contains("`--share` has no effect without `--reduct`"), "{error}");
}

#[test]
fn degrees_of_objects_are_listed() {
    let json = rough("fuzzy", FEATURES, &["--attributes", "a", "--json"]).ended(0).json();
    // The range of a is 0.7: objects 1 and 2 are equal, and 6 is as far from 4 as 1/7.
    let third = &json["objects"][2];
    assert!(close(&third["positive"], 1.0 / 7.0) && close(&third["upper"]["yes"], 6.0 / 7.0), "{third}");
    assert!(close(&third["lower"]["no"], 1.0 / 7.0) && close(&third["lower"]["yes"], 0.0), "{third}");
    assert_eq!(
        json["settings"],
        json!({ "similarity": "range", "t_norm": "lukasiewicz", "implicator": "lukasiewicz" })
    );
    let text = rough("fuzzy", FEATURES, &["--attributes", "a"]).ended(0).stdout;
    assert!(
        text.contains("gamma  0.047619") && text.contains("3       no        0.1429    0.1429    0.0000"),
        "{text}"
    );
    let files = Files::decided_by("q");
    let path = files.path("degrees.csv");
    files.text("fuzzy", FEATURES, &["--out", path.to_str().unwrap()]);
    let csv = std::fs::read_to_string(path).unwrap();
    assert!(csv.starts_with("object,decision,positive,lower=no,lower=yes,upper=no,upper=yes\n1,no,"), "{csv}");
    assert_eq!(csv.lines().count(), 7);
}

#[test]
fn neighbours_that_know_numbers_are_baselines() {
    let iris = "tests/data/iris.csv";
    let given = ["rough", "classify", iris, "--decision", "species", "--baseline", "frnn,riona", "--json"];
    let json = roughboard(&given).ended(0).json();
    for name in ["frnn", "riona"] {
        let learner = json["learners"].as_array().unwrap().iter().find(|learner| learner["learner"] == name).unwrap();
        assert!(learner["accuracy"]["mean"].as_f64().unwrap() > 0.93, "{learner}");
    }
    let refusal = |options: &[&str]| {
        roughboard(&[&["rough", "classify", iris, "--decision", "species"], options].concat()).refusal()
    };
    let error = refusal(&["--t-norm", "product"]);
    assert!(error.contains("`--t-norm` has no effect with `--baseline majority`"), "{error}");
    let error = refusal(&["--baseline", "frnn", "--k-max", "7"]);
    assert!(error.contains("`--k-max` has no effect with `--baseline frnn`"), "{error}");
}

const CRITERIA: [&str; 4] = ["--gain", "mathematics,physics,literature", "--order", "bad,medium,good"];

#[test]
fn unions_of_classes_are_those_of_the_example() {
    let json = rough("dominance", STUDENTS, &[&CRITERIA[..], &["--json"]].concat()).ended(0).json();
    assert_eq!((&json["quality_fraction"], &json["classes"]), (&json!([8, 10]), &json!(["bad", "medium", "good"])));
    let unions = &json["unions"];
    let of = |at: usize| (&unions[at]["union"], &unions[at]["class"], &unions[at]["lower"], &unions[at]["boundary"]);
    assert_eq!(of(0), (&json!("at most"), &json!("bad"), &json!([1, 5]), &json!([4, 6])));
    assert_eq!(of(1), (&json!("at most"), &json!("medium"), &json!([1, 2, 3, 4, 5, 6, 8]), &json!([])));
    assert_eq!(of(2), (&json!("at least"), &json!("medium"), &json!([2, 3, 7, 8, 9, 10]), &json!([4, 6])));
    assert_eq!(of(3), (&json!("at least"), &json!("good"), &json!([7, 9, 10]), &json!([])));
    assert_eq!((&unions[0]["upper"], &unions[0]["accuracy_fraction"]), (&json!([1, 4, 5, 6]), &json!([2, 4])));
    let text = rough("dominance", STUDENTS, &CRITERIA).ended(0).stdout;
    assert!(text.contains("classes bad < medium < good\n\nquality  8/10 = 0.800000"), "{text}");
    assert!(text.contains("at least good") && text.contains("6/8 = 0.7500"), "{text}");
}

#[test]
fn reducts_keep_the_quality() {
    let given = [&CRITERIA[..], &["--reducts", "--json"]].concat();
    let json = rough("dominance", STUDENTS, &given).ended(0).json();
    assert_eq!(json["reducts"], json!([["mathematics", "physics", "literature"]]));
    let text = rough("dominance", "a,b,q\n1,9,0\n2,8,1\n3,7,2\n", &["--gain", "a", "--cost", "b", "--reducts"]);
    assert_eq!(text.ended(0).stdout, "2 reducts (quality by dominance)\n  a\n  b\n");
}

#[test]
fn texts_with_commas_are_ranked() {
    let table = "a,q\n1,low\n2,\"very, high\"\n3,\"very, very high\"\n";
    let options = ["--gain", "a", "--order", "low,very, high,very, very high", "--json"];
    let json = rough("dominance", table, &options).ended(0).json();
    assert_eq!(json["classes"], json!(["low", "very, high", "very, very high"]));
}

#[test]
fn preferences_that_make_no_sense_are_refused() {
    let refusal = |options: &[&str]| rough("dominance", STUDENTS, options).refusal();
    assert!(refusal(&[]).contains("expected criteria: name those of which more is better with --gain"));
    let error = refusal(&["--gain", "mathematics,physics,literature"]);
    let expected = "`mathematics` has the text `bad`, which the order of texts lacks: list all its values, the least first, with `--order`";
    assert!(error.contains(expected), "{error}");
    let error =
        refusal(&["--gain", "mathematics,physics,literature", "--cost", "physics", "--order", "bad,medium,good"]);
    assert_eq!(error, "error: criterion `physics` cannot be both a gain and a cost\n");
    let error = rough("dominance", "a,q\n1,0\n2,1\n", &["--gain", "a", "--order", "x,y"]).refusal();
    assert!(error.contains("`--order` has no effect without criteria that are text"), "{error}");
    let numbers = |order| rough("dominance", "a,q\nlow,1\nhigh,2\n", &["--gain", "a", "--order", order]);
    assert!(numbers("low,high,2,1").refusal().contains("--order names `2`, which is no text"));
    let unknown = numbers("low,medium,high").ended(0).stderr;
    assert_eq!(unknown, "note: `--order` names `medium`, which no object has\n");
    let note = rough("dominance", "a,b,q\n1,x,0\n2,y,1\n", &["--gain", "a"]).ended(0).stderr;
    assert_eq!(note, "note: `b` is not a criterion: only objects with equal values of it are compared\n");
    let several = rough("dominance", "a,b,c,q\n1,x,u,0\n2,y,v,1\n", &["--gain", "a"]).ended(0).stderr;
    assert_eq!(several, "note: `b` `c` are not criteria: only objects with equal values of them are compared\n");
    // The least value of the decision is the best.
    let ranks = "a,q\n1,3\n2,2\n3,1\n";
    let quality = |options: &[&str]| {
        rough("dominance", ranks, &[options, &["--json"]].concat()).ended(0).json()["quality"].clone()
    };
    assert_eq!((quality(&["--gain", "a", "--cost", "q"]), quality(&["--gain", "a"])), (json!(1.0), json!(0.0)));
}
