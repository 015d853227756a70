//! Answers as CSV: tables of every command, and the refusal where an answer is none.

use crate::command::{Files, roughboard};

const TABLE: &str = "size,colour,decision\n1,red,yes\n1,red,no\n2,red,yes\n2,blue,no\n";

/// The lines that `roughboard` prints.
fn lines(arguments: &[&str]) -> Vec<String> {
    roughboard(arguments).ended(0).stdout.lines().map(str::to_owned).collect()
}

#[test]
fn answers_that_are_tables_are_printed_as_csv() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    let rough = |command: &str| lines(&["rough", command, table.to_str().unwrap(), "--decision", "decision", "--csv"]);
    let significance = rough("significance");
    assert!(significance[0].starts_with("attribute,core,"), "{significance:?}");
    assert_eq!(significance.len(), 3);
    assert_eq!(rough("classes").len(), 4);
    assert!(rough("approx")[0].contains("lower") && rough("approx").len() == 3, "{:?}", rough("approx"));
    assert_eq!(rough("info")[0], "codes,kind,name,missing,values");
    let stats = lines(&["match", "stats", "--wdl", "22", "26", "12", "--csv"]);
    assert_eq!((stats[0].as_str(), stats[2].split(',').next()), ("of_the_first,figure", Some("score %")));
    let perft = lines(&["perft", "--depth", "2", "--csv"]);
    assert_eq!((perft[0].as_str(), &perft[2][..7]), ("depth,nodes,seconds", "2,1920,"));
    assert!(lines(&["match", "plan", "--elo", "20", "--csv"])[0].contains("games_error_bar"));
    // The columns of a match are those of the file in its folder.
    let play = ["match", "random", "traditional", "--games", "2", "--depth", "1"];
    let out = files.path("match");
    let printed = lines(&[&play[..], &["--csv", "--out", out.to_str().unwrap()]].concat());
    let kept = std::fs::read_to_string(out.join("pairings.csv")).unwrap();
    assert_eq!(printed, kept.lines().collect::<Vec<_>>());
}

#[test]
fn answers_that_are_no_table_are_not() {
    let files = Files::new();
    let table = files.write("table.csv", TABLE);
    let rough = |options: &[&str]| {
        let [command, rest @ ..] = options else { panic!("a command") };
        roughboard(&[&["rough", command, table.to_str().unwrap(), "--decision", "decision", "--csv"], rest].concat())
    };
    let error = rough(&["core"]).refusal();
    assert!(error.contains("the answer is no table, which `--csv` could print: take `--json`"), "{error}");
    let error = roughboard(&["perft", "--depth", "1", "--divide", "--csv"]).refusal();
    assert!(error.contains("holds several tables (counts, divide)"), "{error}");
    let error = rough(&["classes", "--out", files.path("x.json").to_str().unwrap()]).refusal();
    assert!(error.contains("`--csv` goes with a name of `--out` that ends in .csv"), "{error}");
    assert!(rough(&["classes", "--json"]).ended(2).stderr.contains("cannot be used with"));
}
