//! Tables in ARFF on the command line.

use std::io::Write;

use serde_json::json;

use crate::command::{Files, roughboard};

/// Some days of the weather data that come with Weka, with a value that is not known.
const WEATHER: &str = "% Play or not\n@relation weather\n\n@attribute outlook {sunny, overcast, rainy}\n\
    @attribute temperature real\n@attribute windy {TRUE, FALSE}\n@attribute 'to play' {yes, no}\n\n@data\n\
    sunny,85,FALSE,no\nsunny,80,TRUE,no\novercast,83,FALSE,yes\nrainy,70.5,FALSE,yes\n?,68,FALSE,yes\n";

#[test]
fn an_arff_file_is_a_table_packed_or_not() {
    let files = Files::new();
    let plain = files.write("weather.arff", WEATHER);
    let info = |path: &str| roughboard(&["rough", "info", path, "--decision", "to play", "--json"]).ended(0);
    let read = info(plain.to_str().unwrap());
    assert_eq!(read.stderr, "");
    let json = read.json();
    assert_eq!((&json["rows"], &json["attributes"][0]["missing"]), (&json!(5), &json!(1)));
    let kinds: Vec<&serde_json::Value> = (0..3).map(|at| &json["attributes"][at]["kind"]).collect();
    assert_eq!(json!(kinds), json!(["text", "real", "text"]));
    let packed = files.path("weather.arff.gz");
    let mut encoder = flate2::write::GzEncoder::new(std::fs::File::create(&packed).unwrap(), Default::default());
    encoder.write_all(WEATHER.as_bytes()).unwrap();
    encoder.finish().unwrap();
    assert_eq!(info(packed.to_str().unwrap()).json(), json);
    let reduct = ["rough", "reduct", plain.to_str().unwrap(), "--decision", "to play", "--json"];
    assert_eq!(roughboard(&reduct).ended(0).json()["reduct"].as_array().unwrap().len(), 1);
}

#[test]
fn options_of_tables_hold_for_arff_too() {
    let files = Files::new();
    let path = files.write("weather.arff", WEATHER);
    let info = |more: &[&str]| roughboard(&[&["rough", "info", path.to_str().unwrap(), "--json"], more].concat());
    assert_eq!(info(&["--text", "temperature"]).ended(0).json()["attributes"][1]["kind"], "text");
    assert_eq!(info(&["--na", "68"]).ended(0).json()["attributes"][1]["missing"], json!(1));
    let never = info(&["--na", "-999"]).ended(0);
    assert_eq!(never.json()["notes"], json!(["no cell that is read is `-999`, which was to mean a missing value"]));
    let error = info(&["--separator", "comma"]).refusal();
    assert!(error.contains("an ARFF file has no separator to choose, but one was given"), "{error}");
    let error = info(&["--number", "outlook"]).refusal();
    assert!(error.contains("column `outlook`, line 10: expected a number of 64 bits, found `sunny`"), "{error}");
    let broken = files.write("broken.arff", WEATHER.replace("rainy,70.5", "foggy,70.5"));
    let error = roughboard(&["rough", "info", broken.to_str().unwrap()]).refusal();
    let expected = "ARFF: line 13: attribute `outlook`: expected one of `sunny`, `overcast`, `rainy`, found `foggy`";
    assert!(error.contains(expected), "{error}");
    let csv = files.write("weather.csv", WEATHER);
    let error = roughboard(&["rough", "info", csv.to_str().unwrap()]).refusal();
    assert!(error.contains("CSV: it holds ARFF, which is read from files whose names end in .arff"), "{error}");
    let written = ["rough", "discretize", path.to_str().unwrap(), "--decision", "to play", "--method", "mdlp", "--out"];
    let error = roughboard(&[&written[..], &["out.arff"]].concat()).ended(2).stderr;
    assert!(error.contains(".csv, .tsv or .parquet"), "{error}");
}

#[test]
fn different_whole_numbers_stay_different_as_in_csv() {
    let files = Files::new();
    let head = "@relation r\n@attribute id numeric\n@attribute d {p,q}\n@data\n";
    let rows = "99999999999999999999,p\n99999999999999999998,q\n";
    let info = |rows: &str, options: &[&str]| {
        let path = files.write("large.arff", format!("{head}{rows}"));
        let ask = ["rough", "info", path.to_str().unwrap(), "--decision", "d", "--json"];
        roughboard(&[&ask[..], options].concat()).ended(0).json()
    };
    let json = info(rows, &[]);
    assert_eq!((&json["gamma_fraction"], &json["attributes"][0]["kind"]), (&json!([2, 2]), &json!("text")));
    let note = json["notes"][0].as_str().unwrap();
    assert!(note.starts_with("column `id` is text because of `99999999999999999999`, line 5: it is "), "{note}");
    // Beside a real they are reals, which is told, and so it is of numbers by choice.
    let json = info(&format!("{rows}1.5,q\n"), &[]);
    let note = json["notes"][0].as_str().unwrap();
    assert!(note.ends_with("are one real number of 64 bits; --text id keeps them apart"), "{note}");
    let json = info(rows, &["--number", "id"]);
    assert_eq!(
        (&json["gamma_fraction"], json["notes"][0].as_str().map(|told| told == note)),
        (&json!([0, 2]), Some(true))
    );
}

#[test]
fn sparse_rows_need_no_value_of_a_column_that_is_not_read() {
    let files = Files::new();
    let head = "@relation r\n@attribute n numeric\n@attribute s string\n@attribute d {p,q}\n@data\n";
    let path = files.write("sparse.arff", format!("{head}{{0 2}}\n{{0 3, 2 q}}\n"));
    let info = ["rough", "info", path.to_str().unwrap(), "--decision", "d", "--json"];
    let json = roughboard(&[&info[..], &["--ignore", "s"]].concat()).ended(0).json();
    assert_eq!((&json["rows"], &json["gamma_fraction"]), (&json!(2), &json!([2, 2])));
    assert!(roughboard(&info).refusal().contains("line 6: attribute `s` has no value"));
}
