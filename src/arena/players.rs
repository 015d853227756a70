//! Who plays: the trait [`Player`], with one file for each kind.

mod alpha_beta;
mod engine;
mod random;
mod tree;

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::openings::Opening;
use crate::engine::Clock;
use crate::engine::client::{ClientError, Verdict};
use crate::game::{BoardGame, Side};
use crate::random::Stream;
use crate::search::Limits;
use crate::settings::SettingError;

pub use self::alpha_beta::AlphaBetaPlayer;
pub(super) use self::alpha_beta::AlphaBetaSeat;
pub use self::engine::EnginePlayer;
pub use self::random::RandomPlayer;
pub use self::tree::{Effort, TreePlayer};

/// What a search under a clock leaves of its time for the steps between clock and search.
const OVERHEAD: Duration = Duration::from_millis(10);

/// Somebody who plays: the settings from which each game gets a [`Seat`] of its own, so that games can be played in parallel.
///
/// A new kind of player is a type that implements this trait; nothing else knows the kinds.
///
/// ```
/// use roughboard::arena::{Chance, Decided, Decision, Failure, Opening, Player, Seat};
/// use roughboard::engine::Clock;
/// use roughboard::game::{BoardGame, Side};
///
/// /// Plays the first legal move.
/// #[derive(Debug)]
/// struct FirstMove;
///
/// impl<G: BoardGame> Player<G> for FirstMove {
///     fn name(&self) -> &str {
///         "first move"
///     }
///
///     fn identity(&self) -> serde_json::Value {
///         "first-move".into()
///     }
///
///     fn sit(&self, _chance: Chance, _side: Side) -> Result<Box<dyn Seat<G>>, Failure> {
///         Ok(Box::new(FirstMove))
///     }
/// }
///
/// impl<G: BoardGame> Seat<G> for FirstMove {
///     fn decide(&mut self, position: &mut G, _line: &Opening<G>, _clocks: Option<[Clock; 2]>) -> Decided<G::Move> {
///         Ok(position.moves().first().copied().map(Decision::silent))
///     }
/// }
/// ```
pub trait Player<G: BoardGame>: fmt::Debug + Send + Sync {
    /// The name in tables and game records.
    fn name(&self) -> &str;

    /// All that decides how it plays: a journal is resumed only by a player with the same identity. What depends on a file
    /// has the form `{"kind": {"checksum": …}}`, and the manifest of a match names that checksum.
    fn identity(&self) -> Value;

    /// Checks the settings.
    ///
    /// # Errors
    /// For the first that is outside its range.
    fn check(&self) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Whether it thinks for a time at each move, so that no two of its games need be alike.
    fn is_timed(&self) -> bool {
        false
    }

    /// The player in one game, on `side`; all that it draws comes from `chance`.
    ///
    /// # Errors
    /// When it cannot begin.
    fn sit(&self, chance: Chance, side: Side) -> Result<Box<dyn Seat<G>>, Failure>;
}

/// A player in one game, with all that it remembers of it.
pub trait Seat<G: BoardGame> {
    /// The decision in `position`, which `line` leads to and which is not over; `None` to resign. `clocks` are those of both
    /// sides, if the game has any.
    ///
    /// # Errors
    /// When the player fails, which loses it the game.
    fn decide(&mut self, position: &mut G, line: &Opening<G>, clocks: Option<[Clock; 2]>) -> Decided<G::Move>;
}

/// A move with what is kept about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision<M> {
    /// The move.
    pub mv: M,
    /// What the player thought of it, for the record; empty for nothing.
    pub comment: String,
    /// The result that the **mover** expects, in [-1, 1], if it said so.
    pub expected: Option<f64>,
    /// The positions that it visited.
    pub nodes: u64,
}

impl<M> Decision<M> {
    /// A move without a word about it.
    pub const fn silent(mv: M) -> Self {
        Self { mv, comment: String::new(), expected: None, nodes: 0 }
    }
}

/// What a player does: a move, or `None` to resign; else how it failed, which loses it the game.
pub type Decided<M> = Result<Option<Decision<M>>, Failure>;

/// How a player failed, which loses it the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct Failure {
    /// In few words that can be counted.
    pub reason: &'static str,
    /// What exactly happened.
    pub detail: String,
}

/// Where the draws of the players of one game come from.
#[derive(Debug, Clone, Copy)]
pub struct Chance {
    /// The seed.
    pub seed: u64,
    /// The number of the game, from 0.
    pub game: usize,
}

impl Chance {
    /// The stream called `name` of one side: number 2 `game` for the first side and 2 `game` + 1 for the second.
    pub fn stream(self, name: &str, side: Side) -> Stream {
        crate::random::stream(self.seed, name, (2 * self.game + side.index()) as u64)
    }
}

/// Why somebody cannot play.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum PlayerError {
    /// A setting is outside its range.
    Setting(#[from] SettingError),
    /// An engine does not run.
    Engine(#[from] Box<ClientError>),
}

/// What a search thought of the move it chose, such as `+0.352/3 1234`: the result that the **mover** expects, in [-1, 1], by its own
/// evaluator, the depth of the search in plies, the positions visited.
fn thought(expected: f64, depth: u32, nodes: u64) -> String {
    format!("{expected:+.3}/{depth} {nodes}")
}

/// The result in [-1, 1] that the mover expected, by the comment on its move: what players write, and engines too. `None` if the
/// comment says nothing of the kind.
pub fn expected_of(comment: &str) -> Option<f64> {
    let mut words = comment.split_whitespace();
    let verdict = match words.next()? {
        "cp" => Verdict::Centipawns(before_slash(words.next()?).parse().ok()?).expected_result(),
        "mate" => Verdict::Mate(before_slash(words.next()?).parse().ok()?).expected_result(),
        word if word.starts_with(['+', '-']) => before_slash(word).parse().ok()?,
        _ => return None,
    };
    (-1.0..=1.0).contains(&verdict).then_some(verdict)
}

/// A figure without the depth behind it.
fn before_slash(word: &str) -> &str {
    word.split('/').next().unwrap_or(word)
}

/// Checks the time for one move.
fn check_movetime(time: Duration) -> Result<(), SettingError> {
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Limits::to_depth(1)?.and_movetime(milliseconds).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_comment_expects_is_read_back() {
        assert_eq!(expected_of(&thought(0.3521, 3, 1234)), Some(0.352));
        assert_eq!([expected_of("mate -3/8 1234"), expected_of("mate +1")], [Some(-1.0), Some(1.0)]);
        approx::assert_abs_diff_eq!(expected_of("cp +600/8").unwrap(), 1_f64.tanh(), epsilon = 1e-12);
        for comment in ["", "a fine move", "+", "cp", "+7.5/2 1", "-nan/2", "<b>"] {
            assert_eq!(expected_of(comment), None, "{comment}");
        }
    }

    #[test]
    fn a_thought_reads_as_documented() {
        assert_eq!(thought(0.3521, 3, 1234), "+0.352/3 1234");
        assert_eq!(thought(-1.0, 3, 1234), "-1.000/3 1234");
    }
}
