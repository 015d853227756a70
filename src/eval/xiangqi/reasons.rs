//! The terms of the traditional evaluator, and what networks see on the points of the board.

use serde_json::{Value, json};

use super::Share;
use crate::eval::network::Part;
use crate::eval::{Reasons, Sheet};
use crate::game::Game;
use crate::games::xiangqi::{FILES, Piece, RANKS, SQUARES, Xiangqi, square_name};

/// These shares as reasons.
pub(super) fn reasons(shares: &[Share]) -> Reasons {
    let json = shares.iter().map(term_json).collect();
    Reasons { sheets: vec![terms_table(shares)], name: "terms", json }
}

fn term_json(share: &Share) -> Value {
    json!({ "term": share.term.name(), "red": share.red, "black": share.black, "difference": share.lead() })
}

/// One row a term, and their sum.
fn terms_table(shares: &[Share]) -> Sheet {
    let mut table = Sheet::new("Terms, in points", &["term"], &["red", "black", "difference"]);
    let mut row = |name: &str, red: i32, black: i32| {
        table.push([name.into(), red.into(), black.into(), (red - black).into()]);
    };
    shares.iter().for_each(|share| row(share.term.name(), share.red, share.black));
    let sum = |of: fn(&Share) -> i32| shares.iter().map(of).sum();
    row("sum", sum(|share| share.red), sum(|share| share.black));
    table
}

/// What each point changes, where it is; `None` for networks that do not look at points.
pub(super) fn board(parts: &[Part]) -> Option<Sheet> {
    let mut cells = vec![Value::from("·"); SQUARES];
    let mut is_board = false;
    for part in parts {
        if let Some((piece, square)) = point_of(&part.words) {
            cells[square] = format!("{piece} {:+.0}", 100.0 * part.change).into();
            is_board = true;
        }
    }
    let caption = "What each piece changes, in hundredths of an expected result for red";
    let mut table = Sheet::new(caption, &[], &["", "a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    for rank in (0..RANKS).rev() {
        let points = cells[rank * FILES..(rank + 1) * FILES].iter().cloned();
        table.push(std::iter::once(Value::from(rank)).chain(points));
    }
    is_board.then_some(table)
}

/// Letter and point of `black rook on e9`.
fn point_of(words: &str) -> Option<(char, usize)> {
    let (piece, point) = words.split_once(" on ")?;
    let square = (0..SQUARES).find(|&square| square_name(square) == point)?;
    let name = |piece: &Piece| format!("{} {}", Xiangqi::SIDES[piece.side().index()], piece.role().name());
    let piece = (1..=14).filter_map(Piece::from_code).find(|known| name(known) == piece)?;
    Some((piece.letter(), square))
}
