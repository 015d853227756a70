//! `roughboard train baseline`: models of linfa on the positions that networks learn from.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::net::Net;
use roughboard::net::dense::InputForm;
use roughboard::net::store::IN_FOLDER;
use roughboard::runs::folder::Start;
use roughboard::runs::training::{self, BaselinePlan, DataSettings, Learned, RunName, TrainingTarget};
use roughboard::settings::{SettingError, require};
use roughboard::train::Model;
use roughboard::train::models::{LogisticSettings, SvmSettings, TreeSettings};

use super::common::{Trained, baselines};
use super::positions;
use crate::cli::output;
use crate::cli::rules::PlayedRules;
use crate::cli::session::Session;
use crate::cli::sources::GameSources;

/// The models, as the command line spells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelName {
    /// Logistic regression of wins on the attributes
    Logistic,
    /// A support vector machine with a linear kernel, on a sample of the positions
    Svm,
    /// A decision tree
    Tree,
}

/// Arguments of `train baseline`.
#[derive(ClapArgs)]
pub struct Args {
    /// The model
    #[arg(long, value_enum)]
    model: ModelName,
    /// The game
    #[arg(long, value_enum, default_value_t)]
    pub game: PlayedRules,
    #[command(flatten)]
    sources: GameSources,
    /// Folder to make for the run: network, error (table, picture, TensorBoard events), manifest
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Put the run in the place of the one in the folder
    #[arg(long)]
    force: bool,
    /// Share of the games held out to measure the error
    #[arg(long, default_value_t = DataSettings::default().held_out, value_name = "SHARE")]
    held_out: f64,
    #[command(flatten)]
    positions: positions::Args,
    /// Positions that the model is fitted to at most, drawn by the seed [default: logistic 50000,
    /// with --one-hot 30000; svm 3000; tree 200000]
    #[arg(long, value_name = "N")]
    max_objects: Option<usize>,
    #[command(flatten)]
    options: ModelOptions,
}

/// Settings of one model or another.
#[derive(ClapArgs)]
#[command(next_help_heading = "Settings of the models")]
struct ModelOptions {
    /// logistic, svm: give each value of an attribute a weight of its own, instead of one number an attribute
    #[arg(long)]
    one_hot: bool,
    /// logistic: factor of the penalty on the weights [default: 1]
    #[arg(long, value_name = "A")]
    alpha: Option<f64>,
    /// logistic: steps at most [default: 100]
    #[arg(long, value_name = "N")]
    max_iterations: Option<u64>,
    /// svm: price of errors [default: 0.01]
    #[arg(long, value_name = "C")]
    c: Option<f64>,
    /// svm: errors of this size are free [default: 0.1]
    #[arg(long, value_name = "E")]
    epsilon: Option<f64>,
    /// svm: how far from the optimum the solver may stop [default: 0.001]
    #[arg(long, value_name = "T")]
    tolerance: Option<f64>,
    /// tree: splits from the root to a leaf at most [default: 8]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// tree: positions in a leaf at least [default: 100]
    #[arg(long, value_name = "N")]
    min_leaf: Option<usize>,
}

impl ModelOptions {
    /// The model with these settings, none of which may be another model's.
    fn model(&self, name: ModelName) -> Result<Model, SettingError> {
        self.check_owners(name)?;
        let inputs = if self.one_hot { InputForm::OneHot } else { InputForm::Numbers };
        Ok(match name {
            ModelName::Logistic => {
                let default = LogisticSettings::default();
                let alpha = self.alpha.unwrap_or(default.alpha);
                let max_iterations = self.max_iterations.unwrap_or(default.max_iterations);
                Model::Logistic(LogisticSettings { alpha, max_iterations, inputs })
            }
            ModelName::Svm => {
                let default = SvmSettings::default();
                let tolerance = self.tolerance.unwrap_or(default.tolerance);
                let (c, epsilon) = (self.c.unwrap_or(default.c), self.epsilon.unwrap_or(default.epsilon));
                Model::Svm(SvmSettings { c, epsilon, tolerance, inputs })
            }
            ModelName::Tree => {
                let default = TreeSettings::default();
                let depth = self.depth.unwrap_or(default.depth);
                Model::Tree(TreeSettings { depth, min_leaf: self.min_leaf.unwrap_or(default.min_leaf) })
            }
        })
    }

    fn check_owners(&self, name: ModelName) -> Result<(), SettingError> {
        let range = "left out with this `--model`: it is a setting of another";
        let is = |owners: &[ModelName]| owners.contains(&name);
        let (logistic, svm, tree) = (ModelName::Logistic, ModelName::Svm, ModelName::Tree);
        let of_linear = [("--one-hot", self.one_hot.then_some("it".to_owned()))];
        let of_logistic = [
            ("--alpha", self.alpha.map(|alpha| alpha.to_string())),
            ("--max-iterations", self.max_iterations.map(|n| n.to_string())),
        ];
        let of_svm = [
            ("--c", self.c.map(|c| c.to_string())),
            ("--epsilon", self.epsilon.map(|epsilon| epsilon.to_string())),
            ("--tolerance", self.tolerance.map(|tolerance| tolerance.to_string())),
        ];
        let of_tree = [
            ("--depth", self.depth.map(|depth| depth.to_string())),
            ("--min-leaf", self.min_leaf.map(|n| n.to_string())),
        ];
        let owned = (of_linear.iter().map(|option| (is(&[logistic, svm]), option)))
            .chain(of_logistic.iter().map(|option| (is(&[logistic]), option)))
            .chain(of_svm.iter().map(|option| (is(&[svm]), option)))
            .chain(of_tree.iter().map(|option| (is(&[tree]), option)));
        for (is_owner, (option, found)) in owned {
            require(is_owner || found.is_none(), option, range, found.clone().unwrap_or_default())?;
        }
        Ok(())
    }
}

impl Args {
    fn plan(&self) -> Result<BaselinePlan, SettingError> {
        let model = self.options.model(self.model)?;
        let plan = BaselinePlan { max_objects: self.max_objects.unwrap_or(model.default_max_objects()), model };
        plan.check()?;
        Ok(plan)
    }

    /// The settings of the data: linfa's models know results and no offsets.
    fn data_settings<G: Trained>(&self) -> Result<DataSettings, SettingError> {
        let settings = self.positions.settings::<G>(self.held_out, 1)?;
        let share = settings.result_share;
        require(share >= 1.0, "--target", "`result` for a baseline", format!("a result share of {share}"))?;
        let skip = settings.skip.as_ref().map(|skip| skip.evaluator.clone());
        require(skip.is_none(), "--skip-term", "left out for a baseline", skip.unwrap_or_default())?;
        Ok(settings)
    }
}

/// Runs the command.
pub fn run<G: Trained>(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (plan, settings) = (args.plan()?, args.data_settings::<G>()?);
    let start = if args.force { Start::Over } else { Start::New };
    let target = TrainingTarget { folder: args.out.clone(), start, warm_start: None, png: false };
    target.check()?;
    let (data, _) = positions::read::<G>(args.sources.read(session)?, settings, session)?;
    let begin = Instant::now();
    let learned = plan.fit(&data, &session.progress)?;
    let seconds = begin.elapsed().as_secs_f64();
    let title = format!("Held-out error: {}", learned.name);
    let run = target.open(RunName { method: plan.model.name(), title: &title }, &data, &plan)?;
    run.finish(&learned, &data, Vec::new())?;
    output::print(&format!(
        "{}\nfitted to {} of {} training positions in {seconds:.1} s\n{}{}\nnetwork: {}\n",
        training::curve_table([&learned]).to_text(),
        learned.n_positions,
        data.training.len(),
        leaves(&learned),
        baselines(&data),
        run.file(IN_FOLDER).display(),
    ))
}

/// How large a tree has become.
fn leaves(learned: &Learned) -> String {
    match &learned.net {
        Net::Tree(_) => format!("{} leaves\n", learned.n_weights()),
        _ => String::new(),
    }
}
