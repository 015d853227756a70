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
