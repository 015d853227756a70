//! `roughboard rough rules` the way a user runs it.

use std::path::PathBuf;

use serde_json::json;

use crate::command::{Files, Run, roughboard};

/// The contact lenses of Cendrowska (1987).
const AGES: [&str; 3] = ["young", "pre-presbyopic", "presbyopic"];

/// The table of contact lenses: 24 patients, all combinations of four attributes.
fn lenses() -> String {
    let mut rows = "age,spectacles,astigmatism,tear,lenses\n".to_owned();
    for (older, age) in AGES.iter().enumerate() {
        for spectacles in ["myope", "hypermetrope"] {
            for astigmatism in ["no", "yes"] {
                for tear in ["reduced", "normal"] {
                    let lenses = match (tear, astigmatism, spectacles, older) {
                        ("reduced", ..) | (_, "no", "myope", 2) | (_, "yes", "hypermetrope", 1 | 2) => "none",
                        (_, "no", ..) => "soft",
                        _ => "hard",
                    };
                    rows += &format!("{age},{spectacles},{astigmatism},{tear},{lenses}\n");
                }
            }
        }
    }
    rows
}

/// A folder with the table of contact lenses.
struct Lenses {
    files: Files,
}

impl Lenses {
    fn new() -> Self {
        let files = Files::new();
        files.write("lenses.csv", lenses());
        Self { files }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, table: &str, decision: &str, options: &[&str]) -> Run {
        let path = self.path(table);
        let start = ["rough", "rules", path.to_str().unwrap(), "--decision", decision];
        roughboard(&[&start[..], options].concat())
    }

    /// The lines that `rough rules` prints about the lenses.
    fn lines(&self, options: &[&str]) -> Vec<String> {
        self.run("lenses.csv", "lenses", options).ended(0).stdout.lines().map(str::to_owned).collect()
    }
}

#[test]
fn rules_that_are_not_all_are_noted_where_no_text_says_so() {
    let files = Lenses::new();
    let out = files.path("rules.csv");
    let some = ["--from", "minimal", "--limit", "3"];
    for more in [&["--out", out.to_str().unwrap()][..], &["--json"]] {
        let notes = files.run("lenses.csv", "lenses", &[&some[..], more].concat()).ended(0).stderr;
        assert!(notes.contains("note: a limit was reached, there may be more rules: `--limit` says"), "{notes}");
    }
    assert_eq!(files.run("lenses.csv", "lenses", &some).ended(0).stderr, "");
}

/// What a decision has no rules for goes to the others, so that fewer than were asked for are all there are.
#[test]
fn rules_by_inclusion_are_as_many_as_were_asked_for_if_there_are_more() {
    let files = Lenses::new();
    let rows: String = (1..10).map(|value| format!("{value},y\n")).collect();
    std::fs::write(files.path("one.csv"), format!("a,d\n0,x\n{rows}")).unwrap();
    let run = |number: &str, more: &[&str]| {
        let options = ["--from", "inclusion", "--beta", "1", "--n-rules", number];
        files.run("one.csv", "d", &[&options[..], more].concat()).ended(0)
    };
    let some = run("4", &["--json"]);
    assert_eq!((&some.json()["count"], &some.json()["complete"]), (&json!(4), &json!(false)));
    let note = "note: a limit was reached, there may be more rules: `--n-rules` says how many at most";
    assert!(some.stderr.contains(note) && !some.stderr.contains("--limit"), "{}", some.stderr);
    let text = run("4", &[]).stdout;
    assert!(text.starts_with("4 rules (the limit was reached, there may be more): 4 of 10 objects decided"), "{text}");
    let all = run("20", &["--json"]);
    assert_eq!((&all.json()["count"], &all.json()["complete"]), (&json!(10), &json!(true)));
    assert!(!all.stderr.contains("limit"), "{}", all.stderr);
    // So it is without a least degree.
    for (number, complete) in [("1", false), ("1000", true)] {
        let options = ["--from", "inclusion", "--min-support", "1", "--n-rules", number, "--json"];
        let json = files.run("lenses.csv", "lenses", &options).ended(0).json();
        assert_eq!(json["complete"], json!(complete), "{number}");
    }
}

/// Objects at random have thousands of minimal rules, of which dozens cover them all: how few are enough takes too long to prove.
#[test]
fn a_cover_that_may_not_be_the_smallest_is_told_as_one() {
    use rand::RngExt;

    let files = Lenses::new();
    let proved = files.run("lenses.csv", "lenses", &["--from", "cover", "--json"]).ended(0);
    assert_eq!((&proved.json()["complete"], &proved.json()["proved"]), (&json!(true), &json!(true)));
    assert_eq!(proved.stderr, "");

    let mut stream = roughboard::random::stream(1, "objects that are hard to cover", 0);
    let mut csv = "a,b,c,e,f,g,h,i,j,k,d\n".to_owned();
    for _ in 0..200 {
        let row: Vec<&str> = (0..11).map(|_| ["p", "q"][stream.random_range(0..2_usize)]).collect();
        csv += &format!("{}\n", row.join(","));
    }
    std::fs::write(files.path("hard.csv"), csv).unwrap();
    let out = files.path("cover.txt");
    let options = ["--from", "cover", "--limit", "1000000", "--out", out.to_str().unwrap()];
    let notes = files.run("hard.csv", "d", &options).ended(0).stderr;
    let expected = "note: the search for the fewest rules was cut short: fewer may cover as much\n";
    assert!(notes.ends_with(expected) && !notes.contains("limit"), "{notes}");
    let text = files.read("cover.txt");
    let (count, _) = text.split_once(": ").unwrap();
    assert!(count.ends_with(" rules (not proved to be the fewest)"), "{count}");
}

#[test]
fn lem2_of_the_contact_lenses() {
    let files = Lenses::new();
    let lines = files.lines(&["--from", "lem2"]);
    assert_eq!(lines[0], "9 rules: 24 of 24 objects decided rightly, 0 ambiguously, 0 wrongly, 0 not at all");
    assert_eq!(lines.len(), 10);
    let reduced = "IF tear = reduced THEN lenses = none (12 of 12, 1.00)";
    assert!(lines.contains(&reduced.to_owned()), "{lines:?}");
    let soft = "IF spectacles = hypermetrope AND astigmatism = no AND tear = normal THEN lenses = soft (3 of 3, 1.00)";
    assert!(lines.contains(&soft.to_owned()), "{lines:?}");
}

#[test]
fn measures_stand_in_the_long_form() {
    let files = Lenses::new();
    let lines = files.lines(&["--from", "minimal", "--max-length", "1", "--measures"]);
    let measures = "(12 of 12, inclusion 1.00, coverage 0.80, lift 1.60, Laplace 0.87, p 1.7e-4)";
    assert_eq!(
        lines,
        [
            "1 rule: 12 of 24 objects decided rightly, 0 ambiguously, 0 wrongly, 12 not at all",
            &format!("IF tear = reduced THEN lenses = none {measures}")
        ]
    );
}

#[test]
fn rules_of_a_degree_need_less() {
    let files = Lenses::new();
    let lines = files.lines(&["--from", "exhaustive", "--beta", "0.8", "--min-support", "5"]);
    let expected = "IF astigmatism = no AND tear = normal THEN lenses = soft (5 of 6, 0.83)";
    assert!(lines.contains(&expected.to_owned()), "{lines:?}");
    let sequential = files.lines(&["--from", "inclusion", "--beta", "0.8"]);
    assert!(sequential.contains(&expected.to_owned()), "{sequential:?}");
    let strict = files.lines(&["--from", "inclusion", "--beta", "1", "--max-length", "1"]);
    assert_eq!(strict[0], "1 rule: 12 of 24 objects decided rightly, 0 ambiguously, 0 wrongly, 12 not at all");
}

#[test]
fn rules_are_shortened_filtered_and_sorted() {
    let files = Lenses::new();
    let short = files.lines(&["--from", "lem2", "--shorten", "0.8", "--sort", "lift"]);
    assert!(short[1].contains("THEN lenses = hard"), "{short:?}");
    assert!(short.len() < 10, "{short:?}");
    let strong = files.lines(&["--from", "lem2", "--min-coverage", "0.8", "--min-lift", "1.5", "--drop-redundant"]);
    assert_eq!(strong[1..], ["IF tear = reduced THEN lenses = none (12 of 12, 1.00)"]);
    let long = files.lines(&["--from", "lem2", "--sort", "length"]);
    assert!(long[1].contains("IF tear = reduced"), "{long:?}");
}

#[test]
fn numbers_are_taken_by_intervals() {
    let files = Lenses::new();
    let rows = "20,no\n25,no\n30,yes\n40,yes\n50,no\n60,no\n?,yes\n";
    std::fs::write(files.path("ages.csv"), format!("\"body age\",buys\n{rows}")).unwrap();
    let text = files.run("ages.csv", "buys", &["--from", "mlem2"]).ended(0).stdout;
    let expected = "4 rules: 7 of 7 objects decided rightly, 0 ambiguously, 0 wrongly, 0 not at all\n\
        IF \"body age\" >= 45 THEN buys = no (2 of 2, 1.00)\n\
        IF \"body age\" < 27.5 THEN buys = no (2 of 2, 1.00)\n\
        IF 27.5 <= \"body age\" < 45 THEN buys = yes (2 of 2, 1.00)\n\
        IF \"body age\" = ? THEN buys = yes (1 of 1, 1.00)\n";
    assert_eq!(text, expected);
    let json = files.run("ages.csv", "buys", &["--from", "mlem2", "--json"]).ended(0).json();
    assert_eq!(json["rules"][2]["conditions"], json!([{ "attribute": "body age", "low": 27.5, "high": 45.0 }]));
    assert_eq!(json["rules"][3]["conditions"], json!([{ "attribute": "body age", "value": null }]));
}

#[test]
fn possible_rules_cover_the_upper_approximation() {
    let files = Lenses::new();
    std::fs::write(files.path("two.csv"), "a,d\n0,x\n0,y\n1,y\n").unwrap();
    let text = files.run("two.csv", "d", &["--from", "lem2", "--approximation", "upper"]).ended(0).stdout;
    let expected = "2 rules: 2 of 3 objects decided rightly, 0 ambiguously, 1 wrongly, 0 not at all\n\
        IF a = 0 THEN d = x (1 of 2, 0.50)\nALWAYS d = y (2 of 3, 0.67)\n";
    assert_eq!(text, expected);
}

#[test]
fn contradicting_rows_are_decided_ambiguously() {
    let files = Lenses::new();
    std::fs::write(files.path("torn.csv"), "a,d\n0,x\n0,y\n").unwrap();
    let text = files.run("torn.csv", "d", &[]).ended(0).stdout;
    assert!(
        text.starts_with("2 rules: 0 of 2 objects decided rightly, 2 ambiguously, 0 wrongly, 0 not at all\n"),
        "{text}"
    );
    let json = files.run("torn.csv", "d", &["--json"]).ended(0).json();
    assert_eq!(json["decided"], json!({ "rightly": 0, "ambiguously": 2, "wrongly": 0, "not_at_all": 0 }));
}

#[test]
fn rules_go_to_files() {
    let files = Lenses::new();
    for name in ["rules.csv", "rules.json", "rules.txt"] {
        let out = files.path(name);
        files.lines(&["--from", "lem2", "--out", out.to_str().unwrap()]);
    }
    let csv = files.read("rules.csv");
    assert!(csv.starts_with("conditions,decision,support,matching,inclusion,coverage,lift,length\n"), "{csv}");
    assert_eq!(csv.lines().count(), 10);
    assert!(csv.contains("\ntear = reduced,none,12,12,1,0.8,1.6,1\n"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&files.read("rules.json")).unwrap();
    assert_eq!((&json["format"], &json["decision"], &json["count"]), (&json!(1), &json!("lenses"), &json!(9)));
    assert_eq!(json["decisions"][1], json!({ "value": "none", "weight": 15 }));
    assert_eq!(files.read("rules.txt"), files.lines(&["--from", "lem2"]).join("\n") + "\n");
}

#[test]
fn all_measures_are_columns() {
    let files = Lenses::new();
    let csv = files.run("lenses.csv", "lenses", &["--from", "lem2", "--measures", "--csv"]).ended(0).stdout;
    assert!(csv.lines().next().unwrap().ends_with(",lift,length,laplace,p_value"), "{csv}");
    let json = files.run("lenses.csv", "lenses", &["--from", "lem2", "--json"]).ended(0).json();
    let first: Vec<&str> = csv.lines().nth(1).unwrap().rsplitn(3, ',').collect();
    assert_eq!(first[1].parse::<f64>().unwrap(), json["rules"][0]["laplace"].as_f64().unwrap());
    assert_eq!(first[0].parse::<f64>().unwrap(), json["rules"][0]["p_value"].as_f64().unwrap());
}

#[test]
fn no_rule_is_told_with_the_reason() {
    let files = Lenses::new();
    let none = |options: &[&str]| {
        let run = files.run("lenses.csv", "lenses", options).ended(0);
        assert!(run.stdout.starts_with("0 rules: "), "{}", run.stdout);
        run.stderr
    };
    let support =
        "note: no rule was found: no single condition makes a decision more frequent and is supported by 16 objects";
    assert!(none(&["--from", "inclusion", "--min-support", "16"]).starts_with(support));
    let degree =
        "note: no rule was found: no conditions reach the inclusion degree 1 (--beta) with a support of 13 objects";
    assert!(none(&["--from", "minimal", "--min-support", "13"]).starts_with(degree));
    assert!(none(&["--min-lift", "99"]).contains("rules found, and none passes the filters (--min-support,"));
    std::fs::write(files.path("torn.csv"), "a,d\n0,x\n0,y\n").unwrap();
    let torn = files.run("torn.csv", "d", &["--from", "lem2"]).ended(0).stderr;
    assert_eq!(
        torn,
        "note: no rule was found: no object is in the lower approximation of a decision; --approximation upper gives \
        possible rules\n"
    );
}

#[test]
fn options_out_of_range_or_place_are_refused() {
    let files = Lenses::new();
    let cases: [(&[&str], &str); 9] = [
        (&["--from", "minimal", "--beta", "1.5"], "`--beta` must be in (0, 1], got 1.5"),
        (&["--from", "inclusion", "--beta", "0"], "`--beta` must be in (0, 1], got 0"),
        (
            &["--from", "lem2", "--beta", "0.9"],
            "`--beta` has no effect with `--from lem2`: leave it out, or use `--from minimal` or `--from cover` or",
        ),
        (&["--approximation", "upper"], "`--approximation` has no effect with `--from reduct`: leave it out, or use"),
        (&["--from", "lem2", "--method", "gini"], "`--method` has no effect with `--from lem2`"),
        (&["--from", "inclusion", "--limit", "3"], "`--limit` has no effect with `--from inclusion`"),
        (
            &["--n-rules", "3"],
            "`--n-rules` has no effect with `--from reduct`: leave it out, or use `--from inclusion`",
        ),
        (&["--shorten", "2"], "`--shorten` must be in [0, 1], got 2"),
        (&["--min-lift", "NaN"], "`--min-lift` must be at least 0, got NaN"),
    ];
    for (options, message) in cases {
        let error = files.run("lenses.csv", "lenses", options).refusal();
        assert!(error.contains(message), "{error}");
    }
}
