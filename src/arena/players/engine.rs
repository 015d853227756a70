//! A program of any make that speaks UCI or UCCI.

use std::error::Error;

use serde_json::{Value, json};

use super::{Chance, Decided, Decision, Failure, Player, PlayerError, Seat, check_movetime};
use crate::arena::openings::Opening;
use crate::engine::client::{Budget, Client, ClientError, EngineCommand, Reply, Verdict};
use crate::engine::{Clock, Dialect};
use crate::eval::Catalogue;
use crate::game::{BoardGame, Side};
use crate::search::Limits;

/// Why an engine lost that was never ready to play.
const NOT_STARTED: &str = "engine could not be started";

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
    /// As [`meet`](Self::meet), with the protocol, the variant and the naming of ranks that the engine turns out to have.
    ///
    /// # Errors
    /// As [`meet`](Self::meet) and [`EngineCommand::detected`].
    pub fn meet_any<G: Catalogue>(
        command: EngineCommand,
        checksum: String,
        budget: Budget,
    ) -> Result<Self, PlayerError> {
        check_budget(&budget)?;
        Self::meet(command.detected::<G>().map_err(Box::new)?, checksum, budget)
    }

    /// The engine that `command` starts, under the name that it gives itself. It is started once to ask for it.
    ///
    /// # Errors
    /// When a limit of `budget` is out of its range, or the engine cannot be started, ends, does not get ready in time, or is told whole
    /// seconds only and the time for each move is no whole number of them.
    pub fn meet(command: EngineCommand, checksum: String, budget: Budget) -> Result<Self, PlayerError> {
        check_budget(&budget)?;
        let client = Client::start(command.clone()).map_err(Box::new)?;
        client.check_time(&budget).map_err(Box::new)?;
        let file_name = || command.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = client.name().map_or_else(file_name, str::to_owned);
        Ok(Self { name, checksum, command, budget })
    }
}

/// Checks the limits of an engine's search.
fn check_budget(&Budget { depth, nodes, movetime, .. }: &Budget) -> Result<(), PlayerError> {
    Limits::to_depth_or_nodes(depth.unwrap_or(1), nodes)?;
    Ok(movetime.map_or(Ok(()), check_movetime)?)
}

impl<G: BoardGame> Player<G> for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Value {
        let Self { name, checksum, command, budget } = self;
        json!({ "engine": {
            "name": name,
            "checksum": checksum,
            "arguments": command.arguments,
            "dialect": command.dialect,
            "ranks": command.ranks,
            "variant": command.variant,
            "options": command.options,
            "depth": budget.depth,
            "nodes": budget.nodes,
            "movetime_ms": budget.movetime.map(|time| time.as_millis() as u64),
        } })
    }

    fn check(&self) -> Result<(), PlayerError> {
        check_budget(&self.budget)
    }

    fn is_timed(&self) -> bool {
        // An engine of contests that is told no depth thinks by its own clock.
        let goes_by_its_clock = self.command.dialect == Dialect::Contest && self.budget.depth.is_none();
        self.budget.movetime.is_some() || goes_by_its_clock
    }

    fn sit(&self, _chance: Chance, _side: Side) -> Result<Box<dyn Seat<G>>, Failure> {
        let not_started = |error| Failure { reason: NOT_STARTED, detail: in_full(&error) };
        let client = Client::start(self.command.clone()).map_err(not_started)?;
        Ok(Box::new(EngineSeat { client, budget: self.budget }))
    }
}

/// The player in one game: a process of its own.
struct EngineSeat {
    client: Client,
    budget: Budget,
}

impl<G: BoardGame> Seat<G> for EngineSeat {
    fn decide(&mut self, position: &mut G, line: &Opening<G>, clocks: Option<[Clock; 2]>) -> Decided<G::Move> {
        let budget = Budget { clocks: clocks.or(self.budget.clocks), ..self.budget };
        let reply = self.client.play(line, &budget)?;
        let (comment, expected) = (thought_of(&reply), reply.verdict.map(Verdict::expected_result));
        match reply.mv {
            _ if reply.resigns => Ok(None),
            Some(mv) => Ok(Some(Decision { mv, comment, expected, nodes: reply.nodes.unwrap_or(0) })),
            None => Err(self.client.gave_no_move(position).into()),
        }
    }
}

impl From<ClientError> for Failure {
    /// How an engine failed that had been ready to play.
    fn from(error: ClientError) -> Self {
        let reason = match error {
            ClientError::Start { .. }
            | ClientError::Option(_)
            | ClientError::UnknownOption { .. }
            | ClientError::OptionValue { .. }
            | ClientError::Refused { .. }
            | ClientError::WholeSeconds { .. } => NOT_STARTED,
            ClientError::Crashed { .. } => "engine crashed",
            ClientError::Hung { .. } => "engine hung",
            ClientError::Garbage { .. } => "engine talked nonsense",
            ClientError::Move { .. } | ClientError::NoMove { .. } => "illegal move",
            ClientError::Untellable { .. } => "position beyond the protocol",
        };
        Self { reason, detail: in_full(&error) }
    }
}

/// An error with its causes.
fn in_full(error: &ClientError) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
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
        let silent = Reply::<u8>::default();
        let told =
            Reply { verdict: Some(Verdict::Centipawns(35)), depth: Some(8), nodes: Some(1234), ..silent.clone() };
        assert_eq!((thought_of(&silent).as_str(), thought_of(&told).as_str()), ("", "cp +35/8 1234"));
        assert_eq!(thought_of(&Reply { verdict: Some(Verdict::Mate(-3)), ..silent }), "mate -3");
    }
}
