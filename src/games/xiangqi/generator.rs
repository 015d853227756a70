//! The three ways of generating moves, side by side.

use super::moves::Move;
use super::{Xiangqi, reference, templates};
use crate::game::Game;
use crate::game::perft::MoveSource;
use crate::settings::choices;

choices! {
    /// A way of generating legal moves. All give the same moves, in different orders and at different speeds.
    pub enum Generator = Tables {
        /// Preset tables over bitboards and the occupancies of ranks and files: what the search uses.
        Tables,
        /// Templates of steps over piece lists and the board matrix.
        Templates,
        /// A scan of the board matrix: the slow reference.
        Scan,
    }
}

impl MoveSource<Xiangqi> for Generator {
    fn list(&self, position: &Xiangqi, out: &mut Vec<Move>) {
        match self {
            Self::Tables => position.legal_moves(out),
            Self::Templates => templates::legal_moves(&position.position, out),
            Self::Scan => out.extend(reference::legal_moves(position.board(), position.side_to_move())),
        }
    }

    fn count(&self, position: &Xiangqi, room: &mut Vec<Move>) -> usize {
        if *self == Self::Tables {
            return position.count_legal_moves();
        }
        room.clear();
        self.list(position, room);
        room.len()
    }
}
