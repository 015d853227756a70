//! The arena: evaluators play each other through the same search, and every game is kept.
//!
//! [`draw_openings`] draws where games start, [`play_game`] plays one, a [`Match`] plays pairs of games in parallel, and a
//! [`Generation`] makes training games between [contestants](Contestant) of any kind; both can resume from a journal after a
//! kill. The same settings give the same bytes on any number of threads.

mod adjudication;
mod contestant;
mod fingerprint;
mod game;
mod generate;
mod journal;
mod matches;
mod openings;
mod player;
mod records;
mod result;
mod saved;

pub use adjudication::{Adjudication, DrawRule, PLY_CAP, ResignRule, TimeControl};
pub use contestant::{Chance, Contestant, ContestantError, EnginePlayer, play_contestants};
pub use game::{PlayedGame, play_game};
pub use generate::{Generation, GenerationError, GenerationSettings};
pub use journal::JournalError;
pub use matches::{FinishedMatch, Match, MatchError, MatchSettings};
pub use openings::{Opening, OpeningSettings, OpeningsError, draw_openings, draw_openings_at_most};
pub use player::{EvaluatorFactory, Player, Thought};
pub use result::{GameRow, MatchResult};
