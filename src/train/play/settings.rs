//! How games are played and learned from.

use serde::{Deserialize, Serialize};

use super::learner::Learning;
use crate::arena::{MAX_GAMES, PLY_CAP};
use crate::game::BoardGame;
use crate::search::{MAX_DEPTH, MAX_WIDTH, SearchSettings};
use crate::settings::{SettingError, choices, composite, is_zero, require, require_in, settings};

/// Who plays the learner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// The learner itself.
    #[default]
    Itself,
    /// A mover who makes every legal move with the same chance.
    Random,
    /// An evaluator that does not learn, behind the same search.
    Fixed {
        /// Its name.
        evaluator: String,
        /// The depth of its search, in plies, in [1, 64].
        depth: u32,
    },
}

impl Opponent {
    /// The evaluator that does not learn, if there is one.
    pub fn evaluator(&self) -> Option<&str> {
        match self {
            Self::Fixed { evaluator, .. } => Some(evaluator),
            Self::Itself | Self::Random => None,
        }
    }
}

choices! {
    /// Which sequence of positions a game is to the learner.
    pub enum LearnFrom = Positions {
        /// The positions that were played, whoever was to move.
        Positions,
        /// The ends of the principal variations of the learner's searches.
        Leaves,
    }
}

settings! {
    /// How far the learner looks ahead.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Lookahead {
        /// Plies that the learner looks ahead; 0 for none, on recorded games alone.
        pub depth: u32 = 2, in 0..=MAX_DEPTH;
        /// The most plies of captures and answers to checks that a leaf is followed; 0 for static leaves.
        pub quiescence_plies: u32 = 32, in 0..=MAX_DEPTH;
        /// Candidates of a position that the search looks at and random moves are drawn from; 0, which is not written, for all moves.
        pub width: u32 = 0, in 0..=MAX_WIDTH, serde(default, skip_serializing_if = "is_zero");
    }
}

impl Lookahead {
    /// The usual one in `G`: quiescence is that of the search, and none in games with a usual width, whose answers to threats are so
    /// many that a search without heuristics does not come to an end of them.
    #[must_use]
    pub fn of_game<G: BoardGame>() -> Self {
        let width = G::SEARCH_WIDTH;
        Self { quiescence_plies: if width == 0 { 32 } else { 0 }, width, ..Self::default() }
    }

    /// A search with minimax's value whose principal variation ends where that value comes from: nothing selective, and no
    /// table, whose entries would cut the variation short.
    pub(super) fn search(&self) -> SearchSettings {
        SearchSettings {
            quiescence: self.quiescence_plies > 0,
            quiescence_plies: self.quiescence_plies,
            transposition_mb: 0,
            mate_distance: false,
            width: self.width,
            ..SearchSettings::exact()
        }
    }
}

settings! {
    /// Settings of [`super::PlayLambda`].
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct PlaySettings {
        /// Who plays the learner. Against another the learner has the first side in games 1, 3, 5, …
        pub opponent: Opponent = Opponent::Itself;
        /// Games to play.
        pub games: usize = 1000, in 1..=MAX_GAMES, as "games-to-play";
        /// Games that are played by the same weights, in parallel, before they are learned from.
        pub batch: usize = 1, in 1..=10_000, as "batch-games";
        /// How far the learner looks ahead; at least one ply.
        pub lookahead: Lookahead = Lookahead::default();
        /// Sequence that is learned from: positions as played, or leaves of the learner's searches (TD-Leaf).
        pub learn_from: LearnFrom = LearnFrom::Positions;
        /// Chance that the learner makes a move at random, out of those that it would look at.
        pub explore: f64 = 0.05, in 0.0..=1.0;
        /// Plies at the start of each game that are drawn from the moves that the learner would look at, and not learned from.
        pub random_plies: usize = 8, in 0..=200;
        /// Plies after which a game is a draw; more than the random plies.
        pub ply_cap: usize = PLY_CAP, in 1..=10_000, as "max-plies";
        /// How the network is changed.
        pub learning: Learning = Learning::default(), as "-";
        /// Games between two measurements, which are also checkpoints, at most: measurements are evenly spaced.
        pub measure_every: usize = 50, in 1..=MAX_GAMES;
    }
    and check_together
}

composite!(Opponent);

impl Opponent {
    fn check(&self) -> Result<(), SettingError> {
        match self {
            Self::Fixed { depth, .. } => require_in("depth", 1..=MAX_DEPTH, *depth),
            _ => Ok(()),
        }
    }
}

impl PlaySettings {
    fn check_together(&self) -> Result<(), SettingError> {
        require(self.lookahead.depth > 0, "lookahead.depth", "in [1, 64]", 0)?;
        // Without a draw, the same weights play one game, or two where the learner changes sides.
        let different = match self.opponent {
            Opponent::Itself => 1,
            Opponent::Fixed { .. } => 2,
            Opponent::Random => usize::MAX,
        };
        let is_varied = self.random_plies > 0 || self.explore > 0.0 || self.batch.min(self.games) <= different;
        let range = "at least 1 where `explore` is 0, or a batch would hold the same game again and again";
        require(is_varied, "random_plies", range, 0)?;
        require(self.ply_cap > self.random_plies, "ply_cap", "above `random_plies`", self.ply_cap)
    }

    /// The number of measurements.
    pub fn measurements(&self) -> usize {
        self.games.div_ceil(self.measure_every)
    }
}

settings! {
    /// Settings of [`super::LeafLambda`].
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct LeafSettings {
        /// How far each recorded position is searched; depth 0 and no quiescence make TD(λ) on the positions.
        pub lookahead: Lookahead = Lookahead::default();
        /// Plies at the beginning of each game that are not used.
        pub skip_plies: usize = 0;
        /// Passes over the games.
        pub passes: usize = 1, in 1..=10_000;
        /// How the network is changed.
        pub learning: Learning = Learning::default();
    }
}
