//! One game between two players.

use super::openings::Opening;
use super::player::{Player, Seat};
use crate::game::{End, Game, Outcome};
use crate::setting::{SettingError, require};

/// The usual number of plies after which a game is given up as a draw.
pub const PLY_CAP: usize = 400;

/// The most games of one match or one self-play run.
const MAX_GAMES: usize = 10_000_000;

/// The highest ply cap.
const MAX_PLY_CAP: usize = 10_000;

/// Checks how many games there are, and after how many plies each of them is given up.
pub(super) fn check_size(games: usize, ply_cap: usize) -> Result<(), SettingError> {
    require((1..=MAX_GAMES).contains(&games), "--games", "in [1, 10000000]", games)?;
    require((1..=MAX_PLY_CAP).contains(&ply_cap), "--max-plies", "in [1, 10000]", ply_cap)
}

/// Why a game that reached its ply cap ended.
const CAPPED: &str = "ply cap";

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame<M> {
    /// All moves from the start of the opening.
    pub moves: Vec<M>,
    /// What the mover thought of each move (see [`super::Thought`]); empty for the moves of the opening.
    pub comments: Vec<String>,
    /// Who won.
    pub outcome: Outcome,
    /// The rule that ended it, in the game's words, or `ply cap`.
    pub reason: String,
    /// Positions visited by the first and by the second side.
    pub nodes: [u64; 2],
}

/// Plays a game from `opening`: `players[0]` moves first. It ends by the rules, or as a draw when `ply_cap` plies, those of
/// the opening included, have been made.
pub fn play_game<G: Game>(players: [&Player<G>; 2], opening: &Opening<G>, ply_cap: usize) -> PlayedGame<G::Move> {
    let mut seats = players.map(Seat::of);
    let mut position = opening.position();
    let mut moves = opening.moves.clone();
    let mut comments = vec![String::new(); moves.len()];
    let mut nodes = [0; 2];
    let end = loop {
        if let Some(end) = verdict(&position, ply_cap) {
            break end;
        }
        let side = position.side_to_move().index();
        let Some((mv, thought)) = seats[side].think(&mut position) else {
            break End { outcome: Outcome::Draw, reason: "no legal move" };
        };
        nodes[side] += thought.nodes;
        comments.push(thought.to_string());
        moves.push(mv);
        position.play(mv);
    };
    PlayedGame { moves, comments, outcome: end.outcome, reason: end.reason.to_owned(), nodes }
}

/// The end of the game by its rules or by the cap, if it has come.
fn verdict<G: Game>(position: &G, ply_cap: usize) -> Option<End> {
    let capped = || (position.plies() >= ply_cap).then_some(End { outcome: Outcome::Draw, reason: CAPPED });
    position.end().or_else(capped)
}
