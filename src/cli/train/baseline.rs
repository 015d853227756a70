//! `roughboard train baseline`: models of linfa on the positions that networks learn from.

use std::time::Instant;

use clap::{Arg, Args as ClapArgs};
use roughboard::eval::Catalogue;
use roughboard::net::Net;
use roughboard::net::dense::InputForm;
use roughboard::net::store::IN_FOLDER;
use roughboard::runs::Start;
use roughboard::runs::training::{self, BaselinePlan, DataSettings, RunName, TrainingTarget};
use roughboard::settings::{SettingError, require};
use roughboard::train::Model;
use roughboard::train::models::{LogisticSettings, SvmSettings, TreeSettings};

use super::common::{RunArgs, baselines};
use super::positions;
use crate::cli::folder::told_before;
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::settings::{Of, named};

roughboard::choices! {
    /// The models, as the command line spells them.
    enum ModelName = Logistic {
        /// Logistic regression of wins on the attributes.
        Logistic,
        /// A support vector machine with a linear kernel, on a sample of the positions.
        Svm,
        /// A decision tree.
        Tree,
    }
}

/// An option of `train baseline`, of whose models none knows offsets.
fn without_skip(arg: Arg) -> Arg {
    let is_idle = arg.get_id().as_str().starts_with("skip.");
    if is_idle { arg.hide(true) } else { positions::without_targets(arg) }
}

/// Arguments of `train baseline`.
#[derive(ClapArgs)]
#[command(mut_args(without_skip))]
pub struct Args {
    /// The model
    #[arg(long, value_parser = named::<ModelName>())]
    model: ModelName,
    #[command(flatten)]
    pub run: RunArgs,
    /// Replace the run in the folder
    #[arg(long)]
    force: bool,
    /// The most positions that the model is fitted to, drawn by the seed [default: logistic 50000,
    /// with --one-hot 30000; svm 3000; tree 200000]
    #[arg(long, value_name = "N")]
    max_objects: Option<usize>,
    /// logistic, svm: give each value of an attribute a weight of its own, instead of one number an attribute
    #[arg(long)]
    one_hot: bool,
    #[command(flatten, next_help_heading = "Settings of logistic regression")]
    logistic: Of<LogisticSettings>,
    #[command(flatten, next_help_heading = "Settings of the support vector machine")]
    svm: Of<SvmSettings>,
    #[command(flatten, next_help_heading = "Settings of the decision tree")]
    tree: Of<TreeSettings>,
}

impl Args {
    /// The model with these settings, none of which may be another model's.
    fn model(&self) -> Result<Model, SettingError> {
        let name = self.model;
        let others = "left out, as it is a setting of another `--model`";
        let is_tree = name == ModelName::Tree;
        require(!(is_tree && self.one_hot), "one_hot", others, true)?;
        self.logistic.refuse(others, |_| name != ModelName::Logistic)?;
        self.svm.refuse(others, |_| name != ModelName::Svm)?;
        self.tree.refuse(others, |_| !is_tree)?;
        let inputs = if self.one_hot { InputForm::OneHot } else { InputForm::Numbers };
        Ok(match name {
            ModelName::Logistic => Model::Logistic(LogisticSettings { inputs, ..self.logistic.read()? }),
            ModelName::Svm => Model::Svm(SvmSettings { inputs, ..self.svm.read()? }),
            ModelName::Tree => Model::Tree(self.tree.read()?),
        })
    }

    fn plan(&self) -> Result<BaselinePlan, SettingError> {
        let model = self.model()?;
        let plan = BaselinePlan { max_objects: self.max_objects.unwrap_or(model.default_max_objects()), model };
        plan.check()?;
        Ok(plan)
    }

    /// The settings of the data: linfa's models know results and no offsets.
    fn data_settings<G: Catalogue>(&self) -> Result<DataSettings, SettingError> {
        self.run.positions.require_results("a baseline")?;
        let settings = self.run.positions.settings::<G>(1)?;
        let skip = settings.skip.as_ref().map_or("", |skip| &skip.evaluator);
        require(settings.skip.is_none(), "skip.evaluator", "left out for a baseline", skip)?;
        Ok(settings)
    }
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (plan, settings) = (args.plan()?, args.data_settings::<G>()?);
    let start = if args.force { Start::Over } else { Start::New };
    args.run.check_kept::<G>(settings.evaluators(), start)?;
    let target = TrainingTarget { folder: args.run.out.clone(), start, warm_start: None, opponent: None, png: false };
    target.check(plan.model.name(), &settings)?;
    let run = args.run.reading(start, false);
    let (data, _) = positions::read::<G>(args.run.sources.read(session)?, &settings, run, session)?;
    let begin = Instant::now();
    let learned = plan.fit(&data, &session.progress)?;
    let seconds = begin.elapsed().as_secs_f64();
    let title = format!("Held-out error: {}", learned.name);
    let Some(run) = target.open(RunName { method: plan.model.name(), title: &title }, &data, &plan)? else {
        return told_before(&title, &args.run.out);
    };
    run.finish(&learned, &data, Vec::new())?;
    // How large a tree has become.
    let is_tree = matches!(learned.net, Net::Tree(_));
    let leaves = if is_tree { format!("{} leaves\n", learned.n_weights()) } else { String::new() };
    output::print(&format!(
        "{}\nfitted to {} of {} training positions in {seconds:.1} s\n{leaves}{}\nnetwork: {}\n",
        training::curve_table([learned.named_curve()]).to_text(),
        learned.n_positions,
        data.training.len(),
        baselines(&data),
        run.file(IN_FOLDER).display(),
    ))
}
