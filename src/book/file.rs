//! A book as an SQLite file: tables `meta`, `inputs` and `moves`, described in `docs/book.md`.

use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use super::sqlite::{Database, Flaw, TooLong, Value, Writer};
use super::{Book, BookError, Meta, Row};
use crate::disk;
use crate::game::mirror::Mirrored;
use crate::observe::Observer;
use crate::stats::Wdl;

/// The version of the tables; files of another one are refused.
pub const SCHEMA: u32 = 1;
/// SQLite's application id of books: the letters `rbbk`.
const APPLICATION: u32 = u32::from_be_bytes(*b"rbbk");

const META: &str = "CREATE TABLE meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)) WITHOUT ROWID";
const INPUTS: &str = "CREATE TABLE inputs (sha256 TEXT NOT NULL, name TEXT NOT NULL, \
                      PRIMARY KEY (sha256, name)) WITHOUT ROWID";
const MOVES: &str = "CREATE TABLE moves (key INTEGER NOT NULL, move INTEGER NOT NULL, games INTEGER NOT NULL, \
                     wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL, \
                     PRIMARY KEY (key, move)) WITHOUT ROWID";

impl<G: Mirrored> Book<G> {
    /// Reads a book. The file is read whole, and not needed afterwards.
    ///
    /// # Errors
    /// When the file cannot be read, is no book, is damaged, has another schema or is of another game.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let bytes = fs::read(path).map_err(|cause| BookError::Open { path: path.to_owned(), cause })?;
        let damaged = |flaw| BookError::Damaged { path: path.to_owned(), flaw };
        let database = Database::new(&bytes).map_err(damaged)?;
        check_kind(&database, path)?;
        let (game, meta) = read_meta(&database).map_err(damaged)?;
        if game != G::NAME {
            return Err(BookError::OtherGame { path: path.to_owned(), expected: G::NAME, found: game });
        }
        Ok(Self { meta, rows: read_moves(&database).map_err(damaged)?, game: PhantomData })
    }

    /// Writes the book to `path`, whole or not at all. Equal books give equal bytes.
    ///
    /// # Errors
    /// When the file cannot be written, or the name of an input is too long.
    pub fn save(&self, path: &Path, observer: &dyn Observer) -> Result<(), BookError> {
        observer.begin("writing the book", self.rows.len() as u64);
        let bytes = self.to_bytes(observer).map_err(|cause| BookError::TooLong { path: path.to_owned(), cause });
        observer.end();
        disk::write_whole(path, &bytes?).map_err(|cause| BookError::Write { path: path.to_owned(), cause })
    }

    fn to_bytes(&self, observer: &dyn Observer) -> Result<Vec<u8>, TooLong> {
        let mut writer = Writer::new();
        let mut meta = self.meta_rows();
        meta.sort();
        writer.table("meta", META, |tree| {
            meta.iter().try_for_each(|(name, value)| tree.push(&[Value::Text(name), Value::Text(value)]))
        })?;
        let mut inputs: Vec<_> = self.meta.inputs.iter().map(|(name, sha256)| (sha256, name)).collect();
        inputs.sort();
        inputs.dedup();
        writer.table("inputs", INPUTS, |tree| {
            inputs.iter().try_for_each(|(sha256, name)| tree.push(&[Value::Text(sha256), Value::Text(name)]))
        })?;
        writer.table("moves", MOVES, |tree| {
            self.rows.iter().try_for_each(|row| {
                observer.advance(1);
                tree.push(&move_row(row))
            })
        })?;
        Ok(writer.finish(APPLICATION, SCHEMA))
    }

    fn meta_rows(&self) -> Vec<(&'static str, String)> {
        let Meta { plies, min_games, games, program, .. } = &self.meta;
        vec![
            ("game", G::NAME.to_owned()),
            ("plies", plies.to_string()),
            ("min_games", min_games.to_string()),
            ("games", games.to_string()),
            ("program", program.clone()),
        ]
    }
}

/// Checks that the file was meant as a book of this schema.
fn check_kind(database: &Database, path: &Path) -> Result<(), BookError> {
    let found = database.application();
    if found != APPLICATION {
        return Err(BookError::NotABook { path: path.to_owned(), expected: APPLICATION, found });
    }
    let found = database.user_version();
    if found == SCHEMA {
        return Ok(());
    }
    let hint = if found > SCHEMA { "a newer program wrote it" } else { "build it again" };
    Err(BookError::Schema { path: path.to_owned(), expected: SCHEMA, found, hint })
}

/// The name of the game, and the rest.
fn read_meta(database: &Database) -> Result<(String, Meta), Flaw> {
    let mut game = String::new();
    let mut meta = Meta { plies: 0, min_games: 0, games: 0, program: String::new(), inputs: Vec::new() };
    database.rows("meta", |row| {
        let &[Value::Text(name), Value::Text(value)] = row else { return Err("rows of a name and a value in `meta`") };
        match name {
            "game" => value.clone_into(&mut game),
            "program" => value.clone_into(&mut meta.program),
            "plies" => meta.plies = number(value)?,
            "min_games" => meta.min_games = number(value)?,
            "games" => meta.games = number(value)?,
            _ => {}
        }
        Ok(())
    })?;
    database.rows("inputs", |row| {
        let &[Value::Text(sha256), Value::Text(name)] = row else { return Err("rows of two texts in `inputs`") };
        meta.inputs.push((name.to_owned(), sha256.to_owned()));
        Ok(())
    })?;
    meta.inputs.sort();
    Ok((game, meta))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "whole numbers for `plies`, `min_games` and `games` in `meta`")
}

fn move_row(row: &Row) -> [Value<'static>; 6] {
    let Wdl { wins, draws, losses } = row.wdl;
    let [games, wins, draws, losses] = [row.wdl.games(), wins, draws, losses].map(|count| count.cast_signed());
    [row.key, i64::from(row.slot), games, wins, draws, losses].map(Value::Integer)
}

fn read_moves(database: &Database) -> Result<Vec<Row>, Flaw> {
    let mut rows: Vec<Row> = Vec::new();
    database.rows("moves", |values| {
        let row =
            read_move(values).ok_or("six whole numbers in `moves`, games being the sum of wins, draws and losses")?;
        if rows.last().is_some_and(|last| (last.key, last.slot) >= (row.key, row.slot)) {
            return Err("ascending keys in `moves`");
        }
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

/// Counts stay below 2⁴⁰, so that sums of them cannot overflow.
fn read_move(values: &[Value]) -> Option<Row> {
    let &[Value::Integer(key), Value::Integer(slot), Value::Integer(games), ref results @ ..] = values else {
        return None;
    };
    let count = |value: &Value| value.integer().filter(|count| (0..1 << 40).contains(count)).map(i64::cast_unsigned);
    let [wins, draws, losses] = results else { return None };
    let wdl = Wdl::new(count(wins)?, count(draws)?, count(losses)?);
    let slot = u32::try_from(slot).ok()?;
    (games > 0 && wdl.games() == games.cast_unsigned()).then_some(Row { key, slot, wdl })
}
