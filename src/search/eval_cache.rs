//! Static values found lately: the same position is often asked about again, by another search of its parent.

use crate::eval::{Evaluator, Score};
use crate::game::Game;

/// Values kept: 256 KiB, which stay in a processor's second cache.
const SLOTS: usize = 1 << 14;

/// The static values of the positions seen last, by the keys of the one evaluator that it belongs to.
#[derive(Debug, Clone, Default)]
pub(super) struct EvalCache {
    slots: Vec<(u64, Score)>,
}

impl EvalCache {
    /// Forgets everything, as another evaluator may be asked next.
    pub fn clear(&mut self) {
        self.slots.clear();
        // A key that does not lie in its slot is never found there.
        self.slots.extend((0..SLOTS).map(|slot| (!(slot as u64), 0)));
    }

    /// What `evaluator` says of `position`.
    #[inline]
    pub fn evaluate<G: Game>(&mut self, position: &G, evaluator: &mut dyn Evaluator<G>) -> Score {
        let key = evaluator.key(position);
        let slot = &mut self.slots[key as usize % SLOTS];
        if slot.0 != key {
            *slot = (key, evaluator.evaluate(position));
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect6::Connect6;

    /// Says how often it was asked, and takes positions after as many plies for the same.
    struct Counting(Score);

    impl Evaluator<Connect6> for Counting {
        fn evaluate(&mut self, _position: &Connect6) -> Score {
            self.0 += 1;
            self.0
        }

        fn key(&self, position: &Connect6) -> u64 {
            position.plies() as u64
        }

        fn expected_result(&self, _score: Score) -> f64 {
            0.0
        }
    }

    #[test]
    fn what_the_evaluator_takes_for_the_same_is_asked_once() {
        let (mut cache, mut evaluator) = (EvalCache::default(), Counting(0));
        cache.clear();
        let [start, after, other] = [None, Some(0), Some(1)].map(|number: Option<usize>| {
            let mut game = Connect6::start();
            number.into_iter().for_each(|number| game.play(game.moves()[number]));
            game
        });
        let values = [&start, &after, &other, &start].map(|position| cache.evaluate(position, &mut evaluator));
        assert_eq!(values, [1, 2, 2, 1]);
        cache.clear();
        assert_eq!(cache.evaluate(&start, &mut evaluator), 3);
    }
}
