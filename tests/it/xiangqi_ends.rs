//! How games of Xiangqi end: mate, stalemate, repetition, material, plies without capture.

use rand::RngExt;
use roughboard::game::{End, Game, Notation, Outcome, SearchHints, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::random::stream;

fn played(fen: &str, moves: &[&str]) -> Xiangqi {
    let mut game = Xiangqi::from_notation(fen).unwrap();
    for mv in moves {
        game.play(game.parse_move(mv).unwrap());
    }
    game
}

#[test]
fn the_reason_of_an_end_is_told() {
    let end = |fen, moves: &[&str]| played(fen, moves).end().map(|end| end.reason);
    assert_eq!(end("3k5/3PP4/9/9/9/9/9/9/9/4K4 b", &[]), Some("checkmate"));
    assert_eq!(end("5k3/4P4/9/9/9/9/9/9/9/4K4 b", &[]), Some("stalemate"));
    assert_eq!(end("3k5/9/9/9/9/r8/9/1R7/9/4K4 w - - 119 80", &["b2b3"]), Some("120 plies without capture"));
    assert_eq!(end("3k5/9/9/9/9/r8/9/1R7/9/4K4 w - - 118 80", &["b2b3"]), None);
    let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(2);
    let start = Xiangqi::start().notation();
    assert_eq!(end(&start, &shuffle), Some("repetition"));
    assert_eq!(end(&start, &shuffle[..7]), None);
    let checks = ["a1a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"];
    assert_eq!(end("3k5/9/9/9/9/9/9/9/R8/4K4 w", &checks), Some("perpetual check"));
    let mutual = ["e3d3", "d6e6", "d3e3", "e6d6"].repeat(2);
    assert_eq!(end("9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w", &mutual), Some("mutual perpetual check"));
    let chase = ["b2a2", "a4b4", "a2b2", "b4a4"].repeat(2);
    assert_eq!(end("3k5/9/9/9/9/c8/9/1R7/9/4K4 w", &chase), Some("perpetual chase"));
    let after_check = ["d1d2", "e4d4", "d2d1", "d4e4"].repeat(2);
    assert_eq!(end("5k3/9/9/9/9/4c4/9/9/3K5/9 w", &after_check), Some("repetition"));
    let mutual = ["f6h6", "h8f7", "h6h7", "f7g5", "h7g7", "g5i6", "g7g6", "i6h8", "g6h6", "h8f7"];
    let mutual = [&mutual[..1], &mutual[1..9].repeat(2)].concat();
    assert_eq!(end("4k4/7n1/9/4pR3/9/9/4P4/9/9/4K4 w", &mutual), Some("mutual perpetual chase"));
}

#[test]
fn a_capture_or_a_pawns_advance_ends_the_look_back() {
    // The same position three times, but a capture lies between: only the occurrences after it count.
    let mut game = played("3k5/9/9/9/9/9/p8/R8/9/4K4 w", &["a2a3"]);
    assert_eq!(game.quiet_plies(), 0);
    for mv in ["d9d8", "a3b3", "d8d9", "b3a3", "d9d8", "a3b3", "d8d9", "b3a3"] {
        assert_eq!(game.end_by_history(), None, "before {mv}");
        game.play(game.parse_move(mv).unwrap());
    }
    assert_eq!(game.end_by_history().map(|end| end.reason), Some("repetition"));
    game.undo();
    assert_eq!(game.end_by_history(), None);
}

#[test]
fn mate_on_the_last_quiet_ply_wins() {
    let game = played("3k5/8R/9/R8/9/9/9/9/9/4K4 w - - 119 80", &["a6a9"]);
    assert_eq!(game.quiet_plies(), 120);
    assert_eq!(game.end(), Some(End { outcome: Outcome::Win(Side::First), reason: "checkmate" }));
}

#[test]
fn a_draw_without_pieces_that_cross_the_river() {
    let end = |fen, moves: &[&str]| played(fen, moves).end();
    let drawn = Some(End { outcome: Outcome::Draw, reason: "insufficient material" });
    assert_eq!(end("3ak4/4a4/9/9/9/9/9/4B4/4A4/4K1B2 w", &[]), drawn);
    assert_eq!(end("4k4/9/9/9/9/9/9/9/3r5/3K5 w", &["d0d1"]), drawn);
    for crossing in ['r', 'n', 'c', 'p', 'R', 'N', 'C', 'P'] {
        let fen = format!("3k5/9/9/9/9/9/{crossing}8/9/9/4K4 w");
        assert_eq!(played(&fen, &[]).end(), None, "{crossing}");
    }
}

#[test]
fn kings_with_advisors_and_elephants_alone_always_have_a_move() {
    for number in 0..200 {
        let mut game = Xiangqi::from_notation("2bakab2/9/9/9/9/9/9/4B4/9/3AKAB2 w").unwrap();
        let mut stream = stream(4, "harmless", number);
        for _ in 0..100 {
            let moves = game.moves();
            assert!(!moves.is_empty() && !game.in_check(), "{game:?}");
            game.play(moves[stream.random_range(0..moves.len())]);
        }
    }
}
