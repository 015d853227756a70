//! Results of game pairs: one opening, played with both colours.

use super::elo::Sample;
use super::proportion::beta_cdf;
use super::{EloEstimate, Wdl};

/// Results of game pairs, counted by the points that one player took: 0, ½, 1, 1½, 2
/// (`[LL, LD, DD + WL, WD, WW]`).
///
/// The games of a pair depend on each other through their opening, so the pair is the independent unit; an interval
/// from single games would be too wide when openings favour one colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial {
    /// `pairs[k]`: pairs that gave k half points.
    pub pairs: [u64; 5],
}

impl Pentanomial {
    /// Counts in the order LL, LD, DD + WL, WD, WW.
    pub const fn new(pairs: [u64; 5]) -> Self {
        Self { pairs }
    }

    /// Counts one more pair from the results of its two games for the player: 1 won, 0 drawn, -1 lost.
    pub const fn record(&mut self, first: i32, second: i32) {
        let half_points = 2 + first.signum() + second.signum();
        self.pairs[half_points as usize] += 1;
    }

    /// The same pairs seen from the opponent's side.
    pub const fn swapped(self) -> Self {
        let [ll, ld, even, wd, ww] = self.pairs;
        Self { pairs: [ww, wd, even, ld, ll] }
    }

    /// How many pairs were counted.
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Points per game in [0, 1]; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        self.sample().map(|sample| sample.score)
    }

    /// The share of pairs that ended level, in [0, 1]; `None` without pairs.
    pub fn level_ratio(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.pairs[2] as f64 / self.count() as f64)
    }

    /// Pairs won over pairs lost; `None` if no pair was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.pairs;
        (ll + ld > 0).then(|| (wd + ww) as f64 / (ll + ld) as f64)
    }

    /// The likelihood that the player is the stronger one, from the pairs that were not level: P(p > 1/2) for
    /// p ~ Beta(won + 1, lost + 1). 1/2 without such pairs; defined for one-sided results too.
    pub fn los_exact(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.pairs;
        beta_cdf(0.5, (ll + ld) as f64 + 1.0, (wd + ww) as f64 + 1.0)
    }

    /// The two-sided p-value of "neither is stronger", in [0, 1]: twice the lesser of [`Pentanomial::los_exact`] of both sides.
    /// It is the same whichever side is asked, and as exact where it is small.
    pub fn p_value(&self) -> f64 {
        (2.0 * self.los_exact().min(self.swapped().los_exact())).min(1.0)
    }

    /// The pentanomial sample: one pair a unit. `None` without pairs.
    pub fn sample(&self) -> Option<Sample> {
        let [ll, ld, even, wd, ww] = self.pairs;
        Sample::new(&[(ll, 0.0), (ld, 0.25), (even, 0.5), (wd, 0.75), (ww, 1.0)], 2)
    }

    /// The Elo difference with its 95 % interval.
    pub fn elo(&self) -> EloEstimate {
        EloEstimate::of(self.sample())
    }

    /// Builds the counts from the two games of each pair, each given by its result for the player.
    pub fn of_pairs(results: impl IntoIterator<Item = (i32, i32)>) -> Self {
        let mut counts = Self::default();
        results.into_iter().for_each(|(first, second)| counts.record(first, second));
        counts
    }
}

/// The pairs as if their games were independent; every level pair counts as two draws, since the counts do not tell
/// a win and a loss from two draws.
impl From<Pentanomial> for Wdl {
    fn from(counts: Pentanomial) -> Self {
        let [ll, ld, even, wd, ww] = counts.pairs;
        Self::new(2 * ww + wd, wd + 2 * even + ld, ld + 2 * ll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_the_points_of_both_games() {
        let results = [(-1, -1), (-1, 0), (0, -1), (1, -1), (0, 0), (0, 1), (1, 1), (1, 1)];
        assert_eq!(Pentanomial::of_pairs(results), Pentanomial::new([1, 2, 2, 1, 2]));
    }

    #[test]
    fn shares_and_ratios_are_those_of_their_names() {
        let pairs = Pentanomial::new([1, 2, 3, 4, 5]);
        assert_eq!((pairs.count(), pairs.level_ratio(), pairs.pairs_ratio()), (15, Some(0.2), Some(3.0)));
        assert_eq!(pairs.swapped().pairs, [5, 4, 3, 2, 1]);
        assert_eq!(Pentanomial::new([0, 0, 3, 1, 0]).pairs_ratio(), None);
        assert_eq!(Pentanomial::new([0, 1, 3, 0, 0]).pairs_ratio(), Some(0.0));
        assert_eq!(Pentanomial::default().level_ratio(), None);
    }

    #[test]
    fn pairs_are_games_as_well_and_have_a_chance_of_no_difference() {
        let pairs = Pentanomial::new([1, 2, 3, 4, 5]);
        assert_eq!((Wdl::from(pairs), pairs.score()), (Wdl::new(14, 12, 4), Some(10.0 / 15.0)));
        // Two pairs won and none lost.
        let few = Pentanomial::new([0, 0, 1, 1, 1]);
        for (pairs, chance) in [(few, 0.875), (few.swapped(), 0.125), (Pentanomial::new([0, 0, 9, 0, 0]), 0.5)] {
            assert!((pairs.los_exact() - chance).abs() < 1e-9, "{pairs:?}");
        }
        assert!([few, few.swapped()].iter().all(|pairs| (pairs.p_value() - 0.25).abs() < 1e-9));
        assert_eq!(Pentanomial::default().score(), None);
    }
}
