//! Two books as one.

use std::marker::PhantomData;

use super::{Book, BookError, BookRow, Meta};
use crate::game::{SearchHints, Symmetric};

/// The book of the games of both: counts add up. Its `plies` and `min_games` are the larger ones of the two, so that a book
/// of fewer plies adds what it has.
///
/// # Errors
/// When both count the games of the same file.
pub fn merge<G: Symmetric + SearchHints>(a: &Book<G>, b: &Book<G>) -> Result<Book<G>, BookError> {
    if let Some((name, sha256)) =
        b.meta.inputs.iter().find(|(_, sum)| a.meta.inputs.iter().any(|(_, of_a)| of_a == sum))
    {
        return Err(BookError::SameInput { name: name.clone(), sha256: sha256.clone() });
    }
    let mut inputs = [&a.meta.inputs[..], &b.meta.inputs].concat();
    inputs.sort();
    let meta = Meta {
        plies: a.meta.plies.max(b.meta.plies),
        min_games: a.meta.min_games.max(b.meta.min_games),
        games: a.meta.games + b.meta.games,
        program: crate::PROGRAM.to_owned(),
        inputs,
    };
    let mut rows: Vec<BookRow> = [&a.rows[..], &b.rows].concat();
    rows.sort_by_key(|row| (row.key, row.slot));
    rows.dedup_by(|next, kept| {
        let same = (next.key, next.slot) == (kept.key, kept.slot);
        if same {
            kept.wdl += next.wdl;
        }
        same
    });
    Ok(Book { meta, rows, game: PhantomData })
}
