//! By how many pieces of each kind the side that moves first leads: what the simplest predictor of results goes by.

use super::board91::PIECE_VALUES;
use crate::game::{Game, Side};
use crate::games::connect6::Connect6;
use crate::games::surakarta::Surakarta;
use crate::games::xiangqi::{Role, Xiangqi};

/// A game in which such a lead tells something.
pub trait Counted: Game {
    /// What is counted.
    const MATERIAL: Material<Self>;
}

/// The kinds of pieces of a game and how a position is asked for them.
#[derive(Debug)]
pub struct Material<G: Game> {
    /// What the kinds are together, as a table names them: `material`.
    pub name: &'static str,
    /// The fixed value of each kind, ascending.
    pub values: &'static [i32],
    /// Writes the number of pieces that the first side has more of each kind into a slice of as many numbers as values.
    pub leads: fn(&G, &mut [i8]),
}

// Derived, both would ask the same of the game.
impl<G: Game> Clone for Material<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Material<G> {}

/// The roles but the king by their fixed values, ascending.
const ROLES: [Role; 6] = [Role::Pawn, Role::Elephant, Role::Advisor, Role::Horse, Role::Cannon, Role::Rook];

const VALUES: [i32; ROLES.len()] = {
    let mut values = [0; ROLES.len()];
    let mut kind = 0;
    while kind < ROLES.len() {
        values[kind] = PIECE_VALUES[ROLES[kind] as usize];
        kind += 1;
    }
    values
};

/// The pieces of Xiangqi, without the king, of which neither side ever has more.
pub const XIANGQI: Material<Xiangqi> = Material { name: "material", values: &VALUES, leads: xiangqi_leads };

impl Counted for Xiangqi {
    const MATERIAL: Material<Self> = XIANGQI;
}

fn xiangqi_leads(position: &Xiangqi, leads: &mut [i8]) {
    for (lead, &role) in leads.iter_mut().zip(&ROLES) {
        let [red, black] = [Side::First, Side::Second].map(|side| position.pieces(side, role).len() as i8);
        *lead = red - black;
    }
}

/// The windows of six points of Connect6 that only one side has stones in, by the number of its stones.
pub const CONNECT6: Material<Connect6> = Material { name: "segments", values: &[1, 2, 3, 4, 5], leads: connect6_leads };

impl Counted for Connect6 {
    const MATERIAL: Material<Self> = CONNECT6;
}

fn connect6_leads(position: &Connect6, leads: &mut [i8]) {
    for (lead, stones) in leads.iter_mut().zip(1..) {
        let [black, white] = [Side::First, Side::Second].map(|side| position.open_windows(side, stones) as i32);
        // Only lone stones could have more, in games that nobody plays.
        *lead = (black - white).clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
    }
}

/// The pieces of Surakarta.
pub const SURAKARTA: Material<Surakarta> = Material { name: "material", values: &[1], leads: surakarta_leads };

impl Counted for Surakarta {
    const MATERIAL: Material<Self> = SURAKARTA;
}

fn surakarta_leads(position: &Surakarta, leads: &mut [i8]) {
    let [red, black] = [Side::First, Side::Second].map(|side| position.pieces(side).len() as i8);
    leads.fill(red - black);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_are_counted_for_red_in_the_order_of_the_values() {
        assert!(VALUES.is_sorted());
        let position = Xiangqi::from_notation("r3k4/9/9/9/4p4/4P4/P8/9/9/R2K2R2 b - - 0 1").unwrap();
        let mut leads = [9; 6];
        (XIANGQI.leads)(&position, &mut leads);
        assert_eq!(leads, [1, 0, 0, 0, 0, 1]);
    }
}
