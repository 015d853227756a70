//! `piece-square`: what the piece on each of the 90 points is worth there, and the side to move.

use super::super::PositionTables;
use super::super::weights::Parameters;
use super::name_with_tables;
use crate::features::board91::{code_of_side, exchange_of_points, side_to_move};
use crate::features::{AttributeSpec, FeatureSet, Involution};
use crate::game::Side;
use crate::games::xiangqi::PIECE_VALUES;
use crate::games::xiangqi::{Piece, Role, SQUARES, Xiangqi, square_name};

/// The name, before the checksum of the tables.
pub(super) const NAME: &str = "piece-square";

/// Inputs are values in units of a rook …
const INPUT_UNIT: f32 = 600.0;
/// … held to ± this.
const INPUT_BOUND: f32 = 1.5;

/// Room for the codes of a point by piece code: 0 to 14, and one more so that a masked code is always in bounds.
type PointCodes = [u8; 16];

/// The feature set `piece-square`: on each point the fixed value of the piece there and what the fitted position tables
/// give it for the point, positive for Red and negative for Black; the king has the latter alone. An empty point is worth 0.
///
/// The values of a point ascend; pieces worth the same on it share a code. The last attribute is the side to move.
#[derive(Debug, Clone)]
pub struct PieceSquare {
    name: String,
    /// By point: the values, ascending.
    values: Vec<Vec<i32>>,
    /// By point and piece code: the index of the piece's value.
    codes: [PointCodes; SQUARES],
}

impl PieceSquare {
    /// The set by the position tables of `parameters`.
    pub fn new(parameters: &Parameters) -> Self {
        let (mut values, mut codes) = (Vec::with_capacity(SQUARES), [PointCodes::default(); SQUARES]);
        for (square, codes) in codes.iter_mut().enumerate() {
            let worths = worths_on(square, &parameters.tables);
            let mut distinct = worths.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            for (code, worth) in codes.iter_mut().zip(worths) {
                // It is there: `distinct` holds every worth.
                *code = distinct.binary_search(&worth).unwrap_or_default() as u8;
            }
            values.push(distinct);
        }
        Self { name: name_with_tables(NAME, parameters, false), values, codes }
    }
}

/// By piece code: what the piece is worth on `square`; 0 for no piece, and for those that never stand there.
fn worths_on(square: usize, tables: &PositionTables) -> [i32; 16] {
    std::array::from_fn(|code| {
        let piece = Piece::from_code(code as u8).filter(|piece| piece.may_stand_on(square));
        piece.map_or(0, |piece| worth(piece, square, tables))
    })
}

fn worth(piece: Piece, square: usize, tables: &PositionTables) -> i32 {
    let role = piece.role();
    let fixed = if role == Role::King { 0 } else { PIECE_VALUES[role as usize] };
    let sign = if piece.side() == Side::First { 1 } else { -1 };
    sign * (fixed + tables.points(role as usize, piece.side(), square))
}

impl FeatureSet<Xiangqi> for PieceSquare {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let input = |value: f32| (value / INPUT_UNIT).clamp(-INPUT_BOUND, INPUT_BOUND);
        let points = self.values.iter().enumerate();
        let points = points.map(|(square, values)| AttributeSpec::new(square_name(square), values, input));
        points.chain([side_to_move()]).collect()
    }

    fn n_attributes(&self) -> usize {
        SQUARES + 1
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of_points(&self.attributes(), |value| -value)
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        for ((code, point), &piece) in codes.iter_mut().zip(&self.codes).zip(position.board()) {
            *code = point[usize::from(piece & 15)];
        }
        codes[SQUARES] = code_of_side(position);
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
        self.codes.get(attribute).map_or(raw, |point| point[usize::from(raw & 15)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::xiangqi::{Terms, Traditional};
    use crate::game::Game;
    use crate::game::playout::random_moves;
    use crate::random::stream;

    #[test]
    fn values_add_up_to_material_and_position() {
        let set = PieceSquare::new(&Parameters::fitted());
        let attributes = set.attributes();
        let evaluator = Traditional::new("e1+e2".parse::<Terms>().unwrap(), &Parameters::fitted());
        let mut codes = vec![0; set.n_attributes()];
        let mut game = Xiangqi::start();
        random_moves(&mut game, 200, &mut stream(3, "piece-square", 0), |position| {
            set.encode(position, &mut codes);
            let worth = |(spec, &code): (&AttributeSpec, &u8)| spec.values[usize::from(code)];
            let sum: i32 = attributes.iter().zip(&codes).take(SQUARES).map(worth).sum();
            let leads: i32 = evaluator.explain(position).iter().map(|share| share.lead()).sum();
            assert_eq!(sum, leads, "{position:?}");
        });
    }

    #[test]
    fn values_of_a_point_ascend_and_hold_the_empty_point() {
        for spec in PieceSquare::new(&Parameters::fitted()).attributes() {
            assert!(spec.values.windows(2).all(|pair| pair[0] < pair[1]), "{}", spec.name);
            assert!(spec.name == "side" || spec.values.contains(&0), "{}", spec.name);
            assert!(spec.inputs.iter().all(|input| input.abs() <= INPUT_BOUND));
        }
    }
}
