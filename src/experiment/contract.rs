//! What an experiment is: its settings, and what to do with them; what a run is given to work with.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ExperimentError;
use super::records::{Recorded, Records};
use crate::arena::Shard;
use crate::disk::sha256;
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::runs::folder::{FolderError, Kind, RunFolder, Start};
use crate::runs::manifest::Manifest;
use crate::runs::results::Outcome;

/// An experiment: its settings, and what to do with them.
pub trait Experiment: Clone + Serialize + DeserializeOwned {
    /// The name on the command line and in manifests.
    const NAME: &'static str;
    /// One line on what it is about.
    const ABOUT: &'static str;
    /// The file of its settings, as [`super::config`] describes it.
    const SETTINGS: &'static str;
    /// The game that it is about: its name.
    const GAME: &'static str = Xiangqi::NAME;
    /// Whether it reads games.
    const READS_GAMES: bool = true;
    /// Whether it plays matches, which machines can share.
    const PLAYS: bool = false;

    /// The seed that stands for all random draws in the manifest.
    fn seed_mut(&mut self) -> &mut u64;

    /// The manifest of a run that also depends on `inputs`.
    fn manifest(&self, inputs: &[(String, String)]) -> Manifest {
        let settings = serde_json::to_value(self).unwrap_or_default();
        Manifest::new(Self::NAME, *self.clone().seed_mut(), settings, inputs.to_vec())
    }

    /// Makes all random draws follow from `seed`.
    fn reseed(&mut self, seed: u64) {
        *self.seed_mut() = seed;
    }

    /// Checks every range, before any work.
    ///
    /// # Errors
    /// For the first setting outside its range.
    fn check(&self) -> Result<(), ExperimentError>;

    /// Does everything and writes the results into the folder of `context`. An interrupted run goes on where it was.
    ///
    /// # Errors
    /// When a step fails; what was finished before is kept for the next attempt.
    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError>;
}

/// Which games of an experiment's matches are played here.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// Those of this shard.
    pub shard: Shard,
    /// Folders of runs of other shards, whose games are taken over.
    pub others: &'a [PathBuf],
}

impl Part<'_> {
    /// All of them.
    pub const WHOLE: Self = Self { shard: Shard::WHOLE, others: &[] };
}

/// What an experiment works on and where it writes.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The games, all with a result.
    pub records: Records<'a>,
    /// Name and SHA-256 of what the games were read from.
    pub inputs: &'a [(String, String)],
    /// Where the results go.
    pub folder: &'a Path,
    /// Whether pictures are drawn as PNG too.
    pub png: bool,
    /// Whether what an interrupted run has left is thrown away.
    pub afresh: bool,
    /// Which games are played.
    pub part: Part<'a>,
    /// Is told how far the run is.
    pub observer: &'a dyn Observer,
}

impl<'a> Context<'a> {
    /// The folder of a run with this `config` that also depends on `inputs`.
    ///
    /// # Errors
    /// When a folder cannot be made, another process uses it, or it holds something else than runs of this experiment.
    pub fn open<E: Experiment>(&self, config: &E, inputs: &[(String, String)]) -> Result<RunFolder, FolderError> {
        let identity = (crate::PROGRAM, (E::NAME, config, inputs));
        let fingerprint = sha256(&serde_json::to_vec(&identity).unwrap_or_default());
        let start = if self.afresh { Start::Over } else { Start::Resume };
        RunFolder::open(self.folder, &Kind::experiment(E::NAME), Some(&fingerprint), start)
    }

    /// The first `max_games` games, or all.
    #[must_use]
    pub fn games<G: Recorded>(&self, max_games: Option<usize>) -> &'a [GameRecord<G>] {
        let records = G::among(self.records);
        &records[..max_games.unwrap_or(records.len()).min(records.len())]
    }
}
