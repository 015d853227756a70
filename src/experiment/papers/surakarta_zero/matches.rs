//! The matches of a run: the networks taken on the way, and the ladder.

use super::SurakartaZeroConfig;
use crate::arena::Player;
use crate::experiment::contract::ExperimentError;
use crate::experiment::surakarta_matches::{NetworkMatches, PlayedMatches, unlearned};
use crate::games::surakarta::Surakarta;
use crate::net::residual::{Weights, store};
use crate::train::zero::{ZeroError, ZeroPlan, kept_name};

/// The networks of a run, and how they play.
pub struct Rungs<'a> {
    /// The settings.
    pub config: &'a SurakartaZeroConfig,
    /// The training, in whose folder the networks are.
    pub plan: &'a ZeroPlan<'a>,
    /// The matches.
    pub matches: NetworkMatches<'a>,
}

/// What the network after `games` games is called.
pub fn name_after(games: usize) -> String {
    format!("{games} games")
}

impl Rungs<'_> {
    /// The match of the later of two networks against the earlier, on openings of that number.
    pub fn between(
        &self,
        [earlier, later]: [usize; 2],
        (title, games, number): (&str, usize, u64),
    ) -> Result<PlayedMatches, ExperimentError> {
        self.matches.play(vec![self.network(later)?, self.network(earlier)?], (title, games, number))
    }

    /// Everybody of the ladder against everybody, those that do not learn among them.
    pub fn ladder(&self) -> Result<PlayedMatches, ExperimentError> {
        let networks = self.config.ladder.iter().map(|&games| self.network(games));
        let mut contestants = networks.collect::<Result<Vec<_>, _>>()?;
        contestants.extend(unlearned()?);
        self.matches.play(contestants, ("ladder", self.config.ladder_games, 2))
    }

    /// Who plays with the network after `games` games.
    fn network(&self, games: usize) -> Result<Box<dyn Player<Surakarta>>, ExperimentError> {
        self.matches.network(&name_after(games), &self.weights(games)?)
    }

    fn weights(&self, games: usize) -> Result<Weights, ZeroError> {
        if games == 0 {
            return self.plan.initial_weights::<Surakarta>();
        }
        Ok(store::load(&self.plan.folder.join(kept_name(games)))?.0)
    }
}
