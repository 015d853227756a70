//! `terms`: what the terms of the traditional evaluator add up, cut into few values each.

use super::super::weights::Parameters;
use super::super::{Signs, Term, Terms, Traditional, only, sum_over};
use super::name_with_tables;
use crate::features::board91::{code_of_side, side_to_move};
use crate::features::{AttributeSpec, FeatureSet, Involution, exchange_of};
use crate::game::{Game, SearchHints, Side};
use crate::games::xiangqi::{HALVES, Role, Xiangqi};

/// The name, before the checksum of tables and weights.
pub(super) const NAME: &str = "terms";

/// How a number becomes a value code.
#[derive(Debug, Clone, Copy)]
enum Ruler {
    /// Each whole number from the first to the second is a value; numbers beyond are taken for the nearest.
    Count(i32, i32),
    /// A number is taken for the largest of these steps that it reaches, with its sign, or for 0. Ascending from above 0.
    Steps(&'static [i32]),
}

impl Ruler {
    fn values(self) -> Vec<i32> {
        match self {
            Self::Count(least, most) => (least..=most).collect(),
            Self::Steps(steps) => {
                let below = steps.iter().rev().map(|step| -step);
                below.chain([0]).chain(steps.iter().copied()).collect()
            }
        }
    }

    #[inline]
    fn code(self, number: i32) -> u8 {
        match self {
            Self::Count(least, most) => (number.clamp(least, most) - least) as u8,
            Self::Steps(steps) => {
                let size = number.abs();
                let reached = steps.iter().filter(|&&step| step <= size).count();
                (if number < 0 { steps.len() - reached } else { steps.len() + reached }) as u8
            }
        }
    }

    /// The attribute of this name; inputs are the values as shares of the largest.
    fn spec(self, name: &str) -> AttributeSpec {
        let values = self.values();
        let largest = values.iter().map(|value| value.abs()).max().unwrap_or(1) as f32;
        AttributeSpec::new(name, &values, |value| value / largest)
    }
}

/// Pieces of one kind of which a side has two.
const PAIR: Ruler = Ruler::Count(0, 2);
const PAWNS: Ruler = Ruler::Count(0, 5);

/// The attributes but the last, the side to move, with steps near the quantiles of what the embedded games hold, in the order of [`TermTable::numbers`].
const ATTRIBUTES: [(&str, Ruler); N_NUMBERS] = [
    ("red_rooks", PAIR),
    ("black_rooks", PAIR),
    ("red_horses", PAIR),
    ("black_horses", PAIR),
    ("red_cannons", PAIR),
    ("black_cannons", PAIR),
    ("red_advisors", PAIR),
    ("black_advisors", PAIR),
    ("red_elephants", PAIR),
    ("black_elephants", PAIR),
    ("red_pawns", PAWNS),
    ("black_pawns", PAWNS),
    ("red_crossed_pawns", PAWNS),
    ("black_crossed_pawns", PAWNS),
    ("position", Ruler::Steps(&[10, 20, 30, 40, 50, 65, 80, 100, 120, 145, 175, 210, 260, 330, 420])),
    ("mobility", Ruler::Steps(&[6, 12, 18, 25, 32, 40, 50, 60, 72, 85, 100, 120, 150, 190, 240])),
    ("rook_mobility", Ruler::Steps(&[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22])),
    ("horse_mobility", Ruler::Steps(&[1, 2, 3, 4, 5, 6, 7, 8, 10, 12])),
    ("cannon_mobility", Ruler::Steps(&[1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 21])),
    ("coordination", Ruler::Steps(&[5, 10, 14, 20, 30, 50, 80, 120, 160])),
    ("king", Ruler::Steps(&[3, 6, 10, 15, 20, 28, 36, 46, 58, 75, 95, 120, 160, 220, 300])),
    ("threats", Ruler::Steps(&[3, 6, 9, 12, 15, 19, 24, 30, 36, 44, 54, 68])),
    ("check", Ruler::Count(-1, 1)),
    ("phase", Ruler::Count(0, 12)),
];

const N_NUMBERS: usize = 24;

/// The roles that are counted, in the order of the attributes.
const COUNTED: [Role; 6] = [Role::Rook, Role::Horse, Role::Cannon, Role::Advisor, Role::Elephant, Role::Pawn];
/// The roles whose mobility is told apart.
const MOBILE: [Role; 3] = [Role::Rook, Role::Horse, Role::Cannon];

/// The feature set `terms`: numbers of pieces for each side, and by how much Red leads in what the terms of the traditional
/// evaluator look at.
///
/// * `red_rooks`, `black_rooks` … `black_pawns`: pieces on the board; `…_crossed_pawns`: those beyond the river;
/// * `position` (e2), `mobility` (e3), `coordination`, `threats` (e4), `king` (e5): Red's points less Black's;
/// * `rook_mobility`, `horse_mobility`, `cannon_mobility`: points that Red's could go to less those that Black's could;
/// * `check`: 1 when Black's king is in check, -1 when Red's is; `phase`: rooks, horses and cannons of both sides;
/// * `side`: whose turn it is.
///
/// Differences are cut at fixed steps, the same for either sign, so that exchanging colours changes signs and nothing else.
#[derive(Debug, Clone)]
pub struct TermTable {
    name: String,
    traditional: Traditional,
    /// Of the signs of coordination, king and threats.
    weights: [Signs; 3],
}

impl TermTable {
    /// The set by the tables and weights of `parameters`.
    pub fn new(parameters: &Parameters) -> Self {
        let of_term = |term| only(Terms::of(&[term]), &parameters.weights);
        Self {
            name: name_with_tables(NAME, parameters, true),
            traditional: Traditional::new(Terms::ALL, parameters),
            weights: [Term::Coordination, Term::King, Term::Threats].map(of_term),
        }
    }

    /// What the attributes but the last tell the values of.
    fn numbers(&self, position: &Xiangqi) -> [i32; N_NUMBERS] {
        let mut numbers = [0; N_NUMBERS];
        let (counts, leads) = numbers.split_at_mut(N_COUNTS);
        count_pieces(position, counts);
        let heavy = counts[..2 * MOBILE.len()].iter().sum();
        self.compare(position, leads);
        leads[N_LEADS] = -position.side_to_move().sign() * i32::from(position.in_check());
        leads[PHASE - N_COUNTS] = heavy;
        numbers
    }

    /// By how much Red leads in each term, and in mobility by role.
    fn compare(&self, position: &Xiangqi, leads: &mut [i32]) {
        let points = |side| sum_over(position, side, |code, square| self.traditional.points[code][square]);
        let [red, black] = Traditional::surveys(position, Terms::ALL);
        leads[0] = points(Side::First) - points(Side::Second);
        leads[1] = self.traditional.mobility_of(&red) - self.traditional.mobility_of(&black);
        for (lead, role) in leads[2..].iter_mut().zip(MOBILE) {
            *lead = i32::from(red.mobility[role as usize]) - i32::from(black.mobility[role as usize]);
        }
        for (lead, weights) in leads[2 + MOBILE.len()..].iter_mut().zip(&self.weights) {
            *lead = red.signs.lead(&black.signs, weights);
        }
    }
}

/// Numbers of pieces, the pawns beyond the river included.
const N_COUNTS: usize = 2 * (COUNTED.len() + 1);
/// Position, mobility, that of three roles, and three terms of signs.
const N_LEADS: usize = 8;
/// The attribute that counts pieces of both sides.
const PHASE: usize = N_COUNTS + N_LEADS + 1;

/// Counts the pieces of each kind of Red and Black in turn, last the pawns beyond the river.
fn count_pieces(position: &Xiangqi, counts: &mut [i32]) {
    let kinds =
        COUNTED.into_iter().flat_map(|role| [Side::First, Side::Second].map(|side| position.pieces(side, role)));
    let beyond = |side: Side| position.pieces(side, Role::Pawn) & HALVES[side.other().index()];
    let crossed = [Side::First, Side::Second].map(beyond);
    for (count, pieces) in counts.iter_mut().zip(kinds.chain(crossed)) {
        *count = pieces.len() as i32;
    }
}

impl FeatureSet<Xiangqi> for TermTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        ATTRIBUTES.iter().map(|(name, ruler)| ruler.spec(name)).chain([side_to_move()]).collect()
    }

    fn n_attributes(&self) -> usize {
        N_NUMBERS + 1
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of(&self.attributes(), |t, value| match t {
            // Red's and Black's pieces of a kind stand side by side.
            _ if t < N_COUNTS => (t ^ 1, value),
            PHASE => (t, value),
            _ => (t, -value),
        })
    }

    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        let numbers = self.numbers(position);
        for ((code, (_, ruler)), number) in codes.iter_mut().zip(&ATTRIBUTES).zip(numbers) {
            *code = ruler.code(number);
        }
        codes[N_NUMBERS] = code_of_side(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Policy, read_bytes};

    const GAMES: &[u8] =
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-selfplay/games.pgn.zst"));

    #[test]
    fn rulers_read_as_stated() {
        let steps = Ruler::Steps(&[2, 5]);
        assert_eq!(steps.values(), [-5, -2, 0, 2, 5]);
        let read = |ruler: Ruler, number| ruler.values()[usize::from(ruler.code(number))];
        assert_eq!(
            [-9, -5, -4, -2, -1, 0, 1, 2, 4, 5, 9].map(|n| read(steps, n)),
            [-5, -5, -2, -2, 0, 0, 0, 2, 2, 5, 5]
        );
        assert_eq!([-3, -1, 0, 1, 3].map(|n| read(Ruler::Count(-1, 1), n)), [-1, -1, 0, 1, 1]);
        assert_eq!(steps.spec("x").inputs, [-1.0, -0.4, 0.0, 0.4, 1.0]);
    }

    /// Steps that never tell anything, or that lump everything together, would be badly chosen.
    #[test]
    fn values_are_spread_over_the_positions_of_games() {
        let set = TermTable::new(&Parameters::fitted());
        let mut counts = ATTRIBUTES.map(|(_, ruler)| vec![0_u32; ruler.values().len()]);
        let mut total = 0;
        let (games, _) = read_bytes::<Xiangqi>("games", GAMES, Policy::Strict).unwrap();
        for game in games.iter().step_by(5) {
            game.replay(|position, _| {
                total += 1;
                let numbers = set.numbers(position).into_iter().zip(&ATTRIBUTES);
                let codes = numbers.map(|(number, (_, ruler))| ruler.code(number));
                counts.iter_mut().zip(codes).for_each(|(counts, code)| counts[usize::from(code)] += 1);
            });
        }
        for ((name, ruler), counts) in ATTRIBUTES.iter().zip(&counts) {
            if let Ruler::Steps(steps) = ruler {
                assert!(counts.iter().all(|&count| count > 0), "{name}: {counts:?} of {total}");
                let mut apart = counts.iter().enumerate().filter(|(code, _)| *code != steps.len());
                assert!(apart.all(|(_, &count)| count * 6 < total), "{name}: {counts:?} of {total}");
            }
        }
    }
}
