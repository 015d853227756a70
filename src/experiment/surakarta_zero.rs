//! S4: a network that learns Surakarta from self-play; after 560 games against after 1000, and a ladder of its checkpoints.

mod duel;
mod report;

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::catalogue::{Context, Experiment, Outcome};
use super::error::ExperimentError;
use super::folder::{Results, RunFolder, file_name};
use super::manifest::{FileError, write_file};
use super::zero::{network_limit, speed_table, train_as};
use crate::arena::{GameRow, MatchResult, Opening, OpeningSettings, TournamentResult, random_openings};
use crate::eval::{Catalogue, ResidualEvaluator};
use crate::game::Game;
use crate::games::surakarta::Surakarta;
use crate::report::Table;
use crate::search::Limits;
use crate::setting::{SettingError, require};
use crate::train::zero::{Plan, Report, ZeroSettings, kept_name};
use duel::{DuelSettings, Entrant, duel, result_of};

/// The evaluator that networks play, a ply deep.
const MATERIAL: &str = "material";

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
    pub matches: DuelSettings,
    /// Self-play and lessons.
    pub training: ZeroSettings,
}

impl SurakartaZeroConfig {
    fn check_ranges(&self) -> Result<(), SettingError> {
        let counts = [("s4_games", self.s4_games), ("match_games", self.match_games), ("ladder_games", self.ladder_games)];
        for (name, games) in counts {
            require(games > 0 && games.is_multiple_of(2), name, "an even number above 0", games)?;
        }
        let within = |games: &usize| *games <= self.training.games;
        let known = self.compared.iter().chain(&self.ladder).all(within);
        require(known && !self.compared.contains(&0), "compared", "in [1, training.games]", format!("{:?}", self.compared))?;
        let ascending = self.ladder.is_sorted_by(|a, b| a < b) && !self.ladder.is_empty();
        require(ascending, "ladder", "ascending, none above training.games", format!("{:?}", self.ladder))?;
        require(self.matches.simulations > 0, "matches.simulations", "at least 1", self.matches.simulations)?;
        let temperature = self.matches.temperature;
        require((0.0..=100.0).contains(&temperature), "matches.temperature", "in [0, 100]", temperature)?;
        self.matches.search.check()?;
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

    /// Random openings, all different; those of another number are others.
    fn openings(&self, games: usize, number: u64) -> Result<Vec<Opening<Surakarta>>, ExperimentError> {
        let seed = self.seed.wrapping_mul(3).wrapping_add(number);
        let plies = self.matches.opening_plies;
        let start: Surakarta = self.training.start().map_err(crate::train::zero::ZeroError::from)?;
        let mut openings = random_openings(OpeningSettings { count: games / 2, plies, seed }, None)?;
        openings.iter_mut().for_each(|opening| opening.start = start.clone());
        Ok(openings)
    }
}

impl Experiment for SurakartaZeroConfig {
    const NAME: &'static str = "surakarta-zero";
    const ABOUT: &'static str = "S4: Surakarta from self-play with tree search and a residual network; 560 games against 1000";
    const SETTINGS: &'static str = include_str!("configs/surakarta-zero.toml");
    const GAME: &'static str = Surakarta::NAME;
    const READS_GAMES: bool = false;

    fn seed(&self) -> u64 {
        self.seed
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(self.check_ranges()?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError> {
        self.check()?;
        let folder = context.open(self, &[])?;
        let (games, state) = (folder.work.join("training"), folder.work.join("training").join("state"));
        std::fs::create_dir_all(&state).map_err(|source| FileError { action: "create", path: state.clone(), source })?;
        let settings = self.learning();
        let plan = Plan { settings: &settings, seed: self.seed, folder: &games, state: &state };
        let learned = train_as::<Surakarta>(&plan, (context.observer, &|| false))?;
        let table = Matches { config: self, games: &games, folder: &folder, context };
        let found = report::Found {
            curve: &learned.curve,
            paper: table.between(self.compared, ("s4", self.s4_games, 0))?,
            long: table.between(self.compared, ("long", self.match_games, 1))?,
            ladder: table.ladder()?,
        };
        self.write(Results::new(&folder), context, (&found, &learned, &games))
    }
}

/// What the matches of a run are played with.
struct Matches<'a> {
    config: &'a SurakartaZeroConfig,
    /// Where the networks are.
    games: &'a Path,
    folder: &'a RunFolder,
    context: &'a Context<'a>,
}

impl Matches<'_> {
    /// The network after `games` games.
    fn network(&self, games: usize) -> Result<Entrant<Surakarta>, ExperimentError> {
        let net: ResidualEvaluator<Surakarta> = if games == 0 {
            let settings = self.config.learning();
            let plan = Plan { settings: &settings, seed: self.config.seed, folder: self.games, state: self.games };
            ResidualEvaluator::new(&plan.initial_weights::<Surakarta>()?, settings.network.history, true)?
        } else {
            ResidualEvaluator::load(&self.games.join(kept_name(games)), true)?
        };
        Ok(Entrant::Network { name: format!("{games} games"), net: Arc::new(net) })
    }

    /// The match of the later of two networks against the earlier.
    fn between(&self, [earlier, later]: [usize; 2], kind: (&str, usize, u64)) -> Result<MatchResult, ExperimentError> {
        self.play([&self.network(later)?, &self.network(earlier)?], kind)
    }

    /// Each network of the ladder against the two below it, a random mover and the material, a ply deep.
    fn ladder(&self) -> Result<TournamentResult, ExperimentError> {
        let networks = self.config.ladder.iter().map(|&games| self.network(games)).collect::<Result<Vec<_>, _>>()?;
        let make = Surakarta::evaluator_factory(MATERIAL)?;
        let material = Entrant::Evaluator { name: format!("{MATERIAL}, depth 1"), make, limits: Limits::to_depth(1)? };
        let kind = ("ladder", self.config.ladder_games, 2);
        let mut pairings = Vec::new();
        for (at, network) in networks.iter().enumerate() {
            for other in networks[at.saturating_sub(2)..at].iter().chain([&Entrant::Random, &material]) {
                pairings.push(self.play([network, other], kind)?);
            }
        }
        pairings.push(self.play([&material, &Entrant::Random], kind)?);
        let names = networks.iter().chain([&Entrant::Random, &material]).map(|entrant| entrant.name().to_owned()).collect();
        Ok(TournamentResult { names, pairings })
    }

    /// A match, unless it was played before this run was interrupted.
    fn play(
        &self,
        [a, b]: [&Entrant<Surakarta>; 2],
        (kind, games, number): (&str, usize, u64),
    ) -> Result<MatchResult, ExperimentError> {
        let names = [a, b].map(|entrant| entrant.name().to_owned());
        let path = self.folder.work.join(format!("{kind}-{}.json", file_name(&names.join(" "))));
        let known = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Vec<GameRow>>(&text).ok());
        if let Some(rows) = known {
            return Ok(result_of(names, rows));
        }
        let openings = self.config.openings(games, number)?;
        let seed = self.config.seed.wrapping_add(number);
        let result = duel([a, b], &openings, (&self.config.matches, seed), self.context.observer);
        write_file(&path, &serde_json::to_vec(&result.rows).unwrap_or_default())?;
        Ok(result)
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
        results.text("tables.md", &report.page(self))?;
        let tables: [(&str, &Table); 4] = [
            ("curve", &report.curve),
            ("compared", &report.compared),
            ("ladder", &report.standings),
            ("pairings", &report.pairings),
        ];
        for (name, table) in tables {
            results.csv(name, table)?;
        }
        for games_then in self.learning().keep {
            let name = kept_name(games_then);
            let (from, to) = (games.join(&name), context.folder.join(&name));
            std::fs::copy(&from, &to).map_err(|source| FileError { action: "write", path: to, source })?;
            results.others([name]);
        }
        results.picture("curve", context.png, |path| report.losses.render(path))?;
        results.picture("ladder", context.png, |path| report.rungs.render(path))?;
        results.show([&report.compared, &report.standings]);
        results.remark(report.verdicts.clone());
        if learned.speed.tally.rounds > 0 {
            let (tally, history) = (learned.speed.tally, self.training.network.history);
            let batch = (tally.rows / tally.rounds).max(1) as usize;
            let limit = network_limit::<Surakarta>(&learned.weights, history, (batch, std::time::Duration::from_secs(1)))?;
            results.times([speed_table(&learned.speed, limit)])?;
        }
        results.headline(report.headline.clone())?;
        Ok(results.close(self, &[])?)
    }
}
