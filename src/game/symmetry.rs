//! The symmetries of a game: from one position and what is known of it to others and what is known of them.

use super::Game;

/// The number of the image that has left for right, in games that have one.
pub const MIRROR: usize = 1;

/// The images of a square board.
pub const SQUARE_IMAGES: usize = 8;

/// Where an image of a square board of `size` rows puts the point in this row and column. Of the image's number, below
/// [`SQUARE_IMAGES`], the first bit changes left for right, the second bottom for top, and the third then columns for rows.
pub const fn image_on_square((row, column): (usize, usize), image: usize, size: usize) -> (usize, usize) {
    let column = if image & 1 == 0 { column } else { size - 1 - column };
    let row = if image & 2 == 0 { row } else { size - 1 - row };
    if image & 4 == 0 { (row, column) } else { (column, row) }
}

/// The symmetries that the rules of a game do not tell apart: positions that are images of each other have images as moves, and
/// corresponding results. A game that states none has only the identity.
///
/// Laws, which `tests/it/symmetry.rs` checks: image 0 is the position itself, and image [`MIRROR`], if there is one, has left for
/// right; the images form a group; a game made of the images of moves has the image's key after each of them; exchanging colours
/// twice changes nothing.
pub trait Symmetric: Game {
    /// The number of symmetries of the board that leave each side its own pieces, that which changes nothing included.
    const IMAGES: usize = 1;

    /// The symmetry that turns the board so that each side has what the other had and the other side is to move, if there is one.
    const EXCHANGE: Option<Symmetry<Self>> = None;

    /// [`Game::key`] of the image number `image`, below [`Symmetric::IMAGES`], the same side to move.
    fn image_key(&self, _image: usize) -> u64 {
        self.key()
    }

    /// The move that corresponds to `mv`, on the board of this position, in that image.
    fn image_move(&self, mv: Self::Move, _image: usize) -> Self::Move {
        mv
    }

    /// That image, with the game that led to it.
    #[must_use]
    fn image(&self, _image: usize) -> Self {
        self.clone()
    }
}

/// One symmetry of a game, as functions.
#[derive(Debug)]
pub struct Symmetry<G: Game> {
    position: fn(&G) -> G,
    mv: fn(&G, G::Move) -> G::Move,
    exchanges_colours: bool,
}

// Derived, both would ask the same of the game.
impl<G: Game> Clone for Symmetry<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Symmetry<G> {}

impl<G: Game> Symmetry<G> {
    /// The symmetry that changes nothing, which every game has.
    pub fn identity() -> Self {
        Self { position: G::clone, mv: |_, mv| mv, exchanges_colours: false }
    }

    /// The exchange of colours that these functions make of a position and of a move.
    pub const fn of_colours(position: fn(&G) -> G, mv: fn(&G, G::Move) -> G::Move) -> Self {
        Self { position, mv, exchanges_colours: true }
    }

    /// The image of a position.
    pub fn position(&self, position: &G) -> G {
        (self.position)(position)
    }

    /// The image of a move in a game that began with `start`.
    pub fn mv(&self, start: &G, mv: G::Move) -> G::Move {
        (self.mv)(start, mv)
    }

    /// What a value for the side that moves first is multiplied by in the image: -1 if the sides change places, else 1.
    pub fn sign(&self) -> f32 {
        if self.exchanges_colours { -1.0 } else { 1.0 }
    }
}

impl<G: Symmetric> Symmetry<G> {
    /// Left for right, if the game has such a symmetry.
    pub fn mirror() -> Option<Self> {
        let mirror = Self {
            position: |position| position.image(MIRROR),
            mv: |start, mv| start.image_move(mv, MIRROR),
            exchanges_colours: false,
        };
        (G::IMAGES > MIRROR).then_some(mirror)
    }

    /// One side for the other and left for right at once, if the game has both symmetries.
    pub fn both() -> Option<Self> {
        let exchange = G::EXCHANGE.filter(|_| G::IMAGES > MIRROR)?;
        let both = Self {
            position: |position| {
                G::EXCHANGE.map_or_else(|| position.clone(), |one| one.position(&position.image(MIRROR)))
            },
            mv: |start, mv| G::EXCHANGE.map_or(mv, |one| one.mv(start, start.image_move(mv, MIRROR))),
            ..exchange
        };
        Some(both)
    }

    /// The symmetries, but the identity, that are made of these: of left and right if `mirror`, of the colours if `exchange`.
    pub fn made_of(mirror: bool, exchange: bool) -> Vec<Self> {
        let made = [(mirror, Self::mirror()), (exchange, G::EXCHANGE), (mirror && exchange, Self::both())];
        made.into_iter().filter(|(is_made, _)| *is_made).filter_map(|(_, symmetry)| symmetry).collect()
    }
}
