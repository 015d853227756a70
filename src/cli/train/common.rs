//! What training any network needs: games, how to measure, and the folder of the run.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use roughboard::experiment::learn::{
    self, Beginning, Data, DataSettings, LearnError, Learned, Start, Training, TrainingFolder,
};
use roughboard::experiment::s1::S1Config;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::optimiser::OptimiserKind;
use roughboard::record::GameRecord;
use roughboard::report::Table;
use roughboard::setting::SettingError;
use roughboard::train::{Checkpoint, Schedule, SupervisedSettings, Witness};
use serde::Serialize;

use super::positions;
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::sources::GameSources;

/// What training any network needs.
#[derive(ClapArgs)]
pub struct Common {
    #[command(flatten)]
    sources: GameSources,
    /// Folder to make for the run: network, learning curve (table, picture, TensorBoard events), manifest
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Go on with the run that was interrupted in the folder, if there is one
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Put the run in the place of the one in the folder
    #[arg(long)]
    force: bool,
    /// Share of the games held out to measure the error
    #[arg(long, default_value_t = quick().held_out, value_name = "SHARE")]
    held_out: f64,
    #[command(flatten)]
    pub positions: positions::Args,
    /// Passes over the training positions
    #[arg(long, default_value_t = quick().rough_training.passes, value_name = "N")]
    pub passes: usize,
    /// Measurements of the error in each pass
    #[arg(long, default_value_t = quick().curve_points, value_name = "N")]
    curve_points: usize,
    /// Draw the learning curve as PNG too
    #[arg(long)]
    png: bool,
}

/// Minibatch training.
#[derive(ClapArgs)]
pub struct Minibatch {
    /// Positions a weight update
    #[arg(long, default_value_t = quick().rough_training.batch, value_name = "N")]
    batch: usize,
    /// Step size of Adam in the first pass
    #[arg(long, default_value_t = quick().rough_training.rate.first, value_name = "R")]
    rate: f64,
    /// Step size of Adam in the last pass
    #[arg(long, default_value_t = quick().rough_training.rate.last, value_name = "R")]
    final_rate: f64,
}

impl Minibatch {
    /// The settings of that many passes.
    pub fn settings(&self, passes: usize) -> SupervisedSettings {
        SupervisedSettings {
            passes,
            batch: self.batch,
            optimiser: OptimiserKind::Adam,
            rate: Schedule::exponential(self.rate, self.final_rate),
            patience: None,
        }
    }
}

/// The name of a method: `bp` on the command line and in files, `BP` in titles.
#[derive(Clone, Copy)]
pub struct Name {
    /// For programs.
    pub short: &'static str,
    /// For readers.
    pub title: &'static str,
}

/// A run that is ready to start.
pub struct Run {
    folder: TrainingFolder,
    name: Name,
    checkpoint: Checkpoint,
}

impl Common {
    fn start(&self) -> Start {
        match (self.resume, self.force) {
            (true, _) => Start::Resume,
            (_, true) => Start::Over,
            _ => Start::New,
        }
    }

    /// Checks these options and that the folder can be used; writes nothing.
    pub fn check(&self) -> anyhow::Result<TrainingFolder> {
        self.settings()?;
        Ok(TrainingFolder::check(&self.out, self.start())?)
    }

    /// Reads the games.
    pub fn data(&self, session: &Session) -> anyhow::Result<Data> {
        Ok(self.data_and_games(session)?.0)
    }

    /// Reads the games; keeps them beside their positions.
    pub fn data_and_games(&self, session: &Session) -> anyhow::Result<(Data, Vec<GameRecord<Xiangqi>>)> {
        let settings = self.settings()?;
        positions::read(self.sources.read(session)?, settings, session)
    }

    /// How the games become positions.
    pub fn settings(&self) -> Result<DataSettings, SettingError> {
        self.positions.settings(self.held_out, self.curve_points)
    }

    /// Makes the folder ready for a run with these `settings`.
    pub fn open(
        &self,
        folder: TrainingFolder,
        name: Name,
        data: &Data,
        settings: &impl Serialize,
    ) -> anyhow::Result<Run> {
        folder.open(self.start())?;
        let checkpoint = folder.checkpoint(data.fingerprint(name.short, settings));
        Ok(Run { folder, name, checkpoint })
    }

    /// Trains, writes what was learned, and prints the curve.
    pub fn learn(
        &self,
        run: &Run,
        (beginning, training): (Beginning, Training),
        data: &Data,
        session: &Session,
    ) -> anyhow::Result<()> {
        let learn = |witness: Witness<'_>| learn::learn(data, beginning, &training, run.name.short, witness);
        self.learn_by(run, data, session, |witness| Ok((learn(witness)?, None)))
    }

    /// Trains by `learn`, which gives the network and may give scores, writes both, and prints the curve.
    pub fn learn_by(
        &self,
        run: &Run,
        data: &Data,
        session: &Session,
        learn: impl FnOnce(Witness<'_>) -> Result<(Learned, Option<Table>), LearnError>,
    ) -> anyhow::Result<()> {
        let Run { folder, name, checkpoint } = run;
        let mut recorder = folder.recorder(name.short);
        let witness = Witness { checkpoint: Some(checkpoint), recorder: &mut recorder, observer: &session.progress };
        let (learned, scores) = learn(witness)?;
        folder.finish((&learned, scores.as_ref()), data, &format!("Learning curve: {}", name.title), self.png)?;
        let scores = scores.map_or_else(String::new, |scores| scores.to_text() + "\n");
        let baselines = data.baselines();
        output::print(&format!(
            "{}\n{scores}held-out mse of a constant {:.4}, of material {:.4}\nnetwork: {}\ncurve:   {}\n",
            learn::curve_table([&learned]).to_text(),
            baselines.constant_mse,
            baselines.material_mse,
            folder.network_file().display(),
            folder.curve_file().display()
        ))
    }
}

/// The settings of the main job, which are the defaults here.
pub fn quick() -> S1Config {
    S1Config::quick(1)
}

/// Hidden neurons of a plain network.
pub fn hidden() -> usize {
    quick().bp.network.hidden.first().copied().unwrap_or(100)
}
