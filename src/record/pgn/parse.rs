//! Takes the text of a game apart: tags, moves, comments, result. Knows no game and no rules.

use std::borrow::Cow;

use super::Flawed;
use crate::game::{Outcome, Side};
use crate::record::account::Flaw;

/// A game as its text has it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RawGame<'a> {
    /// The line in which the game begins.
    pub line: u64,
    /// Names and values, in order.
    pub tags: Vec<(&'a str, String)>,
    /// The comment before the first move.
    pub prologue: Option<String>,
    /// The moves.
    pub moves: Vec<RawMove<'a>>,
    /// The result that ends the moves, if there is one; `Some(None)` is `*`.
    pub result: Option<Option<Claim>>,
    /// Where the format states that result, if not after the moves.
    pub result_place: Option<&'static str>,
}

/// How a game ended, as a text says it without knowing the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// By the order of the sides.
    Outcome(Outcome),
    /// Black won. Whether Black moves first depends on the game.
    BlackWon,
    /// Black lost, be it to Red or to White.
    BlackLost,
}

impl Claim {
    /// The outcome in a game in which `black` has the black pieces or stones.
    pub const fn outcome(self, black: Side) -> Outcome {
        match self {
            Self::Outcome(outcome) => outcome,
            Self::BlackWon => Outcome::Win(black),
            Self::BlackLost => Outcome::Win(black.other()),
        }
    }
}

impl<'a> RawGame<'a> {
    /// Adds a tag; empty values say nothing.
    pub fn tag(&mut self, name: &'a str, value: String) {
        if !value.is_empty() {
            self.tags.push((name, value));
        }
    }
}

/// A move as its text has it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RawMove<'a> {
    /// Without number and annotation glyphs.
    pub text: Cow<'a, str>,
    /// The comment after it.
    pub comment: Option<String>,
    /// The line in which it stands.
    pub line: u64,
}

/// The games in `text`, whose first line has the number `line`. One flaw ends the text, since what follows it cannot
/// be told apart.
pub fn parse(text: &str, line: u64) -> Vec<Result<RawGame<'_>, Flawed>> {
    let mut cursor = Cursor { text, at: 0, line };
    let mut games = Vec::new();
    while cursor.skip_blank() {
        let game = cursor.game();
        let failed = game.is_err();
        // A comment before the first tag, or between games, is no game.
        let is_remark = |game: &RawGame<'_>| game.tags.is_empty() && game.moves.is_empty() && game.result.is_none();
        if !game.as_ref().is_ok_and(is_remark) {
            games.push(game);
        }
        if failed {
            break;
        }
    }
    games
}

/// Reads a result as tags have it: `1-0`, `0-1`, `1/2-1/2`, `*`, other ways to write these, or Chinese words; 先 is the side
/// that moves first.
pub(crate) fn parse_result(text: &str) -> Option<Option<Claim>> {
    match text {
        "1" => Some(Some(Claim::Outcome(Outcome::Win(Side::First)))),
        "0" => Some(Some(Claim::Outcome(Outcome::Win(Side::Second)))),
        "0.5" | "½" => Some(Some(Claim::Outcome(Outcome::Draw))),
        "未知" | "不明" => Some(None),
        _ => result_after_moves(text),
    }
}

/// Reads a result as it stands after the moves, where a number alone would be that of a move.
fn result_after_moves(text: &str) -> Option<Option<Claim>> {
    let outcome = match text {
        "1-0" | "1:0" | "先胜" | "先勝" | "红先胜" | "紅先勝" => Outcome::Win(Side::First),
        "0-1" | "0:1" | "先负" | "先負" | "红先负" | "紅先負" => Outcome::Win(Side::Second),
        "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "和" | "和棋" | "和局" | "先和" | "红先和" | "紅先和" | "双方和" => {
            Outcome::Draw
        }
        "*" => return Some(None),
        _ => return claim_by_colour(text).map(Some),
    };
    Some(Some(Claim::Outcome(outcome)))
}

/// Reads `黑胜`, `紅方負` and the like: a colour, and whether it won.
fn claim_by_colour(text: &str) -> Option<Claim> {
    let of_colour = text.strip_prefix(['红', '紅', '黑', '白'])?;
    let has_won = match of_colour.strip_prefix('方').unwrap_or(of_colour) {
        "胜" | "勝" => true,
        "负" | "負" => false,
        _ => return None,
    };
    Some(if has_won == text.starts_with('黑') { Claim::BlackWon } else { Claim::BlackLost })
}

/// A piece of the moves section.
enum Token<'a> {
    Comment(String),
    Result(Option<Claim>),
    Move(&'a str),
    Nothing,
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over `length` bytes, counting lines.
    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.text[self.at..self.at + length];
        self.line += lines_in(taken);
        self.at += length;
        taken
    }

    /// Steps over blanks and lines that begin with `%`. Whether something is left.
    fn skip_blank(&mut self) -> bool {
        loop {
            let rest = self.rest();
            self.take(rest.len() - rest.trim_start().len());
            let at_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            if self.peek() != Some(b'%') || !at_line_start {
                return self.peek().is_some();
            }
            self.take_line();
        }
    }

    fn take_line(&mut self) -> &'a str {
        let rest = self.rest();
        self.take(rest.find('\n').map_or(rest.len(), |at| at + 1))
    }

    fn game(&mut self) -> Result<RawGame<'a>, Flawed> {
        let mut game = RawGame { line: self.line, ..RawGame::default() };
        while self.skip_blank() {
            // Comments may stand between tags.
            if self.peek() == Some(b'[') && game.moves.is_empty() && game.result.is_none() {
                game.tags.push(self.tag()?);
                continue;
            }
            // What is said of the game may follow its result.
            if game.result.is_some() && !matches!(self.peek(), Some(b'{' | b';' | b'(' | b'$')) {
                break;
            }
            let line = self.line;
            match self.token()? {
                Token::Comment(comment) => attach(&mut game, &comment),
                Token::Result(result) => game.result = Some(result),
                Token::Move(text) => {
                    let moves = unglued(text).map(|text| RawMove { text: text.into(), comment: None, line });
                    game.moves.extend(moves);
                }
                Token::Nothing => {}
            }
        }
        Ok(game)
    }

    /// `[Name "value"]`, with `\"` and `\\` in the value.
    fn tag(&mut self) -> Result<(&'a str, String), Flawed> {
        let line = self.line;
        let source = self.rest().lines().next().unwrap_or_default();
        let flawed = || (line, syntax("a tag such as [Event \"name\"]", source));
        self.take(1);
        let length = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
        let name = self.take(length);
        let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.take(blanks);
        if name.is_empty() || self.peek() != Some(b'"') {
            return Err(flawed());
        }
        self.take(1);
        let value = self.quoted().ok_or_else(flawed)?;
        self.skip_blank();
        if self.peek() != Some(b']') {
            return Err(flawed());
        }
        self.take(1);
        Ok((name, value))
    }

    /// The rest of a quoted value and its closing quote, on one line. A quote that no `]` follows belongs to the value:
    /// many collections leave quotes within titles unescaped.
    fn quoted(&mut self) -> Option<String> {
        let rest = self.rest();
        let mut value = String::new();
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' if rest[at + 1..].trim_start().starts_with(']') => {
                    self.take(at + 1);
                    return Some(value);
                }
                '\n' => return None,
                '\\' => value.push(chars.next()?.1),
                _ => value.push(c),
            }
        }
        None
    }

    fn token(&mut self) -> Result<Token<'a>, Flawed> {
        match self.peek() {
            Some(b'{') => self.comment().map(|text| Token::Comment(one_line(text))),
            Some(b';') => Ok(Token::Comment(one_line(&self.take_line()[1..]))),
            Some(b'(') => self.variation().map(|()| Token::Nothing),
            Some(b')') => Err((self.line, syntax("a move", "`)` without `(`"))),
            Some(b'}') => Err((self.line, syntax("a move", "`}` without `{`"))),
            Some(b'[') => Err((self.line, syntax("a move", "`[` among the moves"))),
            _ => Ok(classify(self.word())),
        }
    }

    fn word(&mut self) -> &'a str {
        let stops = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '[');
        let rest = self.rest();
        self.take(rest.find(stops).unwrap_or(rest.len()))
    }

    /// A comment ends at the first `}`. Only where another one follows before any `{`, the comment held a pair of its
    /// own.
    fn comment(&mut self) -> Result<&'a str, Flawed> {
        let line = self.line;
        self.take(1);
        let missing = || (line, syntax("`}` after the comment that begins here", "the end"));
        let rest = self.rest();
        let mut end = rest.find('}').ok_or_else(missing)?;
        let mut open = rest[..end].matches('{').count();
        while open > 0 {
            let Some(next) = rest[end + 1..].find(['{', '}']).map(|at| end + 1 + at) else { break };
            if rest.as_bytes()[next] == b'{' {
                break;
            }
            (end, open) = (next, open - 1);
        }
        let comment = self.take(end);
        self.take(1);
        Ok(comment)
    }

    /// Steps over a variation, nested ones and their comments included.
    fn variation(&mut self) -> Result<(), Flawed> {
        let line = self.line;
        let mut depth = 0_usize;
        while self.skip_blank() {
            match self.peek() {
                Some(b'{') => {
                    self.comment()?;
                    continue;
                }
                Some(b';') => {
                    self.take_line();
                    continue;
                }
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                _ => {}
            }
            let length = self.rest().chars().next().map_or(0, char::len_utf8);
            self.take(length);
            if depth == 0 {
                return Ok(());
            }
        }
        Err((line, syntax("`)` after the variation that begins here", "the end")))
    }
}

/// The flaw that `found` stands where the format has `expected`.
pub fn syntax(expected: &'static str, found: &str) -> Flaw {
    let found = found.trim();
    let short: String = found.chars().take(60).collect();
    let found = if short.len() < found.len() { format!("{short}…") } else { short };
    Flaw::Syntax { expected, found: if found.is_empty() { "nothing".to_owned() } else { found } }
}

/// Puts a comment behind the last move, or before the first.
pub(crate) fn attach(game: &mut RawGame<'_>, comment: &str) {
    let slot = match game.moves.last_mut() {
        Some(last) => &mut last.comment,
        None => &mut game.prologue,
    };
    if comment.is_empty() {
        return;
    }
    match slot {
        Some(before) => {
            before.push(' ');
            before.push_str(comment);
        }
        None => *slot = Some(comment.to_owned()),
    }
}

/// The ends of lines in `text`.
pub(crate) fn lines_in(text: impl AsRef<[u8]>) -> u64 {
    text.as_ref().iter().filter(|&&byte| byte == b'\n').count() as u64
}

/// `text` with each run of blanks made one blank, and none at the ends.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn classify(word: &str) -> Token<'_> {
    if let Some(result) = result_after_moves(word) {
        return Token::Result(result);
    }
    if word.starts_with('$') {
        return Token::Nothing;
    }
    let text = without_number(word.trim_end_matches(['!', '?', '！', '？']));
    if text.is_empty() {
        return Token::Nothing;
    }
    // `12.1-0`
    result_after_moves(text).map_or(Token::Move(text), Token::Result)
}

/// Whether the last word of a line of moves is a result.
pub(super) fn ends_in_result(words: &str) -> bool {
    words.split_whitespace().next_back().is_some_and(|word| matches!(classify(word), Token::Result(_)))
}

/// Whether `c` stands between the number of a move and the move.
const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '…' | '．' | '、')
}

/// `word` without a leading move number: `12`, `12.`, `12...`, or dots alone. Without a dot, a number belongs to a
/// Chinese move if only the two together have the four characters of one. The `33.4` of a pawn in WXF is all move.
fn without_number(word: &str) -> &str {
    if matches!(word.as_bytes(), [b'1'..=b'9', b'1'..=b'9', b'.', b'1'..=b'9']) {
        return word;
    }
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let rest = word.trim_start_matches(is_digit);
    if rest.is_empty() || rest.starts_with(is_dot) {
        return rest.trim_start_matches(is_dot);
    }
    let is_move = !rest.is_ascii() && word.starts_with(|c: char| c.is_ascii_digit()) && rest.chars().count() >= 4;
    if is_move { rest } else { word }
}

/// The moves in a word: more than one if Chinese moves of four characters each stand together without blanks.
fn unglued(word: &str) -> impl Iterator<Item = &str> {
    let glued = word.len() > 12 && are_chinese_moves(word);
    let mut rest = word;
    std::iter::from_fn(move || {
        let whole = if glued { rest.char_indices().nth(4).map_or(rest.len(), |(at, _)| at) } else { rest.len() };
        let (mv, after) = rest.split_at(whole);
        rest = after;
        (!mv.is_empty()).then_some(mv)
    })
}

/// Whether `word` is made of groups of four characters whose third is a direction.
fn are_chinese_moves(word: &str) -> bool {
    let mut count = 0;
    word.chars().all(|c| {
        count += 1;
        count % 4 != 3 || matches!(c, '進' | '进' | '退' | '平')
    }) && count % 4 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_before_and_behind_games_are_no_games() {
        assert!(parse("; collected by X\n{and Y}\n", 1).is_empty());
        let text = "[Event \"a\"]\n\nh2e2 h9g7 1-0 $10 (h0g2 h9g7)\n\n[Event \"b\"]\n\nh2e2 1-0\n";
        let games = parse(text, 1);
        assert_eq!(games.iter().map(|game| game.as_ref().unwrap().moves.len()).collect::<Vec<_>>(), [2, 1]);
    }

    fn only(text: &str) -> RawGame<'_> {
        let mut games = parse(text, 1);
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).unwrap()
    }

    fn moves(text: &str) -> Vec<String> {
        only(text).moves.iter().map(|mv| mv.text.to_string()).collect()
    }

    #[test]
    fn moves_come_with_and_without_numbers() {
        for text in ["a1 b2 c3", "1. a1 b2 2. c3", "1.a1 b2 2.c3", "1. a1 1... b2 2. c3 *", "1 a1 ... b2\n2 c3"] {
            assert_eq!(moves(text), ["a1", "b2", "c3"], "{text}");
        }
    }

    #[test]
    fn the_digits_of_pawns_are_no_numbers_of_moves() {
        for text in ["1. 33.4 23.4", "1.33.4! 1...23.4", "12. 33.4 12. 23.4? 12.1-0"] {
            assert_eq!(moves(text), ["33.4", "23.4"], "{text}");
        }
        assert_eq!(only("a1 12.1-0").result, Some(Some(Claim::Outcome(Outcome::Win(Side::First)))));
    }

    #[test]
    fn variations_glyphs_and_escaped_lines_are_stepped_over() {
        let text = "1. a1!? $14 (1. x1 (1. y1 {)}) ; )\n) b2?? $2\n% c9 c9\n2. c3! 1-0";
        assert_eq!(moves(text), ["a1", "b2", "c3"]);
    }

    #[test]
    fn comments_belong_to_the_move_before_them() {
        let game = only("{ before\n all } a1 {one} {two} b2 ; to the } end\nc3 1-0 {resigns}");
        assert_eq!(game.prologue.as_deref(), Some("before all"));
        let comments: Vec<_> = game.moves.iter().map(|mv| mv.comment.as_deref()).collect();
        assert_eq!(comments, [Some("one two"), Some("to the } end"), Some("resigns")]);
    }

    #[test]
    fn oddities_of_collections_are_understood() {
        let texts = [
            "1.炮二平五炮８平５ 2.馬二進三",
            "1 炮二平五 …炮８平５\n2馬二進三",
            "１．炮二平五　炮８平５ ２、馬二進三！ 红胜",
            "1. 炮二平五 {a {b} c} 1. … 炮８平５ 2.馬二進三 2.½-½",
        ];
        for text in texts {
            assert_eq!(moves(text), ["炮二平五", "炮８平５", "馬二進三"], "{text}");
        }
        assert_eq!(only("a1 {x { y} b2 {z}").moves[0].comment.as_deref(), Some("x { y"));
        assert_eq!(parse_result("先負"), Some(Some(Claim::Outcome(Outcome::Win(Side::Second)))));
    }

    #[test]
    fn words_of_colour_say_who_of_black_and_the_other_won() {
        for (words, claim) in [
            ("黑胜 黑勝 黑方胜 黑方勝 白负 白負 白方负 白方負 红负 紅負 紅方負", Claim::BlackWon),
            ("白胜 白勝 白方胜 白方勝 黑负 黑負 黑方负 黑方負 红胜 紅勝 紅方勝", Claim::BlackLost),
        ] {
            for word in words.split(' ') {
                assert_eq!(parse_result(word), Some(Some(claim)), "{word}");
                assert_eq!(only(&format!("a1 b2 {word}")).result, Some(Some(claim)), "{word}");
            }
        }
        assert_eq!(Claim::BlackWon.outcome(Side::First), Outcome::Win(Side::First));
        assert_eq!(Claim::BlackLost.outcome(Side::Second), Outcome::Win(Side::First));
        for other in ["黑", "黑方", "黑和", "黑胜负", "胜"] {
            assert_eq!(parse_result(other), None, "{other}");
        }
    }

    #[test]
    fn tags_keep_quotes_and_backslashes() {
        let game = only("[Event \"the \\\"big\\\" one \\\\ two\"]\r\n[Site \"\"]\r\n\r\na1 *\r\n");
        assert_eq!(game.tags, [("Event", "the \"big\" one \\ two".to_owned()), ("Site", String::new())]);
        assert_eq!(game.result, Some(None));
    }

    #[test]
    fn quotes_that_were_not_escaped_belong_to_the_title() {
        let game = only("[Event \"the \"big\" cup\"]\n[Site \"a [b\" c\" ]\n\na1 *\n");
        assert_eq!(game.tags, [("Event", "the \"big\" cup".to_owned()), ("Site", "a [b\" c".to_owned())]);
    }

    #[test]
    fn a_result_ends_a_game_even_without_tags() {
        let games = parse("a1 b2 1-0\nc3 0-1 d4", 7);
        let lines: Vec<u64> = games.into_iter().map(|game| game.unwrap().line).collect();
        assert_eq!(lines, [7, 8, 8]);
    }

    #[test]
    fn flaws_name_their_line() {
        let broken = [
            ("[Event \"x]\n\na1", 1),
            ("[Event]\n\na1", 1),
            ("[Event \"x\"\n\na1", 1),
            ("a1\nb2 {open", 2),
            ("a1\n\n(b2 (c3)", 3),
            ("a1 )", 1),
            ("a1\n}", 2),
        ];
        for (text, line) in broken {
            let flaw = parse(text, 1).remove(0).unwrap_err();
            assert!(flaw.0 == line && matches!(flaw.1, Flaw::Syntax { .. }), "{text:?}: {flaw:?}");
        }
    }
}
