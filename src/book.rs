//! Opening books: which moves were played in a position, how often, and how those games went.
//!
//! [`Builder`] counts games into a [`Book`], which is saved as one SQLite file and opened again. Positions are told apart
//! by board and side to move, so that transpositions meet, and a position and its images under the symmetries of the board
//! are one: the book keeps the one whose key is smallest. [`Book::moves`] gives the moves in the orientation of the position asked for.

mod build;
mod choose;
mod error;
mod file;
mod fold;
mod merge;

pub use build::{BookSettings, Builder};
pub use choose::BookChoice;
pub use error::BookError;
pub use merge::merge;

use std::marker::PhantomData;

use crate::game::{SearchHints, Side, Symmetric};
use crate::stats::{Wdl, wilson_score};
use fold::Fold;

/// A book in memory. It does not change any more, so threads may share it.
#[derive(Debug, Clone)]
pub struct Book<G> {
    meta: Meta,
    /// Ascending by key, then slot.
    rows: Vec<BookRow>,
    /// The keys of the different games counted, ascending, those of images of one game being one; `None` if games are among
    /// them that were counted by a program that kept no keys.
    games: Option<Vec<i64>>,
    game: PhantomData<fn() -> G>,
}

/// What a book says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// Plies of each game that were counted at most.
    pub plies: u32,
    /// Moves played in fewer games were left out.
    pub min_games: u32,
    /// Games counted.
    pub games: u64,
    /// The program that wrote the book.
    pub program: String,
    /// Name and SHA-256 of each file of games, ascending.
    pub inputs: Vec<(String, String)>,
}

/// One move of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BookRow {
    /// The smallest of the keys of the position and its images.
    key: i64,
    /// The side that moves.
    side: Side,
    /// [`move_slot`](crate::game::SearchHints::move_slot) of the move in that orientation.
    slot: u32,
    /// Results for the side that moves.
    wdl: Wdl,
}

/// What a book knows about a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BookMove<M> {
    /// The move.
    pub mv: M,
    /// Results of the games in which it was played here, for the side that moved.
    pub wdl: Wdl,
}

impl<M> BookMove<M> {
    /// Points per game in [0, 1] for the side that moves.
    pub fn score(&self) -> f64 {
        self.wdl.score().unwrap_or(0.5)
    }

    /// Wilson's 95 % interval of [`BookMove::score`], see [`wilson_score`].
    pub fn interval(&self) -> (f64, f64) {
        wilson_score(self.score() * self.wdl.games() as f64, self.wdl.games())
    }
}

impl<G: Symmetric + SearchHints> Book<G> {
    /// What the book says about itself.
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// How many positions have a move; images of one another count as one.
    pub fn positions(&self) -> usize {
        self.rows.chunk_by(|a, b| a.key == b.key).count()
    }

    /// How many different games were counted, a game and its images being one; `None` where the book does not say.
    pub fn different_games(&self) -> Option<usize> {
        self.games.as_ref().map(Vec::len)
    }

    /// How many of these games were counted into the other book, too; `None` where one of the books does not say.
    pub fn games_shared_with(&self, other: &Self) -> Option<usize> {
        let (a, b) = self.games.as_ref().zip(other.games.as_ref())?;
        let [fewer, more] = if a.len() < b.len() { [a, b] } else { [b, a] };
        Some(fewer.iter().filter(|key| more.binary_search(key).is_ok()).count())
    }

    /// The number of moves of all positions together.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the book knows no move at all.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The known moves of a position, the most played first. All are legal: of a position that has the key of another by
    /// chance only those moves count that can be played in this one. Where the position is its own image, one move stands for
    /// all that are images of it.
    pub fn moves(&self, position: &G) -> Vec<BookMove<G::Move>> {
        let fold = Fold::of(position);
        let begin = self.rows.partition_point(|row| row.key < fold.key);
        let known = &self.rows[begin..];
        let known = &known[..known.partition_point(|row| row.key == fold.key)];
        if known.is_empty() {
            return Vec::new();
        }
        let legal = position.moves();
        // Of moves that the book keeps as one, the largest is met first and stays.
        let mut folded: Vec<_> = legal.into_iter().map(|mv| (fold.stored(position, mv), mv)).collect();
        folded.sort_unstable_by(|one, other| other.cmp(one));
        folded.dedup_by_key(|(stored, _)| *stored);
        folded.sort_unstable_by_key(|&(_, mv)| mv);
        let of_row = |(stored, mv): (G::Move, G::Move)| {
            let row = known.iter().find(|row| row.slot == G::move_slot(stored) as u32)?;
            Some(BookMove { mv, wdl: row.wdl })
        };
        let mut moves: Vec<_> = folded.into_iter().filter_map(of_row).collect();
        moves.sort_by_key(|known| std::cmp::Reverse(known.wdl.games()));
        moves
    }
}
