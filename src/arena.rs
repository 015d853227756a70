//! The arena: evaluators play each other through the same search, and every game is kept.
//!
//! [`draw_openings`] draws where games start, [`play_contestants`] plays one, a [`Tournament`] plays pairs of games between
//! [contestants](Contestant) of any kind by a [`Plan`], a [`Match`] is one of two, and a [`Generation`] makes training games. All
//! play in parallel and can resume from a journal after a kill. The same settings give the same bytes on any number of threads,
//! and on any number of machines that share a tournament by [shards](Shard).

mod adjudication;
mod contestant;
mod entry;
mod fingerprint;
mod game;
mod generate;
mod journal;
mod matches;
mod openings;
mod opponent;
mod plan;
mod player;
mod records;
mod result;
mod saved;
mod scribe;
mod shard;
mod tournament;
mod tree_player;

pub use adjudication::{Adjudication, DrawRule, PLY_CAP, ResignRule, TimeControl};
pub use contestant::{Chance, Contestant, ContestantError, EnginePlayer, play_contestants};
pub use game::PlayedGame;
pub use generate::{Generation, GenerationError, GenerationSettings};
pub use journal::JournalError;
pub use matches::{FinishedMatch, Match, MatchError, MatchSettings};
pub use openings::{
    Opening, OpeningSettings, OpeningsError, draw_openings, draw_openings_at_most, parse_openings, random_openings,
    random_openings_at_most,
};
pub use opponent::{Opponent, OpponentError, Reply};
pub use plan::{Pair, PairId, Plan, PlanError, Schedule};
pub use player::{EvaluatorFactory, Player, Thought};
pub use result::{GameRow, MatchResult, TournamentResult};
pub use saved::JournalPlace;
pub use shard::Shard;
pub use tournament::{JournalSource, Played, Tournament};
pub use tree_player::{DEFAULT_SIMULATIONS, Effort, TreePlayer};
