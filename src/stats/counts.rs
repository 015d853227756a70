//! Counts of results, whichever unit they are counted in.

use super::{EloEstimate, Pentanomial, Sample, Wdl};

/// The independent units of a match, counted by their score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counts {
    /// Single games.
    Games(Wdl),
    /// Pairs of games from one opening, colours swapped.
    Pairs(Pentanomial),
}

impl Counts {
    /// How many units were counted.
    pub fn units(&self) -> u64 {
        match self {
            Self::Games(games) => games.games(),
            Self::Pairs(pairs) => pairs.count(),
        }
    }

    /// The same results seen from the opponent's side.
    pub const fn swapped(self) -> Self {
        match self {
            Self::Games(games) => Self::Games(games.swapped()),
            Self::Pairs(pairs) => Self::Pairs(pairs.swapped()),
        }
    }

    /// Score and variance by unit; `None` without units.
    pub fn sample(&self) -> Option<Sample> {
        match self {
            Self::Games(games) => games.sample(),
            Self::Pairs(pairs) => pairs.sample(),
        }
    }

    /// The likelihood that the player is the stronger one, from the units that were won or lost alone; always defined.
    pub fn los_exact(&self) -> f64 {
        match self {
            Self::Games(games) => games.los_exact(),
            Self::Pairs(pairs) => pairs.los_exact(),
        }
    }

    /// The likelihood that the player is the stronger one, as tables show it: by the normal approximation
    /// ([`Sample::los`]), and exactly ([`Counts::los_exact`]) with few units. `None` without units, and where many all
    /// ended alike.
    pub fn superiority(&self) -> Option<f64> {
        let sample = self.sample()?;
        if sample.is_small() { Some(self.los_exact()) } else { sample.los() }
    }

    /// The Elo difference with its 95 % interval.
    pub fn elo(&self) -> EloEstimate {
        EloEstimate::of(self.sample())
    }
}

impl From<Wdl> for Counts {
    fn from(games: Wdl) -> Self {
        Self::Games(games)
    }
}

impl From<Pentanomial> for Counts {
    fn from(pairs: Pentanomial) -> Self {
        Self::Pairs(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal_cdf;
    use approx::assert_abs_diff_eq;

    /// Of three units two are won and none is lost: the chance that the share of won units, all shares being as likely, is above one half.
    #[test]
    fn few_units_have_an_exact_superiority_and_many_that_of_their_spread() {
        let (games, pairs) = (Counts::from(Wdl::new(2, 1, 0)), Counts::from(Pentanomial::new([0, 0, 1, 1, 1])));
        for (counts, games_per_unit) in [(games, 1), (pairs, 2)] {
            assert_eq!((counts.units(), counts.sample().unwrap().games_per_unit), (3, games_per_unit));
            assert_abs_diff_eq!(counts.los_exact(), 0.875, epsilon = 1e-9);
            assert_abs_diff_eq!(counts.swapped().los_exact(), 0.125, epsilon = 1e-9);
            assert_eq!(counts.superiority(), Some(counts.los_exact()));
        }
        // Their score is 0.625.
        let many = Counts::from(Wdl::new(20, 10, 10));
        let normal = normal_cdf(0.125 / (0.171_875_f64 / 40.0).sqrt());
        assert_abs_diff_eq!(many.superiority().unwrap(), normal, epsilon = 1e-9);
        assert_eq!([Wdl::new(40, 0, 0), Wdl::default()].map(|games| Counts::from(games).superiority()), [None; 2]);
        assert_eq!((games.elo(), pairs.elo()), (EloEstimate::of(games.sample()), EloEstimate::of(pairs.sample())));
    }
}
