//! A match: pairs of games, one opening with both colours each, played in parallel.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::adjudication::{Adjudication, PLY_CAP};
use super::fingerprint;
use super::game::{PlayedGame, check_games, play_game};
use super::journal::JournalError;
use super::openings::Opening;
use super::player::Player;
use super::records::{Caption, record_of};
use super::result::{GameRow, MatchResult};
use super::saved::{Run, play_all};
use crate::game::{Game, Side};
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::search::SettingsError;
use crate::setting::SettingError;
use crate::stats::Wdl;

/// How a match is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchSettings {
    /// How many games, at most 10,000,000: even, as each opening is played with both colours.
    pub games: usize,
    /// After how many plies, the opening's included, a game is a draw; in [1, 10000].
    pub ply_cap: usize,
    /// Whether to begin again with the first opening when there are fewer openings than pairs. The players being
    /// deterministic, this only repeats games.
    pub reuse_openings: bool,
    /// What the records name as the event.
    pub event: String,
}

impl Default for MatchSettings {
    fn default() -> Self {
        Self { games: 100, ply_cap: PLY_CAP, reuse_openings: false, event: "roughboard match".to_owned() }
    }
}

impl MatchSettings {
    /// Checks the settings, as far as this can be done without openings and players.
    ///
    /// # Errors
    /// When the number of games or plies is out of range.
    pub fn check(&self) -> Result<(), MatchError> {
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(MatchError::Games { found: self.games });
        }
        check_games(self.games)?;
        Adjudication::capped(self.ply_cap).check()?;
        Ok(())
    }
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An odd number of games, or none.
    #[error("`--games` must be even and at least 2, got {found} (each opening is played with both colours)")]
    Games {
        /// What was asked for.
        found: usize,
    },
    /// More pairs than openings.
    #[error(
        "{games} games need {needed} openings, found {found}: give more openings or fewer games (deterministic players \
         would only repeat their games from an opening that is used again; allow that explicitly if it is wanted)"
    )]
    TooFewOpenings {
        /// How many games were asked for.
        games: usize,
        /// How many openings they need.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A cap that leaves no move to play.
    #[error("`--max-plies` must be above the {plies} plies of opening {opening}, got {found}")]
    PlyCap {
        /// The longest opening, from 1.
        opening: usize,
        /// Its plies.
        plies: usize,
        /// What was asked for.
        found: usize,
    },
    /// Two players that the records could not tell apart.
    #[error("the players must have different names, got `{name}` twice")]
    SameName {
        /// The name.
        name: String,
    },
    /// Another setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A setting of a player's search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// The settings cannot be put into a fingerprint.
    #[error("cannot make the fingerprint of the match")]
    Fingerprint(#[source] serde_json::Error),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A match that can be played: its settings fit each other.
#[derive(Debug)]
pub struct Match<G: Game> {
    players: [Player<G>; 2],
    openings: Vec<Opening<G>>,
    settings: MatchSettings,
    fingerprint: String,
}

/// A match that was played.
#[derive(Debug, Clone)]
pub struct FinishedMatch<G: Game> {
    /// The figures.
    pub result: MatchResult,
    /// The games, in order, with what the players thought of each move.
    pub records: Vec<GameRecord<G>>,
}

impl<G: Game> Match<G> {
    /// A match of `players` a and b. Pair i plays opening i: in its first game a moves first, in its second b. Openings
    /// beyond the number of pairs are not used.
    ///
    /// # Errors
    /// When `settings` are out of range or do not fit the openings and players.
    pub fn new(
        players: [Player<G>; 2],
        mut openings: Vec<Opening<G>>,
        settings: MatchSettings,
    ) -> Result<Self, MatchError> {
        let MatchSettings { games, ply_cap, reuse_openings, .. } = settings;
        settings.check()?;
        players.iter().try_for_each(|player| player.search.check())?;
        let (needed, found) = (games / 2, openings.len());
        if found == 0 || (found < needed && !reuse_openings) {
            return Err(MatchError::TooFewOpenings { games, needed, found });
        }
        openings.truncate(needed);
        if let Some(at) = openings.iter().position(|opening| opening.moves.len() >= ply_cap) {
            return Err(MatchError::PlyCap { opening: at + 1, plies: openings[at].moves.len(), found: ply_cap });
        }
        if players[0].name == players[1].name {
            return Err(MatchError::SameName { name: players[0].name.clone() });
        }
        let fingerprint = fingerprint::of_match(&players, &openings, &settings).map_err(MatchError::Fingerprint)?;
        Ok(Self { players, openings, settings, fingerprint })
    }

    /// The SHA-256, in hexadecimal, of all that decides the games: settings, checksums of the evaluators, openings.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Plays the match on the current rayon pool. With a `journal`, games that it holds are not played again, and every game
    /// is added to it as it ends.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn play(&self, journal: Option<&Path>, observer: &dyn Observer) -> Result<FinishedMatch<G>, MatchError> {
        let tally = Tally::new(&self.players[0].name, observer);
        let ended = |game, played: &PlayedGame<G::Move>| tally.add(played.outcome.value_for(side_of_a(game)));
        Ok(self.finish(play_all(self, journal, observer, ended)?))
    }

    fn opening(&self, game: usize) -> &Opening<G> {
        &self.openings[self.opening_number(game)]
    }

    /// The index of the opening of a game, both from 0.
    const fn opening_number(&self, game: usize) -> usize {
        game / 2 % self.openings.len()
    }

    fn finish(&self, games: Vec<PlayedGame<G::Move>>) -> FinishedMatch<G> {
        let names = self.players.each_ref().map(|player| player.name.clone());
        let rows = games.iter().enumerate().map(|(game, played)| self.row(game, played)).collect();
        let records = games.into_iter().enumerate().map(|(game, played)| self.record(game, played)).collect();
        FinishedMatch { result: MatchResult::of(names, rows), records }
    }

    /// The names of the first and the second side of a game.
    fn names(&self, game: usize) -> [&str; 2] {
        seated(self.players.each_ref(), game).map(|player| player.name.as_str())
    }

    fn record(&self, game: usize, played: PlayedGame<G::Move>) -> GameRecord<G> {
        let opening = Some(self.opening_number(game) + 1);
        let caption = Caption { event: &self.settings.event, round: game + 1, names: self.names(game), opening };
        record_of(self.opening(game).start.clone(), played, &caption)
    }

    fn row(&self, game: usize, played: &PlayedGame<G::Move>) -> GameRow {
        let (side, [first, second]) = (side_of_a(game), self.names(game).map(str::to_owned));
        GameRow {
            game: game + 1,
            opening: self.opening_number(game) + 1,
            first,
            second,
            result_a: played.outcome.value_for(side),
            reason: played.reason.clone(),
            plies: played.moves.len(),
            nodes_a: played.nodes[side.index()],
            nodes_b: played.nodes[side.other().index()],
        }
    }
}

impl<G: Game> Run<G> for Match<G> {
    type Error = MatchError;

    const TASK: &'static str = "games";

    fn games(&self) -> usize {
        self.settings.games
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn start(&self, game: usize) -> G {
        self.opening(game).start.clone()
    }

    fn play_one(&self, game: usize) -> Result<PlayedGame<G::Move>, MatchError> {
        let adjudication = Adjudication::capped(self.settings.ply_cap);
        Ok(play_game(seated(self.players.each_ref(), game), self.opening(game), &adjudication))
    }
}

/// Player a moves first in the first game of each pair. `game` counts from 0.
const fn side_of_a(game: usize) -> Side {
    if game.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// The first and the second side of a game between a and b; `game` counts from 0.
pub(super) const fn seated<T: Copy>([a, b]: [T; 2], game: usize) -> [T; 2] {
    match side_of_a(game) {
        Side::First => [a, b],
        Side::Second => [b, a],
    }
}

/// The running score, for the observer.
struct Tally<'a> {
    name: &'a str,
    observer: &'a dyn Observer,
    wdl: Mutex<Wdl>,
}

impl<'a> Tally<'a> {
    fn new(name: &'a str, observer: &'a dyn Observer) -> Self {
        Self { name, observer, wdl: Mutex::new(Wdl::default()) }
    }

    fn add(&self, result: i32) {
        let mut wdl = self.wdl.lock().unwrap_or_else(PoisonError::into_inner);
        wdl.record(result);
        self.observer.remark(&format!("{} +{} ={} -{}", self.name, wdl.wins, wdl.draws, wdl.losses));
    }
}
