//! The matches of a run: networks behind tree searches, a random mover, and the count of pieces a ply deep.

use std::path::Path;
use std::sync::Arc;

use super::SurakartaZeroConfig;
use crate::arena::{
    Contestant, Effort, JournalPlace, MatchSettings, Opening, OpeningSettings, Player, Shard, Tournament,
    TournamentResult, TreePlayer, random_openings,
};
use crate::disk::sha256;
use crate::eval::{Catalogue, ResidualEvaluator};
use crate::experiment::error::ExperimentError;
use crate::games::surakarta::Surakarta;
use crate::net::residual::{Weights, store};
use crate::observe::Observer;
use crate::search::mcts::single::SearcherSettings;
use crate::search::{Limits, SearchSettings};
use crate::train::zero::{Plan, ZeroError, kept_name};

/// The evaluator that networks play, a ply deep and without quiescence.
pub const MATERIAL: &str = "material";

/// What the matches of a run are played with.
pub struct Matches<'a> {
    /// The settings.
    pub config: &'a SurakartaZeroConfig,
    /// The training, in whose folder the networks are.
    pub plan: &'a Plan<'a>,
    /// Where journals are kept.
    pub work: &'a Path,
    /// Hears of games.
    pub observer: &'a dyn Observer,
}

impl Matches<'_> {
    /// The match of the later of two networks against the earlier, on openings of that number.
    pub fn between(
        &self,
        [earlier, later]: [usize; 2],
        (title, games, number): (&str, usize, u64),
    ) -> Result<TournamentResult, ExperimentError> {
        self.play(vec![self.network(later)?, self.network(earlier)?], (title, games, number))
    }

    /// Everybody of the ladder against everybody, a random mover and the count of pieces among them.
    pub fn ladder(&self) -> Result<TournamentResult, ExperimentError> {
        let networks = self.config.ladder.iter().map(|&games| self.network(games));
        let mut contestants = networks.collect::<Result<Vec<_>, _>>()?;
        contestants.push(Contestant::Random);
        contestants.push(material()?);
        self.play(contestants, ("ladder", self.config.ladder_games, 2))
    }

    /// Who plays with the network after `games` games.
    fn network(&self, games: usize) -> Result<Contestant<Surakarta>, ExperimentError> {
        let (weights, history) = (self.weights(games)?, self.plan.settings.network.history);
        let matches = &self.config.matches;
        let search =
            SearcherSettings { mcts: matches.search, temperature: matches.temperature, ..SearcherSettings::default() };
        Ok(Contestant::Tree(TreePlayer {
            name: format!("{games} games"),
            checksum: weights.sha256(),
            network: Arc::new(ResidualEvaluator::<Surakarta>::new(&weights, history, true)?),
            search,
            effort: Effort { simulations: Some(matches.simulations), movetime: None },
        }))
    }

    fn weights(&self, games: usize) -> Result<Weights, ZeroError> {
        if games == 0 {
            return self.plan.initial_weights::<Surakarta>();
        }
        Ok(store::load(&self.plan.folder.join(kept_name(games)))?.0)
    }

    /// All games between `contestants`; those that were played before this run was interrupted are in a journal.
    fn play(
        &self,
        contestants: Vec<Contestant<Surakarta>>,
        (title, games, number): (&str, usize, u64),
    ) -> Result<TournamentResult, ExperimentError> {
        let settings = MatchSettings {
            games,
            seed: self.config.seed.wrapping_add(number),
            event: format!("surakarta-zero, {title}"),
            ..MatchSettings::default()
        };
        let tournament = Tournament::new(contestants, self.openings(games, number)?, &settings, Vec::new())?;
        let journal = self.work.join(format!("{title}.jsonl"));
        self.observer.remark(title);
        Ok(tournament.play(Shard::WHOLE, Some(JournalPlace::new(&journal)), self.observer)?.result())
    }

    /// Random openings, all different; those of another number are others.
    fn openings(&self, games: usize, number: u64) -> Result<Vec<Opening<Surakarta>>, ExperimentError> {
        let seed = self.config.seed.wrapping_mul(3).wrapping_add(number);
        let plies = self.config.matches.opening_plies;
        let mut openings = random_openings(OpeningSettings { count: games / 2, plies, seed }, None)?;
        let start: Surakarta = self.plan.settings.start().map_err(ZeroError::from)?;
        openings.iter_mut().for_each(|opening| opening.start = start.clone());
        Ok(openings)
    }
}

fn material() -> Result<Contestant<Surakarta>, ExperimentError> {
    let identity = Surakarta::identity(MATERIAL)?.unwrap_or_default();
    Ok(Contestant::Evaluator(Player {
        name: format!("{MATERIAL}, depth 1"),
        checksum: sha256(identity.as_bytes()),
        evaluator: Surakarta::evaluator_factory(MATERIAL)?,
        search: SearchSettings::exact(),
        limits: Limits::to_depth(1)?,
    }))
}
