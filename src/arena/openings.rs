//! Openings: the positions that a match starts from, drawn from a game database, made of random moves, or read from a list.
//!
//! Drawing is as in the TD(λ) experiments on Xiangqi that this follows (section 5.2: the full initial position and 499 random
//! openings of the database, each played with both colours).

use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::game::line::Line;
use crate::game::{BoardGame, End};
use crate::random::{self, Stream};
use crate::record::GameRecord;
use crate::search::moves_of_width;
use crate::settings::{SettingError, require};

/// The most plies that an opening has.
const MAX_PLIES: usize = 200;

/// Random games in a row that end early or lead to a known position, after which no further one is looked for.
const MAX_FAILURES: usize = 1000;

/// Where a game starts: a position and the moves made from there.
pub type Opening<G> = Line<G>;

/// Openings, or why there are none.
pub type Openings<G> = Result<Vec<Opening<G>>, OpeningsError>;

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
    /// Whether fewer will do where there are no more; else that is an error.
    #[serde(skip)]
    pub at_most: bool,
}

impl Default for OpeningSettings {
    fn default() -> Self {
        Self { count: 500, plies: 10, seed: 1, at_most: false }
    }
}

/// Why there are no openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// There are too few different positions.
    #[error("too few openings: expected {wanted}, found {found} ({origin})")]
    TooFew {
        /// How many were asked for.
        wanted: usize,
        /// How many there are.
        found: usize,
        /// What they are.
        origin: String,
    },
    /// A line of a list is no position that a game can start from, or repeats an earlier one.
    #[error("`{list}`, line {line}: {problem}")]
    Line {
        /// The name of the list.
        list: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl OpeningSettings {
    /// Checks the settings; the plies are called `plies`.
    fn check(self, plies: &str) -> Result<(), SettingError> {
        require(self.count > 0, "count", "at least 1", self.count)?;
        require(self.plies <= MAX_PLIES, plies, "in [0, 200]", self.plies)
    }

    /// These openings if they are enough; `origin` says what they are.
    fn enough<G: BoardGame>(self, openings: Vec<Opening<G>>, origin: &str) -> Openings<G> {
        let (wanted, found) = (self.count, openings.len());
        let too_few = || OpeningsError::TooFew { wanted, found, origin: origin.to_owned() };
        if found < wanted && !self.at_most { Err(too_few()) } else { Ok(openings) }
    }
}

/// The initial position and `settings.count - 1` openings from `games`, drawn without
/// replacement: the positions after `settings.plies` plies, all different, none of them the end of a game.
///
/// # Errors
/// [`OpeningsError::TooFew`] when the games do not give that many, and when `settings` are out of range.
pub fn draw_openings<G: BoardGame>(games: &[GameRecord<G>], settings: OpeningSettings) -> Openings<G> {
    settings.check("opening_plies")?;
    let OpeningSettings { count, plies, seed, .. } = settings;
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
    let after = format!("{plies} plies of {} games", games.len());
    settings.enough(openings, &format!("the initial position and the different, unfinished positions after {after}"))
}

/// Openings of `settings.plies` moves from the initial position, each move drawn by `draw`, which gives none where it knows none: all
/// different, none of them the end of a game. The draws are those of the stream called `name`; `origin` says what the openings are.
///
/// # Errors
/// [`OpeningsError::TooFew`] when there are hardly that many, and when `settings` are out of range.
pub fn played_openings<G: BoardGame>(
    settings: OpeningSettings,
    (name, origin): (&str, &str),
    draw: impl Fn(&G, &mut Stream) -> Option<G::Move>,
) -> Openings<G> {
    let OpeningSettings { count, plies, seed, .. } = settings;
    settings.check("opening_plies")?;
    let mut seen = FxHashSet::default();
    let mut openings = Vec::new();
    let mut numbers = 0..;
    let mut is_new = |opening: &Opening<G>| seen.insert(opening.position().key());
    let played = |number| {
        let mut draws = random::stream(seed, name, number);
        let (opening, position) = drawn_opening(plies, |position| draw(position, &mut draws));
        (opening.moves.len() == plies && position.end().is_none()).then_some(opening)
    };
    while openings.len() < count {
        let tries = numbers.by_ref().take(MAX_FAILURES);
        let Some(opening) = tries.filter_map(&played).find(&mut is_new) else { break };
        openings.push(opening);
    }
    settings.enough(openings, origin)
}

/// Openings whose moves are drawn evenly from the `width` most promising of each position
/// ([`candidates`](crate::game::SearchHints::candidates)), or from all legal ones if that is 0; else as [`played_openings`].
///
/// # Errors
/// As [`played_openings`].
pub fn random_openings<G: BoardGame>(settings: OpeningSettings, width: u32) -> Openings<G> {
    settings.check("random_plies")?;
    let origin = format!("different, unfinished positions after {} random plies", settings.plies);
    let draw = |position: &G, draws: &mut Stream| moves_of_width(position, width).choose(draws).copied();
    played_openings(settings, ("random openings", &origin), draw)
}

/// `plies` moves from the initial position, each drawn by `draw`; fewer if the game ends on the way, or `draw` knows none. Also the
/// position that they lead to.
pub(super) fn drawn_opening<G: BoardGame>(
    plies: usize,
    mut draw: impl FnMut(&mut G) -> Option<G::Move>,
) -> (Opening<G>, G) {
    let (mut opening, mut position) = (Opening::initial(), G::start());
    while opening.moves.len() < plies
        && position.end().is_none()
        && let Some(mv) = draw(&mut position)
    {
        position.play(mv);
        opening.moves.push(mv);
    }
    (opening, position)
}

/// The openings in lists of positions in the game's notation, one a line, in order; `lists` are names and texts. What follows a semicolon,
/// empty lines and lines that begin with `#` are passed over.
///
/// # Errors
/// With the first line that is no position, is one in which the game is over, or repeats an earlier one.
pub fn parse_openings<G: BoardGame>(lists: &[(String, String)]) -> Openings<G> {
    // Some editors begin a text with a mark that is no part of it.
    let lines = lists.iter().flat_map(|(list, text)| {
        text.trim_start_matches('\u{feff}').lines().zip(1..).map(move |(text, line)| (list, line, text))
    });
    let (mut seen, mut openings) = (FxHashMap::default(), Vec::new());
    for (list, line, text) in lines {
        let text = text.split(';').next().unwrap_or_default().trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let wrong = |problem| OpeningsError::Line { list: list.clone(), line, problem };
        let start = G::from_notation(text).map_err(|error| wrong(error.to_string()))?;
        if let Some(End { reason, .. }) = start.end() {
            return Err(wrong(format!("the game is over in this position ({reason})")));
        }
        if let Some((earlier, at)) = seen.insert(start.key(), (list, line)) {
            let of_list = if earlier == list { String::new() } else { format!(" of `{earlier}`") };
            return Err(wrong(format!("the same position as in line {at}{of_list}")));
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
