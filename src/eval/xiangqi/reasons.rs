//! The terms of the traditional evaluator, and what networks see on the points of the board.

use serde_json::{Value, json};

use super::Share;
use crate::eval::network::Part;
use crate::eval::{Reasons, Sheet};
use crate::game::Game;
use crate::games::xiangqi::{FILES, Piece, RANKS, SQUARES, Xiangqi, parse_square, square_name};

/// These shares as reasons: one row a term, and their sum.
pub(super) fn reasons(shares: &[Share]) -> Reasons {
    let json = |share: &Share| json!({ "term": share.term.name(), "red": share.red, "black": share.black, "difference": share.lead() });
    let sum = |of: fn(&Share) -> i32| shares.iter().map(of).sum();
    let terms = shares.iter().map(|share| (share.term.name(), share.red, share.black));
    let rows = terms.chain([("sum", sum(|share| share.red), sum(|share| share.black))]);
    let rows = rows.map(|(name, red, black)| vec![name.into(), red.into(), black.into(), (red - black).into()]);
    let sheet = Sheet::new("Terms, in points", &["term"], &["red", "black", "difference"], rows);
    let terms = shares.iter().map(|share| (share.term.name(), i64::from(share.lead()))).collect();
    Reasons { sheets: vec![sheet], terms, name: "terms", json: shares.iter().map(json).collect() }
}

/// What each point changes, where it is; `None` for networks that do not look at points.
pub(super) fn board(parts: &[Part]) -> Option<Sheet> {
    // Some features tell several things of a point.
    let mut changes: [Option<(char, f64)>; SQUARES] = [None; SQUARES];
    for part in parts {
        if let Some((piece, square)) = point_of(&part.words) {
            changes[square].get_or_insert((piece, 0.0)).1 += part.change;
        }
    }
    let cell = |change: &Option<(char, f64)>| {
        change.map_or_else(|| "·".to_owned(), |(piece, change)| format!("{piece} {:+.0}", 100.0 * change)).into()
    };
    let cells: Vec<Value> = changes.iter().map(cell).collect();
    // Counts and distances know of the pieces too, and stay as they are where a point is emptied.
    let is_all = parts.iter().all(|part| is_of_point(&part.words) || part.words.ends_with(" to move"));
    let caption = if is_all {
        "What each piece changes, in hundredths of an expected result for red"
    } else {
        "What each piece changes by its point alone, with counts and distances as they are, in hundredths of an expected result for red"
    };
    let row = |rank: usize| [&[rank.into()], &cells[rank * FILES..(rank + 1) * FILES]].concat();
    let files = ["", "a", "b", "c", "d", "e", "f", "g", "h", "i"];
    changes.iter().any(Option::is_some).then(|| Sheet::new(caption, &[], &files, (0..RANKS).rev().map(row)))
}

/// Letter and point of `black rook on e9`, whatever follows behind a comma.
fn point_of(words: &str) -> Option<(char, usize)> {
    let (piece, point) = words.split(',').next()?.split_once(" on ")?;
    let square = (0..SQUARES).find(|&square| square_name(square) == point)?;
    let name = |piece: &Piece| format!("{} {}", Xiangqi::SIDES[piece.side().index()], piece.role().name());
    let piece = (1..=14).filter_map(Piece::from_code).find(|known| name(known) == piece)?;
    Some((piece.letter(), square))
}

/// Whether something is said of one point, such as `black rook on e9` or `e5 empty`, whatever follows behind a comma.
fn is_of_point(words: &str) -> bool {
    let said = words.split(',').next().unwrap_or_default();
    let point = said.strip_suffix(" empty").or_else(|| said.rsplit_once(" on ").map(|(_, point)| point));
    point.is_some_and(|point| parse_square(point).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_says_where_pieces_are_seen_elsewhere_too() {
        let caption = |words: &[&str]| {
            let part = |words: &&str| Part { attribute: 0, words: (*words).to_owned(), change: 0.25 };
            board(&words.iter().map(part).collect::<Vec<_>>()).map(|sheet| sheet.caption)
        };
        let points = ["red rook on a0, controlled by Red", "b0 empty, controlled by Red", "Black to move"];
        let plain = "What each piece changes, in hundredths of an expected result for red";
        assert_eq!(caption(&points), Some(plain));
        for other in ["red_rooks = 1", "nearest red rook on the file of the king and 3 ranks before it"] {
            let said = caption(&[&points[..], &[other]].concat()).unwrap();
            assert!(said.starts_with("What each piece changes by its point alone, "), "{said}");
            assert_eq!(caption(&[other]), None);
        }
    }
}
