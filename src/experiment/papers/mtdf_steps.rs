//! MTD(f) with S2's three steps beside alpha-beta on Xiangqi: [`crate::experiment::steps`].

use serde::{Deserialize, Serialize};

use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::steps::{self, StepComparison, StepSearch, draw_positions};
use crate::games::xiangqi::Xiangqi;
use crate::search::SearchSettings;

/// Half of the positions stand after this many plies, the other half after three times as many.
const PLIES: usize = 14;

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MtdfStepsConfig {
    /// Seed of the draw of positions.
    pub seed: u64,
    /// How many positions are searched, in [2, 100000].
    pub positions: usize,
    /// The depth of the searches with nothing on that changes a value, in plies, in [1, 20].
    pub exact_depth: u32,
    /// The depth of the searches with all heuristics, in plies, in [1, 20].
    pub depth: u32,
    /// The fixed step, in points.
    pub step: u32,
    /// Size of the transposition table, in MiB.
    pub transposition_mb: usize,
}

impl MtdfStepsConfig {
    fn searches(&self) -> [StepSearch; 2] {
        let &Self { step: mtdf_step, transposition_mb, .. } = self;
        let common = |settings| SearchSettings { mtdf_step, transposition_mb, ..settings };
        StepSearch::kinds::<Xiangqi>([self.exact_depth, self.depth], common)
    }
}

impl Experiment for MtdfStepsConfig {
    const ABOUT: &'static str = "MTD(f) with the three steps of S2 beside alpha-beta: null windows, nodes, time";
    const KEEPS: Option<&'static str> = None;

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(steps::check(self.positions, self.step, &self.searches())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let &Self { seed, positions, step, transposition_mb, .. } = self;
        let drawn = draw_positions::<Xiangqi>(context.games(None), (positions, PLIES), seed)?;
        let heading = format!(
            "{positions} positions from games, half after {PLIES} plies and half after {}, seed {seed}; traditional evaluator; \
             table of {transposition_mb} MiB, empty at first",
            3 * PLIES,
        );
        StepComparison { positions: &drawn, searches: self.searches(), heading, step }.findings(context.observer)
    }
}
