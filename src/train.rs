//! Training: from game records to networks.
//!
//! A [`Recipe`] makes a [`PositionSet`] of records: which positions are learned from, and what training aims at. A
//! [`Method`] changes a network by one share of the training positions; [`run`] repeats it over passes, measures the
//! error on held-out games, reports to an observer, and leaves checkpoints from which a killed run goes on to the same
//! bytes.

pub mod baseline;
mod checkpoint;
mod curve;
pub mod linfa;
pub mod models;
pub mod play;
mod positions;
pub mod redundancy;
pub mod rough;
mod runner;
mod schedule;
mod supervised;
mod td;
mod traces;
pub mod zero;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use curve::{Curve, CurvePoint, NoRecord, Recorder};
pub use models::{Model, ModelError};
pub use positions::{
    Judgements, Maker, PositionAccount, PositionSelection, PositionSet, PositionTable, Recipe, Teacher, hash_of_game,
    split_games,
};
pub use runner::{
    Method, RunError, Share, TrainingContext, TrainingPlan, kept_point, mean_squared_error, measurement, run,
};
pub use schedule::{Schedule, ScheduleShape};
pub use supervised::{Supervised, SupervisedSettings};
pub use td::{Episode, TdLambda, TdLearner, TdSettings, UpdateForm, UpdateTime, alpha_of_probabilities};
