//! The 91 inputs of S1 (§3.2) and S5 (§2.3): the fixed value of the piece on each of the 90 points, and the side to move.
//!
//! A red piece has a positive value, a black one a negative value, an empty point 0. The attributes are named by the
//! points, `a0` (Red's left corner) to `i9`, rank by rank; the last is `side`, 1 when Red is to move and -1 otherwise.

use super::{AttributeSpec, FeatureSet, exchange_of};
use crate::game::{Game, Side};
use crate::games::xiangqi::{PIECE_VALUES, Role, SQUARES, Xiangqi, square_name};
use crate::table::Involution;

/// The values of a point in ascending order; a value's index is its code.
pub const POINT_VALUES: [i32; 15] = [-6000, -600, -285, -270, -125, -120, -20, 0, 20, 120, 125, 270, 285, 600, 6000];

/// Inputs are piece values in units of a rook, held to ±1 (the king's 6000 stands for "infinite").
const INPUT_UNIT: f32 = 600.0;

/// The name of the feature set.
pub const NAME: &str = "board91";

const N_POINTS: usize = SQUARES;

/// The code of a point for each board code: 0 empty, 1-7 red, 8-14 black.
const CODE_OF_PIECE: [u8; 15] = codes_of_pieces();

const fn codes_of_pieces() -> [u8; 15] {
    let mut codes = [0; 15];
    let mut piece = 0;
    while piece < 15 {
        let value = match piece {
            0 => 0,
            1..=7 => PIECE_VALUES[piece - 1],
            _ => -PIECE_VALUES[piece - 8],
        };
        let mut code = 0;
        while POINT_VALUES[code] != value {
            code += 1;
        }
        codes[piece] = code as u8;
        piece += 1;
    }
    codes
}

/// The feature set `board91`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Board91;

impl FeatureSet<Xiangqi> for Board91 {
    fn name(&self) -> &str {
        NAME
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let input = |value: f32| (value / INPUT_UNIT).clamp(-1.0, 1.0);
        let point = |index| AttributeSpec::new(square_name(index), &POINT_VALUES, input);
        (0..N_POINTS).map(point).chain([side_to_move()]).collect()
    }

    fn n_attributes(&self) -> usize {
        N_POINTS + 1
    }

    /// `black rook on e9`, `e4 empty`, `Red to move`.
    fn describe(&self, attribute: usize, code: u8) -> String {
        if attribute == N_POINTS {
            return if code == 0 { "Black to move" } else { "Red to move" }.to_owned();
        }
        let (point, value) = (square_name(attribute), POINT_VALUES[usize::from(code)]);
        let role = Role::ALL.into_iter().zip(PIECE_VALUES).find(|(_, piece)| *piece == value.abs());
        let side = if value > 0 { "red" } else { "black" };
        role.map_or_else(|| format!("{point} empty"), |(role, _)| format!("{side} {} on {point}", role.name()))
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of_points(&self.attributes(), |value| -value)
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        for (code, &piece) in codes.iter_mut().zip(position.board()) {
            *code = CODE_OF_PIECE[usize::from(piece)];
        }
        codes[N_POINTS] = code_of_side(position);
    }

    #[inline]
    fn raw_in_memory<'p>(&self, position: &'p Xiangqi) -> &'p [u8] {
        position.board()
    }

    #[inline]
    fn write_raw(&self, position: &Xiangqi, raw: &mut [u8]) {
        raw[0] = code_of_side(position);
    }

    #[inline]
    fn code_of_raw(&self, attribute: usize, raw: u8) -> u8 {
        if attribute < N_POINTS { CODE_OF_PIECE.get(usize::from(raw)).copied().unwrap_or_default() } else { raw }
    }
}

/// The exchange of colours of attributes that are the 90 points and the side to move: the board is turned, what a value becomes is told
/// by `exchanged`, and the other side is to move.
pub fn exchange_of_points(specs: &[AttributeSpec], exchanged: impl Fn(i32) -> i32) -> Option<Involution> {
    exchange_of(specs, |t, value| if t < N_POINTS { (N_POINTS - 1 - t, exchanged(value)) } else { (t, -value) })
}

/// The attribute `side`: 1 when Red is to move and -1 otherwise.
pub fn side_to_move() -> AttributeSpec {
    AttributeSpec::of_values("side", &[-1, 1])
}

/// The value code of [`side_to_move`].
#[inline]
pub fn code_of_side(position: &Xiangqi) -> u8 {
    u8::from(position.side_to_move() == Side::First)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_has_signed_piece_values() {
        let mut codes = [0; 91];
        Board91.encode(&Xiangqi::start(), &mut codes);
        let attributes = Board91.attributes();
        let value = |name: &str| {
            let index = attributes.iter().position(|a| a.name == name).unwrap();
            attributes[index].values[usize::from(codes[index])]
        };
        let expected = [("a0", 600), ("e0", 6000), ("b2", 285), ("e3", 20), ("e4", 0), ("h9", -270), ("c9", -120)];
        for (point, expected) in expected {
            assert_eq!(value(point), expected, "{point}");
        }
        assert_eq!((value("d9"), value("side")), (-125, 1));
    }

    #[test]
    fn values_are_described_as_pieces() {
        let described = |attribute, value: i32| {
            let code = POINT_VALUES.iter().position(|&known| known == value).unwrap();
            Board91.describe(attribute, code as u8)
        };
        assert_eq!(described(85, -6000), "black king on e9");
        assert_eq!((described(0, 600), described(44, 0)), ("red rook on a0".to_owned(), "i4 empty".to_owned()));
        assert_eq!((Board91.describe(90, 0), Board91.describe(90, 1)), ("Black to move".into(), "Red to move".into()));
    }

    #[test]
    fn king_and_rook_differ_as_values_though_not_as_inputs() {
        let point = &Board91.attributes()[0];
        assert_eq!(point.inputs[14], 1.0);
        assert_eq!(point.inputs[13], 1.0);
        assert_eq!(point.inputs[7], 0.0);
        assert!(point.values.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
