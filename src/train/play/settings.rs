//! How games are played and learned from.

use serde::{Deserialize, Serialize};

use super::learner::Learning;
use crate::game::BoardGame;
use crate::search::{MAX_DEPTH, MAX_WIDTH, SearchSettings};
use crate::settings::{SettingError, choices, is_zero, require};

/// Who plays the learner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponent {
    /// The learner itself.
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

choices! {
    /// Which sequence of positions a game is to the learner.
    pub enum LearnFrom = Positions {
        /// The positions that were played, whoever was to move.
        Positions = "positions",
        /// The ends of the principal variations of the learner's searches.
        Leaves = "leaves",
    }
}

/// How far the learner looks ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookahead {
    /// Depth of the search, in plies, in [0, 64]; 0 for none.
    pub depth: u32,
    /// Plies of captures and answers to checks that a leaf is followed at most; 0 for static leaves.
    pub quiescence_plies: u32,
    /// At how many of a position's [candidates](crate::game::SearchHints::candidates) the search looks, and among how many a move at
    /// random is drawn; 0 for all legal moves, and not written then.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub width: u32,
}

impl Lookahead {
    /// The usual plies of quiescence: those of the search, and none in games with a usual width, whose answers to threats are so many
    /// that a search without heuristics does not come to an end of them.
    pub const fn usual_quiescence_plies<G: BoardGame>() -> u32 {
        if G::SEARCH_WIDTH == 0 { 32 } else { 0 }
    }

    fn check(&self, lowest: u32, range: &'static str) -> Result<(), SettingError> {
        require((lowest..=MAX_DEPTH).contains(&self.depth), "depth", range, self.depth)?;
        let plies = self.quiescence_plies;
        require(plies <= MAX_DEPTH, "quiescence_plies", "in [0, 64]", plies)?;
        require(self.width <= MAX_WIDTH, "width", "in [0, 10000]", self.width)
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

/// Settings of [`super::PlayLambda`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaySettings {
    /// Who plays the learner. Against another the learner has the first side in games 1, 3, 5, …
    pub opponent: Opponent,
    /// Games to play, in [1, 10000000].
    pub games: usize,
    /// Games that are played by the same weights before they are learned from, in [1, 10000].
    pub batch: usize,
    /// How far the learner looks ahead; at least one ply.
    pub lookahead: Lookahead,
    /// What is learned from.
    pub learn_from: LearnFrom,
    /// The chance, in [0, 1], that the learner makes a move at random, out of those that it would look at.
    pub explore: f64,
    /// Plies at the start of each game that are drawn from the moves that the learner would look at and not learned from, in [0, 200].
    pub random_plies: usize,
    /// After how many plies a game is a draw; above `random_plies`, at most 10,000.
    pub ply_cap: usize,
    /// How the network is changed.
    pub learning: Learning,
    /// About how many games are played between two measurements (and checkpoints), in [1, 10000000].
    pub measure_every: usize,
}

/// The most games of one run.
const MAX_GAMES: usize = 10_000_000;

impl PlaySettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=MAX_GAMES).contains(&self.games), "games", "in [1, 10000000]", self.games)?;
        require((1..=10_000).contains(&self.batch), "batch", "in [1, 10000]", self.batch)?;
        self.lookahead.check(1, "in [1, 64]")?;
        require((0.0..=1.0).contains(&self.explore), "explore", "in [0, 1]", self.explore)?;
        require(self.random_plies <= 200, "random_plies", "in [0, 200]", self.random_plies)?;
        let has_moves = self.ply_cap > self.random_plies && self.ply_cap <= 10_000;
        require(has_moves, "ply_cap", "above `random_plies`, at most 10000", self.ply_cap)?;
        require(
            (1..=MAX_GAMES).contains(&self.measure_every),
            "measure_every",
            "in [1, 10000000]",
            self.measure_every,
        )?;
        if let Opponent::Fixed { depth, .. } = self.opponent {
            require((1..=MAX_DEPTH).contains(&depth), "opponent.depth", "in [1, 64]", depth)?;
        }
        self.learning.check()
    }

    /// The number of measurements.
    pub fn measurements(&self) -> usize {
        self.games.div_ceil(self.measure_every)
    }
}

/// Settings of [`super::LeafLambda`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeafSettings {
    /// How far each recorded position is searched; depth 0 and no quiescence make TD(λ) on the positions.
    pub lookahead: Lookahead,
    /// Plies at the beginning of each game that are not used.
    pub skip_plies: usize,
    /// Passes over the games, in [1, 10000].
    pub passes: usize,
    /// How the network is changed.
    pub learning: Learning,
}

impl LeafSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        self.lookahead.check(0, "in [0, 64]")?;
        require((1..=10_000).contains(&self.passes), "passes", "in [1, 10000]", self.passes)?;
        self.learning.check()
    }
}
