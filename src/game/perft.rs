//! Perft: the number of move paths of a given length, which proves a move generator right.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::Game;

/// Below this depth a count is too short to be worth spreading over threads.
const PARALLEL_DEPTH: u32 = 4;

/// Where a count takes the legal moves of a position from.
pub trait MoveSource<G: Game>: Sync {
    /// Appends all legal moves to `out`.
    fn list(&self, position: &G, out: &mut Vec<G::Move>);

    /// The number of legal moves. What `room` holds before and after means nothing.
    fn count(&self, position: &G, room: &mut Vec<G::Move>) -> usize {
        room.clear();
        self.list(position, room);
        room.len()
    }
}

/// The moves as [`Game::legal_moves`] lists and [`Game::count_legal_moves`] counts them.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnMoves;

impl<G: Game> MoveSource<G> for OwnMoves {
    fn list(&self, position: &G, out: &mut Vec<G::Move>) {
        position.legal_moves(out);
    }

    fn count(&self, position: &G, _room: &mut Vec<G::Move>) -> usize {
        position.count_legal_moves()
    }
}

/// Counts the legal move paths of `depth` plies from `position`; ends by repetition are ignored.
///
/// The last ply is counted and not made.
pub fn perft<G: Game>(position: &mut G, depth: u32) -> u64 {
    perft_by(&OwnMoves, position, depth)
}

/// As [`perft`], with the moves that `source` gives.
pub fn perft_by<G: Game>(source: &impl MoveSource<G>, position: &mut G, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    count(source, position, &mut buffers)
}

fn count<G: Game>(source: &impl MoveSource<G>, position: &mut G, buffers: &mut [Vec<G::Move>]) -> u64 {
    match buffers {
        [] => 1,
        [room] => source.count(position, room) as u64,
        [moves, deeper @ ..] => {
            moves.clear();
            source.list(position, moves);
            let mut nodes = 0;
            for &mv in moves.iter() {
                position.play(mv);
                nodes += count(source, position, deeper);
                position.undo();
            }
            nodes
        }
    }
}

/// As [`perft`], with the first two plies spread over the threads of the current pool.
pub fn perft_parallel<G: Game>(position: &G, depth: u32) -> u64 {
    perft_parallel_by(&OwnMoves, position, depth)
}

/// As [`perft_parallel`], with the moves that `source` gives.
pub fn perft_parallel_by<G: Game>(source: &impl MoveSource<G>, position: &G, depth: u32) -> u64 {
    if depth < PARALLEL_DEPTH {
        return perft_by(source, &mut position.clone(), depth);
    }
    let grandchildren: Vec<G> = children(source, position)
        .iter()
        .flat_map(|(_, child)| children(source, child))
        .map(|(_, grandchild)| grandchild)
        .collect();
    grandchildren.par_iter().map(|start| perft_by(source, &mut start.clone(), depth - 2)).sum()
}

/// The count below each move of the first ply, in the order of generation ("divide"). Empty at depth 0.
pub fn divide<G: Game>(source: &impl MoveSource<G>, position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let counted = |(mv, child)| (mv, perft_parallel_by(source, &child, below));
    children(source, position).into_iter().map(counted).collect()
}

fn children<G: Game>(source: &impl MoveSource<G>, position: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    source.list(position, &mut moves);
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
    use crate::games::xiangqi::{Generator, Xiangqi};

    #[test]
    fn threads_and_division_do_not_change_the_count() {
        let start = Xiangqi::start();
        for (depth, nodes) in (0..).zip([1, 44, 1_920, 79_666, 3_290_240]) {
            assert_eq!(perft(&mut start.clone(), depth), nodes);
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| perft_parallel(&start, depth)), nodes);
            }
            let divided: u64 = divide(&OwnMoves, &start, depth).iter().map(|(_, below)| below).sum();
            assert_eq!(divided, if depth == 0 { 0 } else { nodes });
        }
    }

    #[test]
    fn every_source_of_moves_gives_the_same_count() {
        for source in [Generator::Tables, Generator::Templates, Generator::Scan] {
            assert_eq!(perft_by(&source, &mut Xiangqi::start(), 3), 79_666, "{source:?}");
        }
    }
}
