//! Fingerprints of matches and of generated games: two runs with the same one play the same games.

use serde::Serialize;

use super::contestant::{Contestant, EnginePlayer};
use super::generate::{Generation, GenerationSettings};
use super::matches::MatchSettings;
use super::openings::Opening;
use super::player::Player;
use crate::disk::sha256;
use crate::engine::{Dialect, Ranks};
use crate::game::Game;
use crate::search::{Limits, SearchSettings};

/// Everything that the games of a match depend on.
#[derive(Serialize)]
struct Identity<'a> {
    program: &'a str,
    game: &'a str,
    players: [PlayerIdentity<'a>; 2],
    settings: &'a MatchSettings,
    openings: Vec<String>,
}

/// Everything that generated games depend on.
#[derive(Serialize)]
struct GenerationIdentity<'a> {
    program: &'a str,
    game: &'a str,
    event: &'a str,
    contestants: [ContestantIdentity<'a>; 2],
    drawer: Option<PlayerIdentity<'a>>,
    settings: &'a GenerationSettings,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum ContestantIdentity<'a> {
    Evaluator(PlayerIdentity<'a>),
    Random,
    Engine(EngineIdentity<'a>),
}

#[derive(Serialize)]
struct EngineIdentity<'a> {
    name: &'a str,
    checksum: &'a str,
    arguments: &'a [String],
    dialect: Dialect,
    ranks: Ranks,
    options: &'a [(String, String)],
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime_ms: Option<u128>,
}

#[derive(Serialize)]
struct PlayerIdentity<'a> {
    name: &'a str,
    checksum: &'a str,
    search: SearchSettings,
    limits: Limits,
}

impl<'a> PlayerIdentity<'a> {
    fn of<G: Game>(player: &'a Player<G>) -> Self {
        Self { name: &player.name, checksum: &player.checksum, search: player.search, limits: player.limits }
    }
}

/// The SHA-256, in hexadecimal, of all that decides the games of a match.
pub(super) fn of_match<G: Game>(
    players: &[Player<G>; 2],
    openings: &[Opening<G>],
    settings: &MatchSettings,
) -> Result<String, serde_json::Error> {
    let identity = Identity {
        program: crate::PROGRAM,
        game: G::NAME,
        players: players.each_ref().map(PlayerIdentity::of),
        settings,
        openings: openings.iter().map(describe).collect(),
    };
    digest(&identity)
}

impl<'a> ContestantIdentity<'a> {
    fn of<G: Game>(contestant: &'a Contestant<G>) -> Self {
        match contestant {
            Contestant::Evaluator(player) => Self::Evaluator(PlayerIdentity::of(player)),
            Contestant::Random => Self::Random,
            Contestant::Engine(engine) => Self::Engine(EngineIdentity::of(engine)),
        }
    }
}

impl<'a> EngineIdentity<'a> {
    fn of(EnginePlayer { name, checksum, command, budget }: &'a EnginePlayer) -> Self {
        Self {
            name,
            checksum,
            arguments: &command.arguments,
            dialect: command.dialect,
            ranks: command.ranks,
            options: &command.options,
            depth: budget.depth,
            nodes: budget.nodes,
            movetime_ms: budget.movetime.map(|time| time.as_millis()),
        }
    }
}

/// All that decides generated games.
pub(super) fn identity_of_generation<G: Game>(
    Generation { event, contestants, drawer, settings }: &Generation<'_, G>,
) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::to_value(GenerationIdentity {
        program: crate::PROGRAM,
        game: G::NAME,
        event,
        contestants: contestants.map(ContestantIdentity::of),
        drawer: drawer.map(PlayerIdentity::of),
        settings,
    })
}

/// The SHA-256, in hexadecimal, of an identity.
pub(super) fn digest(identity: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(sha256(&serde_json::to_vec(identity)?))
}

fn describe<G: Game>(opening: &Opening<G>) -> String {
    opening.moves.iter().fold(opening.start.notation(), |text, mv| format!("{text} {mv}"))
}
