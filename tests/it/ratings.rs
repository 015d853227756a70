//! Ratings of many entrants against a slow reference, and where there is no maximum.

use roughboard::stats::{Encounter, RatingError, Ratings, Standing, Wdl, elo_of_score, rate, score_of_elo};

fn encounter(first: usize, second: usize, [wins, draws, losses]: [u64; 3]) -> Encounter {
    Encounter { first, second, results: Wdl::new(wins, draws, losses) }
}

fn standings(ratings: &Ratings) -> Vec<Standing> {
    ratings.entrants.iter().map(|rating| rating.standing).collect()
}

/// Everybody against everybody, with results that grow from nowhere in particular.
fn round_robin(entrants: usize) -> Vec<Encounter> {
    let pairings = (0..entrants).flat_map(|a| (a + 1..entrants).map(move |b| (a, b)));
    let counts = |a: usize, b: usize| [3 + 7 * a + b, 2 + (a * b) % 5, 1 + (11 * b + a) % 13].map(|count| count as u64);
    pairings.map(|(a, b)| encounter(a, b, counts(a, b))).collect()
}

/// Strengths by Zermelo's iteration: points over the sum of games / (strength + strength), thousands of times.
fn reference(entrants: usize, encounters: &[Encounter]) -> Vec<f64> {
    let mut strengths = vec![1.0_f64; entrants];
    for _ in 0..20_000 {
        let (mut points, mut chances) = (vec![0.0; entrants], vec![0.0; entrants]);
        for &Encounter { first, second, results } in encounters {
            let half = 0.5 * results.draws as f64;
            points[first] += results.wins as f64 + half;
            points[second] += results.losses as f64 + half;
            let share = results.games() as f64 / (strengths[first] + strengths[second]);
            chances[first] += share;
            chances[second] += share;
        }
        strengths = points.iter().zip(chances).map(|(points, chances)| points / chances).collect();
        let scale = strengths.iter().map(|s| s.ln()).sum::<f64>() / entrants as f64;
        strengths.iter_mut().for_each(|strength| *strength /= scale.exp());
    }
    strengths.iter().map(|strength| 400.0 * strength.log10()).collect()
}

#[test]
fn ratings_are_those_of_the_slow_iteration() {
    let encounters = round_robin(7);
    let ratings = rate(7, &encounters).unwrap();
    for (rating, expected) in ratings.entrants.iter().zip(reference(7, &encounters)) {
        assert!((rating.elo - expected).abs() < 1e-6, "{rating:?}: {expected}");
        assert_eq!(rating.standing, Standing::Rated);
        assert!(rating.error.unwrap() > 0.0);
    }
    assert!(ratings.entrants.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-8);
    assert_eq!(ratings.groups, 1);
}

#[test]
fn two_entrants_differ_by_the_elo_of_their_score() {
    let ratings = rate(2, &[encounter(0, 1, [60, 0, 40])]).unwrap();
    let (elo, error) = ratings.difference(0, 1).unwrap();
    assert!((elo - elo_of_score(0.6)).abs() < 1e-9);
    // Delta method: the slope of Elo at 0.6 times the binomial error.
    let expected = 1.959_964 * 400.0 / std::f64::consts::LN_10 / (100.0_f64 * 0.6 * 0.4).sqrt();
    assert!((error - expected).abs() < 1e-3, "{error} {expected}");
    // Each stands half the difference away from the mean of the two.
    assert!(ratings.entrants.iter().all(|rating| (rating.error.unwrap() - error / 2.0).abs() < 1e-9));
    assert!((ratings.los(0, 1).unwrap() - 0.9765).abs() < 1e-3);
    assert_eq!(ratings.los(0, 0), None);
}

#[test]
fn who_won_every_game_is_rated_at_a_bound() {
    let ratings =
        rate(3, &[encounter(0, 1, [10, 5, 8]), encounter(2, 0, [11, 0, 0]), encounter(1, 2, [0, 0, 9])]).unwrap();
    let [first, second, best] = ratings.entrants[..] else { panic!("three entrants") };
    assert_eq!(standings(&ratings), [Standing::Rated, Standing::Rated, Standing::AtLeast]);
    // All those wins have a probability of 5 % at the bound.
    let chance = score_of_elo(best.elo - first.elo).powi(11) * score_of_elo(best.elo - second.elo).powi(9);
    assert!((chance - 0.05).abs() < 1e-9, "{chance}");
    assert_eq!((best.error, ratings.difference(2, 0)), (None, None));
    assert!((first.elo + second.elo).abs() < 1e-9);
}

#[test]
fn without_a_point_between_classes_each_keeps_its_order_and_is_marked() {
    // 0 and 1 share points, and so do 2 and 3, who lost every game against 0; 4 stands between: beaten by 1, beat 2.
    let games = [
        encounter(0, 1, [6, 1, 4]),
        encounter(2, 3, [3, 0, 2]),
        encounter(0, 2, [40, 0, 0]),
        encounter(1, 4, [4, 0, 0]),
        encounter(4, 2, [4, 0, 0]),
    ];
    let ratings = rate(5, &games).unwrap();
    assert_eq!(
        standings(&ratings),
        [Standing::Rated, Standing::Rated, Standing::AtMost, Standing::AtMost, Standing::Open]
    );
    let elo = |entrant: usize| ratings.entrants[entrant].elo;
    assert!((elo(2) - elo(3) - elo_of_score(0.6)).abs() < 1e-9);
    assert!(elo(1) > elo(4) && elo(4) > elo(2));
    assert!(ratings.entrants.iter().all(|rating| rating.elo.is_finite()));
}

/// 0 and 1 share points. 2 lost to 0, and 3 beat nobody but 2, who may be as weak as anything; 4 beat 0.
#[test]
fn a_bound_that_hangs_on_one_in_the_other_direction_is_none() {
    let games = [
        encounter(0, 1, [6, 1, 4]),
        encounter(0, 2, [15, 0, 0]),
        encounter(3, 2, [15, 0, 0]),
        encounter(4, 0, [15, 0, 0]),
    ];
    assert_eq!(
        standings(&rate(5, &games).unwrap()),
        [Standing::Rated, Standing::Rated, Standing::AtMost, Standing::Open, Standing::AtLeast]
    );
}

#[test]
fn groups_without_games_between_them_are_told_apart() {
    let ratings = rate(5, &[encounter(0, 3, [2, 1, 1]), encounter(4, 1, [1, 1, 3])]).unwrap();
    assert_eq!(ratings.groups, 3);
    assert_eq!(ratings.entrants.iter().map(|rating| rating.group).collect::<Vec<_>>(), [0, 1, 2, 0, 1]);
    assert_eq!(ratings.difference(0, 1), None);
    let alone = ratings.entrants[2];
    assert_eq!((alone.elo, alone.error, alone.standing), (0.0, None, Standing::Rated));
    assert_eq!(rate(0, &[]).unwrap().entrants, []);
}

#[test]
fn extreme_results_stay_finite() {
    let lopsided =
        [encounter(0, 1, [1_000_000_000, 0, 1]), encounter(1, 2, [1_000_000_000, 0, 1]), encounter(3, 0, [7, 0, 0])];
    let ratings = rate(4, &lopsided).unwrap();
    assert!((ratings.entrants[0].elo - ratings.entrants[1].elo - 3600.0).abs() < 1e-3, "{ratings:?}");
    assert!(ratings.entrants.iter().all(|rating| rating.elo.is_finite()));
}

/// Neighbours took points off each other, so all are rated, however far the first stands above the last.
#[test]
fn a_long_row_of_entrants_far_above_one_another_is_rated() {
    let row: Vec<Encounter> = (1..32).map(|at| encounter(at - 1, at, [1000, 0, 1])).collect();
    let ratings = rate(32, &row).unwrap();
    assert!(ratings.entrants.iter().all(|rating| rating.standing == Standing::Rated));
    for pair in ratings.entrants.windows(2) {
        assert!((pair[0].elo - pair[1].elo - 1200.0).abs() < 1e-6, "{pair:?}");
    }
}

#[test]
fn encounters_of_nobody_are_refused() {
    let unknown = RatingError::Unknown { encounter: 2, entrants: 2, found: 5 };
    assert_eq!(rate(2, &[encounter(0, 1, [1, 1, 1]), encounter(5, 1, [1, 0, 0])]), Err(unknown));
    let error = rate(2, &[encounter(1, 1, [1, 0, 0])]).unwrap_err();
    assert_eq!(error.to_string(), "encounter 1: expected two entrants, found 1 against itself");
}
