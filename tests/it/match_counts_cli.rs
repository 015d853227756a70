//! `match plan`, `match stats` and `reproduce sprt-simulation` as a user calls them.

use std::collections::BTreeMap;

use serde_json::json;

use super::command::{Files, Run, assert_stdout_described, roughboard};

fn matches(arguments: &[&str]) -> Run {
    roughboard(&[&["match"], arguments].concat())
}

#[test]
fn plans_say_how_many_games_are_needed() {
    let plan = matches(&["plan", "--elo", "20", "--json"]).ended(0).json();
    assert_eq!(plan["games"]["error_bar"], 812);
    let games = |key: &str| plan["games"][key].as_u64().unwrap();
    assert!(games("sprt_at_elo") < games("fixed_length") && games("sprt_at_elo") < games("sprt_at_half"), "{plan}");
    assert!(plan["hours"].is_null(), "{plan}");
    let paced = matches(&["plan", "--elo", "20", "--json", "--games-per-minute", "14"]).ended(0).json();
    assert_eq!(paced["hours"]["error_bar"], 812.0 / 14.0 / 60.0);
    let text = matches(&["plan", "--elo", "10", "--draws", "0", "--games-per-minute", "60"]).ended(0).stdout;
    assert!(text.contains("4638") && text.contains("hours") && text.contains("SPRT [0, 10]"), "{text}");
}

/// 100 times 0.29 or 0.57 has more digits in binary.
#[test]
fn shares_of_a_plan_are_told_as_they_were_given() {
    let text = matches(&["plan", "--elo", "10", "--draws", "0.29", "--power", "0.57"]).ended(0).stdout;
    assert!(text.contains(": 29 % draws, ") && text.contains("shown with a chance of 57 % "), "{text}");
}

#[test]
fn a_plan_for_next_to_no_false_alarms_has_an_end() {
    let games = |alpha: &str, more: &[&str]| {
        let plan = matches(&[&["plan", "--elo", "20", "--json", "--alpha", alpha], more].concat()).ended(0).json();
        plan["games"]["fixed_length"].as_u64().unwrap()
    };
    let (draws, pairs): (&[&str], &[&str]) = (&["--draws", "0.3"], &["--pairs", "1,2,3,2,1"]);
    for more in [draws, pairs] {
        let (often, seldom) = (games("1e-15", more), games("1e-17", more));
        assert!(often < seldom && seldom < 2 * often, "{often} {seldom}");
    }
    assert_eq!(games("1e-17", pairs) % 2, 0);
}

#[test]
fn pairs_that_go_against_each_other_need_fewer_games() {
    let games = |arguments: &[&str]| {
        let plan = matches(&[&["plan", "--elo", "20", "--json"], arguments].concat()).ended(0).json();
        plan["games"]["error_bar"].as_u64().unwrap()
    };
    assert!(games(&["--pairs", "0,1,16,3,0"]) < games(&["--draws", "0.15"]) / 4);
    assert_eq!(games(&["--pairs", "1", "2", "3", "2", "1"]) % 2, 0);
}

#[test]
fn counts_from_anywhere_give_every_figure() {
    let text = matches(&["stats", "--wdl", "22", "26", "12", "--sprt", "0", "50"]).ended(0).stdout;
    for figure in ["+22 =26 -12", "58.3", "+58 ± 67", "+79 ± 88", "0.9607", "continue"] {
        assert!(text.contains(figure), "{figure}: {text}");
    }
    let pairs = matches(&["stats", "--pairs", "0,2,5,8,5", "--sprt", "0", "100", "--json"]).ended(0).json();
    assert!((pairs["sprt"]["llr"].as_f64().unwrap() - 4.686_673_847).abs() < 1e-8, "{pairs}");
    assert_eq!((&pairs["sprt"]["verdict"], &pairs["games"]), (&json!("accept H1"), &json!(40)));
}

#[test]
fn csv_of_counts_is_one_row_of_numbers() {
    let sheet = |arguments: &[&str]| {
        let text = matches(&[&["stats"], arguments, &["--csv"]].concat()).ended(0).stdout;
        assert_stdout_described(&text);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let row: BTreeMap<String, String> = reader.deserialize().next().unwrap().unwrap();
        assert!(
            row.iter().all(|(name, cell)| name == "verdict" || cell.is_empty() || cell.parse::<f64>().is_ok()),
            "{text}"
        );
        row
    };
    let row = sheet(&["--wdl", "22", "26", "12"]);
    assert_eq!([&row["won"], &row["drawn"], &row["lost"]], ["22", "26", "12"]);
    let json = matches(&["stats", "--wdl", "22", "26", "12", "--json"]).ended(0).json();
    let number = |name: &str| row[name].parse::<f64>().unwrap();
    let elo = ["elo", "elo_low", "elo_high", "normalised_elo", "normalised_elo_error"];
    for name in elo.into_iter().chain(["los", "los_exact", "won", "drawn", "lost"]) {
        approx::assert_abs_diff_eq!(number(name), json[name].as_f64().unwrap(), epsilon = 1e-9);
    }
    for (percent, share) in [("score", "score"), ("draw_ratio_percent", "draw_ratio")] {
        approx::assert_abs_diff_eq!(number(percent), 100.0 * json[share].as_f64().unwrap(), epsilon = 1e-9);
    }
    assert_eq!(json["elo_kind"], "interval");
    let row = sheet(&["--pairs", "0", "0", "0", "0", "40", "--sprt", "0", "100"]);
    assert_eq!([&row["pairs_ww"], &row["elo"], &row["verdict"]], ["40", "inf", "accept H1"]);
    let [plain, tested] = [&[][..], &["--sprt", "0", "100"]].map(|test| [&["--pairs", "1,2,3,4,5"], test].concat());
    let json = matches(&[&["stats", "--json"], &tested[..]].concat()).ended(0).json();
    assert_eq!((sheet(&plain)["pairs_ratio"].as_str(), &json["pentanomial"]), ("3", &json!([1, 2, 3, 4, 5])));
    let bounds = ["lower_bound", "upper_bound"];
    assert_eq!(bounds.map(|name| sheet(&tested)[name].clone()), bounds.map(|name| json["sprt"][name].to_string()));
    assert!(sheet(&["--wdl", "0", "0", "0", "--sprt", "0", "10"])["elo"].is_empty());
    let text = matches(&["stats", "--wdl", "200", "0", "10"]).ended(0).stdout;
    assert!(text.contains("> 0.9999"), "{text}");
}

#[test]
fn one_sided_and_level_samples_give_bounds() {
    let text = matches(&["stats", "--pairs", "0", "0", "0", "0", "22"]).ended(0).stdout;
    assert!(text.contains("> +") && !text.contains("NaN"), "{text}");
    let level = matches(&["stats", "--wdl", "0", "40", "0", "--json"]).ended(0).json();
    assert_eq!((&level["elo"], &level["los"]), (&json!(0.0), &json!(null)));
    approx::assert_abs_diff_eq!(level["los_exact"].as_f64().unwrap(), 0.5, epsilon = 1e-12);
    assert!(level["elo_low"].as_f64().unwrap() < -20.0, "{level}");
    assert!(matches(&["stats", "--wdl", "0", "0", "0"]).ended(0).stdout.contains("no games"));
}

#[test]
fn usage_shows_no_needed_count_as_optional() {
    for (command, usages) in
        [("stats", &["--wdl <W,D,L>", "--pairs <LL,LD,LEVEL,WD,WW>"][..]), ("plan", &["--pairs <LL,LD,LEVEL,WD,WW>"])]
    {
        let help = matches(&[command, "--help"]).ended(0).stdout;
        assert!(usages.iter().all(|usage| help.contains(usage)), "{help}");
        assert!(!help.contains("[D]") && !help.contains("[LD]"), "{help}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, words) in [
        (&["stats"][..], "expected counts of results, `--wdl` or `--pairs`, found none"),
        (&["stats", "--wdl", "1", "2"], "`--wdl` must be three counts up to 10^15: won, drawn, lost, got 1 2"),
        (&["stats", "--pairs", "1", "2", "3"], "`--pairs` must be five counts"),
        (&["stats", "--wdl", "1", "2", "3", "--sprt", "5", "0"], "`elo0` must be below `elo1`, got 5 and 0"),
        (
            &["stats", "--wdl", "1", "2", "3", "--sprt", "0", "5", "--alpha", "2"],
            "`--alpha` must be in (0, 0.5), got 2",
        ),
        (
            &["stats", "--wdl", "1", "2", "3", "--alpha", "0.1"],
            "`--alpha` has no effect without `--sprt`: leave it out",
        ),
        (&["stats", "--wdl", "1", "2", "3", "--beta", "0.1"], "`--beta` has no effect without `--sprt`"),
        (&["stats", "--wdl", "1", "2", "3", "--normalised"], "`--normalised` has no effect without `--sprt`"),
        (&["plan", "--elo", "0"], "`--elo` must be in [0.01, 1000], got 0"),
        (&["plan", "--elo", "5", "--draws", "1"], "`--draws` must be in [0, 1), got 1"),
        (&["plan", "--elo", "5", "--power", "0.5"], "`--power` must be in (0.5, 1), got 0.5"),
        (&["plan", "--elo", "5", "--pairs", "0", "0", "9", "0", "0"], "expected pairs that ended differently"),
        (&["plan", "--elo", "5", "--games-per-minute", "0"], "`--games-per-minute` must be above 0, got 0"),
    ] {
        let error = matches(arguments).refusal();
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    let alone = matches(&["traditional"]).refusal();
    assert!(alone.contains("two"), "{alone}");
}

#[test]
fn simulations_are_the_same_on_any_number_of_threads() {
    let files = Files::new();
    let run = |name: &str, threads: &str| {
        let out = files.path(name);
        let arguments = ["reproduce", "sprt-simulation", "--smoke", "--threads", threads, "--out"];
        roughboard(&[&arguments[..], &[out.to_str().unwrap()]].concat()).ended(0);
        out
    };
    let (one, three) = (run("one", "1"), run("three", "3"));
    for name in ["config.toml", "manifest.json", "rates.csv", "rates.svg", "games.svg", "tables.md"] {
        assert_eq!(std::fs::read(one.join(name)).unwrap(), std::fs::read(three.join(name)).unwrap(), "{name}");
    }
}
