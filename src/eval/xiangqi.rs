//! The traditional evaluator of Xiangqi: the terms e1 to e5 of S3, each of which can be left out.
//!
//! | term | name | what it adds for each side, and takes away for the opponent |
//! |---|---|---|
//! | e1 | material | the fixed value of each piece: K 6000, A 125, E 120, H 270, R 600, C 285, P 20 |
//! | e2 | position | the value of its point, from the fitted [`PositionTables`] |
//! | e3 | mobility | P 15, A 1, E 1, R 6, H 12, C 6, K 0 for each point that it could go to |
//! | e4 | coordination | pieces that work together or hold others down ([`Sign`]) |
//! | e4 | threats | pieces attacked and protected |
//! | e5 | king | what weighs on the opponent's king |
//!
//! The last three add up [`Sign`]s that a side has on the board, each times its weight. Points are whole numbers.

mod endings;
mod features;
mod load;
mod reasons;
mod signs;
mod survey;
mod tables;
mod terms;
mod weights;

pub use endings::WithEndings;
pub use features::{PieceSquare, SignTable, TermTable, XiangqiFeatures};
pub use load::{ENDINGS, TRADITIONAL, traditional};
pub use signs::{N_SIGNS, Sign, Signs};
pub use tables::{PositionTables, PositionTablesError};
pub use terms::{Term, Terms, TermsError};
pub use weights::{Parameters, WeightsError, weights_from_json, weights_to_json};

use super::{Evaluator, MAX_EVAL, Score};
use crate::game::{Game, Side};
use crate::games::xiangqi::PIECE_VALUES;
use crate::games::xiangqi::{SQUARES, Xiangqi};
use survey::Survey;

/// Points for each point that a piece could go to (S3, e3), by role.
pub const MOBILITY_VALUES: [Score; 7] = [0, 1, 1, 12, 6, 6, 15];

/// The lead, in points, that stands for an expected result of tanh 1 = 0.76: a rook.
const LEAD_UNIT: f64 = 600.0;

/// The traditional evaluator; scores are in points, of which a rook is worth 600.
#[derive(Debug, Clone)]
pub struct Traditional {
    terms: Terms,
    /// e1 of each board code, positive for both sides.
    material: [Score; 15],
    /// e2 of each board code on each point, positive for both sides.
    points: Vec<[Score; SQUARES]>,
    /// e1 + e2 as far as they are switched on, of each board code on each point, positive for Red.
    placed: Vec<[Score; SQUARES]>,
    /// e3 by role; zeros if switched off.
    mobility: [i16; 8],
    /// Of every sign; zeros for terms that are switched off.
    weights: Signs,
}

/// What one term is worth to each side, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The term.
    pub term: Term,
    /// What Red has of it.
    pub red: Score,
    /// What Black has of it.
    pub black: Score,
}

impl Share {
    /// What the term adds to the value for Red.
    pub const fn lead(&self) -> Score {
        self.red - self.black
    }
}

impl Traditional {
    /// The evaluator with these terms and parameters.
    pub fn new(terms: Terms, parameters: &Parameters) -> Self {
        let mut material = [0; 15];
        let mut points = vec![[0; SQUARES]; 15];
        for code in 1..15 {
            let side = if code <= 7 { Side::First } else { Side::Second };
            let role = (code - 1) % 7;
            material[code] = PIECE_VALUES[role];
            points[code] = std::array::from_fn(|square| parameters.tables.points(role, side, square));
        }
        Self {
            terms,
            placed: placed(terms, &material, &points),
            material,
            points,
            mobility: mobility_weights(terms),
            weights: only(terms, &parameters.weights),
        }
    }

    /// The terms that are added up.
    pub const fn terms(&self) -> Terms {
        self.terms
    }

    /// What each term that is switched on is worth to each side; their leads add up to the value for Red.
    pub fn explain(&self, position: &Xiangqi) -> Vec<Share> {
        let surveys = Self::surveys(position, self.terms);
        let share = |term| {
            let [red, black] = [Side::First, Side::Second].map(|side| match term {
                Term::Material => sum_over(position, side, |code, _| self.material[code]),
                Term::Position => sum_over(position, side, |code, square| self.points[code][square]),
                Term::Mobility => self.mobility_of(&surveys[side.index()]),
                Term::Coordination | Term::King | Term::Threats => {
                    surveys[side.index()].signs.worth(term, &self.weights)
                }
            });
            Share { term, red, black }
        };
        self.terms.iter().map(share).collect()
    }

    /// How often each side has each sign.
    pub fn signs(position: &Xiangqi) -> [Signs; 2] {
        Self::surveys(position, Terms::ALL).map(|survey| survey.signs)
    }

    /// Looks at both sides as far as `terms` need it.
    #[inline(always)]
    fn surveys(position: &Xiangqi, terms: Terms) -> [Survey; 2] {
        let mut red = Survey::of(position, Side::First);
        let mut black = Survey::of(position, Side::Second);
        for survey in [&mut red, &mut black] {
            if terms.has(Term::Coordination) {
                survey.count_coordination(position);
            }
            if terms.has(Term::King) {
                survey.count_king(position);
            }
        }
        if terms.has(Term::Threats) {
            let is_reds_turn = position.side_to_move() == Side::First;
            red.count_threats(position, &black, is_reds_turn);
            black.count_threats(position, &red, !is_reds_turn);
        }
        [red, black]
    }

    /// e3 of one side.
    #[inline(always)]
    fn mobility_of(&self, survey: &Survey) -> Score {
        self.mobility.iter().zip(&survey.mobility).map(|(&each, &points)| Score::from(each) * Score::from(points)).sum()
    }

    /// The value for Red, in points.
    #[inline(always)]
    fn for_red(&self, position: &Xiangqi) -> Score {
        let board = position.board();
        let mut value = 0;
        position.occupied().for_each(|square| value += self.placed[usize::from(board[square])][square]);
        if !self.terms.look_at_reaches() {
            return value;
        }
        let [red, black] = Self::surveys(position, self.terms);
        value += self.mobility_of(&red) - self.mobility_of(&black);
        value + red.signs.lead(&black.signs, &self.weights)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn for_red_with_popcnt(&self, position: &Xiangqi) -> Score {
        self.for_red(position)
    }
}

/// e1 + e2 of each board code on each point, as far as they are among `terms`, positive for Red.
fn placed(terms: Terms, material: &[Score; 15], points: &[[Score; SQUARES]]) -> Vec<[Score; SQUARES]> {
    let worth = |code: usize, square: usize| {
        let fixed = if terms.has(Term::Material) { material[code] } else { 0 };
        let place = if terms.has(Term::Position) { points[code][square] } else { 0 };
        if code <= 7 { fixed + place } else { -fixed - place }
    };
    (0..15).map(|code| std::array::from_fn(|square| worth(code, square))).collect()
}

/// [`MOBILITY_VALUES`] if they are among `terms`.
fn mobility_weights(terms: Terms) -> [i16; 8] {
    let weight = |role: usize| MOBILITY_VALUES.get(role).map_or(0, |&value| value as i16);
    if terms.has(Term::Mobility) { std::array::from_fn(weight) } else { [0; 8] }
}

/// The weights of signs whose term is among `terms`.
fn only(terms: Terms, weights: &Signs) -> Signs {
    let mut kept = Signs::ZERO;
    Sign::ALL.iter().filter(|sign| terms.has(sign.term())).for_each(|&sign| kept.set(sign, weights.get(sign)));
    kept
}

/// The sum over the pieces of `side` of what `worth` says for board code and point.
fn sum_over(position: &Xiangqi, side: Side, worth: impl Fn(usize, usize) -> Score) -> Score {
    position.side(side).into_iter().map(|square| worth(usize::from(position.board()[square]), square)).sum()
}

impl Default for Traditional {
    fn default() -> Self {
        Self::new(Terms::ALL, &Parameters::fitted())
    }
}

impl Evaluator<Xiangqi> for Traditional {
    fn evaluate(&mut self, position: &Xiangqi) -> Score {
        #[cfg(target_arch = "x86_64")]
        let for_red = if std::arch::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the one instruction that the callee may use beyond the baseline.
            unsafe { self.for_red_with_popcnt(position) }
        } else {
            self.for_red(position)
        };
        #[cfg(not(target_arch = "x86_64"))]
        let for_red = self.for_red(position);
        (position.side_to_move().sign() * for_red).clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / LEAD_UNIT).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    fn evaluate(fen: &str) -> Score {
        Traditional::default().evaluate(&Xiangqi::from_notation(fen).unwrap())
    }

    #[test]
    fn a_rook_more_is_an_advantage_for_the_side_that_has_it() {
        let red = evaluate("4k4/9/9/9/9/9/9/9/7R1/3K5 w - - 0 1");
        assert!(red > 500, "{red}");
        let black = evaluate("5k3/1r7/9/9/9/9/9/9/9/4K4 b - - 0 1");
        assert_eq!(red, black, "the position with colours exchanged has the same value for its side to move");
    }

    #[test]
    fn fixed_values_and_mobility_are_those_of_s3() {
        let position = Xiangqi::from_notation("4k4/9/9/9/9/9/9/9/7R1/3K5 w - - 0 1").unwrap();
        let with = |terms: &[Term]| Traditional::new(Terms::of(terms), &Parameters::fitted()).evaluate(&position);
        assert_eq!(with(&[]), 0);
        assert_eq!(with(&[Term::Material]), 600);
        assert_eq!(with(&[Term::Mobility]), 6 * 17);
        assert_eq!(with(&[Term::Material, Term::Mobility]), 600 + 6 * 17);
    }
}
