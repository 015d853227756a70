//! What Xiangqi offers beside its rules.

use super::notation::{Script, piece_character};
use super::{FILES, PIECE_VALUES, Piece, RANKS, Role, Xiangqi};
use crate::game::{Bench, Grid, Kit, MaterialCount, PieceLook, Protocol, Ranks, Side, SuppliedGames};

/// The positions of the bench: openings, middle games, endgames.
const POSITIONS: &[&str] = &[
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "2bakabr1/r8/1cn3nc1/p3p1p1p/2p6/6P2/P1P1P3P/1CN1C1N2/9/R1BAKABR1 w - - 10 6",
    "rnbaka2r/9/1c2b2cn/p1p1p3p/6p2/2P3P2/P3P3P/1CN4C1/9/R1BAKABNR w - - 6 4",
    "r1bakabr1/9/c1n1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1B2CN/9/1R1AKAB1R w - - 10 6",
    "4k4/2c6/2Na5/p5N1p/4P1P2/2Pn5/4p3P/4B4/4A4/2BAK4 w - - 0 1",
    "4kab2/4a4/2n6/p4C3/2b1PP3/6R1p/P3N4/8B/4A4/3K3rc w - - 0 1",
    "2bak4/4P4/1c2b1n2/p6Rp/3n5/6r2/P1pcC3P/2N1C4/4A4/2B1KA3 b - - 0 1",
    "r3kabnr/4a4/1cn1b2c1/p1p1C1p1p/9/2P6/P3P1P1P/1C4N2/9/RNBAKAB1R b - - 0 1",
    "5a3/9/3a1k3/9/9/4RC3/r2r5/9/2p6/2BAKAB2 w - - 0 1",
    "R2akab1r/9/4b1n2/4C3p/2p3p2/9/4P3P/4C4/9/2BAKA2R b - - 0 1",
    "3k1a3/4a4/4b4/P4n3/2b4P1/4cN3/9/4C4/4A4/2BA1KB2 b - - 0 1",
    "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w - - 0 1",
    "4kab2/4P4/9/2p6/1P1n5/9/p3c1r2/N2CBA3/9/2BA1K2R b - - 0 1",
    "2bak1br1/4a4/2n1C4/p3c1R1p/6p2/P2p2P2/4N3P/4B4/4A4/1N2KAB2 b - - 0 1",
    "2baka1n1/9/1rn1b4/p1C1p1p1p/2pN5/6P2/P1P1P3P/Nc2C4/4A4/1RBAK1c2 w - - 0 1",
    "5k3/1C7/4c2RC/p1p6/9/2P6/4r4/B4A3/9/3A1Kc2 b - - 0 1",
];

/// The roles but the king, of which neither side ever has more, by their fixed values, ascending.
const ROLES: [Role; 6] = [Role::Pawn, Role::Elephant, Role::Advisor, Role::Horse, Role::Cannon, Role::Rook];

const VALUES: [i32; ROLES.len()] = array!(0; ROLES.len(), kind => PIECE_VALUES[ROLES[kind] as usize]);

impl Kit for Xiangqi {
    // There is one variant; a client that knows many says so by its name and counts ranks from 1, and one that sends back
    // every default changes nothing.
    const PROTOCOL: Protocol = Protocol {
        speaks_ucci: true,
        variants: &[("iccs", Ranks::FromZero), ("xiangqi", Ranks::FromOne)],
        ..Protocol::USUAL
    };
    const BENCH: Bench = Bench { positions: POSITIONS, depth: 8 };
    const MATERIAL: MaterialCount<Self> = MaterialCount { name: "material", values: &VALUES, leads };
    const SUPPLIED: Option<SuppliedGames> = Some(SuppliedGames {
        name: "datasets/xiangqi-selfplay/games.pgn.zst",
        bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-selfplay/games.pgn.zst")),
    });

    /// The board seen from Red's side, with the letters of FEN, palaces and the river, which the inner files do not cross.
    fn grid(&self) -> Option<Grid> {
        let letter = |rank, file| self.piece_at(rank * FILES + file).map_or('.', |piece| piece.letter());
        let rows: String = (0..RANKS).map(|y| format!("M0 {y}H8")).collect();
        let files: String = (1..FILES - 1).map(|x| format!("M{x} 0V4M{x} 5V9")).collect();
        let lines = format!("{rows}{files}M0 0V9M8 0V9M3 0L5 2M5 0L3 2M3 7L5 9M5 7L3 9");
        Some(Grid { lines, ..Grid::new((RANKS, FILES), Ranks::FromZero.label(0), letter) })
    }

    fn looks() -> Vec<PieceLook> {
        let look = |side: Side, role: Role| PieceLook {
            letter: Piece::new(side, role).letter(),
            side,
            label: role.letter().into(),
            glyph: piece_character(Script::Traditional, side, role).into(),
            name: role.name(),
        };
        let of_side = |side| Role::ALL.into_iter().map(move |role| look(side, role));
        [Side::First, Side::Second].into_iter().flat_map(of_side).collect()
    }

    fn diagram(&self, ranks: Ranks) -> String {
        self.grid().map(|grid| grid.to_text(ranks.label(0))).unwrap_or_default()
    }
}

fn leads(position: &Xiangqi, leads: &mut [i8]) {
    for (lead, &role) in leads.iter_mut().zip(&ROLES) {
        let [red, black] = [Side::First, Side::Second].map(|side| position.pieces(side, role).len() as i8);
        *lead = red - black;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};

    #[test]
    fn leads_are_counted_for_red_in_the_order_of_the_values() {
        assert!(VALUES.is_sorted());
        let position = Xiangqi::from_notation("r3k4/9/9/9/4p4/4P4/P8/9/9/R2K2R2 b - - 0 1").unwrap();
        let mut counted = [9; 6];
        leads(&position, &mut counted);
        assert_eq!(counted, [1, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn the_initial_position_is_drawn_from_reds_side() {
        let drawn = Xiangqi::start().diagram(Ranks::FromOne);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!((lines[0], lines[7]), ("10 r n b a k a b n r", " 3 . C . . . . . C ."));
        assert_eq!(lines[10], "   a b c d e f g h i");
    }
}
