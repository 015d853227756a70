//! DhtmlXQ, the text form of the web viewer of dpxq.com: `[DhtmlXQ]`, fields such as `[DhtmlXQ_red]…[/DhtmlXQ_red]`,
//! `[/DhtmlXQ]`, on their own or within other text or HTML.
//!
//! `movelist` has four digits a move, file and row of either square; files count from Red's left, rows from Black's side,
//! both from 0. `binit` has two digits for each of 32 pieces, 99 for one that is off the board. `comment0` stands before
//! the first move, `commentN` after move N, with `||` for a line break. Variations (`move_…`) are passed over.

use std::io::{self, BufRead};

use rustc_hash::FxHashMap;

use super::board::{Board, Square, raw_move, square};
use crate::record::account::Flaw;
use crate::record::pgn::{Chunk, Flawed, LONGEST, RawGame, lines_in, one_line, parse_result, read_until};

const OPEN: &str = "[DhtmlXQ]";
const CLOSE: &[u8] = b"[/DhtmlXQ]";
const MOVES: &str = "[DhtmlXQ_movelist]";

/// Fields, and the tags that they become.
const TAGS: [(&str, &str); 14] = [
    ("title", "Title"),
    ("event", "Event"),
    ("class", "Class"),
    ("round", "Round"),
    ("date", "Date"),
    ("place", "Site"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("redrating", "RedElo"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("blackrating", "BlackElo"),
    ("open", "Opening"),
    ("author", "Annotator"),
];

/// Whether a text that begins with `head` holds a record in DhtmlXQ.
pub fn is_within(head: &[u8]) -> bool {
    let brackets = head.iter().enumerate().filter(|(_, byte)| **byte == b'[');
    brackets
        .map(|(at, _)| &head[at..])
        .any(|rest| rest.starts_with(OPEN.as_bytes()) || rest.starts_with(MOVES.as_bytes()))
}

/// Finds the records in a text.
pub(crate) struct Splitter<R> {
    input: R,
    /// The line that has been read to.
    pub line: u64,
    /// Whether a record began.
    inside: bool,
    first_line: u64,
    text: Vec<u8>,
}

impl<R: BufRead> Splitter<R> {
    pub const fn new(input: R) -> Self {
        Self { input, line: 1, inside: false, first_line: 1, text: Vec::new() }
    }

    /// The text of the next record; `None` at the end.
    pub(crate) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut piece = Vec::new();
        loop {
            piece.clear();
            if !read_until(&mut self.input, b']', LONGEST, &mut piece)? {
                // What no tag closes is a record if it began as one, or has moves, or cannot be read to tell.
                let is_record = |text: &String| text.contains("movelist") || text.contains(OPEN);
                return Ok(self.finish().filter(|chunk| chunk.text.as_ref().map_or(true, is_record)));
            }
            let opens = piece.ends_with(OPEN.as_bytes());
            let lines = lines_in(&piece);
            let earlier = if opens { self.finish() } else { None };
            // A record may lack the tag that opens it.
            if opens || (!self.inside && piece.windows(9).any(|window| window == &MOVES.as_bytes()[..9])) {
                self.inside = true;
                self.first_line = self.line + lines;
            }
            self.line += lines;
            if self.inside && self.text.len() <= LONGEST {
                self.text.extend_from_slice(&piece);
            }
            if piece.ends_with(CLOSE) {
                return Ok(self.finish().or(earlier));
            }
            if earlier.is_some() {
                return Ok(earlier);
            }
        }
    }

    fn finish(&mut self) -> Option<Chunk> {
        let text = std::mem::take(&mut self.text);
        std::mem::take(&mut self.inside).then(|| Chunk::new(self.first_line, text))
    }
}

/// The game in the text of a record that begins in the line `line`.
pub fn parse(text: &str, line: u64) -> Result<RawGame<'_>, Flawed> {
    let flawed = |expected, found: &str| (line, Flaw::Syntax { expected, found: format!("`{found}`") });
    let movelist = field(text, "movelist");
    if movelist.is_none() && text.contains(MOVES) {
        return Err((
            line,
            Flaw::Syntax { expected: "[/DhtmlXQ_movelist]", found: "the end of the record".to_owned() },
        ));
    }
    let digits: String = movelist.unwrap_or_default().split_whitespace().collect();
    let moves = pairs(&digits).ok_or_else(|| flawed("four digits a move in movelist", &digits))?;
    if moves.len() % 2 != 0 {
        return Err(flawed("four digits a move in movelist", &digits));
    }
    let mut comments = comments(text);
    let mut game = RawGame { line, prologue: comments.remove(&0), ..RawGame::default() };
    for (name, tag) in TAGS {
        if let Some(value) = field(text, name).filter(|value| !value.is_empty()) {
            game.tags.push((tag, one_line(value)));
        }
    }
    if let Some(result) = field(text, "result").map(str::trim).filter(|result| !result.is_empty()) {
        // Results that PGN has no word for are none.
        game.tags.push(("Result", parse_result(result).map_or("*", |_| result).to_owned()));
    }
    let squares: Vec<Option<Square>> = moves.into_iter().map(|(file, row)| square(file, 9 - row)).collect();
    if let Some(pieces) = field(text, "binit").map(str::trim).filter(|pieces| !pieces.is_empty()) {
        let pieces = pairs(pieces).filter(|pieces| pieces.len() == 32);
        let pieces = pieces.ok_or_else(|| flawed("64 digits in binit", field(text, "binit").unwrap_or_default()))?;
        let board = Board::of_list(pieces.into_iter().map(|(file, row)| square(file, 9 - row)));
        game.tags.push(("FEN", board.fen(squares.first().copied().flatten())));
    }
    for (index, pair) in squares.chunks_exact(2).enumerate() {
        let [Some(from), Some(to)] = *pair else {
            return Err(flawed("files 0 to 8 in movelist", &digits[index * 4..index * 4 + 4]));
        };
        game.moves.push(raw_move(from, to, comments.remove(&(index + 1)), line));
    }
    Ok(game)
}

/// Pairs of digits.
fn pairs(digits: &str) -> Option<Vec<(u8, u8)>> {
    let bytes: Vec<u8> = digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let fits = bytes.len().is_multiple_of(2) && bytes.iter().all(u8::is_ascii_digit);
    fits.then(|| bytes.chunks_exact(2).map(|pair| (pair[0] - b'0', pair[1] - b'0')).collect())
}

/// What stands between `[DhtmlXQ_NAME]` and the next `[/DhtmlXQ_`.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let open = format!("[DhtmlXQ_{name}]");
    let rest = &text[text.find(&open)? + open.len()..];
    Some(&rest[..rest.find("[/DhtmlXQ")?])
}

/// The comments by their plies, 0 being that before the first move. Of several of one ply the first counts. They are found in one pass,
/// since a record may have as many as it has moves.
fn comments(text: &str) -> FxHashMap<usize, String> {
    let mut comments = FxHashMap::default();
    for (at, open) in text.match_indices("[DhtmlXQ_comment") {
        let Some((ply, rest)) = text[at + open.len()..].split_once(']') else { break };
        let Some((comment, _)) = rest.split_once("[/DhtmlXQ") else { break };
        if let Ok(ply) = ply.parse() {
            comments.entry(ply).or_insert_with(|| one_line(&comment.replace("||", " ")));
        }
    }
    comments.retain(|_, comment| !comment.is_empty());
    comments
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "<html>[DhtmlXQ]\n[DhtmlXQ_title]甲 先胜 乙[/DhtmlXQ_title]\n[DhtmlXQ_red]甲[/DhtmlXQ_red]\n\
        [DhtmlXQ_result]红胜[/DhtmlXQ_result]\n[DhtmlXQ_comment1]one||two[/DhtmlXQ_comment1]\n\
        [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]</html>\n";

    fn chunks(text: &str) -> Vec<Chunk> {
        let mut splitter = Splitter::new(text.as_bytes());
        std::iter::from_fn(|| splitter.next_chunk().unwrap()).collect()
    }

    #[test]
    fn records_are_found_within_other_text() {
        let text = format!("{RECORD}{RECORD}");
        let lines: Vec<u64> = chunks(&text).iter().map(|chunk| chunk.line).collect();
        assert_eq!(lines, [1, 9]);
        assert_eq!(chunks(&text.replace("[/DhtmlXQ]", "")).len(), 2);
        assert_eq!(chunks("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]").len(), 1);
        assert_eq!(chunks("no [game] here").len(), 0);
        // The last record, cut off before its moves, is not passed over.
        assert_eq!(chunks(&format!("{RECORD}{}", &RECORD[..60])).len(), 2);
        assert!(chunks("[DhtmlXQ]\u{0}")[0].text.is_ok());
        let cut = format!("{}4", &RECORD[..RECORD.find("77477").unwrap()]);
        let flaw = parse(chunks(&cut)[0].text.as_ref().unwrap(), 1).unwrap_err();
        assert_eq!(flaw.0, 1);
    }

    #[test]
    fn squares_count_from_blacks_side() {
        let chunk = &chunks(RECORD)[0];
        let game = parse(chunk.text.as_ref().unwrap(), 1).unwrap();
        let moves: Vec<&str> = game.moves.iter().map(|mv| &*mv.text).collect();
        assert_eq!(moves, ["h2e2", "h9g7"]);
        assert_eq!(game.moves[0].comment.as_deref(), Some("one two"));
        let fen = ("FEN", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1".to_owned());
        assert!(game.tags.contains(&fen), "{:?}", game.tags);
        assert!(game.tags.contains(&("Result", "红胜".to_owned())));
    }

    #[test]
    fn digits_that_are_no_squares_are_flaws() {
        for moves in ["774", "77479", "7747999x", "97470000"] {
            let text = format!("[DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]");
            assert!(matches!(parse(&text, 3), Err((3, Flaw::Syntax { .. }))), "{moves}");
        }
    }
}
