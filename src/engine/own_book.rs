//! The opening book of a session: what it is read from, and which of its moves is made.

use std::path::Path;
use std::sync::Arc;

use super::refusal::Refusal;
use crate::book::{Book, BookChoice};
use crate::game::{SearchHints, Symmetric};
use crate::random;

/// What clients say for no text at all.
pub(super) const EMPTY: &str = "<empty>";

/// Whether and how moves come from a book.
pub(super) struct OwnBook<G> {
    book: Option<Arc<Book<G>>>,
    /// The file of the book; empty for none.
    pub file: String,
    /// Whether the book is used.
    pub used: bool,
    /// Whether moves are drawn as often as they were played, instead of the best always being made.
    pub weighted: bool,
    /// The seed of the draw.
    pub seed: u64,
}

impl<G: Symmetric + SearchHints> OwnBook<G> {
    /// No book.
    pub const fn new() -> Self {
        Self { book: None, file: String::new(), used: true, weighted: false, seed: 1 }
    }

    /// Takes the book of another file, or of none. `name` is what the option is called.
    pub fn read(&mut self, name: &str, file: &str) -> Result<(), Refusal> {
        let file = if file == EMPTY { "" } else { file };
        let failed = |source| Refusal::Option { name: name.to_owned(), source: Box::new(source) };
        let book = (!file.is_empty()).then(|| Book::open(Path::new(file))).transpose().map_err(failed)?;
        self.book = book.map(Arc::new);
        file.clone_into(&mut self.file);
        Ok(())
    }

    /// The move that the book makes in `position`, unless it is `excluded`. One seed gives one move in one position.
    pub fn choose(&self, position: &G, excluded: &[G::Move]) -> Option<G::Move> {
        let book = self.book.as_ref().filter(|_| self.used)?;
        let choice = if self.weighted { BookChoice::Weighted } else { BookChoice::Best };
        let chosen = book.choose(position, choice, &mut random::stream(self.seed, "book", position.key()))?;
        (!excluded.contains(&chosen)).then_some(chosen)
    }
}
