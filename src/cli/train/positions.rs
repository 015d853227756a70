//! Which positions networks learn from, what they see of them, and what they aim at: the arguments that all methods share.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Arg, Args as ClapArgs};
use roughboard::disk::{FileError, remove_if_there};
use roughboard::eval::Catalogue;
use roughboard::record::GameRecord;
use roughboard::runs::Start;
use roughboard::runs::training::{Data, DataSettings, Judging, LearnError};
use roughboard::settings::{SettingError, require};

use crate::cli::features::Features;
use crate::cli::folder::last_words_of;
use crate::cli::parts::PartOptions;
use crate::cli::session::Session;
use crate::cli::settings::{Of, named, usual};
use crate::cli::sources::{Copies, Games};
use crate::cli::{interrupt, output};

roughboard::choices! {
    /// What training aims at.
    enum Target = Result {
        /// The result of the game.
        Result,
        /// The value that the teacher gives the position.
        Search,
        /// Both, weighed by --result-share.
        Mix,
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
pub struct Positions {
    #[command(flatten)]
    features: Features,
    /// What training aims at; errors are always those of the results
    #[arg(long, value_parser = named::<Target>(), default_value_t)]
    target: Target,
    /// Keep the teacher's judgements of each game in this file, and take from it those that it holds: for other trainings on the same games
    /// [default: with a target of searches the folder of the run with .judgements.partial behind its name, removed when the run is finished]
    #[arg(long, value_name = "FILE")]
    judgements: Option<PathBuf>,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    data: Of<DataSettings>,
}

/// An option of a command that knows no target but the results: those of others are not shown, and refused.
pub fn without_targets(arg: Arg) -> Arg {
    let is_idle = ["target", "result_share", "teacher.depth"].contains(&arg.get_id().as_str());
    arg.hide(is_idle)
}

impl Positions {
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
        refuse("result_share", self.target != Target::Mix, "left out unless `--target mix` is given")?;
        let range = "left out unless `--quiescent`, `--target search` or `--target mix` is given";
        refuse("teacher.evaluator", !asks_teacher, range)?;
        if let (false, Some(path)) = (asks_teacher, &self.judgements) {
            return Err(SettingError::value("judgements", range, path.display()));
        }
        refuse("teacher.depth", !has_values, "left out unless `--target search` or `--target mix` is given")?;
        if asks_teacher {
            let teacher = settings.teacher.get_or_insert_default();
            if teacher.evaluator.is_empty() {
                G::DEFAULT_EVALUATOR.clone_into(&mut teacher.evaluator);
            }
        }
        settings.check()?;
        Ok(settings)
    }

    /// The file that keeps what the teacher says: the one that was named, or, of searches, one beside the folder `out` of the run.
    pub fn judgements(&self, out: &Path) -> Option<PathBuf> {
        let spare = || (self.target != Target::Result).then(|| spare_judgements(out));
        self.judgements.clone().or_else(spare)
    }

    /// Refuses other targets than results, for which `whom` has no use.
    pub fn require_results(&self, whom: &str) -> Result<(), SettingError> {
        require(self.target == Target::Result, "target", &format!("`result` for {whom}"), self.target)
    }
}

/// Where the searches of the teacher are kept until the run in the folder `out` is finished, unless another place is named.
pub fn spare_judgements(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{name}.judgements.partial"))
}

/// The run that positions are read for.
#[derive(Clone, Copy)]
pub struct ForRun<'a> {
    pub args: &'a Positions,
    /// Its folder.
    pub out: &'a Path,
    pub start: Start,
    /// Whether the command goes on by `--resume`.
    pub knows_resume: bool,
}

impl ForRun<'_> {
    /// Makes room for what the teacher says, if it is to be kept, and says where it is from now on.
    fn prepare(self, kept_in: &Path) -> Result<(), FileError> {
        if self.args.judgements.is_none() {
            // The folder of the run itself is not made before all of its inputs are there.
            let folder = kept_in.parent().unwrap_or(Path::new(""));
            std::fs::create_dir_all(folder).map_err(FileError::of("create", folder))?;
        }
        interrupt::tell(last_words_of("what the teacher said of games is", &[kept_in], self.knows_resume));
        Ok(())
    }

    /// What `keep` gives. The file that nobody named may have been left by a run with other settings: one that starts over removes it.
    fn kept(self, keep: impl Fn() -> Result<Data, LearnError>) -> anyhow::Result<Data> {
        match keep() {
            Err(LearnError::OtherJudgements { path, .. })
                if self.args.judgements.is_none() && self.start == Start::Over =>
            {
                remove_if_there(&path).map_err(FileError::of("remove", &path))?;
                Ok(keep()?)
            }
            Err(error @ LearnError::OtherJudgements { .. }) if self.args.judgements.is_none() => {
                bail!("{error}, or start over with `--force`")
            }
            data => Ok(data?),
        }
    }
}

/// Reads the data for a run and accounts for the positions; gives the games back too.
pub fn read<G: Catalogue>(
    games: Games<G>,
    settings: &DataSettings,
    run: ForRun<'_>,
    session: &Session,
) -> anyhow::Result<(Data, Vec<GameRecord<G>>)> {
    games.note_duplicates(Copies::Straddle);
    let kept_in = run.args.judgements(run.out);
    kept_in.as_deref().map_or(Ok(()), |path| run.prepare(path))?;
    let parts = &run.args.parts;
    let judging = Judging {
        observer: &session.progress,
        kept_in: kept_in.as_deref(),
        parts: &parts.parts,
        shard: parts.shard()?,
    };
    let keep = || Data::keeping(&games.records, games.inputs.clone(), settings.clone(), session.seed, judging);
    let data = run.kept(keep)?;
    let [training, held_out] = data.accounts();
    output::print(&format!("features {}\ntraining: {training}\nheld out: {held_out}\n", data.features))?;
    Ok((data, games.records))
}
