//! Match statistics against independent figures, and their laws.

use approx::assert_abs_diff_eq;
use proptest::prelude::*;
use roughboard::stats::{EloEstimate, Pentanomial, Sample, Wdl, clopper_pearson, elo_of_score, score_of_elo, wilson};
use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

fn figures() -> Value {
    serde_json::from_str(include_str!("../data/match_statistics.json")).unwrap()
}

/// Compares a number with the file's: a number, `"inf"`, `"-inf"`, or null for "not defined".
fn check(what: &str, got: Option<f64>, expected: &Value) {
    match (got, expected) {
        (None, Value::Null) => {}
        (Some(got), Value::String(text)) => assert_eq!(got.to_string(), *text, "{what}"),
        (Some(got), Value::Number(number)) => {
            let expected = number.as_f64().unwrap();
            assert!((got - expected).abs() <= TOLERANCE, "{what}: expected {expected}, got {got}");
        }
        _ => panic!("{what}: expected {expected}, got {got:?}"),
    }
}

fn counts<const N: usize>(value: &Value) -> [u64; N] {
    let list: Vec<u64> = value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    list.try_into().unwrap()
}

fn trinomial(value: &Value) -> Wdl {
    let [losses, draws, wins] = counts(value);
    Wdl::new(wins, draws, losses)
}

fn check_sample(name: &str, sample: Sample, row: &Value) {
    let elo = elo_of_score(sample.score);
    let (low, high) = sample.elo_interval();
    let figures = [
        ("score", Some(sample.score)),
        ("var", Some(sample.variance)),
        ("se", Some(sample.standard_error())),
        ("elo", Some(elo)),
        ("elo_lo95", Some(low)),
        ("elo_hi95", Some(high)),
        ("elo_err95_half_width", sample.elo_error()),
        ("nelo", sample.normalised_elo()),
        ("nelo_err95", sample.normalised_elo_error()),
        ("los_normal", sample.los()),
    ];
    for (key, got) in figures {
        check(&format!("{name} {key}"), got, &row[key]);
    }
    if let Some(wider_side) = row.get("elo_err95_max_side_openbench") {
        check(&format!("{name} wider side"), Some((high - elo).max(elo - low)), wider_side);
    }
}

fn check_games(wdl: Wdl, row: &Value) {
    let name = wdl.to_string();
    check_sample(&name, wdl.sample().unwrap(), row);
    check(&format!("{name} los_cutechess"), wdl.los_decisive(), &row["los_cutechess"]);
    check(&format!("{name} los_beta_exact"), Some(wdl.los_exact()), &row["los_beta_exact"]);
    check(&format!("{name} draw_ratio"), wdl.draw_ratio(), &row["draw_ratio"]);
}

fn check_pairs(pairs: Pentanomial, row: &Value) {
    let name = format!("{:?}", pairs.pairs);
    check_sample(&name, pairs.sample().unwrap(), row);
    check(&format!("{name} draw ratio"), pairs.level_ratio(), &row["draw_ratio_pairs"]);
    check(&format!("{name} pairs ratio"), pairs.pairs_ratio(), &row["pairs_ratio"]);
}

#[test]
fn elo_and_score_convert_both_ways() {
    let figures = figures();
    let rows = figures["elo_score"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let (elo, score) = (row["elo"].as_f64().unwrap(), row["score"].as_f64().unwrap());
        assert_abs_diff_eq!(elo_of_score(score), elo, epsilon = TOLERANCE);
        assert_abs_diff_eq!(score_of_elo(elo), score, epsilon = TOLERANCE);
    }
}

#[test]
fn trinomial_figures_come_out_exactly() {
    let figures = figures();
    let rows = figures["trinomial"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows {
        check_games(trinomial(&row["ldw"]), row);
    }
}

#[test]
fn intervals_of_decisive_games_come_out_exactly() {
    let figures = figures();
    let mut checked = 0;
    for row in figures["trinomial"].as_array().unwrap() {
        let Some(expected) = row.get("decisive_wilson95") else { continue };
        let wdl = trinomial(&row["ldw"]);
        let (low, high) = wilson(wdl.wins, wdl.games());
        check("wilson low", Some(low), &expected[0]);
        check("wilson high", Some(high), &expected[1]);
        let (low, high) = clopper_pearson(wdl.wins, wdl.games());
        check("exact low", Some(low), &row["decisive_clopper_pearson95"][0]);
        check("exact high", Some(high), &row["decisive_clopper_pearson95"][1]);
        check("exact low elo", Some(elo_of_score(low)), &row["decisive_clopper_elo"][0]);
        check("exact high elo", Some(elo_of_score(high)), &row["decisive_clopper_elo"][1]);
        checked += 1;
    }
    assert_eq!(checked, 3);
}

#[test]
fn pentanomial_figures_come_out_exactly() {
    let figures = figures();
    let rows = figures["pentanomial"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        check_pairs(Pentanomial::new(counts(&row["pairs"])), row);
    }
}

#[test]
fn pairing_narrows_the_interval_as_published() {
    let figures = figures();
    let row = &figures["paired_vs_unpaired"];
    check_pairs(Pentanomial::new(counts(&row["pairs"])), &row["pentanomial"]);
    check_games(trinomial(&row["as_games_ldw"]), &row["trinomial"]);
}

#[test]
fn estimates_read_as_a_table_shows_them() {
    let shown = [
        (Wdl::new(0, 0, 0), "no games"),
        (Wdl::new(22, 26, 12), "+58 ± 67"),
        (Wdl::new(20, 0, 20), "+0 ± 111"),
        (Wdl::new(44, 0, 0), "> +461"),
        (Wdl::new(0, 0, 44), "< -461"),
        (Wdl::new(0, 40, 0), "+0 [-25, +25]"),
        (Wdl::new(9, 1, 0), "+512 [+311, +∞]"),
    ];
    for (wdl, text) in shown {
        assert_eq!(wdl.elo().to_string(), text, "{wdl}");
    }
}

#[test]
fn the_one_sided_bound_is_where_such_a_run_has_probability_5_percent() {
    for games in [1, 10, 1000] {
        let EloEstimate::Above(bound) = Wdl::new(games, 0, 0).elo() else { panic!("all games were won") };
        assert_abs_diff_eq!(score_of_elo(bound).powi(games as i32), 0.05, epsilon = 1e-9);
    }
}

proptest! {
    #[test]
    fn swapping_sides_negates_elo(wins in 0..50_u64, draws in 0..50_u64, losses in 0..50_u64) {
        let wdl = Wdl::new(wins, draws, losses);
        let (ours, theirs) = (wdl.elo(), wdl.swapped().elo());
        prop_assert_eq!(ours.elo().is_none(), wdl.games() == 0);
        if let (Some(a), Some(b)) = (ours.elo(), theirs.elo()) {
            prop_assert!(a == -b || (a + b).abs() < 1e-9);
        }
        let ((low, high), (other_low, other_high)) = (ours.ends(), theirs.ends());
        prop_assert!(low == -other_high || (low + other_high).abs() < 1e-6);
        prop_assert!(high == -other_low || (high + other_low).abs() < 1e-6);
    }

    #[test]
    fn nothing_is_ever_nan(pairs in proptest::array::uniform5(0..4_u64)) {
        let counts = Pentanomial::new(pairs);
        let (low, high) = counts.elo().ends();
        prop_assert!(low <= high);
        prop_assert!(counts.elo().elo().is_none_or(|elo| low <= elo && elo <= high));
        if let Some(sample) = counts.sample() {
            prop_assert!((0.0..=0.25).contains(&sample.variance));
            prop_assert!(sample.los().is_none_or(|los| (0.0..=1.0).contains(&los)));
        }
    }

    #[test]
    fn a_pair_scores_what_its_games_score(results in proptest::collection::vec((-1..=1_i32, -1..=1_i32), 1..40)) {
        let mut games = Wdl::default();
        for &(first, second) in &results {
            games.record(first);
            games.record(second);
        }
        let pairs = Pentanomial::of_pairs(results);
        prop_assert!((pairs.score().unwrap() - games.score().unwrap()).abs() < 1e-12);
        prop_assert_eq!(Wdl::from(pairs).games(), games.games());
        prop_assert!((Wdl::from(pairs).score().unwrap() - games.score().unwrap()).abs() < 1e-12);
    }
}
