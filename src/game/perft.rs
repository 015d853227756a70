//! Perft: the number of move paths of a given length, which proves a move generator right.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::Game;

/// Below this depth a count is too short to be worth spreading over threads.
const PARALLEL_DEPTH: u32 = 4;

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

/// As [`perft`], with the first two plies spread over the threads of the current pool.
pub fn perft_parallel<G: Game>(position: &G, depth: u32) -> u64 {
    if depth < PARALLEL_DEPTH {
        return perft(&mut position.clone(), depth);
    }
    let grandchildren: Vec<G> =
        children(position).iter().flat_map(|(_, child)| children(child)).map(|(_, g)| g).collect();
    grandchildren.par_iter().map(|start| perft(&mut start.clone(), depth - 2)).sum()
}

/// The count below each move of the first ply, in the order of generation ("divide"). Empty at depth 0.
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    children(position).into_iter().map(|(mv, child)| (mv, perft_parallel(&child, below))).collect()
}

fn children<G: Game>(position: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = |mv| {
        let mut child = position.clone();
        child.play(mv);
        (mv, child)
    };
    moves.into_iter().map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn threads_and_division_do_not_change_the_count() {
        let start = Xiangqi::start();
        for (depth, nodes) in (0..).zip([1, 44, 1_920, 79_666, 3_290_240]) {
            assert_eq!(perft(&mut start.clone(), depth), nodes);
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| perft_parallel(&start, depth)), nodes);
            }
            let divided: u64 = divide(&start, depth).iter().map(|(_, below)| below).sum();
            assert_eq!(divided, if depth == 0 { 0 } else { nodes });
        }
    }
}
