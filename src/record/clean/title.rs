//! What the title of a Chinese game says of its result: `柳大華先和李來群`, `上海 林宏敏 負 廣東 呂欽`, `黑勝`.

use std::sync::LazyLock;

use regex::Regex;

use crate::game::{Outcome, Side};

/// A pattern of this file; it is tested that all of them are well-formed.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// The winner or loser by colour: `紅勝`, `黑先負`.
static BY_COLOUR: LazyLock<Option<Regex>> = LazyLock::new(|| pattern("([紅红黑])先?([勝胜負负和])"));

/// The player named first moved first: `先勝`, `先負`, `先和`.
static MOVED_FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"(先)\s*([勝胜負负和])"));

/// The word stands alone: `林宏敏 和 呂欽`, `柳大華（負）胡榮華`.
static ALONE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"([\s（(])([勝胜負负和])[\s）)]"));

/// The word stands between two names, with nothing else in front of the first: `19971101於幼華負呂欽`. Longer runs of
/// characters are sentences, in which these words mean anything.
static BETWEEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?:^|[\s\d])(\p{Han}{2,4})([勝胜負负和])(\p{Han}{2,8})(?:$|[\s\d（(])"));

/// The outcome that `title` tells of the game of `first` against `second` (the values of the tags, empty if unknown), of whom `black` has
/// the black pieces or stones. `None` if it tells none, or several.
///
/// `和` is also a part of names and places, `勝` and `負`, `紅` and `黑` of names: they count only where a rule of the writing of
/// titles puts them, and not inside the names of the players.
pub(crate) fn outcome_in_title(title: &str, [first, second]: [&str; 2], black: Side) -> Option<Outcome> {
    if !title.contains(WORDS) {
        return None;
    }
    // Names are looked for before their words are made harmless.
    let places = find_end_of(title, first).zip(find_end_of(title, second));
    let swapped = places.is_some_and(|(first, second)| second.start < first.start);
    let title = without_words_in(&without_words_in(title, first), second);
    unanimous(
        &BY_COLOUR,
        &title,
        |captured, value| if (captured == "黑") == (black == Side::First) { value } else { -value },
    )
    .or_else(|| unanimous(&MOVED_FIRST, &title, |_, value| value))
    .or_else(|| named(&ALONE, &title, swapped))
    .or_else(|| named(&BETWEEN, &title, swapped))
    .map(Outcome::of_value)
}

/// The characters for winning, losing and drawing.
const WORDS: [char; 5] = ['勝', '胜', '負', '负', '和'];

/// The characters for colours.
const COLOURS: [char; 3] = ['紅', '红', '黑'];

/// 1 if the side named first won, 0 if nobody, -1 if it lost.
type Value = i32;

fn value_of(word: &str) -> Value {
    match word {
        "勝" | "胜" => 1,
        "負" | "负" => -1,
        _ => 0,
    }
}

/// What all places that match say, as the first side sees it; `None` if they differ or there are none.
fn unanimous(rule: &LazyLock<Option<Regex>>, title: &str, for_first: impl Fn(&str, Value) -> Value) -> Option<Value> {
    let found = LazyLock::force(rule).as_ref()?.captures_iter(title);
    let mut values = found.map(|captures| for_first(&captures[1], value_of(&captures[2])));
    let value = values.next()?;
    values.all(|other| other == value).then_some(value)
}

/// As [`unanimous`], for words between two names: if the title names the second player before the first, they are `swapped`.
fn named(rule: &LazyLock<Option<Regex>>, title: &str, swapped: bool) -> Option<Value> {
    unanimous(rule, title, |_, value| if swapped { -value } else { value })
}

/// The range of the longest end of `name`, of two characters or more, that the title holds: tags put the team before the name, titles
/// often do not.
fn find_end_of(title: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let name = name.trim();
    let last = name.char_indices().rev().nth(1)?.0;
    let ends = name.char_indices().map(|(at, _)| &name[at..]).take_while(|end| end.len() >= name.len() - last);
    ends.into_iter().find_map(|end| title.find(end).map(|at| at..at + end.len()))
}

/// The title, with the words for results and colours inside a player's name made harmless.
fn without_words_in(title: &str, name: &str) -> String {
    let Some(range) = find_end_of(title, name) else { return title.to_owned() };
    let speaks = |c: char| WORDS.contains(&c) || COLOURS.contains(&c);
    let harmless = title[range.clone()].replace(speaks, "某");
    format!("{}{harmless}{}", &title[..range.start], &title[range.end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Option<Outcome> = Some(Outcome::Win(Side::First));
    const BLACK: Option<Outcome> = Some(Outcome::Win(Side::Second));
    const DRAW: Option<Outcome> = Some(Outcome::Draw);

    #[test]
    fn every_pattern_is_well_formed() {
        for rule in [&BY_COLOUR, &MOVED_FIRST, &ALONE, &BETWEEN] {
            assert!(rule.is_some());
        }
    }

    #[test]
    fn titles_tell_results() {
        let cases = [
            ("第三章 第13局 河南 李忠雨（先負）北京 傅光明", "", "", BLACK),
            ("2 江蘇 伍霞    先和    成都 郭瑞霞", "", "", DRAW),
            ("滬粵埠際賽 上海(先勝)廣東 楊官璘", "何順安", "楊官璘", RED),
            ("1965年全國象棋個人賽 廣東 楊官璘 勝 湖北 李義庭", "楊官璘", "李義庭", RED),
            ("1965年全国象棋个人赛 李义庭 负 杨官璘", "杨官璘", "李义庭", RED),
            ("19971101於幼華負呂欽", "於幼華", "呂欽", BLACK),
            ("20040220何剛和黎德志", "", "", DRAW),
            ("Chimo vs Shiga (黑勝)", "Chimo", "Shiga", BLACK),
            ("通訊 袁洪梁 (紅先勝) 杭州宋城 張培俊", "", "", RED),
            ("2004年全國甲級聯賽 第10輪 徐天紅 和 呂  欽 2004年7月21日", "徐天紅", "呂  欽", DRAW),
            ("2001年第07屆世界象棋錦標賽 緬甸 張旺後 負 菲律賓 陳萬威", "緬甸 張旺後", "菲律賓 陳萬威", BLACK),
            // Names that end as colours or results do, and the second player named first.
            ("1964年全國象棋個人賽男子組 19640504丁小黑勝陳金盛", "安徽丁小黑", "湖北陳金盛", RED),
            ("徐天紅勝呂欽", "呂欽", "江蘇徐天紅", BLACK),
            ("徐天紅紅先勝呂欽", "徐天紅", "呂欽", RED),
            ("呂欽 勝 蔣全勝", "蔣全勝", "呂欽", BLACK),
            ("2005年聯賽 黑龍江趙國榮(紅先勝)廣東呂欽", "黑龍江趙國榮", "廣東呂欽", RED),
        ];
        for (title, first, second, expected) in cases {
            assert_eq!(outcome_in_title(title, [first, second], Side::Second), expected, "{title}");
        }
    }

    #[test]
    fn black_may_move_first() {
        for (title, expected) in [("决赛 黑胜", RED), ("决赛 黑负", BLACK), ("决赛 先负", BLACK)] {
            assert_eq!(outcome_in_title(title, ["", ""], Side::First), expected, "{title}");
        }
    }

    #[test]
    fn names_and_places_are_no_results() {
        let cases = [
            ("蔣全勝對楊官璘", "蔣全勝", "楊官璘"),
            ("呼和浩特 中炮過河車對屏風馬橫車", "浙江陳孝坤", "黑龍江張小平"),
            ("1997世界盃象棋賽 所司和晴VS張榮安", "日本 所司和晴", "荷蘭 張榮安"),
            ("粵滬對抗賽勝上海林宏敏 一步軟著足以致命", "上海林宏敏", "廣東許銀川"),
            ("第五屆世界象棋錦標賽勝吳貴臨之局 35.卒入花心老帥自昏", "吳貴臨", "許銀川"),
            ("和平杯 中炮對屏風馬", "", ""),
            ("甲先勝乙 乙先負甲", "", ""),
            ("1990全國個人賽", "", ""),
        ];
        for (title, first, second) in cases {
            assert_eq!(outcome_in_title(title, [first, second], Side::Second), None, "{title}");
        }
    }
}
