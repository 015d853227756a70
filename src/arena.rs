//! The arena: evaluators play each other through the same search, and every game is kept.
//!
//! [`draw_openings`] draws where games start, [`play_game`] plays one, a [`Tournament`] plays pairs of games between
//! [players](Player) of any kind by a [`Plan`], and a [`Generation`] makes training games. All
//! play in parallel and can resume from a journal after a kill. The same settings give the same bytes on any number of threads,
//! and on any number of machines that share a tournament by [shards](Shard).

mod adjudication;
mod effort;
mod entry;
mod fingerprint;
mod game;
mod generate;
mod journal;
mod match_writer;
mod matches;
mod openings;
mod plan;
mod played;
mod players;
mod records;
mod result;
mod saved;
mod settings;
mod shard;
mod tournament;

pub use adjudication::{Adjudication, DrawRule, PLY_CAP, ResignRule, TimeControl};
pub use game::{Finish, GameInPlay, PlayedGame, play_game};
pub(crate) use game::{seated, side_of_a};
pub use generate::{Generation, GenerationError, GenerationSettings};
pub(crate) use journal::{Damage, Journal};
pub use journal::{JournalError, Owner};
pub use matches::FinishedMatch;
pub use openings::{
    Opening, OpeningSettings, Openings, OpeningsError, draw_openings, parse_openings, played_openings, random_openings,
};
pub use plan::{Pair, PairId, Plan, PlanError};
pub use played::{FinishedGame, JournalSource, Played};
pub use players::{
    AlphaBetaPlayer, Chance, Decided, Decision, Effort, EnginePlayer, Failure, Player, PlayerError, RandomPlayer, Seat,
    TreePlayer, expected_of,
};
pub(crate) use records::{Caption, record_of};
pub use result::{GameRow, MatchResult, Tested, TournamentResult};
pub use saved::JournalPlace;
pub(crate) use settings::MAX_GAMES;
pub use settings::{MatchSettings, Schedule};
pub use shard::Shard;
pub use tournament::{MatchError, Tournament};
