//! S1: a rough neural network as the evaluator of a Xiangqi program, from game records to its Table 1.
//!
//! The steps, in order: positions of training and held-out games; for each number of training games the decision table,
//! a reduct, the games that are not redundant under it, rules, and a rough network trained on the games kept; on the
//! last of them also BP, TD(λ) and two controls; matches against the traditional evaluator and among the networks.

mod config;
mod matches;
mod report;
mod stage;

pub use config::S1Config;

use self::report::StageReport;
use self::stage::StageFigures;
use crate::experiment::contest::Contest;
use crate::experiment::contract::{Context, Experiment};
use crate::experiment::error::ExperimentError;
use crate::experiment::findings::Findings;
use crate::rough::Reduct;
use crate::runs::folder::file_name;
use crate::runs::training::{
    self, Data, DataSettings, Initialisation, Inputs, Knowledge, LearnError, Learned, RoughPlan, Training,
};
use crate::train::{Checkpoint, NoRecord, TrainingContext};

/// The networks of a run.
pub struct Networks {
    /// The rough network of each number of training games, in ascending order; at least one.
    pub rough: Vec<Learned>,
    /// The plain networks by back-propagation: of every stage, or of the last.
    pub bp: Vec<Learned>,
    /// The plain networks by TD(λ), likewise.
    pub td: Vec<Learned>,
    /// Control: a rough network over the reduct only.
    pub reduct_only: Learned,
    /// Control: the last rough network from random weights.
    pub random_start: Learned,
}

impl Networks {
    /// All networks, in the order of the tables.
    pub fn all(&self) -> impl Iterator<Item = &Learned> {
        self.rough.iter().chain(&self.bp).chain(&self.td).chain([&self.reduct_only, &self.random_start])
    }
}

/// The networks that every stage may have.
#[derive(Default)]
struct OfStages {
    rough: Vec<Learned>,
    bp: Vec<Learned>,
    td: Vec<Learned>,
}

/// One stage: what networks beside the rough one are trained on.
struct Stage {
    data: Data,
    reduct: Reduct,
    knowledge: Knowledge,
}

impl Experiment for S1Config {
    const NAME: &'static str = "rnn-xiangqi";
    const ABOUT: &'static str = "S1: reduction of expert games, the rough network, its Table 1; BP and TD(λ) beside it";
    const SETTINGS: &'static str = include_str!("rnn-xiangqi.toml");
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(Self::check(self)?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let settings = DataSettings::from_ply(self.skip_plies, self.held_out, self.curve_points);
        let records = context.games(self.max_games);
        let data = Data::new(records, context.inputs.to_vec(), settings, self.seed, context.observer)?;
        // Before the work of learning, so that a lack of openings shows at once.
        let openings = self.matches.openings(records, self.seed)?;
        let (stages, networks) = StageTraining { config: self, context }.learn(&data)?;
        let pairings = matches::pairings(&networks);
        let contest = Contest { title: "S1", config: &self.matches, openings: &openings, pairings };
        let (matches, pace) = contest.play(context)?;
        let report = StageReport { config: self, data: &data, stages: &stages, networks: &networks, matches: &matches };
        Ok(report.findings(context).times([pace.table()]))
    }
}

/// The training of a run.
struct StageTraining<'a> {
    config: &'a S1Config,
    context: &'a Context<'a>,
}

impl StageTraining<'_> {
    fn checkpoint(&self, name: &str, data: &Data, settings: &impl serde::Serialize) -> Checkpoint {
        let file = self.context.state(&format!("{}.checkpoint", file_name(name)));
        Checkpoint::new(file, data.fingerprint(name, settings))
    }

    /// The networks of all stages, then those that only the last has, and the figures of the stages.
    fn learn(&self, data: &Data) -> Result<(Vec<StageFigures>, Networks), ExperimentError> {
        let mut sizes = stage::sizes(&self.config.stages, data.training.games().len());
        let last_size = sizes.pop().unwrap_or(data.training.games().len());
        let (mut stages, mut of_stages) = (Vec::new(), OfStages::default());
        for n_games in sizes {
            let (figures, stage) = self.learn_stage(data, n_games, &mut of_stages)?;
            stages.push(figures);
            if self.config.every_stage {
                self.learn_plain(&stage.data, &format!(" {n_games}"), &mut of_stages)?;
            }
        }
        let (figures, last) = self.learn_stage(data, last_size, &mut of_stages)?;
        stages.push(figures);
        let suffix = if self.config.every_stage { format!(" {last_size}") } else { String::new() };
        self.learn_plain(&last.data, &suffix, &mut of_stages)?;
        Ok((stages, self.learn_controls(of_stages, &last)?))
    }

    fn learn_stage(
        &self,
        data: &Data,
        n_games: usize,
        networks: &mut OfStages,
    ) -> Result<(StageFigures, Stage), ExperimentError> {
        let (figures, reduct, data) = stage::reduce(data, n_games)?;
        let plan = self.rough_plan();
        let knowledge = Knowledge::of(&data, &plan, self.context.observer)?;
        networks.rough.push(self.learn_rough(&data, (&knowledge, &plan), &format!("rough {n_games}"))?);
        Ok((figures, Stage { data, reduct, knowledge }))
    }

    /// BP and TD(λ) on the games of one stage.
    fn learn_plain(&self, data: &Data, suffix: &str, networks: &mut OfStages) -> Result<(), ExperimentError> {
        let config = self.config;
        let names = [format!("BP{suffix}"), format!("TD{suffix}")];
        let bp = self.checkpoint(&names[0], data, &config.bp);
        let td = self.checkpoint(&names[1], data, &config.td);
        networks.bp.push(self.learn_one(data, config.bp.start(data), &names[0], &bp)?);
        networks.td.push(self.learn_one(data, config.td.start(data), &names[1], &td)?);
        Ok(())
    }

    fn rough_plan(&self) -> RoughPlan {
        let S1Config { rules, rough, rough_training, .. } = self.config;
        RoughPlan::new(rules.clone(), rough.clone(), rough_training.clone())
    }

    fn learn_rough(&self, data: &Data, known: (&Knowledge, &RoughPlan), name: &str) -> Result<Learned, LearnError> {
        let (knowledge, plan) = known;
        let checkpoint = self.checkpoint(name, data, plan);
        self.learn_one(data, plan.start(data, knowledge), name, &checkpoint)
    }

    fn learn_one(
        &self,
        data: &Data,
        (beginning, training): (Initialisation, Training),
        name: &str,
        checkpoint: &Checkpoint,
    ) -> Result<Learned, LearnError> {
        let observer = self.context.observer;
        let context = TrainingContext { checkpoint: Some(checkpoint), recorder: &mut NoRecord, observer };
        training::learn(data, beginning, &training, name, context)
    }

    /// The controls, beside the networks of the stages.
    fn learn_controls(&self, networks: OfStages, last: &Stage) -> Result<Networks, ExperimentError> {
        let (config, data) = (self.config, &last.data);
        let reduct_only = RoughPlan { inputs: Inputs::REDUCT, ..self.rough_plan() };
        let random_start = RoughPlan { random_start: true, ..self.rough_plan() };
        let of_reduct = Knowledge::over(last.reduct.attrs().clone(), data, &config.rules, self.context.observer)?;
        let OfStages { rough, bp, td } = networks;
        Ok(Networks {
            rough,
            bp,
            td,
            reduct_only: self.learn_rough(data, (&of_reduct, &reduct_only), "rough, reduct only")?,
            random_start: self.learn_rough(data, (&last.knowledge, &random_start), "rough, random start")?,
        })
    }
}
