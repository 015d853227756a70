//! Openings: the positions that a match starts from, drawn from a game database, made of random moves, or read from a list.
//!
//! Drawing is as in the TD(λ) experiments on Xiangqi that this follows (section 5.2: the full initial position and 499 random
//! openings of the database, each played with both colours).

use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::game::{BoardGame, End, PositionError};
use crate::random::{self, Stream};
use crate::record::GameRecord;
use crate::settings::{SettingError, require};

/// The most plies that an opening has.
const MAX_PLIES: usize = 200;

/// Random games in a row that end early or lead to a known position, after which no further one is looked for.
const MAX_FAILURES: usize = 1000;

/// Where a game starts: a position and the moves made from there, so that repetition sees them.
#[derive(Debug, Clone)]
pub struct Opening<G: BoardGame> {
    /// The position before the first of `moves`.
    pub start: G,
    /// The moves that are given.
    pub moves: Vec<G::Move>,
}

impl<G: BoardGame> Opening<G> {
    /// The initial position of the game.
    pub fn initial() -> Self {
        Self { start: G::start(), moves: Vec::new() }
    }

    /// The position that the players get.
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
    /// Random moves lead to too few different positions.
    #[error(
        "too few openings: expected {wanted}, found {found} different, unfinished positions after {plies} random plies"
    )]
    TooFewRandom {
        /// How many were asked for.
        wanted: usize,
        /// How many were found.
        found: usize,
        /// After how many plies.
        plies: usize,
    },
    /// A line of a list is no position.
    #[error("line {line}: {source}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: PositionError,
    },
    /// A line of a list is a position that no game can start from.
    #[error("line {line}: the game is over in this position ({reason})")]
    Over {
        /// The line, from 1.
        line: usize,
        /// The rule that ends it.
        reason: &'static str,
    },
    /// A list holds a position twice.
    #[error("line {line}: the same position as in line {earlier}")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The line that held it first.
        earlier: usize,
    },
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
pub fn draw_openings<G: BoardGame>(
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
pub fn draw_openings_at_most<G: BoardGame>(
    games: &[GameRecord<G>],
    settings: OpeningSettings,
) -> Result<Vec<Opening<G>>, OpeningsError> {
    let OpeningSettings { count, plies, seed } = settings;
    if count == 0 {
        return Err(OpeningsError::NoCount);
    }
    require(plies <= MAX_PLIES, "opening_plies", "in [0, 200]", plies)?;
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

/// Openings of `settings.plies` moves drawn evenly from the legal ones, or from the `width` most promising of each position
/// ([`candidates`](crate::game::SearchHints::candidates)), from the initial position: all different, none of them
/// the end of a game. They are as many as asked for, or all that turned up where there are hardly more.
///
/// # Errors
/// When `settings` are out of range.
pub fn random_openings_at_most<G: BoardGame>(
    settings: OpeningSettings,
    width: Option<usize>,
) -> Result<Vec<Opening<G>>, OpeningsError> {
    let OpeningSettings { count, plies, seed } = settings;
    if count == 0 {
        return Err(OpeningsError::NoCount);
    }
    require(plies <= MAX_PLIES, "random_plies", "in [0, 200]", plies)?;
    let mut seen = FxHashSet::default();
    let mut openings = Vec::new();
    let mut failures = 0;
    for number in 0.. {
        if openings.len() == count || failures == MAX_FAILURES {
            break;
        }
        let opening = random_opening::<G>(plies, width, &mut random::stream(seed, "random openings", number));
        match opening.filter(|opening| seen.insert(opening.position().key())) {
            Some(opening) => {
                openings.push(opening);
                failures = 0;
            }
            None => failures += 1,
        }
    }
    Ok(openings)
}

/// As [`random_openings_at_most`], but never fewer than asked for.
///
/// # Errors
/// [`OpeningsError::TooFewRandom`] when there are hardly that many, and when `settings` are out of range.
pub fn random_openings<G: BoardGame>(
    settings: OpeningSettings,
    width: Option<usize>,
) -> Result<Vec<Opening<G>>, OpeningsError> {
    let openings = random_openings_at_most(settings, width)?;
    let OpeningSettings { count: wanted, plies, .. } = settings;
    let found = openings.len();
    if found < wanted { Err(OpeningsError::TooFewRandom { wanted, found, plies }) } else { Ok(openings) }
}

/// Random moves from the initial position; `None` if the game ends on the way.
fn random_opening<G: BoardGame>(plies: usize, width: Option<usize>, draws: &mut Stream) -> Option<Opening<G>> {
    let mut position = G::start();
    let (mut moves, mut choices) = (Vec::with_capacity(plies), Vec::new());
    while moves.len() < plies && position.end().is_none() {
        choices.clear();
        match width {
            Some(width) => position.candidates(width, &mut choices),
            None => position.legal_moves(&mut choices),
        }
        let &mv = choices.choose(draws)?;
        position.play(mv);
        moves.push(mv);
    }
    position.end().is_none().then(|| Opening { start: G::start(), moves })
}

/// The openings in a list of positions in the game's notation, one a line, in order. What follows a semicolon, empty lines and
/// lines that begin with `#` are passed over.
///
/// # Errors
/// With the first line that is no position, is one in which the game is over, or repeats an earlier one.
pub fn parse_openings<G: BoardGame>(text: &str) -> Result<Vec<Opening<G>>, OpeningsError> {
    let mut seen = FxHashMap::default();
    let mut openings = Vec::new();
    for (at, text) in text.lines().enumerate() {
        let (line, text) = (at + 1, text.split(';').next().unwrap_or_default().trim());
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let start = G::from_notation(text).map_err(|source| OpeningsError::Position { line, source })?;
        if let Some(End { reason, .. }) = start.end() {
            return Err(OpeningsError::Over { line, reason });
        }
        if let Some(earlier) = seen.insert(start.key(), line) {
            return Err(OpeningsError::Twice { line, earlier });
        }
        openings.push(Opening { start, moves: Vec::new() });
    }
    Ok(openings)
}

/// The opening of one game, if it is long enough and goes on after it.
fn opening_of<G: BoardGame>(game: &GameRecord<G>, plies: usize) -> Option<Opening<G>> {
    let opening = Opening { start: game.start.clone(), moves: game.moves.get(..plies)?.to_vec() };
    opening.position().end().is_none().then_some(opening)
}
