//! Self-play: games of one player against itself, for training and as default data.
//!
//! Two deterministic players from one position play one game. Variety comes from the first plies of each game, drawn
//! uniformly from the moves that its evaluator thinks nearly best when it looks one ply ahead and then lets captures play
//! out: no piece is thrown away, yet no two games need be alike.

use rand::seq::IndexedRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::game::{PLY_CAP, play_game};
use super::openings::Opening;
use super::player::{Player, Seat};
use super::records::{Caption, record_of};
use crate::game::Game;
use crate::observe::Observer;
use crate::random;
use crate::record::GameRecord;

/// How self-play games are made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfplaySettings {
    /// How many games.
    pub games: usize,
    /// How many plies at the start of each game are drawn.
    pub random_plies: usize,
    /// How much worse than the best a drawn move may look, in expected result (the whole range, from a certain loss to a
    /// certain win, is 2).
    pub margin: f64,
    /// After how many plies a game is a draw.
    pub ply_cap: usize,
    /// The seed: game i draws from the stream `selfplay`, number i, of it.
    pub seed: u64,
}

impl Default for SelfplaySettings {
    fn default() -> Self {
        Self { games: 1000, random_plies: 8, margin: 0.1, ply_cap: PLY_CAP, seed: 1 }
    }
}

/// A setting out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SelfplayError {
    /// No games.
    #[error("`games` of self-play must be at least 1, got 0")]
    Games,
    /// A margin that is not a difference of expected results.
    #[error("`margin` of self-play must be in [0, 2], got {found}")]
    Margin {
        /// What was asked for.
        found: f64,
    },
    /// A cap that leaves no move to play.
    #[error("`ply_cap` of self-play must be above the {random_plies} random plies, got {found}")]
    PlyCap {
        /// The plies that are drawn.
        random_plies: usize,
        /// What was asked for.
        found: usize,
    },
}

impl SelfplaySettings {
    fn check(&self) -> Result<(), SelfplayError> {
        if self.games == 0 {
            return Err(SelfplayError::Games);
        }
        if !(0.0..=2.0).contains(&self.margin) {
            return Err(SelfplayError::Margin { found: self.margin });
        }
        if self.ply_cap <= self.random_plies {
            return Err(SelfplayError::PlyCap { random_plies: self.random_plies, found: self.ply_cap });
        }
        Ok(())
    }
}

/// Plays games of `player` against itself on the current rayon pool; they come in order of their number. A game whose drawn
/// plies end it is kept as it is.
///
/// # Errors
/// When `settings` are out of range.
pub fn selfplay<G: Game>(
    player: &Player<G>,
    settings: &SelfplaySettings,
    observer: &dyn Observer,
) -> Result<Vec<GameRecord<G>>, SelfplayError> {
    settings.check()?;
    observer.begin("self-play games", settings.games as u64);
    let play = |game| {
        let record = play_one(player, settings, game);
        observer.advance(1);
        record
    };
    let records = (0..settings.games).into_par_iter().with_max_len(1).map(play).collect();
    observer.end();
    Ok(records)
}

/// Game number `game`, from 0.
fn play_one<G: Game>(player: &Player<G>, settings: &SelfplaySettings, game: usize) -> GameRecord<G> {
    let opening = random_opening(player, settings, game as u64);
    let played = play_game([player; 2], &opening, settings.ply_cap);
    let caption = Caption { event: "roughboard self-play", round: game + 1, names: [&player.name; 2], opening: None };
    record_of(opening.start, played, &caption)
}

/// The initial position and `random_plies` drawn moves, fewer if the game ends before.
fn random_opening<G: Game>(player: &Player<G>, settings: &SelfplaySettings, game: u64) -> Opening<G> {
    let mut draws = random::stream(settings.seed, "selfplay", game);
    let mut seat = Seat::of(player);
    let mut position = G::start();
    let mut moves = Vec::new();
    while moves.len() < settings.random_plies && position.end().is_none() {
        let candidates = nearly_best(&seat.glance(&mut position), settings.margin);
        let Some(&mv) = candidates.choose(&mut draws) else { break };
        position.play(mv);
        moves.push(mv);
    }
    Opening { start: G::start(), moves }
}

/// The moves whose expected result is at most `margin` below the best.
fn nearly_best<M: Copy>(rated: &[(M, f64)], margin: f64) -> Vec<M> {
    let best = rated.iter().map(|&(_, expected)| expected).fold(f64::NEG_INFINITY, f64::max);
    rated.iter().filter(|&&(_, expected)| expected >= best - margin).map(|&(mv, _)| mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_and_what_is_near_it_may_be_drawn() {
        let rated = [('a', 0.5), ('b', 0.41), ('c', 0.39), ('d', -1.0)];
        assert_eq!(nearly_best(&rated, 0.1), ['a', 'b']);
        assert_eq!(nearly_best(&rated, 0.0), ['a']);
        assert_eq!(nearly_best(&rated, 2.0), ['a', 'b', 'c', 'd']);
    }

    #[test]
    fn settings_are_checked() {
        let settings = SelfplaySettings::default();
        assert_eq!(SelfplaySettings { games: 0, ..settings }.check(), Err(SelfplayError::Games));
        assert!(matches!(SelfplaySettings { margin: f64::NAN, ..settings }.check(), Err(SelfplayError::Margin { .. })));
        let error = SelfplaySettings { ply_cap: 8, ..settings }.check().unwrap_err();
        assert_eq!(error.to_string(), "`ply_cap` of self-play must be above the 8 random plies, got 8");
    }
}
