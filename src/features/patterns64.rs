//! What S2 (§3.3) shows its network of a Connect6 position: how many stretches of lines of each side lie in each of eight pattern
//! classes, each number as one of 0, 1, 2 and 3 or more. With one input a value that is 2 · 8 · 4 = 64 inputs.
//!
//! S2 says neither which eight of its fourteen classes these are nor how it came to them. Here they are the live and dead fives,
//! fours, threes and twos. What is left out says little: six in line ends the game, three threats on one line are so rare that
//! hardly a game has them, lone stones (L1, D1) are more than three nearly always, and so are stretches without any prospect (V). S3
//! lies between L3 and D3 and is the rarest of the threes.
//!
//! The 64 inputs do not tell whose turn it is, though a live four of the side to move wins and that of the other can be
//! stopped. [`PatternCounts::TURN`] is the same with an attribute for side to move and stones left, and
//! [`PatternCounts::ALL`] has all fourteen classes besides.

use super::{AttributeSpec, FeatureSet, exchange_of_sides};
use crate::game::{Game, Side};
use crate::games::connect6::{Connect6, Pattern};
use crate::settings::{Choice, choice, counted};
use crate::table::Involution;

/// The eight classes of `patterns64`, the most dangerous first.
pub const EIGHT: [Pattern; 8] =
    [Pattern::L5, Pattern::D5, Pattern::L4, Pattern::D4, Pattern::L3, Pattern::D3, Pattern::L2, Pattern::D2];

/// The largest number of stretches that an attribute tells from larger ones.
const MOST: u16 = 3;

/// The values of the attribute `turn`: stones left in the turn, negative for White.
const TURNS: [i32; 4] = [-2, -1, 1, 2];

/// A feature set of numbers of stretches by class, Black's before White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternCounts {
    choice: Choice,
    classes: &'static [Pattern],
    has_turn: bool,
}

impl PatternCounts {
    /// `patterns64`: the sixteen attributes of S2.
    pub const S2: Self = Self {
        choice: choice(
            "patterns64",
            "the 64 inputs of S2, stretches of eight pattern classes of each side, 0, 1, 2, 3 or more",
        ),
        classes: &EIGHT,
        has_turn: false,
    };
    /// `patterns64-turn`: those of S2, and whose turn it is with how many stones left.
    pub const TURN: Self = Self {
        choice: choice("patterns64-turn", "as patterns64, with the side to move and its stones left"),
        has_turn: true,
        ..Self::S2
    };
    /// `patterns-all-turn`: all fourteen classes, and the turn.
    pub const ALL: Self = Self {
        choice: choice("patterns-all-turn", "as patterns64-turn, with all fourteen pattern classes"),
        classes: &Pattern::ALL,
        has_turn: true,
    };

    /// All sets.
    const SETS: [Self; 3] = [Self::S2, Self::TURN, Self::ALL];

    /// Their names.
    pub const NAMES: [Choice; 3] = [Self::S2.choice, Self::TURN.choice, Self::ALL.choice];

    /// The set called `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::SETS.into_iter().find(|set| set.choice.name == name)
    }

    /// The attributes that count stretches.
    const fn n_counts(self) -> usize {
        2 * self.classes.len()
    }

    /// The side and the class whose stretches `attribute` counts; `None` for the turn.
    fn counted(self, attribute: usize) -> Option<(Side, Pattern)> {
        let side = if attribute < self.classes.len() { Side::First } else { Side::Second };
        (attribute < self.n_counts()).then(|| (side, self.classes[attribute % self.classes.len()]))
    }

    fn attribute(self, attribute: usize) -> AttributeSpec {
        match self.counted(attribute) {
            Some((side, pattern)) => {
                let name = format!("{}_{}", Connect6::SIDES[side.index()], pattern.name());
                AttributeSpec::new(name, &[0, 1, 2, 3], |count| count / f32::from(MOST))
            }
            None => AttributeSpec::new("turn", &TURNS, |turn| turn / 2.0),
        }
    }
}

impl Default for PatternCounts {
    fn default() -> Self {
        Self::S2
    }
}

impl FeatureSet<Connect6> for PatternCounts {
    fn name(&self) -> &str {
        self.choice.name
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        (0..FeatureSet::n_attributes(self)).map(|attribute| self.attribute(attribute)).collect()
    }

    fn n_attributes(&self) -> usize {
        self.n_counts() + usize::from(self.has_turn)
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of_sides(&self.attributes(), self.n_counts())
    }

    #[inline]
    fn encode(&self, position: &Connect6, codes: &mut [u8]) {
        let (counts, turn) = codes.split_at_mut(self.n_counts());
        for (codes, side) in counts.chunks_exact_mut(self.classes.len()).zip([Side::First, Side::Second]) {
            let numbers = position.patterns(side);
            for (code, &pattern) in codes.iter_mut().zip(self.classes) {
                *code = numbers[pattern as usize].min(MOST) as u8;
            }
        }
        if let [code] = turn {
            *code = code_of_turn(position);
        }
    }

    /// `black L4: 2`, `white D2: 3 or more`, `White to move, 1 stone left`.
    fn describe(&self, attribute: usize, code: u8) -> String {
        let Some((side, pattern)) = self.counted(attribute) else {
            let turn = TURNS[usize::from(code)];
            let (side, stones) = (if turn > 0 { "Black" } else { "White" }, turn.abs());
            return format!("{side} to move, {} left", counted(stones, "stone"));
        };
        let more = if u16::from(code) == MOST { " or more" } else { "" };
        format!("{} {}: {code}{more}", Connect6::SIDES[side.index()], pattern.name())
    }
}

/// The index in [`TURNS`] of a position's turn.
#[inline]
fn code_of_turn(position: &Connect6) -> u8 {
    match position.side_to_move() {
        Side::First => 1 + position.stones_left(),
        Side::Second => 2 - position.stones_left(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn s2_has_sixty_four_inputs() {
        let attributes = PatternCounts::S2.attributes();
        assert_eq!((attributes.len(), attributes.iter().map(|one| one.values.len()).sum::<usize>()), (16, 64));
        assert_eq!((attributes[0].name.as_str(), attributes[15].name.as_str()), ("black_L5", "white_D2"));
        assert_eq!(PatternCounts::ALL.attributes().len(), 29);
    }

    #[test]
    fn the_turn_is_told_with_its_stones() {
        let mut game = Connect6::start();
        let mut told = Vec::new();
        for text in ["j10", "a1", "a2", "b1", "b2"] {
            let mut codes = [9; 17];
            PatternCounts::TURN.encode(&game, &mut codes);
            told.push(PatternCounts::TURN.describe(16, codes[16]));
            let mv = game.parse_move(text).unwrap();
            game.play(mv);
        }
        let turns =
            ["Black to move, 1 stone", "White to move, 2 stones", "White to move, 1 stone", "Black to move, 2 stones"];
        let expected: Vec<String> = turns.map(|turn| format!("{turn} left")).to_vec();
        assert_eq!(told[..4], expected);
        assert_eq!(told[4], "Black to move, 1 stone left");
    }

    #[test]
    fn values_are_described_and_sets_found_by_name() {
        let set = PatternCounts::from_name("patterns64").unwrap();
        assert_eq!((set.describe(2, 1), set.describe(15, 3)), ("black L4: 1".into(), "white D2: 3 or more".into()));
        assert_eq!(PatternCounts::from_name("patterns63"), None);
        for set in PatternCounts::SETS {
            assert_eq!(PatternCounts::from_name(FeatureSet::name(&set)), Some(set));
        }
    }
}
