//! The terms of the traditional evaluator, and what networks see on the points of the board.

use serde_json::{Value, json};

use super::Share;
use crate::eval::network::Explanation;
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
pub(super) fn board(Explanation { parts, offset, .. }: &Explanation) -> Option<Sheet> {
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
    // Counts, distances, who controls other points, and the evaluator beside the network know of the pieces too, and stay as they are where
    // a point is emptied.
    let is_all = parts.iter().all(|part| is_of_point(&part.words) || part.words.ends_with(" to move"));
    let caption = if is_all && offset.is_none() {
        "What each piece changes, in hundredths of an expected result for red"
    } else {
        "What each piece changes by its point alone, with all else as it is, in hundredths of an expected result for red"
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

/// Whether something is said of one point alone, such as `black rook on e9` or `e5 empty`.
fn is_of_point(words: &str) -> bool {
    let point = words.strip_suffix(" empty").or_else(|| words.rsplit_once(" on ").map(|(_, point)| point));
    point.is_some_and(|point| parse_square(point).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Part;

    #[test]
    fn the_board_says_where_pieces_are_seen_elsewhere_too() {
        let caption = |words: &[&str], offset| {
            let part = |words: &&str| Part { attribute: 0, words: (*words).to_owned(), change: 0.25 };
            let (parts, rules) = (words.iter().map(part).collect(), Vec::new());
            let explanation = Explanation { value: 0.0, argument: 0.0, offset, bias: 0.0, parts, rules };
            board(&explanation).map(|sheet| sheet.caption)
        };
        let points = ["red rook on a0", "Black to move"];
        let plain = "What each piece changes, in hundredths of an expected result for red";
        let by_itself = "What each piece changes by its point alone, with all else as it is, in hundredths of an expected result for red";
        assert_eq!([caption(&points, None), caption(&points, Some(0.0))], [Some(plain), Some(by_itself)]);
        let beside = ["red_rooks = 1", "nearest red rook on the file of the king and 3 ranks before it"];
        let of_control = ["b0 empty, controlled by Red", "red pawn on e6, controlled by both"];
        for other in beside.into_iter().chain(of_control) {
            assert_eq!(caption(&[&points[..], &[other]].concat(), None), Some(by_itself), "{other}");
        }
        assert_eq!(beside.map(|other| caption(&[other], None)), [None, None]);
    }
}
