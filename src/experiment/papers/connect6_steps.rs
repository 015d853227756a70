//! MTD(f) with S2's three steps beside alpha-beta on Connect6, the game of S2 (§2.2, §2.3): [`crate::experiment::steps`] with two
//! stones a turn and a limited width.

use serde::{Deserialize, Serialize};

use crate::eval::Catalogue;
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::self_play::{SelfPlay, games_given_or_made};
use crate::experiment::steps::{self, StepComparison, StepSearch, draw_positions};
use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::search::SearchSettings;
use crate::settings::require_in;

/// Half of the positions stand after this many stones, the other half after three times as many: both times a side has two
/// stones to place.
const STONES: usize = 7;

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Connect6StepsConfig {
    /// Seed of the draw of positions, and of the games where none are given.
    pub seed: u64,
    /// How many positions are searched, in [2, 100000].
    pub positions: usize,
    /// The depth of the searches with nothing on that changes a value, in stones, in [1, 20].
    pub exact_depth: u32,
    /// The depth of the searches with all heuristics, in stones, in [1, 20].
    pub depth: u32,
    /// The candidates of each position, in both kinds of search, in [1, 361].
    pub width: u32,
    /// The fixed step, in points.
    pub step: u32,
    /// Size of the transposition table, in MiB.
    pub transposition_mb: usize,
    /// The games that the positions are drawn from where none are given.
    pub self_play: SelfPlay,
}

impl Connect6StepsConfig {
    /// The two kinds of search. The solver of threats is off in both: it would end a search before it begins.
    fn searches(&self) -> [StepSearch; 2] {
        let &Self { step: mtdf_step, transposition_mb, width, .. } = self;
        let common = |settings| SearchSettings { mtdf_step, transposition_mb, width, forced_win_nodes: 0, ..settings };
        StepSearch::kinds::<Connect6>([self.exact_depth, self.depth], common)
    }
}

impl Experiment for Connect6StepsConfig {
    const ABOUT: &'static str =
        "MTD(f) with the three steps of S2 on its own game, Connect6: null windows, nodes, time";
    const GAME: &'static str = Connect6::NAME;
    const KEEPS: Option<&'static str> = None;

    fn check(&self) -> Result<(), ExperimentError> {
        require_in("width", 1..=361, self.width)?;
        self.self_play.check(self.seed)?;
        Ok(steps::check(self.positions, self.step, &self.searches())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let &Self { seed, positions, width, step, transposition_mb, .. } = self;
        let games = games_given_or_made::<Connect6>(context, &self.self_play, seed)?;
        let drawn = draw_positions(&games, (positions, STONES), seed)?;
        let evaluator = Connect6::DEFAULT_EVALUATOR;
        let source = if context.inputs.is_empty() {
            format!("games that `{evaluator}` played against itself")
        } else {
            "games".to_owned()
        };
        let heading = format!(
            "{positions} positions from {source}, half after {STONES} stones and half after {}, seed {seed}; evaluator \
             `{evaluator}`; {width} candidates a position; table of {transposition_mb} MiB, empty at first; a ply is one stone",
            3 * STONES,
        );
        StepComparison { positions: &drawn, searches: self.searches(), heading, step }.findings(context.observer)
    }
}
