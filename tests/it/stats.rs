//! The laws of match statistics. Their figures are checked by the suite `tests/data/match_statistics.json`.

use approx::assert_abs_diff_eq;
use proptest::prelude::*;
use roughboard::stats::{
    Counts, EloEstimate, GameVariance, MANY_UNITS, Pentanomial, Sample, Wdl, Z95, elo_of_score, games_for_error,
    games_for_power, holm, score_of_elo, signed_elo,
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
        (Wdl::new(29, 1, 0), "+708 [+516, +∞]"),
        // Few games: ends that are not equally far away.
        (Wdl::new(9, 1, 0), "+512 [+151, +∞]"),
        (Wdl::new(1, 2, 1), "+0 [-∞, +∞]"),
        (Wdl::new(5, 10, 6), "-17 [-141, +103]"),
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

/// The chance of each count of won, drawn and lost games of `n`, given those of one game.
fn chances(n: u64, [won, drawn, lost]: [f64; 3]) -> Vec<(Wdl, f64)> {
    let ways = |n: u64, k: u64| (1..=k).fold(1.0, |ways, at| ways * (n - k + at) as f64 / at as f64);
    let counts = (0..=n).flat_map(|wins| (0..=n - wins).map(move |draws| Wdl::new(wins, draws, n - wins - draws)));
    let power = |chance: f64, count: u64| chance.powi(count as i32);
    let chance = |one: Wdl| power(won, one.wins) * power(drawn, one.draws) * power(lost, one.losses);
    counts.map(|one| (one, ways(n, one.wins) * ways(n - one.wins, one.draws) * chance(one))).collect()
}

/// How often the interval of a score holds the true one.
fn coverage(n: u64, game: [f64; 3], interval: impl Fn(&Sample) -> (f64, f64)) -> f64 {
    let truth = game[0] + 0.5 * game[1];
    let holds = |one: &Wdl| {
        let (low, high) = interval(&one.sample().unwrap());
        (low - 1e-12..=high + 1e-12).contains(&truth)
    };
    chances(n, game).iter().filter(|(one, _)| holds(one)).map(|(_, chance)| chance).sum()
}

#[test]
fn intervals_of_few_games_hold_the_truth_as_often_as_they_say() {
    let games = [[0.5, 0.0, 0.5], [0.25, 0.5, 0.25], [0.1, 0.8, 0.1], [0.6, 0.3, 0.1], [0.8, 0.15, 0.05]];
    let mut normal: f64 = 1.0;
    for (n, game) in [2, 3, 4, 6, 8, 10, 15, 20, MANY_UNITS - 1].into_iter().flat_map(|n| games.map(|game| (n, game))) {
        let ours = coverage(n, game, Sample::score_interval);
        assert!(ours > 0.925, "{n} games, {game:?}: {ours}");
        normal = normal.min(coverage(n, game, |sample| {
            let (low, high) = sample.elo_interval();
            (score_of_elo(low), score_of_elo(high))
        }));
    }
    assert!(normal < 0.8, "the normal interval would do as well: {normal}");
}

#[test]
fn the_error_of_few_games_is_told_everywhere_alike_and_that_of_many_is_the_normal_one() {
    let error = |pairs| Pentanomial::new(pairs).sample().unwrap().score_error();
    assert_abs_diff_eq!(error([2, 0, 0, 0, 0]).unwrap(), 1.0 - 0.05_f64.sqrt(), epsilon = 1e-12);
    assert_abs_diff_eq!(error([0, 1, 0, 1, 0]).unwrap(), 0.5, epsilon = 1e-12);
    assert_eq!(error([MANY_UNITS, 0, 0, 0, 0]), None);
    let many = Pentanomial::new([2, 5, 20, 8, 1]);
    let sample = many.sample().unwrap();
    assert_abs_diff_eq!(sample.score_error().unwrap(), Z95 * sample.standard_error(), epsilon = 1e-15);
    assert_eq!(Counts::from(many).superiority(), sample.los());
    assert_eq!(Counts::from(Pentanomial::new([MANY_UNITS, 0, 0, 0, 0])).superiority(), None);
    // Two pairs lost by half a point: the normal approximation is certain, the exact figure is not.
    let few = Counts::from(Pentanomial::new([0, 2, 0, 0, 0]));
    assert_abs_diff_eq!(few.superiority().unwrap(), 0.125, epsilon = 1e-12);
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
    // However small alpha is.
    let games = [1e-15, 1e-17, 1e-300].map(|alpha| games_for_power(20.0, variance, alpha, 0.8));
    assert!(games.is_sorted() && games[2] < 20 * games[0], "{games:?}");
    assert_eq!((GameVariance::of_draws(1.0), GameVariance::of_pairs(Pentanomial::new([0, 0, 7, 0, 0]))), (None, None));
}

#[test]
fn holm_rejects_from_the_smallest_p_value_on() {
    let tests = holm(&[0.04, 0.001, f64::NAN, 0.02], 0.05);
    assert_eq!(tests.iter().map(|test| test.adjusted).collect::<Vec<_>>(), [0.08, 0.004, 1.0, 0.06]);
    assert_eq!(tests.iter().map(|test| test.rejected).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(holm(&[], 0.05), []);
}

#[test]
fn p_values_are_the_same_from_both_sides_and_never_lost_to_rounding() {
    for (pairs, p_value) in [
        ([0, 0, 0, 0, 4], 0.5_f64.powi(4)),
        ([0, 0, 0, 0, 100], 0.5_f64.powi(100)),
        ([0, 0, 7, 900, 100], 0.5_f64.powi(1000)),
        ([0, 0, 9, 0, 0], 1.0),
        ([3, 0, 9, 3, 0], 1.0),
    ] {
        let pairs = Pentanomial::new(pairs);
        assert_eq!(pairs.p_value(), pairs.swapped().p_value(), "{pairs:?}");
        assert!((pairs.p_value() / p_value - 1.0).abs() < 1e-9, "{pairs:?}: {}", pairs.p_value());
    }
}

#[test]
fn no_difference_has_one_sign() {
    let shown = [0.0, -0.0, -0.4, 0.4, -0.6, f64::INFINITY, f64::NEG_INFINITY].map(signed_elo);
    assert_eq!(shown, ["+0", "+0", "+0", "+0", "-1", "+∞", "-∞"]);
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
