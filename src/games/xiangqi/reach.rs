//! What pieces reach: where they could go and what they attack or protect, for evaluators.

use super::count::pawn_steps;
use super::generate::{MARGIN, elephant_targets, horse_targets};
use super::piece::Role;
use super::position::{Position, spread_rank};
use super::squares::{Squares, file_of, rank_of};
use super::tables::{ADVISOR, FILE_LINES, FILE_SPREAD, KING, Line, RANK_LINES};
use crate::game::Side;

impl Position {
    /// Calls `visit` with the role and point of each piece of `side`, and the points that it reaches: where its way of
    /// moving lets it go if every other piece, own ones included, could be captured. Filled points of a reach are
    /// attacked if the opponent's, protected if own. Pawns come all at once, without a point, for each direction.
    #[inline(always)]
    pub fn visit_reaches(&self, side: Side, mut visit: impl FnMut(Role, Option<usize>, Squares)) {
        let padded = self.occupied().0 << MARGIN;
        let own = |role| self.pieces(side, role);
        own(Role::Rook).for_each(|from| visit(Role::Rook, Some(from), self.line_reach(from, Line::rook)));
        own(Role::Cannon).for_each(|from| visit(Role::Cannon, Some(from), self.line_reach(from, Line::cannon)));
        own(Role::Horse).for_each(|from| visit(Role::Horse, Some(from), horse_targets(from, padded)));
        own(Role::Advisor).for_each(|from| visit(Role::Advisor, Some(from), Squares(ADVISOR[from])));
        own(Role::Elephant).for_each(|from| visit(Role::Elephant, Some(from), elephant_targets(from, padded)));
        own(Role::King).for_each(|from| visit(Role::King, Some(from), Squares(KING[from])));
        pawn_steps(side, own(Role::Pawn)).into_iter().for_each(|reach| visit(Role::Pawn, None, reach));
    }

    #[inline(always)]
    fn line_reach(&self, from: usize, reach: impl Fn(Line, u16) -> u16) -> Squares {
        let (file, rank) = (file_of(from), rank_of(from));
        let (along_rank, _) = self.rank_line(Side::First, rank);
        let (along_file, _) = self.file_line(Side::First, file);
        let on_rank = reach(RANK_LINES[file][usize::from(along_rank) & 511], along_rank);
        let on_file = reach(FILE_LINES[rank][usize::from(along_file) & 1023], along_file);
        spread_rank(on_rank, rank) | Squares(FILE_SPREAD[usize::from(on_file) & 1023] << file)
    }
}
