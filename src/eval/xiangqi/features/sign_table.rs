//! `signs`: how often each side has each sign that the traditional evaluator knows, and how far its pieces can go.

use super::super::signs::N_SIGNS;
use super::super::{Sign, Survey, Terms, Traditional};
use crate::features::board91::{code_of_side, side_to_move};
use crate::features::{AttributeSpec, FeatureSet, Involution, exchange_of_sides};
use crate::game::Game;
use crate::games::xiangqi::{Role, Xiangqi};

/// The name of the feature set.
pub(super) const NAME: &str = "signs";

/// The roles whose mobility is told, and the numbers of points that are told apart.
const MOBILITIES: [(Role, &[i32]); 4] = [
    (Role::Rook, &[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 24]),
    (Role::Horse, &[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14]),
    (Role::Cannon, &[0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 24]),
    (Role::Pawn, &[0, 1, 2, 3, 4, 5, 6, 8, 10, 12]),
];
/// The attributes of one side.
const PER_SIDE: usize = N_SIGNS + MOBILITIES.len();
/// All attributes but the side to move.
const N_COUNTS: usize = 2 * PER_SIDE;

/// The numbers of a sign that are told apart. Any other is taken for the largest of them that it reaches.
const fn numbers(sign: Sign) -> &'static [i32] {
    match sign {
        Sign::NoFlight | Sign::CentralCannon => &[0, 1],
        // Each of the two protects the other.
        Sign::TandemCannon | Sign::TwinRook => &[0, 2],
        Sign::HandInHand | Sign::MassedWing | Sign::GuardedPawn | Sign::PawnOnPalace => &[0, 1, 2, 3],
        Sign::RookNoAdvisor | Sign::HorseNoAdvisor | Sign::CannonNoElephant => &[0, 1, 2, 4],
        Sign::HorseOnPalace => &[0, 1, 2, 3, 4],
        Sign::RaisedKing | Sign::RookOnPalace | Sign::CannonOnPalace => &[0, 1, 2, 3, 4, 5, 6],
        _ => &[0, 1, 2],
    }
}

/// The code of `number` among `told`, which ascend from 0.
#[inline]
fn code_among(told: &[i32], number: i16) -> u8 {
    told[1..].iter().take_while(|&&least| least <= i32::from(number)).count() as u8
}

/// The feature set `signs`: for Red and then for Black, how often the side has each [`Sign`], and how many points its rooks, horses,
/// cannons and pawns could go to. What `terms` adds up to six leads is told apart here, and goes by no fitted table.
#[derive(Debug, Clone, Copy, Default)]
pub struct SignTable;

/// The code of each attribute of one side.
#[inline]
fn write_codes(survey: &Survey, codes: &mut [u8]) {
    let (signs, mobilities) = codes.split_at_mut(N_SIGNS);
    for (code, &sign) in signs.iter_mut().zip(Sign::ALL) {
        *code = code_among(numbers(sign), survey.signs.get(sign));
    }
    for (code, (role, points)) in mobilities.iter_mut().zip(MOBILITIES) {
        *code = code_among(points, survey.mobility[role as usize]);
    }
}

/// `red_linked_horses` of the sign "linked horses".
fn attribute_name(side: &str, words: &str) -> String {
    format!("{side}_{}", words.replace(", ", "_").replace(' ', "_"))
}

/// The attributes of the side of this name, whose inputs have this sign.
fn attributes_of(side: &str, sign_of_side: f32) -> Vec<AttributeSpec> {
    let scaled = |name: &str, values: &[i32]| {
        let largest = values[values.len() - 1] as f32;
        AttributeSpec::new(attribute_name(side, name), values, |value| sign_of_side * value / largest)
    };
    let signs = Sign::ALL.iter().map(|&sign| scaled(sign.name(), numbers(sign)));
    let mobilities = MOBILITIES.iter().map(|(role, points)| scaled(&format!("{} mobility", role.name()), points));
    signs.chain(mobilities).collect()
}

impl FeatureSet<Xiangqi> for SignTable {
    fn name(&self) -> &str {
        NAME
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let [red, black] = Xiangqi::SIDES;
        [attributes_of(red, 1.0), attributes_of(black, -1.0), vec![side_to_move()]].concat()
    }

    fn n_attributes(&self) -> usize {
        N_COUNTS + 1
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of_sides(&self.attributes(), N_COUNTS)
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        let [red, black] = Traditional::surveys(position, Terms::ALL);
        write_codes(&red, &mut codes[..PER_SIDE]);
        write_codes(&black, &mut codes[PER_SIDE..N_COUNTS]);
        codes[N_COUNTS] = code_of_side(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Policy, read_bytes};

    const GAMES: &[u8] =
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-selfplay/games.pgn.zst"));

    fn codes_of(position: &Xiangqi) -> [u8; N_COUNTS + 1] {
        let mut codes = [0; N_COUNTS + 1];
        SignTable.encode(position, &mut codes);
        codes
    }

    #[test]
    fn counts_have_names() {
        let start = Xiangqi::start();
        let attributes = SignTable.attributes();
        let value = |name: &str| {
            let at = attributes.iter().position(|spec| spec.name == name).unwrap();
            attributes[at].values[usize::from(codes_of(&start)[at])]
        };
        // The cannons of the start stand behind the horses' files, guarded by nothing; the horses are guarded by the rooks.
        let names = ["red_guarded_horses", "black_guarded_cannons", "red_rook_mobility", "black_loose_rooks_waiting"];
        assert_eq!(names.map(value), [2, 0, 4, 0]);
        let distinct: std::collections::HashSet<_> = attributes.iter().map(|spec| &spec.name).collect();
        assert_eq!(distinct.len(), attributes.len());
    }

    /// Attributes that are always the same, or values that never come up, would tell nothing.
    #[test]
    fn values_come_up_in_games() {
        let mut counts: Vec<Vec<u32>> = SignTable.attributes().iter().map(|spec| vec![0; spec.values.len()]).collect();
        let (games, _) = read_bytes::<Xiangqi>("games", GAMES, Policy::Strict).unwrap();
        for game in &games {
            game.replay(|position, _| {
                let codes = codes_of(position);
                counts.iter_mut().zip(codes).for_each(|(counts, code)| counts[usize::from(code)] += 1);
            });
        }
        let attributes = SignTable.attributes();
        let missing = attributes.iter().zip(&counts).filter(|(_, counts)| counts.contains(&0));
        let missing: Vec<_> = missing.map(|(spec, counts)| (&spec.name, counts)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
