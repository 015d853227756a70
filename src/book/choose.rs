//! Picks a move of the book.

use rand::RngExt;

use super::{Book, BookMove};
use crate::game::{SearchHints, Symmetric};
use crate::random::Stream;

/// How a move is picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookChoice {
    /// The move whose score is surely high: the greatest lower end of [`BookMove::interval`], which takes into account both
    /// how the games went and how many they were. Of equal moves the most played one.
    Best,
    /// Drawn: a move is as likely as it was often played.
    Weighted,
}

impl<G: Symmetric + SearchHints> Book<G> {
    /// A move for `position`; `None` if the book knows none. [`BookChoice::Best`] draws nothing from `random`.
    pub fn choose(&self, position: &G, choice: BookChoice, random: &mut Stream) -> Option<G::Move> {
        let moves = self.moves(position);
        match choice {
            BookChoice::Best => best(&moves),
            BookChoice::Weighted => weighted(&moves, random),
        }
    }
}

fn best<M: Copy>(moves: &[BookMove<M>]) -> Option<M> {
    let surely = |known: &BookMove<M>| known.interval().0;
    // The most played come first and `max_by` would take the last of equals.
    moves.iter().rev().max_by(|a, b| surely(a).total_cmp(&surely(b))).map(|known| known.mv)
}

fn weighted<M: Copy>(moves: &[BookMove<M>], random: &mut Stream) -> Option<M> {
    let total: u64 = moves.iter().map(|known| known.wdl.games()).sum();
    let mut left = (total > 0).then(|| random.random_range(0..total))?;
    for known in moves {
        match left.checked_sub(known.wdl.games()) {
            Some(rest) => left = rest,
            None => return Some(known.mv),
        }
    }
    None
}
