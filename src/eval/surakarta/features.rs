//! The 36 points of Surakarta's board and the side to move, as S1 and S5 describe a board of Xiangqi.
//!
//! A red piece is 1, a black one -1, an empty point 0. The attributes are named by the points, row by row from the top, `a6` to
//! `f1`; the last is `side`, 1 when Red is to move and -1 otherwise.

use crate::features::{AttributeSpec, FeatureSet, Involution, exchange_of};
use crate::game::{Game, Side};
use crate::games::surakarta::{POINTS, SIZE, Surakarta, point_name};

/// The name of the feature set.
pub const NAME: &str = "board37";

/// The values of a point in ascending order; a value's index is its code.
const POINT_VALUES: [i32; 3] = [-1, 0, 1];
const EMPTY: u8 = 1;

/// The feature set `board37`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Board37;

impl FeatureSet<Surakarta> for Board37 {
    fn name(&self) -> &str {
        NAME
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let points = (0..POINTS).map(|point| AttributeSpec::of_values(point_name(point), &POINT_VALUES));
        points.chain([AttributeSpec::of_values("side", &[-1, 1])]).collect()
    }

    fn n_attributes(&self) -> usize {
        POINTS + 1
    }

    /// `black piece on e5`, `e4 empty`, `Red to move`.
    fn describe(&self, attribute: usize, code: u8) -> String {
        match (attribute, code) {
            (POINTS, 0) => "Black to move".to_owned(),
            (POINTS, _) => "Red to move".to_owned(),
            (_, EMPTY) => format!("{} empty", point_name(attribute)),
            (_, 0) => format!("black piece on {}", point_name(attribute)),
            (..) => format!("red piece on {}", point_name(attribute)),
        }
    }

    /// The board turned upside down: row by row from the bottom.
    fn exchange(&self) -> Option<Involution> {
        let upside_down = |point: usize| (SIZE - 1 - point / SIZE) * SIZE + point % SIZE;
        exchange_of(&self.attributes(), |t, value| (if t < POINTS { upside_down(t) } else { t }, -value))
    }

    #[inline]
    fn encode(&self, position: &Surakarta, codes: &mut [u8]) {
        codes.fill(EMPTY);
        position.pieces(Side::First).into_iter().for_each(|point| codes[point] = EMPTY + 1);
        position.pieces(Side::Second).into_iter().for_each(|point| codes[point] = EMPTY - 1);
        codes[POINTS] = u8::from(position.side_to_move() == Side::First);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn positions_are_described_point_by_point() {
        let position = Surakarta::from_notation("b5/6/6/6/6/5r b").unwrap();
        let mut codes = [9; POINTS + 1];
        Board37.encode(&position, &mut codes);
        let words: Vec<String> = (0..=POINTS).map(|at| Board37.describe(at, codes[at])).collect();
        let expected = ["black piece on a6", "red piece on f1", "Black to move"];
        assert_eq!([&words[0], &words[POINTS - 1], &words[POINTS]], expected);
        assert!(words[1..POINTS - 1].iter().all(|words| words.ends_with(" empty")));
        let attributes = Board37.attributes();
        let value = |at: usize| attributes[at].values[usize::from(codes[at])];
        assert_eq!([value(0), value(1), value(POINTS - 1), value(POINTS)], [-1, 0, 1, -1]);
    }
}
