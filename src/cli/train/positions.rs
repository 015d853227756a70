//! Which positions networks learn from, what they see of them, and what they aim at: the arguments that all methods share.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::record::GameRecord;
use roughboard::runs::training::{Data, DataSettings, Judging};
use roughboard::settings::{SettingError, require};

use crate::cli::features::Features;
use crate::cli::output;
use crate::cli::parts::PartOptions;
use crate::cli::session::Session;
use crate::cli::settings::{Of, named, usual};
use crate::cli::sources::{Copies, Games};

roughboard::choices! {
    /// What training aims at.
    enum Target = Result {
        /// The result of the game.
        Result = "result",
        /// The value that the teacher gives the position.
        Search = "search",
        /// Both, weighed by --result-share.
        Mix = "mix",
    }
}

/// Share of the result in a mixed target, if nothing else is asked for.
const RESULT_SHARE: f64 = 0.7;

const SHARD: &str = "Let the teacher judge part I of N of the games only, and learn nothing; `env/N` takes I from the scheduler \
                     (SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX)";
const PARTS: &str =
    "Take over what parts have judged, from their --judgements; games that are in none of them are judged now";

/// Arguments of all methods that train networks.
#[derive(ClapArgs)]
#[command(next_help_heading = "Positions and targets")]
#[command(mut_arg("result_share", |arg| arg.default_value(RESULT_SHARE.to_string())))]
#[command(mut_arg("skip.scale", |arg| usual(arg.requires("skip.evaluator"), "1")))]
#[command(mut_arg("teacher.depth", |arg| usual(arg, "0")))]
#[command(mut_arg("shard", |arg| arg.requires("judgements").help(SHARD)))]
#[command(mut_arg("parts", |arg| arg.requires("judgements").help(PARTS)))]
pub struct Args {
    #[command(flatten)]
    features: Features,
    /// What training aims at; errors are always those of the results
    #[arg(long, value_parser = named::<Target>(), default_value_t)]
    target: Target,
    /// Keep what the teacher says of each game in this file, and take from it what it holds: for other trainings on the same games, and to
    /// go on with a search of many hours
    #[arg(long, value_name = "FILE")]
    judgements: Option<PathBuf>,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    data: Of<DataSettings>,
}

impl Args {
    /// The settings of the data, checked.
    pub fn settings<G: Catalogue>(&self, curve_points: usize) -> Result<DataSettings, SettingError> {
        let features = self.features.name::<G>()?;
        let result_share = match self.target {
            Target::Result => 1.0,
            Target::Search => 0.0,
            Target::Mix => RESULT_SHARE,
        };
        let usual = DataSettings { features, result_share, curve_points, ..DataSettings::default() };
        let mut settings = self.data.onto(usual)?;
        let has_values = self.target != Target::Result;
        let asks_teacher = has_values || settings.selection.quiescent_only;
        let refuse = |setting: &str, is_refused: bool, range: &str| {
            self.data.refuse(range, |path| is_refused && path == setting)
        };
        refuse("result_share", self.target != Target::Mix, "left out unless with `--target mix`")?;
        let range = "left out unless with `--quiescent`, `--target search` or `--target mix`";
        refuse("teacher.evaluator", !asks_teacher, range)?;
        if let (false, Some(path)) = (asks_teacher, &self.judgements) {
            return Err(SettingError::value("judgements", range, path.display()));
        }
        refuse("teacher.depth", !has_values, "left out unless with `--target search` or `--target mix`")?;
        if asks_teacher {
            let teacher = settings.teacher.get_or_insert_default();
            if teacher.evaluator.is_empty() {
                G::DEFAULT_EVALUATOR.clone_into(&mut teacher.evaluator);
            }
        }
        settings.check()?;
        Ok(settings)
    }

    /// TD(λ) steps from value to value towards the result: it has no use for other targets.
    pub fn require_results(&self) -> Result<(), SettingError> {
        require(self.target == Target::Result, "target", "`result` for TD(λ)", self.target)
    }
}

/// Reads the data and accounts for the positions; gives the games back too.
pub fn read<G: Catalogue>(
    games: Games<G>,
    settings: DataSettings,
    args: &Args,
    session: &Session,
) -> anyhow::Result<(Data, Vec<GameRecord<G>>)> {
    games.note_duplicates(Copies::Straddle);
    let judging = Judging {
        observer: &session.progress,
        kept_in: args.judgements.as_deref(),
        parts: &args.parts.parts,
        shard: args.parts.shard()?,
    };
    let data = Data::keeping(&games.records, games.inputs, settings, session.seed, judging)?;
    let [training, held_out] = data.accounts();
    output::print(&format!("features {}\ntraining: {training}\nheld out: {held_out}\n", data.features))?;
    Ok((data, games.records))
}
