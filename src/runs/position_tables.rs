//! Fits the traditional evaluator (S3, e2, e4 and e5) by logistic regression on game records.
//!
//! The expected result of a decided game is modelled as the logistic function of what its quiet positions hold: material,
//! the points that the pieces stand on (mirrored tables for the two sides and for the two wings), mobility as S3 weighs
//! it, whose turn it is, and the signs of coordination, king and threats. The fitted weights of material set the scale:
//! they are matched to the fixed values of e1 by least squares. What a piece is worth on a point by the fit, less its
//! fixed value, is its value in e2: so e1 + e2 is the fitted worth, and e1 stays as S3 gives it. e3 and the one weight of
//! e4 that S3 names stay as S3 gives them too; that they take part in the fit keeps tables and signs from counting again
//! what mobility counts.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::LogisticRegression;
use ndarray::{Array1, Array2};

use crate::eval::Evaluator;
use crate::eval::xiangqi::{
    MOBILITY_VALUES, N_SIGNS, Parameters, PositionTables, Sign, Signs, Term, Terms, Traditional,
};
use crate::game::{Game, Outcome, SearchHints, Side};
use crate::games::xiangqi::PIECE_VALUES;
use crate::games::xiangqi::{FILES, RANKS, Role, SQUARES, Xiangqi};
use crate::record::GameRecord;

/// Points on one wing and the middle file: a table has as many free values.
const FOLDED: usize = RANKS * FILES.div_ceil(2);
/// Material columns: every role but the king.
const MATERIAL: usize = 6;
/// The column of mobility, behind those of material and tables.
const MOBILITY: usize = MATERIAL + 7 * FOLDED;
/// The column of the turn.
const TURN: usize = MOBILITY + 1;
/// The first column of signs.
const SIGNS: usize = TURN + 1;
/// All columns.
const COLUMNS: usize = SIGNS + N_SIGNS;
/// Columns of material are this much larger than the others, so that regularisation hardly touches them.
const MATERIAL_SCALE: f64 = 10.0;
/// The column of mobility holds points divided by this.
const MOBILITY_SCALE: f64 = 10.0;
/// The largest value of a point or a sign, in points.
const BOUND: f64 = 300.0;

/// Settings of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct FitSettings {
    /// Plies at the beginning of each game that are left out.
    pub skip_plies: usize,
    /// Every how many plies a position is taken, if it is quiet: not in check, and the move made no capture.
    pub step: usize,
    /// Strength of the L2 regularisation.
    pub alpha: f64,
    /// Iterations of the optimiser at most.
    pub max_iterations: u64,
    /// Which terms take part; tables and weights of the others are 0.
    pub terms: Terms,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { skip_plies: 10, step: 3, alpha: 30.0, max_iterations: 200, terms: Terms::ALL }
    }
}

/// What a fit gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// Tables and weights, in points.
    pub parameters: Parameters,
    /// Positions that were used.
    pub n_positions: usize,
    /// The log-odds of one piece more, for A E H R C P in this order.
    pub material: [f64; MATERIAL],
    /// Points for one unit of log-odds.
    pub points_per_log_odds: f64,
    /// How many points one point of S3's mobility is worth by the fit; 1 would confirm S3.
    pub mobility_factor: f64,
    /// What a pair of pawns hand in hand is worth by the fit, in points; S3 says 120.
    pub hand_in_hand: f64,
}

/// Why a fit failed.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// There is nothing to fit.
    #[error("position tables need decided games of both colours: found {red} won by red and {black} by black")]
    TooFewGames {
        /// Games won by Red.
        red: usize,
        /// Games won by Black.
        black: usize,
    },
    /// The decided games are too short.
    #[error(
        "position tables need positions from games won by each colour: from ply {skip_plies} on found {red} of games won \
         by red and {black} of games won by black"
    )]
    TooFewPositions {
        /// Positions of games won by Red.
        red: usize,
        /// Positions of games won by Black.
        black: usize,
        /// Plies left out at the beginning of each game.
        skip_plies: usize,
    },
    /// The optimiser gave up.
    #[error("the logistic regression of the position tables failed")]
    Regression(#[from] linfa_logistic::error::Error),
}

/// Fits tables and weights on the decided games among `records`.
///
/// # Errors
/// When there are no decided games of one colour, or the regression fails.
pub fn fit(records: &[GameRecord<Xiangqi>], settings: &FitSettings) -> Result<Fitted, FitError> {
    let won_by = |side| records.iter().filter(move |record| record.outcome == Some(Outcome::Win(side)));
    let (red, black) = (won_by(Side::First).count(), won_by(Side::Second).count());
    if red == 0 || black == 0 {
        return Err(FitError::TooFewGames { red, black });
    }
    let (x, red_won) = design(records, settings);
    let n_positions = red_won.len();
    let n_red = red_won.iter().filter(|&&won| won).count();
    if n_red == 0 || n_red == n_positions {
        return Err(FitError::TooFewPositions {
            red: n_red,
            black: n_positions - n_red,
            skip_plies: settings.skip_plies,
        });
    }
    let model = LogisticRegression::default()
        .alpha(settings.alpha)
        .max_iterations(settings.max_iterations)
        .fit(&Dataset::new(x, red_won))?;
    // linfa orients the weights towards the class it calls positive: the more frequent one.
    let sign = if model.labels().pos.class { 1.0 } else { -1.0 };
    Ok(in_points(&(model.params() * sign).to_vec(), n_positions))
}

/// The fitted log-odds of each column as parameters in points.
fn in_points(weights: &[f64], n_positions: usize) -> Fitted {
    let mut material = [0.0; MATERIAL];
    material.iter_mut().zip(weights).for_each(|(m, w)| *m = w * MATERIAL_SCALE);
    let points_per_log_odds = scale_to_fixed_values(&material);
    let tables = unfold(&weights[MATERIAL..MOBILITY], &surplus(&material, points_per_log_odds), points_per_log_odds);
    let points_of = |sign: Sign| weights[SIGNS + sign as usize] * points_per_log_odds;
    let mut signs = Signs::ZERO;
    for &sign in Sign::ALL {
        signs.set(sign, points_of(sign).clamp(-BOUND, BOUND).round() as i16);
    }
    signs.set(Sign::HandInHand, HAND_IN_HAND);
    Fitted {
        parameters: Parameters { tables, weights: signs },
        n_positions,
        material,
        points_per_log_odds,
        mobility_factor: weights[MOBILITY] * points_per_log_odds / MOBILITY_SCALE,
        hand_in_hand: points_of(Sign::HandInHand),
    }
}

/// Points for each pair of crossed pawns hand in hand (S3, e4).
const HAND_IN_HAND: i16 = 120;

/// Calls `visit` with the positions of the decided games that a fit uses, and whether Red won.
fn for_each_position(records: &[GameRecord<Xiangqi>], settings: &FitSettings, mut visit: impl FnMut(&Xiangqi, bool)) {
    for record in records {
        let Some(Outcome::Win(winner)) = record.outcome else { continue };
        let mut position = record.start.clone();
        for (ply, &mv) in record.moves.iter().enumerate() {
            let is_due = ply >= settings.skip_plies && (ply - settings.skip_plies).is_multiple_of(settings.step);
            if is_due && position.piece_at(mv.to()).is_none() && !position.in_check() {
                visit(&position, winner == Side::First);
            }
            position.play(mv);
        }
    }
}

/// The design matrix, shape (positions, [`COLUMNS`]), and whether Red won the game of each position.
fn design(records: &[GameRecord<Xiangqi>], settings: &FitSettings) -> (Array2<f64>, Array1<bool>) {
    let mut values = Vec::new();
    let mut red_won = Vec::new();
    for_each_position(records, settings, |position, won| {
        values.extend_from_slice(&design_row(position, settings.terms));
        red_won.push(won);
    });
    let shape = (red_won.len(), COLUMNS);
    let x = Array2::from_shape_vec(shape, values).unwrap_or_else(|_| unreachable!("every row has {COLUMNS} cells"));
    (x, red_won.into())
}

fn design_row(position: &Xiangqi, terms: Terms) -> [f64; COLUMNS] {
    let mut row = [0.0; COLUMNS];
    let signs = Traditional::signs(position);
    for side in [Side::First, Side::Second] {
        let sign = f64::from(side.sign());
        for (square, role) in position.pieces_of(side) {
            if role != Role::King {
                row[role as usize - 1] += sign * MATERIAL_SCALE;
            }
            if terms.has(Term::Position) {
                row[MATERIAL + role as usize * FOLDED + fold(square, side)] += sign;
            }
            if terms.has(Term::Mobility) {
                let points = f64::from(MOBILITY_VALUES[role as usize]) * position.mobility(square) as f64;
                row[MOBILITY] += sign * points / MOBILITY_SCALE;
            }
        }
        for &one in Sign::ALL.iter().filter(|one| terms.has(one.term())) {
            row[SIGNS + one as usize] += sign * f64::from(signs[side.index()].get(one));
        }
    }
    row[TURN] = f64::from(position.side_to_move().sign());
    row
}

/// Whether [`log_loss`] has a position to measure on: one of a decided game among `records`.
pub fn is_measurable(records: &[GameRecord<Xiangqi>], settings: &FitSettings) -> bool {
    records.chunks(1).any(|game| {
        let mut found = false;
        for_each_position(game, settings, |_, _| found = true);
        found
    })
}

/// The mean log loss, in nats, of predicting the results of the decided games among `records` by the evaluator with
/// `terms` and `parameters`, at the scale that suits its values best. `None` where none of them has a position.
pub fn log_loss(
    records: &[GameRecord<Xiangqi>],
    settings: &FitSettings,
    terms: Terms,
    parameters: &Parameters,
) -> Option<f64> {
    let mut evaluator = Traditional::new(terms, parameters);
    let mut leads = Vec::new();
    for_each_position(records, settings, |position, red_won| {
        let for_winner = if red_won { 1.0 } else { -1.0 };
        let for_red = f64::from(position.side_to_move().sign() * evaluator.evaluate(position));
        leads.push(for_winner * for_red);
    });
    let loss = |per_log_odds: f64| {
        leads.iter().map(|lead| (-lead / per_log_odds).exp().ln_1p()).sum::<f64>() / leads.len() as f64
    };
    (!leads.is_empty()).then(|| smallest(loss, 50.0, 2000.0))
}

/// The smallest value of a function with one minimum in [low, high], by golden sections of the logarithm.
fn smallest(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    const SECTION: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (low.ln(), high.ln());
    for _ in 0..30 {
        let (a, b) = (high - SECTION * (high - low), low + SECTION * (high - low));
        if f(a.exp()) < f(b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    f(low.midpoint(high).exp())
}

/// The index of a point among the folded ones, seen from the side that owns the piece.
fn fold(square: usize, side: Side) -> usize {
    let seen = if side == Side::First { square } else { SQUARES - 1 - square };
    let (rank, file) = (seen / FILES, seen % FILES);
    rank * FILES.div_ceil(2) + file.min(FILES - 1 - file)
}

/// Points for one unit of log-odds: least squares of the fixed values on the fitted material.
fn scale_to_fixed_values(material: &[f64; MATERIAL]) -> f64 {
    let fixed = PIECE_VALUES[1..].iter().map(|&value| f64::from(value));
    let product: f64 = material.iter().zip(fixed).map(|(m, v)| m * v).sum();
    product / material.iter().map(|m| m * m).sum::<f64>()
}

/// By how many points each role is worth more than its fixed value, on average over the board; 0 for the king.
fn surplus(material: &[f64; MATERIAL], points_per_log_odds: f64) -> [f64; 7] {
    let mut surplus = [0.0; 7];
    for (role, log_odds) in (1..).zip(material) {
        surplus[role] = log_odds * points_per_log_odds - f64::from(PIECE_VALUES[role]);
    }
    surplus
}

/// The tables from the weights of the folded points; points on which a piece never stood have weight 0 and stay 0.
fn unfold(weights: &[f64], surplus: &[f64; 7], points_per_log_odds: f64) -> PositionTables {
    let mut points = [[0; SQUARES]; 7];
    for (role, table) in points.iter_mut().enumerate() {
        for (square, entry) in table.iter_mut().enumerate() {
            let weight = weights[role * FOLDED + fold(square, Side::First)];
            if weight != 0.0 {
                *entry = (surplus[role] + weight * points_per_log_odds).clamp(-BOUND, BOUND).round() as i32;
            }
        }
    }
    PositionTables::new(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_respects_wings_and_sides() {
        assert_eq!(fold(0, Side::First), fold(8, Side::First));
        assert_eq!(fold(0, Side::First), fold(89, Side::Second));
        assert_eq!(fold(81, Side::First), fold(8, Side::Second));
        assert_ne!(fold(0, Side::First), fold(1, Side::First));
        assert_eq!(fold(85, Side::First), FOLDED - 1);
    }

    #[test]
    fn the_scale_reproduces_values_that_are_proportional() {
        let material = [125.0, 120.0, 270.0, 600.0, 285.0, 20.0].map(|value| value / 150.0);
        approx::assert_relative_eq!(scale_to_fixed_values(&material), 150.0, max_relative = 1e-12);
    }
}
