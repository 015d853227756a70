//! The board as text.

use super::ranks::Ranks;
use crate::games::xiangqi::{FILES, RANKS, Xiangqi};

/// The board seen from Red's side, with the letters of FEN, a point where none stands, and the names of ranks and files.
pub(super) fn of_xiangqi(position: &Xiangqi, ranks: Ranks) -> String {
    let letter = |square| position.piece_at(square).map_or('.', |piece| piece.letter());
    let row = |rank: usize| {
        let points: String = (0..FILES).flat_map(|file| [' ', letter(rank * FILES + file)]).collect();
        format!("{:>2}{points}\n", ranks.label(rank))
    };
    (0..RANKS).rev().map(row).collect::<String>() + "   a b c d e f g h i\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_initial_position_is_drawn_from_reds_side() {
        let drawn = of_xiangqi(&Xiangqi::start(), Ranks::FromOne);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!((lines[0], lines[7]), ("10 r n b a k a b n r", " 3 . C . . . . . C ."));
    }
}
