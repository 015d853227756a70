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
/// [`Ending::Win`] is given where all positions of that material and side to move are won, or all in which nothing
/// [threatens](is_unthreatened) the winner and this is one of them; [`Ending::Draw`] where all [settled](is_settled) ones are
/// drawn and this is one. Draws by repetition that a side could claim before are not
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
        Some(survey::Claim::Won { plies, threatened })
            if game.quiet_plies().saturating_add(plies) <= QUIET_PLIES
                && pawns_can_stand(game)
                && (threatened || !is_attacked(game, strong)) =>
        {
            Some(Ending::Win(strong))
        }
        Some(survey::Claim::Drawn) => is_settled(game).then_some(Ending::Draw),
        _ => None,
    };
    let strong = (material != material.swapped()).then_some(strong);
    proved.or(knowledge.scale.map(|scale| Ending::Drawish { strong, scale }))
}

/// Whether so few pieces are left that something may be [known].
pub fn is_small(game: &Xiangqi) -> bool {
    game.occupied().len() <= catalogue::most_pieces()
}

/// Whether no piece of either side attacks a piece of the other, kings included, and every pawn stands where play can have
/// put it: no capture is about to change the material.
pub fn is_settled(game: &Xiangqi) -> bool {
    pawns_can_stand(game) && ![Side::First, Side::Second].into_iter().any(|side| is_attacked(game, side))
}

/// Whether nothing attacks a piece of `side`, its king included, and every pawn stands where play can have put it.
pub fn is_unthreatened(game: &Xiangqi, side: Side) -> bool {
    pawns_can_stand(game) && !is_attacked(game, side)
}

fn is_attacked(game: &Xiangqi, side: Side) -> bool {
    let mut attackers = game.pieces_of(side.other());
    attackers.any(|(square, _)| !(game.targets(square) & game.side(side)).is_empty())
}

/// Whether every pawn stands where play can have put it.
fn pawns_can_stand(game: &Xiangqi) -> bool {
    let can_stand = |side| {
        let pawn = super::Piece::new(side, Role::Pawn);
        (game.pieces(side, Role::Pawn) & !places(pawn)).is_empty()
    };
    [Side::First, Side::Second].into_iter().all(can_stand)
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
