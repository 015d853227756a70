//! What the front of an engine has to know of a game beside its rules and evaluators.

use super::diagram;
use super::ranks::Ranks;
use crate::eval::Catalogue;
use crate::eval::xiangqi::ENDINGS;
use crate::game::images::Imaged;
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

    fn diagram(&self, ranks: Ranks) -> String {
        diagram::of_xiangqi(self, ranks)
    }
}
