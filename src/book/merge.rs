//! Two books as one.

use std::marker::PhantomData;

use super::{Book, BookError, BookRow, Meta};
use crate::game::{SearchHints, Symmetric};

/// The book of the games of both: counts add up. Its `plies` is the larger one of the two, so that a book of fewer plies adds
/// what it has, and its `min_games` the smaller one, as moves of so few games may be in it. Games that stand in both count
/// twice ([`Book::games_shared_with`]).
///
/// # Errors
/// When both count the games of the same file, or all games of one stand in the other.
pub fn merge<G: Symmetric + SearchHints>(a: &Book<G>, b: &Book<G>) -> Result<Book<G>, BookError> {
    if let Some((name, sha256)) =
        b.meta.inputs.iter().find(|(_, sum)| a.meta.inputs.iter().any(|(_, of_a)| of_a == sum))
    {
        return Err(BookError::SameInput { name: name.clone(), sha256: sha256.clone() });
    }
    if let (Some(shared), Some(a), Some(b)) = (a.games_shared_with(b), a.different_games(), b.different_games())
        && shared > 0
        && shared == a.min(b)
    {
        return Err(BookError::SameGames(shared));
    }
    let mut inputs = [&a.meta.inputs[..], &b.meta.inputs].concat();
    inputs.sort();
    let meta = Meta {
        plies: a.meta.plies.max(b.meta.plies),
        min_games: a.meta.min_games.min(b.meta.min_games),
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
    Ok(Book { meta, rows, games: union(a.games.as_deref(), b.games.as_deref()), game: PhantomData })
}

/// The keys of the games of both, where both have them.
fn union(a: Option<&[i64]>, b: Option<&[i64]>) -> Option<Vec<i64>> {
    let mut keys = [a?, b?].concat();
    keys.sort_unstable();
    keys.dedup();
    Some(keys)
}
