//! The page of formats names every key of the answers of `rough` as JSON, and says what each holds.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::command::{Files, roughboard};
use crate::discretize::IRIS;

/// Keys whose fields are named by the table: values of decisions, attributes, numbers.
const NAMED_BY_DATA: [&str; 9] =
    ["approximations", "cuts", "decisions", "lower", "size_by_method", "sizes", "upper", "usage", "weights"];

/// The paths of all keys of an answer, with `[]` for the members of a list and `*` for a name of the table.
fn paths(json: &Json, at: &str, found: &mut BTreeSet<String>) {
    match json {
        Json::Object(fields) => {
            let last = at.rsplit(['.', ' ']).next().unwrap_or_default();
            let is_data = NAMED_BY_DATA.contains(&last) || (last == "values" && !fields.contains_key("name"));
            for (name, value) in fields {
                let name = if is_data { "*" } else { name };
                paths(value, &if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }, found);
            }
        }
        Json::Array(members) if members.iter().any(Json::is_object) => {
            members.iter().for_each(|member| paths(member, &format!("{at}[]"), found));
        }
        _ => {
            found.insert(at.to_owned());
        }
    }
}

/// The answers that the page describes: how they are called there, and how they are asked for.
fn answers(files: &Files) -> BTreeMap<&'static str, BTreeSet<String>> {
    let [cut, cuts, rules, certificate] =
        ["cut.csv", "cuts.json", "rules.json", "reduct.json"].map(|name| files.argument(name));
    let gaps = files.file("gaps.csv", "a,species\n1,x\n?,y\n3,x\n");
    let decision = ["--decision", "species"];
    let of = |options: &[&str]| roughboard(&[&["rough"], options, &["--json"]].concat()).ended(0).json();
    let decided = |options: &[&str]| of(&[options, &decision].concat());
    let discretized = decided(&["discretize", IRIS, "--method", "mdlp", "--save-cuts", &cuts, "--out", &cut]);
    let keep = ["rough", "rules", &cut, "--from", "lem2", "--out", &rules];
    roughboard(&[&keep[..], &decision].concat()).ended(0);
    let asked = [
        ("rough info", decided(&["info", IRIS])),
        ("rough discretize --out", discretized),
        ("rough complete", decided(&["complete", &gaps, "--method", "mean"])),
        ("rough classes", decided(&["classes", &cut])),
        ("rough approx", decided(&["approx", &cut])),
        ("rough fuzzy", decided(&["fuzzy", IRIS])),
        ("rough fuzzy --reduct", decided(&["fuzzy", IRIS, "--reduct"])),
        (
            "rough dominance",
            decided(&["dominance", IRIS, "--gain", "petal_width", "--order", "setosa,versicolor,virginica"]),
        ),
        ("rough significance", decided(&["significance", &cut])),
        ("rough matrix", decided(&["matrix", &cut])),
        ("rough matrix --object", decided(&["matrix", &cut, "--object", "1"])),
        ("rough core", decided(&["core", &cut])),
        ("rough reduct", decided(&["reduct", &cut])),
        ("rough reduct --minimum", decided(&["reduct", &cut, "--minimum", "--certificate", &certificate])),
        ("rough reduct --epsilon", decided(&["reduct", &cut, "--epsilon", "0.1"])),
        (
            "rough reduct --epsilon --measure majority",
            decided(&["reduct", &cut, "--epsilon", "0.1", "--measure", "majority"]),
        ),
        ("rough reducts", decided(&["reducts", &cut])),
        ("rough reducts --epsilon", decided(&["reducts", &cut, "--epsilon", "0.1"])),
        ("rough reducts --permutations", decided(&["reducts", &cut, "--permutations", "3"])),
        ("rough reducts --dynamic", decided(&["reducts", &cut, "--dynamic", "--samples", "3"])),
        ("rough reducts --bireducts", decided(&["reducts", &cut, "--bireducts", "--samples", "3"])),
        ("rough rules", decided(&["rules", &cut])),
        ("rough predict", of(&["predict", &rules, &cut])),
        ("rough verify", of(&["verify", &cut, &certificate])),
        ("rough classify", decided(&["classify", &cut])),
    ];
    let keys = |(name, json): (&'static str, Json)| {
        let mut found = BTreeSet::new();
        paths(&json, "", &mut found);
        (name, found)
    };
    asked.into_iter().map(keys).collect()
}

/// The words in code of a cell.
fn words(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_of_an_answer_is_described() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md")).unwrap();
    let (_, section) = page.split_once("\n## Answers as JSON\n").expect("the page has the section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows: BTreeMap<&str, &str> = rows.collect();
    let files = Files::new();
    let mut faults = Vec::new();
    for (name, keys) in answers(&files) {
        let described = rows.get(name).map(|cell| words(cell)).unwrap_or_default();
        if described != keys {
            let listed: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            faults.push(format!("| `{name}` | {} |", listed.join(", ")));
        }
        for word in keys.iter().flat_map(|key| key.split('.')).map(|word| word.trim_end_matches("[]")) {
            let is_said = word == "*" || rows.keys().any(|key| key.split("`, `").any(|said| said == word));
            if !is_said {
                faults.push(format!("| `{word}` | what it holds |"));
            }
        }
    }
    faults.dedup();
    assert!(faults.is_empty(), "docs/formats.md should say\n{}", faults.join("\n"));
}
