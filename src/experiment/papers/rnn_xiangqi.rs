//! S1: a rough neural network as the evaluator of a Xiangqi program, from game records to its Table 1.
//!
//! The paper leaves open what a position is described by and what a network aims at, so several readings of it stand side by
//! side. The steps of each, in order: positions of training and held-out games; for each number of training games the decision
//! table, a reduct, the games that are not redundant under it, rules, and a rough network trained on the games kept; BP and TD(λ)
//! on the same games, and two controls. Then matches of all networks against the opponents, and of the methods of a reading
//! against each other.

mod reading;
mod report;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::reading::{Reading, Readout};
use self::report::S1Report;
use crate::experiment::contest::{Competitor, Contest, MatchConfig, check_built_in, check_data};
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::methods::check_different;
use crate::games::xiangqi::Xiangqi;
use crate::runs::training::Learned;
use crate::settings::{require, within};

/// All settings of a run of S1; written as `config.toml` beside the results, and read back from there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct S1Config {
    /// Seed of every random draw.
    pub seed: u64,
    /// The readings of the paper that are tried, in the order of the tables.
    pub readings: Vec<String>,
    /// Built-in evaluators that every network plays.
    pub opponents: Vec<String>,
    /// Numbers of training games at which the rough network is built, trained and played, in ascending order.
    /// A database that is too small for the last takes the same shares of what it has.
    pub stages: Vec<usize>,
    /// Whether BP and TD(λ) learn from the games of every stage and not from those of the last alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every_stage: bool,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// The matches.
    pub matches: MatchConfig,
    /// What each reading is, by its name.
    pub reading: BTreeMap<String, Reading>,
}

impl Experiment for S1Config {
    const ABOUT: &'static str = "S1: reduction of expert games, the rough network, its Table 1; BP and TD(λ) beside it";
    const PLAYS: bool = true;

    fn check(&self) -> Result<(), ExperimentError> {
        let ascending = !self.stages.is_empty() && self.stages.windows(2).all(|pair| pair[0] < pair[1]);
        let bounded = ascending && self.stages[0] > 0 && self.stages.iter().all(|&games| games <= 10_000_000);
        let stages = format!("{:?}", self.stages);
        require(bounded, "stages", "numbers of games in ascending order, in [1, 10000000]", stages)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        require(!self.readings.is_empty(), "readings", "at least one", "none")?;
        require(!self.opponents.is_empty(), "opponents", "at least one", "none")?;
        check_built_in::<Xiangqi>("opponents", self.opponents.iter().map(String::as_str))?;
        self.readings()?;
        check_different("readings", &self.readings)?;
        check_different("opponents", &self.opponents)?;
        for (name, reading) in &self.reading {
            within(&format!("reading.{name}"), reading.check())?;
            check_data::<Xiangqi>(&format!("reading.{name}.data"), &reading.data)?;
        }
        Ok(within("matches", self.matches.check::<Xiangqi>())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        // Before the work of learning, so that a lack of openings shows at once.
        let openings = self.matches.openings(context.games(self.max_games), self.seed)?;
        let readouts = self.readings()?.into_iter().map(|(name, reading)| Readout::of(self, (name, reading), context));
        let readouts = readouts.collect::<Result<Vec<_>, _>>()?;
        let pairings = readouts.iter().flat_map(|readout| self.pairings(readout)).collect();
        let contest = Contest { title: "S1", config: &self.matches, openings: &openings, pairings };
        let (matches, pace) = contest.play(context)?;
        let findings = S1Report::new(self, &readouts, &matches).findings(context).times([pace.table()]);
        let findings = findings.networks(readouts.into_iter().flat_map(Readout::into_networks));
        Ok(findings.games(matches.into_iter().flat_map(|one| one.records)))
    }
}

impl S1Config {
    /// The readings that are tried.
    fn readings(&self) -> Result<Vec<(&str, &Reading)>, ExperimentError> {
        let known: Vec<&str> = self.reading.keys().map(String::as_str).collect();
        for name in &self.readings {
            require(self.reading.contains_key(name), "readings", &format!("of {}", known.join(", ")), name)?;
        }
        let found = self.readings.iter().filter_map(|name| self.reading.get_key_value(name));
        Ok(found.map(|(name, reading)| (name.as_str(), reading)).collect())
    }

    /// The pairs of players in the order of the tables: every network but the random start against the opponents, the rough ones
    /// first, then the methods against each other.
    fn pairings<'a>(&'a self, readout: &'a Readout<'_>) -> Vec<[Competitor<'a>; 2]> {
        let network = Competitor::Network;
        let against = |one: &'a Learned| {
            self.opponents.iter().map(move |opponent| [network(one), Competitor::Named(opponent.as_str())])
        };
        let against_opponents =
            readout.stages.iter().map(|stage| &stage.rough).chain(readout.others()).flat_map(against);
        let last = readout.last();
        let [rough, bp, td] = [Some(&last.rough), last.bp.as_ref(), last.td.as_ref()].map(|one| one.map(network));
        let among_methods = [(rough, bp), (rough, td), (bp, td)].into_iter().filter_map(|(a, b)| Some([a?, b?]));
        against_opponents.chain(among_methods).collect()
    }
}
