//! Certificates of reducts: those of reducts hold, all others are refuted with the reason.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use roughboard::observe::Silent;
use roughboard::rough::{Certificate, Effort, LowerBound, Method, Notion, Pair, Quotient, Reduct, Witness};
use roughboard::settings::Choices;
use roughboard::table::{AttrIdx, AttrSet, DecisionTable, Roles};
use serde_json::{Value as Json, json};

use crate::command::{self, Files, Run};
use crate::rough_laws::{description, reducts_by_definition, tables};
use crate::small_tables::subsets;

/// Two objects that differ in `attr` and agree on the rest of `attrs`, labelled differently, by looking at all pairs.
fn witness(table: &DecisionTable, labels: &[u32], attr: AttrIdx, attrs: &AttrSet) -> Option<Witness> {
    let others = attrs.without(attr);
    let objects = 0..table.n_objects();
    let all = objects.clone().flat_map(|a| objects.clone().map(move |b| (a, b)));
    let alike = |&(a, b): &(usize, usize)| description(table, a, &others) == description(table, b, &others);
    let mut found = all.filter(|&(a, b)| labels[a] != labels[b]).filter(alike);
    let (a, b) = found.next()?;
    Some(Witness { attribute: table.attribute(attr).name().to_owned(), objects: Pair(a as u32, b as u32) })
}

/// The label of each object.
fn labels(table: &DecisionTable, notion: Notion) -> Vec<u32> {
    let quotient = Quotient::new(table, &table.all_attributes(), notion);
    let all = table.all_attributes();
    let same = |a: usize, b: usize| description(table, a, &all) == description(table, b, &all);
    let row = |object| quotient.objects.iter().position(|&first| same(first as usize, object)).unwrap();
    (0..table.n_objects()).map(|object| quotient.labels[row(object)]).collect()
}

fn least(reducts: impl IntoIterator<Item = AttrSet>) -> usize {
    reducts.into_iter().map(|reduct| reduct.len()).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_certificate_holds_exactly_if_the_attributes_are_a_reduct(table in tables()) {
        for &notion in Notion::ALL {
            let (reducts, labels) = (reducts_by_definition(&table, notion), labels(&table, notion));
            for attrs in subsets(&table) {
                // The best witnesses that there are, so that none is missing where one exists.
                let witnesses = attrs.iter().filter_map(|attr| witness(&table, &labels, attr, &attrs)).collect();
                let attributes = table.names(&attrs).into_iter().map(str::to_owned).collect();
                let certificate = Certificate { notion, attributes, witnesses, lower_bound: None };
                prop_assert_eq!(certificate.verify(&table).is_ok(), reducts.contains(&attrs), "{:?} {}", attrs, notion);
            }
        }
    }

    #[test]
    fn every_reduct_has_a_certificate_with_the_best_lower_bound(table in tables()) {
        for &notion in Notion::ALL {
            let quotient = Quotient::new(&table, &table.all_attributes(), notion);
            let all = quotient.all_reducts(usize::MAX, &Silent).found;
            let least = least(all.iter().map(|reduct| reduct.attrs().clone()));
            for reduct in &all {
                let certificate = Certificate::of(&table, reduct).unwrap();
                prop_assert_eq!(certificate.refutations(&table), vec![]);
                let mut bounded = certificate.with_lower_bound(&table, Effort::Full, &Silent);
                prop_assert_eq!(bounded.lower_bound.as_ref().map_or(0, |bound| bound.size), least);
                prop_assert_eq!(bounded.verify(&table), Ok(()));
                let text = serde_json::to_string(&bounded).unwrap();
                prop_assert_eq!(&serde_json::from_str::<Certificate>(&text).unwrap(), &bounded);
                let pairs = bounded.lower_bound.take().map_or(vec![], |bound| bound.pairs);
                bounded.lower_bound = Some(LowerBound { size: least + 1, pairs });
                prop_assert!(bounded.verify(&table).is_err());
            }
        }
    }
}

const BENCHMARKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rough_benchmarks");

#[test]
fn benchmark_tables_are_certified() {
    // γ < 1, a large core, an empty core, a greedy reduct that is not shortest.
    for (name, least) in [("S1", 7), ("krvskp", 29), ("dermatology", 6), ("letter", 11)] {
        let path = Path::new(BENCHMARKS).join(name).with_extension("parquet");
        let table = DecisionTable::read(&path, &Roles::decided_by("d")).unwrap();
        for method in [Method::Greedy, Method::Backward] {
            let reduct = Reduct::of(&table, Notion::Positive, method);
            let certificate = Certificate::of(&table, &reduct).unwrap().with_lower_bound(&table, Effort::Full, &Silent);
            assert_eq!(certificate.verify(&table), Ok(()), "{name}");
            assert_eq!(certificate.lower_bound.map(|bound| bound.size), Some(least), "{name}");
        }
    }
}

#[test]
fn a_reduct_of_another_table_is_not_certified() {
    let table = |rows: &[[&str; 3]]| DecisionTable::from_rows(&["a", "b"], "d", rows).unwrap();
    let first = table(&[["0", "0", "x"], ["1", "1", "y"]]);
    let second = table(&[["0", "0", "x"], ["0", "1", "y"]]);
    let reduct = Reduct::of(&first, Notion::Positive, Method::Greedy);
    assert_eq!(first.names(reduct.attrs()), ["a"]);
    let refutation = Certificate::of(&second, &reduct).unwrap_err().to_string();
    assert!(refutation.contains("objects 1 and 2 agree on all attributes kept (a = 0)"), "{refutation}");
    let both = AttrSet::first(2);
    let needed = table(&[["0", "0", "x"], ["0", "1", "y"], ["1", "0", "y"]]);
    let reduct = Quotient::new(&needed, &both, Notion::Positive).check_reduct(&both).unwrap();
    let refutation = Certificate::of(&second, &reduct).unwrap_err().to_string();
    assert_eq!(refutation, "no two objects are given that only `a` tells apart");
}

const FLU: &str = "headache,muscle_pain,temperature,n,flu\nno,yes,high,1,yes\nyes,no,high,1,yes\n\
    yes,yes,very_high,2,yes\nno,yes,normal,1,no\nyes,no,high,3,no\nno,yes,very_high,1,yes\n";

/// A folder with the flu table and the certificate of a reduct of it.
struct Case {
    files: Files,
}

impl Case {
    fn new(options: &[&str]) -> Self {
        let case = Self { files: Files::new() };
        case.files.write("flu.csv", FLU);
        let [table, certificate] = ["flu.csv", "reduct.json"].map(|name| case.path(name));
        let paths = [table.to_str().unwrap(), "--certificate", certificate.to_str().unwrap()];
        let decision = ["--decision", "flu", "--weight", "n"];
        command::roughboard(&[&["rough", "reduct"], &paths[..], &decision, options].concat()).ended(0);
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path(name)
    }

    fn certificate(&self) -> Json {
        serde_json::from_str(&std::fs::read_to_string(self.path("reduct.json")).unwrap()).unwrap()
    }

    fn verify(&self, options: &[&str]) -> Run {
        let paths = ["flu.csv", "reduct.json"].map(|name| self.path(name).to_str().unwrap().to_owned());
        command::roughboard(&[&["rough", "verify", &paths[0], &paths[1]], options].concat())
    }

    /// Verifies the certificate after a change to it.
    fn tampered(&self, change: impl FnOnce(&mut Json)) -> Run {
        let mut certificate = self.certificate();
        change(&mut certificate);
        std::fs::write(self.path("reduct.json"), certificate.to_string()).unwrap();
        self.verify(&[])
    }
}

#[test]
fn certificates_of_every_notion_are_verified() {
    for notion in ["positive", "generalized", "distribution", "information"] {
        let case = Case::new(&["--notion", notion, "--lower-bound"]);
        let text = case.verify(&[]).ended(0).stdout;
        assert!(text.starts_with(&format!("verified: 2 attributes as a reduct ({notion}) of 6 objects\n")), "{text}");
        assert!(text.ends_with("  no reduct has fewer attributes\n"), "{text}");
        let json = case.verify(&["--json"]).ended(0).json();
        assert_eq!((&json["verified"], &json["same_file"]), (&json!(true), &json!(true)));
        assert_eq!((&json["lower_bound"], &json["refutations"]), (&json!(2), &json!([])));
    }
}

#[test]
fn a_certificate_says_what_it_is_of() {
    let case = Case::new(&["--method", "backward", "--attributes", "headache,temperature"]);
    let certificate = case.certificate();
    assert_eq!(certificate["roughboard_certificate"], 2);
    let table = &certificate["table"];
    assert_eq!(
        (&table["file"], &table["decision"], &table["weight"]),
        (&json!("flu.csv"), &json!(["flu"]), &json!("n"))
    );
    assert_eq!(table["attributes"], json!(["headache", "temperature"]));
    assert_eq!(table["sha256"], roughboard::disk::sha256(FLU.as_bytes()));
    let reduct = &certificate["reduct"];
    assert_eq!((&reduct["notion"], &reduct["attributes"]), (&json!("positive"), &json!(["headache", "temperature"])));
    assert_eq!(reduct["witnesses"].as_array().unwrap().len(), 2);
    assert_eq!(reduct.get("lower_bound"), None);
}

/// A change to a certificate.
type Change<'a> = &'a dyn Fn(&mut Json);

#[test]
fn tampered_certificates_are_refuted_with_the_reason() {
    let replaced = |c: &mut Json| {
        c["reduct"]["attributes"] = json!(["headache", "muscle_pain"]);
    };
    let cases: [(&str, Change<'_>); 10] = [
        ("agree on all attributes kept (headache = no, muscle_pain = yes), but have the labels", &replaced),
        ("a witness is given for `temperature`, which is not among the attributes kept", &replaced),
        ("no two objects are given that only `muscle_pain` tells apart", &replaced),
        (
            "objects 2 and 3 agree on all attributes kept (headache = yes), but have the labels boundary and flu = yes",
            &|c| {
                c["reduct"]["attributes"] = json!(["headache"]);
                let witnesses = c["reduct"]["witnesses"].as_array_mut().unwrap();
                witnesses.retain(|witness| witness["attribute"] == "headache");
            },
        ),
        ("no two objects are given that only `muscle_pain` tells apart", &|c| {
            c["reduct"]["attributes"].as_array_mut().unwrap().push(json!("muscle_pain"));
        }),
        ("witness for `temperature`: objects 1 and 5 differ also in `headache`, which is kept: no and yes", &|c| {
            c["reduct"]["witnesses"][1] = json!({"attribute": "temperature", "objects": [1, 5]});
        }),
        ("witness for `temperature`: objects 1 and 6 have the same label, flu = yes", &|c| {
            c["reduct"]["witnesses"][1] = json!({"attribute": "temperature", "objects": [1, 6]});
        }),
        ("object 7 is none of the 6 objects of the table", &|c| {
            c["reduct"]["witnesses"][0]["objects"] = json!([1, 7]);
        }),
        ("the table has no attribute `cough`", &|c| c["reduct"]["attributes"][0] = json!("cough")),
        ("lower bound 3: its pairs are told apart by 2 attributes: headache, temperature", &|c| {
            c["reduct"]["lower_bound"]["size"] = json!(3);
        }),
    ];
    for (reason, change) in cases {
        let text = Case::new(&["--lower-bound"]).tampered(change).ended(1).stdout;
        assert!(text.starts_with("refuted: ") && text.contains(reason), "expected `{reason}`, got {text}");
    }
}

#[test]
fn another_table_is_noted_and_judged_all_the_same() {
    let case = Case::new(&[]);
    std::fs::write(case.path("flu.csv"), format!("{FLU}yes,yes,very_high,1,yes\n")).unwrap();
    let text = case.verify(&[]).ended(0).stdout;
    assert!(text.starts_with("note: the table is not the file `flu.csv` that was certified"), "{text}");
    std::fs::write(case.path("flu.csv"), format!("{FLU}no,no,high,1,no\n")).unwrap();
    let json = case.verify(&["--json"]).ended(1).json();
    assert_eq!((&json["verified"], &json["same_file"]), (&json!(false), &json!(false)));
    let reason = "objects 1 and 7 agree on all attributes kept (headache = no, temperature = high), but have the labels \
        flu = yes and flu = no";
    assert_eq!(json["refutations"][0], reason);
    std::fs::write(case.path("flu.csv"), FLU.replace(",flu\n", ",cold\n")).unwrap();
    case.verify(&["--decision", "cold"]).ended(0);
}

#[test]
fn objects_are_numbered_by_the_rows_of_the_file() {
    let case = Case::new(&[]);
    let table = FLU.replace("n,flu\n", "n,flu\nyes,yes,normal,1,\nno,no,normal,0,no\n");
    std::fs::write(case.path("flu.csv"), table).unwrap();
    let [table, certificate] = ["flu.csv", "reduct.json"].map(|name| case.path(name).to_str().unwrap().to_owned());
    let options = ["--decision", "flu", "--weight", "n", "--lower-bound", "--force"];
    let arguments = [&["rough", "reduct", &table, "--certificate", &certificate], &options[..]].concat();
    command::roughboard(&arguments).ended(0);
    // Rows 1 and 2 are no objects.
    let witnesses = &case.certificate()["reduct"]["witnesses"];
    let numbers: Vec<u64> =
        (0..2).flat_map(|at| [0, 1].map(|end| witnesses[at]["objects"][end].as_u64().unwrap())).collect();
    assert!(numbers.iter().all(|number| (3..=8).contains(number)), "{witnesses}");
    case.verify(&[]).ended(0);
    let text = case.tampered(|c| c["reduct"]["witnesses"][0]["objects"] = json!([1, 3])).ended(1).stdout;
    assert!(text.contains("object 1 is none of the 6 objects of the table"), "{text}");
    let error = case.tampered(|c| c["roughboard_certificate"] = json!(1)).ended(2).stderr;
    assert!(error.contains("format 1, which numbers objects, expected numbers of rows"), "{error}");
    // Where all rows are objects, both formats say the same.
    Case::new(&[]).tampered(|c| c["roughboard_certificate"] = json!(1)).ended(0);
}

#[test]
fn what_is_no_certificate_is_refused() {
    for (text, reason) in [
        ("{", "EOF while parsing"),
        ("{}", "missing field `roughboard_certificate`"),
        (r#"{"roughboard_certificate": 1, "roles": 0}"#, "unknown field `roles`"),
    ] {
        let case = Case::new(&[]);
        std::fs::write(case.path("reduct.json"), text).unwrap();
        let error = case.verify(&[]).refusal();
        assert!(error.contains("reduct.json` as a certificate") && error.contains(reason), "{error}");
    }
    let refused = |change: Change<'_>| Case::new(&[]).tampered(change).refusal();
    let error = refused(&|c| c["roughboard_certificate"] = json!(4));
    assert!(error.contains("expected format 1, 2 or 3, found 4"), "{error}");
    let error = refused(&|c| c["roughboard_certificate"] = json!(3));
    assert!(error.contains("expected a checksum, or an extent and descriptions of objects"), "{error}");
    let error = refused(&|c| c["table"]["missing"] = json!("tolerance"));
    let reason = "reduct.json` as a certificate: expected missing values as `value` or `drop`, found `tolerance`";
    assert!(error.contains(reason), "{error}");
    let error = refused(&|c| c["table"]["colour"] = json!(1));
    assert!(error.contains("unknown field `colour`"), "{error}");
    let error = refused(&|c| c["reduct"]["witnesses"][0]["objects"] = json!([0, 1]));
    assert!(error.contains("objects are numbered from 1, found 0"), "{error}");
    let case = Case::new(&[]);
    std::fs::remove_file(case.path("reduct.json")).unwrap();
    assert!(case.verify(&[]).refusal().contains("reduct.json"), "the missing file is named");
}

#[test]
fn a_certificate_with_columns_that_the_table_lacks_is_named() {
    let refused = |field: &str, value: Json| {
        let error = Case::new(&[]).tampered(|c| c["table"][field] = value).refusal();
        assert!(error.contains("reduct.json` as a certificate: "), "{error}");
        error
    };
    for (field, value, column) in [
        ("decision", json!(["cold"]), "decision column `cold`"),
        ("weight", json!("cold"), "weight column `cold`"),
        ("attributes", json!(["headache", "cold"]), "attribute column `cold`"),
        ("ignore", json!(["cold"]), "attribute column `cold`"),
        ("text", json!(["cold"]), "column `cold`"),
    ] {
        let error = refused(field, value);
        assert!(error.contains(&format!("certificate: its {column} is not a column of the table `")), "{error}");
        assert!(error.contains("flu.csv`, expected one of `headache` `muscle_pain`"), "{error}");
    }
    let error = refused("decision", json!(["n"]));
    assert!(error.contains("column `n` is given two roles"), "{error}");
    // A decision that the user names is not the certificate's.
    let error = Case::new(&[]).verify(&["--decision", "cold"]).refusal();
    assert!(error.contains("flu.csv` as a decision table: no decision column `cold`"), "{error}");
}

#[test]
fn a_certificate_that_cannot_be_written_is_refused_first() {
    let case = Case::new(&[]);
    let table = case.path("flu.csv");
    let arguments = ["rough", "reduct", table.to_str().unwrap(), "--decision", "flu", "--certificate", "no/where.json"];
    let error = command::roughboard(&arguments).refusal();
    assert!(error.contains("cannot write file `no/where.json`"), "{error}");
}

#[test]
fn the_certificate_of_a_minimum_proves_it() {
    let files = command::Files::new();
    let certificate = files.argument("zoo.json");
    for (name, size) in [("zoo", 5), ("mushroom", 4), ("car", 6)] {
        let table = format!("tests/data/rough_benchmarks/{name}.parquet");
        let reduct =
            ["rough", "reduct", &table, "--decision", "d", "--minimum", "--certificate", &certificate, "--force"];
        assert_eq!(command::roughboard(&reduct).ended(0).stderr.matches("certificate").count(), 0, "{name}");
        let verdict = command::roughboard(&["rough", "verify", &table, &certificate, "--json"]).ended(0).json();
        assert_eq!((&verdict["verified"], &verdict["lower_bound"]), (&json!(true), &json!(size)), "{name}");
    }
}

#[test]
fn a_minimum_that_the_certificate_does_not_prove_is_told() {
    let files = command::Files::new();
    // No bound is certified of so many attributes.
    let names: String = (0..129).map(|i| format!("a{i},")).collect();
    let row = |value: &str, d: u8| format!("{}{d}\n", format!("{value},").repeat(129));
    let table = files.write("wide.csv", format!("{names}d\n{}{}", row("x", 0), row("y", 1)));
    let certificate = files.path("wide.json");
    let [table, certificate] = [&table, &certificate].map(|path| path.to_str().unwrap());
    let reduct = ["rough", "reduct", table, "--decision", "d", "--minimum", "--certificate", certificate];
    let note = command::roughboard(&reduct).ended(0).stderr;
    let expected = "note: that no reduct has fewer than 1 attribute is proved, but the certificate proves 0 only: that takes \
        at most 128 attributes, and the table has 129\n";
    assert!(note.ends_with(expected), "{note}");
    let error = command::roughboard(&[&reduct[..], &["--force", "--lower-bound"]].concat()).ended(2).stderr;
    assert!(error.ends_with("error: --lower-bound takes at most 128 attributes, got 129\n"), "{error}");
}
