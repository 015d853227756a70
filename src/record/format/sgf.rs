//! Connect6 in SGF (Smart Game Format, <https://www.red-bean.com/sgf/>): the main line of each game.
//!
//! SGF does not define Connect6, so programs write its points in different ways. Three are read, told apart by the text:
//! * names, one or two in a property, as the server Little Golem writes them: `B[j10];W[k11i11]`, also `W[k11,i11]`;
//! * two small letters, column and row counted from the top left as SGF does for Go: `B[jj];W[ki];W[ii]`;
//! * two capital letters, column from the left and row from the bottom, as solvers write: `B[JJ];W[KK];W[IK]`.
//!
//! Several values of a property, and two points in one value, are stones in this order.

use super::brackets::Open;
use super::stones::{Stones, side_of, text_of};
use crate::game::{Outcome, Side};
use crate::games::connect6::{Point, SIZE};
use crate::record::pgn::{Flawed, RawGame, attach, lines_in, one_line, syntax};

/// Properties that become tags, and the tags.
const TAGS: [(&str, &str); 8] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PB", "Black"),
    ("PW", "White"),
    ("SO", "Source"),
    ("AN", "Annotator"),
];

/// Whether a text that begins with `head` is SGF: `(;`, or `;` and a stone for a game without parentheses.
pub(crate) fn is_sgf(head: &[u8]) -> bool {
    let text = text_of(head);
    match text.strip_prefix(b"(") {
        Some(rest) => rest.trim_ascii_start().starts_with(b";"),
        None => text.starts_with(b";B[") || text.starts_with(b";W["),
    }
}

/// Goes on by a byte of a value; whether it is the bracket that closes it. `escape` tells of a backslash before it.
const fn closes(escape: &mut bool, byte: u8) -> bool {
    let closes = byte == b']' && !*escape;
    *escape = byte == b'\\' && !*escape;
    closes
}

/// A game ends with the `)` that closes its first `(`.
pub(crate) fn ends(open: &mut Open, byte: u8) -> bool {
    if open.value {
        open.value = !closes(&mut open.escape, byte);
        return false;
    }
    match byte {
        b'[' => open.value = true,
        b'(' => open.depth += 1,
        b')' if open.depth == 1 => return true,
        b')' => open.depth = open.depth.saturating_sub(1),
        _ => {}
    }
    false
}

/// The games in `text`, whose first line has the number `line`. One flaw in the structure ends the text; a flaw in what a
/// game says costs that game only.
pub fn parse(text: &str, line: u64) -> Vec<Result<RawGame<'_>, Flawed>> {
    let mut cursor = Cursor { rest: text.trim_start_matches('\u{feff}'), line };
    let mut games = Vec::new();
    while cursor.peek().is_some() {
        match cursor.main_line() {
            Ok((line, properties)) => games.push(game_of(line, properties)),
            Err(flawed) => {
                games.push(Err(flawed));
                break;
            }
        }
    }
    games
}

/// A property with its values, escapes still in them, and the line in which it begins.
struct Property<'a> {
    /// The number of its node.
    node: usize,
    name: String,
    values: Vec<&'a str>,
    line: u64,
}

struct Cursor<'a> {
    rest: &'a str,
    line: u64,
}

impl<'a> Cursor<'a> {
    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.take(blanks);
        self.rest.chars().next()
    }

    /// Steps over `length` bytes, counting lines.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += lines_in(taken);
        self.rest = rest;
        taken
    }

    fn flaw(&self, expected: &'static str) -> Flawed {
        (self.line, syntax(expected, self.rest.lines().next().unwrap_or_default()))
    }

    /// Steps over a game tree, or over a game without parentheses. Gives its first line and the properties up to the end of
    /// the first variation.
    fn main_line(&mut self) -> Result<(u64, Vec<Property<'a>>), Flawed> {
        let line = self.line;
        let mut properties = Vec::new();
        let (mut depth, mut in_main_line, mut in_node, mut node) = (0_usize, true, false, 0);
        loop {
            match self.peek() {
                Some('(') if depth > 0 || !in_node => {
                    depth += 1;
                    self.take(1);
                }
                Some(')') if depth > 0 => {
                    depth -= 1;
                    in_main_line = false;
                    self.take(1);
                    if depth == 0 {
                        return Ok((line, properties));
                    }
                }
                Some(';') => {
                    in_node = true;
                    node += 1;
                    self.take(1);
                }
                Some(letter) if letter.is_ascii_alphabetic() && in_node => {
                    let property = self.property(node)?;
                    if in_main_line {
                        properties.push(property);
                    }
                }
                None | Some('(') if depth == 0 => return Ok((line, properties)),
                _ => return Err(self.flaw(if in_node { "`)`, `;` or a property" } else { "`(;`" })),
            }
        }
    }

    /// A name, whose small letters say nothing, and values in brackets.
    fn property(&mut self, node: usize) -> Result<Property<'a>, Flawed> {
        let line = self.line;
        let letters = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let name = self.take(letters).chars().filter(char::is_ascii_uppercase).collect();
        let mut values = Vec::new();
        while self.peek() == Some('[') {
            values.push(self.value()?);
        }
        if values.is_empty() {
            Err(self.flaw("`[` after the name of a property"))
        } else {
            Ok(Property { node, name, values, line })
        }
    }

    /// What stands in brackets.
    fn value(&mut self) -> Result<&'a str, Flawed> {
        let mut escape = false;
        let end = self.rest.bytes().position(|byte| closes(&mut escape, byte));
        let end = end.ok_or_else(|| self.flaw("`]` after the value that begins here"))?;
        Ok(&self.take(end + 1)[1..end])
    }
}

fn game_of(line: u64, mut properties: Vec<Property<'_>>) -> Result<RawGame<'static>, Flawed> {
    // The properties of a node have no order: its comment is on the stones that it places.
    properties.sort_by_key(|property| (property.node, property.name == "C"));
    let mut stones = Stones::new(line);
    let mut result = None;
    for property in properties {
        let first = property.values[0];
        match property.name.as_str() {
            "B" | "W" => result = place(&mut stones, &property)?.map(|outcome| (outcome, "by resignation")).or(result),
            "C" => attach(&mut stones.game, &one_line(&unescaped(first))),
            "RE" => result = parse_result(first).map(|outcome| (outcome, "in RE")).or(result),
            "SZ" => check_size(first, property.line)?,
            "AB" | "AW" | "AE" => return Err((property.line, syntax("a game from the empty board", &property.name))),
            name => {
                if let Some((_, tag)) = TAGS.iter().find(|(known, _)| *known == name) {
                    stones.game.tag(tag, one_line(&unescaped(first)));
                }
            }
        }
    }
    Ok(stones.finish(result))
}

/// Places the stones of a property. Gives the result when it resigns instead.
fn place(stones: &mut Stones<'_>, property: &Property<'_>) -> Result<Option<Outcome>, Flawed> {
    let Some(side) = property.name.bytes().next().and_then(side_of) else { return Ok(None) };
    for value in &property.values {
        if value.trim().eq_ignore_ascii_case("resign") {
            return Ok(Some(Outcome::Win(side.other())));
        }
        let points = points(value)
            .ok_or_else(|| (property.line, syntax("one or two points such as `j10`, `k11i11`, `jj` or `JJ`", value)))?;
        for point in points {
            stones.place(side, point, property.line)?;
        }
    }
    Ok(None)
}

/// The one or two points of a value, in any of the three spellings.
fn points(value: &str) -> Option<Vec<Point>> {
    let has_digits = value.contains(|c: char| c.is_ascii_digit());
    let words = value.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let points = words.map(|word| if has_digits { named_points(word) } else { lettered_points(word) });
    let points = points.collect::<Option<Vec<_>>>()?.concat();
    (1..=2).contains(&points.len()).then_some(points)
}

/// `k11i11`: each letter begins a name.
fn named_points(word: &str) -> Option<Vec<Point>> {
    let begins: Vec<_> = word.match_indices(|c: char| !c.is_ascii_digit()).map(|(at, _)| at).collect();
    if begins.first() != Some(&0) {
        return None;
    }
    let ends = begins.iter().skip(1).copied().chain([word.len()]);
    begins.iter().zip(ends).map(|(&begin, end)| Point::parse(&word[begin..end])).collect()
}

/// `kiii` from the top left, `KKIK` from the bottom left.
fn lettered_points(word: &str) -> Option<Vec<Point>> {
    let point = |pair: &[u8]| match *pair {
        [column @ b'a'..=b's', row @ b'a'..=b's'] => {
            Point::at(usize::from(column - b'a'), SIZE - 1 - usize::from(row - b'a'))
        }
        [column @ b'A'..=b'S', row @ b'A'..=b'S'] => Point::at(usize::from(column - b'A'), usize::from(row - b'A')),
        _ => None,
    };
    word.as_bytes().chunks(2).map(point).collect()
}

/// `B+…`, `W+…`, `0` or `Draw`. Anything else says that there is no result.
fn parse_result(value: &str) -> Option<Outcome> {
    let value = value.trim();
    match value.split_once('+') {
        Some(("B" | "b", _)) => Some(Outcome::Win(Side::First)),
        Some(("W" | "w", _)) => Some(Outcome::Win(Side::Second)),
        _ => (value == "0" || value.eq_ignore_ascii_case("draw")).then_some(Outcome::Draw),
    }
}

fn check_size(value: &str, line: u64) -> Result<(), Flawed> {
    if matches!(value.trim(), "19" | "19:19") {
        return Ok(());
    }
    Err((line, syntax("a board of size 19", &format!("SZ[{value}]"))))
}

/// A value without the backslashes that escape what follows them; an escaped line end is none.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\r') if chars.as_str().starts_with('\n') => _ = chars.next(),
                escaped => text.extend(escaped.filter(|c| !['\n', '\r'].contains(c))),
            },
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::stones::{a_game, moves, only, outcome, side_of_stone};
    use super::*;
    use crate::record::account::Flaw;

    const LITTLE_GOLEM: &str = "(;FF[4]EV[connect6.cup]PB[one]PW[two]SO[http://www.littlegolem.net];B[j10];W[k11i11];\
        B[j12l11];W[i12i10];B[h11i9];)";

    #[test]
    fn the_three_spellings_tell_the_same_stones() {
        let names = ["j10", "k11", "i11", "j12", "l11", "i12", "i10", "h11", "i9"];
        for text in [
            LITTLE_GOLEM,
            "(;B[j10];W[k11,i11];B[j12][l11];W[i12];W[i10];B[h11];B[i9])",
            "(;FF[4]SZ[19];B[jj];W[ki];W[ii];B[jh];B[li];W[ih];W[ij];B[hi];B[ik])",
            "(;FF[4];B[jj];W[kiii];B[jhli];W[ihij];B[hiik])",
            ";B[JJ];W[KK];W[IK];B[JL];B[LK];W[IL];W[IJ];B[HK];B[II]",
        ] {
            assert_eq!(moves(&only(parse(text, 1)).unwrap()), names, "{text}");
            assert!(is_sgf(text.as_bytes()));
        }
    }

    #[test]
    fn digits_before_the_letter_of_a_point_are_refused() {
        for text in ["(;B[10j10];W[k11,i11])", "(;B[j10];W[7k11,3i11])", "(;B[j10];W[12])"] {
            assert!(only(parse(text, 1)).is_err(), "{text}");
        }
    }

    #[test]
    fn tags_comments_and_results_are_kept() {
        let text = "(;GM[1]SZ[19:19]\nPB[A \\] B]DT[2020-05-01]RE[W+R]C[be\nfore]\n;B[j10]C[first];W[k11i11]C[second])";
        let game = only(parse(text, 7)).unwrap();
        assert_eq!(game.tags, [("Black", "A ] B".to_owned()), ("Date", "2020-05-01".to_owned())]);
        assert_eq!(game.prologue.as_deref(), Some("be fore"));
        let comments: Vec<_> = game.moves.iter().map(|mv| mv.comment.as_deref()).collect();
        assert_eq!(comments, [Some("first"), None, Some("second")]);
        assert_eq!(game.moves[0].line, 10);
        assert_eq!(outcome(&game), Some(Outcome::Win(Side::Second)));
        for (text, result) in [
            ("(;RE[B+6];B[j10])", Some(Outcome::Win(Side::First))),
            ("(;RE[0];B[j10])", Some(Outcome::Draw)),
            ("(;RE[?];B[j10])", None),
            ("(;B[j10];W[resign])", Some(Outcome::Win(Side::First))),
            ("(;B[a1];W[a2a3];B[b1c1];W[a4a5];B[d1e1];W[a6a8];B[f1])", Some(Outcome::Win(Side::First))),
        ] {
            assert_eq!(outcome(&only(parse(text, 1)).unwrap()), result, "{text}");
        }
    }

    #[test]
    fn comments_are_on_the_stones_of_their_node() {
        let text = "(;GM[511];C[first]B[j10];C[sec\\\r\nond]W[k11i11];B[a1b1]C[third])";
        let game = only(parse(text, 1)).unwrap();
        let comments: Vec<_> = game.moves.iter().filter_map(|mv| mv.comment.as_deref()).collect();
        assert_eq!((game.prologue, comments), (None, vec!["first", "second", "third"]));
    }

    #[test]
    fn the_main_line_is_the_first_of_the_variations() {
        let text = "(;B[j10](;W[k11](;W[i11])(;W[a1]C[)(]))(;W[b1]))\n(;B[a1])";
        let games = parse(text, 1);
        assert_eq!(games.len(), 2);
        assert_eq!(moves(games[0].as_ref().unwrap()), ["j10", "k11", "i11"]);
        assert_eq!(games[1].as_ref().unwrap().line, 2);
    }

    #[test]
    fn flaws_name_their_line() {
        for (text, line) in [
            ("(;B[j10]\n;W[z1])", 2),
            ("(;B[j10]\n;B[k11])", 2),
            ("(;B[j10];W[k11];W[i11]\n;W[a1])", 2),
            ("(;SZ[15];B[j10])", 1),
            ("(;AB[jj];W[k11])", 1),
            ("(;B[j10\n", 1),
            ("(;B[j10]\n", 2),
            ("(;B\n;W[k11])", 2),
            ("(;B[j10k11i11])", 1),
            ("nothing", 1),
        ] {
            let flawed = only(parse(text, 1)).unwrap_err();
            assert!(flawed.0 == line && matches!(flawed.1, Flaw::Syntax { .. }), "{text:?}: {flawed:?}");
        }
        assert_eq!(parse("(;B[z1])(;B[j10])", 1).iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true]);
    }

    /// A game in one of the dialects: one stone a property or a turn's stones in one.
    fn written(stones: &[Point], spell: impl Fn(Point) -> String, together: bool) -> String {
        let turn = |at: usize| at.div_ceil(2);
        let mut text = "(;FF[4]SZ[19]".to_owned();
        for (at, &point) in stones.iter().enumerate() {
            let continues = together && at > 0 && turn(at) == turn(at - 1);
            if continues {
                text.pop();
            } else {
                text += if side_of_stone(at) == Side::First { ";B[" } else { ";W[" };
            }
            text += &(spell(point) + "]");
        }
        text + ")"
    }

    fn letters(point: Point, first: u8, row: usize) -> String {
        [point.column(), row].map(|at| char::from(first + at as u8)).iter().collect()
    }

    proptest! {
        #[test]
        fn every_spelling_reads_back(stones in a_game(), together in any::<bool>()) {
            let names: Vec<_> = stones.iter().map(|point| point.name()).collect();
            let texts = [
                written(&stones, |point| point.to_string(), together),
                written(&stones, |point| letters(point, b'a', SIZE - 1 - point.row()), together),
                written(&stones, |point| letters(point, b'A', point.row()), together),
            ];
            for text in texts {
                let game = only(parse(&text, 1)).unwrap();
                prop_assert_eq!(&moves(&game), &names, "{}", text);
            }
        }

        #[test]
        fn no_text_makes_it_fail(text in "[()\\[\\];BWCabj10A \\n\\\\é]{0,80}|\\PC{0,60}") {
            parse(&text, 1);
            let _ = is_sgf(text.as_bytes());
        }

        #[test]
        fn no_damage_makes_it_fail(at in 0..LITTLE_GOLEM.len(), c in any::<char>()) {
            let mut text: Vec<char> = LITTLE_GOLEM.chars().collect();
            text[at] = c;
            parse(&text.into_iter().collect::<String>(), 1);
        }
    }
}
