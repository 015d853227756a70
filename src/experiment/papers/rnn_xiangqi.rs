//! S1: a rough neural network as the evaluator of a Xiangqi program, from game records to its Table 1.
//!
//! The steps, in order: positions of training and held-out games; for each number of training games the decision table,
//! a reduct, the games that are not redundant under it, rules, and a rough network trained on the games kept; on the
//! last of them also BP, TD(λ) and two controls; matches against the traditional evaluator and among the networks.

mod report;

use serde::{Deserialize, Serialize};

use self::report::StageReport;
use crate::eval::xiangqi::TRADITIONAL;
use crate::experiment::contest::{Competitor, Contest, MatchConfig};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::net::rough::RoughSettings;
use crate::rough::{Approximations, Fraction, Partition, Reduct};
use crate::runs::file_name;
use crate::runs::training::{
    self, BpConfig, Data, DataSettings, Initialisation, Inputs, Knowledge, LearnError, Learned, RoughPlan, RuleConfig,
    TdConfig, Training, reduct_of,
};
use crate::settings::{require, within};
use crate::train::redundancy::reduce_games;
use crate::train::{Checkpoint, NoRecord, SupervisedSettings, TrainingContext};

/// All settings of a run of S1; written as `config.toml` beside the results, and read back from there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S1Config {
    /// Seed of every random draw.
    pub seed: u64,
    /// Plies at the beginning of each game whose positions are not used: they are the same in most games.
    pub skip_plies: usize,
    /// Share of the games that is held out to measure the error, in (0, 1).
    pub held_out: f64,
    /// Numbers of training games at which the rough network is built, trained and played, in ascending order.
    /// A database that is too small for the last takes the same shares of what it has.
    pub stages: Vec<usize>,
    /// Measurements of the learning curve in each pass.
    pub curve_points: usize,
    /// Whether BP and TD(λ) learn from the games of every stage and not from those of the last alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every_stage: bool,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// The form of the rough network.
    pub rough: RoughSettings,
    /// Training of the rough network.
    pub rough_training: SupervisedSettings,
    /// The plain network trained by back-propagation.
    pub bp: BpConfig,
    /// The network trained by TD(λ).
    pub td: TdConfig,
    /// The matches.
    pub matches: MatchConfig,
}

/// The networks of a run.
#[derive(Default)]
pub struct Networks {
    /// The rough network of each number of training games, in ascending order; at least one.
    pub rough: Vec<Learned>,
    /// The plain networks by back-propagation: of every stage, or of the last.
    pub bp: Vec<Learned>,
    /// The plain networks by TD(λ), likewise.
    pub td: Vec<Learned>,
    /// The controls: a rough network over the reduct only, and the last rough network from random weights.
    pub controls: Vec<Learned>,
}

impl Networks {
    /// All networks, in the order of the tables.
    pub fn all(&self) -> impl Iterator<Item = &Learned> {
        [&self.rough, &self.bp, &self.td, &self.controls].into_iter().flatten()
    }
}

/// One stage: what networks beside the rough one are trained on.
struct Stage {
    data: Data,
    reduct: Reduct,
    knowledge: Knowledge,
}

impl Experiment for S1Config {
    const ABOUT: &'static str = "S1: reduction of expert games, the rough network, its Table 1; BP and TD(λ) beside it";
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        require(self.held_out > 0.0 && self.held_out < 1.0, "held_out", "in (0, 1)", self.held_out)?;
        let ascending = !self.stages.is_empty() && self.stages.windows(2).all(|pair| pair[0] < pair[1]);
        let bounded = ascending && self.stages[0] > 0 && self.stages.iter().all(|&games| games <= 10_000_000);
        let stages = format!("{:?}", self.stages);
        require(bounded, "stages", "numbers of games in ascending order, in [1, 10000000]", stages)?;
        require((1..=1000).contains(&self.curve_points), "curve_points", "in [1, 1000]", self.curve_points)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("rough_training", self.rough_training.check())?;
        within("bp", self.bp.check())?;
        within("td", self.td.check())?;
        Ok(within("matches", self.matches.check())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let settings = DataSettings::from_ply(self.skip_plies, self.held_out, self.curve_points);
        let records = context.games(self.max_games);
        let data = Data::new(records, context.inputs.to_vec(), settings, self.seed, context.observer)?;
        // Before the work of learning, so that a lack of openings shows at once.
        let openings = self.matches.openings(records, self.seed)?;
        let (stages, networks) = StageTraining { config: self, context }.learn(&data)?;
        let pairings = pairings(&networks);
        let contest = Contest { title: "S1", config: &self.matches, openings: &openings, pairings };
        let (matches, pace) = contest.play(context)?;
        let report = StageReport { config: self, data: &data, stages: &stages, networks: &networks, matches: &matches };
        let findings = report.findings(context).times([pace.table()]);
        let Networks { rough, bp, td, controls } = networks;
        let findings = findings.networks([rough, bp, td, controls].into_iter().flatten());
        Ok(findings.games(matches.into_iter().flat_map(|one| one.records)))
    }
}

/// The pairs of players in the order of the tables: every network but the random start against the traditional evaluator, the
/// rough ones first, then the methods against each other.
fn pairings(networks: &Networks) -> Vec<[Competitor<'_>; 2]> {
    let Networks { rough, bp, td, controls } = networks;
    let network = Competitor::Network;
    let others = bp.iter().chain(td).chain(controls.first());
    let against_traditional = rough.iter().chain(others).map(|one| [network(one), Competitor::BuiltIn(TRADITIONAL)]);
    let [rough, bp, td] = [rough, bp, td].map(|of_method| of_method.last().map(network));
    let among_methods = [(rough, bp), (rough, td), (bp, td)].into_iter().filter_map(|(a, b)| Some([a?, b?]));
    against_traditional.chain(among_methods).collect()
}

/// The training of a run.
struct StageTraining<'a> {
    config: &'a S1Config,
    context: &'a Context<'a>,
}

impl StageTraining<'_> {
    /// The networks of all stages, then those that only the last has, and the figures of the stages.
    fn learn(&self, data: &Data) -> Result<(Vec<StageFigures>, Networks), ExperimentError> {
        let sizes = sizes(&self.config.stages, data.training.games().len());
        let (mut stages, mut networks) = (Vec::new(), Networks::default());
        for &n_games in &sizes {
            let (figures, stage) = self.learn_stage(data, n_games, &mut networks)?;
            stages.push(figures);
            let is_last = sizes.last() == Some(&n_games);
            if self.config.every_stage || is_last {
                let suffix = if self.config.every_stage { format!(" {n_games}") } else { String::new() };
                self.learn_plain(&stage.data, &suffix, &mut networks)?;
            }
            if is_last {
                networks.controls = self.learn_controls(&stage)?;
            }
        }
        Ok((stages, networks))
    }

    fn learn_stage(
        &self,
        data: &Data,
        n_games: usize,
        networks: &mut Networks,
    ) -> Result<(StageFigures, Stage), ExperimentError> {
        let (figures, reduct, data) = reduce(data, n_games)?;
        let plan = self.rough_plan();
        let knowledge = Knowledge::of(&data, &plan, self.context.observer)?;
        networks.rough.push(self.learn_rough(&data, (&knowledge, &plan), &format!("rough {n_games}"))?);
        Ok((figures, Stage { data, reduct, knowledge }))
    }

    /// BP and TD(λ) on the games of one stage.
    fn learn_plain(&self, data: &Data, suffix: &str, networks: &mut Networks) -> Result<(), ExperimentError> {
        let config = self.config;
        networks.bp.push(self.learn_one(data, config.bp.start(data), &format!("BP{suffix}"), &config.bp)?);
        networks.td.push(self.learn_one(data, config.td.start(data), &format!("TD{suffix}"), &config.td)?);
        Ok(())
    }

    fn rough_plan(&self) -> RoughPlan {
        let S1Config { rules, rough, rough_training, .. } = self.config;
        RoughPlan::new(rules.clone(), rough.clone(), rough_training.clone())
    }

    fn learn_rough(
        &self,
        data: &Data,
        (knowledge, plan): (&Knowledge, &RoughPlan),
        name: &str,
    ) -> Result<Learned, LearnError> {
        self.learn_one(data, plan.start(data, knowledge), name, plan)
    }

    fn learn_one(
        &self,
        data: &Data,
        (beginning, training): (Initialisation, Training),
        name: &str,
        settings: &impl Serialize,
    ) -> Result<Learned, LearnError> {
        let file = self.context.state(&format!("{}.checkpoint", file_name(name)));
        let checkpoint = Checkpoint::new(file, data.fingerprint(name, settings));
        let observer = self.context.observer;
        let context = TrainingContext { checkpoint: Some(&checkpoint), recorder: &mut NoRecord, observer };
        training::learn(data, beginning, &training, name, context)
    }

    /// The controls, beside the networks of the stages.
    fn learn_controls(&self, last: &Stage) -> Result<Vec<Learned>, ExperimentError> {
        let (config, data) = (self.config, &last.data);
        let reduct_only = RoughPlan { inputs: Inputs::REDUCT, ..self.rough_plan() };
        let random_start = RoughPlan { random_start: true, ..self.rough_plan() };
        let of_reduct = Knowledge::over(last.reduct.attrs().clone(), data, &config.rules, self.context.observer)?;
        Ok(vec![
            self.learn_rough(data, (&of_reduct, &reduct_only), "rough, reduct only")?,
            self.learn_rough(data, (&last.knowledge, &random_start), "rough, random start")?,
        ])
    }
}

/// What the reduction did with the first `games_in` training games.
#[derive(Debug, Clone, PartialEq)]
struct StageFigures {
    /// Training games looked at.
    pub games_in: usize,
    /// Games kept: those with a position in a class that no game kept before has.
    pub games_kept: usize,
    /// Games without a position from ply `skip_plies` on: neither kept nor redundant.
    pub too_short: usize,
    /// Positions of the games looked at, |U|.
    pub positions: u64,
    /// Classes of U/IND(C) over all condition attributes: distinct positions.
    pub classes: usize,
    /// γ of all condition attributes.
    pub gamma: Fraction,
    /// The names of the attributes of the reduct.
    pub reduct: Vec<String>,
    /// Classes of U/IND(R) over the reduct.
    pub reduct_classes: usize,
    /// γ of the reduct; equal to that of all attributes.
    pub reduct_gamma: Fraction,
}

/// The numbers of training games to look at: `wanted`, or in a database with fewer than the last of them the same
/// shares of `available`.
fn sizes(wanted: &[usize], available: usize) -> Vec<usize> {
    let last = wanted.last().copied().unwrap_or(available);
    // In 128 bits, as the product of two counts may exceed 64.
    let share = |size: usize| (size as u128 * available as u128).div_ceil(last as u128) as usize;
    let scaled = |size: usize| if last <= available { size } else { share(size) };
    let mut sizes: Vec<usize> = wanted.iter().map(|&size| scaled(size)).collect();
    sizes.dedup();
    sizes
}

/// Reduces the first `n_games` training games of `data`; gives the figures, the reduct, and the data of the games kept.
fn reduce(data: &Data, n_games: usize) -> Result<(StageFigures, Reduct, Data), LearnError> {
    let first: Vec<usize> = (0..n_games).collect();
    let data = data.with_training(data.training.select_games(&first));
    let table = data.table()?;
    let reduct = reduct_of(&table);
    let attributes: Vec<usize> = reduct.attrs().iter().map(|attr| attr.index()).collect();
    let reduction = reduce_games(&data.training, &attributes);
    let kept = data.with_training(data.training.select_games(&reduction.kept));
    let all = table.all_attributes();
    let figures = StageFigures {
        games_in: n_games,
        games_kept: reduction.kept.len(),
        too_short: reduction.too_short,
        positions: table.total_weight(),
        classes: Partition::by(&table, &all).n_classes(),
        gamma: Approximations::of(&table, &all).gamma(),
        reduct: table.names(reduct.attrs()).into_iter().map(str::to_owned).collect(),
        reduct_classes: Partition::by(&table, reduct.attrs()).n_classes(),
        reduct_gamma: Approximations::of(&table, reduct.attrs()).gamma(),
    };
    Ok((figures, reduct, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_databases_take_the_same_shares() {
        assert_eq!(sizes(&[2000, 4000, 6000], 7000), [2000, 4000, 6000]);
        assert_eq!(sizes(&[2000, 4000, 6000], 3000), [1000, 2000, 3000]);
        assert_eq!(sizes(&[2000, 4000, 6000], 2), [1, 2]);
    }
}
