//! What is on the board, whichever points it stands on.

use std::fmt;
use std::str::FromStr;

use crate::game::Side;
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::{Piece, Role, Xiangqi};

/// The roles beside the king, the strongest first, as signatures list them.
const ROLES: [Role; 6] = [Role::Rook, Role::Cannon, Role::Horse, Role::Pawn, Role::Advisor, Role::Elephant];

/// How many pieces each side has, written like `KR KAA`: first Red's, then Black's.
///
/// The text lists a king and then the others by `R C N P A B`; reading accepts any order, `H` and `E`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Material {
    /// By side; in each, the number of each of [`ROLES`], four bits each, the strongest role highest.
    sides: [u32; 2],
}

/// Why a text is no material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no material: expected {expected}, as in `KR KAA`")]
pub struct MaterialError {
    /// The whole text.
    pub text: String,
    /// What is missing or wrong.
    pub expected: &'static str,
}

const fn shift(role: Role) -> u32 {
    match role {
        Role::King => 24,
        Role::Rook => 20,
        Role::Cannon => 16,
        Role::Horse => 12,
        Role::Pawn => 8,
        Role::Advisor => 4,
        Role::Elephant => 0,
    }
}

impl Material {
    /// The material of a position.
    pub fn of(game: &Xiangqi) -> Self {
        Self::of_position(&game.position)
    }

    pub(super) fn of_position(position: &Position) -> Self {
        let side = |side| ROLES.iter().map(|&role| (position.pieces(side, role).len() as u32) << shift(role)).sum();
        Self { sides: [side(Side::First), side(Side::Second)] }
    }

    /// How many pieces of `role`, not the king, `side` has.
    pub const fn count(self, side: Side, role: Role) -> usize {
        (self.sides[side.index()] >> shift(role) & 15) as usize
    }

    /// All pieces, kings included: Red's king and others, then Black's; equal pieces stand together.
    pub fn pieces(self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for side in [Side::First, Side::Second] {
            pieces.push(Piece::new(side, Role::King));
            for role in ROLES {
                pieces.extend(std::iter::repeat_n(Piece::new(side, role), self.count(side, role)));
            }
        }
        pieces
    }

    /// The same with the sides exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { sides: [self.sides[1], self.sides[0]] }
    }

    /// Whether Red has at least as much, the strongest role that tells them apart deciding: the form in which tables are kept.
    pub const fn is_canonical(self) -> bool {
        self.sides[0] >= self.sides[1]
    }

    /// This, or if Black has more, the same with the sides exchanged.
    #[must_use]
    pub const fn canonical(self) -> Self {
        if self.is_canonical() { self } else { self.swapped() }
    }

    /// Without one piece of `side`; `None` if it has none of that role.
    #[must_use]
    pub fn without(self, side: Side, role: Role) -> Option<Self> {
        let mut left = self;
        if role == Role::King || self.count(side, role) == 0 {
            return None;
        }
        left.sides[side.index()] -= 1 << shift(role);
        Some(left)
    }

    /// What one capture can lead to.
    pub(crate) fn after_captures(self) -> impl Iterator<Item = Self> {
        [Side::First, Side::Second]
            .into_iter()
            .flat_map(move |side| ROLES.into_iter().filter_map(move |role| self.without(side, role)))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for piece in self.pieces() {
            if piece == Piece::new(Side::Second, Role::King) {
                text.push(' ');
            }
            text.push(piece.role().letter());
        }
        f.pad(&text)
    }
}

debug_as_written!(Material);

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Self, MaterialError> {
        let wrong = |expected| MaterialError { text: text.to_owned(), expected };
        let (red, black) = text.trim().split_once(' ').ok_or(wrong("two sides, parted by a blank"))?;
        let mut sides = [0; 2];
        for (side, letters) in sides.iter_mut().zip([red, black.trim_start()]) {
            let rest = letters.strip_prefix(['K', 'k']).ok_or(wrong("a king first on each side"))?;
            for letter in rest.chars() {
                let role = Role::from_letter(letter).filter(|&role| role != Role::King);
                let role = role.ok_or(wrong("the letters R C N P A B after each king"))?;
                *side += 1 << shift(role);
                if (*side >> shift(role) & 15) as usize > role.per_side() {
                    return Err(wrong("no more pieces than a set has"));
                }
            }
        }
        Ok(Self { sides })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        text.parse().unwrap()
    }

    #[test]
    fn pieces_are_taken_away() {
        let (red, black) = (Side::First, Side::Second);
        let all = material("kphrr  KA");
        assert_eq!(
            (all.to_string(), all.count(red, Role::Rook), all.count(black, Role::Rook)),
            ("KRRNP KA".to_owned(), 2, 0)
        );
        for (side, role, left) in [
            (red, Role::Rook, Some("KRNP KA")),
            (red, Role::Pawn, Some("KRRN KA")),
            (black, Role::Advisor, Some("KRRNP K")),
            (black, Role::Rook, None),
            (red, Role::King, None),
        ] {
            assert_eq!(all.without(side, role), left.map(material), "{side:?} {role:?}");
        }
        let after = material("KRP KA").after_captures().map(|left| left.to_string());
        assert_eq!(after.collect::<Vec<_>>(), ["KP KA", "KR KA", "KRP K"]);
    }

    #[test]
    fn the_strongest_role_that_differs_says_who_has_more() {
        for more in ["KR KCCNNPPPPPAABB", "KCA KC", "KP KP"].map(material) {
            assert_eq!((more.is_canonical(), more.canonical()), (true, more));
            assert_eq!(more.swapped().canonical(), more);
            assert_eq!(more.swapped().is_canonical(), more.swapped() == more);
        }
    }

    #[test]
    fn no_more_pieces_than_a_set_has_are_read() {
        assert_eq!(material("KRRCCNNPPPPPAABB K").count(Side::First, Role::Pawn), 5);
        for (text, expected) in [
            ("KPPPPPP K", "no more"),
            ("K KRRR", "no more"),
            ("KAAA K", "no more"),
            ("KR", "two sides"),
            ("RK K", "a king first"),
            ("KR R", "a king first"),
            ("KK K", "the letters"),
            ("KX K", "the letters"),
        ] {
            let error = text.parse::<Material>().unwrap_err();
            assert!(error.text == text && error.expected.starts_with(expected), "{error}");
        }
    }
}
