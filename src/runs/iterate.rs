//! Expert iteration: rounds of self-play, targets from searches of the newest network, training from its weights, and a match that
//! decides whether the trained network takes its place.
//!
//! The network to begin with says in its file what it reads of a position, which positions it learns from and how, so that rough and
//! plain networks, trained by back-propagation or TD(λ), are taken alike, of any game.

mod ladder;
mod round;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::RunsError;
use super::folder::{FolderError, Kind, NETS, RunFolder, STATE};
use super::manifest::{MANIFEST, Manifest, TABLES};
use super::repeats::kept;
use super::results::Results;
use super::training::{LearnError, Origin};
use crate::arena::GenerationSettings;
use crate::disk::{FileError, copy_file, write_file};
use crate::eval::Catalogue;
use crate::net::store::{IN_FOLDER, network_bytes};
use crate::observe::Observer;
use crate::search::MAX_DEPTH;
use crate::settings::{SettingError, require, settings, within};
use crate::stats::{EloScale, Sprt};
use crate::train::SupervisedSettings;

pub use ladder::round_table;
pub use round::Round;

/// Runs of expert iteration.
pub const ITERATION: Kind = Kind {
    name: "iterate",
    is_unfinished: |folder| folder.join(STATE).is_dir(),
    owns: |name| [MANIFEST, IN_FOLDER, TABLES, NETS, ROUNDS, "elo.svg", "elo.png"].contains(&name),
    is_shared: false,
    has_state: true,
};

const ROUNDS: &str = "rounds.csv";
const PICTURE: &str = "elo";

settings! {
    /// How a round is made.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct IterationSettings {
        /// Rounds.
        pub rounds: usize = 4, in 1..=1000;
        /// Search depth of both sides in self-play, in plies.
        pub depth: u32 = 2, in 1..=MAX_DEPTH;
        /// How self-play begins and ends; its seed is that of the run and of the round.
        pub play: GenerationSettings = GenerationSettings { games: 2000, random_plies: 10, margin: 0.6, ..GenerationSettings::default() };
        /// Plies that the values which the network learns look ahead; 0 for quiescence alone.
        pub target_depth: u32 = 4, in 0..=MAX_DEPTH;
        /// Share of the games' results in what the network learns; the rest is the value of the search.
        pub result_share: f64 = 0.0, in 0.0..=1.0;
        /// How the new network is measured.
        pub gate: GateSettings = GateSettings::default();
    }
    and check_parts
}

impl IterationSettings {
    fn check_parts(&self) -> Result<(), SettingError> {
        within("play", self.play.require_variety(1))?;
        let GateSettings { elo0, elo1, .. } = self.gate;
        require(elo1 > elo0, "gate.elo1", &format!("above `gate.elo0`, which is {elo0}"), elo1)
    }
}

settings! {
    /// The match of a new network against the best one so far, and against the evaluator that all are compared with.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct GateSettings {
        /// Games against the best network at most, and games against the evaluator for comparison; a multiple of 2.
        pub games: usize = 400, in 2..=1_000_000, as "{}-games";
        /// Search depth of both sides, in plies.
        pub depth: u32 = 2, in 1..=MAX_DEPTH, as "{}-depth";
        /// Elo difference of the hypothesis that the new network is not better.
        pub elo0: f64 = 0.0, in -4000.0..=4000.0, as "{}-elo0";
        /// Elo difference of the hypothesis that it is better; above `elo0`.
        pub elo1: f64 = 30.0, in -4000.0..=4000.0, as "{}-elo1";
    }
    and check_gate
}

impl GateSettings {
    fn check_gate(&self) -> Result<(), SettingError> {
        require(self.games.is_multiple_of(2), "games", "even, as each opening is played with both colours", self.games)
    }

    /// The test that ends the match against the best network.
    pub(crate) fn sprt(&self) -> Sprt {
        Sprt { elo0: self.elo0, elo1: self.elo1, alpha: 0.05, beta: 0.05, scale: EloScale::Logistic }
    }
}

/// What a run of expert iteration depends on.
#[derive(Debug, Clone, Serialize)]
pub struct Iteration {
    /// The network to begin with: what its name stands for.
    #[serde(skip)]
    start: PathBuf,
    /// What its file says, with the training of this run.
    #[serde(skip)]
    origin: Origin,
    /// The seed of every random draw.
    seed: u64,
    /// How a round is made.
    settings: IterationSettings,
    /// How the network is trained, if otherwise than its file says.
    training: Option<SupervisedSettings>,
}

/// What the run left.
#[derive(Debug)]
pub struct IterationReport {
    /// The rounds.
    pub rounds: Vec<Round>,
}

impl Iteration {
    /// Rounds that begin with the network `start`, whose file says what `origin` holds; `training` takes the place of its training.
    ///
    /// # Errors
    /// When a setting is out of its range, or `training` is of another kind than the network's own.
    pub fn new(
        (start, origin): (PathBuf, Origin),
        seed: u64,
        settings: IterationSettings,
        training: Option<SupervisedSettings>,
    ) -> Result<Self, LearnError> {
        settings.check()?;
        let origin = match &training {
            None => origin,
            Some(training) => origin.with_training(training.clone())?,
        };
        Ok(Self { start, origin, seed, settings, training })
    }

    /// Plays, judges, trains and measures round after round in `folder`, and writes the results. An interrupted run goes on with the
    /// step that it was in.
    ///
    /// # Errors
    /// When a step fails; what was finished before is kept.
    pub fn run<G: Catalogue>(
        &self,
        folder: &RunFolder,
        png: bool,
        observer: &dyn Observer,
    ) -> Result<IterationReport, RunsError> {
        self.take_up(folder)?;
        let place = |round: usize| folder.results.join(NETS).join(format!("round-{round}.safetensors"));
        std::fs::create_dir_all(folder.results.join(NETS)).map_err(FileError::of("create", &folder.results))?;
        let first = place(0);
        if !first.exists() {
            let bytes = network_bytes(&self.start)?;
            write_file(&first, &bytes)?;
        }
        let (mut rounds, mut best): (Vec<Round>, usize) = (Vec::new(), 0);
        for number in 1..=self.settings.rounds {
            let part = folder.part(&format!("round-{number}"))?;
            let step = round::Step { iteration: self, number, folder: &part, observer };
            let round = kept(&folder.work.join(format!("round-{number}.json")), || {
                step.run::<G>(&place(best), best, &place(number))
            })?;
            // What the round was made of is of no use any more.
            std::fs::remove_dir_all(&part.work).map_err(FileError::of("remove", &part.work))?;
            if round.is_accepted {
                best = number;
            }
            rounds.push(round);
        }
        self.write(folder, &rounds, &place(best), png)?;
        Ok(IterationReport { rounds })
    }

    /// Refuses the state of another run.
    fn take_up(&self, folder: &RunFolder) -> Result<(), RunsError> {
        let identity = serde_json::json!({ "program": crate::PROGRAM, "run": self, "network": self.origin.file() });
        Ok(folder.take_up(&identity)?)
    }

    /// Whether this run is finished in the folder `path`.
    ///
    /// # Errors
    /// When the folder holds a finished run with other settings.
    pub fn is_finished(&self, path: &Path) -> Result<bool, FolderError> {
        RunFolder::is_finished(path, &ITERATION, &self.manifest())
    }

    /// What the run depends on.
    fn manifest(&self) -> Manifest {
        let (training, data) = (self.origin.training(), self.origin.data());
        let settings = serde_json::json!({ "iteration": self, "training": training, "data": data });
        Manifest::new(ITERATION.name, self.seed, settings, vec![self.origin.file().clone()])
    }

    fn write(&self, folder: &RunFolder, rounds: &[Round], best: &Path, png: bool) -> Result<(), RunsError> {
        let mut results = Results::new(folder);
        copy_file(best, &folder.results.join(IN_FOLDER))?;
        let table = round_table(rounds);
        results.text(ROUNDS, &table.to_csv())?;
        results.picture(PICTURE, png, &ladder::curve(rounds))?;
        results.page(&ladder::page(self, rounds, &table, &format!("{PICTURE}.svg")))?;
        results.others((0..=rounds.len()).map(|round| format!("{NETS}/round-{round}.safetensors")));
        results.others([IN_FOLDER.to_owned()]);
        Ok(results.finish(self.manifest())?)
    }
}
