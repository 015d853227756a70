//! Games that are made to learn from: self-play, games against a fixed opponent, random games, games of engines.
//!
//! Two deterministic players from one position play one game. Variety comes from the first plies of each game, drawn
//! uniformly from the moves that an evaluator thinks nearly best when it looks one ply ahead and then lets captures play
//! out: no piece is thrown away, yet no two games need be alike.

use std::path::Path;

use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::adjudication::Adjudication;
use super::entry::Key;
use super::fingerprint::digest;
use super::game::{PlayedGame, TIME_FORFEIT, play_game, seated};
use super::journal::JournalError;
use super::match_writer::MatchWriter;
use super::openings::{Opening, drawn_opening};
use super::players::{AlphaBetaPlayer, AlphaBetaSeat, Chance, Player, PlayerError};
use super::records::{Caption, record_of};
use super::saved::{JournalPlace, Run, Series, play_all};
use super::settings::MAX_GAMES;
use super::shard::Shard;
use crate::game::BoardGame;
use crate::observe::Observer;
use crate::random;
use crate::record::{GameRecord, RecordError};
use crate::settings::{SettingError, require, settings};

settings! {
    /// How games are made.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GenerationSettings {
        /// Number of games.
        pub games: usize = 1000, in 1..=MAX_GAMES;
        /// Plies drawn at random at the start of each game.
        pub random_plies: usize = 8, in 0..=200;
        /// How much worse than the best a random move may look, in expected result (the whole range, from a certain loss to a
        /// certain win, is 2).
        pub margin: f64 = 0.1, in 0.0..=2.0;
        /// What ends games beside their rules; its cap is above `random_plies`.
        pub adjudication: Adjudication = Adjudication::default();
        /// The seed: the opening of game i is drawn from the stream `selfplay`, number i, of it, and the moves of random movers
        /// from `random mover`, number 2i for the first side and 2i + 1 for the second.
        pub seed: u64 = 1, as "-";
    }
    and check_cap
}

impl GenerationSettings {
    fn check_cap(&self) -> Result<(), SettingError> {
        let cap = self.adjudication.max_plies;
        require(cap > self.random_plies, "adjudication.max_plies", "above `random_plies`", cap)
    }

    /// Refuses more than the `different` games that evaluators play from the initial position, where not even a clock varies them.
    ///
    /// # Errors
    /// When games would be played again and again.
    pub fn require_variety(&self, different: usize) -> Result<(), SettingError> {
        let is_varied = self.random_plies > 0 || self.games <= different || self.adjudication.clock.is_some();
        require(is_varied, "random_plies", "at least 1, or the same game would be played again and again", 0)
    }
}

errors! {
    /// Why games cannot be made.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    pub enum GenerationError of
        Setting(SettingError), Player(PlayerError), Journal(JournalError), Record(RecordError) {
        /// A player failed, so that the game would have a result that nobody played for.
        #[error("game {game}, ply {ply}: {reason}: {failure}")]
        Failed {
            /// The game, from 1.
            game: usize,
            /// The ply that was due, from 1.
            ply: usize,
            /// How it failed, in few words.
            reason: String,
            /// What exactly happened.
            failure: String,
        },
    }
}

/// Games that are made between two players, or by one that plays both sides.
#[derive(Debug)]
pub struct Generation<'a, G: BoardGame> {
    /// What the records name as the event.
    pub event: &'a str,
    /// Who plays: the first has the first side in games 1, 3, 5, …, the second in the others. One that plays against itself
    /// is given twice.
    pub players: [&'a dyn Player<G>; 2],
    /// Whose evaluator rates the first plies of each game; without one, none are drawn.
    pub drawer: Option<&'a AlphaBetaPlayer<G>>,
    /// How many games, and how.
    pub settings: GenerationSettings,
}

impl<G: BoardGame> Generation<'_, G> {
    /// Checks the settings.
    ///
    /// # Errors
    /// When one is out of its range.
    pub fn check(&self) -> Result<(), GenerationError> {
        self.settings.check()?;
        self.drawer.map_or(Ok(()), |drawer| drawer.check())?;
        Ok(self.players.iter().try_for_each(|player| player.check())?)
    }

    /// All that decides the games, for a manifest: program, players with their checksums, settings.
    pub fn identity(&self) -> Value {
        json!({
            "program": crate::PROGRAM,
            "game": G::NAME,
            "event": self.event,
            "contestants": self.players.map(|player| player.identity()),
            "drawer": self.drawer.map(|drawer| drawer.settings()),
            "settings": self.settings,
        })
    }

    /// Plays the games on the current rayon pool and gives all of them, as [`Generation::play_each`] does one by one.
    ///
    /// # Errors
    /// As [`Generation::play_each`].
    pub fn play(&self, journal: Option<&Path>, observer: &dyn Observer) -> Result<Vec<GameRecord<G>>, GenerationError> {
        let mut records = Vec::new();
        self.play_each(Shard::WHOLE, journal.map(JournalPlace::new), observer, |record| {
            records.push(record);
            Ok(())
        })?;
        Ok(records)
    }

    /// Plays the games of one `shard` on the current rayon pool; they come in order of their number, and are not kept here. A game
    /// whose drawn plies end it is kept as it is. With a `journal`, games that it holds are not played again, whichever shard they belong
    /// to, and every game is added to it as it ends.
    ///
    /// # Errors
    /// When a setting is out of range, the journal cannot be used, an engine fails, or `visit` does; finished games are in the journal
    /// then.
    pub fn play_each(
        &self,
        shard: Shard,
        journal: Option<JournalPlace<'_>>,
        observer: &dyn Observer,
        mut visit: impl FnMut(GameRecord<G>) -> Result<(), RecordError> + Send,
    ) -> Result<(), GenerationError> {
        self.check()?;
        let identity = self.identity();
        let fingerprint = digest(&identity);
        let games = Numbered { generation: self, shard, identity, fingerprint };
        play_all(&games, journal, observer, |game, (played, _)| Ok(visit(self.record(game, played))?)).map(drop)
    }

    fn record(&self, game: usize, played: PlayedGame<G::Move>) -> GameRecord<G> {
        let names = seated(self.players, game).map(|player| player.name());
        let clock = self.settings.adjudication.clock;
        record_of(G::start(), played, &Caption { event: self.event, round: game + 1, names, opening: None, clock })
    }

    /// Plays one game; `game` counts from 0.
    fn game(&self, game: usize) -> PlayedGame<G::Move> {
        let settings = &self.settings;
        let opening = self.drawer.map_or_else(Opening::initial, |drawer| random_opening(drawer, settings, game as u64));
        let chance = Chance { seed: settings.seed, game };
        play_game(seated(self.players, game), &opening, &settings.adjudication, chance)
    }
}

/// Games that are being made.
struct Numbered<'a, G: BoardGame> {
    generation: &'a Generation<'a, G>,
    shard: Shard,
    identity: Value,
    fingerprint: String,
}

impl<G: BoardGame> Series<G> for Numbered<'_, G> {
    fn games(&self) -> usize {
        self.generation.settings.games
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn identity(&self) -> Option<&Value> {
        Some(&self.identity)
    }

    fn key(&self, game: usize) -> Key {
        Key { pair: None, game: game + 1 }
    }

    fn number(&self, key: &Key) -> Result<usize, String> {
        let games = 1..=self.games();
        let is_known = key.pair.is_none() && games.contains(&key.game);
        is_known.then(|| key.game - 1).ok_or_else(|| format!("expected a game in 1 to {}", games.end()))
    }

    fn opening(&self, _game: usize) -> Opening<G> {
        Opening::initial()
    }
}

impl<G: BoardGame> Run<G> for Numbered<'_, G> {
    type Error = GenerationError;

    fn series(&self) -> &dyn Series<G> {
        self
    }

    fn is_due(&self, game: usize) -> bool {
        self.shard.holds(game as u64)
    }

    fn play_one(&self, game: usize, _writer: MatchWriter<'_, G::Move>) -> Result<PlayedGame<G::Move>, GenerationError> {
        let played = self.generation.game(game);
        match &played.failure {
            // Too little time on a clock is an ordinary loss.
            Some(failure) if played.reason != TIME_FORFEIT => {
                let (ply, reason, failure) = (played.moves.len() + 1, played.reason, failure.clone());
                Err(GenerationError::Failed { game: game + 1, ply, reason, failure })
            }
            _ => Ok(played),
        }
    }
}

/// The initial position and `random_plies` drawn moves, fewer if the game ends before.
fn random_opening<G: BoardGame>(player: &AlphaBetaPlayer<G>, settings: &GenerationSettings, game: u64) -> Opening<G> {
    let mut draws = random::stream(settings.seed, "selfplay", game);
    let mut seat = AlphaBetaSeat::of(player);
    let draw = |position: &mut G| nearly_best(&seat.glance(position), settings.margin).choose(&mut draws).copied();
    drawn_opening(settings.random_plies, draw).0
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
        let settings = GenerationSettings::default();
        for (wrong, message) in [
            (GenerationSettings { games: 0, ..settings }, "`games` must be in [1, 10000000], got 0"),
            (GenerationSettings { games: 10_000_001, ..settings }, "`games` must be in [1, 10000000], got 10000001"),
            (GenerationSettings { margin: f64::NAN, ..settings }, "`margin` must be in [0, 2], got NaN"),
            (GenerationSettings { random_plies: 201, ..settings }, "`random_plies` must be in [0, 200], got 201"),
            (
                GenerationSettings { adjudication: Adjudication::capped(0), ..settings },
                "`adjudication.max_plies` must be in [1, 10000], got 0",
            ),
            (
                GenerationSettings { adjudication: Adjudication::capped(8), ..settings },
                "`adjudication.max_plies` must be above `random_plies`, got 8",
            ),
        ] {
            assert_eq!(wrong.check().unwrap_err().to_string(), message);
        }
        GenerationSettings { games: 10_000_000, margin: 2.0, random_plies: 200, ..settings }.check().unwrap();
    }
}
