//! What is known of endings with few pieces, all of it computed: [`Solver`] works out every position of some material,
//! [`Survey`] counts its results, and [`known`] tells a search or an evaluator what the committed counts prove.
//!
//! The opening and endgame knowledge of S3 (section on knowledge bases) is what these tables stand for; no verdict is taken
//! from the literature.

mod catalogue;
mod material;
mod placement;
mod retrograde;
mod survey;

pub use catalogue::{TableError, catalogue, survey_all, to_json};
pub use material::{Material, MaterialError};
pub use retrograde::{MOST_PLACEMENTS, Solver, TooLarge, Value};
pub use survey::{Results, Survey};

use super::history::QUIET_PLIES;
use super::{Role, Xiangqi};
use crate::game::{Game, Side};
use placement::places;

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// This side wins by force before the rule of plies without capture ends the game.
    Win(Side),
    /// Neither side can force an end.
    Draw,
    /// Neither is proved, but the stronger side, or each of two equal ones, wins few positions of this material.
    Drawish {
        /// The side that has more; `None` where both have the same.
        strong: Option<Side>,
        /// In how many of 64 such positions it wins, 0 to 32: a factor for its advantage; for either side's if both have the same.
        scale: u8,
    },
}

/// What the committed counts prove of a position by its material alone, `None` if nothing.
///
/// [`Ending::Win`] and [`Ending::Draw`] are given only for [settled](is_settled) positions, and only where all settled
/// positions of that material and side to move have that result. Draws by repetition that a side could claim before are not
/// looked at. Costs a count of the pieces; positions with more pieces than any table return at once.
pub fn known(game: &Xiangqi) -> Option<Ending> {
    if !is_small(game) {
        return None;
    }
    let material = Material::of(game);
    let strong = if material.is_canonical() { Side::First } else { Side::Second };
    let knowledge = catalogue::of(material.canonical())?;
    let claim = knowledge.claims[usize::from(game.side_to_move() != strong)];
    let proved = match claim {
        Some(survey::Claim::Won(plies)) if game.quiet_plies().saturating_add(plies) <= QUIET_PLIES => {
            Some(Ending::Win(strong))
        }
        Some(survey::Claim::Drawn) => Some(Ending::Draw),
        _ => None,
    };
    let strong = (material != material.swapped()).then_some(strong);
    proved.filter(|_| is_settled(game)).or(knowledge.scale.map(|scale| Ending::Drawish { strong, scale }))
}

/// Whether so few pieces are left that something may be [known].
pub fn is_small(game: &Xiangqi) -> bool {
    game.occupied().len() <= catalogue::most_pieces()
}

/// Whether no piece of either side attacks a piece of the other, kings included, and every pawn stands where play can have
/// put it: no capture is about to change the material.
pub fn is_settled(game: &Xiangqi) -> bool {
    let at_rest = |side: Side| {
        let mut pieces = game.pieces_of(side);
        pieces.all(|(square, _)| (game.targets(square) & game.side(side.other())).is_empty())
    };
    let pawns = |side| {
        let pawn = super::Piece::new(side, Role::Pawn);
        (game.pieces(side, Role::Pawn) & !places(pawn)).is_empty()
    };
    [Side::First, Side::Second].into_iter().all(|side| at_rest(side) && pawns(side))
}

/// The value of a position by full solution of its material in `solver`, which solves what it has not yet.
///
/// # Errors
/// When its material has too many placements.
pub fn exact(game: &Xiangqi, solver: &mut Solver) -> Result<Option<Value>, TooLarge> {
    let material = Material::of(game);
    solver.solve(material)?;
    Ok(solver.value(&game.position, material))
}
