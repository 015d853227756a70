//! `control`: the piece on each of the 90 points, which sides control the point, and the side to move.
//!
//! A side controls a point where it could take a piece of the other side or has its own guarded; of cannons, which take over a screen,
//! only filled points count. Whether that would be legal, with the king in check or pinned pieces, is not asked. So a piece is seen as
//! hanging, guarded, or attacked and guarded, and an empty point as safe to go to or not.

use super::board91::{Board91, POINT_VALUES, exchange_of_points};
use super::{AttributeSpec, FeatureSet};
use crate::game::Side;
use crate::games::xiangqi::{Role, SQUARES, Squares, Xiangqi};
use crate::table::Involution;

/// The name of the feature set.
pub const NAME: &str = "control";

/// Nobody, Red, Black, both.
const CONTROLS: usize = 4;
/// The code of an empty point that nobody controls, by pieces.
const EMPTY: i32 = POINT_VALUES.len() as i32 / 2;

/// The feature set `control`. Values of a point are 10 p + c: p from -7, Black's king, over 0, nothing, to 7, Red's king, in order of
/// the pieces' fixed values; c is 0 where nobody controls the point, 1 Red, 2 Black, 3 both.
#[derive(Debug, Clone, Copy, Default)]
pub struct Control;

/// Of each byte its bits, the lowest first, in a byte each.
const SPREAD: [u64; 1 << u8::BITS] = {
    let mut spread = [0; 1 << u8::BITS];
    let mut at = 0;
    while at < spread.len() * u8::BITS as usize {
        let (byte, bit) = (at / u8::BITS as usize, at % u8::BITS as usize);
        spread[byte] |= (byte as u64 >> bit & 1) << (bit * u8::BITS as usize);
        at += 1;
    }
    spread
};

/// The points that `side` controls.
#[inline(always)]
fn controlled(position: &Xiangqi, side: Side) -> Squares {
    let occupied = position.occupied();
    let mut points = Squares::EMPTY;
    position.visit_reaches(side, |role, _, reach| {
        points = points | if role == Role::Cannon { reach & occupied } else { reach };
    });
    points
}

impl FeatureSet<Xiangqi> for Control {
    fn name(&self) -> &str {
        NAME
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let controls = 0..CONTROLS as i32;
        let pieces = (0..POINT_VALUES.len() as i32).map(|piece| piece - EMPTY);
        let values: Vec<i32> =
            pieces.flat_map(|piece| controls.clone().map(move |control| 10 * piece + control)).collect();
        let mut attributes = Board91.attributes();
        for AttributeSpec { inputs, values: of_point, .. } in &mut attributes[..SQUARES] {
            *inputs = inputs.iter().flat_map(|&input| [input; CONTROLS]).collect();
            of_point.clone_from(&values);
        }
        attributes
    }

    fn n_attributes(&self) -> usize {
        SQUARES + 1
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of_points(&self.attributes(), |value| {
            let (piece, control) = (value.div_euclid(10), value.rem_euclid(10));
            // Nobody and both stay what they are.
            let control = if [1, 2].contains(&control) { 3 - control } else { control };
            -10 * piece + control
        })
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        self.write_raw(position, codes);
        codes.iter_mut().enumerate().for_each(|(attribute, code)| *code = self.code_of_raw(attribute, *code));
    }

    /// Of each point the byte of the board and the two bits of who controls it, eight points at a time: what the byte says of the piece
    /// is asked only where something has changed.
    #[inline]
    fn write_raw(&self, position: &Xiangqi, raw: &mut [u8]) {
        let [red, black] = [Side::First, Side::Second].map(|side| controlled(position, side).0.to_le_bytes());
        let mut points = [0; SQUARES.next_multiple_of(size_of::<u64>())];
        points[..SQUARES].copy_from_slice(position.board());
        for ((points, red), black) in points.as_chunks_mut().0.iter_mut().zip(red).zip(black) {
            let pieces = u64::from_le_bytes(*points) * CONTROLS as u64;
            *points = (pieces | SPREAD[usize::from(red)] | SPREAD[usize::from(black)] << 1).to_le_bytes();
        }
        raw[..SQUARES].copy_from_slice(&points[..SQUARES]);
        Board91.write_raw(position, &mut raw[SQUARES..]);
    }

    #[inline]
    fn code_of_raw(&self, attribute: usize, raw: u8) -> u8 {
        if attribute == SQUARES {
            return raw;
        }
        let (piece, control) = (raw / CONTROLS as u8, raw % CONTROLS as u8);
        Board91.code_of_raw(attribute, piece) * CONTROLS as u8 + control
    }

    /// `black rook on e9, controlled by Red`, `e4 empty`, `Red to move`.
    fn describe(&self, attribute: usize, code: u8) -> String {
        if attribute == SQUARES {
            return Board91.describe(attribute, code);
        }
        let who = ["", ", controlled by Red", ", controlled by Black", ", controlled by both"];
        Board91.describe(attribute, code / CONTROLS as u8) + who[usize::from(code) % CONTROLS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::playout::random_moves;
    use crate::game::symmetry::Symmetry;
    use crate::random::stream;

    fn control_of(position: &Xiangqi, name: &str) -> i32 {
        let mut codes = [0; 91];
        Control.encode(position, &mut codes);
        let attributes = Control.attributes();
        let at = attributes.iter().position(|spec| spec.name == name).unwrap();
        attributes[at].values[usize::from(codes[at])]
    }

    #[test]
    fn points_tell_piece_and_control() {
        let start = Xiangqi::start();
        // A pawn guarded by the rook behind it; a horse that a cannon across the board attacks and a rook guards; a point before a pawn;
        // the middle of the river.
        let values = ["a3", "b9", "e4", "b4"].map(|name| control_of(&start, name));
        assert_eq!(values, [11, -37, 1, 0]);
        let mut codes = [0; 91];
        Control.encode(&start, &mut codes);
        let words = |name: &str| {
            let at = Control.attributes().iter().position(|spec| spec.name == name).unwrap();
            Control.describe(at, codes[at])
        };
        assert_eq!(words("b9"), "black horse on b9, controlled by both");
        assert_eq!(words("e4"), "e4 empty, controlled by Red");
        assert_eq!(words("side"), "Red to move");
    }

    /// The definition, point by point.
    #[test]
    fn codes_are_those_of_the_piece_and_of_both_sides_that_control_the_point() {
        random_moves(&mut Xiangqi::start(), 200, &mut stream(4, "control by points", 0), |position| {
            let (mut codes, mut pieces) = ([0; 91], [0; 91]);
            Control.encode(position, &mut codes);
            Board91.encode(position, &mut pieces);
            let [red, black] = [Side::First, Side::Second].map(|side| controlled(position, side));
            for square in 0..SQUARES {
                let control = u8::from(red.contains(square)) + 2 * u8::from(black.contains(square));
                assert_eq!(codes[square], 4 * pieces[square] + control, "point {square}");
            }
            assert_eq!(codes[SQUARES], pieces[SQUARES]);
        });
    }

    /// Exchanging colours turns the board and changes who is who, and nothing else.
    #[test]
    fn both_sides_are_seen_alike() {
        let values = Control.attributes()[0].values.clone();
        let exchanged = |value: i32| {
            let (piece, control) = (value.div_euclid(10), value.rem_euclid(10));
            -10 * piece + [0, 2, 1, 3][control as usize]
        };
        let flip = Symmetry::<Xiangqi>::made_of(false, true)[0];
        let value = |position: &Xiangqi| {
            let mut codes = [0; 91];
            Control.encode(position, &mut codes);
            codes[..SQUARES].iter().map(|&code| values[usize::from(code)]).collect::<Vec<_>>()
        };
        random_moves(&mut Xiangqi::start(), 80, &mut stream(4, "control", 0), |position| {
            let (here, there) = (value(position), value(&flip.position(position)));
            let turned: Vec<i32> = there.chunks(9).rev().flatten().map(|&value| exchanged(value)).collect();
            assert!(
                turned == here
                    || turned.chunks(9).flat_map(|rank| rank.iter().rev().copied()).collect::<Vec<_>>() == here
            );
        });
    }
}
