//! `plot curves`: runs over seeds as curves with bands.

use std::fs;

use crate::command::{Run, roughboard};
use crate::training_runs::Trainer;

const BP: [&str; 7] = ["bp", "--hidden", "4", "--passes", "2", "--curve-points", "2"];

/// Three seeds of one method, and one run of another setting.
fn runs() -> (Trainer, Vec<String>) {
    let trainer = Trainer::new();
    for seed in ["1", "2", "5"] {
        trainer.train(&BP, &format!("bp-s{seed}"), &["--seed", seed]).ended(0);
    }
    trainer.train(&BP, "fast", &["--rate", "0.01"]).ended(0);
    let names = ["bp-s1", "fast", "bp-s2", "bp-s5"].map(|name| trainer.path(name)).to_vec();
    (trainer, names)
}

fn plot(runs: &[String], more: &[&str]) -> Run {
    let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
    roughboard(&[&["plot", "curves"], &runs[..], more].concat())
}

fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

#[test]
fn seeds_make_one_curve_with_a_band() {
    let (trainer, runs) = runs();
    let [svg, csv] = ["curves.svg", "curves.csv"].map(|name| trainer.path(name));
    let text = plot(&runs, &["--out", &svg, "--csv", &csv, "--band", "ci95"]).ended(0).stdout;
    assert!(text.contains("Ends of the learning curves: mean, and the ends of its 95 % interval\n"), "{text}");
    let picture = fs::read_to_string(&svg).unwrap();
    for words in ["bp, 3 seeds, 95 % CI", ">\nfast", "opacity=\"0.18\""] {
        assert!(picture.contains(words), "{words}");
    }
    let table = fs::read_to_string(&csv).unwrap();
    assert_eq!(column(&table, "series"), [["bp"; 5], ["fast"; 5]].concat());
    // By hand, from the curves of the runs: Student's t with two degrees of freedom has the quantile 4.302653.
    let ends = ["bp-s1", "bp-s2", "bp-s5"].map(|run| {
        let curve = fs::read_to_string(trainer.path(run) + "/curve.csv").unwrap();
        column(&curve, "held_out_mse")[4].parse::<f64>().unwrap()
    });
    let mean = ends.iter().sum::<f64>() / 3.0;
    let deviation = (ends.iter().map(|end| (end - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
    let number = |name: &str| column(&table, name)[4].parse::<f64>().unwrap();
    approx::assert_abs_diff_eq!(number("mean"), mean, epsilon = 1e-12);
    approx::assert_abs_diff_eq!(number("high") - mean, 4.302_653 * deviation / 3f64.sqrt(), epsilon = 1e-6);
    assert_eq!(column(&table, "low")[9], "");
    plot(&runs, &["--out", &svg, "--csv", &csv, "--force"]).ended(0);
    let high: f64 = column(&fs::read_to_string(&csv).unwrap(), "high")[4].parse().unwrap();
    approx::assert_abs_diff_eq!(high, mean + deviation, epsilon = 1e-12);
}

#[test]
fn axes_labels_and_formats_can_be_chosen() {
    let (trainer, runs) = runs();
    let [svg, png] = ["curves.svg", "curves.png"].map(|name| trainer.path(name));
    let names = ["--label", "slow", "--label", "quick", "--title", "Rates"];
    let axes = ["--x", "positions", "--y", "training", "--band", "none", "--out", &svg];
    plot(&runs, &[&names[..], &axes].concat()).ended(0);
    let picture = fs::read_to_string(&svg).unwrap();
    for words in ["slow, 3 seeds", "quick", "Rates", "training positions seen", "training games"] {
        assert!(picture.contains(words), "{words}");
    }
    assert!(!picture.contains("opacity=\"0.18\""));
    plot(&runs, &["--out", &png]).ended(0);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let error = plot(&runs, &["--label", "one", "--out", &svg, "--force"]).refusal();
    assert!(error.contains("2 curves (`bp`, `fast`), found 1"), "{error}");
    for broken in [&["--title", "a\u{1}b"][..], &["--label", "slow", "--label", "a\nb"]] {
        let error = plot(&runs, &[broken, &["--out", &svg, "--force"]].concat()).refusal();
        assert!(error.contains("must be one line without control characters"), "{error}");
    }
}

#[test]
fn curves_of_one_name_are_called_by_their_folders() {
    let trainer = Trainer::new();
    let names = ["slow/bp-s1", "fast/bp-s1"];
    for (name, rate) in names.into_iter().zip(["0.003", "0.01"]) {
        fs::create_dir_all(trainer.path(name.split('/').next().unwrap())).unwrap();
        trainer.train(&BP, name, &["--rate", rate]).ended(0);
    }
    let (runs, csv) = (names.map(|name| trainer.path(name)), trainer.path("curves.csv"));
    plot(&runs, &["--out", &trainer.path("curves.svg"), "--csv", &csv]).ended(0);
    let [slow, fast] = runs.each_ref().map(String::as_str);
    assert_eq!(column(&fs::read_to_string(&csv).unwrap(), "series"), [[slow; 5], [fast; 5]].concat());
}

#[test]
fn runs_that_begin_from_other_networks_are_no_seeds_of_one_another() {
    let trainer = Trainer::new();
    for seed in ["1", "2"] {
        let net = format!("net-{seed}");
        let [init, file] = [net.clone(), format!("{net}/net.safetensors")].map(|name| trainer.path(&name));
        trainer.train(&BP, &net, &["--seed", seed]).ended(0);
        let other = if seed == "1" { "4" } else { "5" };
        for (run, seed, init) in
            [("own", seed, &init), ("file", seed, &file), ("same", "3", &init), ("other", other, &init)]
        {
            let bp = ["bp", "--passes", "1", "--curve-points", "2", "--init", init];
            trainer.train(&bp, &format!("{run}-{net}"), &["--seed", seed]).ended(0);
        }
    }
    let (svg, csv) = (trainer.path("curves.svg"), trainer.path("curves.csv"));
    let curves = |run: &str| {
        let runs = ["1", "2"].map(|number| trainer.path(&format!("{run}-net-{number}")));
        plot(&runs, &["--out", &svg, "--csv", &csv, "--force"]).ended(0);
        let mut series = column(&fs::read_to_string(&csv).unwrap(), "series");
        series.dedup();
        series.len()
    };
    assert_eq!(["own", "file", "same", "other"].map(curves), [1, 1, 2, 2]);
}

#[test]
fn a_mean_goes_as_far_as_all_runs() {
    let (trainer, runs) = runs();
    let [svg, csv] = ["curves.svg", "curves.csv"].map(|name| trainer.path(name));
    let curve = trainer.path("bp-s2/curve.csv");
    let text = fs::read_to_string(&curve).unwrap();
    fs::write(&curve, text.lines().take(4).collect::<Vec<_>>().join("\n")).unwrap();
    let notes = plot(&runs, &["--out", &svg, "--csv", &csv]).ended(0).stderr;
    let apart = "note: the errors were measured on 2 different sets of games or positions, and do not compare\n";
    assert_eq!(notes, format!("{apart}note: the curve `bp` is drawn as far as all its runs go, pass 1.00\n"));
    let table = fs::read_to_string(&csv).unwrap();
    assert_eq!(column(&table, "series"), [&["bp"; 3][..], &["fast"; 5]].concat());
}

#[test]
fn what_is_no_run_is_refused() {
    let (trainer, runs) = runs();
    let out = trainer.path("plot.svg");
    let refusal = |run: &str| plot(&[trainer.path(run)], &["--out", &out]).refusal();
    let error = refusal("nowhere");
    assert!(error.contains("nowhere` is not the folder of a finished training run"), "{error}");
    let mut twice = runs.clone();
    twice.push(runs[0].clone());
    let error = plot(&twice, &["--out", &out]).refusal();
    assert!(error.contains("same settings and the same seed 1"), "{error}");
    let curve = trainer.path("bp-s2/curve.csv");
    let text = fs::read_to_string(&curve).unwrap();
    fs::write(&curve, text.replace("0.5,", "0.6,")).unwrap();
    let error = plot(&runs, &["--out", &out]).refusal();
    assert!(error.contains("bp-s2") && error.contains("different points"), "{error}");
    fs::write(&curve, text.replace("0.5,", "half,")).unwrap();
    let error = refusal("bp-s2");
    assert!(error.contains("curve.csv") && error.contains("line 3: expected a number, found `half`"), "{error}");
    fs::write(&curve, "pass,positions\n0,0\n").unwrap();
    assert!(refusal("bp-s2").contains("no column `training_mse`"));
    let manifest = trainer.path("bp-s2/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"train\"", "\"S1\"")).unwrap();
    assert!(refusal("bp-s2").contains("experiment `S1`"));
    assert!(!std::path::Path::new(&out).exists());
}

/// The first picture that a process draws has a legend of several rows above its axes, as the later ones have.
#[test]
fn a_legend_of_several_rows_has_room() {
    let (trainer, runs) = runs();
    let [few, many, png] = ["few.svg", "many.svg", "many.png"].map(|name| trainer.path(name));
    let names = [
        "a curve with quite a long name, so that it takes a row of the legend",
        "another curve with a name that is as long as that of the first",
    ];
    let labels = [&["--label", names[0], "--label", names[1]][..], &["--band", "none"]].concat();
    plot(&runs, &["--out", &few]).ended(0);
    plot(&runs, &[&labels[..], &["--out", &many]].concat()).ended(0);
    let height = |path: &str| {
        let picture = fs::read_to_string(path).unwrap();
        let height = picture.split("height=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        height.parse::<u32>().unwrap()
    };
    assert_eq!(height(&many), height(&few) + 24);
    plot(&runs, &[&labels[..], &["--out", &png]].concat()).ended(0);
    let header = fs::read(&png).unwrap();
    assert_eq!(u32::from_be_bytes(header[20..24].try_into().unwrap()), 2 * height(&many));
}
