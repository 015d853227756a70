//! Why the static evaluation says what it says.

use super::StaticEvaluator;
use crate::eval::{MAX_EVAL, Score};
use crate::game::{Game, Side};
use crate::games::connect6::{Connect6, Pattern, Point, SIX, Stretch};

/// What adds up to a static evaluation, in its unit, each part for the side that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The side to move, which the value is for.
    pub side_to_move: Side,
    /// The stretches that hold stones or are worth something, line by line, the first side's before the second's.
    pub stretches: Vec<StretchShare>,
    /// The segments with stones of one side only, the first side's before the second's, fewest stones first.
    pub segments: Vec<SegmentShare>,
    /// What it is worth to the side to move to have a second stone yet to place in this turn, if it has.
    pub stones_to_come: i64,
}

/// A stretch and what it is worth to its side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StretchShare {
    /// Whose it is.
    pub side: Side,
    /// The line that it is part of, such as `row 10`, `column j`, `diagonal a1-s19`.
    pub line: String,
    /// Its first and last points.
    pub ends: [Point; 2],
    /// What is on it.
    pub content: Stretch,
    /// Its class.
    pub pattern: Pattern,
    /// Its value times the weight of patterns.
    pub worth: i64,
}

/// Segments with equally many stones, and what they are worth to their side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentShare {
    /// Whose stones they hold.
    pub side: Side,
    /// How many each holds, 1 to 6.
    pub stones: usize,
    /// How many there are.
    pub count: usize,
    /// Their value times the weight of segments.
    pub worth: i64,
}

impl Explanation {
    /// The value for the side to move: the sum of all parts, within ±[`MAX_EVAL`].
    pub fn value(&self) -> Score {
        let stretches = self.stretches.iter().map(|share| (share.side, share.worth));
        let segments = self.segments.iter().map(|share| (share.side, share.worth));
        let signed = |(side, worth): (Side, i64)| if side == self.side_to_move { worth } else { -worth };
        let sum = stretches.chain(segments).map(signed).sum::<i64>() + self.stones_to_come;
        // The range of a score is far within that of 32 bits.
        sum.clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL)) as Score
    }
}

impl StaticEvaluator {
    /// What adds up to the value of `position`.
    pub fn explain(&self, position: &Connect6) -> Explanation {
        let sides = [Side::First, Side::Second];
        let of_note = |share: &StretchShare| share.worth != 0 || share.content.own() != 0;
        Explanation {
            side_to_move: position.side_to_move(),
            stretches: sides.into_iter().flat_map(|side| self.stretches(position, side)).filter(of_note).collect(),
            segments: sides.into_iter().flat_map(|side| self.segments(position, side)).collect(),
            stones_to_come: self.stones_to_come(position),
        }
    }

    fn stretches<'a>(&'a self, position: &'a Connect6, side: Side) -> impl Iterator<Item = StretchShare> + 'a {
        position.stretches(side).map(move |(first, last, content)| {
            let pattern = content.pattern();
            let worth = i64::from(self.values.a) * i64::from(self.values.patterns[pattern.index()]);
            StretchShare {
                side,
                line: name_of_line(first, last, position.size()),
                ends: [first, last],
                content,
                pattern,
                worth,
            }
        })
    }

    fn segments<'a>(&'a self, position: &'a Connect6, side: Side) -> impl Iterator<Item = SegmentShare> + 'a {
        (1..=SIX).map(move |stones| (stones, position.open_windows(side, stones))).filter(|&(_, count)| count > 0).map(
            move |(stones, count)| {
                let each = i64::from(self.values.b) * i64::from(self.values.segments[stones - 1]);
                SegmentShare { side, stones, count, worth: each * count as i64 }
            },
        )
    }
}

/// The name of the line through two different points of a board of `size` x `size` points.
fn name_of_line(first: Point, last: Point, size: usize) -> String {
    let letter = |point: Point| char::from(b'a' + point.column() as u8);
    if first.row() == last.row() {
        return format!("row {}", first.row() + 1);
    }
    if first.column() == last.column() {
        return format!("column {}", letter(first));
    }
    let step: isize = if last.column() > first.column() { 1 } else { -1 };
    let next = |point: Point, way: isize| {
        let column = point.column().checked_add_signed(step * way)?;
        Point::at(column, point.row().checked_add_signed(way)?).filter(|point| point.is_within(size))
    };
    let end = |point: Point, way: isize| std::iter::successors(Some(point), |&point| next(point, way)).last();
    let [lower, upper] = [end(first, -1).unwrap_or(first), end(last, 1).unwrap_or(last)];
    format!("diagonal {lower}-{upper}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_called_by_their_number_or_ends() {
        let name = |[first, last]: [&str; 2], size| {
            name_of_line(Point::parse(first).unwrap(), Point::parse(last).unwrap(), size)
        };
        assert_eq!(name(["c10", "j10"], 19), "row 10");
        assert_eq!(name(["j1", "j7"], 19), "column j");
        assert_eq!(name(["c3", "j10"], 19), "diagonal a1-s19");
        assert_eq!(name(["c3", "h8"], 9), "diagonal a1-i9");
        assert_eq!(name(["p4", "k9"], 19), "diagonal s1-a19");
        assert_eq!(name(["h1", "c6"], 8), "diagonal h1-a8");
    }
}
