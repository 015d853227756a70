//! The arena: evaluators play each other through the same search, and every game is kept.
//!
//! [`draw_openings`] draws where games start, [`play_game`] plays one, a [`Match`] plays pairs of games in parallel,
//! [`selfplay`] makes training games; both can resume from a journal after a kill. The same settings give the same bytes on any
//! number of threads.

mod fingerprint;
mod game;
mod journal;
mod matches;
mod openings;
mod player;
mod records;
mod result;
mod saved;
mod selfplay;

pub use game::{PLY_CAP, PlayedGame, play_game};
pub use journal::JournalError;
pub use matches::{FinishedMatch, Match, MatchError, MatchSettings};
pub use openings::{Opening, OpeningSettings, OpeningsError, draw_openings, draw_openings_at_most};
pub use player::{EvaluatorFactory, Player, Thought};
pub use result::{GameRow, MatchResult};
pub use selfplay::{SelfplayError, SelfplaySettings, selfplay, selfplay_with_journal};
