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
