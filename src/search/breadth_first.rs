//! Breadth-first expansion (S3): the tree level by level, then values backed up from the last level to the root.
//!
//! It keeps every node, so it serves for a few plies: as a reference that shares no order of visits with the others, and to
//! look at whole trees.

use super::SearchResult;
use super::minimax::{Minimax, is_better};
use super::settings::Leaf;
use crate::eval::{Evaluator, Score};
use crate::game::{SearchHints, Side};

/// A node of the expanded tree.
struct Node<M> {
    parent: usize,
    /// The move that leads here from the parent; `None` at the root.
    mv: Option<M>,
    side: Side,
    /// The value for the first side, once known, and the child that has it.
    best: Option<(Score, Option<usize>)>,
}

/// The value of `position` for its side to move by expansion of `depth` plies; of equal moves the first. As
/// [`minimax`](super::minimax()) defines it.
pub fn breadth_first<G: SearchHints>(
    position: &G,
    evaluator: &mut dyn Evaluator<G>,
    depth: u32,
    leaf: Leaf,
) -> SearchResult<G::Move> {
    let mut search = Minimax::new(evaluator, leaf);
    let side = position.side_to_move();
    let mut tree = vec![Node { parent: 0, mv: None, side, best: None }];
    let mut level = vec![(0, position.clone())];
    for ply in 0..=depth {
        let mut next = Vec::new();
        for (at, position) in &mut level {
            search.ply = ply as Score;
            if let Some(value) = search.value_without_expansion(position, depth - ply) {
                tree[*at].best = Some((value, None));
            } else {
                expand(*at, position, &mut tree, &mut next);
            }
        }
        level = next;
    }
    back_up(&mut tree);
    let score = tree[0].best.map_or(0, |(value, _)| value) * side.sign();
    let pv = line(&tree);
    SearchResult { best: pv.first().copied(), score, depth, nodes: search.nodes, null_windows: 0, pv }
}

/// Adds the children of node `at` to the tree and to the next level.
fn expand<G: SearchHints>(at: usize, position: &G, tree: &mut Vec<Node<G::Move>>, next: &mut Vec<(usize, G)>) {
    let moves = position.moves();
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        next.push((tree.len(), child.clone()));
        tree.push(Node { parent: at, mv: Some(mv), side: child.side_to_move(), best: None });
    }
}

/// Children stand behind their parents and later siblings behind earlier ones: from the back, a child that is no worse than
/// those behind it takes its parent over, so that of equal moves the first remains.
fn back_up<M>(tree: &mut [Node<M>]) {
    for at in (1..tree.len()).rev() {
        let Some((value, _)) = tree[at].best else { continue };
        let parent = &mut tree[tree[at].parent];
        if parent.best.is_none_or(|(known, _)| !is_better(parent.side, known, value)) {
            parent.best = Some((value, Some(at)));
        }
    }
}

fn line<M: Copy>(tree: &[Node<M>]) -> Vec<M> {
    let below = |&at: &usize| tree[at].best.and_then(|(_, child)| child);
    std::iter::successors(below(&0), below).filter_map(|at| tree[at].mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Catalogue;
    use crate::game::Notation;
    use crate::games::xiangqi::Xiangqi;
    use crate::search::minimax;

    /// A mate, found by each side, and a position without one: value, line and count of positions are minimax's.
    #[test]
    fn level_by_level_the_same_is_found() {
        let mut evaluator = Xiangqi::evaluator_factory("traditional:material").unwrap()();
        for text in [
            "3k5/R8/9/1R7/9/9/8p/9/9/4K4 w",
            "4k4/9/9/8P/9/9/1r7/9/r8/3K5 b",
            "3k5/4r4/9/9/4NP3/9/9/9/9/4K4 w",
            "3k5/4r4/9/9/4NP3/9/9/9/9/4K4 b",
        ] {
            let mut position = Xiangqi::from_notation(text).unwrap();
            for (depth, leaf) in [(0, Leaf::Static), (1, Leaf::Quiescence { plies: 3 }), (3, Leaf::Static)] {
                let expected = minimax(&mut position, &mut *evaluator, depth, leaf);
                assert_eq!(breadth_first(&position, &mut *evaluator, depth, leaf), expected, "{text}, {depth} plies");
            }
        }
    }
}
