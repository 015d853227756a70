//! Identities: all that decides how somebody plays, and digests of it. Two runs with the same digest play the same games.

use serde::Serialize;

use super::contestant::{Contestant, EnginePlayer};
use super::generate::{Generation, GenerationSettings};
use super::player::Player;
use super::tree_player::{Effort, TreePlayer};
use crate::disk::sha256;
use crate::engine::{Dialect, Ranks};
use crate::game::Game;
use crate::search::mcts::single::SearcherSettings;
use crate::search::{Limits, SearchSettings};

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
    Tree(TreeIdentity<'a>),
    Random,
    Engine(EngineIdentity<'a>),
}

#[derive(Serialize)]
struct TreeIdentity<'a> {
    name: &'a str,
    checksum: &'a str,
    search: &'a SearcherSettings,
    effort: Effort,
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

impl<'a> ContestantIdentity<'a> {
    fn of<G: Game>(contestant: &'a Contestant<G>) -> Self {
        match contestant {
            Contestant::Evaluator(player) => Self::Evaluator(PlayerIdentity::of(player)),
            Contestant::Tree(player) => Self::Tree(TreeIdentity::of(player)),
            Contestant::Random => Self::Random,
            Contestant::Engine(engine) => Self::Engine(EngineIdentity::of(engine)),
        }
    }
}

impl<'a> TreeIdentity<'a> {
    fn of<G: Game>(TreePlayer { name, checksum, search, effort, .. }: &'a TreePlayer<G>) -> Self {
        Self { name, checksum, search, effort: *effort }
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

/// All that decides how `contestant` plays: names, checksums, limits, settings.
pub(super) fn identity_of<G: Game>(contestant: &Contestant<G>) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::to_value(ContestantIdentity::of(contestant))
}

/// The checksum in an identity; `None` where there is none to give.
pub(super) fn checksum_in(identity: &serde_json::Value) -> Option<&str> {
    let kinds = ["evaluator", "tree", "engine"].into_iter();
    let mut checksums = kinds.filter_map(|kind| identity.get(kind)?.get("checksum")?.as_str());
    checksums.next().filter(|checksum| !checksum.is_empty())
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
