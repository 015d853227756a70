//! Learning from self-play with Monte Carlo tree search and a residual network, as a whole (S4, fig. 2).
//!
//! ```text
//!   games in flight ──rows──▶ one batch ──▶ network          (rounds: self_play, in_flight)
//!        │  ▲                                  ▲
//!        │  └──── moves, trees        weights  │
//!        ▼                                     │
//!   games.jsonl ──lessons──▶ replay buffer ──batches──▶ learner   (a thread of its own: learner_thread, replay_buffer)
//! ```
//!
//! Games go on in rounds: each goes down its own tree to where it needs the network, one batch answers all, and the answers go back
//! up. Finished games are written down and, so many at a time, handed to the learner, which takes steps on positions drawn from the
//! newest ones while the games go on. When it has answered, its weights take over: the cache of evaluations and all trees, which are of
//! the old weights, are dropped, and a checkpoint is written.
//!
//! By generations ([`Sync::Generation`]), each game is played by one network and depends on no other. Then other processes can play the
//! games (`actor`), which go from hand to hand as files (`generation`); all else is as above. `docs/zero.md` has the settings and the files of a run.

mod actor;
mod checkpoint;
mod counts;
mod curve;
mod error;
mod extension;
mod finished;
mod generation;
mod in_flight;
mod init;
mod learner_thread;
mod log;
mod replay_buffer;
mod run;
mod self_play;
mod settings;

pub use actor::{ActorReport, act};
pub use counts::SelfPlayCounts;
pub use curve::{LearningPoint, SelfPlayFigures};
pub use error::ZeroError;
pub use extension::{KEPT_STATE, keep_state, kept_games, take_over};
pub use init::InitialNetwork;
pub use run::{GAMES, NETWORK, SelfPlayObserver, Speed, ZeroPlan, ZeroReport, is_kept_name, kept_name, run};
pub use self_play::Times;
pub use settings::{LessonSettings, NetworkSettings, Pace, PlayoutCap, Resignation, Sync, ZeroSettings};
