//! Fingerprints of matches and of self-play: two runs with the same one play the same games.

use serde::Serialize;

use super::matches::MatchSettings;
use super::openings::Opening;
use super::player::Player;
use super::selfplay::SelfplaySettings;
use crate::disk::sha256;
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

/// Everything that the games of self-play depend on.
#[derive(Serialize)]
struct SelfplayIdentity<'a> {
    program: &'a str,
    game: &'a str,
    selfplay: PlayerIdentity<'a>,
    settings: &'a SelfplaySettings,
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

/// The SHA-256, in hexadecimal, of all that decides the games of self-play.
pub(super) fn of_selfplay<G: Game>(
    player: &Player<G>,
    settings: &SelfplaySettings,
) -> Result<String, serde_json::Error> {
    digest(&SelfplayIdentity { program: crate::PROGRAM, game: G::NAME, selfplay: PlayerIdentity::of(player), settings })
}

fn digest(identity: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(sha256(&serde_json::to_vec(identity)?))
}

fn describe<G: Game>(opening: &Opening<G>) -> String {
    opening.moves.iter().fold(opening.start.notation(), |text, mv| format!("{text} {mv}"))
}
