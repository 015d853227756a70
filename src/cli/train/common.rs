//! What training any network needs: games, how to measure, and the folder of the run.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use roughboard::disk::remove_if_there;
use roughboard::eval::Catalogue;
use roughboard::games::GameName;
use roughboard::net::is_supplied;
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::store::IN_FOLDER;
use roughboard::record::GameRecord;
use roughboard::runs::Start;
use roughboard::runs::training::{
    self, Basis, CURVE, Data, DataSettings, Initialisation, Learned, RunName, Training, TrainingRun, TrainingTarget,
};
use roughboard::settings::{SettingError, Settings, require};
use roughboard::train::baseline::Baselines;
use roughboard::train::{Schedule, ScheduleShape, SupervisedSettings};
use serde::Serialize;

use super::positions::{self, spare_judgements};
use crate::cli::folder::{StartOptions, last_words, told_before};
use crate::cli::session::Session;
use crate::cli::settings::{Of, named};
use crate::cli::sources::GameSources;
use crate::cli::{interrupt, output};

/// What is learned from, and where the run goes.
#[derive(ClapArgs)]
pub struct RunArgs {
    /// The game
    #[arg(long, value_parser = named::<GameName>(), default_value_t)]
    pub game: GameName,
    #[command(flatten)]
    pub sources: GameSources,
    /// Folder to make for the run: network, learning curve or error (table, picture, TensorBoard events), manifest
    #[arg(long, value_name = "RUN")]
    pub out: PathBuf,
    #[command(flatten)]
    pub positions: positions::Positions,
}

impl RunArgs {
    /// What positions are read for.
    pub fn reading(&self, start: Start, knows_resume: bool) -> positions::ForRun<'_> {
        positions::ForRun { args: &self.positions, out: &self.out, start, knows_resume }
    }

    /// Refuses to replace the run in the folder where one of the evaluators `read` is a network in it, which would be lost.
    pub fn check_kept<'a, G: Catalogue>(
        &self,
        read: impl IntoIterator<Item = &'a str>,
        start: Start,
    ) -> anyhow::Result<()> {
        let names = read.into_iter().map(|name| G::split_addition(name).0);
        let mut paths = names.filter(|name| !G::NAMES.contains(name)).map(Path::new);
        paths.try_for_each(|path| ensure_kept(path, &self.out, start))
    }
}

/// What training any network needs.
#[derive(ClapArgs)]
pub struct Common {
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub start: StartOptions,
    /// Measurements of the error in each pass; a batch ends with each of them, so that more of them make more steps
    #[arg(long, default_value_t = DataSettings::default().curve_points, value_name = "N")]
    curve_points: usize,
    /// Also draw the learning curve as PNG
    #[arg(long)]
    png: bool,
    /// Go on from the weights of this network instead of making one: a run's folder or a .safetensors file
    #[arg(long, value_name = "NET")]
    init: Option<PathBuf>,
}

/// Training on single positions.
#[derive(ClapArgs)]
pub struct Minibatch {
    #[command(flatten, next_help_heading = "Training")]
    training: Of<SupervisedSettings>,
    /// How a gradient becomes a step
    #[arg(long, value_parser = named::<OptimiserName>(), default_value_t)]
    optimiser: OptimiserName,
    /// Share of the last step that stochastic gradient descent repeats
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    momentum: f64,
}

roughboard::choices! {
    /// The optimisers, as the command line spells them.
    enum OptimiserName = Adam {
        /// Adam (Kingma and Ba, 2015).
        Adam,
        /// Stochastic gradient descent, with --momentum if asked for.
        Sgd,
    }
}

impl Minibatch {
    /// The settings.
    pub fn settings(&self) -> Result<SupervisedSettings, SettingError> {
        let is_sgd = self.optimiser == OptimiserName::Sgd;
        require(
            is_sgd || self.momentum == 0.0,
            "momentum",
            "left out unless `--optimiser sgd` is given",
            self.momentum,
        )?;
        let optimiser = match self.optimiser {
            OptimiserName::Adam => OptimiserKind::Adam,
            OptimiserName::Sgd => OptimiserKind::Sgd { momentum: self.momentum },
        };
        Ok(SupervisedSettings { optimiser, ..self.training.read()? })
    }
}

/// The step size `path` of `settings`, which ends as it begins where nothing was said of its end: no way from one to the other has an
/// effect then.
pub fn steady_unless_told<T: Settings + Default>(
    settings: &Of<T>,
    path: &str,
    step: &mut Schedule,
) -> Result<(), SettingError> {
    if settings.given(&format!("{path}.last")).is_some() {
        return Ok(());
    }
    step.last = step.first;
    let name = path.rsplit('.').next().unwrap_or(path);
    let is_shape = |given: &str| step.shape != ScheduleShape::Constant && given == format!("{path}.shape");
    settings.refuse(&format!("constant unless `--final-{name}` is given"), is_shape)
}

/// Refuses to start over in the folder `out` where the network `path` that is read lies there: it would be lost. The short names of the
/// supplied networks stand for no files.
pub fn ensure_kept(path: &Path, out: &Path, start: Start) -> anyhow::Result<()> {
    let places = path.canonicalize().ok().zip(out.canonicalize().ok());
    let is_lost = start == Start::Over && !is_supplied(path) && places.is_some_and(|(path, out)| path.starts_with(out));
    let (path, out) = (path.display(), out.display());
    ensure!(!is_lost, "`{path}` is read, and `--force` replaces the run in `{out}`: expected another folder");
    Ok(())
}

/// A run in its folder, what it learns from, and the games behind that.
type Opened<'a, G> = (TrainingRun<'a>, Data, Vec<GameRecord<G>>);

impl Common {
    /// How the games become positions.
    pub fn settings<G: Catalogue>(&self) -> Result<DataSettings, SettingError> {
        self.run.positions.settings::<G>(self.curve_points)
    }

    /// Whether learning goes on from a network instead of a new one.
    pub const fn has_init(&self) -> bool {
        self.init.is_some()
    }

    /// Reads the games and makes the folder ready for a run with these `settings`; both are checked before any game is read. `None` if
    /// the run is to go on and is finished, which is said.
    pub fn open<'a, G: Catalogue>(
        &self,
        name: RunName<'a>,
        settings: &impl Serialize,
        session: &Session,
    ) -> anyhow::Result<Option<Opened<'a, G>>> {
        self.open_against(name, (settings, None), session)
    }

    /// As [`Common::open`], of a run that learns by playing this opponent.
    pub fn open_against<'a, G: Catalogue>(
        &self,
        name: RunName<'a>,
        (settings, opponent): (&impl Serialize, Option<(String, String)>),
        session: &Session,
    ) -> anyhow::Result<Option<Opened<'a, G>>> {
        let (folder, warm_start) = (self.run.out.clone(), self.init.clone());
        let target = TrainingTarget { folder, start: self.start.start(), warm_start, opponent, png: self.png };
        let data_settings = self.settings::<G>()?;
        self.init.iter().try_for_each(|init| ensure_kept(init, &self.run.out, target.start))?;
        self.run.check_kept::<G>(data_settings.evaluators(), target.start)?;
        target.check(name.method, &data_settings)?;
        let games = self.run.sources.read::<G>(session)?;
        if target.start == Start::Resume {
            // What a run is made of tells that it is finished, before a teacher searches any game again.
            let basis = Basis::new::<G>(games.inputs.clone(), data_settings.clone(), session.seed)?;
            if target.is_finished(name.method, &basis, settings)? {
                return self.told_finished(name).map(|()| None);
            }
        }
        let run = self.run.reading(target.start, true);
        let (data, records) = positions::read(games, &data_settings, run, session)?;
        let Some(run) = target.open(name, &data, settings)? else {
            return self.told_finished(name).map(|()| None);
        };
        output::note(run.seen_games(&data));
        interrupt::tell(last_words("what was learned up to the last measurement is", &[&self.run.out]));
        Ok(Some((run, data, records)))
    }

    /// Says that the run is finished, which has no use for what a teacher said any more.
    fn told_finished(&self, name: RunName<'_>) -> anyhow::Result<()> {
        forget_judgements(&self.run.out)?;
        told_before(name.title, &self.run.out)
    }
}

/// Trains, writes what was learned, and prints the curve.
pub fn learn(
    run: &TrainingRun<'_>,
    (new, training): (Initialisation, Training),
    data: &Data,
    session: &Session,
) -> anyhow::Result<()> {
    let learned = run.learn((run.begin(new, data)?, training), data, &session.progress)?;
    finish(run, &learned, data, Vec::new())
}

/// Writes what was learned beside `others`, files that are in the folder already, and prints the curve.
pub fn finish(run: &TrainingRun<'_>, learned: &Learned, data: &Data, others: Vec<String>) -> anyhow::Result<()> {
    run.finish(learned, data, others)?;
    forget_judgements(run.folder())?;
    let [network, curve] = [IN_FOLDER, CURVE].map(|name| run.file(name));
    output::print(&format!(
        "{}\n{}\n{}network: {}\ncurve:   {}\n",
        training::curve_table([learned.named_curve()]).to_text(),
        baselines(data),
        kept(learned),
        network.display(),
        curve.display()
    ))
}

/// Which weights the network has where they are not the last ones, as a line.
fn kept(learned: &Learned) -> String {
    match (&learned.kept, learned.curve.last()) {
        (Some(kept), Some(last)) if kept.pass < last.pass => format!(
            "training ended after pass {:.2}; the network has the weights of pass {:.2}, whose held-out error was the lowest: {:.4}\n",
            last.pass, kept.pass, kept.held_out_mse
        ),
        _ => String::new(),
    }
}

/// Removes what the teacher's searches were kept in for the finished run in the folder `out`.
fn forget_judgements(out: &Path) -> anyhow::Result<()> {
    let path = spare_judgements(out);
    remove_if_there(&path).with_context(|| format!("cannot remove `{}`", path.display()))
}

/// The errors of the simplest predictors, in a line.
pub fn baselines(data: &Data) -> String {
    let Baselines { constant_mse, name, material_mse, .. } = &data.baselines;
    format!("held-out mse of a constant {constant_mse:.4}, of {name} {material_mse:.4}")
}
