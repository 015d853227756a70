//! One recorded game.

use std::fmt;
use std::sync::Arc;

use super::date::Date;
use crate::game::line::played;
use crate::game::{Game, Notation, Outcome, Side};

/// The name of a file, and what of it was asked for: where a collection lies says nothing of its games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FileName {
    /// Its path as it was given, and within an archive its path there.
    pub shown: Arc<str>,
    /// How many bytes of that lead to the file, or into the folder, that was asked for.
    pub asked: usize,
}

/// A location in the input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct SourceLocation {
    /// The number of the document in the input, from 0.
    pub document: u64,
    /// The file.
    pub file: FileName,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line of the (unpacked) file, from 1.
    pub line: u64,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: game {} (line {})", self.file.shown, self.game, self.line)
    }
}

/// Name and value of a tag.
pub type Tag = (String, String);

/// Tags that stand first in a game, in this order; all others follow as they came.
const TAG_ORDER: [&str; 8] = ["Game", "Event", "Site", "Date", "Round", "Red", "Black", "White"];

/// Tags for what the record holds in fields of its own, which are not among its [tags](GameRecord::tags).
pub const OWN_TAGS: [&str; 4] = ["Result", "FEN", "SetUp", "Format"];

fn rank(name: &str) -> usize {
    TAG_ORDER.iter().position(|known| *known == name).unwrap_or(TAG_ORDER.len())
}

/// The results that a record states, each at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stated {
    /// In the tag `Result`.
    pub in_tag: Option<Outcome>,
    /// After the moves, or at the place that the format has for it.
    pub after_moves: Option<Outcome>,
    /// That place, as messages name it, if it is not after the moves.
    pub place: Option<&'static str>,
}

/// A game with its tags, moves and comments.
///
/// Two records are equal when they tell the same game: tags, start position, moves, comments and outcome. Where they
/// were read from does not matter.
#[derive(Debug, Clone)]
pub struct GameRecord<G: Game> {
    tags: Vec<Tag>,
    /// The position before the first move.
    pub start: G,
    /// A remark that stands before the first move.
    pub prologue: Option<String>,
    /// The moves, each legal after those before it.
    pub moves: Vec<G::Move>,
    /// The remark after each move; as long as `moves`. Runs of blanks count as one blank.
    pub comments: Vec<Option<String>>,
    /// How the game ended; `None` if the record does not say.
    pub outcome: Option<Outcome>,
    /// Where the text that was read states which result; nothing if the game was made here.
    pub stated: Stated,
    /// Where the game was read from; `None` if it was made here.
    pub source: Option<SourceLocation>,
}

impl<G: Game> GameRecord<G> {
    /// A game without moves that begins at `start`.
    pub const fn new(start: G) -> Self {
        Self {
            tags: Vec::new(),
            start,
            prologue: None,
            moves: Vec::new(),
            comments: Vec::new(),
            outcome: None,
            stated: Stated { in_tag: None, after_moves: None, place: None },
            source: None,
        }
    }

    /// Makes room for `n` more moves.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.moves.reserve_exact(n);
        self.comments.reserve_exact(n);
    }

    /// Appends a move, which must be legal, and the remark on it.
    pub fn push(&mut self, mv: G::Move, comment: Option<String>) {
        self.moves.push(mv);
        self.comments.push(comment);
    }

    /// The tags in the order in which they are written. `Result`, `FEN`, `SetUp` and `Format` are not among them: they
    /// follow from the other fields.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The value of the tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// When the game was played: by its tag `Date`, or by its tag `Event` where that tells nothing.
    pub fn date(&self) -> Option<Date> {
        Date::of_game(self.tag("Date").unwrap_or_default(), self.tag("Event").unwrap_or_default())
    }

    /// Sets the tag called `name`, which is made of ASCII letters, digits and `_`. A value set before is replaced, line
    /// breaks become blanks. Tags that follow from other fields (see [`GameRecord::tags`]) are passed over.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        if OWN_TAGS.contains(&name) {
            return;
        }
        let value = value.into().replace(['\n', '\r'], " ");
        if let Some((_, old)) = self.tags.iter_mut().find(|(tag, _)| tag == name) {
            *old = value;
            return;
        }
        let at = self.tags.partition_point(|(tag, _)| rank(tag) <= rank(name));
        self.tags.insert(at, (name.to_owned(), value));
    }

    /// Says who plays a side, in a tag named after it, such as `Red`.
    pub fn set_player(&mut self, side: Side, name: impl Into<String>) {
        self.set_tag(&capitalised(G::SIDES[side.index()]), name);
    }

    /// Who plays a side, by the tag named after it. Tools for chess call the side that moves first White, whatever its colour is.
    pub fn player(&self, side: Side) -> Option<&str> {
        let is_white = side == Side::First && !G::SIDES.contains(&"white");
        let own = self.tag(&capitalised(G::SIDES[side.index()]));
        let told = own.filter(|name| known(name).is_some());
        told.or_else(|| self.tag("White").filter(|_| is_white)).or(own)
    }

    /// The tags that stand before the result, and those after it.
    pub(super) fn tags_by_place(&self) -> (&[Tag], &[Tag]) {
        self.tags.split_at(self.tags.partition_point(|(name, _)| rank(name) < TAG_ORDER.len()))
    }

    /// The result as PGN writes it: `1-0`, `0-1`, `1/2-1/2`, or `*` for none.
    pub const fn result(&self) -> &'static str {
        result_text(self.outcome)
    }

    /// The game after the last move.
    pub fn last_position(&self) -> G {
        played(&self.start, &self.moves)
    }

    /// The game before each move and after the last one: `moves.len() + 1` positions, each handed to `visit` together
    /// with the move that was played there.
    pub fn replay(&self, mut visit: impl FnMut(&G, Option<G::Move>)) {
        let mut game = self.start.clone();
        for &mv in &self.moves {
            visit(&game, Some(mv));
            game.play(mv);
        }
        visit(&game, None);
    }
}

/// The value of a tag, if it says anything.
pub(super) fn known(value: &str) -> Option<&str> {
    Some(value.trim()).filter(|value| !matches!(*value, "" | "?"))
}

/// `word` with its first letter in upper case, as the names of tags are written.
fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An outcome as PGN writes it: `1-0`, `0-1`, `1/2-1/2`, or `*` for none.
pub const fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Side::First)) => "1-0",
        Some(Outcome::Win(Side::Second)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    }
}

impl<G: Notation> PartialEq for GameRecord<G> {
    fn eq(&self, other: &Self) -> bool {
        self.tags == other.tags
            && self.prologue == other.prologue
            && self.moves == other.moves
            && self.comments == other.comments
            && self.outcome == other.outcome
            && self.start.notation() == other.start.notation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tags_are_capitalised() {
        assert_eq!([capitalised("red"), capitalised("Cross"), capitalised("")], ["Red", "Cross", ""]);
    }
}
