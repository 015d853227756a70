//! The laws of match statistics. Their figures are checked by the suite `tests/data/match_statistics.json`.

use approx::assert_abs_diff_eq;
use proptest::prelude::*;
use roughboard::stats::{
    EloEstimate, GameVariance, Pentanomial, Wdl, elo_of_score, games_for_error, games_for_power, holm, score_of_elo,
    two_sided,
};

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

#[test]
fn one_sided_results_have_an_exact_likelihood_of_superiority() {
    assert_abs_diff_eq!(Pentanomial::new([0, 0, 0, 0, 4]).los_exact(), 1.0 - 0.5_f64.powi(5), epsilon = 1e-12);
    assert_abs_diff_eq!(Pentanomial::new([0, 0, 9, 0, 0]).los_exact(), 0.5, epsilon = 1e-12);
    assert_eq!(Pentanomial::new([0, 0, 0, 0, 4]).sample().unwrap().los(), None);
}

#[test]
fn a_planned_match_has_the_error_and_the_power_that_were_planned() {
    let variance = GameVariance::of_draws(0.3).unwrap();
    let games = games_for_error(20.0, variance);
    let [decisive, draws] = [0.35, 0.3].map(|share| (share * games as f64).round() as u64);
    let error = Wdl::new(decisive, draws, decisive).sample().unwrap().elo_error().unwrap();
    assert!((error - 20.0).abs() < 0.1, "{error}");
    // z(0.95) + z(0.8) deviations of the mean.
    let games = games_for_power(20.0, variance, 0.05, 0.8) as f64;
    let deviations = (score_of_elo(20.0) - 0.5) / (variance.value() / games).sqrt();
    assert_abs_diff_eq!(deviations, 1.644_853_6 + 0.841_621_2, epsilon = 2e-3);
    assert_eq!((GameVariance::of_draws(1.0), GameVariance::of_pairs(Pentanomial::new([0, 0, 7, 0, 0]))), (None, None));
}

#[test]
fn holm_rejects_from_the_smallest_p_value_on() {
    let tests = holm(&[0.04, 0.001, f64::NAN, 0.02], 0.05);
    assert_eq!(tests.iter().map(|test| test.adjusted).collect::<Vec<_>>(), [0.08, 0.004, 1.0, 0.06]);
    assert_eq!(tests.iter().map(|test| test.rejected).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(holm(&[], 0.05), []);
    assert_abs_diff_eq!(two_sided(0.99), 0.02, epsilon = 1e-12);
}

proptest! {
    #[test]
    fn elo_and_score_convert_both_ways(elo in -1500.0..1500.0_f64) {
        prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
    }

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
