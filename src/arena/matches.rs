//! A match: pairs of games, one opening with both colours each, played in parallel.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::fingerprint;
use super::game::{PLY_CAP, PlayedGame, play_game};
use super::journal::{Journal, JournalError};
use super::openings::Opening;
use super::player::Player;
use super::records::{Caption, record_of};
use super::result::{GameRow, MatchResult};
use crate::game::{Game, Outcome, Side};
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::stats::Wdl;

/// How a match is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchSettings {
    /// How many games: even, as each opening is played with both colours.
    pub games: usize,
    /// After how many plies, the opening's included, a game is a draw.
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

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An odd number of games, or none.
    #[error(
        "`games` of the match must be even and at least 2, as each opening is played with both colours; got {found}"
    )]
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
    #[error("`ply_cap` of the match must be above the {plies} plies of opening {opening}, got {found}")]
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

/// What there is of a match before it goes on.
struct Restored<M> {
    journal: Option<Journal>,
    /// One place per game; `None` where it is still to be played.
    games: Vec<Option<PlayedGame<M>>>,
}

/// A game in the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// From 1.
    game: usize,
    /// All moves, separated by blanks.
    moves: String,
    comments: Vec<String>,
    /// 1, 0 or -1 for the first side.
    result: i32,
    reason: String,
    nodes: [u64; 2],
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
        if games == 0 || !games.is_multiple_of(2) {
            return Err(MatchError::Games { found: games });
        }
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
        let Restored { journal, games } = self.restore(journal)?;
        let tally = Tally::new(&self.players[0].name, observer);
        observer.begin("games", self.settings.games as u64);
        let games = games.into_par_iter().enumerate().with_max_len(1).map(|(game, done)| {
            let played = done.map_or_else(|| self.play_one(game, journal.as_ref()), Ok)?;
            tally.add(played.outcome.value_for(side_of_a(game)));
            Ok(played)
        });
        let games = games.collect::<Result<Vec<_>, JournalError>>()?;
        observer.end();
        Ok(self.finish(games))
    }

    /// Plays game number `game`, from 0, and puts it into the journal.
    fn play_one(&self, game: usize, journal: Option<&Journal>) -> Result<PlayedGame<G::Move>, JournalError> {
        let [a, b] = &self.players;
        let seats = if side_of_a(game) == Side::First { [a, b] } else { [b, a] };
        let played = play_game(seats, self.opening(game), self.settings.ply_cap);
        if let Some(journal) = journal {
            journal.append(&Entry::of(game, &played))?;
        }
        Ok(played)
    }

    fn opening(&self, game: usize) -> &Opening<G> {
        &self.openings[self.opening_number(game)]
    }

    /// The index of the opening of a game, both from 0.
    const fn opening_number(&self, game: usize) -> usize {
        game / 2 % self.openings.len()
    }

    /// Opens the journal, if there is one, and reads the games that it holds: one place per game of the match.
    fn restore(&self, path: Option<&Path>) -> Result<Restored<G::Move>, JournalError> {
        let mut games = vec![None; self.settings.games];
        let Some(path) = path else { return Ok(Restored { journal: None, games }) };
        let (journal, entries) = Journal::open::<Entry>(path, &self.fingerprint)?;
        for (line, entry) in entries {
            let number = entry.game;
            let problem = |problem| JournalError::Game { path: path.to_owned(), line, game: number, problem };
            let played = self.replay(entry).map_err(problem)?;
            let place = &mut games[number - 1];
            if place.as_ref().is_some_and(|known| *known != played) {
                return Err(problem("differs from an earlier record of the same game".to_owned()));
            }
            *place = Some(played);
        }
        Ok(Restored { journal: Some(journal), games })
    }

    /// A game as it was played, from its journal entry; else what is wrong with the entry.
    fn replay(&self, entry: Entry) -> Result<PlayedGame<G::Move>, String> {
        if !(1..=self.settings.games).contains(&entry.game) {
            return Err(format!("the match has games 1 to {}", self.settings.games));
        }
        let mut position = self.opening(entry.game - 1).start.clone();
        let mut moves = Vec::new();
        for (at, text) in entry.moves.split_ascii_whitespace().enumerate() {
            let mv = position.parse_move(text).map_err(|error| format!("move {}: {error}", at + 1))?;
            position.play(mv);
            moves.push(mv);
        }
        if entry.comments.len() != moves.len() {
            return Err(format!("expected {} comments, found {}", moves.len(), entry.comments.len()));
        }
        let outcome = outcome_of(entry.result);
        Ok(PlayedGame { moves, comments: entry.comments, outcome, reason: entry.reason, nodes: entry.nodes })
    }

    fn finish(&self, games: Vec<PlayedGame<G::Move>>) -> FinishedMatch<G> {
        let names = self.players.each_ref().map(|player| player.name.clone());
        let rows = games.iter().enumerate().map(|(game, played)| self.row(game, played)).collect();
        let records = games.into_iter().enumerate().map(|(game, played)| self.record(game, played)).collect();
        FinishedMatch { result: MatchResult::of(names, rows), records }
    }

    /// The names of the first and the second side of a game.
    fn names(&self, game: usize) -> [&str; 2] {
        let [a, b] = &self.players;
        if side_of_a(game) == Side::First { [&a.name, &b.name] } else { [&b.name, &a.name] }
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

/// Player a moves first in the first game of each pair. `game` counts from 0.
const fn side_of_a(game: usize) -> Side {
    if game.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// The outcome with `result` for the first side.
const fn outcome_of(result: i32) -> Outcome {
    match result {
        1.. => Outcome::Win(Side::First),
        0 => Outcome::Draw,
        _ => Outcome::Win(Side::Second),
    }
}

impl Entry {
    fn of<M: ToString>(game: usize, played: &PlayedGame<M>) -> Self {
        Self {
            game: game + 1,
            moves: played.moves.iter().map(M::to_string).collect::<Vec<_>>().join(" "),
            comments: played.comments.clone(),
            result: played.outcome.value(),
            reason: played.reason.clone(),
            nodes: played.nodes,
        }
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
        self.observer.advance(1);
        self.observer.remark(&format!("{} +{} ={} -{}", self.name, wdl.wins, wdl.draws, wdl.losses));
    }
}
