//! S4: a network that learns Surakarta from self-play; after 560 games against after 1000, and a ladder of its checkpoints.

mod matches;
mod report;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::eval::LoadError;
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::surakarta_matches::{MatchPlan, NetworkMatches, SelfPlayFolders, check_start, learn};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::report::Table;
use crate::runs::manifest::FileError;
use crate::runs::zero::{network_limit, speed_table};
use crate::settings::{require, within};
use crate::train::zero::{ZeroReport, ZeroSettings, kept_name};
use matches::Rungs;

/// How long the network alone is measured at the end.
const MEASURED: Duration = Duration::from_secs(1);

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurakartaZeroConfig {
    /// Seed of all that is drawn.
    pub seed: u64,
    /// After how many games the two networks of the comparison are taken; 560 and 1000 in S4.
    pub compared: [usize; 2],
    /// Games of that match as S4 played it; even.
    pub s4_games: usize,
    /// Games of that match for an error bar; even.
    pub match_games: usize,
    /// After how many games the networks of the ladder are taken, ascending; 0 is the untrained one.
    pub ladder: Vec<usize>,
    /// Games of each pairing of the ladder; even.
    pub ladder_games: usize,
    /// Matches.
    pub matches: MatchPlan,
    /// Self-play and lessons.
    pub training: ZeroSettings,
}

impl SurakartaZeroConfig {
    /// The settings of self-play, with all networks kept that play afterwards.
    fn learning(&self) -> ZeroSettings {
        let mut keep = [&self.compared[..], &self.ladder, &self.training.keep].concat();
        keep.retain(|&games| games > 0);
        keep.sort_unstable();
        keep.dedup();
        ZeroSettings { keep, ..self.training.clone() }
    }
}

impl Experiment for SurakartaZeroConfig {
    const NAME: &'static str = "surakarta-zero";
    const ABOUT: &'static str =
        "S4: Surakarta from self-play with tree search and a residual network; 560 games against 1000";
    const SETTINGS: &'static str = include_str!("surakarta-zero.toml");
    const GAME: &'static str = Surakarta::NAME;
    const READS_GAMES: bool = false;

    fn check(&self) -> Result<(), ExperimentError> {
        let counts =
            [("s4_games", self.s4_games), ("match_games", self.match_games), ("ladder_games", self.ladder_games)];
        for (name, games) in counts {
            require(games > 0 && games.is_multiple_of(2), name, "an even number above 0", games)?;
        }
        let known = self.compared.iter().chain(&self.ladder).all(|&games| games <= self.training.games);
        require(
            known && !self.compared.contains(&0),
            "compared",
            "in [1, training.games]",
            format!("{:?}", self.compared),
        )?;
        let ascending = self.ladder.is_sorted_by(|a, b| a < b) && !self.ladder.is_empty();
        require(ascending, "ladder", "ascending, none above training.games", format!("{:?}", self.ladder))?;
        within("matches", self.matches.check())?;
        within("training", check_start(&self.training))?;
        Ok(within("training", self.learning().check())?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let (settings, folders) = (self.learning(), SelfPlayFolders::open(context, "training")?);
        let plan = folders.plan(&settings, self.seed);
        let learned = learn(&plan, context)?;
        let (experiment, seed) = (Self::NAME, self.seed);
        let matches = NetworkMatches { experiment, plan: &self.matches, training: &settings, seed, context };
        let rungs = Rungs { config: self, plan: &plan, matches };
        let played = report::Played {
            paper: rungs.between(self.compared, ("as-in-s4", self.s4_games, 0))?,
            long: rungs.between(self.compared, ("longer", self.match_games, 1))?,
            ladder: rungs.ladder()?,
        };
        let findings = played.findings(self, &learned.curve).times(self.speed(&learned)?);
        let report::Played { paper, long, ladder } = played;
        let findings = findings.games([paper, long, ladder].into_iter().flat_map(|played| played.records));
        Ok(settings.keep.iter().map(|&games| kept_name(games)).fold(findings, |findings, name| {
            let from = plan.folder.join(&name);
            findings.network(&name, move |to| {
                std::fs::copy(&from, to).map_err(FileError::of("write", to))?;
                Ok(())
            })
        }))
    }
}

impl SurakartaZeroConfig {
    /// How fast the training was, if it was not done by an earlier run.
    fn speed(&self, learned: &ZeroReport) -> Result<Option<Table>, LoadError> {
        let tally = learned.speed.counts;
        if tally.rounds == 0 {
            return Ok(None);
        }
        let batch = (tally.rows / tally.rounds).max(1) as usize;
        let limit = network_limit::<Surakarta>(&learned.weights, self.training.network, (batch, MEASURED))?;
        Ok(Some(speed_table(&learned.speed, limit)))
    }
}
