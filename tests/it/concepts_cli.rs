//! Concepts beyond the classical ones on the command line.

use serde_json::{Value as Json, json};

use crate::command::{Files, roughboard};
use crate::rough_cli::FLU;

const CARS: &str = "price,mileage,size,speed,flu\nhigh,high,full,low,good\nlow,?,full,low,good\n?,?,compact,low,poor\n\
    high,?,full,high,good\n?,?,full,high,excellent\nlow,high,full,?,good\n";
/// Of x: 9 yes, 1 no; of y: 5 and 5; of z: 2 yes, 8 no.
const GRADED: &str = "place,flu=yes,flu=no\nx,9,1\ny,5,5\nz,2,8\n";
const NUMBERS: &str = "a,b,flu\n0,0,no\n1,0,no\n9,0,yes\n10,0,yes\n10,1,no\n";

#[test]
fn approx_gives_all_regions_accuracy_and_quality() {
    let files = Files::decided_by("flu");
    let json = files.json("approx", FLU, &[]);
    assert_eq!((&json["accuracy_fraction"], &json["quality"]), (&json!([4, 8]), &json["gamma"]));
    let yes = &json["approximations"]["yes"];
    assert_eq!((&yes["boundary"], &yes["negative"]), (&json!([2, 5]), &json!([4])));
    assert_eq!((&yes["accuracy_fraction"], &yes["quality_fraction"]), (&json!([3, 5]), &json!([3, 6])));
    let text = files.text("approx", FLU, &["--concept", "no"]);
    assert!(text.contains("|negative|") && text.lines().last().unwrap().starts_with("no "), "{text}");
    assert!(text.contains("accuracy         4/8 = 0.500000"), "{text}");
    let one = files.json("approx", FLU, &["--concept", "no"]);
    assert_eq!(one["approximations"].as_object().unwrap().len(), 1);
    let error = files.refusal("approx", FLU, &["--concept", "perhaps"]);
    assert_eq!(error.trim_end(), "error: the decision `flu` has no value `perhaps`, only `no` `yes`");
}

#[test]
fn approx_with_beta_is_of_variable_precision() {
    let files = Files::decided_by("flu");
    assert_eq!(files.json("approx", GRADED, &[])["gamma_fraction"], json!([0, 30]));
    let json = files.json("approx", GRADED, &["--beta", "0.8"]);
    assert_eq!((&json["gamma_fraction"], &json["beta"]), (&json!([20, 30]), &json!(0.8)));
    let yes = &json["approximations"]["yes"];
    assert_eq!((&yes["lower"], &yes["boundary"], &yes["negative"]), (&json!([1]), &json!([2]), &json!([3])));
    let text = files.text("approx", GRADED, &["--beta", "0.8"]);
    assert!(text.contains("beta             0.8\ngamma            20/30"), "{text}");
    assert_eq!(files.json("approx", FLU, &["--beta", "1.0"]), files.json("approx", FLU, &[]));
    let error = files.refusal("approx", FLU, &["--beta", "0.5"]);
    assert_eq!(error.trim_end(), "error: `--beta` must be in (0.5, 1], got 0.5");
    let error = files.rough("approx", FLU, &["--beta", "many"]).ended(2).stderr;
    assert!(error.contains("expected a number such as 0.8 or a fraction such as 4/5, found `many`"), "{error}");
}

#[test]
fn significance_orders_attributes() {
    let files = Files::decided_by("flu");
    let json = files.json("significance", FLU, &[]);
    let first = &json["attributes"][0];
    assert_eq!((&first["attribute"], &first["core"]), (&json!("temperature"), &json!(true)));
    assert_eq!((&first["significance_fraction"], &first["gamma_alone_fraction"]), (&json!([3, 6]), &json!([3, 6])));
    assert!((first["normalised"].as_f64().unwrap() - 0.75).abs() < 1e-12);
    // H(d|temperature): three objects are high, of which one is without flu.
    let open = 0.5 * (3.0_f64.log2() - 2.0 / 3.0);
    assert!((first["entropy_alone"].as_f64().unwrap() - open).abs() < 1e-12);
    let text = files.text("significance", FLU, &[]);
    assert!(text.contains("temperature  yes   0.500000  0.750000     0.500000"), "{text}");
}

#[test]
fn neighbourhoods_have_weights_and_no_decisions_where_there_are_none() {
    let files = Files::new();
    let path = files.write("t.csv", "a,b,w\n1,2,3\n1,,5\n2,1,1\n");
    let classes = |options: &[&str]| {
        let given = ["rough", "classes", path.to_str().unwrap(), "--relation", "tolerance"];
        roughboard(&[&given[..], options].concat()).ended(0)
    };
    for (role, sizes) in [("--ignore", ["2", "2", "1"]), ("--weight", ["8", "8", "1"])] {
        let text = classes(&[role, "w"]).stdout;
        let mut lines = text.lines().skip_while(|line| !line.starts_with("objects"));
        assert_eq!(lines.next().unwrap().split_whitespace().collect::<Vec<_>>(), ["objects", "size", "neighbourhood"]);
        let found: Vec<&str> = lines.filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(found, sizes, "{text}");
    }
    let json = classes(&["--weight", "w", "--json"]).json();
    assert_eq!(json["neighbourhoods"][0], json!({ "objects": [1], "size": 8, "neighbourhood": [1, 2] }));
    let csv = classes(&["--weight", "w", "--csv"]).stdout;
    assert_eq!(csv, "size,objects,neighbourhood\n8,[1],\"[1,2]\"\n8,[2],\"[1,2]\"\n1,[3],[3]\n");
    // A decision that is not in a neighbourhood weighs 0 there.
    let csv = classes(&["--ignore", "w", "--decision", "a", "--csv"]).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    let header = "size,objects,neighbourhood,decisions_1,decisions_2";
    assert_eq!(lines, [header, "2,[1],\"[1,2]\",2,0", "3,[2],\"[1,2,3]\",2,1", "2,[3],\"[2,3]\",1,1"]);
}

#[test]
fn classes_as_csv_have_a_column_for_each_decision_and_each_attribute() {
    let files = Files::new();
    let csv = |contents: &str, decision: &[&str]| {
        let path = files.write("t.csv", contents);
        let given = ["rough", "classes", path.to_str().unwrap(), "--csv"];
        roughboard(&[&given[..], decision].concat()).ended(0).stdout
    };
    let table = "b,a,d\n1.5,x,no\n1.5,x,yes\n?,y z,yes\n";
    let decided = "size,objects,decisions_no,decisions_yes,values_a,values_b\n2,\"[1,2]\",1,1,x,1.5\n1,[3],0,1,y z,\n";
    assert_eq!(csv(table, &["--decision", "d"]), decided);
    let alone = "size,objects,values_a,values_b\n2,\"[1,2]\",x,1.5\n1,[3],y z,\n";
    assert_eq!(csv(table, &["--ignore", "d"]), alone);
    // As many decisions as classes take no memory for each pair of them.
    let many: String = (0..2000).map(|n| format!("{n},{}\n", 2000 - n)).collect();
    assert_eq!(csv(&format!("a,d\n{many}"), &["--decision", "d"]).lines().count(), 2001);
}

#[test]
fn a_relation_gives_neighbourhoods_and_their_approximations() {
    let files = Files::decided_by("flu");
    let tolerance = files.json("approx", CARS, &["--relation", "tolerance"]);
    assert_eq!((&tolerance["gamma_fraction"], &tolerance["relation"]), (&json!([3, 6]), &json!("tolerance")));
    assert_eq!(tolerance["approximations"]["good"]["lower"], json!([1, 2]));
    let classes = files.json("classes", CARS, &["--relation", "tolerance"]);
    assert_eq!(classes["neighbourhoods"][4]["neighbourhood"], json!([4, 5, 6]));
    assert_eq!(classes["neighbourhoods"][5]["decisions"], json!({ "excellent": 1, "good": 2 }));
    let near = ["--relation", "neighbourhood", "--radius", "0.1"];
    let numbers = files.json("classes", NUMBERS, &near);
    let members: Vec<&Json> = (0..5).map(|row| &numbers["neighbourhoods"][row]["neighbourhood"]).collect();
    assert_eq!(json!(members), json!([[1, 2], [1, 2], [3, 4], [3, 4], [5]]));
    let wide = ["--relation", "neighbourhood", "--radius", "1", "--metric", "euclidean"];
    assert_eq!(files.json("approx", NUMBERS, &wide)["gamma_fraction"], json!([0, 5]));
    let text = files.text("classes", NUMBERS, &near);
    assert!(text.contains("relation  neighbourhood of radius 0.1 (chebyshev)"), "{text}");
}

#[test]
fn core_and_reducts_under_a_relation() {
    let files = Files::decided_by("flu");
    let tolerance = ["--relation", "tolerance", "--notion", "generalized"];
    assert_eq!(files.json("core", CARS, &tolerance)["core"], json!(["size", "speed"]));
    assert_eq!(files.json("reduct", CARS, &tolerance)["reduct"], json!(["size", "speed"]));
    let all = files.json("reducts", CARS, &["--relation", "tolerance", "--notion", "information"]);
    assert_eq!((&all["reducts"], &all["complete"]), (&json!([["price", "size", "speed"]]), &json!(true)));
    let text = files.text("reducts", CARS, &tolerance);
    assert!(text.starts_with("1 reduct (generalized, tolerance, all)\n  size speed"), "{text}");
    let near = files.json("reducts", NUMBERS, &["--relation", "neighbourhood", "--radius", "0.2"]);
    assert_eq!(near["reducts"], json!([["a", "b"]]));
    let joint = ["--relation", "neighbourhood", "--radius", "0.2", "--metric", "manhattan"];
    assert_eq!(files.json("core", NUMBERS, &joint)["core"], json!(["a", "b"]));
    let backward = [&joint[..], &["--method", "backward"]].concat();
    assert_eq!(files.json("reduct", NUMBERS, &backward)["reduct"], json!(["a", "b"]));
}

#[test]
fn equal_rows_count_once_where_only_different_ones_matter() {
    let files = Files::decided_by("flu");
    let repeated = format!("a,b,flu\n1,1,x\n1,2,x\n2,3,y\n{}", "3,3,y\n".repeat(5));
    let backward = ["--relation", "tolerance", "--method", "backward"];
    for more in [&[][..], &["--memory", "100MB"]] {
        let found = files.json("reduct", repeated.as_str(), &[&backward[..], more].concat());
        assert_eq!(found["reduct"], json!(["b"]), "{more:?}");
    }
    let weighted = "a,b,flu,n\n1,1,x,1\n1,2,x,1\n2,3,y,1\n3,3,y,5\n";
    let found = files.json("reduct", weighted, &[&backward[..], &["--weight", "n"]].concat());
    assert_eq!(found["reduct"], json!(["b"]));
    let rows = ["0,0,x", "0,1,x", "1,0,x", "1,1,x", "2,2,y"].map(|row| (row, if row == "1,0,x" { 5 } else { 1 }));
    let repeated: String = rows.iter().map(|(row, n)| format!("{row}\n").repeat(*n)).collect();
    let weighted: String = rows.iter().map(|(row, n)| format!("{row},{n}\n")).collect();
    let rules = |contents: String, more: &[&str]| {
        let found = files.json("rules", contents.as_str(), &[&["--from", "cover"], more].concat());
        assert_eq!(found["proved"], true);
        let rules = found["rules"].as_array().unwrap().iter();
        rules.map(|rule| (rule["conditions"].clone(), rule["decision"].clone())).collect::<Vec<_>>()
    };
    let of_weighted = rules(format!("a,b,flu,n\n{weighted}"), &["--weight", "n"]);
    assert_eq!(rules(format!("a,b,flu\n{repeated}"), &[]), of_weighted);
}

/// The number 1 of a column of reals is `1.0` in JSON, as a value and as a name; either names the concept.
#[test]
fn a_decision_is_spelled_alike_as_a_value_and_as_a_key() {
    let files = Files::new();
    let table = files.write("real.csv", "a,d\n1,1.0\n1,0.5\n2,1.0\n");
    let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let json = |command: &str, options: &[&str]| files.json(command, &table, options);
    assert_eq!(keys(&json("info", &[])["decision"]["weights"]), ["0.5", "1.0"]);
    assert_eq!(keys(&json("classes", &[])["classes"][0]["decisions"]), ["0.5", "1.0"]);
    assert_eq!(keys(&json("fuzzy", &[])["objects"][0]["lower"]), ["0.5", "1.0"]);
    for concept in ["1", "1.0"] {
        assert_eq!(keys(&json("approx", &["--concept", concept])["approximations"]), ["1.0"]);
    }
}

#[test]
fn missing_tolerance_is_the_tolerance_relation() {
    let files = Files::decided_by("flu");
    for command in ["classes", "approx", "core", "reduct", "reducts"] {
        let by_relation = files.text(command, CARS, &["--relation", "tolerance"]);
        assert_eq!(files.text(command, CARS, &["--missing", "tolerance"]), by_relation, "{command}");
    }
    for command in ["info", "rules", "significance"] {
        let error = files.refusal(command, CARS, &["--missing", "tolerance"]);
        assert!(error.contains("`--missing tolerance` goes with classes, approx, core"), "{error}");
    }
    for relation in ["neighbourhood", "indiscernibility"] {
        let error = files.refusal("approx", CARS, &["--missing", "tolerance", "--relation", relation]);
        assert!(error.contains(&format!("cannot be combined with --relation {relation}")), "{error}");
    }
    let error = files.refusal("approx", CARS, &["--missing", "drop", "--relation", "tolerance"]);
    assert!(error.contains("--relation tolerance has no effect with --missing drop"), "{error}");
}

#[test]
fn relations_refuse_what_they_cannot_do() {
    let files = Files::decided_by("flu");
    let cases: [(&str, &[&str], &str); 5] = [
        ("approx", &["--radius", "0.1"], "`--radius` has no effect without `--relation neighbourhood`"),
        (
            "classes",
            &["--relation", "neighbourhood", "--radius", "-1"],
            "`--radius` must be a finite number of at least 0",
        ),
        (
            "classes",
            &["--relation", "neighbourhood", "--radius", "10"],
            "`--radius` must be at most 1, the whole range of an attribute, for `chebyshev`, got 10",
        ),
        ("reducts", &["--relation", "neighbourhood", "--metric", "manhattan"], "chebyshev, not manhattan"),
        ("reducts", &["--relation", "tolerance", "--notion", "distribution"], "got distribution"),
    ];
    for (command, options, reason) in cases {
        let error = files.refusal(command, FLU, options);
        assert!(error.contains(reason), "expected `{reason}`, got {error}");
    }
}

/// A subset of a reduct that keeps enough takes its place.
#[test]
fn all_approximate_reducts_are_listed() {
    let files = Files::decided_by("flu");
    let all = |options: &[&str]| files.json("reducts", FLU, &[&["--epsilon"], options].concat());
    assert_eq!(all(&["0"])["reducts"], files.json("reducts", FLU, &[])["reducts"]);
    let lossy = all(&["0.25"]);
    assert_eq!((&lossy["reducts"], &lossy["complete"]), (&json!([["temperature"]]), &json!(true)));
    let text = files.text("reducts", FLU, &["--epsilon", "0.1", "--measure", "majority"]);
    assert!(text.starts_with("1 reduct (epsilon 0.1, majority, all)\n  temperature\n"), "{text}");
    let error = files.refusal("reducts", FLU, &["--epsilon", "0.1", "--count"]);
    assert!(error.contains("`--epsilon` is not available with `--count`"), "{error}");
}

#[test]
fn an_approximate_reduct_loses_little() {
    let files = Files::decided_by("flu");
    for method in ["greedy", "backward"] {
        let json = files.json("reduct", FLU, &["--epsilon", "0.25", "--method", method]);
        assert_eq!((&json["reduct"], &json["gamma_fraction"]), (&json!(["temperature"]), &json!([3, 6])));
        let exact = files.json("reduct", FLU, &["--epsilon", "0", "--method", method]);
        assert_eq!((&exact["size"], &exact["gamma_fraction"]), (&json!(2), &json!([4, 6])));
    }
    let majority = files.json("reduct", FLU, &["--epsilon", "0.1", "--measure", "majority"]);
    assert_eq!((&majority["reduct"], &majority["majority_fraction"]), (&json!(["temperature"]), &json!([5, 6])));
    let text = files.text("reduct", FLU, &["--epsilon", "0.25"]);
    assert!(
        text.starts_with("approximate reduct (epsilon 0.25, 1 of 3 attributes)\n  temperature\ngamma 3/6"),
        "{text}"
    );
    let error = files.refusal("reduct", FLU, &["--epsilon", "1"]);
    assert!(error.contains("`--epsilon` must be in [0, 1), got 1"), "{error}");
}

#[test]
fn permutations_and_subtables_give_reducts_with_their_frequency() {
    let files = Files::decided_by("flu");
    let drawn = files.json("reducts", FLU, &["--permutations", "40"]);
    let reducts = drawn["reducts"].as_array().unwrap();
    assert_eq!((reducts.len(), &drawn["orders"]), (2, &json!(40)));
    assert_eq!(reducts.iter().map(|r| r["times"].as_u64().unwrap()).sum::<u64>(), 40);
    let dynamic = files.json("reducts", FLU, &["--dynamic", "--samples", "20", "--fraction", "1,1"]);
    assert_eq!((&dynamic["count"], &dynamic["complete"]), (&json!(2), &json!(true)));
    assert_eq!(dynamic["reducts"][0]["stability_fraction"], json!([20, 20]));
    assert_eq!((&dynamic["usage"]["temperature"], &dynamic["usage"]["headache"]), (&json!(1.0), &json!(0.5)));
    let options = ["--dynamic", "--generalised", "--samples", "30", "--fraction", "0.5,0.9", "--seed", "4"];
    let generalised = files.json("reducts", FLU, &options);
    assert!(generalised["reducts"].as_array().unwrap().iter().any(|reduct| reduct["of_table"] == json!(false)));
    let on = |threads: &'static str| files.text("reducts", FLU, &[&options[..], &["--threads", threads]].concat());
    assert_eq!(on("1"), on("3"));
    let stable = files.json("reducts", FLU, &[&options[..], &["--stability", "1"]].concat());
    assert!(stable["count"].as_u64() < generalised["count"].as_u64());
    let by_orders = files.text("reducts", FLU, &["--dynamic", "--permutations", "10", "--samples", "5"]);
    assert!(by_orders.starts_with("2 dynamic reducts (positive)"), "{by_orders}");
}

#[test]
fn no_more_subtables_are_drawn_than_the_weight_allows() {
    let heavy = "a,flu,w\n1,x,4294967295\n2,y,4294967295\n";
    let error = Files::decided_by("flu").refusal("reducts", heavy, &["--weight", "w", "--dynamic", "--samples", "3"]);
    assert!(error.starts_with("error: `--samples` must be at most 2 for a table of weight 8589934590"), "{error}");
}

#[test]
fn bireducts_name_attributes_and_objects() {
    let files = Files::decided_by("flu");
    let json = files.json("reducts", FLU, &["--bireducts", "--samples", "30", "--ratio", "0.000001"]);
    assert_eq!(json["orders"], json!(30));
    for bireduct in json["bireducts"].as_array().unwrap() {
        assert_eq!(bireduct["weight"], json!(5), "one of two contradicting objects is left out");
    }
    let text = files.text("reducts", FLU, &["--bireducts", "--samples", "5"]);
    assert!(text.contains(" bireducts of 5 orders\ntimes  attributes"), "{text}");
}

#[test]
fn sampling_refuses_what_does_not_go_together() {
    let files = Files::decided_by("flu");
    let error = files.refusal("reducts", FLU, &["--samples", "4"]);
    assert!(error.contains("`--samples` has no effect without `--dynamic` or `--bireducts`: leave it out"), "{error}");
    let error = files.refusal("reducts", FLU, &["--permutations", "4", "--limit", "2"]);
    assert!(error.contains("`--limit` has no effect with `--permutations`: leave it out"), "{error}");
    let error = files.refusal("reducts", FLU, &["--permutations", "4", "--missing", "tolerance"]);
    assert!(error.contains("`--permutations` is not available with `--missing tolerance`"), "{error}");
    let error = files.refusal("reduct", FLU, &["--minimum", "--missing", "tolerance"]);
    assert!(error.contains("`--minimum` is not available with `--missing tolerance`"), "{error}");
    let error = files.refusal("reducts", FLU, &["--dynamic", "--fraction", "0.9,0.5"]);
    assert!(error.contains("`--fraction` must be P,Q with 0 < P ≤ Q ≤ 1, got 0.9,0.5"), "{error}");
    let error = files.refusal("reducts", FLU, &["--dynamic", "--fraction", "0.01,0.02"]);
    assert!(
        error.contains("`--fraction` must be so large that at least one of 6 objects is drawn, got 0.01"),
        "{error}"
    );
    let error = files.refusal("reducts", FLU, &["--bireducts", "--ratio", "-2"]);
    assert!(error.contains("`--ratio` must be a finite number above 0, got -2"), "{error}");
    for bad in [&["--bireducts", "--dynamic"][..], &["--ratio", "2"], &["--stability", "0.5"], &["--permutations", "0"]]
    {
        files.rough("reducts", FLU, bad).ended(2);
    }
}
