//! One reading of S1: its settings, and the networks that it makes, stage by stage.

use serde::{Deserialize, Serialize};

use super::S1Config;
use crate::experiment::contract::{Context, ExperimentError};
use crate::experiment::papers::grain::Granularity;
use crate::games::xiangqi::Xiangqi;
use crate::net::rough::RoughSettings;
use crate::observe::Observer;
use crate::rough::{Approximations, Fraction};
use crate::runs::file_name;
use crate::runs::training::{
    self, BpConfig, Data, DataSettings, Initialisation, Inputs, Knowledge, LearnError, Learned, RoughPlan, RuleConfig,
    TdConfig, Training,
};
use crate::settings::{SettingError, within};
use crate::table::AttrIdx;
use crate::train::{Checkpoint, NoRecord, SupervisedSettings, TrainingContext};

/// What a position is described by, which are kept, what networks aim at, and how they learn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// What it is, in a few words.
    pub about: String,
    /// Whether the controls are trained too: a rough network over a reduct, and one from random weights.
    pub controls: bool,
    /// How games become positions and targets.
    pub data: DataSettings,
    /// How coarse the knowledge is under which games are left out.
    #[serde(default, skip_serializing_if = "Granularity::is_usual")]
    pub granularity: Granularity,
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// The form of the rough network.
    pub rough: RoughSettings,
    /// Training of the rough network.
    pub rough_training: SupervisedSettings,
    /// The plain network trained by back-propagation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bp: Option<BpConfig>,
    /// The network trained by TD(λ), which learns from results whatever the others aim at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub td: Option<TdConfig>,
}

impl Reading {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        within("data", self.data.check())?;
        self.granularity.check()?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("rough_training", self.rough_training.check())?;
        self.bp.as_ref().map_or(Ok(()), |bp| within("bp", bp.check()))?;
        self.td.as_ref().map_or(Ok(()), |td| within("td", td.check()))
    }

    fn rough_plan(&self) -> RoughPlan {
        RoughPlan::new(&self.rules, &self.rough, &self.rough_training)
    }

    /// Reduces the first `n_games` training games of `data`; gives the figures, and the data of the games kept, with their images if
    /// there are any.
    fn reduce(
        &self,
        data: &Data,
        n_games: usize,
        (seed, observer): (u64, &dyn Observer),
    ) -> Result<(StageFigures, Data), ExperimentError> {
        let first: Vec<usize> = (0..n_games).collect();
        let looked_at = data.with_training(data.training.select_played(&first));
        let played = looked_at.with_training(looked_at.training.without_images());
        let table = played.table()?;
        let grain = self.granularity.grain((&played, &table), seed, observer)?;
        let of_all = Approximations::of(&table, &table.all_attributes());
        let figures = StageFigures {
            games_in: n_games,
            games_kept: grain.kept.len(),
            without_positions: grain.without_positions,
            positions: table.total_weight(),
            classes: of_all.partition().n_classes(),
            gamma: of_all.gamma(),
            reduct: grain.attributes,
            reduct_classes: grain.n_classes,
            reduct_gamma: grain.gamma,
        };
        Ok((figures, looked_at.with_training(looked_at.training.select_played(&grain.kept))))
    }
}

/// What one number of training games gave.
pub struct Stage {
    /// What the reduction did with them.
    pub figures: StageFigures,
    /// The rough network.
    pub rough: Learned,
    /// The plain network by back-propagation, if it was trained at this stage.
    pub bp: Option<Learned>,
    /// The network by TD(λ), likewise.
    pub td: Option<Learned>,
}

/// What a reading gave.
pub struct Readout<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its settings.
    pub reading: &'a Reading,
    /// Its positions.
    pub data: Data,
    /// One for each number of training games, in ascending order; at least one.
    pub stages: Vec<Stage>,
    /// The controls: a rough network over the reduct only, and the last rough network from random weights.
    pub controls: Vec<Learned>,
}

impl<'a> Readout<'a> {
    /// Trains the networks of all stages, then those that only the last has.
    ///
    /// # Errors
    /// When there are no positions, no rules, or training runs away.
    pub fn of(
        config: &S1Config,
        (name, reading): (&'a str, &'a Reading),
        context: &Context<'_>,
    ) -> Result<Self, ExperimentError> {
        let (records, inputs) = (context.games::<Xiangqi>(config.max_games), context.inputs.to_vec());
        let data = Data::new(records, inputs, reading.data.clone(), config.seed, context.observer)?;
        let sizes = sizes(&config.stages, data.training.n_played());
        let (mut stages, mut controls) = (Vec::new(), Vec::new());
        for &n_games in &sizes {
            let is_last = sizes.last() == Some(&n_games);
            let (figures, kept) = reading.reduce(&data, n_games, (config.seed, context.observer))?;
            let training = StageTraining { name, reading, data: &kept, n_games, context };
            let knowledge = Knowledge::of(&kept, &reading.rough_plan(), context.observer)?;
            let rough = training.rough("rough", &knowledge, &reading.rough_plan())?;
            let (bp, td) = if config.every_stage || is_last { training.plain()? } else { (None, None) };
            if is_last && reading.controls {
                controls = training.controls(&knowledge, &figures.reduct)?;
            }
            stages.push(Stage { figures, rough, bp, td });
        }
        Ok(Self { name, reading, data, stages, controls })
    }

    /// The stage of the most games.
    pub fn last(&self) -> &Stage {
        // There is one, as `stages` of the settings has one.
        &self.stages[self.stages.len() - 1]
    }

    /// The networks beside the rough ones that play the opponents: BP, TD(λ), and the first control.
    pub fn others(&self) -> impl Iterator<Item = &Learned> {
        let bp = self.stages.iter().filter_map(|stage| stage.bp.as_ref());
        let td = self.stages.iter().filter_map(|stage| stage.td.as_ref());
        bp.chain(td).chain(self.controls.first())
    }

    /// All networks, in the order of the tables.
    pub fn networks(&self) -> impl Iterator<Item = &Learned> {
        self.stages.iter().map(|stage| &stage.rough).chain(self.others()).chain(self.controls.iter().skip(1))
    }

    /// All networks, to be kept.
    pub(crate) fn into_networks(self) -> impl Iterator<Item = Learned> {
        let of_stages = self.stages.into_iter().flat_map(|Stage { rough, bp, td, .. }| [Some(rough), bp, td]);
        of_stages.flatten().chain(self.controls)
    }
}

/// Training on the games of one stage.
struct StageTraining<'a> {
    name: &'a str,
    reading: &'a Reading,
    data: &'a Data,
    n_games: usize,
    context: &'a Context<'a>,
}

impl StageTraining<'_> {
    fn rough(&self, method: &str, knowledge: &Knowledge, plan: &RoughPlan) -> Result<Learned, LearnError> {
        self.learn(method, plan.start(self.data, knowledge), plan)
    }

    /// BP and TD(λ), where the reading has them.
    fn plain(&self) -> Result<(Option<Learned>, Option<Learned>), LearnError> {
        let Reading { bp, td, .. } = self.reading;
        let bp = bp.as_ref().map(|bp| self.learn("BP", bp.start(self.data, Training::Supervised), bp)).transpose()?;
        let td = td.as_ref().map(|td| self.learn("TD", td.start(self.data, Training::Td), td)).transpose()?;
        Ok((bp, td))
    }

    /// The controls, beside the networks of the stages.
    fn controls(&self, knowledge: &Knowledge, reduct: &[usize]) -> Result<Vec<Learned>, LearnError> {
        let reading = self.reading;
        let reduct_only = RoughPlan { inputs: Inputs::REDUCT, ..reading.rough_plan() };
        let random_start = RoughPlan { random_start: true, ..reading.rough_plan() };
        let reduct = reduct.iter().map(|&attribute| AttrIdx::new(attribute)).collect();
        let of_reduct = Knowledge::over(reduct, self.data, &reading.rules, self.context.observer)?;
        Ok(vec![
            self.rough("rough, reduct only,", &of_reduct, &reduct_only)?,
            self.rough("rough, random start,", knowledge, &random_start)?,
        ])
    }

    fn learn(
        &self,
        method: &str,
        (beginning, training): (Initialisation, Training),
        settings: &impl Serialize,
    ) -> Result<Learned, LearnError> {
        let name = format!("{} {method} {}", self.name, self.n_games);
        let file = self.context.state(&format!("{}.checkpoint", file_name(&name)));
        let checkpoint = Checkpoint::new(file, self.data.fingerprint(&name, settings));
        let observer = self.context.observer;
        let context = TrainingContext { checkpoint: Some(&checkpoint), recorder: &mut NoRecord, observer };
        training::learn(self.data, beginning, &training, &name, context)
    }
}

/// What the reduction did with the first `games_in` training games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StageFigures {
    /// Training games looked at.
    pub games_in: usize,
    /// Games kept: those with a position in a class that no game kept before has.
    pub games_kept: usize,
    /// Games of which no position is used: neither kept nor redundant.
    pub without_positions: usize,
    /// Positions of the games looked at, |U|; images do not count.
    pub positions: u64,
    /// Classes of U/IND(C) over all condition attributes: distinct positions.
    pub classes: usize,
    /// γ of all condition attributes.
    pub gamma: Fraction,
    /// The attributes of the reduct.
    pub reduct: Vec<usize>,
    /// Classes of U/IND(R) over the reduct.
    pub reduct_classes: usize,
    /// γ of the reduct; equal to that of all attributes for a reduct of values as they are.
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
