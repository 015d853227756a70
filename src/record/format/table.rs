//! Games as a table, a line a game: fields between tabulators or as CSV, the names of the columns in the first line; or an object of
//! JSON in each line, as runs of self-play keep their games.
//!
//! `moves` must be there: the moves between blanks, as the game writes them. `result` is as in PGN (in JSON 1, 0 or -1 for the first
//! side), `fen` or `start` the start position, `plies` or `stones` the number of moves, which is checked. Columns that bear the name of a
//! tag (`id`, `event`, `date`, `black` and so on) become that tag; all others are passed over. None of the former may stand there twice,
//! and not both columns of the start.
//! CSV has `result`, too: else `moves` may be a number of them.

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::Deserialize;

use super::stones::text_of;
use crate::game::Outcome;
use crate::record::account::Flaw;
use crate::record::entry::result_text;
use crate::record::pgn::{Chunk, Flawed, LONGEST, RawGame, RawMove, read_until, syntax};

/// The column that makes a text a table of games.
const MOVES: &str = "moves";
/// Columns that state the number of moves.
const COUNTS: [&str; 2] = ["plies", "stones"];
/// Columns that become tags.
const TAGS: [(&str, &str); 12] = [
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
    ("start", "FEN"),
];
/// What an object of JSON has in front of the moves.
const MOVES_OF_OBJECT: &[u8] = br#""moves":""#;

/// Whether a text that begins with `head` is a table of games: two columns or more, one of them of moves.
pub fn is_table(head: &[u8]) -> bool {
    let line = text_of(head).split(|byte| *byte == b'\n').next().unwrap_or_default();
    if line.starts_with(b"{") {
        return line.windows(MOVES_OF_OBJECT.len()).any(|part| part == MOVES_OF_OBJECT);
    }
    let line = String::from_utf8_lossy(line);
    let columns = columns(&line);
    let has = |name: &str| columns.iter().any(|column| column == name);
    columns.len() > 1 && has(MOVES) && (line.contains('\t') || has("result"))
}

/// The fields of a line, of which `header` is the first: between tabulators, or as CSV where that has none.
fn fields<'a>(line: &'a str, header: &str) -> Vec<Cow<'a, str>> {
    let line = line.trim_end_matches(['\n', '\r']);
    if header.contains('\t') {
        return line.split('\t').map(|field| field.trim().into()).collect();
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let row = reader.records().next().and_then(Result::ok).unwrap_or_default();
    row.iter().map(|field| field.trim().to_owned().into()).collect()
}

/// The names of the columns, in small letters.
fn columns(header: &str) -> Vec<String> {
    let header = header.trim_start_matches('\u{feff}');
    fields(header, header).iter().map(|name| name.to_lowercase()).collect()
}

/// What a column is read as: a tag, or its own name; none of one that is passed over.
fn meaning(column: &str) -> Option<&str> {
    let tag = TAGS.iter().find(|(name, _)| *name == column).map(|(_, tag)| *tag);
    tag.or_else(|| Some(column).filter(|name| *name == MOVES || COUNTS.contains(name)))
}

/// The first column that means what one before it does, with that one.
fn repeated(columns: &[String]) -> Option<(&String, &String)> {
    let repeats = |at: usize| {
        let is_alike = |before: &&String| meaning(before).is_some_and(|known| meaning(&columns[at]) == Some(known));
        Some((columns[..at].iter().find(is_alike)?, &columns[at]))
    };
    (0..columns.len()).find_map(repeats)
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
            if self.header.is_empty() && !is_blank && !text.starts_with(b"{") {
                self.header = std::mem::take(&mut text);
            } else if !is_blank {
                return Ok(Some(Chunk::new(self.line, [self.header.as_slice(), &text].concat())));
            }
            text.clear();
        }
        Ok(None)
    }
}

/// What is read of an object of JSON.
#[derive(Deserialize)]
struct Object {
    moves: String,
    result: i32,
    reason: Option<String>,
}

fn raw_moves(text: &str, line: u64) -> Vec<RawMove<'static>> {
    text.split_whitespace().map(|word| RawMove { text: word.to_owned().into(), comment: None, line }).collect()
}

/// The game in a line of JSON.
fn parse_object(text: &str, line: u64) -> Result<RawGame<'_>, Flawed> {
    let expected = "an object of JSON with `moves` and `result`";
    let object: Object = serde_json::from_str(text).map_err(|error| (line, syntax(expected, &error.to_string())))?;
    let result = result_text(Some(Outcome::of_value(object.result)));
    let reason = object.reason.map(|reason| ("Termination", reason));
    let tags = [("Result", result.to_owned())].into_iter().chain(reason).collect();
    Ok(RawGame { line, tags, moves: raw_moves(&object.moves, line), ..RawGame::default() })
}

/// The game in the second line of `text`, which is the line number `line` of the table whose first line stands before it; or that in an
/// object of JSON.
pub fn parse(text: &str, line: u64) -> Result<RawGame<'_>, Flawed> {
    if text.starts_with('{') {
        return parse_object(text, line);
    }
    let (header, row) = text.split_once('\n').unwrap_or((text, ""));
    let (fields, columns) = (fields(row, header), columns(header));
    if let Some((one, other)) = repeated(&columns) {
        let found = if one == other {
            format!("`{one}` twice")
        } else {
            format!("both `{one}` and `{other}`, which mean the same")
        };
        return Err((line, Flaw::Syntax { expected: "columns of different names in the first line", found }));
    }
    if fields.len() != columns.len() {
        let found = format!("{} fields for {} columns", fields.len(), columns.len());
        return Err((line, Flaw::Syntax { expected: "a field for each column of the first line", found }));
    }
    let mut game = RawGame { line, ..RawGame::default() };
    for (column, field) in columns.iter().zip(&fields).filter(|(_, field)| !field.is_empty()) {
        if let Some((_, tag)) = TAGS.iter().find(|(name, _)| name == column) {
            game.tags.push((tag, field.to_string()));
        }
        if column == MOVES {
            game.moves = raw_moves(field, line);
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
    fn csv_and_lines_of_json_are_tables_too() {
        let csv = "id,result,start,moves\n\"C,1\",0-1,,j10 k11 i11\n\nC2,1-0,x,a1\n";
        assert!(is_table(csv.as_bytes()) && !is_table(b"lesson,moves,simulations\n"));
        let expected =
            [Ok((2, "Id=C,1 Result=0-1 j10 k11 i11".to_owned())), Ok((4, "Id=C2 Result=1-0 FEN=x a1".to_owned()))];
        assert_eq!(rows(csv), expected);
        assert_eq!(rows(&csv.replace('\n', "\r\n")), expected);
        let json =
            "{\"game\":1,\"moves\":\"a1 b2\",\"result\":-1,\"reason\":\"x\",\"values\":[0.5]}\n{\"moves\":\"a1\"}\n";
        assert!(is_table(json.as_bytes()) && !is_table(b"{\"journal\":\"x\"}\n"));
        let games = rows(json);
        assert_eq!(games[0], Ok((1, "Result=0-1 Termination=x a1 b2".to_owned())));
        let (line, flaw) = games[1].clone().unwrap_err();
        assert!(line == 2 && flaw.to_string().contains("missing field `result`"), "{flaw}");
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
        let (_, flaw) = rows("moves\tstart\tfen\na1\tx\ty\n").remove(0).unwrap_err();
        assert!(flaw.to_string().ends_with("found both `start` and `fen`, which mean the same"), "{flaw}");
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
