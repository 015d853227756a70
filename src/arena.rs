//! The arena: evaluators play each other through the same search, and every game is kept.
//!
//! [`openings`] draws where games start, [`game`] plays one, [`matches`] plays a whole match of game pairs in parallel and
//! [`journal`] lets it resume after a kill; [`selfplay`] makes training games. The same settings give the same bytes on any
//! number of threads.

pub mod game;
pub mod journal;
pub mod matches;
pub mod openings;
pub mod player;
pub mod result;
pub mod selfplay;

mod fingerprint;
mod records;

pub use game::{PLY_CAP, PlayedGame, play_game};
pub use journal::JournalError;
pub use matches::{FinishedMatch, Match, MatchError, MatchSettings};
pub use openings::{Opening, OpeningSettings, OpeningsError, draw_openings};
pub use player::{EvaluatorFactory, Player, Thought};
pub use result::{GameRow, MatchResult};
pub use selfplay::{SelfplayError, SelfplaySettings, selfplay};
