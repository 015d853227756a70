//! What Surakarta offers beside its rules.

use super::notation::LETTERS;
use super::{EndRules, SIZE, Surakarta};
use crate::game::{Bench, Grid, Kit, MaterialCount, PieceLook, RulesError, Side};

/// The positions of the bench: the initial one, and games that evaluators played: openings, middle games, endgames.
const POSITIONS: &[&str] = &[
    "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r",
    "bbbbbb/b1bb1b/1b1b2/r1r3/1rr1rr/rrrrrr r 6",
    "bbbbb1/bbb1bb/3bb1/r2r2/r1r1rr/rrrrrr b 9",
    "bbbb1b/1bbbb1/b1b2b/r2r1r/rrrr2/rr1rrr r 12",
    "1bb1bb/b1bbbb/b1bb2/r1r3/1rrrrr/r1rrrr b 15",
    "b1bb1b/bbbbb1/b1b2b/1rr3/1rrr1r/rrrrrr r 18",
    "b1b1rb/1b1b1b/b1bb1b/r4r/r1rr2/rrrr1r b",
    "b1b1bb/bbbbb1/b2brb/r5/1rrr1r/rrrrrr r 24",
    "1bbbbb/b1bb1b/bb4/r1r2r/r2rr1/rrrr1r b 16",
    "b3bb/5b/b1b3/1b2b1/r3rr/rr2rr r",
    "1bb1bb/5b/b1bb2/rb4/1r2rr/r1r1rr r 6",
    "b2bb1/6/2bb1b/r3r1/6/rbrrr1 r",
    "b4b/2b3/6/b1b3/r5/r3rr r",
    "b1b1rb/6/6/6/r5/2b2r r 12",
    "b4b/4r1/2b3/6/6/3brr r 6",
    "3bbb/2b1bb/b1r2b/1b4/2rrrr/2rrrr r",
];

impl Kit for Surakarta {
    const BENCH: Bench = Bench { positions: POSITIONS, depth: 10 };
    const MATERIAL: MaterialCount<Self> = MaterialCount { name: "material", values: &[1], leads };
    const BOOK_PLIES: u32 = 30;

    /// The letters of the position's text, and around each corner the arcs of both circuits.
    fn grid(&self) -> Option<Grid> {
        let piece = |row, column| self.piece_at((SIZE - 1 - row) * SIZE + column);
        let letter = |row, column| piece(row, column).map_or('.', |side| LETTERS[side.index()]);
        let grid = Grid::new((SIZE, SIZE), 1, letter);
        let end = SIZE - 1;
        let arcs = |k: usize| {
            let far = end - k;
            let ends = [(0, k, k, 0), (far, 0, end, k), (end, far, far, end), (k, end, 0, far)];
            ends.map(|(x, y, to_x, to_y)| format!("M{x} {y}A{k} {k} 0 1 1 {to_x} {to_y}")).concat()
        };
        Some(Grid { lines: grid.lines.clone() + &arcs(1) + &arcs(2), reach: 2, ..grid })
    }

    fn looks() -> Vec<PieceLook> {
        [Side::First, Side::Second].map(|side| PieceLook::stone(LETTERS[side.index()], side)).into()
    }

    /// As [`EndRules`] are written.
    fn under_rules(self, text: &str) -> Result<Self, RulesError> {
        let rules: EndRules = text.parse().map_err(|error| RulesError::Stated(Box::new(error)))?;
        Ok(self.with_rules(rules))
    }
}

fn leads(position: &Surakarta, leads: &mut [i8]) {
    let [red, black] = [Side::First, Side::Second].map(|side| position.pieces(side).len() as i8);
    leads.fill(red - black);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};

    #[test]
    fn the_lead_is_that_of_red() {
        for (text, lead) in [("1b4/6/6/6/1r4/1r4 r", 1), ("1b4/3bb1/6/6/1r4/6 b", -2)] {
            let mut found = [0; 3];
            leads(&Surakarta::from_notation(text).unwrap(), &mut found);
            assert_eq!(found, [lead; 3], "{text}");
        }
    }

    #[test]
    fn arcs_join_the_lines_of_each_circuit_around_the_four_corners() {
        let lines = Surakarta::start().grid().unwrap().lines;
        let small = "M0 1A1 1 0 1 1 1 0M4 0A1 1 0 1 1 5 1M5 4A1 1 0 1 1 4 5M1 5A1 1 0 1 1 0 4";
        let large = "M0 2A2 2 0 1 1 2 0M3 0A2 2 0 1 1 5 2M5 3A2 2 0 1 1 3 5M2 5A2 2 0 1 1 0 3";
        assert!(lines.ends_with(&[small, large].concat()), "{lines}");
    }
}
