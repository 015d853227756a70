//! Counts of the results of all positions of some material.

use serde::{Deserialize, Serialize};

use super::material::Material;
use super::retrograde::{Solver, TooLarge, Value};
use super::{is_settled, is_unthreatened};
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

    const fn is_all_won(self) -> bool {
        self.won > 0 && self.won == self.positions()
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
    /// Those in which nothing [threatens](super::is_unthreatened) the side with more.
    pub unthreatened: [Results; 2],
    /// Plies of the longest win of the side with more, from any position; 0 without wins.
    pub longest_win: u16,
}

/// A result that all positions of some kind have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The side with more wins.
    Won {
        /// In at most so many.
        plies: u16,
        /// Also where something threatens it.
        threatened: bool,
    },
    /// Nobody wins settled positions.
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
        let [mut all, mut settled, mut unthreatened] = [[Results::default(); 2]; 3];
        let mut longest_win = 0;
        solver.for_each(material, |position, value| {
            let side = position.turn().index();
            let value = for_first(position, value);
            count(&mut all[side], value);
            let game = without_past(position);
            if is_settled(&game) {
                count(&mut settled[side], value);
            }
            if is_unthreatened(&game, Side::First) {
                count(&mut unthreatened[side], value);
            }
            if let Value::Won(plies) = value {
                longest_win = longest_win.max(plies);
            }
        });
        Ok(Self { material: material.to_string(), all, settled, unthreatened, longest_win })
    }

    /// What all positions with this side to move (0: the one with more) have in common, or all unthreatened or settled ones.
    pub(super) fn claim(&self, mover: usize) -> Option<Claim> {
        let [all, settled, unthreatened] = [self.all, self.settled, self.unthreatened].map(|kind| kind[mover]);
        if unthreatened.is_all_won() {
            return Some(Claim::Won { plies: self.longest_win, threatened: all.is_all_won() });
        }
        let is_drawn = settled.drawn > 0 && settled.drawn == settled.positions();
        is_drawn.then_some(Claim::Drawn)
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
            Survey { material: String::new(), all: settled, settled, unthreatened: settled, longest_win: 1 }.scale()
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
    fn a_win_is_claimed_of_unthreatened_positions_or_all_and_a_draw_of_settled_ones() {
        let claim = |[all, unthreatened, settled]: [[u64; 3]; 3]| {
            let [all, unthreatened, settled] =
                [all, unthreatened, settled].map(|results| [Results::default(), Results::from(results)]);
            let survey = Survey { material: String::new(), all, settled, unthreatened, longest_win: 9 };
            survey.claim(1)
        };
        let won = |threatened| Some(Claim::Won { plies: 9, threatened });
        assert_eq!(claim([[4, 0, 0], [3, 0, 0], [2, 0, 0]]), won(true));
        assert_eq!(claim([[3, 1, 0], [3, 0, 0], [2, 0, 0]]), won(false));
        assert_eq!(claim([[3, 1, 0], [3, 1, 0], [2, 0, 0]]), None, "one that is not threatened is drawn");
        assert_eq!(claim([[1, 3, 0], [1, 3, 0], [0, 2, 0]]), Some(Claim::Drawn));
        assert_eq!([[3, 0, 1], [0, 2, 1], [0; 3]].map(|results| claim([results; 3])), [None; 3]);
    }
}
