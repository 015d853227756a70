//! Threats of Connect6: how many stones stop them, which do, and wins by nothing but threats.
//!
//! A side threatens a window (a run of six points) that holds four or more of its stones and none of the other side: it
//! could fill it in one turn. T is the least number of enemy stones that stop all its threats. Whoever leaves T = 2 forces
//! both stones of the enemy's next turn, and whoever leaves T = 3 wins, unless the enemy can make six first. A *victory by
//! continuous double threats* is a sequence of turns each of which stops all threats of the enemy and leaves T of 2 or
//! more, against every defence, up to a turn that leaves 3. I-C. Wu and D.-Y. Huang, *A new family of k-in-a-row games*,
//! 2005.
//!
//! [`Solver`] finds such victories and [`Proof`]s of them. See `docs/threats.md`.

mod attacks;
mod cover;
mod field;
mod proof;
mod search;
mod solver;
mod table;
mod verify;

pub use proof::{Defence, Proof, Then};
pub use solver::{Answer, Found, Limits, MAX_TURNS, Solver};
pub use verify::Flaw;

use super::{Connect6, Point};
use crate::game::Side;
pub(super) use cover::Threat;
use field::{Field, Role};

/// T: the least number of enemy stones that stop all threats of `side`.
pub fn threat_count(game: &Connect6, side: Side) -> usize {
    cover::least(&threats_of(game, side))
}

/// Every set of at most two enemy stones that stops all threats of `side` and of which no stone can be left out: first the
/// single stones, then the pairs, each in order. None where there are no threats, or where two stones are too few.
/// The sets of the fewest stones are those as long as the first.
pub fn minimal_blocks(game: &Connect6, side: Side) -> Vec<Vec<Point>> {
    cover::minimal(&threats_of(game, side))
}

fn threats_of(game: &Connect6, side: Side) -> Vec<Threat> {
    let mut threats = Vec::new();
    Field::new(game, side).threats(Role::Attacker, &mut threats);
    threats
}

/// A victory of the side to move by continuous double threats that is found within `nodes` positions, as long as `go_on` says so:
/// the stones of both sides up to six in a row, with defences that hold out longest.
pub fn forced_win(game: &Connect6, nodes: u64, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Point>> {
    let found = Solver::new().solve_while(game, Limits { turns: MAX_TURNS, nodes }, go_on);
    if let Answer::Win(proof) = found.answer { Some(proof.line(game)) } else { None }
}
