//! Many games, one batch after the other.

use std::ops::Range;

use rayon::prelude::*;

use super::game::{LearnerGames, Played};
use super::log::GameLog;
use crate::features::FeatureSet;
use crate::game::BoardGame;
use crate::net::Net;
use crate::train::runner::{Method, RunError, Share};
use crate::train::td::TdLearner;

/// What is remembered of a game that has not been played.
const UNPLAYED: f32 = -1.0;

/// TD(λ) by playing: a method that makes its own games, and goes through them once.
pub struct PlayLambda<'a, G: BoardGame, F> {
    games: LearnerGames<'a, G, F>,
    learner: TdLearner,
    log: Option<&'a mut GameLog>,
    /// The learner's points in each game, then the number of positions that each game was to the learner.
    memory: Vec<f32>,
}

impl<'a, G: BoardGame, F: FeatureSet<G>> PlayLambda<'a, G, F> {
    /// Learning from the games of `games`, which are written to `log` if there is one.
    pub fn new(games: LearnerGames<'a, G, F>, log: Option<&'a mut GameLog>) -> Self {
        let learner = games.settings.learning.learner();
        let n = games.settings.games;
        let memory = [vec![UNPLAYED; n], vec![0.0; n]].concat();
        Self { games, learner, log, memory }
    }

    /// The learner's points in the games played so far: 1 for a win, 1/2 for a draw; in self-play those of the first side.
    pub fn points(&self) -> &[f32] {
        let all = &self.memory[..self.games.settings.games];
        &all[..all.iter().take_while(|&&points| points >= 0.0).count()]
    }

    /// Plays the games with these numbers, from 0, and learns from them; `after` each batch is told how many are played. Who
    /// has played games 0 to m with `net` may go on with m and the same net, in another run too: nothing else is carried over.
    ///
    /// # Errors
    /// When a game cannot be written.
    pub fn learn_games(
        &mut self,
        net: &mut Net,
        games: Range<usize>,
        mut after: impl FnMut(usize),
    ) -> Result<(), RunError> {
        for first in games.clone().step_by(self.games.settings.batch) {
            let batch = first..(first + self.games.settings.batch).min(games.end);
            let played: Vec<Played<G>> = batch.clone().into_par_iter().map(|game| self.games.play(net, game)).collect();
            for (game, played) in batch.clone().zip(&played) {
                self.take_in(net, game, played);
            }
            if let Some(log) = &mut self.log {
                log.append(first, played.iter().map(|played| &played.record))?;
            }
            after(batch.end);
        }
        Ok(())
    }

    /// Learns from a game and remembers it.
    fn take_in(&mut self, net: &mut Net, game: usize, played: &Played<G>) {
        let n = self.games.settings.games;
        self.games.settings.learning.learn(&mut self.learner, net, &played.steps, game as f64 / n as f64);
        self.memory[game] = played.points;
        self.memory[n + game] = played.steps.len() as f32;
    }
}

/// The mean points of the last `window` of the first `games` games; `None` before the first.
pub fn score_of(points: &[f32], games: usize, window: usize) -> Option<f64> {
    let games = games.min(points.len());
    let last = &points[games.saturating_sub(window)..games];
    (!last.is_empty()).then(|| last.iter().map(|&points| f64::from(points)).sum::<f64>() / last.len() as f64)
}

impl<G: BoardGame, F: FeatureSet<G>> Method for PlayLambda<'_, G, F> {
    type Net = Net;

    fn train_share(&mut self, net: &mut Net, share: Share<'_>) -> Result<(), RunError> {
        let range = share.of(self.games.settings.games);
        let done = share.of(share.training.len());
        let mut advanced = done.start;
        let (start, n) = (range.start, range.len().max(1));
        self.learn_games(net, range, |played| {
            // The bar counts training positions, for want of knowing how many the games will have.
            let reached = done.start + done.len() * (played - start) / n;
            share.observer.advance((reached - advanced) as u64);
            advanced = reached;
        })
    }

    fn positions_seen(&self) -> Option<u64> {
        let counts = &self.memory[self.games.settings.games..];
        Some(counts.iter().map(|&count| count as u64).sum())
    }

    fn memory(&self) -> Vec<f32> {
        self.memory.clone()
    }

    fn restore(&mut self, memory: &[f32]) {
        self.memory.copy_from_slice(memory);
    }
}
