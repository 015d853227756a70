//! Wins, draws and losses of single games.

use std::fmt;

use super::elo::Sample;
use super::proportion::beta_cdf;
use super::{EloEstimate, normal_cdf};

/// Results of games, counted from one player's side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts in the order won, drawn, lost.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self { wins, draws, losses }
    }

    /// Counts one more result: positive for a win, zero for a draw, negative for a loss.
    pub const fn record(&mut self, result: i32) {
        match result {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The same games seen from the opponent's side.
    pub const fn swapped(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The counts by rising score: lost, drawn, won.
    pub const fn by_score(self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// How many games were counted.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points of the games, a draw being half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Points per game in [0, 1]; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The share of drawn games in [0, 1]; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The trinomial sample: one game a unit. `None` without games.
    pub fn sample(&self) -> Option<Sample> {
        Sample::new(&[(self.losses, 0.0), (self.draws, 0.5), (self.wins, 1.0)], 1)
    }

    /// The Elo difference with its 95 % interval.
    pub fn elo(&self) -> EloEstimate {
        EloEstimate::of(self.sample())
    }

    /// The likelihood that the player is the stronger one, from decisive games alone: Φ((W − L) / √(W + L)).
    /// `None` without decisive games.
    pub fn los_decisive(&self) -> Option<f64> {
        let decisive = self.wins + self.losses;
        (decisive > 0).then(|| normal_cdf((self.wins as f64 - self.losses as f64) / (decisive as f64).sqrt()))
    }

    /// The likelihood that the player is the stronger one, exactly: P(p > 1/2) for p ~ Beta(W + 1, L + 1), the
    /// posterior of the share of wins among decisive games under a uniform prior. 1/2 without decisive games.
    pub fn los_exact(&self) -> f64 {
        beta_cdf(0.5, self.losses as f64 + 1.0, self.wins as f64 + 1.0)
    }
}

sums!(Wdl { wins, draws, losses });

/// Won, drawn and lost: `+22 =26 -12`.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_by_their_sign() {
        let mut games = Wdl::default();
        [1, 0, 0, -1, -2, 3, -1].into_iter().for_each(|result| games.record(result));
        assert_eq!(games, Wdl::new(2, 2, 3));
        assert_eq!((games.points(), games.swapped().points()), (3.0, 4.0));
    }

    #[test]
    fn only_decisive_games_say_who_is_stronger() {
        assert_eq!(Wdl::new(0, 7, 0).los_decisive(), None);
        assert_eq!(Wdl::new(2, 7, 2).los_decisive(), Some(0.5));
        // (9 − 1)/√10 deviations.
        assert_eq!(Wdl::new(9, 0, 1).los_decisive(), Some(normal_cdf(8.0 / 10_f64.sqrt())));
    }

    #[test]
    fn shares_are_of_all_games() {
        let games = Wdl::new(1, 2, 5);
        assert_eq!((games.score(), games.draw_ratio(), games.by_score()), (Some(0.25), Some(0.25), [5, 2, 1]));
        assert_eq!((Wdl::default().score(), Wdl::default().draw_ratio()), (None, None));
        assert!(games.los_exact() < 0.5 && games.swapped().los_exact() > 0.5);
    }
}
