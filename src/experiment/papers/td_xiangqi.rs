//! S5: plain networks trained by TD(λ) on expert games, against the traditional evaluator: four sizes, after one, two and three
//! passes over the database (§5).
//!
//! All sizes learn from the same games in the same order. The networks after each pass are stages of one run, so those of one
//! size share their initial weights, as §5.2 asks for.

mod report;

use serde::{Deserialize, Serialize};

use crate::disk::copy_file;
use crate::eval::Catalogue;
use crate::experiment::contest::{Competitor, Contest, MatchConfig, check_data};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::methods::check_hidden;
use crate::games::xiangqi::Xiangqi;
use crate::net::dense::{DenseShape, InputForm};
use crate::runs::training::{Data, DataSettings, Learned, TdConfig, Training, learn_for};
use crate::settings::{counted, require, within};
use crate::train::{Checkpoint, CurvePoint, NoRecord, TdSettings, TrainingContext};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TdXiangqiConfig {
    /// Seed of initial weights, held-out games and openings.
    pub seed: u64,
    /// What describes a position, and which positions are learned from.
    pub data: DataSettings,
    /// What stands for the value of an attribute at the inputs.
    pub inputs: InputForm,
    /// Hidden neurons N, each in [1, 1024] and no two alike.
    pub hidden: Vec<usize>,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Whom the networks play: a built-in evaluator.
    pub opponent: String,
    /// Training; the networks after each of its passes play.
    pub td: TdSettings,
    /// The matches.
    pub matches: MatchConfig,
}

/// The networks of one size: after one pass, two, and so on.
struct Size {
    hidden: usize,
    after: Vec<Learned>,
}

impl Size {
    /// The whole learning curve.
    fn curve(&self) -> &[CurvePoint] {
        self.after.last().map(|one| one.curve.as_slice()).unwrap_or_default()
    }
}

impl Experiment for TdXiangqiConfig {
    const ABOUT: &'static str = "S5: TD(λ) on expert games, 12 cells of network size and passes, its Tables 1 to 7";
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        require(Xiangqi::identity(&self.opponent)?.is_some(), "opponent", "a built-in evaluator", &self.opponent)?;
        within("data", self.data.check())?;
        require(
            self.data.result_share >= 1.0,
            "data.result_share",
            "1, as TD(λ) learns from results",
            self.data.result_share,
        )?;
        check_data::<Xiangqi>("data", &self.data)?;
        require(!self.hidden.is_empty(), "hidden", "at least one", "none")?;
        check_hidden(&self.hidden)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        require(
            self.td.patience.is_none(),
            "td.patience",
            "left out, as every pass counts",
            self.td.patience.unwrap_or_default(),
        )?;
        require(self.td.passes <= 100, "td.passes", "at most 100", self.td.passes)?;
        within("td", self.td.check())?;
        Ok(within("matches", self.matches.check::<Xiangqi>())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let records = context.games(self.max_games);
        let data = Data::new(records, context.inputs.to_vec(), self.data.clone(), self.seed, context.observer)?;
        // Before the work of learning, so that a lack of openings shows at once.
        let openings = self.matches.openings(records, self.seed)?;
        let train = |&hidden: &usize| {
            let after = stages(&data, self, hidden, context)?;
            Ok::<_, ExperimentError>(Size { hidden, after })
        };
        let sizes = self.hidden.iter().map(train).collect::<Result<Vec<_>, _>>()?;
        let cells = sizes.iter().flat_map(|size| &size.after);
        let pairings = cells.map(|network| [Competitor::Network(network), Competitor::Named(&self.opponent)]).collect();
        let contest = Contest { title: "S5", config: &self.matches, openings: &openings, pairings };
        let (matches, pace) = contest.play(context)?;
        let findings = report::findings(self, context, (&data, &sizes), &matches);
        let findings = findings.times([pace.table()]).networks(sizes.into_iter().flat_map(|size| size.after));
        Ok(findings.games(matches.into_iter().flat_map(|one| one.records)))
    }
}

/// What a network is called in tables and in the names of files.
fn network_name(hidden: usize, passes: usize) -> String {
    format!("N = {hidden}, {}", counted(passes, "pass"))
}

/// The networks with `hidden` neurons after each pass of the settings.
///
/// Every stage has a checkpoint of its own in the state of the run. That of the next one begins as a copy of it, so each pass is made once, and
/// an interrupted run continues in the middle of a pass.
fn stages(
    data: &Data,
    config: &TdXiangqiConfig,
    hidden: usize,
    context: &Context<'_>,
) -> Result<Vec<Learned>, ExperimentError> {
    let network = DenseShape { inputs: config.inputs, ..DenseShape::one_layer(hidden) };
    let td = TdConfig { network, training: config.td.clone() };
    let fingerprint = data.fingerprint(&format!("TD {hidden}"), &td);
    let checkpoint = |passes: usize| {
        Checkpoint::new(context.state(&format!("td-{hidden}-{passes}.checkpoint")), fingerprint.clone())
    };
    let mut after = Vec::with_capacity(config.td.passes);
    for passes in 1..=config.td.passes {
        let here = checkpoint(passes);
        if passes > 1 && !here.path().exists() {
            copy_file(checkpoint(passes - 1).path(), here.path())?;
        }
        let (beginning, training) = td.start(data, Training::Td);
        let context = TrainingContext { checkpoint: Some(&here), recorder: &mut NoRecord, observer: context.observer };
        after.push(learn_for(data, beginning, &training, passes, &network_name(hidden, passes), context)?);
    }
    Ok(after)
}
