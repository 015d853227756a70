//! The learning curve of a run of self-play.

use serde::{Deserialize, Serialize};

use super::counts::SelfPlayCounts;

/// What is known at the end of a lesson. Nothing of it depends on a clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LearningPoint {
    /// Lessons so far.
    pub lesson: u64,
    /// Games that were learned from.
    pub games: usize,
    /// Positions in the pool.
    pub pool: usize,
    /// Steps of all lessons.
    pub steps: u64,
    /// Mean losses over the steps of this lesson, if it had any: policy, value and L2.
    pub losses: Option<[f64; 3]>,
    /// Self-play since the lesson before.
    pub play: SelfPlayFigures,
}

/// Self-play between two lessons, in ratios. There are none of nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayFigures {
    /// Games that ended.
    pub games: u64,
    /// Their mean length, in plies.
    pub mean_plies: Option<f64>,
    /// The share of draws.
    pub draws: Option<f64>,
    /// The mean score of the first side, in [0, 1].
    pub first_score: Option<f64>,
    /// Moves.
    pub moves: u64,
    /// Simulations.
    pub simulations: u64,
    /// Positions in a batch on average; not known of games that were played apart.
    pub batch: Option<f64>,
    /// The share of positions that were known from the cache.
    pub cache_hits: Option<f64>,
    /// The mean entropy of what the policy is to be, in nats.
    pub entropy: Option<f64>,
    /// Games in which a side would have resigned but played on.
    pub given_up: u64,
    /// Those that it did not lose.
    pub wrongly_given_up: u64,
}

impl From<SelfPlayCounts> for SelfPlayFigures {
    fn from(counts: SelfPlayCounts) -> Self {
        let mean = |sum: f64, n: u64| (n > 0).then(|| sum / n as f64);
        Self {
            games: counts.games,
            mean_plies: mean(counts.plies as f64, counts.games),
            draws: mean(counts.draws as f64, counts.games),
            first_score: mean(0.5 * counts.first_half_points as f64, counts.games),
            moves: counts.moves,
            simulations: counts.simulations,
            batch: mean(counts.rows as f64, counts.rounds),
            cache_hits: mean(counts.hits as f64, counts.hits + counts.rows),
            entropy: mean(counts.entropy, counts.examples),
            given_up: counts.given_up,
            wrongly_given_up: counts.wrongly_given_up,
        }
    }
}
