//! One game between two players.

use super::openings::Opening;
use super::player::{Player, Seat};
use crate::game::{End, Game, Outcome, Side};
use crate::setting::{SettingError, require};

/// The usual number of plies after which a game is given up as a draw.
pub const PLY_CAP: usize = 400;

/// The most games of one match or one run that makes games.
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

/// Who makes the moves of one side of one game.
pub(super) trait Mover<G: Game> {
    /// Why it may fail to give a move.
    type Error;

    /// The decision in `position`, which `line` leads to and which is not over; `None` to give the game up.
    fn decide(&mut self, position: &mut G, line: &Opening<G>) -> Result<Option<Decision<G::Move>>, Self::Error>;
}

/// A move with what is kept about it.
pub(super) struct Decision<M> {
    pub mv: M,
    /// What the mover thought of it; empty for nothing.
    pub comment: String,
    /// The positions that it visited.
    pub nodes: u64,
}

/// Plays a game from `opening`: `players[0]` moves first. It ends by the rules, or as a draw when `ply_cap` plies, those of
/// the opening included, have been made.
pub fn play_game<G: Game>(players: [&Player<G>; 2], opening: &Opening<G>, ply_cap: usize) -> PlayedGame<G::Move> {
    let Ok(played) = play_between(players.map(Seat::of), opening, ply_cap);
    played
}

/// As [`play_game`], between `movers` of any kind, who may also give up or fail.
pub(super) fn play_between<G: Game, M: Mover<G>>(
    mut movers: [M; 2],
    opening: &Opening<G>,
    ply_cap: usize,
) -> Result<PlayedGame<G::Move>, M::Error> {
    let (mut line, mut position) = (opening.clone(), opening.position());
    let mut comments = vec![String::new(); line.moves.len()];
    let mut nodes = [0; 2];
    let end = loop {
        if let Some(end) = verdict(&position, ply_cap) {
            break end;
        }
        let side = position.side_to_move();
        let Some(decision) = movers[side.index()].decide(&mut position, &line)? else { break resignation(side) };
        nodes[side.index()] += decision.nodes;
        comments.push(decision.comment);
        line.moves.push(decision.mv);
        position.play(decision.mv);
    };
    Ok(PlayedGame { moves: line.moves, comments, outcome: end.outcome, reason: end.reason.to_owned(), nodes })
}

/// The end of a game that `side` gives up.
const fn resignation(side: Side) -> End {
    End { outcome: Outcome::Win(side.other()), reason: "resignation" }
}

/// The end of the game by its rules or by the cap, if it has come.
fn verdict<G: Game>(position: &G, ply_cap: usize) -> Option<End> {
    let capped = || (position.plies() >= ply_cap).then_some(End { outcome: Outcome::Draw, reason: CAPPED });
    position.end().or_else(capped)
}
