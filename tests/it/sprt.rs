//! The sequential test against slow references, and its laws.

use proptest::prelude::*;
use roughboard::stats::{
    BayesTest, Counts, EloScale, Pentanomial, Sprt, Verdict, Wdl, bayes_llr, elo_of_score, score_of_elo,
};

const LOGISTIC: Sprt = Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.1, scale: EloScale::Logistic };
const NORMALISED: Sprt = Sprt { scale: EloScale::Normalised, ..LOGISTIC };

/// Counts in which zeros count as a thousandth.
fn seen<const K: usize>(counts: [u64; K]) -> [f64; K] {
    counts.map(|count| if count == 0 { 1e-3 } else { count as f64 })
}

fn log_likelihood<const K: usize>(counts: &[f64; K], p: &[f64; K]) -> f64 {
    counts.iter().zip(p).map(|(count, p)| count * p.ln()).sum()
}

/// The most likely probabilities with a mean score of `score`, by bisection on the multiplier.
fn most_likely(counts: &[f64; 5], score: f64) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let values: [f64; 5] = std::array::from_fn(|k| 0.25 * k as f64 - score);
    let of = |theta: f64| -> [f64; 5] { std::array::from_fn(|k| counts[k] / total / (1.0 + theta * values[k])) };
    let (mut low, mut high) = (-1.0 / values[4], -1.0 / values[0]);
    for _ in 0..2000 {
        let middle = 0.5 * (low + high);
        let mean: f64 = of(middle).iter().zip(values).map(|(p, value)| p * value).sum();
        if mean > 0.0 { low = middle } else { high = middle }
    }
    of(0.5 * (low + high))
}

/// The best log-likelihood over `low < x < high` of the probabilities that `of` makes of x, by ever finer scans.
fn best(counts: &[f64; 3], of: impl Fn(f64) -> [f64; 3], mut low: f64, mut high: f64) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for _ in 0..12 {
        let step = (high - low) / 400.0;
        let mut at = low;
        for x in (1..400).map(|k| low + step * f64::from(k)) {
            let p = of(x);
            let value = if p.iter().all(|p| *p > 0.0) { log_likelihood(counts, &p) } else { f64::NEG_INFINITY };
            if value > best {
                (best, at) = (value, x);
            }
        }
        (low, high) = (at - 2.0 * step, at + 2.0 * step);
    }
    best
}

/// Trinomial probabilities from score and share of draws.
fn trinomial(score: f64, draws: f64) -> [f64; 3] {
    [1.0 - score - 0.5 * draws, draws, score - 0.5 * draws]
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * (1.0 + a.abs().max(b.abs()))
}

#[test]
fn the_logistic_ratio_is_that_of_the_most_likely_probabilities() {
    for pairs in [[3, 10, 30, 14, 5], [0, 0, 10, 0, 0], [0, 0, 0, 0, 9], [7, 0, 0, 0, 1], [200, 3000, 6000, 3100, 250]]
    {
        let counts = seen(pairs);
        let at = |elo: f64| log_likelihood(&counts, &most_likely(&counts, score_of_elo(elo)));
        let (expected, found) = (at(LOGISTIC.elo1) - at(LOGISTIC.elo0), LOGISTIC.llr(Pentanomial::new(pairs)));
        assert!(close(expected, found), "{pairs:?}: expected {expected}, found {found}");
    }
}

#[test]
fn the_normalised_ratio_is_that_of_the_most_likely_probabilities() {
    for (losses, draws, wins) in [(20, 30, 25), (0, 0, 40), (40, 0, 0), (0, 40, 0), (1, 100, 30), (300, 0, 290)] {
        let counts = seen([losses, draws, wins]);
        let at = |elo: f64| {
            let ratio = elo * std::f64::consts::LN_10 / 800.0;
            if ratio == 0.0 {
                return best(&counts, |draws| trinomial(0.5, draws), 0.0, 1.0);
            }
            // A score s has the deviation (s − 1/2)/t, which leaves one share of draws.
            let of = |score: f64| {
                let variance = ((score - 0.5) / ratio).powi(2);
                trinomial(score, 4.0 * (score - score * score - variance))
            };
            let widest = 0.5 * ratio.abs() / (1.0 + ratio * ratio).sqrt();
            if ratio > 0.0 { best(&counts, of, 0.5, 0.5 + widest) } else { best(&counts, of, 0.5 - widest, 0.5) }
        };
        for sprt in [NORMALISED, Sprt { elo0: -40.0, elo1: -5.0, ..NORMALISED }, Sprt { elo1: 300.0, ..NORMALISED }] {
            let (expected, found) = (at(sprt.elo1) - at(sprt.elo0), sprt.llr(Wdl::new(wins, draws, losses)));
            assert!(
                (expected - found).abs() < 1e-5 * (1.0 + found.abs()),
                "{losses} {draws} {wins}: {expected}, {found}"
            );
        }
    }
}

#[test]
fn nothing_played_decides_nothing_and_one_sided_results_decide_slowly() {
    assert_eq!(LOGISTIC.llr(Wdl::default()), 0.0);
    assert_eq!(LOGISTIC.verdict(0.0), Verdict::Continue);
    // Ten pairs won: the approximation takes them for an infinity, the exact ratio for ten pairs.
    let won = Pentanomial::new([0, 0, 0, 0, 10]);
    assert!(LOGISTIC.llr(won) < 1.0, "{}", LOGISTIC.llr(won));
    assert!(LOGISTIC.llr_approximate(won) > 500.0);
    assert_eq!(LOGISTIC.verdict(LOGISTIC.llr(Pentanomial::new([0, 0, 0, 0, 60]))), Verdict::AcceptH1);
}

#[test]
fn the_prospect_at_the_hypotheses_is_what_the_test_is_set_to() {
    let at = |elo: f64| LOGISTIC.prospect(score_of_elo(elo), 0.1);
    let close = |a: f64, b: f64| (a - b).abs() < 0.01;
    assert!(close(at(0.0).accept_h1, 0.05) && close(at(30.0).accept_h1, 0.9));
    assert!(close(at(-3000.0).accept_h1, 0.0) && close(at(3000.0).accept_h1, 1.0));
    let middle = elo_of_score(0.5 * (score_of_elo(0.0) + score_of_elo(30.0)));
    let (lower, upper) = LOGISTIC.bounds();
    assert!((at(middle).accept_h1 - -lower / (upper - lower)).abs() < 1e-6);
    assert!(at(middle).units > at(0.0).units && at(middle + 1e-6).units.is_finite());
}

/// Next to all games are drawn, so that the scaled hypothesis is 50000 Elo away, where a loss and a draw are all but impossible.
#[test]
fn the_ratio_of_bayes_elo_is_a_number_where_chances_are_next_to_nothing() {
    let sprt = Sprt { elo0: 0.0, elo1: 10.0, ..LOGISTIC };
    let share = 0.5 / 10_001.5;
    let (draw_elo, x) = (-elo_of_score(share), share / (1.0 - share));
    let elo = 10.0 * (1.0 + x).powi(2) / (4.0 * x);
    // ln of the chance to score against somebody who is so much stronger.
    let log_chance = |stronger: f64| -(stronger * std::f64::consts::LN_10 / 400.0).exp().ln_1p();
    let [win, loss] = [-elo, elo].map(|by| log_chance(draw_elo + by) - log_chance(draw_elo));
    let expected = 0.5 * win + 10_000.5 * (win + loss) + 0.5 * loss;
    let found = bayes_llr(&sprt, Wdl::new(0, 10_000, 0), BayesTest::Cutechess).unwrap();
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    assert_eq!(sprt.verdict(found), Verdict::AcceptH0);
    for counts in [[0, 1_000_000_000, 0], [1, 1_000_000_000, 0], [0, 0, 1_000_000_000], [5, 0, 1]] {
        let games = Wdl::new(counts[0], counts[1], counts[2]);
        for sprt in [sprt, Sprt { elo0: 3000.0, elo1: 4000.0, ..LOGISTIC }] {
            assert!(bayes_llr(&sprt, games, BayesTest::Cutechess).is_some_and(f64::is_finite), "{games}");
        }
    }
}

/// Counts from nothing to more than anybody plays.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0_u64), 1..50_u64, 1_000_000..1_000_000_000_u64, Just(1_000_000_000_000)]
}

fn test(normalised: bool, elo0: f64, width: f64) -> Sprt {
    let scale = if normalised { EloScale::Normalised } else { EloScale::Logistic };
    Sprt { elo0, elo1: elo0 + width, alpha: 0.05, beta: 0.05, scale }
}

proptest! {
    #[test]
    fn ratios_are_finite_and_change_sign_with_the_sides(
        pairs in proptest::array::uniform5(count()),
        normalised in any::<bool>(),
        (elo0, width) in (-1500.0..1500.0_f64, 0.1..1000.0_f64),
    ) {
        let (sprt, turned) = (test(normalised, elo0, width), test(normalised, -elo0 - width, width));
        for counts in [Counts::from(Pentanomial::new(pairs)), Wdl::new(pairs[0], pairs[1], pairs[2]).into()] {
            let (ours, theirs) = (sprt.llr(counts), turned.llr(counts.swapped()));
            prop_assert!(ours.is_finite(), "{ours}");
            let scale = counts.units() as f64;
            prop_assert!((ours + theirs).abs() <= 1e-9 * (1.0 + scale + ours.abs()), "{ours} {theirs}");
        }
    }

    #[test]
    fn another_win_speaks_for_h1_and_another_loss_for_h0(
        pairs in proptest::array::uniform5(0..40_u64),
        (elo0, width) in (-100.0..100.0_f64, 5.0..100.0_f64),
    ) {
        prop_assume!(pairs.iter().sum::<u64>() > 0);
        let sprt = test(false, elo0, width);
        let with = |points: usize| {
            let mut more = pairs;
            more[points] += 1;
            sprt.llr(Pentanomial::new(more))
        };
        let now = sprt.llr(Pentanomial::new(pairs));
        prop_assert!(with(0) < now && now < with(4), "{} {now} {}", with(0), with(4));
    }

    #[test]
    fn the_sign_follows_the_score(pairs in proptest::array::uniform5(1..40_u64), normalised in any::<bool>()) {
        let counts = Pentanomial::new(pairs);
        let sample = counts.sample().unwrap();
        let elo = if normalised { sample.normalised_elo().unwrap() } else { elo_of_score(sample.score) };
        prop_assert!(test(normalised, elo, 20.0).llr(counts) < 0.0);
        prop_assert!(test(normalised, elo - 20.0, 20.0).llr(counts) > 0.0);
    }
}
