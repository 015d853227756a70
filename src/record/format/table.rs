//! Games as a table: a line a game, fields between tabulators, the names of the columns in the first line.
//!
//! `moves` must be there: the moves between blanks, as the game writes them. `result` is as in PGN, `fen` the start position,
//! `plies` or `stones` the number of moves, which is checked. Columns that bear the name of a tag (`id`, `event`, `date`,
//! `black` and so on) become that tag; all others are passed over. None of the former may stand there twice.

use std::io::{self, BufRead};

use super::stones::text_of;
use crate::record::account::Flaw;
use crate::record::pgn::{Chunk, Flawed, LONGEST, RawGame, RawMove, read_until, syntax};

/// The column that makes a text a table of games.
const MOVES: &str = "moves";
/// Columns that state the number of moves.
const COUNTS: [&str; 2] = ["plies", "stones"];
/// Columns that become tags.
const TAGS: [(&str, &str); 11] = [
    ("id", "Id"),
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("red", "Red"),
    ("black", "Black"),
    ("white", "White"),
    ("title", "Title"),
    ("result", "Result"),
    ("fen", "FEN"),
];

/// Whether a text that begins with `head` is a table of games: two columns or more, one of them of moves.
pub fn is_table(head: &[u8]) -> bool {
    let line = text_of(head).split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    line.contains('\t') && columns(&line).any(|column| column == MOVES)
}

/// The names of the columns, in small letters.
fn columns(header: &str) -> impl Iterator<Item = String> + '_ {
    header.trim_start_matches('\u{feff}').trim_end_matches('\r').split('\t').map(|name| name.trim().to_lowercase())
}

/// The first column that is not passed over and stands there for the second time.
fn repeated(columns: &[String]) -> Option<&String> {
    let is_read = |name: &str| name == MOVES || COUNTS.contains(&name) || TAGS.iter().any(|(tag, _)| *tag == name);
    let repeats = |at: usize| is_read(&columns[at]) && columns[..at].contains(&columns[at]);
    (0..columns.len()).find(|&at| repeats(at)).map(|at| &columns[at])
}

/// Cuts a table into its lines.
pub(crate) struct Splitter<R> {
    input: R,
    /// Lines read so far.
    pub line: u64,
    /// The first line that is not blank, with its end.
    header: Vec<u8>,
}

impl<R: BufRead> Splitter<R> {
    pub const fn new(input: R) -> Self {
        Self { input, line: 0, header: Vec::new() }
    }

    /// The first line and that of the next game; `None` at the end.
    pub(crate) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut text = Vec::new();
        while read_until(&mut self.input, b'\n', LONGEST, &mut text)? {
            self.line += 1;
            let is_blank = text.trim_ascii().is_empty();
            if self.header.is_empty() && !is_blank {
                self.header = std::mem::take(&mut text);
            } else if !is_blank {
                return Ok(Some(Chunk::new(self.line, [self.header.as_slice(), &text].concat())));
            }
            text.clear();
        }
        Ok(None)
    }
}

/// The game in the second line of `text`, which is the line number `line` of the table whose first line stands before it.
pub fn parse(text: &str, line: u64) -> Result<RawGame<'_>, Flawed> {
    let (header, row) = text.split_once('\n').unwrap_or((text, ""));
    let fields: Vec<&str> = row.trim_end_matches(['\n', '\r']).split('\t').map(str::trim).collect();
    let columns: Vec<String> = columns(header).collect();
    if let Some(name) = repeated(&columns) {
        let found = format!("`{name}` twice");
        return Err((line, Flaw::Syntax { expected: "columns of different names in the first line", found }));
    }
    if fields.len() != columns.len() {
        let found = format!("{} fields for {} columns", fields.len(), columns.len());
        return Err((line, Flaw::Syntax { expected: "a field for each column of the first line", found }));
    }
    let mut game = RawGame { line, ..RawGame::default() };
    for (column, field) in columns.iter().zip(&fields).filter(|(_, field)| !field.is_empty()) {
        if let Some((_, tag)) = TAGS.iter().find(|(name, _)| name == column) {
            game.tags.push((tag, (*field).to_owned()));
        }
        if column == MOVES {
            let raw = |word: &'_ str| RawMove { text: word.to_owned().into(), comment: None, line };
            game.moves = field.split_whitespace().map(raw).collect();
        }
    }
    let stated = columns.iter().zip(&fields).filter(|(column, _)| COUNTS.contains(&column.as_str()));
    for (_, field) in stated.filter(|(_, field)| !field.is_empty()) {
        if field.parse() != Ok(game.moves.len()) {
            let found = format!("{} moves where {field} are stated", game.moves.len());
            return Err((line, syntax("as many moves as the table states", &found)));
        }
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blank_lines_may_stand_before_the_header() {
        let mut splitter = Splitter::new("\n \nid\tresult\tmoves\nC1\t0-1\tj10 k11 i11\n".as_bytes());
        let chunk = splitter.next_chunk().unwrap().unwrap();
        assert_eq!((chunk.line, parse(&chunk.text.unwrap(), 4).unwrap().moves.len()), (4, 3));
    }

    const TABLE: &str = "id\tresult\tstones\tother\tmoves\nC1\t0-1\t3\tx\tj10 k11 i11\n\nC2\t1-0\t1\t\ta1\n";

    fn rows(text: &str) -> Vec<Result<(u64, String), Flawed>> {
        let mut splitter = Splitter::new(text.as_bytes());
        let chunks = std::iter::from_fn(|| splitter.next_chunk().unwrap());
        let row = |chunk: Chunk| {
            let text = chunk.text?;
            let game = parse(&text, chunk.line)?;
            let tags = game.tags.iter().map(|(name, value)| format!("{name}={value}"));
            let moves = game.moves.iter().map(|mv| mv.text.to_string());
            Ok((game.line, tags.chain(moves).collect::<Vec<_>>().join(" ")))
        };
        chunks.map(row).collect()
    }

    #[test]
    fn the_names_of_columns_decide() {
        assert!(is_table(TABLE.as_bytes()) && is_table(b"\xEF\xBB\xBFMoves\tResult\r\n"));
        for other in ["moves", "id\tresult\n", "", "[Event \"moves\"]\n", "a\tb\nmoves\tresult\n"] {
            assert!(!is_table(other.as_bytes()), "{other}");
        }
        let expected = [Ok((2, "Id=C1 Result=0-1 j10 k11 i11".to_owned())), Ok((4, "Id=C2 Result=1-0 a1".to_owned()))];
        assert_eq!(rows(TABLE), expected);
        assert_eq!(rows(&TABLE.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn a_flaw_costs_its_line_only() {
        let games = rows(&TABLE.replace("\t3\t", "\t4\t"));
        let (line, flaw) = games[0].clone().unwrap_err();
        let message = "expected as many moves as the table states, found 3 moves where 4 are stated";
        assert_eq!((line, flaw.to_string().as_str()), (2, message));
        assert!(games[1].is_ok());
        let games = rows(&TABLE.replace("C2\t", ""));
        assert!(games[1].as_ref().unwrap_err().1.to_string().ends_with("found 4 fields for 5 columns"), "{games:?}");
    }

    #[test]
    fn no_column_that_is_read_stands_there_twice() {
        for (header, name) in [("moves\tresult\tResult", "result"), ("moves\tid\tmoves", "moves")] {
            let (line, flaw) = rows(&format!("{header}\na1\t1-0\tb2\n")).remove(0).unwrap_err();
            let message = format!("expected columns of different names in the first line, found `{name}` twice");
            assert_eq!((line, flaw.to_string()), (2, message), "{header}");
        }
        let games = rows("moves\tother\tother\tplies\tstones\na1\tx\ty\t1\t1\n");
        assert_eq!(games, [Ok((2, "a1".to_owned()))]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "(moves|result|id|\t|\n|\r|j10| |é){0,40}") {
            let _ = is_table(text.as_bytes());
            rows(&text);
            let _ = parse(&text, 1);
        }
    }
}
