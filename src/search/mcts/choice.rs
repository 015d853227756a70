//! Which move a simulation tries at a node, and which moves may be played in the end.

use super::settings::{FirstPlay, MctsSettings};
use super::store::{Edge, Node, Proof};

/// What puts a move that is proved to lose behind all others.
const LOST: f64 = -1e9;

/// The move with the largest Q + U, U = c P √N(s) / (1 + N(s, a)), the first of equal ones; `prior` gives P.
///
/// N(s) counts the visit that opened the node, so that the priors decide from the first visit on. Visits that wait for an answer count
/// as lost by the virtual loss.
pub(super) fn puct(settings: &MctsSettings, node: &Node, edges: &[Edge], prior: impl Fn(usize) -> f32) -> usize {
    let attempts: u32 = edges.iter().map(|edge| edge.attempts()).sum();
    let scale = settings.c_puct * f64::from(1 + attempts).sqrt();
    let untried = first_play(settings, node, edges, &prior);
    let score = |(at, edge): (usize, &Edge)| {
        let value = edge.mean(settings.virtual_loss).unwrap_or(untried) + if is_lost(edge) { LOST } else { 0.0 };
        value + scale * f64::from(prior(at)) / f64::from(1 + edge.attempts())
    };
    largest(edges.iter().enumerate().map(score))
}

/// What a move that was never tried is taken to be worth.
fn first_play(settings: &MctsSettings, node: &Node, edges: &[Edge], prior: &impl Fn(usize) -> f32) -> f64 {
    let base = match settings.first_play {
        FirstPlay::Draw => 0.0,
        FirstPlay::Parent => node.mean(),
    };
    if settings.first_play_reduction == 0.0 {
        return base;
    }
    let tried = edges.iter().enumerate().filter(|(_, edge)| edge.attempts() > 0);
    let mass: f64 = tried.map(|(at, _)| f64::from(prior(at))).sum();
    base - settings.first_play_reduction * mass.sqrt()
}

/// Whether the move is proved to lose.
pub(super) fn is_lost(edge: &Edge) -> bool {
    edge.proof == Some(Proof::Loss)
}

/// Whether a move may be played, judging by what is proved: won ones alone, if there are any, and lost ones only where all are.
pub(super) fn playable(edges: &[Edge]) -> impl Fn(&Edge) -> bool + use<> {
    let won = edges.iter().any(|edge| edge.proof == Some(Proof::Win));
    let all_lost = edges.iter().all(is_lost);
    move |edge| if won { edge.proof == Some(Proof::Win) } else { all_lost || !is_lost(edge) }
}

/// The index of the largest number, the first of equal ones; 0 of none.
pub(super) fn largest(numbers: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (at, number) in numbers.enumerate() {
        if number > best.1 {
            best = (at, number);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::super::store::{NONE, ROOT, Store};
    use super::*;
    use crate::game::Side;

    #[test]
    fn of_equal_numbers_the_first_is_the_largest() {
        assert_eq!(largest([1.0, 3.0, 3.0, 2.0].into_iter()), 1);
        assert_eq!(largest([f64::NEG_INFINITY; 2].into_iter()), 0);
        assert_eq!(largest(std::iter::empty()), 0);
    }

    /// A move of prior 9/16 was tried, which makes the reduction count three quarters; the node is worth 1/2 on average.
    #[test]
    fn a_move_that_was_not_tried_is_worth_less_the_more_others_were() {
        let edge = |prior, visits| Edge { total: 0.0, prior, visits, child: NONE, pending: 0, proof: None };
        let edges = [edge(0.5625, 2), edge(0.4375, 0)];
        let mut store = Store::<()>::new();
        store.add(NONE, NONE, Side::First);
        let node = Node { visits: 3, total: 1.5, ..*store.node(ROOT) };
        let worth = |first_play, first_play_reduction| {
            let settings = MctsSettings { first_play, first_play_reduction, ..MctsSettings::default() };
            super::first_play(&settings, &node, &edges, &|at: usize| edges[at].prior)
        };
        approx::assert_abs_diff_eq!(worth(FirstPlay::Draw, 0.0), 0.0);
        approx::assert_abs_diff_eq!(worth(FirstPlay::Parent, 0.0), 0.5);
        approx::assert_abs_diff_eq!(worth(FirstPlay::Draw, 0.5), -0.375);
        approx::assert_abs_diff_eq!(worth(FirstPlay::Parent, 0.5), 0.125);
    }

    fn edges_with(proofs: [Option<Proof>; 3]) -> [Edge; 3] {
        let edge = |(prior, visits, total), proof| Edge { total, prior, visits, child: NONE, pending: 0, proof };
        let [first, second, third] = proofs;
        [edge((0.5, 3, 1.5), first), edge((0.25, 1, -0.5), second), edge((0.25, 0, 0.0), third)]
    }

    /// With √5 c / 8 for the first move beside its value of 1/2, and √5 c / 4 for the third, they are equal at c = 4 / √5 = 1.78885.
    #[test]
    fn a_simulation_tries_the_move_with_the_largest_sum_of_value_and_bonus() {
        let mut store = Store::<()>::new();
        store.add(NONE, NONE, Side::First);
        let node = *store.node(ROOT);
        let of_s4 = MctsSettings { first_play: FirstPlay::Draw, first_play_reduction: 0.0, ..MctsSettings::default() };
        let tried = |c_puct, edges: [Edge; 3], prior: &dyn Fn(usize) -> f32| {
            puct(&MctsSettings { c_puct, ..of_s4 }, &node, &edges, prior)
        };
        let (edges, loss) = (edges_with([None; 3]), Some(Proof::Loss));
        let own = |at: usize| edges[at].prior;
        assert_eq!([1.78, 1.80].map(|c_puct| tried(c_puct, edges, &own)), [0, 2]);
        // -1/2 + √5 c / 2 is more than 1/2 from c = 2 / √5 = 0.89443 on.
        let second = |at: usize| if at == 1 { 1.0 } else { 0.0 };
        assert_eq!([0.89, 0.90].map(|c_puct| tried(c_puct, edges, &second)), [0, 1]);
        assert_eq!(tried(1.80, edges_with([None, None, loss]), &own), 0);
        assert_eq!(tried(1.80, edges_with([loss, None, loss]), &own), 1);
        assert_eq!(tried(1.80, edges_with([loss; 3]), &own), 2, "if all lose, the largest bonus");
    }

    #[test]
    fn won_moves_alone_may_be_played_and_lost_ones_only_where_all_are() {
        let (win, draw, loss) = (Some(Proof::Win), Some(Proof::Draw), Some(Proof::Loss));
        let cases = [
            ([None, draw, loss], [true, true, false]),
            ([None, win, loss], [false, true, false]),
            ([win, draw, win], [true, false, true]),
            ([loss, loss, loss], [true, true, true]),
            ([None, None, None], [true, true, true]),
        ];
        for (proofs, expected) in cases {
            let edges = edges_with(proofs);
            assert_eq!(edges.each_ref().map(playable(&edges)), expected, "{proofs:?}");
        }
    }
}
