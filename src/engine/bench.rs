//! The bench: fixed positions searched to a fixed depth.
//!
//! The number of positions that the search visits is its **signature**: it depends on rules, evaluation and search and on nothing
//! else, so that a change that must not alter their behaviour must not alter the signature.

use std::time::{Duration, Instant};

use crate::eval::{Catalogue, Factory, Score};
use crate::game::PositionError;
use crate::search::{AlphaBeta, Limits, SearchSettings};

/// What the search of one position came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched<M> {
    /// The position.
    pub fen: &'static str,
    /// The best move; `None` where there is none.
    pub best: Option<M>,
    /// Its value for the side to move, in the evaluator's unit.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Searches all positions of [the game's bench](crate::game::Kit::BENCH) on one thread, each with an empty memory, and gives `each` what came of it, in order.
///
/// # Errors
/// Never, as the positions are valid.
pub fn bench<G: Catalogue>(
    evaluator: &Factory<G>,
    search: SearchSettings,
    limits: Limits,
    mut each: impl FnMut(Searched<G::Move>),
) -> Result<(), PositionError> {
    let (mut searcher, mut evaluator) = (AlphaBeta::new(search), evaluator());
    for fen in G::BENCH.positions {
        let mut position = G::from_notation(fen)?;
        searcher.clear();
        let begun = Instant::now();
        let found = searcher.search(&mut position, &mut *evaluator, limits);
        each(Searched { fen, best: found.best, score: found.score, nodes: found.nodes, elapsed: begun.elapsed() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::by_game;
    use crate::game::{Game, Kit};
    use crate::games::GameName;
    use crate::settings::Choices;

    #[test]
    fn all_positions_are_valid_and_different_and_not_over() {
        GameName::ALL.iter().for_each(|name| by_game!(name, G => check::<G>()));
    }

    fn check<G: Kit>() {
        let positions: Vec<G> = G::BENCH.positions.iter().map(|fen| G::from_notation(fen).unwrap()).collect();
        assert!(positions.iter().all(|position| position.end().is_none()));
        let mut keys: Vec<u64> = positions.iter().map(Game::key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), G::BENCH.positions.len());
    }
}
