//! A model of game pairs, for simulations.

use super::score_of_elo;

/// Pairs of games from one opening: how strong the player is, how often games are drawn, and how far the two games of a
/// pair go together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairModel {
    /// The Elo difference.
    pub elo: f64,
    /// The share of drawn games, in [0, 1].
    pub draws: f64,
    /// The correlation of the scores of a pair's games. Below 0 where openings favour one colour, so that both players win
    /// with it.
    pub correlation: f64,
}

impl PairModel {
    /// The probabilities of 0, ½, 1, 1½ and 2 points of a pair. `None` where there are none such: more draws than the score
    /// leaves room for, or a correlation that is out of reach.
    ///
    /// Each pair is, with some probability, coupled as closely as two games with these results can be: the second game
    /// ends as the first, or, for a negative correlation, at the opposite quantile; else its games are independent.
    pub fn probabilities(&self) -> Option<[f64; 5]> {
        let score = score_of_elo(self.elo);
        let game = [1.0 - score - 0.5 * self.draws, self.draws, score - 0.5 * self.draws];
        if game.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return None;
        }
        let coupled = if self.correlation < 0.0 { opposed(&game) } else { equal(&game) };
        let covariance = |joint: &Joint| {
            let products = outcomes().map(|(first, second)| joint[first][second] * (first * second) as f64);
            products.sum::<f64>() - (2.0 * score).powi(2)
        };
        let variance = covariance(&equal(&game));
        let share = if self.correlation == 0.0 { 0.0 } else { self.correlation * variance / covariance(&coupled) };
        if !(0.0..=1.0).contains(&share) {
            return None;
        }
        let mut pair = [0.0; 5];
        for (first, second) in outcomes() {
            let independent = game[first] * game[second];
            pair[first + second] += share * coupled[first][second] + (1.0 - share) * independent;
        }
        Some(pair)
    }
}

/// Mean and variance of the score of a pair of games with these probabilities of 0 to 4 half points.
pub fn pair_moments(pair: &[f64; 5]) -> (f64, f64) {
    let scored = || pair.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
    let mean = scored().map(|(p, score)| p * score).sum();
    (mean, scored().map(|(p, score)| p * (score - mean).powi(2)).sum())
}

/// The half points of a pair with these probabilities, where `uniform` is in [0, 1).
pub fn drawn_pair(pair: &[f64; 5], uniform: f64) -> usize {
    let mut reached = 0.0;
    let passed = |p: &&f64| {
        reached += **p;
        uniform >= reached
    };
    pair[..4].iter().take_while(passed).count()
}

/// The probabilities of two games' results: lost, drawn, won.
type Joint = [[f64; 3]; 3];

fn outcomes() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|first| (0..3).map(move |second| (first, second)))
}

/// The second game ends as the first.
fn equal(game: &[f64; 3]) -> Joint {
    std::array::from_fn(|first| std::array::from_fn(|second| if first == second { game[first] } else { 0.0 }))
}

/// The second game is at the quantile 1 − u of its results where the first is at u: the most negative correlation.
fn opposed(game: &[f64; 3]) -> Joint {
    let from = [0.0, game[0], game[0] + game[1]];
    let to = [game[0], game[0] + game[1], 1.0];
    let overlap = |first: usize, second: usize| to[first].min(1.0 - from[second]) - from[first].max(1.0 - to[second]);
    std::array::from_fn(|first| std::array::from_fn(|second| overlap(first, second).max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn score_and_correlation_are_those_asked_for() {
        for (elo, draws, correlation) in [(0.0, 0.3, 0.0), (40.0, 0.3, -0.25), (-70.0, 0.5, 0.4), (100.0, 0.1, -0.4)] {
            let pair = PairModel { elo, draws, correlation }.probabilities().unwrap();
            assert_abs_diff_eq!(pair.iter().sum::<f64>(), 1.0, epsilon = 1e-12);
            let scored = || pair.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
            let score = scored().map(|(p, score)| p * score).sum::<f64>();
            assert_abs_diff_eq!(score, score_of_elo(elo), epsilon = 1e-12);
            let variance = scored().map(|(p, each)| p * (each - score).powi(2)).sum::<f64>();
            let of_game = score - 0.25 * draws - score * score;
            assert_abs_diff_eq!(variance, 0.5 * of_game * (1.0 + correlation), epsilon = 1e-12);
        }
    }

    #[test]
    fn pairs_are_drawn_at_their_quantiles() {
        let pair = [0.125, 0.25, 0.25, 0.25, 0.125];
        let quantiles = [0.0, 0.124, 0.125, 0.374, 0.375, 0.624, 0.625, 0.874, 0.875, 0.999];
        assert_eq!(quantiles.map(|uniform| drawn_pair(&pair, uniform)), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!(pair_moments(&pair), (0.5, 2.0 * 0.125 * 0.25 + 2.0 * 0.25 * 0.0625));
    }

    #[test]
    fn what_cannot_be_is_none() {
        assert_eq!(PairModel { elo: 400.0, draws: 0.5, correlation: 0.0 }.probabilities(), None);
        assert_eq!(PairModel { elo: 0.0, draws: 0.5, correlation: 1.5 }.probabilities(), None);
        assert_eq!(PairModel { elo: 150.0, draws: 0.1, correlation: -1.0 }.probabilities(), None);
    }

    /// Half of all games are drawn, and of the others as many won as lost.
    #[test]
    fn games_of_a_pair_are_independent_equal_or_opposed_by_their_correlation() {
        let sixteenths: [(f64, [f64; 5]); 5] = [
            (0.0, [1.0, 4.0, 6.0, 4.0, 1.0]),
            (0.5, [2.5, 2.0, 7.0, 2.0, 2.5]),
            (1.0, [4.0, 0.0, 8.0, 0.0, 4.0]),
            (-0.5, [0.5, 2.0, 11.0, 2.0, 0.5]),
            (-1.0, [0.0, 0.0, 16.0, 0.0, 0.0]),
        ];
        for (correlation, expected) in sixteenths {
            let found = PairModel { elo: 0.0, draws: 0.5, correlation }.probabilities().unwrap();
            let differences = found.iter().zip(expected).map(|(found, expected)| (found - expected / 16.0).abs());
            assert!(differences.fold(0.0, f64::max) < 1e-12, "{correlation}: {found:?}");
        }
    }
}
