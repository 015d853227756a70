//! Self-play: games of one player against itself, for training and as default data.
//!
//! Two deterministic players from one position play one game. Variety comes from the first plies of each game, drawn
//! uniformly from the moves that its evaluator thinks nearly best when it looks one ply ahead and then lets captures play
//! out: no piece is thrown away, yet no two games need be alike.

use std::path::Path;

use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};

use super::fingerprint;
use super::game::{PLY_CAP, PlayedGame, check_size, play_game};
use super::journal::JournalError;
use super::openings::Opening;
use super::player::{Player, Seat};
use super::records::{Caption, record_of};
use super::saved::{Run, play_all};
use crate::game::Game;
use crate::observe::Observer;
use crate::random;
use crate::record::GameRecord;
use crate::search::SettingsError;
use crate::setting::{SettingError, require};

/// The most plies that are drawn.
const MAX_RANDOM_PLIES: usize = 200;

/// How self-play games are made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfplaySettings {
    /// How many games, in [1, 10000000].
    pub games: usize,
    /// How many plies at the start of each game are drawn, in [0, 200].
    pub random_plies: usize,
    /// How much worse than the best a drawn move may look, in expected result (the whole range, from a certain loss to a
    /// certain win, is 2).
    pub margin: f64,
    /// After how many plies a game is a draw; above `random_plies`, at most 10,000.
    pub ply_cap: usize,
    /// The seed: game i draws from the stream `selfplay`, number i, of it.
    pub seed: u64,
}

impl Default for SelfplaySettings {
    fn default() -> Self {
        Self { games: 1000, random_plies: 8, margin: 0.1, ply_cap: PLY_CAP, seed: 1 }
    }
}

/// Why self-play cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A setting of the player's search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// A cap that leaves no move to play.
    #[error("`--max-plies` must be above the {random_plies} random plies, got {found}")]
    PlyCap {
        /// The plies that are drawn.
        random_plies: usize,
        /// What was asked for.
        found: usize,
    },
    /// The settings cannot be put into a fingerprint.
    #[error("cannot make the fingerprint of self-play")]
    Fingerprint(#[source] serde_json::Error),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl SelfplaySettings {
    /// Checks the settings.
    ///
    /// # Errors
    /// When one is out of its range, or the plies that are drawn reach the cap.
    pub fn check(&self) -> Result<(), SelfplayError> {
        check_size(self.games, self.ply_cap)?;
        require(self.random_plies <= MAX_RANDOM_PLIES, "--random-plies", "in [0, 200]", self.random_plies)?;
        require((0.0..=2.0).contains(&self.margin), "--margin", "in [0, 2]", self.margin)?;
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
    selfplay_with_journal(player, settings, None, observer)
}

/// As [`selfplay`]. With a `journal`, games that it holds are not played again, and every game is added to it as it ends.
///
/// # Errors
/// When `settings` are out of range, or the journal cannot be used.
pub fn selfplay_with_journal<G: Game>(
    player: &Player<G>,
    settings: &SelfplaySettings,
    journal: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Vec<GameRecord<G>>, SelfplayError> {
    settings.check()?;
    player.search.check()?;
    let fingerprint = fingerprint::of_selfplay(player, settings).map_err(SelfplayError::Fingerprint)?;
    let series = Series { player, settings, fingerprint };
    let games = play_all(&series, journal, observer, |_, _| ())?;
    Ok(games.into_iter().enumerate().map(|(game, played)| series.record(game, played)).collect())
}

/// The games of one player against itself.
struct Series<'a, G: Game> {
    player: &'a Player<G>,
    settings: &'a SelfplaySettings,
    fingerprint: String,
}

impl<G: Game> Series<'_, G> {
    fn record(&self, game: usize, played: PlayedGame<G::Move>) -> GameRecord<G> {
        let names = [self.player.name.as_str(); 2];
        record_of(G::start(), played, &Caption { event: "roughboard self-play", round: game + 1, names, opening: None })
    }
}

impl<G: Game> Run<G> for Series<'_, G> {
    const TASK: &'static str = "self-play games";

    fn games(&self) -> usize {
        self.settings.games
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn start(&self, _game: usize) -> G {
        G::start()
    }

    fn play_one(&self, game: usize) -> PlayedGame<G::Move> {
        let opening = random_opening(self.player, self.settings, game as u64);
        play_game([self.player; 2], &opening, self.settings.ply_cap)
    }
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
        for (wrong, message) in [
            (SelfplaySettings { games: 0, ..settings }, "`--games` must be in [1, 10000000], got 0"),
            (SelfplaySettings { games: 10_000_001, ..settings }, "`--games` must be in [1, 10000000], got 10000001"),
            (SelfplaySettings { margin: f64::NAN, ..settings }, "`--margin` must be in [0, 2], got NaN"),
            (SelfplaySettings { random_plies: 201, ..settings }, "`--random-plies` must be in [0, 200], got 201"),
            (SelfplaySettings { ply_cap: 0, ..settings }, "`--max-plies` must be in [1, 10000], got 0"),
            (SelfplaySettings { ply_cap: 8, ..settings }, "`--max-plies` must be above the 8 random plies, got 8"),
        ] {
            assert_eq!(wrong.check().unwrap_err().to_string(), message);
        }
        SelfplaySettings { games: 10_000_000, margin: 2.0, random_plies: 200, ..settings }.check().unwrap();
    }
}
