//! A player that makes every legal move with the same chance.

use rand::seq::IndexedRandom;
use serde_json::Value;

use super::{Chance, Decided, Decision, Failure, Player, Seat};
use crate::arena::openings::Opening;
use crate::engine::Clock;
use crate::game::{BoardGame, Side};
use crate::random::Stream;

/// Makes every legal move with the same chance; draws from the stream `random mover`.
#[derive(Debug, Clone, Copy)]
pub struct RandomPlayer;

impl RandomPlayer {
    /// What it is called.
    pub const NAME: &'static str = "random";
}

impl<G: BoardGame> Player<G> for RandomPlayer {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn identity(&self) -> Value {
        Self::NAME.into()
    }

    fn sit(&self, chance: Chance, side: Side) -> Result<Box<dyn Seat<G>>, Failure> {
        Ok(Box::new(RandomSeat(chance.stream("random mover", side))))
    }
}

struct RandomSeat(Stream);

impl<G: BoardGame> Seat<G> for RandomSeat {
    fn decide(&mut self, position: &mut G, _line: &Opening<G>, _clocks: Option<[Clock; 2]>) -> Decided<G::Move> {
        Ok(position.moves().choose(&mut self.0).copied().map(Decision::silent))
    }
}
