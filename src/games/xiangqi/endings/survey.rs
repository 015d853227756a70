//! Counts of the results of all positions of some material.

use serde::{Deserialize, Serialize};

use super::is_settled;
use super::material::Material;
use super::retrograde::{Solver, TooLarge, Value};
use crate::game::Side;
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::position::Position;

/// How many positions the side with more wins, draws and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 3]", into = "[u64; 3]")]
pub struct Results {
    /// Positions that it wins.
    pub won: u64,
    /// Positions that neither wins.
    pub drawn: u64,
    /// Positions that it loses.
    pub lost: u64,
}

impl From<[u64; 3]> for Results {
    fn from([won, drawn, lost]: [u64; 3]) -> Self {
        Self { won, drawn, lost }
    }
}

impl From<Results> for [u64; 3] {
    fn from(results: Results) -> Self {
        [results.won, results.drawn, results.lost]
    }
}

impl Results {
    /// How many positions were counted.
    pub const fn positions(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

/// The results of all positions of some material. Index 0 of each pair: the side with more is to move; 1: the other one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survey {
    /// The material in its canonical form, the side with more first.
    pub material: String,
    /// All positions.
    pub all: [Results; 2],
    /// Those that are [settled](super::is_settled).
    pub settled: [Results; 2],
    /// Plies of the longest win of the side with more, from any position; 0 without wins.
    pub longest_win: u16,
}

/// A result that all settled positions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The side with more wins in at most so many plies.
    Won(u16),
    /// Nobody wins.
    Drawn,
}

impl Survey {
    /// Solves `material` and counts.
    ///
    /// # Errors
    /// When it has too many placements.
    pub fn of(material: Material, solver: &mut Solver) -> Result<Self, TooLarge> {
        let material = material.canonical();
        solver.solve(material)?;
        let (mut all, mut settled) = ([Results::default(); 2], [Results::default(); 2]);
        let mut longest_win = 0;
        solver.for_each(material, |position, value| {
            let side = position.turn().index();
            let value = for_first(position, value);
            count(&mut all[side], value);
            if is_settled(&without_past(position)) {
                count(&mut settled[side], value);
            }
            if let Value::Won(plies) = value {
                longest_win = longest_win.max(plies);
            }
        });
        Ok(Self { material: material.to_string(), all, settled, longest_win })
    }

    /// What all settled positions with this side to move (0: the one with more) have in common.
    pub(super) fn claim(&self, mover: usize) -> Option<Claim> {
        match self.settled[mover] {
            Results { won: 1.., drawn: 0, lost: 0 } => Some(Claim::Won(self.longest_win)),
            Results { won: 0, drawn: 1.., lost: 0 } => Some(Claim::Drawn),
            _ => None,
        }
    }

    /// In how many of 64 settled positions the side with more wins, rounded up; `None` if in more than half of them.
    pub(super) fn scale(&self) -> Option<u8> {
        let [won, positions] = [|results: &Results| results.won, |results: &Results| results.positions()]
            .map(|of| self.settled.iter().map(of).sum::<u64>());
        let scale = (64 * won).div_ceil(positions.max(1));
        u8::try_from(scale).ok().filter(|&scale| scale <= 32)
    }
}

/// A position as a game that has just been set up.
fn without_past(position: &Position) -> Xiangqi {
    Xiangqi { position: *position, quiet_plies: 0, repeatable_plies: 0, plies_before: 0, past: Vec::new() }
}

/// The value for Red, who has more in canonical material.
fn for_first(position: &Position, value: Value) -> Value {
    match (position.turn(), value) {
        (Side::Second, Value::Won(plies)) => Value::Lost(plies),
        (Side::Second, Value::Lost(plies)) => Value::Won(plies),
        _ => value,
    }
}

const fn count(results: &mut Results, value: Value) {
    match value {
        Value::Won(_) => results.won += 1,
        Value::Drawn => results.drawn += 1,
        Value::Lost(_) => results.lost += 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn positions_are_those_won_drawn_and_lost() {
        assert_eq!(Results::from([1, 2, 4]).positions(), 7);
    }

    #[test]
    fn the_scale_is_the_share_of_wins_in_64_rounded_up_if_at_most_half() {
        let scale = |settled: [[u64; 3]; 2]| {
            let settled = settled.map(Results::from);
            Survey { material: String::new(), all: settled, settled, longest_win: 1 }.scale()
        };
        assert_eq!(scale([[0, 1, 0], [0, 0, 1]]), Some(0));
        assert_eq!(scale([[1, 30, 33], [0, 64, 0]]), Some(1));
        assert_eq!(scale([[32, 0, 0], [0, 16, 16]]), Some(32));
        assert_eq!(scale([[32, 0, 0], [1, 15, 16]]), None);
    }

    #[test]
    fn results_are_counted_for_red() {
        let position = |turn: &str| {
            let text = format!("4k4/9/9/9/9/9/9/9/9/3K5 {turn}");
            Xiangqi::from_notation(&text).unwrap().position
        };
        for (turn, value, expected) in [
            ("w", Value::Won(3), [1, 0, 0]),
            ("w", Value::Drawn, [0, 1, 0]),
            ("w", Value::Lost(2), [0, 0, 1]),
            ("b", Value::Won(3), [0, 0, 1]),
            ("b", Value::Drawn, [0, 1, 0]),
            ("b", Value::Lost(2), [1, 0, 0]),
        ] {
            let mut results = Results::from([4, 2, 1]);
            count(&mut results, for_first(&position(turn), value));
            assert_eq!(
                <[u64; 3]>::from(results),
                [4 + expected[0], 2 + expected[1], 1 + expected[2]],
                "{turn} {value:?}"
            );
        }
        assert_eq!(for_first(&position("b"), Value::Lost(2)), Value::Won(2));
    }

    #[test]
    fn a_result_is_claimed_that_all_settled_positions_have() {
        let claims = |settled: [[u64; 3]; 2]| {
            let settled = settled.map(Results::from);
            let survey = Survey { material: String::new(), all: settled, settled, longest_win: 9 };
            [0, 1].map(|mover| survey.claim(mover))
        };
        assert_eq!(claims([[3, 0, 0], [0, 2, 0]]), [Some(Claim::Won(9)), Some(Claim::Drawn)]);
        assert_eq!(claims([[3, 1, 0], [3, 0, 1]]), [None; 2]);
        assert_eq!(claims([[0, 2, 1], [0, 0, 0]]), [None; 2]);
        assert_eq!(claims([[0, 0, 5], [1, 0, 0]]), [None, Some(Claim::Won(9))]);
    }
}
