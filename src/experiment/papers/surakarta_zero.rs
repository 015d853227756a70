//! S4: a network that learns Surakarta from self-play; after 560 games against after 1000, and a ladder of its checkpoints.

mod matches;
mod report;

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::eval::LoadError;
use crate::experiment::contract::{Context, Experiment};
use crate::experiment::error::ExperimentError;
use crate::experiment::surakarta_matches::{MatchPlan, Matches, check_start};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::report::Table;
use crate::runs::manifest::FileError;
use crate::runs::results::{Outcome, Results};
use crate::runs::zero::{network_limit, speed_table, train_as};
use crate::settings::{SettingError, require};
use crate::train::zero::{Plan, Report, ZeroSettings, kept_name};
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
    fn check_ranges(&self) -> Result<(), SettingError> {
        let counts =
            [("s4_games", self.s4_games), ("match_games", self.match_games), ("ladder_games", self.ladder_games)];
        for (name, games) in counts {
            require(games > 0 && games.is_multiple_of(2), name, "an even number above 0", games)?;
        }
        let within = |games: &usize| *games <= self.training.games;
        let known = self.compared.iter().chain(&self.ladder).all(within);
        require(
            known && !self.compared.contains(&0),
            "compared",
            "in [1, training.games]",
            format!("{:?}", self.compared),
        )?;
        let ascending = self.ladder.is_sorted_by(|a, b| a < b) && !self.ladder.is_empty();
        require(ascending, "ladder", "ascending, none above training.games", format!("{:?}", self.ladder))?;
        self.matches.check()?;
        check_start(&self.training)?;
        self.learning().check()
    }

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

    fn seed_mut(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(self.check_ranges()?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError> {
        self.check()?;
        let folder = context.open(self, &[])?;
        let games = folder.part("training")?;
        let state = games.part("state")?;
        let settings = self.learning();
        let plan = Plan { settings: &settings, seed: self.seed, folder: &games.work, state: &state.work };
        let learned = train_as::<Surakarta>(&plan, (context.observer, &|| false))?;
        let matches = Matches {
            experiment: Self::NAME,
            plan: &self.matches,
            training: &settings,
            seed: self.seed,
            work: &folder.work,
            observer: context.observer,
        };
        let rungs = Rungs { config: self, plan: &plan, matches };
        let found = report::Found {
            curve: &learned.curve,
            paper: rungs.between(self.compared, ("as-in-s4", self.s4_games, 0))?,
            long: rungs.between(self.compared, ("longer", self.match_games, 1))?,
            ladder: rungs.ladder()?,
        };
        self.write(Results::new(&folder), context, (&found, &learned, &games.work))
    }
}

impl SurakartaZeroConfig {
    fn write(
        &self,
        mut results: Results<'_>,
        context: &Context<'_>,
        (found, learned, games): (&report::Found<'_>, &Report, &Path),
    ) -> Result<Outcome, ExperimentError> {
        let report = report::Report::new(self, found);
        results.page(&report.page(self))?;
        let tables: [(&str, &Table); 4] = [
            ("curve", &report.curve),
            ("compared", &report.compared),
            ("ladder", &report.standings),
            ("pairings", &report.pairings),
        ];
        for (name, table) in tables {
            results.csv(name, table)?;
        }
        results.games(found.records())?;
        for file in self.learning().keep.into_iter().map(kept_name) {
            let copy = |to: &Path| std::fs::copy(games.join(&file), to).map(drop).map_err(FileError::of("write", to));
            results.network(&file, copy)?;
        }
        results.picture("curve", context.png, |path| report.losses.render(path))?;
        results.picture("ladder", context.png, |path| report.rungs.render(path))?;
        results.show([&report.compared, &report.standings]);
        results.remark(report.verdicts.clone());
        results.times(self.speed(learned)?)?;
        results.headline(report.headline.clone())?;
        Ok(results.close(self, self.manifest(&[]))?)
    }

    /// How fast the training was, if it was not done by an earlier run.
    fn speed(&self, learned: &Report) -> Result<Option<Table>, LoadError> {
        let tally = learned.speed.tally;
        if tally.rounds == 0 {
            return Ok(None);
        }
        let batch = (tally.rows / tally.rounds).max(1) as usize;
        let limit = network_limit::<Surakarta>(&learned.weights, self.training.network, (batch, MEASURED))?;
        Ok(Some(speed_table(&learned.speed, limit)))
    }
}
