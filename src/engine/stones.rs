//! The protocol in which programs for Connect6 meet in contests: whole turns, points as two letters.
//!
//! `JJ` is the point `j10`: the first letter is the column, from A on the left, the second the row, from A at the bottom. It is the
//! protocol of Cloudict (<https://github.com/lang010/cloudict>) and of the platforms that such programs play on.

use super::refusal::Refusal;
use crate::game::{BoardGame, MoveError, Side};

/// A command of the protocol that UCI does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoneCommand<'a> {
    /// Say who you are.
    Name,
    /// A new game, in which the engine has this side; as Black it moves at once.
    New(Side),
    /// This side has made this turn.
    Place(Side, &'a str),
    /// The opponent has made this turn: make yours.
    Reply(&'a str),
    /// Make the next turn.
    Next,
    /// Look so many turns ahead.
    Depth(u32),
    /// Show the board.
    Print,
    /// What changes nothing here.
    Nothing,
    Quit,
}

/// The words that lines of the protocol begin with.
const WORDS: [&str; 12] =
    ["name", "new", "black", "white", "move", "next", "depth", "print", "vcf", "unvcf", "help", "exit"];

/// Whether a line that begins with `word` is of this protocol and of no other.
pub(super) fn is_word(word: &str) -> bool {
    WORDS.contains(&word)
}

impl<'a> StoneCommand<'a> {
    /// The command of this word, if there is one, and what follows it.
    pub fn parse(word: &str, rest: &'a str) -> Result<Option<Self>, Refusal> {
        let side = |name| match name {
            "black" => Ok(Side::First),
            "white" => Ok(Side::Second),
            found => Err(Refusal::form("`new`", "`black` or `white`", found)),
        };
        Ok(Some(match word {
            "name" => Self::Name,
            "new" => Self::New(side(rest.trim_end())?),
            "black" | "white" => Self::Place(side(word)?, rest),
            "move" => Self::Reply(rest),
            "next" => Self::Next,
            "depth" => Self::Depth(depth(rest)?),
            "print" => Self::Print,
            "vcf" | "unvcf" | "help" => Self::Nothing,
            "exit" => Self::Quit,
            _ => return Ok(None),
        }))
    }
}

fn depth(text: &str) -> Result<u32, Refusal> {
    let turns = text.trim_end().parse().ok().filter(|&turns| turns > 0);
    turns.ok_or_else(|| Refusal::form("`depth`", "a number of turns, at least 1", text))
}

/// The letters of a point that the game calls `j10`.
pub(super) fn letters_of(point: &str) -> String {
    let mut text = point.to_ascii_uppercase();
    let row = text.split_off(1.min(text.len()));
    let letter = row.parse::<u8>().ok().and_then(|row| b'A'.checked_add(row.checked_sub(1)?));
    letter.map_or_else(|| point.to_owned(), |letter| text + &char::from(letter).to_string())
}

/// The points of a turn, one or two, as the game calls them; `None` if the text is no turn. Whether they are on the board is not asked.
fn points_of(turn: &str) -> Option<Vec<String>> {
    let turn = turn.trim().to_ascii_lowercase().into_bytes();
    let is_turn = matches!(turn.len(), 2 | 4) && turn.iter().all(u8::is_ascii_lowercase);
    let point = |letters: &[u8]| format!("{}{}", char::from(letters[0]), letters[1] - b'a' + 1);
    is_turn.then(|| turn.chunks_exact(2).map(point).collect())
}

/// What is wrong with a turn.
#[derive(Debug)]
pub(super) enum WrongTurn {
    /// It has another form, or another number of stones, than this.
    Form(&'static str),
    /// One of its stones cannot be placed.
    Stone {
        /// Which, counted from 1.
        number: usize,
        problem: MoveError,
    },
}

/// The stones of `turn`, which is a whole turn in `position`. What stands behind a stone that ends the game does not matter.
pub(super) fn stones_of_turn<G: BoardGame>(position: &G, turn: &str) -> Result<Vec<G::Move>, WrongTurn> {
    let points = points_of(turn).ok_or(WrongTurn::Form("one or two points such as `JJ` and `JJKK`"))?;
    let (mut after, mover, mut stones) = (position.clone(), position.side_to_move(), Vec::new());
    for (index, point) in points.iter().enumerate() {
        if index > 0 && after.end().is_some() {
            break;
        }
        if after.side_to_move() != mover {
            return Err(WrongTurn::Form("one point, as the turn has one stone"));
        }
        let stone = after.parse_move(point).map_err(|problem| WrongTurn::Stone { number: index + 1, problem })?;
        after.play(stone);
        stones.push(stone);
    }
    let is_whole = after.side_to_move() != mover || after.end().is_some();
    if is_whole { Ok(stones) } else { Err(WrongTurn::Form("two points, as the turn has two stones")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_two_letters() {
        assert_eq!(["a1", "j10", "s19"].map(letters_of), ["AA", "JJ", "SS"]);
        assert_eq!(points_of("JJ"), Some(vec!["j10".to_owned()]));
        assert_eq!(points_of(" asSA "), Some(vec!["a19".to_owned(), "s1".to_owned()]));
        for wrong in ["", "J", "JJK", "J1", "JJKKLL", "JÄ"] {
            assert_eq!(points_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn commands_are_told_from_those_of_other_protocols() {
        assert_eq!(StoneCommand::parse("new", "white").unwrap(), Some(StoneCommand::New(Side::Second)));
        assert_eq!(StoneCommand::parse("go", "depth 1").unwrap(), None);
        assert!(StoneCommand::parse("new", "red").is_err() && StoneCommand::parse("depth", "0").is_err());
        for word in WORDS {
            let rest = if word == "new" { "black" } else { "1" };
            assert!(StoneCommand::parse(word, rest).unwrap().is_some(), "{word}");
        }
    }
}
