//! How moves name the ranks of the board.

use std::fmt::{Display, Write};

use super::{MoveError, Notation};

/// What a move looks like whose ranks count from 1.
const EXPECTED: &str = "a move with ranks from 1 to 10, such as `h3e3`";

/// The number of Red's back rank in the text of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ranks {
    /// 0 to 9, as in ICCS: `h2e2`, `a9a8`. UCCI, and UCI for engines that know Xiangqi only.
    #[default]
    FromZero,
    /// 1 to 10: `h3e3`, `a10a9`. UCI for engines of many variants.
    FromOne,
}

impl Ranks {
    /// The ICCS text of the move that `text` means; `None` where it has no such ranks. Whether the text is a move
    /// otherwise is left to whoever reads it.
    ///
    /// ```
    /// use roughboard::game::Ranks;
    /// assert_eq!(Ranks::FromOne.to_iccs("a10b10").as_deref(), Some("a9b9"));
    /// assert_eq!(Ranks::FromOne.to_iccs("a0a1"), None);
    /// ```
    pub fn to_iccs(self, text: &str) -> Option<String> {
        match self {
            Self::FromZero => Some(text.to_owned()),
            Self::FromOne => {
                let from_zero = |(file, rank): (char, usize)| (1..=10).contains(&rank).then(|| (file, rank - 1));
                let [from, to] = points_of(text)?.map(from_zero);
                let mut iccs = String::with_capacity(text.len());
                push_points([from?, to?], &mut iccs);
                Some(iccs)
            }
        }
    }

    /// Appends the text of a move, which shows itself in ICCS, to `out`. A text without two ranks stays as it is.
    ///
    /// ```
    /// use roughboard::game::Ranks;
    /// let mut line = "moves ".to_owned();
    /// Ranks::FromOne.write("a9b9", &mut line);
    /// assert_eq!(line, "moves a10b10");
    /// ```
    pub fn write(self, mv: impl Display, out: &mut String) {
        let begin = out.len();
        // Writing to a string cannot fail.
        _ = write!(out, "{mv}");
        if self == Self::FromOne
            && let Some(points) = points_of(&out[begin..])
        {
            out.truncate(begin);
            push_points(points.map(|(file, rank)| (file, self.label(rank))), out);
        }
    }

    /// The move that `text` means in `position`.
    ///
    /// # Errors
    /// When it is no move, or no legal one.
    pub fn read<G: Notation>(self, position: &G, text: &str) -> Result<G::Move, MoveError> {
        let own = |error| self.in_own_words(text, error);
        let iccs = self.to_iccs(text).ok_or_else(|| MoveError::syntax(text, EXPECTED))?;
        position.parse_move(&iccs).map_err(own)
    }

    /// `error`, which speaks of the ICCS form, as it concerns `text`.
    fn in_own_words(self, text: &str, error: MoveError) -> MoveError {
        match (self, error) {
            (Self::FromOne, MoveError::Illegal { reason, .. }) => {
                MoveError::illegal(text, reason + " (in ICCS, with ranks from 0)")
            }
            (Self::FromOne, MoveError::Syntax { .. }) => MoveError::syntax(text, EXPECTED),
            (Self::FromZero, error) => error,
        }
    }

    /// The number of the rank that ICCS calls `rank`.
    pub const fn label(self, rank: usize) -> usize {
        match self {
            Self::FromZero => rank,
            Self::FromOne => rank + 1,
        }
    }
}

/// The two points that `text` names by a letter and a number each. A hyphen may stand between them.
fn points_of(text: &str) -> Option<[(char, usize); 2]> {
    let second = text.rfind(|c: char| c.is_ascii_alphabetic()).filter(|&at| at > 0)?;
    let (from, to) = text.split_at(second);
    Some([point_of(from.strip_suffix('-').unwrap_or(from))?, point_of(to)?])
}

/// The letter and the number of a point; numbers have no zeros in front.
fn point_of(text: &str) -> Option<(char, usize)> {
    let (file, rank) = (text.chars().next()?, text.get(1..)?);
    let is_plain = rank.bytes().all(|digit| digit.is_ascii_digit()) && (rank == "0" || !rank.starts_with('0'));
    let rank = rank.parse::<usize>().ok().filter(|_| is_plain)?;
    Some((file, rank))
}

fn push_points(points: [(char, usize); 2], out: &mut String) {
    for (file, rank) in points {
        // Writing to a string cannot fail.
        _ = write!(out, "{file}{rank}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::xiangqi::{Move, SQUARES, Xiangqi};

    #[test]
    fn every_pair_of_points_is_read_as_it_is_written() {
        for from in 0..SQUARES {
            for to in 0..SQUARES {
                let mv = Move::new(from, to);
                for ranks in [Ranks::FromZero, Ranks::FromOne] {
                    let mut text = String::new();
                    ranks.write(mv, &mut text);
                    assert_eq!(ranks.to_iccs(&text), Some(mv.to_string()));
                }
            }
        }
    }

    #[test]
    fn moves_are_written_behind_what_stands_there() {
        let written = |ranks: Ranks, mv: &str| {
            let mut text = "a1 ".to_owned();
            ranks.write(mv, &mut text);
            text
        };
        assert_eq!([Ranks::FromZero, Ranks::FromOne].map(|ranks| written(ranks, "h9g7")), ["a1 h9g7", "a1 h10g8"]);
        // A stone has one point.
        assert_eq!(written(Ranks::FromOne, "j10"), "a1 j10");
    }

    #[test]
    fn illegal_moves_are_named_as_they_were_written() {
        let error = |ranks: Ranks, text| ranks.read(&Xiangqi::start(), text).unwrap_err().to_string();
        assert_eq!(error(Ranks::FromZero, "h1e1"), "`h1e1` is illegal: no piece on h1");
        let expected = "`h2e2` is illegal: no piece on h1 (in ICCS, with ranks from 0)";
        assert_eq!(error(Ranks::FromOne, "h2e2"), expected);
        for text in ["h0g2", "x3e3"] {
            assert_eq!(error(Ranks::FromOne, text), format!("`{text}` is not a move: expected {EXPECTED}"));
        }
    }

    #[test]
    fn ranks_from_one_have_no_zero_and_no_eleven() {
        for bad in
            ["", "a", "a0a1", "a1a0", "a11a1", "a1a11", "a01a2", "a1", "11", "é1a2", "a1é", "a+1a2", "a1a", "aa1"]
        {
            assert_eq!(Ranks::FromOne.to_iccs(bad), None, "{bad}");
        }
        assert_eq!(Ranks::FromOne.to_iccs("h3e3").as_deref(), Some("h2e2"));
        assert_eq!(Ranks::FromOne.to_iccs("H10-G8").as_deref(), Some("H9G7"));
        assert_eq!(["h3--e3", "h3-e3-", "-h3e3"].map(|bad| Ranks::FromOne.to_iccs(bad)), [None, None, None]);
    }
}
