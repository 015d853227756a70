//! What an experiment is: its settings, and what to do with them; what a run is given to work with.

use std::error::Error;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use super::findings::Findings;
use crate::arena::Shard;
use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::games::surakarta::Surakarta;
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::runs::RunFolder;

/// Whatever stopped an experiment.
pub type ExperimentError = Box<dyn Error + Send + Sync>;

/// A run is a part of a whole, and games are left to other parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{missing} of {games} games are left to other parts")]
pub struct Incomplete {
    /// Games that are missing.
    pub missing: usize,
    /// All games.
    pub games: usize,
}

/// What experiments keep on the way that repeat each training with several seeds.
pub(crate) const REPETITIONS: Option<&str> = Some("finished repetitions");

/// An experiment: its settings, and what to do with them.
pub trait Experiment: Serialize + DeserializeOwned {
    /// One line on what it is about.
    const ABOUT: &'static str;
    /// The setting that all random draws follow from. A list `seeds` beside it holds this seed and those that follow it.
    const SEED: &'static str = "seed";
    /// The game that it is about: its name.
    const GAME: &'static str = Xiangqi::NAME;
    /// Whether it reads games.
    const READS_GAMES: bool = true;
    /// Whether it plays matches, which machines can share.
    const PLAYS: bool = false;
    /// What a run keeps on the way, so that the next attempt goes on with it, in words; `None` if that begins anew.
    const KEEPS: Option<&'static str> = Some("finished games and training up to its last measurement");

    /// Checks every range, before any work.
    ///
    /// # Errors
    /// For the first setting outside its range.
    fn check(&self) -> Result<(), ExperimentError>;

    /// What the results depend on besides settings and games: names and checksums.
    ///
    /// # Errors
    /// When something cannot be had.
    fn further_inputs(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        Ok(Vec::new())
    }

    /// Does everything but write the results; steps keep their state in the folder of `context`.
    ///
    /// # Errors
    /// When a step fails; what [`Self::KEEPS`] names is kept for the next attempt.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError>;
}

/// Which games of an experiment's matches are played here.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// Those of this shard.
    pub shard: Shard,
    /// Folders of runs of other shards, whose games are taken over.
    pub others: &'a [PathBuf],
}

/// The games that a run was given, all with a result: those of the game that its experiment is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Records<'a> {
    /// Games of Xiangqi.
    pub xiangqi: &'a [GameRecord<Xiangqi>],
    /// Games of Connect6.
    pub connect6: &'a [GameRecord<Connect6>],
}

/// A game that experiments read records of.
pub trait Recorded: Game {
    /// The records of this game.
    fn among(records: Records<'_>) -> &[GameRecord<Self>];
}

impl Recorded for Xiangqi {
    fn among(records: Records<'_>) -> &[GameRecord<Self>] {
        records.xiangqi
    }
}

impl Recorded for Connect6 {
    fn among(records: Records<'_>) -> &[GameRecord<Self>] {
        records.connect6
    }
}

/// No collection of its games is known, so none are read.
impl Recorded for Surakarta {
    fn among(_: Records<'_>) -> &[GameRecord<Self>] {
        &[]
    }
}

/// What a run works with; its settings have been checked.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The name of the experiment.
    pub name: &'static str,
    /// The games, all with a result.
    pub records: Records<'a>,
    /// Name and SHA-256 of what the games were read from.
    pub inputs: &'a [(String, String)],
    /// Where steps keep their state.
    pub folder: &'a RunFolder,
    /// Which games are played.
    pub part: Part<'a>,
    /// Receives the progress of the run.
    pub observer: &'a dyn Observer,
}

impl<'a> Context<'a> {
    /// The first `max_games` games, or all.
    pub fn games<G: Recorded>(&self, max_games: Option<usize>) -> &'a [GameRecord<G>] {
        let records = G::among(self.records);
        &records[..max_games.unwrap_or(records.len()).min(records.len())]
    }

    /// The file `name` among the state of the run.
    pub fn state(&self, name: &str) -> PathBuf {
        self.folder.work.join(name)
    }

    /// Where the games come from, for the heading of a page.
    pub fn sources(&self) -> String {
        let named = |(name, checksum): &(String, String)| format!("`{name}` (SHA-256 {}…)", &checksum[..16]);
        self.inputs.iter().map(named).collect::<Vec<_>>().join(", ")
    }
}
