//! Who plays when games are made: an evaluator behind the common search, a network behind a tree search, a mover at random, or
//! a program of any make.

use std::error::Error;
use std::time::Duration;

use rand::seq::IndexedRandom;

use super::adjudication::Adjudication;
use super::game::{Decision, Failure, Mover, PlayedGame, play_between};
use super::openings::Opening;
use super::player::{Player, Seat};
use super::tree_player::{TreePlayer, TreeSeat};
use crate::engine::Clock;
use crate::engine::client::{Budget, Client, ClientError, EngineCommand, Reply, Verdict};
use crate::game::{Game, Outcome, Side};
use crate::random::{self, Stream};
use crate::search::{Limits, SettingsError};
use crate::settings::{SettingError, require};

/// The longest time for one move of an engine, in milliseconds: an hour.
const MAX_MOVETIME_MS: u128 = 3_600_000;

/// Why an engine lost that was never ready to play.
const NOT_STARTED: &str = "engine could not be started";

/// Who plays one side of games that are made.
#[derive(Debug)]
pub enum Contestant<G: Game> {
    /// An evaluator behind the common search.
    Evaluator(Player<G>),
    /// A network of policy and value behind Monte Carlo tree search.
    Tree(TreePlayer<G>),
    /// Makes every legal move with the same chance.
    Random,
    /// A program of any make.
    Engine(EnginePlayer),
}

/// A program that speaks UCI or UCCI. Every game starts it anew, so that nothing is left of the game before.
#[derive(Debug, Clone)]
pub struct EnginePlayer {
    /// The name in game records.
    pub name: String,
    /// What tells the program from every other, such as the SHA-256 of its file; empty if that is not known.
    pub checksum: String,
    /// How to start it.
    pub command: EngineCommand,
    /// How far it may think at each move. With a time instead of a depth or a number of positions, games differ from run to
    /// run.
    pub budget: Budget,
}

impl EnginePlayer {
    /// The engine that `command` starts, under the name that it gives itself. It is started once to ask for it.
    ///
    /// # Errors
    /// When a limit of `budget` is out of its range, or the engine cannot be started, ends, or does not get ready in time.
    pub fn meet(command: EngineCommand, checksum: String, budget: Budget) -> Result<Self, ContestantError> {
        check_budget(&budget)?;
        let client = Client::start(command.clone())?;
        let file_name = || command.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = client.name().map_or_else(file_name, str::to_owned);
        Ok(Self { name, checksum, command, budget })
    }
}

/// Checks the limits of an engine's search.
fn check_budget(&Budget { depth, nodes, movetime, .. }: &Budget) -> Result<(), ContestantError> {
    let limits = depth.map_or(Limits::to_depth(1), Limits::to_depth)?;
    nodes.map_or(Ok(limits), |nodes| limits.and_nodes(nodes))?;
    Ok(movetime.map_or(Ok(()), check_movetime)?)
}

/// Checks the time for one move.
pub(super) fn check_movetime(time: Duration) -> Result<(), SettingError> {
    let milliseconds = time.as_millis();
    require((1..=MAX_MOVETIME_MS).contains(&milliseconds), "movetime", "in [1, 3600000]", milliseconds)
}

/// Why somebody cannot play.
#[derive(Debug, thiserror::Error)]
pub enum ContestantError {
    /// A limit of an engine is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A setting of the search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// An engine does not run.
    #[error(transparent)]
    Engine(Box<ClientError>),
}

impl From<ClientError> for ContestantError {
    fn from(error: ClientError) -> Self {
        Self::Engine(Box::new(error))
    }
}

impl<G: Game> Contestant<G> {
    /// The name in game records.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Evaluator(player) => &player.name,
            Self::Tree(player) => &player.name,
            Self::Random => "random",
            Self::Engine(engine) => &engine.name,
        }
    }

    /// The player of an evaluator.
    #[must_use]
    pub const fn player(&self) -> Option<&Player<G>> {
        match self {
            Self::Evaluator(player) => Some(player),
            _ => None,
        }
    }

    /// Checks the settings.
    pub(super) fn check(&self) -> Result<(), ContestantError> {
        match self {
            Self::Evaluator(player) => Ok(player.search.check()?),
            Self::Tree(player) => Ok(player.check()?),
            Self::Random => Ok(()),
            Self::Engine(engine) => check_budget(&engine.budget),
        }
    }
}

/// Where the moves of a random mover come from.
#[derive(Debug, Clone, Copy)]
pub struct Chance {
    /// The seed.
    pub seed: u64,
    /// The number of the game, from 0.
    pub game: usize,
}

/// Plays a game from `opening` between contestants of any kind: `contestants[0]` moves first. It ends by the rules, as
/// `adjudication` says, or with the loss of an engine that fails; it always ends. Random movers draw from `chance`: from the
/// stream `random mover`, and tree searches from `tree search`, number 2 `game` for the first side and 2 `game` + 1 for the second.
pub fn play_contestants<G: Game>(
    contestants: [&Contestant<G>; 2],
    opening: &Opening<G>,
    adjudication: &Adjudication,
    chance: Chance,
) -> PlayedGame<G::Move> {
    play_watched(contestants, opening, adjudication, chance, |place| place)
}

/// As [`play_contestants`], each of them seen through `watch`.
pub(super) fn play_watched<G: Game, M: Mover<G>>(
    contestants: [&Contestant<G>; 2],
    opening: &Opening<G>,
    adjudication: &Adjudication,
    chance: Chance,
    watch: impl Fn(Place<G>) -> M,
) -> PlayedGame<G::Move> {
    let [first, second] = contestants;
    match [Place::of(first, chance, Side::First), Place::of(second, chance, Side::Second)] {
        [Ok(first), Ok(second)] => play_between([first, second].map(watch), opening, adjudication),
        [Err(failure), Ok(_)] => failure.before_the_game(opening, Outcome::Win(Side::Second)),
        [Ok(_), Err(failure)] => failure.before_the_game(opening, Outcome::Win(Side::First)),
        [Err(one), Err(other)] => one.and(other).before_the_game(opening, Outcome::Draw),
    }
}

/// A contestant in one game.
pub(super) enum Place<G: Game> {
    Searching(Box<Seat<G>>),
    Simulating(Box<TreeSeat<G>>),
    Drawing(Box<Stream>),
    Asking(Box<Client>, Budget),
}

impl<G: Game> Place<G> {
    pub(super) fn of(contestant: &Contestant<G>, Chance { seed, game }: Chance, side: Side) -> Result<Self, Failure> {
        let stream = |name| random::stream(seed, name, (2 * game + side.index()) as u64);
        Ok(match contestant {
            Contestant::Evaluator(player) => Self::Searching(Box::new(Seat::of(player))),
            Contestant::Tree(player) => Self::Simulating(Box::new(TreeSeat::of(player, stream("tree search")))),
            Contestant::Random => Self::Drawing(Box::new(stream("random mover"))),
            Contestant::Engine(EnginePlayer { command, budget, .. }) => {
                let not_started = |error| Failure { reason: NOT_STARTED, detail: in_full(&error) };
                Self::Asking(Box::new(Client::start(command.clone()).map_err(not_started)?), *budget)
            }
        })
    }
}

impl<G: Game> Mover<G> for Place<G> {
    fn decide(
        &mut self,
        position: &mut G,
        line: &Opening<G>,
        clocks: Option<[Clock; 2]>,
    ) -> Result<Option<Decision<G::Move>>, Failure> {
        match self {
            Self::Searching(seat) => seat.decide(position, line, clocks),
            Self::Simulating(seat) => seat.decide(position, line, clocks),
            Self::Drawing(draws) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let decision = |&mv| Decision { mv, comment: String::new(), expected: None, nodes: 0 };
                Ok(moves.choose(draws).map(decision))
            }
            Self::Asking(client, budget) => {
                let budget = Budget { clocks: clocks.or(budget.clocks), ..*budget };
                let reply = client.play(&line.start, &line.moves, &budget);
                Ok(reply.and_then(|reply| decision_of(client, reply, position))?)
            }
        }
    }
}

impl From<ClientError> for Failure {
    /// How an engine failed that had been ready to play.
    fn from(error: ClientError) -> Self {
        let reason = match error {
            ClientError::Start { .. } | ClientError::Option { .. } => NOT_STARTED,
            ClientError::Crashed { .. } => "engine crashed",
            ClientError::Hung { .. } => "engine hung",
            ClientError::Garbage { .. } => "engine talked nonsense",
            ClientError::Move { .. } | ClientError::NoMove { .. } => "illegal move",
        };
        Self { reason, detail: in_full(&error) }
    }
}

impl Failure {
    /// A game that did not begin.
    fn before_the_game<G: Game>(self, opening: &Opening<G>, outcome: Outcome) -> PlayedGame<G::Move> {
        let (moves, comments) = (opening.moves.clone(), vec![String::new(); opening.moves.len()]);
        let Self { reason, detail } = self;
        PlayedGame { moves, comments, outcome, reason: reason.to_owned(), failure: Some(detail), nodes: [0; 2] }
    }

    /// Both failures.
    fn and(self, other: Self) -> Self {
        Self { detail: format!("{}; {}", self.detail, other.detail), ..self }
    }
}

/// An error with its causes.
fn in_full(error: &ClientError) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// What the answer of an engine means in `position`, which is not over.
fn decision_of<G: Game>(
    client: &Client,
    reply: Reply<G::Move>,
    position: &G,
) -> Result<Option<Decision<G::Move>>, ClientError> {
    let (comment, expected) = (thought_of(&reply), reply.verdict.map(Verdict::expected_result));
    match reply.mv {
        _ if reply.resigns => Ok(None),
        Some(mv) => Ok(Some(Decision { mv, comment, expected, nodes: reply.nodes.unwrap_or(0) })),
        None => Err(client.gave_no_move(position)),
    }
}

/// `cp +35/8 1234` or `mate -3/8 1234`: the engine's own verdict for the mover, depth and nodes, as far as it told them.
fn thought_of<M>(reply: &Reply<M>) -> String {
    let verdict = match reply.verdict {
        Some(Verdict::Centipawns(centipawns)) => format!("cp {centipawns:+}"),
        Some(Verdict::Mate(moves)) => format!("mate {moves:+}"),
        None => return String::new(),
    };
    let depth = reply.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let nodes = reply.nodes.map(|nodes| format!(" {nodes}")).unwrap_or_default();
    verdict + &depth + &nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thoughts_of_an_engine_read_as_documented() {
        let silent = Reply::<u8> {
            mv: None,
            ponder: None,
            verdict: None,
            depth: None,
            nodes: None,
            offers_draw: false,
            resigns: false,
        };
        let told =
            Reply { verdict: Some(Verdict::Centipawns(35)), depth: Some(8), nodes: Some(1234), ..silent.clone() };
        assert_eq!((thought_of(&silent).as_str(), thought_of(&told).as_str()), ("", "cp +35/8 1234"));
        assert_eq!(thought_of(&Reply { verdict: Some(Verdict::Mate(-3)), ..silent }), "mate -3");
    }
}
