//! The board as text.

use super::ranks::Ranks;
use crate::games::xiangqi::{FILES, RANKS, Xiangqi};

/// The board seen from Red's side, with the letters of FEN, a point where none stands, and the names of ranks and files.
pub(super) fn of_xiangqi(position: &Xiangqi, ranks: Ranks) -> String {
    let letter = |rank, file| position.piece_at(rank * FILES + file).map_or('.', |piece| piece.letter());
    of_board((RANKS, FILES), ranks.label(0), letter)
}

/// A board of so many rows and columns, of which the lowest row is called `lowest`; `letter` says what stands in a row, counted
/// from the bottom, and a column.
pub(super) fn of_board(
    (rows, columns): (usize, usize),
    lowest: usize,
    letter: impl Fn(usize, usize) -> char,
) -> String {
    let row = |row: usize| {
        let points: String = (0..columns).flat_map(|column| [' ', letter(row, column)]).collect();
        format!("{:>2}{points}\n", lowest + row)
    };
    let names: String = (0..columns).flat_map(|column| [' ', char::from(b'a' + column as u8)]).collect();
    (0..rows).rev().map(row).collect::<String>() + &format!("  {names}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Fronted;
    use crate::game::Game;
    use crate::games::connect6::Connect6;

    #[test]
    fn the_initial_position_is_drawn_from_reds_side() {
        let drawn = of_xiangqi(&Xiangqi::start(), Ranks::FromOne);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!((lines[0], lines[7]), ("10 r n b a k a b n r", " 3 . C . . . . . C ."));
        assert_eq!(lines[10], "   a b c d e f g h i");
    }

    #[test]
    fn stones_are_crosses_and_circles() {
        let mut game = Connect6::of_size(6).unwrap();
        ["b2", "f6"].iter().for_each(|text| game.play(game.parse_move(text).unwrap()));
        let expected = " 6 . . . . . O\n 5 . . . . . .\n 4 . . . . . .\n 3 . . . . . .\n 2 . X . . . .\n 1 . . . . . .\n   a b c d e f\n";
        assert_eq!(game.diagram(Ranks::FromZero), expected);
    }
}
