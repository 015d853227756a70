//! MTD(f): the root's value by null windows alone, over the same tree (S2, §1.3 and §2.2).
//!
//! Each search of a null window gives a bound on the value, and the bounds close in until they meet. S2's step sets the next
//! window that far beyond the last bound, towards the value: fewer searches where the value is far from the guess, and more
//! where the step leads beyond it. Windows are kept between the bounds, so the value found is the same for every step.

use super::settings::{Driver, SearchSettings};
use super::tree::Tree;
use super::turn::{UNREACHED, Window};
use crate::eval::Score;
use crate::game::SearchHints;

/// What is known of the root's value, and the guess that comes next.
struct Bounds {
    lower: Score,
    upper: Score,
    guess: Score,
    step: Score,
}

impl Bounds {
    const fn new(guess: Score, step: Score) -> Self {
        Self { lower: -UNREACHED, upper: UNREACHED, guess, step }
    }

    const fn have_met(&self) -> bool {
        self.lower >= self.upper
    }

    /// The upper end of the next null window: above the guess by more than the step if the value is known to be no less
    /// than the guess, below it by the step otherwise, and always between the bounds.
    fn beta(&self) -> Score {
        let beta =
            if self.guess == self.lower { self.guess + 1 + self.step } else { self.guess.saturating_sub(self.step) };
        beta.clamp(self.lower + 1, self.upper)
    }

    const fn learn(&mut self, score: Score, beta: Score) {
        self.guess = score;
        if score < beta { self.upper = score } else { self.lower = score }
    }
}

/// The step of S2, in the evaluator's unit; `last` is the best value of the last iteration.
const fn step(settings: &SearchSettings, last: Score) -> Score {
    match settings.driver {
        Driver::AlphaBeta | Driver::MtdfZero => 0,
        Driver::MtdfFixed => settings.mtdf_step as Score,
        Driver::MtdfAdaptive => last.abs(),
    }
}

/// The root's value and principal variation at `depth`; `last` is the value of the depth before and the first guess.
pub(super) fn root_line<G: SearchHints>(
    tree: &mut Tree<'_, G>,
    depth: u32,
    last: Score,
) -> Option<(Score, Vec<G::Move>)> {
    let mut bounds = Bounds::new(last, step(&tree.settings, last));
    let mut line = Vec::new();
    while !bounds.have_met() {
        let beta = bounds.beta();
        let score = tree.root_value(depth, Window { alpha: beta - 1, beta })?;
        tree.null_windows += 1;
        bounds.learn(score, beta);
        if score >= beta {
            line = tree.principal_variation(depth);
        }
    }
    Some((bounds.guess, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The searches that a value takes when each gives the worst bound (fail-hard).
    fn searches(value: Score, guess: Score, step: Score) -> usize {
        let mut bounds = Bounds::new(guess, step);
        let mut searches = 0;
        while !bounds.have_met() {
            let beta = bounds.beta();
            assert!(bounds.lower < beta && beta <= bounds.upper);
            bounds.learn(if value >= beta { beta } else { beta - 1 }, beta);
            searches += 1;
        }
        assert_eq!(bounds.lower, value);
        searches
    }

    #[test]
    fn every_step_finds_the_value_and_a_good_guess_two_searches() {
        for step in [0, 1, 7, 150] {
            for value in -40..40 {
                searches(value, 5, step);
            }
        }
        assert_eq!(searches(5, 5, 0), 2);
        assert!(searches(405, 5, 50) < searches(405, 5, 0) / 3);
    }

    #[test]
    fn windows_step_beyond_the_last_bound_and_stay_between_the_bounds() {
        let beta = |guess, step| Bounds { lower: 5, upper: 40, guess, step }.beta();
        assert_eq!([0, 7, 50].map(|step| beta(5, step)), [6, 13, 40], "from the lower bound");
        assert_eq!([0, 7, 50].map(|step| beta(40, step)), [40, 33, 6], "from the upper bound");
    }

    #[test]
    fn steps_are_those_of_the_driver() {
        let of = |driver| step(&SearchSettings { driver, mtdf_step: 7, ..SearchSettings::default() }, -30);
        assert_eq!(
            [Driver::AlphaBeta, Driver::MtdfZero, Driver::MtdfFixed, Driver::MtdfAdaptive].map(of),
            [0, 0, 7, 30]
        );
    }

    #[test]
    fn a_score_is_a_lower_bound_from_beta_on() {
        for (score, expected) in [(8, (5, 8, 8)), (9, (9, 40, 9)), (10, (10, 40, 10))] {
            let mut bounds = Bounds { lower: 5, upper: 40, guess: 5, step: 0 };
            bounds.learn(score, 9);
            assert_eq!((bounds.lower, bounds.upper, bounds.guess), expected);
        }
        let met = |lower, upper| Bounds { lower, upper, guess: 0, step: 0 }.have_met();
        assert_eq!([met(4, 5), met(5, 5), met(6, 5)], [false, true, true]);
        let mut bounds = Bounds::new(3, 2);
        assert_eq!((bounds.lower, bounds.upper, bounds.beta()), (-UNREACHED, UNREACHED, 1));
        bounds.learn(1, 1);
        assert_eq!(bounds.beta(), 4);
    }
}
