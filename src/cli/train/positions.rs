//! Which positions networks learn from, what they see of them, and what they aim at: the arguments that all methods share.

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::eval::{Catalogue, SkipTerm};
use roughboard::record::GameRecord;
use roughboard::runs::training::{Data, DataSettings};
use roughboard::settings::{SettingError, require};
use roughboard::train::{PositionSelection, Teacher};

use crate::cli::features::FeatureName;
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::sources::Games;

/// What training aims at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The result of the game
    Result,
    /// The value that the teacher gives the position
    Search,
    /// Both, weighed by --result-share
    Mix,
}

/// Arguments of all methods that train networks.
#[derive(ClapArgs)]
#[command(next_help_heading = "Positions and targets")]
pub struct Args {
    /// What the network sees of a position [default: board91, of Connect6 patterns64, of Surakarta board37]
    #[arg(long, value_enum)]
    features: Option<FeatureName>,
    /// Plies at the beginning of each game whose positions are not used
    #[arg(long, default_value_t = DataSettings::default().selection.skip_plies, value_name = "N")]
    skip_plies: usize,
    /// Use only positions that are not in check and whose value for the teacher quiescence does not change
    #[arg(long = "quiescent", id = "quiescent_only")]
    quiescent: bool,
    /// Learn from the mirror image of each training game too
    #[arg(long)]
    mirror: bool,
    /// Learn from each training game with colours exchanged too
    #[arg(long)]
    flip_colours: bool,
    /// What training aims at; errors are always those of the results
    #[arg(long, value_enum, default_value_t = Target::Result)]
    target: Target,
    /// Share of the result in the target [default: 0.7]
    #[arg(long, value_name = "SHARE")]
    result_share: Option<f64>,
    /// Evaluator that judges quietness and gives values: a built-in one or a network [default: that of the game]
    #[arg(long, value_name = "EVALUATOR")]
    teacher: Option<String>,
    /// Plies that the teacher's values look ahead; 0 for quiescence alone [default: 0]
    #[arg(long = "teacher-depth", id = "teacher.depth", value_name = "N")]
    teacher_depth: Option<u32>,
    /// Built-in evaluator whose word is added to the network's output, which then learns what the evaluator misses
    #[arg(long = "skip-term", id = "skip.evaluator", value_name = "EVALUATOR")]
    skip_term: Option<String>,
    /// Factor on the word of the skip term [default: 1]
    #[arg(long = "skip-scale", id = "skip.scale", value_name = "S", requires = "skip.evaluator")]
    skip_scale: Option<f32>,
}

/// Share of the result in a mixed target, if nothing else is asked for.
const RESULT_SHARE: f64 = 0.7;

impl Args {
    /// The settings of the data, checked.
    pub fn settings<G: Catalogue>(&self, held_out: f64, curve_points: usize) -> Result<DataSettings, SettingError> {
        let is_mix = self.target == Target::Mix || self.result_share.is_none();
        require(
            is_mix,
            "--result-share",
            "left out unless with `--target mix`",
            self.result_share.unwrap_or_default(),
        )?;
        let settings = DataSettings {
            features: self.features.map_or_else(String::new, FeatureName::name),
            selection: PositionSelection {
                skip_plies: self.skip_plies,
                quiescent_only: self.quiescent,
                mirror: self.mirror,
                flip_colours: self.flip_colours,
            },
            result_share: match self.target {
                Target::Result => 1.0,
                Target::Search => 0.0,
                Target::Mix => self.result_share.unwrap_or(RESULT_SHARE),
            },
            teacher: self.teacher(G::DEFAULT_EVALUATOR)?,
            skip: self.skip_term.clone().map(|evaluator| self.skip_by(evaluator)),
            held_out,
            curve_points,
        };
        settings.check()?;
        Ok(settings)
    }

    /// TD(λ) steps from value to value towards the result: it has no use for other targets.
    pub fn require_results(&self) -> Result<(), SettingError> {
        let found = self.target.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        require(self.target == Target::Result, "--target", "`result` for TD(λ)", found)
    }

    /// The teacher, if there is something for one to say.
    fn teacher(&self, default: &str) -> Result<Option<Teacher>, SettingError> {
        let is_asked = self.quiescent || self.target != Target::Result;
        let range = "left out unless with `--quiescent`, `--target search` or `--target mix`";
        let found = self.teacher.clone().unwrap_or_default();
        require(is_asked || self.teacher.is_none(), "--teacher", range, found)?;
        let depth = self.teacher_depth.unwrap_or_default();
        let range = "left out unless with `--target search` or `--target mix`";
        let has_values = self.target != Target::Result;
        require(has_values || self.teacher_depth.is_none(), "--teacher-depth", range, depth)?;
        let evaluator = self.teacher.clone().unwrap_or_else(|| default.to_owned());
        Ok(is_asked.then_some(Teacher { evaluator, depth }))
    }

    fn skip_by(&self, evaluator: String) -> SkipTerm {
        SkipTerm { evaluator, scale: self.skip_scale.unwrap_or(1.0) }
    }
}

/// Reads the data and accounts for the positions; gives the games back too.
pub fn read<G: Catalogue>(
    games: Games<G>,
    settings: DataSettings,
    session: &Session,
) -> anyhow::Result<(Data, Vec<GameRecord<G>>)> {
    let data = Data::new(&games.records, games.inputs, settings, session.seed, &session.progress)?;
    let [training, held_out] = data.accounts();
    output::print(&format!("features {}\ntraining: {training}\nheld out: {held_out}\n", data.features))?;
    Ok((data, games.records))
}
