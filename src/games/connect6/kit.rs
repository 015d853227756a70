//! What Connect6 offers beside its rules.

use super::{Connect6, Point};
use crate::game::{Bench, Grid, Kit, MaterialCount, PieceLook, Protocol, Side};

/// The positions of the bench: the empty board, and games that the static evaluation played against itself: openings, middle games,
/// crowded boards, with one and with two stones to place.
const POSITIONS: &[&str] = &[
    "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b 1",
    "19/19/19/19/19/19/19/9w1w7/19/9b9/19/19/19/19/19/19/19/19/19 b 2",
    "19/19/19/19/19/19/19/9b1w7/19/9b1w7/9b9/19/19/19/19/19/19/19/19 w 2",
    "19/19/19/19/19/19/9b9/10b8/10w1w6/9b1w7/10w8/19/19/19/19/19/19/19/19 b 2",
    "19/19/19/19/10b8/9w9/19/7w11/6w12/9b9/4bwb12/19/19/19/19/19/19/19/19 b 1",
    "19/19/19/19/12b6/11w7/10w8/9w9/19/5b1bbbw8/19/19/19/19/19/19/19/19/19 w 2",
    "19/19/19/19/19/19/19/19/10w8/8bbw8/8bww8/7bb1w8/6w12/19/19/19/19/19/19 b 2",
    "19/19/19/19/19/12b6/19/7w1bwww6/8bw9/8wbb8/7b11/19/19/19/19/19/19/19/19 b 1",
    "19/19/19/19/19/19/19/10w8/5b4b8/6b2bw8/7b1ww8/8b1w8/19/10w8/10b8/19/19/19/19 w 2",
    "19/19/19/19/19/13w5/12b6/9wbbbb1w3/9w9/8wb9/6w1b10/7w11/6w12/19/19/19/19/19/19 b 2",
    "19/19/19/12w6/19/10b8/9b9/8bbw8/7bwww8/6w1bbw8/9bw8/10b8/19/19/19/19/19/19/19 w 2",
    "19/19/19/19/19/19/12b6/12b6/11wb6/9bw8/8bww8/7wbwbb7/8ww9/7w1w9/6b3b8/19/19/19/19 b 1",
    "19/19/19/19/19/19/10w8/9w9/6wwwb9/7bwbb8/5w1bbbbw7/8wb9/9w9/19/19/19/19/19/19 b 2",
    "19/19/13w5/10w8/11b7/10b2w5/7w1bbbbw5/8b1bb7/7w1wbww6/8wbw8/8w10/19/19/19/19/19/19/19/19 b 2",
    "19/19/19/19/14w4/13b5/3b1b1b11/5wbw1w1b7/5wbwb1b8/5www1b9/3b1wwwwb9/8w10/5b1b1b9/19/19/19/19/19/19 w 2",
    "19/19/19/9b9/13b5/9w9/8bwbwb6/8wwwb1b5/7bwwwbwb5/7wwbwww1b4/6wbb1bbw6/5b6wb5/12b6/19/19/19/19/19/19 w 2",
];

/// The letters of stones.
const STONES: [char; 2] = ['X', 'O'];

impl Kit for Connect6 {
    // A move is one stone, and the sides place two in turn: stones of either side are what can be counted.
    const PROTOCOL: Protocol = Protocol {
        clocks: ['b', 'w'],
        plies_of_mate_move: 1,
        plies_of_round: 4,
        speaks_stones: true,
        ..Protocol::USUAL
    };
    const BENCH: Bench = Bench { positions: POSITIONS, depth: 6 };
    /// The windows of six points that only one side has stones in, by the number of its stones.
    const MATERIAL: MaterialCount<Self> = MaterialCount { name: "segments", values: &[1, 2, 3, 4, 5], leads };
    // Stones anywhere make openings that nobody plays, with one side of them far ahead.
    const OPENING_WIDTH: u32 = 32;
    // Six turns of each side, as the book of S2: 1 + 5 * 2 black stones and 6 * 2 white ones.
    const BOOK_PLIES: u32 = 23;

    fn grid(&self) -> Option<Grid> {
        let letter = |point: Point| self.stone(point).map_or('.', |side| STONES[side.index()]);
        let at = |row, column| Point::at(column, row).map_or('.', letter);
        Some(Grid::new((self.size(), self.size()), 1, at))
    }

    fn looks() -> Vec<PieceLook> {
        [Side::First, Side::Second].map(|side| PieceLook::stone(STONES[side.index()], side)).into()
    }
}

fn leads(position: &Connect6, leads: &mut [i8]) {
    for (lead, stones) in leads.iter_mut().zip(1..) {
        let [black, white] = [Side::First, Side::Second].map(|side| position.open_windows(side, stones) as i32);
        // Only lone stones could have more, in games that nobody plays.
        *lead = (black - white).clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Ranks};

    #[test]
    fn stones_are_crosses_and_circles() {
        let mut game = Connect6::of_size(6).unwrap();
        ["b2", "f6"].iter().for_each(|text| game.play(game.parse_move(text).unwrap()));
        let expected = " 6 . . . . . O\n 5 . . . . . .\n 4 . . . . . .\n 3 . . . . . .\n 2 . X . . . .\n 1 . . . . . .\n   a b c d e f\n";
        assert_eq!(game.diagram(Ranks::FromZero), expected);
    }
}
