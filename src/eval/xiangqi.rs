//! The traditional evaluator of Xiangqi: the terms e1, e2 and e3 of S3.
//!
//! | term | what it adds for each own piece, and takes away for each of the opponent's |
//! |---|---|
//! | e1 | the fixed value of the piece: K 6000, A 125, E 120, H 270, R 600, C 285, P 20 |
//! | e2 | the value of its point, from the fitted [`PositionTables`] |
//! | e3 | mobility: P 15, A 1, E 1, R 6, H 12, C 6, K 0 for each point that it could go to |

mod tables;

use std::path::Path;

pub use tables::{PositionTables, PositionTablesError};

use super::network::NetworkEvaluator;
use super::{Evaluator, MAX_EVAL, Score};
use crate::features::FeatureSet;
use crate::features::board91::{Board91, PIECE_VALUES};
use crate::game::{Game, Side};
use crate::games::xiangqi::Xiangqi;
use crate::net::store::{self, About, StoreError};

/// Points for each point that a piece could go to (S3, e3), by role.
pub const MOBILITY_VALUES: [Score; 7] = [0, 1, 1, 12, 6, 6, 15];

/// The lead, in points, that stands for an expected result of tanh 1 = 0.76: a rook.
const LEAD_UNIT: f64 = 600.0;

/// Which terms the traditional evaluator adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// e1, fixed values.
    pub material: bool,
    /// e2, values of points.
    pub position: bool,
    /// e3, mobility.
    pub mobility: bool,
}

impl Terms {
    /// All terms.
    pub const ALL: Self = Self { material: true, position: true, mobility: true };
}

/// The traditional evaluator; scores are in points, of which a rook is worth 600.
#[derive(Debug, Clone)]
pub struct Traditional {
    /// e1 + e2 of each board code on each point, positive for Red.
    placed: Vec<[Score; 90]>,
    mobility: [Score; 7],
}

impl Traditional {
    /// The evaluator with these terms and tables.
    #[must_use]
    pub fn new(terms: Terms, tables: &PositionTables) -> Self {
        let worth = |role: usize, side: Side, square: usize| {
            let fixed = if terms.material { PIECE_VALUES[role] } else { 0 };
            let place = if terms.position { tables.points(role, side, square) } else { 0 };
            side.sign() * (fixed + place)
        };
        let mut placed = vec![[0; 90]; 15];
        for (code, row) in placed.iter_mut().enumerate().skip(1) {
            let side = if code <= 7 { Side::First } else { Side::Second };
            for (square, entry) in row.iter_mut().enumerate() {
                *entry = worth((code - 1) % 7, side, square);
            }
        }
        Self { placed, mobility: if terms.mobility { MOBILITY_VALUES } else { [0; 7] } }
    }

    /// e3 of one side.
    fn mobility_of(&self, position: &Xiangqi, side: Side) -> Score {
        let piece = |(square, role)| self.mobility[role as usize] * position.mobility(square) as Score;
        position.pieces_of(side).filter(|(_, role)| self.mobility[*role as usize] != 0).map(piece).sum()
    }

    /// The value for Red, in points.
    fn for_red(&self, position: &Xiangqi) -> Score {
        let board = position.board();
        let placed: Score = position.occupied().into_iter().map(|s| self.placed[usize::from(board[s])][s]).sum();
        placed + self.mobility_of(position, Side::First) - self.mobility_of(position, Side::Second)
    }
}

impl Default for Traditional {
    fn default() -> Self {
        Self::new(Terms::ALL, &PositionTables::fitted())
    }
}

impl Evaluator<Xiangqi> for Traditional {
    fn evaluate(&mut self, position: &Xiangqi) -> Score {
        let score = position.side_to_move().sign() * self.for_red(position);
        score.clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / LEAD_UNIT).tanh()
    }
}

/// The name under which the command line knows the traditional evaluator.
pub const TRADITIONAL: &str = "traditional";

/// Why an evaluator for Xiangqi could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The network's file is at fault.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network was made for something else.
    #[error("network `{path}` does not fit: expected {expected}, found {found}")]
    Mismatch {
        /// The file.
        path: String,
        /// The game, features or shape that Xiangqi's evaluators have.
        expected: String,
        /// What the file says.
        found: String,
    },
}

/// Something that makes fresh evaluators, one for each game that is played at the same time.
pub type Factory = Box<dyn Fn() -> Box<dyn Evaluator<Xiangqi>> + Send + Sync>;

/// The evaluator that `name` stands for: [`TRADITIONAL`], or the path of a network's file.
///
/// # Errors
/// When the file is not a network for Xiangqi.
pub fn factory(name: &str) -> Result<Factory, LoadError> {
    if name == TRADITIONAL {
        let evaluator = Traditional::default();
        return Ok(Box::new(move || Box::new(evaluator.clone())));
    }
    let (net, about) = store::load(Path::new(name))?;
    check_fit(name, &net, &about)?;
    Ok(Box::new(move || Box::new(NetworkEvaluator::<Xiangqi, _>::new(&net, Board91))))
}

fn check_fit(path: &str, net: &store::Net, about: &About) -> Result<(), LoadError> {
    let mismatch =
        |expected: String, found: String| Err(LoadError::Mismatch { path: path.to_owned(), expected, found });
    let expected = format!("{} with {}", Xiangqi::NAME, Board91::NAME);
    let found = format!("{} with {}", about.game, about.features);
    if expected != found {
        return mismatch(expected, found);
    }
    let coding = match net {
        store::Net::Dense(net) => net.coding(),
        store::Net::Rough(net) => net.coding(),
    };
    let values: Vec<usize> = (0..coding.n_attributes()).map(|t| coding.n_values(t)).collect();
    let specs: Vec<usize> = Board91.attributes().iter().map(|spec| spec.values.len()).collect();
    if values != specs {
        return mismatch("91 attributes with 15 values each, the last with 2".into(), format!("{values:?} values"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(fen: &str) -> Score {
        Traditional::default().evaluate(&Xiangqi::from_notation(fen).unwrap())
    }

    #[test]
    fn the_initial_position_is_even() {
        assert_eq!(Traditional::default().evaluate(&Xiangqi::start()), 0);
    }

    #[test]
    fn a_rook_more_is_an_advantage_for_the_side_that_has_it() {
        let red = evaluate("4k4/9/9/9/9/9/9/9/7R1/3K5 w - - 0 1");
        assert!(red > 500, "{red}");
        let black = evaluate("5k3/1r7/9/9/9/9/9/9/9/4K4 b - - 0 1");
        assert_eq!(red, black, "the position with colours exchanged has the same value for its side to move");
        assert_eq!(evaluate("4k4/9/9/9/9/9/9/9/7R1/3K5 b - - 0 1"), -red);
    }

    #[test]
    fn each_term_can_be_switched_off() {
        let position = Xiangqi::from_notation("4k4/9/9/9/9/9/9/9/7R1/3K5 w - - 0 1").unwrap();
        let with = |terms| Traditional::new(terms, &PositionTables::fitted()).evaluate(&position);
        let none = Terms { material: false, position: false, mobility: false };
        assert_eq!(with(none), 0);
        assert_eq!(with(Terms { material: true, ..none }), 600);
        assert_eq!(with(Terms { mobility: true, ..none }), 6 * 17);
        let sum = with(Terms { position: true, ..none }) + 600 + 6 * 17;
        assert_eq!(with(Terms::ALL), sum);
    }
}
