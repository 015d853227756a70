//! Who plays when games are made: an evaluator behind the common search, a mover at random, or a program of any make.

use rand::seq::IndexedRandom;

use super::game::{Decision, Mover};
use super::openings::Opening;
use super::player::{Player, Seat};
use crate::engine::client::{Budget, Client, ClientError, EngineCommand, Reply, Verdict};
use crate::game::Game;
use crate::random::{self, Stream};
use crate::search::{Limits, SettingsError};
use crate::setting::{SettingError, require};

/// The longest time for one move of an engine, in milliseconds: an hour.
const MAX_MOVETIME_MS: u128 = 3_600_000;

/// Who plays one side of games that are made.
#[derive(Debug)]
pub enum Contestant<G: Game> {
    /// An evaluator behind the common search.
    Evaluator(Player<G>),
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
    let milliseconds = movetime.map_or(1, |time| time.as_millis());
    Ok(require((1..=MAX_MOVETIME_MS).contains(&milliseconds), "--movetime", "in [1, 3600000]", milliseconds)?)
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
            Self::Random => "random",
            Self::Engine(engine) => &engine.name,
        }
    }

    /// Checks the settings.
    pub(super) fn check(&self) -> Result<(), ContestantError> {
        match self {
            Self::Evaluator(player) => Ok(player.search.check()?),
            Self::Random => Ok(()),
            Self::Engine(engine) => check_budget(&engine.budget),
        }
    }
}

/// A contestant in one game.
pub(super) enum Place<G: Game> {
    Searching(Box<Seat<G>>),
    Drawing(Box<Stream>),
    Asking(Box<Client>, Budget),
}

/// An engine that failed in the middle of a game.
#[derive(Debug)]
pub(super) struct Failure {
    /// The ply that it should have made, from 1; 0 if it could not be started.
    pub ply: usize,
    pub source: Box<ClientError>,
}

impl Failure {
    fn at(ply: usize, source: ClientError) -> Self {
        Self { ply, source: Box::new(source) }
    }
}

impl<G: Game> Place<G> {
    /// `contestant` on the first (`side` 0) or second (1) side of game number `game`, from 0.
    pub fn of(contestant: &Contestant<G>, seed: u64, game: usize, side: usize) -> Result<Self, Failure> {
        Ok(match contestant {
            Contestant::Evaluator(player) => Self::Searching(Box::new(Seat::of(player))),
            Contestant::Random => {
                Self::Drawing(Box::new(random::stream(seed, "random mover", (2 * game + side) as u64)))
            }
            Contestant::Engine(EnginePlayer { command, budget, .. }) => {
                let client = Client::start(command.clone()).map_err(|error| Failure::at(0, error))?;
                Self::Asking(Box::new(client), *budget)
            }
        })
    }
}

impl<G: Game> Mover<G> for Place<G> {
    type Error = Failure;

    fn decide(&mut self, position: &mut G, line: &Opening<G>) -> Result<Option<Decision<G::Move>>, Failure> {
        match self {
            Self::Searching(seat) => {
                let Ok(decision) = seat.decide(position, line);
                Ok(decision)
            }
            Self::Drawing(draws) => {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                Ok(moves.choose(draws).map(|&mv| Decision { mv, comment: String::new(), nodes: 0 }))
            }
            Self::Asking(client, budget) => {
                let failed = |error| Failure::at(line.moves.len() + 1, error);
                let reply = client.play(&line.start, &line.moves, budget).map_err(failed)?;
                decision_of(client, reply, position).map_err(failed)
            }
        }
    }
}

/// What the answer of an engine means in `position`, which is not over.
fn decision_of<G: Game>(
    client: &Client,
    reply: Reply<G::Move>,
    position: &G,
) -> Result<Option<Decision<G::Move>>, ClientError> {
    let comment = thought_of(&reply);
    match reply.mv {
        _ if reply.resigns => Ok(None),
        Some(mv) => Ok(Some(Decision { mv, comment, nodes: reply.nodes.unwrap_or(0) })),
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
