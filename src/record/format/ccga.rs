//! Connect6 in the text of the Chinese computer game championships (CCGC):
//!
//! ```text
//! {[C6][first team B][second team W][先手胜][2019.08.10 14:00 重庆][2019 CCGC];B(J,10);W(K,11);W(I,11)}
//! ```
//!
//! The fields are: `C6`, the team that moves first, the other team, the result (`先手胜`, the first wins; `后手胜`, the second
//! wins; `平局` or `和局`, a draw), time and place in one field or two, and the event. Points are column and row from the
//! bottom left. Programs differ in small things, all of which are read: `{C6}` for `[C6]`, points in brackets (`B[J10]`), marks
//! behind a stone (`MARK[1]`), blanks and line ends anywhere.

use super::brackets::Open;
use super::stones::{Stones, side_of, text_of};
use crate::game::{Outcome, Side};
use crate::games::connect6::Point;
use crate::record::pgn::{Flawed, RawGame, lines_in, one_line, syntax};

/// Whether a text that begins with `head` is of this format: `{` and `[C6]` or `{C6}`.
pub(crate) fn is_ccga(head: &[u8]) -> bool {
    let opened = text_of(head).strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    let name = opened.and_then(|head| head.strip_prefix(b"[").or_else(|| head.strip_prefix(b"{")));
    let name = name.and_then(|head| head.trim_ascii_start().get(..2));
    name.is_some_and(|name| name.eq_ignore_ascii_case(b"C6"))
}

/// The games in `text`, whose first line has the number `line`: each ends with the `}` behind its stones. A flaw costs its game
/// only.
pub fn parse(text: &str, line: u64) -> Vec<Result<RawGame<'_>, Flawed>> {
    let mut games = Vec::new();
    let (mut rest, mut line) = (text.trim_start_matches('\u{feff}'), line);
    loop {
        let blanks = rest.len() - rest.trim_start().len();
        line += lines_in(&rest[..blanks]);
        rest = &rest[blanks..];
        if rest.is_empty() {
            return games;
        }
        let end = end_of_game(rest);
        games.push(game_of(&rest[..end], line));
        line += lines_in(&rest[..end]);
        rest = &rest[end..];
    }
}

/// Where the game that begins here ends.
fn end_of_game(text: &str) -> usize {
    let mut open = Open::default();
    text.bytes().position(|byte| ends(&mut open, byte)).map_or(text.len(), |at| at + 1)
}

/// A game ends with the `}` that closes it, or with one that closes nothing.
pub(crate) fn ends(open: &mut Open, byte: u8) -> bool {
    match byte {
        b'{' => open.depth += 1,
        b'}' if open.depth <= 1 => return true,
        b'}' => open.depth -= 1,
        _ => {}
    }
    false
}

fn game_of(text: &str, line: u64) -> Result<RawGame<'static>, Flawed> {
    let Some(inner) = text.strip_prefix('{').filter(|_| is_ccga(text.as_bytes())) else {
        return Err((line, syntax("`{[C6]` and the fields of a game", text.lines().next().unwrap_or_default())));
    };
    let Some(inner) = inner.strip_suffix('}') else {
        return Err((line + lines_in(text), syntax("`}` after the stones of the game", "")));
    };
    let (head, body) = inner.split_once(';').unwrap_or((inner, ""));
    let fields = fields(head);
    let mut stones = Stones::new(line);
    set_tags(&mut stones, &fields);
    let mut line = line + lines_in(head);
    for word in body.split(';') {
        let blanks = word.len() - word.trim_start().len();
        place(&mut stones, word.trim(), line + lines_in(&word[..blanks]))?;
        line += lines_in(word);
    }
    let stated = fields.get(3).and_then(|text| parse_result(text));
    Ok(stones.finish(stated.map(|outcome| (outcome, "before the moves"))))
}

/// What stands in the brackets, or braces, of the head, blanks trimmed.
fn fields(head: &str) -> Vec<String> {
    let parts = head.split_inclusive([']', '}']);
    parts.filter_map(|part| part.trim().strip_prefix(['[', '{'])?.strip_suffix([']', '}']).map(one_line)).collect()
}

fn set_tags(stones: &mut Stones<'_>, fields: &[String]) {
    let field = |index: usize| fields.get(index).map_or("", String::as_str);
    stones.game.tag("Black", team(field(1), 'B').to_owned());
    stones.game.tag("White", team(field(2), 'W').to_owned());
    let (when, place, event) = match fields.len() {
        0..=6 => (field(4), "", field(5)),
        _ => (field(4), field(5), field(6)),
    };
    let (date, site) = split_time(when);
    stones.game.tag("Date", date.to_owned());
    stones.game.tag("Site", (if place.is_empty() { site } else { place }).to_owned());
    stones.game.tag("Event", event.to_owned());
}

/// The name in a field such as `甲队 B`, be it empty. The letter behind it says no more than its place.
fn team(field: &str, letter: char) -> &str {
    match field.strip_suffix(letter) {
        Some(name) if name.is_empty() || name.ends_with(' ') => name.trim_end(),
        _ => field,
    }
}

/// `2019.08.10 14:00 重庆`: the date, and what follows date and time of day.
fn split_time(text: &str) -> (&str, &str) {
    let (date, rest) = text.split_once(' ').unwrap_or((text, ""));
    let is_time = |word: &str| word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit());
    match rest.split_once(' ') {
        Some((time, site)) if is_time(time) => (date, site),
        None if is_time(rest) => (date, ""),
        _ => (date, rest),
    }
}

fn parse_result(text: &str) -> Option<Outcome> {
    match text {
        "先手胜" | "先手勝" => Some(Outcome::Win(Side::First)),
        "后手胜" | "後手勝" => Some(Outcome::Win(Side::Second)),
        "平局" | "和局" | "和棋" => Some(Outcome::Draw),
        _ => None,
    }
}

/// Places the stone of `B(J,10)`, or of no stone at all behind the last `;`. What follows the point is a mark.
fn place(stones: &mut Stones<'_>, word: &str, line: u64) -> Result<(), Flawed> {
    let Some(letter) = word.bytes().next() else { return Ok(()) };
    let flawed = || (line, syntax("a stone such as `B(J,10)`", word));
    let side = side_of(letter).ok_or_else(flawed)?;
    let inner = word[1..].trim_start().strip_prefix(['(', '[']).ok_or_else(flawed)?;
    let (point, _) = inner.split_once([')', ']']).ok_or_else(flawed)?;
    let name: String = point.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    stones.place(side, Point::parse(&name).ok_or_else(flawed)?, line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::stones::{a_game, moves, only, outcome, side_of_stone};
    use super::*;
    use crate::record::account::Flaw;

    const GAME: &str =
        "{[C6][甲队 B][乙队 W][先手胜][2019.08.10 14:00 重庆][2019 CCGC];B(J,10);W(K,11);W(I,11);B(J,12);B(L,11)}";

    #[test]
    fn a_game_is_read_with_its_head() {
        let game = only(parse(GAME, 1)).unwrap();
        assert_eq!(moves(&game), ["j10", "k11", "i11", "j12", "l11"]);
        let tags: Vec<_> = game.tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let expected =
            [("Black", "甲队"), ("White", "乙队"), ("Date", "2019.08.10"), ("Site", "重庆"), ("Event", "2019 CCGC")];
        assert_eq!(tags, expected);
        assert_eq!(outcome(&game), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn the_ways_of_different_programs_are_read() {
        for text in [
            "{{C6}[a B][b W][后手胜][2019.08.10 14:00][重庆][2019 CCGC];\r\nB(J,10); W(K,11);W(I,11)}",
            "\u{feff}{[c6][a][b][后手胜][][];B[J10];W(K, 11)MARK[1];W(I,11);}\n",
            "{ [C6][a B][b W][後手勝];b(j,10);w(k,11);w(i,11)}",
        ] {
            assert!(is_ccga(text.as_bytes()));
            let game = only(parse(text, 1)).unwrap();
            assert_eq!(moves(&game), ["j10", "k11", "i11"], "{text}");
            assert_eq!(game.tags[..2], [("Black", "a".to_owned()), ("White", "b".to_owned())]);
            assert_eq!(outcome(&game), Some(Outcome::Win(Side::Second)), "{text}");
        }
        // Teams without names.
        assert!(only(parse("{[C6][ B][W][后手胜];B(J,10)}", 1)).unwrap().tags.is_empty());
        for (words, result) in [("平局", Some(Outcome::Draw)), ("和局", Some(Outcome::Draw)), ("未结束", None)] {
            assert_eq!(outcome(&only(parse(&GAME.replace("先手胜", words), 1)).unwrap()), result);
        }
    }

    #[test]
    fn a_flaw_costs_its_game_only() {
        let text = [GAME, &GAME.replace("W(I,11)", "\nW(T,11)"), &GAME.replace("W(I,11)", "B(I,11)"), GAME].join("\n");
        let games = parse(&text, 1);
        let lines: Vec<_> =
            games.iter().map(|game| game.as_ref().map_or_else(|flaw| flaw.0, |game| game.line)).collect();
        assert_eq!(games.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, true]);
        assert_eq!(lines, [1, 3, 4, 5]);
        for text in ["{[C6][a][b];B(J,10)", "nothing", "{[C5][a][b];B(J,10)}", "{[C6];B}", "{[C6];B(J,10}", "}"] {
            assert!(matches!(only(parse(text, 1)), Err((1, Flaw::Syntax { .. }))), "{text}");
        }
    }

    fn written(stones: &[Point]) -> String {
        let letter = |at| if side_of_stone(at) == Side::First { 'B' } else { 'W' };
        let column = |point: Point| char::from(b'A' + point.column() as u8);
        let stone = |(at, point): (usize, &Point)| format!(";{}({},{})", letter(at), column(*point), point.row() + 1);
        format!("{{[C6][a B][b W][先手胜][t][e]{}}}", stones.iter().enumerate().map(stone).collect::<String>())
    }

    proptest! {
        #[test]
        fn what_programs_write_reads_back(stones in a_game()) {
            let names: Vec<_> = stones.iter().map(|point| point.name()).collect();
            let text = written(&stones);
            let game = only(parse(&text, 1)).unwrap();
            prop_assert_eq!(moves(&game), names);
        }

        #[test]
        fn no_text_makes_it_fail(text in "[{}\\[\\];()BWC6J10, \\n先é]{0,80}|\\PC{0,60}") {
            parse(&text, 1);
            let _ = is_ccga(text.as_bytes());
        }

        #[test]
        fn no_damage_makes_it_fail(at in 0..90_usize, c in any::<char>()) {
            let mut text: Vec<char> = [GAME, GAME].join("\n").chars().collect();
            text[at] = c;
            parse(&text.into_iter().collect::<String>(), 1);
        }
    }
}
