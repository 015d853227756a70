//! What the front of an engine has to know of a game beside its rules and evaluators.

use super::diagram;
use super::ranks::Ranks;
use crate::eval::Catalogue;
use crate::eval::xiangqi::ENDINGS;
use crate::game::Side;
use crate::game::images::Imaged;
use crate::games::connect6::{Connect6, Point};
use crate::games::surakarta::{SIZE, Surakarta};
use crate::games::xiangqi::Xiangqi;

/// A game that the engine plays, with what is peculiar to it in the protocols.
pub trait Fronted: Catalogue + Imaged {
    /// The evaluator of a session that was told none, and what may stand behind it.
    const ENGINE_EVALUATOR: [&'static str; 2] = [Self::DEFAULT_EVALUATOR, ""];

    /// Whether the engine speaks UCCI, a protocol for Xiangqi alone.
    const SPEAKS_UCCI: bool = false;

    /// The values of the option `UCI_Variant`, by what they say about ranks; without any there is no such option.
    const VARIANTS: &'static [(&'static str, Ranks)] = &[];

    /// The letters by which UCI's `go` calls the clocks of the side that moves first and of the other.
    const CLOCKS: [char; 2];

    /// How many plies count as one move in the distance of a mate.
    const PLIES_OF_MATE_MOVE: i32;

    /// The plies in which each side has one turn.
    const PLIES_OF_ROUND: usize;

    /// How many of the most promising moves random openings choose from; all legal ones without it.
    const OPENING_WIDTH: Option<usize> = None;

    /// The plies of each game that an opening book counts unless it is told otherwise.
    const BOOK_PLIES: u32;

    /// The board for a reader, rows from the top, with the names of rows and columns.
    fn diagram(&self, ranks: Ranks) -> String;
}

impl Fronted for Xiangqi {
    const ENGINE_EVALUATOR: [&'static str; 2] = [Self::DEFAULT_EVALUATOR, ENDINGS];
    const SPEAKS_UCCI: bool = true;
    // There is one variant; a client that knows many says so by its name and counts ranks from 1, and one that sends back
    // every default changes nothing.
    const VARIANTS: &'static [(&'static str, Ranks)] = &[("iccs", Ranks::FromZero), ("xiangqi", Ranks::FromOne)];
    // Interfaces call Red white, as FEN does.
    const CLOCKS: [char; 2] = ['w', 'b'];
    const PLIES_OF_MATE_MOVE: i32 = 2;
    const PLIES_OF_ROUND: usize = 2;

    const BOOK_PLIES: u32 = 40;

    fn diagram(&self, ranks: Ranks) -> String {
        diagram::of_xiangqi(self, ranks)
    }
}

impl Fronted for Connect6 {
    const CLOCKS: [char; 2] = ['b', 'w'];
    // A move is one stone, and the sides place two in turn: stones of either side are what can be counted.
    const PLIES_OF_MATE_MOVE: i32 = 1;
    const PLIES_OF_ROUND: usize = 4;
    // Stones anywhere make openings that nobody plays, with one side of them far ahead.
    const OPENING_WIDTH: Option<usize> = Some(32);
    // Six turns of each side, as the book of S2: 1 + 5 * 2 black stones and 6 * 2 white ones.
    const BOOK_PLIES: u32 = 23;

    fn diagram(&self, _ranks: Ranks) -> String {
        let letter = |point: Point| self.stone(point).map_or('.', |side| ['X', 'O'][side.index()]);
        diagram::of_board((self.size(), self.size()), 1, |row, column| Point::at(column, row).map_or('.', letter))
    }
}

impl Fronted for Surakarta {
    // As of Xiangqi: the side that begins is what interfaces call white.
    const CLOCKS: [char; 2] = ['w', 'b'];
    const PLIES_OF_MATE_MOVE: i32 = 2;
    const PLIES_OF_ROUND: usize = 2;
    const BOOK_PLIES: u32 = 30;

    /// The letters of the position's text.
    fn diagram(&self, _ranks: Ranks) -> String {
        let letter = |side: Side| ['r', 'b'][side.index()];
        let piece = |row, column| self.piece_at((SIZE - 1 - row) * SIZE + column);
        diagram::of_board((SIZE, SIZE), 1, |row, column| piece(row, column).map_or('.', letter))
    }
}
