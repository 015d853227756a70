//! Random play, for openings and for tests.

use rand::RngExt;

use super::Game;
use crate::random::Stream;

/// Plays up to `plies` moves drawn evenly from the legal ones, calls `visit` with the position before each, and
/// stops at the end of the game. Returns the number of moves made.
pub fn random_moves<G: Game>(game: &mut G, plies: usize, stream: &mut Stream, mut visit: impl FnMut(&mut G)) -> usize {
    let mut moves = Vec::new();
    for made in 0..plies {
        moves.clear();
        game.legal_moves(&mut moves);
        if moves.is_empty() || game.end_by_history().is_some() {
            return made;
        }
        visit(game);
        game.play(moves[stream.random_range(0..moves.len())]);
    }
    plies
}
