//! Perft: the number of move paths of a given length, which proves a move generator right.

use super::Game;

/// Counts the legal move paths of `depth` plies from `position`; ends by repetition are ignored.
///
/// The last ply is counted and not made.
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    count(position, &mut buffers)
}

fn count<G: Game>(position: &mut G, buffers: &mut [Vec<G::Move>]) -> u64 {
    match buffers {
        [] => 1,
        [_] => position.count_legal_moves() as u64,
        [moves, deeper @ ..] => {
            moves.clear();
            position.legal_moves(moves);
            let mut nodes = 0;
            for &mv in moves.iter() {
                position.play(mv);
                nodes += count(position, deeper);
                position.undo();
            }
            nodes
        }
    }
}

/// The count below each move of the first ply, in the order of generation ("divide").
pub fn divide<G: Game>(position: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut moves = Vec::new();
    if depth == 0 {
        return Vec::new();
    }
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| {
            position.play(mv);
            let nodes = perft(position, depth - 1);
            position.undo();
            (mv, nodes)
        })
        .collect()
}
