//! Tables that a cluster reads, as far as no cluster is needed: `tests/cluster/spark.sh` asks real ones.

use serde_json::{Value as Json, json};

use crate::command::{Files, Run, roughboard};

/// The questions that an engine can be asked.
const QUESTIONS: [&str; 4] = ["info", "approx", "core", "reduct"];

/// A port at which nobody listens.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn an_engine_that_is_not_there_is_told_in_one_line() {
    let engine = format!("spark://127.0.0.1:{}", free_port());
    for question in QUESTIONS {
        let refusal =
            roughboard(&["rough", question, "s3://bucket/table", "--decision", "d", "--engine", &engine]).refusal();
        let expected = if cfg!(feature = "spark") {
            format!("no engine answers at {}: ", &engine["spark://".len()..])
        } else {
            format!(
                "cannot ask `{engine}`: this program was built without engines; build it with `cargo build --release --features spark`"
            )
        };
        assert!(refusal.contains(&expected), "{refusal}");
    }
}

#[test]
fn what_has_no_effect_at_an_engine_is_refused() {
    let asked = |more: &[&str]| {
        let start = ["rough", "reduct", "/table", "--decision", "d"];
        roughboard(&[&start[..], more].concat()).refusal()
    };
    let engine = ["--engine", "spark://127.0.0.1:1"];
    for option in
        [["--na", "x"], ["--separator", "tab"], ["--text", "a"], ["--relation", "tolerance"], ["--epsilon", "0.1"]]
    {
        let refusal = asked(&[&option[..], &engine].concat());
        assert!(refusal.contains(&format!("`{}` has no effect with `--engine", option[0])), "{refusal}");
    }
    assert!(asked(&["--fetch", "10"]).contains("`--fetch` has no effect without `--engine`"));
}

/// A table in which `a` and `b` are needed, and a certificate as it is written of a table on a cluster.
struct Certified(Files);

impl Certified {
    fn new() -> Self {
        let files = Files::new();
        files.write("table.csv", "a,b,c,d\n0,0,x,0\n0,1,x,1\n1,0,,1\n1,1,x,0\n");
        Self(files)
    }

    fn certificate() -> Json {
        json!({
            "roughboard_certificate": 3,
            "table": { "file": "table", "extent": { "objects": 4, "classes": 4 }, "decision": ["d"] },
            "described": { "attributes": ["a", "b", "c"], "objects": [[0, 0, "x"], [1, 0, null], [0, 1, "x"]] },
            "reduct": {
                "notion": "positive", "attributes": ["a", "b"],
                "witnesses": [{ "attribute": "a", "objects": [1, 2] }, { "attribute": "b", "objects": [1, 3] }],
            },
        })
    }

    fn verify(&self, certificate: &Json) -> Run {
        let (table, file) = (self.0.path("table.csv"), self.0.write("certificate.json", certificate.to_string()));
        roughboard(&["rough", "verify", table.to_str().unwrap(), file.to_str().unwrap()])
    }
}

#[test]
fn objects_that_are_described_are_found_in_the_table() {
    let certified = Certified::new();
    let verified = certified.verify(&Certified::certificate()).ended(0);
    assert!(
        verified.stdout.starts_with("verified: 2 attributes as a reduct (positive) of 4 objects"),
        "{}",
        verified.stdout
    );
    let mut other = Certified::certificate();
    other["described"]["objects"][1][2] = json!("y");
    let refuted = certified.verify(&other).ended(1).stdout;
    assert!(refuted.contains("no object of the table has the values of object 2"), "{refuted}");
    let mut same_label = Certified::certificate();
    same_label["reduct"]["witnesses"][0]["objects"] = json!([2, 3]);
    assert!(certified.verify(&same_label).ended(1).stdout.starts_with("refuted"));
    let mut beyond = Certified::certificate();
    beyond["reduct"]["witnesses"][0]["objects"] = json!([1, 9]);
    assert!(certified.verify(&beyond).ended(1).stdout.contains("object 9 is not described"));
}

#[test]
fn another_table_than_the_certified_one_is_told() {
    let certified = Certified::new();
    let mut other = Certified::certificate();
    other["table"]["extent"]["objects"] = json!(5);
    let told = certified.verify(&other).ended(0).stdout;
    let expected = "note: the table is not the file `table` that was certified: it has 4 objects in 4 classes, the certified table had 5 objects in 4 classes\n";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn a_certificate_is_of_a_file_or_of_descriptions() {
    let certified = Certified::new();
    let mut nothing = Certified::certificate();
    nothing.as_object_mut().unwrap().remove("described");
    let mut both = Certified::certificate();
    both["table"]["sha256"] = json!("00");
    for wrong in [nothing, both] {
        let refusal = certified.verify(&wrong).refusal();
        assert!(refusal.contains("expected a checksum, or an extent and descriptions of objects"), "{refusal}");
    }
}
