//! What happened during a stretch of self-play, in numbers that can be added up.

use super::finished::{FinishedGame, Searched};
use crate::game::Planes;

/// What happened during a stretch of self-play.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SelfPlayCounts {
    /// Batches that the network evaluated.
    pub rounds: u64,
    /// Positions that it evaluated.
    pub rows: u64,
    /// Positions found in the cache instead.
    pub hits: u64,
    /// Simulations of finished searches.
    pub simulations: u64,
    /// Moves.
    pub moves: u64,
    /// Searches that are examples.
    pub examples: u64,
    /// The sum over them of the entropy of what the policy is to be, in nats.
    pub entropy: f64,
    /// Games that ended.
    pub games: u64,
    /// Draws among them.
    pub draws: u64,
    /// Half points of the first side.
    pub first_half_points: u64,
    /// Their plies.
    pub plies: u64,
    /// Games in which a side would have resigned but played on to test the rule.
    pub given_up: u64,
    /// Of those, the games that it did not lose.
    pub wrongly_given_up: u64,
}

impl SelfPlayCounts {
    /// What can be told of `games` by themselves, whoever played them: no batches, and no answers from a cache.
    pub(super) fn of_games<G: Planes>(games: &[FinishedGame<G>]) -> Self {
        let mut counts = Self::default();
        for game in games {
            counts.note_game(game);
            game.course.searched.iter().for_each(|searched| counts.note_search((0, 0), searched));
            counts.simulations += game.simulations.unwrap_or_default();
        }
        counts
    }

    /// Counts a search that came to its end after so many simulations and answers from the cache.
    pub(super) fn note_search(&mut self, (simulations, hits): (u32, u64), searched: &Searched) {
        self.moves += 1;
        self.simulations += u64::from(simulations);
        self.hits += hits;
        if !searched.policy.is_empty() {
            self.examples += 1;
            self.entropy += entropy(&searched.policy);
        }
    }

    /// Counts a game that ended.
    pub(super) fn note_game<G: Planes>(&mut self, game: &FinishedGame<G>) {
        let result = game.outcome.value();
        self.games += 1;
        self.draws += u64::from(result == 0);
        self.first_half_points += (1 + result) as u64;
        self.plies += game.course.moves.len() as u64;
        if let Some(side) = game.course.gave_up {
            self.given_up += 1;
            self.wrongly_given_up += u64::from(game.outcome.value_for(side) >= 0);
        }
    }
}

/// The entropy of a distribution in nats.
fn entropy(policy: &[(u32, u32)]) -> f64 {
    let total: f64 = policy.iter().map(|&(_, parts)| f64::from(parts)).sum();
    let shares = policy.iter().map(|&(_, parts)| f64::from(parts) / total);
    shares.map(|share| -share * share.ln()).sum()
}

sums!(SelfPlayCounts {
    rounds,
    rows,
    hits,
    simulations,
    moves,
    examples,
    entropy,
    games,
    draws,
    first_half_points,
    plies,
    given_up,
    wrongly_given_up
});
