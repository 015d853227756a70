//! Openings: the positions that a match starts from, drawn from a game database.
//!
//! As in the TD(λ) experiments on Xiangqi that this follows (section 5.2: the full initial position and 499 random openings of
//! the database, each played with both colours).

use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::random;
use crate::record::GameRecord;
use crate::setting::{SettingError, require};

/// The most plies that an opening has.
const MAX_PLIES: usize = 200;

/// Where a game starts: a position and the moves made from there, so that repetition sees them.
#[derive(Debug, Clone)]
pub struct Opening<G: Game> {
    /// The position before the first of `moves`.
    pub start: G,
    /// The moves that are given.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Opening<G> {
    /// The initial position of the game.
    #[must_use]
    pub fn initial() -> Self {
        Self { start: G::start(), moves: Vec::new() }
    }

    /// The position that the players get.
    #[must_use]
    pub fn position(&self) -> G {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&mv| position.play(mv));
        position
    }
}

/// How openings are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningSettings {
    /// How many, the initial position included.
    pub count: usize,
    /// How many plies of each drawn game are given, in [0, 200].
    pub plies: usize,
    /// The seed of the draw.
    pub seed: u64,
}

impl Default for OpeningSettings {
    fn default() -> Self {
        Self { count: 500, plies: 10, seed: 1 }
    }
}

/// Why no openings could be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The number asked for is zero.
    #[error("the number of openings must be at least 1, got 0")]
    NoCount,
    /// More plies than an opening has.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The database holds too few different positions.
    #[error(
        "too few openings: expected {wanted}, found {found} (the initial position and the different, unfinished \
         positions after {plies} plies of {games} games)"
    )]
    TooFew {
        /// How many were asked for.
        wanted: usize,
        /// How many there are, the initial position included.
        found: usize,
        /// After how many plies they were taken.
        plies: usize,
        /// How many games the database holds.
        games: usize,
    },
}

/// The initial position and `settings.count - 1` openings from `games`, drawn without
/// replacement: the positions after `settings.plies` plies, all different, none of them the end of a game.
///
/// # Errors
/// [`OpeningsError::TooFew`] when the games do not give that many, and when `settings` are out of range.
pub fn draw_openings<G: Game>(
    games: &[GameRecord<G>],
    settings: OpeningSettings,
) -> Result<Vec<Opening<G>>, OpeningsError> {
    let OpeningSettings { count: wanted, plies, .. } = settings;
    let openings = draw_openings_at_most(games, settings)?;
    let found = openings.len();
    if found < wanted {
        return Err(OpeningsError::TooFew { wanted, found, plies, games: games.len() });
    }
    Ok(openings)
}

/// As [`draw_openings`], but where the games do not give `settings.count` openings, as many as they give: at least the
/// initial position.
///
/// # Errors
/// When `settings` are out of range.
pub fn draw_openings_at_most<G: Game>(
    games: &[GameRecord<G>],
    settings: OpeningSettings,
) -> Result<Vec<Opening<G>>, OpeningsError> {
    let OpeningSettings { count, plies, seed } = settings;
    if count == 0 {
        return Err(OpeningsError::NoCount);
    }
    require(plies <= MAX_PLIES, "--opening-plies", "in [0, 200]", plies)?;
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.shuffle(&mut random::stream(seed, "openings", 0));
    let mut openings = vec![Opening::initial()];
    let mut seen = FxHashSet::from_iter([G::start().key()]);
    for game in order {
        if openings.len() == count {
            break;
        }
        openings.extend(opening_of(&games[game], plies).filter(|opening| seen.insert(opening.position().key())));
    }
    Ok(openings)
}

/// The opening of one game, if it is long enough and goes on after it.
fn opening_of<G: Game>(game: &GameRecord<G>, plies: usize) -> Option<Opening<G>> {
    let opening = Opening { start: game.start.clone(), moves: game.moves.get(..plies)?.to_vec() };
    opening.position().end().is_none().then_some(opening)
}
