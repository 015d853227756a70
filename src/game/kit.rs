//! What a game offers beside its rules, notation, hints and symmetries: the one list of what is peculiar to it.

use std::error::Error;

use super::{BoardGame, Grid, PieceLook, Ranks, Symmetric};

/// What the rest of the program asks of a game beside its rules, notation, hints and symmetries, evaluators and features apart.
/// Everything has a default, so that a small game states nothing.
pub trait Kit: BoardGame + Symmetric {
    /// What is peculiar to the game in the protocols of engines.
    const PROTOCOL: Protocol = Protocol::USUAL;

    /// What is searched for the signature of the search.
    const BENCH: Bench = Bench { positions: &[], depth: 8 };

    /// What the simplest predictor of results counts.
    const MATERIAL: MaterialCount<Self> = MaterialCount { name: "material", values: &[], leads: |_, _| () };

    /// How many of the most promising moves random openings choose from; 0 for all legal ones.
    const OPENING_WIDTH: u32 = 0;

    /// The plies of each game that an opening book counts unless it is told otherwise.
    const BOOK_PLIES: u32 = 40;

    /// The games that come with the program, if there are any.
    const SUPPLIED: Option<SuppliedGames> = None;

    /// The board for a reader, if it is one of rows and columns.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// How the pieces of [`Kit::grid`] are drawn; letters that are not among them are written as they are.
    fn looks() -> Vec<PieceLook> {
        Vec::new()
    }

    /// The board as text, rows from the top, with the names of rows and columns.
    fn diagram(&self, _ranks: Ranks) -> String {
        self.grid().map_or_else(|| self.notation() + "\n", |grid| grid.to_text(grid.lowest))
    }

    /// The same position under the rules that `text` states, in the game's own way, where its rules can be set.
    ///
    /// # Errors
    /// When the game has one set of rules, or the text states none.
    fn under_rules(self, _text: &str) -> Result<Self, RulesError> {
        Err(RulesError::Fixed(Self::NAME))
    }
}

/// What is peculiar to a game in the protocols of engines.
#[derive(Debug, Clone, Copy)]
pub struct Protocol {
    /// The letters by which UCI's `go` calls the clocks of the side that moves first and of the other.
    pub clocks: [char; 2],
    /// How many plies count as one move in the distance of a mate.
    pub plies_of_mate_move: i32,
    /// The plies in which each side has one turn.
    pub plies_of_round: usize,
    /// Whether the engine speaks UCCI, a protocol for Xiangqi alone.
    pub speaks_ucci: bool,
    /// Whether the engine speaks the protocol of contests in Connect6.
    pub speaks_stones: bool,
    /// The values of the option `UCI_Variant`, by what they say about ranks; without any there is no such option.
    pub variants: &'static [(&'static str, Ranks)],
}

impl Protocol {
    /// That of games in which the sides move in turn; interfaces call the side that begins white.
    pub const USUAL: Self = Self {
        clocks: ['w', 'b'],
        plies_of_mate_move: 2,
        plies_of_round: 2,
        speaks_ucci: false,
        speaks_stones: false,
        variants: &[],
    };
}

/// The positions of the bench, and the usual depth of their searches.
#[derive(Debug, Clone, Copy)]
pub struct Bench {
    /// The positions, all different and none of them over.
    pub positions: &'static [&'static str],
    /// The depth, in plies.
    pub depth: u32,
}

/// The kinds of pieces of a game, and by how many of each the side that moves first leads.
#[derive(Debug)]
pub struct MaterialCount<G> {
    /// What the kinds are together, as a table names them: `material`.
    pub name: &'static str,
    /// The fixed value of each kind, ascending.
    pub values: &'static [i32],
    /// Writes the number of pieces that the first side has more of each kind into a slice of as many numbers as values.
    pub leads: fn(&G, &mut [i8]),
}

// Derived, both would ask the same of the game.
impl<G> Clone for MaterialCount<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for MaterialCount<G> {}

/// A file of games that is part of the program.
#[derive(Debug, Clone, Copy)]
pub struct SuppliedGames {
    /// The name under which manifests list it.
    pub name: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// Why a position cannot be played under the rules that were asked for.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The rules of this game cannot be set.
    #[error("{0} has one set of rules")]
    Fixed(&'static str),
    /// The text states no rules of the game.
    #[error(transparent)]
    Stated(#[from] Box<dyn Error + Send + Sync>),
}
