//! The matches of S1: each network against the traditional evaluator, and the methods against each other.

use super::Networks;
use crate::eval::xiangqi::TRADITIONAL;
use crate::experiment::contest::Competitor;

/// The pairs of players in the order of the tables: every network but the random start against the traditional evaluator, the
/// rough ones first, then the methods against each other.
pub fn pairings(networks: &Networks) -> Vec<[Competitor<'_>; 2]> {
    let Networks { rough, bp, td, reduct_only, .. } = networks;
    let network = Competitor::Network;
    let others = bp.iter().chain(td).chain([reduct_only]);
    let against_traditional = rough.iter().chain(others).map(|one| [network(one), Competitor::BuiltIn(TRADITIONAL)]);
    let last = [rough, bp, td].map(|of_method| of_method.last().map(network));
    let [rough, bp, td] = last;
    let among_methods = [(rough, bp), (rough, td), (bp, td)].into_iter().filter_map(|(a, b)| Some([a?, b?]));
    against_traditional.chain(among_methods).collect()
}
