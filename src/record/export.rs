//! Games and positions written one after another: PGN, CSV, Parquet by the name of the file.

use std::fs::File;
use std::io;
use std::path::Path;

use super::entry::{GameRecord, result_text};
use super::error::RecordError;
use super::write::{PGN_ENDINGS, PgnFile, to_pgn};
use crate::disk::Partial;
use crate::game::{Notation, Side};
use crate::table::{Cells, ColumnType, Content, GroupWriter};

/// What the names of files of games end in: PGN and tables.
pub const GAME_ENDINGS: [&str; 6] = [".pgn", ".pgn.gz", ".pgn.zst", ".pgn.xz", ".csv", ".parquet"];

/// The name of a file of games as stem and ending, such as `G` and `.PGN.Zst`; the ending is empty if it is none of [`GAME_ENDINGS`].
pub fn stem_and_ending(name: &str) -> (&str, &str) {
    let in_small_letters = name.to_ascii_lowercase();
    let stem = GAME_ENDINGS.iter().find_map(|ending| in_small_letters.strip_suffix(ending));
    name.split_at(stem.map_or(name.len(), str::len))
}

/// Rows of a Parquet row group.
const GROUP: usize = 1 << 14;

/// An entry of a row.
pub(crate) enum Entry {
    Text(String),
    Integer(Option<i64>),
}

impl From<&str> for Entry {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// The columns of a table of games, marked as [`TableFile::create`] says. `first` and `second` are called as the sides are. `value` is the
/// result for the first side: 1, 0, -1.
const GAME_COLUMNS: &str =
    "game# event site round date iso_date first second ecco result value# plies# start moves source";

/// The columns of a table of positions: the position before each move, and that after the last (without a move).
const POSITION_COLUMNS: &str = "game# ply# fen move side value#";

/// A file that games are written to one by one. It appears when it is finished; until then, and if it never is, an old
/// file of its name stays.
pub struct GameFile {
    sink: Sink,
    games: u64,
}

enum Sink {
    Pgn(PgnFile),
    Table(TableFile),
}

impl GameFile {
    /// A file of games, whose name has one of the [`GAME_ENDINGS`]; `level` is that of Zstandard.
    ///
    /// # Errors
    /// When the name tells no format or the file cannot be made.
    pub fn create<G: Notation>(path: &Path, level: i32) -> Result<Self, RecordError> {
        let sink = if is_pgn(path) {
            Sink::Pgn(PgnFile::create(path, level)?)
        } else {
            let expected = ".pgn, .pgn.gz, .pgn.zst, .pgn.xz, .csv or .parquet";
            let columns = GAME_COLUMNS.split(' ').map(|column| match column {
                "first" => G::SIDES[0],
                "second" => G::SIDES[1],
                column => column,
            });
            Sink::Table(TableFile::create(path, columns, expected)?)
        };
        Ok(Self { sink, games: 0 })
    }

    /// The same, but in the end it takes the place of a file with the same content only, and fails where there is another.
    #[must_use]
    pub fn sparing_others(mut self) -> Self {
        match &mut self.sink {
            Sink::Pgn(file) => file.partial.spare_others(),
            Sink::Table(table) => table.partial.spare_others(),
        }
        self
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push<G: Notation>(&mut self, game: &GameRecord<G>) -> Result<(), RecordError> {
        self.games += 1;
        match &mut self.sink {
            Sink::Pgn(file) => file.push(&to_pgn(game)),
            Sink::Table(table) => table.push(game_row(self.games, game)),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        match self.sink {
            Sink::Pgn(file) => file.finish(),
            Sink::Table(table) => table.finish(),
        }
    }
}

fn is_pgn(path: &Path) -> bool {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().to_lowercase());
    PGN_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn game_row<G: Notation>(number: u64, game: &GameRecord<G>) -> Vec<Entry> {
    let tag = |name| Entry::from(game.tag(name).unwrap_or_default());
    let player = |side| Entry::from(game.player(side).unwrap_or_default());
    let iso_date = game.date().map_or_else(String::new, |date| date.to_string());
    let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
    vec![
        integer(number),
        tag("Event"),
        tag("Site"),
        tag("Round"),
        tag("Date"),
        Entry::Text(iso_date),
        player(Side::First),
        player(Side::Second),
        tag("ECCO"),
        result_text(game.outcome).into(),
        Entry::Integer(value(game)),
        integer(game.moves.len() as u64),
        Entry::Text(game.start.notation()),
        Entry::Text(moves.join(" ")),
        Entry::Text(game.source.as_ref().map_or_else(String::new, |place| place.file.shown.to_string())),
    ]
}

pub(crate) fn integer(number: u64) -> Entry {
    Entry::Integer(i64::try_from(number).ok())
}

fn value<G: Notation>(game: &GameRecord<G>) -> Option<i64> {
    game.outcome.map(|outcome| outcome.value_for(Side::First).into())
}

/// A file of all positions of games, `.csv` or `.parquet`, written game by game as [`GameFile`] is.
pub struct PositionFile {
    table: TableFile,
    games: u64,
}

impl PositionFile {
    /// A file of positions.
    ///
    /// # Errors
    /// When the name tells no format or the file cannot be made.
    pub fn create(path: &Path) -> Result<Self, RecordError> {
        Ok(Self { table: TableFile::create(path, POSITION_COLUMNS.split(' '), ".csv or .parquet")?, games: 0 })
    }

    /// Appends the positions of a game; games are numbered from 1, as in the [`GameFile`] that they are written to.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn push<G: Notation>(&mut self, game: &GameRecord<G>) -> Result<(), RecordError> {
        self.games += 1;
        let (number, value) = (self.games, value(game));
        let mut rows = Vec::with_capacity(game.moves.len() + 1);
        game.replay(|position, mv| {
            rows.push(vec![
                integer(number),
                integer(rows.len() as u64),
                Entry::Text(position.notation()),
                Entry::Text(mv.map_or_else(String::new, |mv| mv.to_string())),
                G::SIDES[position.side_to_move().index()].into(),
                Entry::Integer(value),
            ]);
        });
        rows.into_iter().try_for_each(|row| self.table.push(row))
    }

    /// Completes the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        self.table.finish()
    }
}

/// A table that is written in groups of rows.
pub(crate) struct TableFile {
    partial: Partial,
    columns: Vec<(&'static str, ColumnType)>,
    rows: Vec<Vec<Entry>>,
    format: Format,
}

enum Format {
    Csv(Box<csv::Writer<File>>),
    Parquet(Box<GroupWriter>),
}

impl TableFile {
    /// An empty table with columns of these names; those of numbers are marked by `#`. `expected` says which endings the name of the file
    /// may have.
    pub(crate) fn create(
        path: &Path,
        columns: impl Iterator<Item = &'static str>,
        expected: &'static str,
    ) -> Result<Self, RecordError> {
        let number = |name: &'static str| name.strip_suffix('#').map(|name| (name, ColumnType::Integer64));
        let column = |name| number(name).unwrap_or((name, ColumnType::Text));
        let columns: Vec<_> = columns.map(column).collect();
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let is_csv = match extension.as_deref() {
            Some("csv") => true,
            Some("parquet") => false,
            _ => return Err(RecordError::UnknownFormat(path.to_owned(), expected)),
        };
        let partial = Partial::new(path);
        let file = File::create(partial.path()).map_err(|cause| partial.failed(cause))?;
        let format = if is_csv {
            let mut writer = csv::Writer::from_writer(file);
            let head = writer.write_record(columns.iter().map(|(name, _)| name));
            head.map_err(|cause| partial.failed(io::Error::other(cause)))?;
            Format::Csv(Box::new(writer))
        } else {
            let writer = GroupWriter::create(file, &columns);
            Format::Parquet(Box::new(writer.map_err(|cause| partial.failed(io::Error::other(cause)))?))
        };
        Ok(Self { partial, columns, rows: Vec::new(), format })
    }

    /// Appends a row, one entry a column.
    pub(crate) fn push(&mut self, row: Vec<Entry>) -> Result<(), RecordError> {
        if let Format::Csv(writer) = &mut self.format {
            let written = writer.write_record(row.iter().map(text_of));
            return Ok(written.map_err(|cause| self.partial.failed(io::Error::other(cause)))?);
        }
        self.rows.push(row);
        if self.rows.len() < GROUP { Ok(()) } else { self.write_group() }
    }

    /// Writes the rows that wait for their group, if there are any.
    fn write_group(&mut self) -> Result<(), RecordError> {
        let rows = std::mem::take(&mut self.rows);
        let Format::Parquet(writer) = &mut self.format else { return Ok(()) };
        if rows.is_empty() {
            return Ok(());
        }
        let columns: Vec<(usize, ColumnType)> = self.columns.iter().map(|&(_, kind)| kind).enumerate().collect();
        let column = |&(at, kind): &_| Content::Cells(cells(kind, rows.iter().map(|row| &row[at])));
        Ok(writer.write(&columns, column).map_err(|cause| self.partial.failed(io::Error::other(cause)))?)
    }

    /// Completes the file.
    pub(crate) fn finish(mut self) -> Result<(), RecordError> {
        self.write_group()?;
        let ended = match self.format {
            Format::Csv(mut writer) => writer.flush(),
            Format::Parquet(writer) => writer.finish().map_err(io::Error::other),
        };
        ended.map_err(|cause| self.partial.failed(cause))?;
        Ok(self.partial.appear()?)
    }
}

fn text_of(entry: &Entry) -> String {
    match entry {
        Entry::Text(text) => text.clone(),
        Entry::Integer(number) => number.map_or_else(String::new, |number| number.to_string()),
    }
}

fn cells<'r>(kind: ColumnType, entries: impl Iterator<Item = &'r Entry>) -> Cells {
    let number = |entry: &Entry| if let Entry::Integer(number) = entry { *number } else { None };
    match kind {
        // An empty text says nothing, as an empty field of CSV.
        ColumnType::Text => {
            let told = entries.map(|entry| Some(text_of(entry)).filter(|text| !text.is_empty()));
            Cells::Text(told.map(|text| text.map(|text| text.into_bytes().into())).collect())
        }
        _ => Cells::Integer(entries.map(number).collect()),
    }
}
