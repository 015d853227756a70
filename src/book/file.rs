//! A book as an SQLite file: tables `meta`, `inputs`, `games` and `moves`, and a view of the moves of each side, described in
//! `docs/book.md`.
//!
//! Databases are built and opened in memory, so that a file appears whole or not at all, and reading leaves no trace beside it.

use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use rusqlite::{Connection, MAIN_DB, OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};

use super::{Book, BookError, BookRow, Meta};
use crate::disk::{self, Changed, FileError};
use crate::game::{SearchHints, Side, Symmetric};
use crate::observe::Observer;
use crate::stats::Wdl;

/// The version of the tables; files of a later one are refused, and of one before [`OLDEST`].
pub const SCHEMA: u32 = 3;
/// The oldest version that is read. It has no table of games.
const OLDEST: u32 = 2;
/// SQLite's application id of books: the letters `rbbk`.
const APPLICATION: u32 = u32::from_be_bytes(*b"rbbk");

const TABLES: &str = "
    CREATE TABLE meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name)) WITHOUT ROWID;
    CREATE TABLE inputs (sha256 TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (sha256, name)) WITHOUT ROWID;
    CREATE TABLE moves (key INTEGER NOT NULL, side INTEGER NOT NULL, move INTEGER NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,
                        draws INTEGER NOT NULL, losses INTEGER NOT NULL, PRIMARY KEY (key, move)) WITHOUT ROWID;";

/// A book has this table only if it knows all its games.
const GAMES: &str = "CREATE TABLE games (key INTEGER PRIMARY KEY)";

/// What the table of facts calls the checksum of all that the book says.
const SUM: &str = "sha256";

impl<G: Symmetric + SearchHints> Book<G> {
    /// Reads a book. The file is read whole, and not needed afterwards.
    ///
    /// # Errors
    /// When the file cannot be read, is no book, is damaged, has another schema or is of another game.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let bytes = fs::read(path).map_err(FileError::of("read book", path))?;
        let damaged = |flaw| BookError::Damaged(path.to_owned(), flaw);
        let database = database_of(&bytes).map_err(damaged)?;
        check_kind(&database, path)?;
        let (game, meta) = read_meta(&database).map_err(damaged)?;
        if game != G::NAME {
            return Err(BookError::OtherGame(path.to_owned(), G::NAME, game));
        }
        let games = read_games(&database).map_err(damaged)?;
        let rows = read_moves(&database).map_err(damaged)?;
        let book = Self { meta, rows, games, game: PhantomData };
        if read_sum(&database).map_err(damaged)?.is_some_and(|sum| sum != book.sum()) {
            return Err(BookError::Changed(path.to_owned(), Changed));
        }
        match book.rows.iter().find(|row| row.wdl.games() == 0) {
            Some(row) => Err(BookError::NoGames(path.to_owned(), row.key)),
            None => Ok(book),
        }
    }

    /// Writes the book to `path`, whole or not at all. Equal books give equal bytes.
    ///
    /// # Errors
    /// When the database cannot be made or the file cannot be written.
    pub fn save(&self, path: &Path, observer: &dyn Observer) -> Result<(), BookError> {
        observer.begin("writing the book", self.rows.len() as u64);
        let bytes = self.to_bytes(observer).map_err(|cause| BookError::Database(path.to_owned(), cause));
        observer.end();
        Ok(disk::write_whole(path, &bytes?).map_err(FileError::of("write book", path))?)
    }

    fn to_bytes(&self, observer: &dyn Observer) -> rusqlite::Result<Vec<u8>> {
        let mut database = Connection::open_in_memory()?;
        database.pragma_update(None, "application_id", APPLICATION)?;
        database.pragma_update(None, "user_version", SCHEMA)?;
        let transaction = database.transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.execute_batch(&views(G::SIDES))?;
        self.insert_meta(&transaction)?;
        self.insert_games(&transaction)?;
        self.insert_moves(&transaction, observer)?;
        transaction.commit()?;
        Ok(database.serialize(MAIN_DB)?.to_vec())
    }

    fn insert_meta(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let Meta { plies, min_games, games, program, inputs } = &self.meta;
        let mut insert = transaction.prepare("INSERT INTO meta (name, value) VALUES (?1, ?2)")?;
        let [plies, min_games, games] = [u64::from(*plies), u64::from(*min_games), *games].map(|n| n.to_string());
        let rows = [("game", G::NAME), ("plies", &plies), ("min_games", &min_games), ("games", &games)];
        let sum = self.sum();
        for (name, value) in rows.into_iter().chain([("program", program.as_str()), (SUM, &sum)]) {
            insert.execute(params![name, value])?;
        }
        let mut insert = transaction.prepare("INSERT OR IGNORE INTO inputs (sha256, name) VALUES (?1, ?2)")?;
        inputs.iter().try_for_each(|(name, sha256)| insert.execute(params![sha256, name]).map(drop))
    }

    /// SHA-256 of all that the book says.
    fn sum(&self) -> String {
        let Meta { plies, min_games, games, program, inputs } = &self.meta;
        let mut inputs: Vec<_> = inputs.iter().map(|(name, sha256)| (sha256, name)).collect();
        inputs.sort();
        inputs.dedup();
        let mut hasher = Sha256::new();
        // Of texts the length stands before the bytes, so that none passes for two others.
        let mut add = |text: &str| {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        };
        [G::NAME, program.as_str()].into_iter().for_each(&mut add);
        inputs.iter().flat_map(|(sha256, name)| [sha256, name]).for_each(|text| add(text));
        let keys = self.games.as_ref().map_or(u64::MAX, |keys| keys.len() as u64);
        [u64::from(*plies), u64::from(*min_games), *games, inputs.len() as u64, keys]
            .iter()
            .for_each(|number| hasher.update(number.to_le_bytes()));
        self.games.iter().flatten().for_each(|key| hasher.update(key.to_le_bytes()));
        for BookRow { key, side, slot, wdl } in &self.rows {
            let Wdl { wins, draws, losses } = *wdl;
            hasher.update(key.to_le_bytes());
            [side.index() as u64, u64::from(*slot), wins, draws, losses]
                .iter()
                .for_each(|number| hasher.update(number.to_le_bytes()));
        }
        disk::hexadecimal(&hasher.finalize())
    }

    fn insert_games(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let Some(games) = &self.games else { return Ok(()) };
        transaction.execute_batch(GAMES)?;
        let mut insert = transaction.prepare("INSERT INTO games VALUES (?1)")?;
        games.iter().try_for_each(|key| insert.execute([key]).map(drop))
    }

    /// In the order of the key, which is the order of the table: pages fill up one after the other.
    fn insert_moves(&self, transaction: &Transaction<'_>, observer: &dyn Observer) -> rusqlite::Result<()> {
        let mut insert = transaction.prepare("INSERT INTO moves VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
        self.rows.iter().try_for_each(|row| {
            observer.advance(1);
            let Wdl { wins, draws, losses } = row.wdl;
            let [games, wins, draws, losses] = [row.wdl.games(), wins, draws, losses].map(u64::cast_signed);
            insert.execute(params![row.key, row.side.index() as i64, row.slot, games, wins, draws, losses]).map(drop)
        })
    }
}

/// A view of the moves of each side, called as the side.
fn views(sides: [&str; 2]) -> String {
    let view = |(side, name): (usize, &str)| {
        format!("CREATE VIEW {name} AS SELECT key, move, games, wins, draws, losses FROM moves WHERE side = {side};")
    };
    sides.into_iter().enumerate().map(view).collect()
}

/// The database in the bytes of a file.
fn database_of(bytes: &[u8]) -> rusqlite::Result<Connection> {
    let mut database = Connection::open_in_memory()?;
    database.deserialize_read_exact(MAIN_DB, bytes, bytes.len(), true)?;
    Ok(database)
}

/// Checks that the file was meant as a book of this schema.
fn check_kind(database: &Connection, path: &Path) -> Result<(), BookError> {
    let pragma = |name| {
        let value = database.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        value.map_err(|flaw| BookError::Damaged(path.to_owned(), flaw)).map(i32::cast_unsigned)
    };
    let found = pragma("application_id")?;
    if found != APPLICATION {
        return Err(BookError::NotABook { path: path.to_owned(), expected: APPLICATION, found });
    }
    if has_computed_tables(database).map_err(|flaw| BookError::Damaged(path.to_owned(), flaw))? {
        return Err(BookError::Computed(path.to_owned()));
    }
    let found = pragma("user_version")?;
    if (OLDEST..=SCHEMA).contains(&found) {
        return Ok(());
    }
    let hint = if found > SCHEMA { "a newer program wrote it" } else { "build it again" };
    Err(BookError::Schema { path: path.to_owned(), expected: SCHEMA, found, hint })
}

/// Whether what should be a table is a view, a virtual table or has computed columns: reading it would run what its maker thought out.
/// Names mean the same in capital and small letters.
fn has_computed_tables(database: &Connection) -> rusqlite::Result<bool> {
    let query = "SELECT EXISTS (SELECT 1 FROM pragma_table_list AS listed JOIN pragma_table_xinfo(listed.name) AS found
                 WHERE lower(listed.name) IN ('meta', 'inputs', 'games', 'moves') AND (listed.type <> 'table' OR found.hidden <> 0))";
    database.query_row(query, [], |row| row.get(0))
}

/// The name of the game, and the rest.
fn read_meta(database: &Connection) -> rusqlite::Result<(String, Meta)> {
    let value = |name: &str| {
        database.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get::<_, String>(0))
    };
    let number = |name: &str| {
        let query = "SELECT CAST(value AS INTEGER) FROM meta WHERE name = ?1";
        database.query_row(query, [name], |row| row.get::<_, u32>(0))
    };
    let mut inputs = database.prepare("SELECT name, sha256 FROM inputs ORDER BY name, sha256")?;
    let inputs = ascending(inputs.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?, <(String, String)>::clone)?;
    let (plies, min_games, games) = (number("plies")?, number("min_games")?, u64::from(number("games")?));
    Ok((value("game")?, Meta { plies, min_games, games, program: value("program")?, inputs }))
}

/// The checksum that a book has of itself; older ones have none.
fn read_sum(database: &Connection) -> rusqlite::Result<Option<String>> {
    database.query_row("SELECT value FROM meta WHERE name = ?1", [SUM], |row| row.get(0)).optional()
}

/// The keys of the games, ascending, if the book has them.
fn read_games(database: &Connection) -> rusqlite::Result<Option<Vec<i64>>> {
    if !database.table_exists(None, "games")? {
        return Ok(None);
    }
    let mut games = database.prepare("SELECT key FROM games ORDER BY key")?;
    ascending(games.query_map([], |row| row.get(0))?, |&key| key).map(Some)
}

/// Rows whose keys ascend, which the index of an undamaged table sees to.
fn ascending<T, K: PartialOrd>(
    rows: impl Iterator<Item = rusqlite::Result<T>>,
    key: impl Fn(&T) -> K,
) -> rusqlite::Result<Vec<T>> {
    let rows = rows.collect::<rusqlite::Result<Vec<T>>>()?;
    if rows.is_sorted_by(|one, next| key(one) < key(next)) {
        return Ok(rows);
    }
    let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(corrupt, Some("rows are not in the order of their keys".to_owned())))
}

fn read_moves(database: &Connection) -> rusqlite::Result<Vec<BookRow>> {
    let mut rows = database.prepare("SELECT key, side, move, wins, draws, losses FROM moves ORDER BY key, move")?;
    let rows = rows.query_map([], |row| {
        let count = |column| row.get::<_, u32>(column).map(u64::from);
        let side = if row.get(1)? { Side::Second } else { Side::First };
        Ok(BookRow { key: row.get(0)?, side, slot: row.get(2)?, wdl: Wdl::new(count(3)?, count(4)?, count(5)?) })
    });
    ascending(rows?, |row| (row.key, row.slot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::Xiangqi;

    /// The number was computed by another program, of the lengths and bytes of the texts and the numbers in 8 bytes each.
    #[test]
    fn the_checksum_of_a_book_is_that_of_its_bytes() {
        let inputs = vec![("a\u{301}.pgn".to_owned(), "ab".to_owned())];
        let meta = Meta { plies: 2, min_games: 1, games: 3, program: "p 1".to_owned(), inputs };
        let row = BookRow { key: -7, side: Side::First, slot: 5, wdl: Wdl::new(1, 1, 1) };
        let book: Book<Xiangqi> = Book { meta, rows: vec![row], games: Some(vec![1, 2, 3]), game: PhantomData };
        assert_eq!(book.sum(), "8a9af8ca40f5d668856376a72d622d7b6b6225d2017c566fabfa2627a7f8f72b");
    }
}
