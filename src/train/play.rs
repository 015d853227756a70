//! TD(λ) by playing (S5 §3.3, §4.1): the network plays, and learns from what it played.
//!
//! Each game starts from the initial position with some drawn moves. Then the learner chooses its moves by alpha-beta search
//! with the network as it stands, or now and then at random, against itself, a fixed opponent or a random mover. After each
//! batch of games the network is changed by TD(λ), game by game in their order, on one of two sequences:
//!
//! * [`LearnFrom::Positions`], the positions that were played: TD-Directed, and at depth 1 plain TD(λ);
//! * [`LearnFrom::Leaves`], the ends of the principal variations of the learner's searches: TD-Leaf (J. Baxter, A. Tridgell,
//!   L. Weaver, *KnightCap: a chess program that learns by combining TD(λ) with game-tree search*, 1998). A leaf that is an
//!   end of the game counts with its true result and has no gradient.
//!
//! Over a move that was made at random to explore, nothing is learned: the sequence is cut there ([`super::td::Episode`]),
//! since the fall that a random move brings is no error of the value before it. Moves of an opponent, good or bad, are
//! learned over as they are.
//!
//! [`LeafLambda`] is TD-Leaf on games that others played: leaves of searches from the recorded positions.
//!
//! Games of a batch are played by the same weights, in parallel; one seed gives the same bytes on any number of threads.

mod database;
mod game;
mod games;
mod learner;
mod log;
mod settings;
mod thinker;

pub use database::LeafLambda;
pub use game::LearnerGames;
pub use games::{PlayLambda, score_of};
pub use learner::Learning;
pub use log::GameLog;
pub use settings::{LeafSettings, LearnFrom, Lookahead, Opponent, PlaySettings};
