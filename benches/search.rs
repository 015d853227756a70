//! Speed of the search on Xiangqi with a cheap evaluation. Each benchmark asserts what it finds.
#![allow(missing_docs, clippy::expect_used)]

use divan::counter::ItemsCount;
use roughboard::eval::{Evaluator, Score};
use roughboard::game::{Game, Side};
use roughboard::games::xiangqi::{Role, Xiangqi};
use roughboard::search::{AlphaBeta, Limits, SearchSettings, minimax};

fn main() {
    divan::main();
}

/// Counts pieces by usual values.
struct Material;

impl Evaluator<Xiangqi> for Material {
    fn evaluate(&mut self, position: &Xiangqi) -> Score {
        const WORTH: [(Role, Score); 6] = [
            (Role::Rook, 600),
            (Role::Cannon, 285),
            (Role::Horse, 270),
            (Role::Elephant, 120),
            (Role::Advisor, 120),
            (Role::Pawn, 20),
        ];
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        let count = |side: Side, role| position.pieces(side, role).len() as Score;
        WORTH.iter().map(|&(role, worth)| worth * (count(own, role) - count(other, role))).sum()
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / 600.0).tanh()
    }
}

/// A middle game with all kinds of captures.
const MIDDLE_GAME: &str = "1rbaka1r1/9/2n1b1nc1/p1p1p2Rp/6p2/2P6/P3P1P1P/2C1C1N2/Rc7/1NBAKAB2 w";

fn search(settings: SearchSettings, fen: &str, depth: u32) -> (Score, u64) {
    let mut position = Xiangqi::from_notation(fen).expect("a legal position");
    let limits = Limits::to_depth(depth).expect("a depth in range");
    let found = AlphaBeta::new(settings).search(&mut position, &mut Material, limits);
    (found.score, found.nodes)
}

#[divan::bench(args = [4, 5, 6])]
fn alpha_beta(bencher: divan::Bencher, depth: u32) {
    let expected = search(SearchSettings::default(), MIDDLE_GAME, depth);
    bencher.counter(ItemsCount::new(expected.1)).bench(|| {
        let found = search(SearchSettings::default(), divan::black_box(MIDDLE_GAME), depth);
        assert_eq!(found, expected);
    });
}

#[divan::bench(args = [2, 3])]
fn plain_minimax(bencher: divan::Bencher, depth: u32) {
    let bare = SearchSettings::bare();
    let expected = search(bare, MIDDLE_GAME, depth).0;
    bencher.bench(|| {
        let mut position = Xiangqi::from_notation(divan::black_box(MIDDLE_GAME)).expect("a legal position");
        assert_eq!(minimax(&mut position, &mut Material, depth, bare.leaf()).score, expected);
    });
}
