//! FEN: what is read, what is written, and how errors say where and what.

use proptest::prelude::*;
use roughboard::game::{Game, MoveError, Notation};
use roughboard::games::xiangqi::Xiangqi;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

#[test]
fn spellings_of_one_position_read_alike() {
    let start = Xiangqi::start();
    for text in [
        START,
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/45/333/P1P1P1P1P/1C5C1/9/RNBAKABNR  w - -",
    ] {
        assert_eq!(Xiangqi::from_notation(text).unwrap().notation(), start.notation(), "{text}");
    }
}

#[test]
fn counters_go_on_from_the_set_up() {
    let mut game = Xiangqi::from_notation("4k4/9/9/9/9/9/9/9/4A4/R3K4 b - - 7 31").unwrap();
    assert_eq!(game.notation(), "4k4/9/9/9/9/9/9/9/4A4/R3K4 b - - 7 31");
    game.play(game.parse_move("e9d9").unwrap());
    assert_eq!(game.notation(), "3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 8 32");
    assert_eq!(game.quiet_plies(), 8);
    for number in [2_147_483_648_u32, u32::MAX] {
        let text = format!("4k4/9/9/9/9/9/9/9/4A4/R3K4 b - - 7 {number}");
        assert_eq!(Xiangqi::from_notation(&text).unwrap().notation(), text);
    }
}

/// The error of a text, without the text itself.
fn complaint(text: &str) -> String {
    let error = Xiangqi::from_notation(text).unwrap_err();
    assert_eq!(error.text, text);
    error.to_string().strip_prefix(&format!("invalid position `{text}`: ")).unwrap().to_owned()
}

#[test]
fn malformed_text_is_located() {
    for (text, expected) in [
        ("", "at character 1: expected 9 more points of rank 9, found the end"),
        ("4k5/9", "at character 3: expected 4 more points of rank 9, found `5`"),
        ("4x4/9", "at character 2: expected 5 more points of rank 9, found `x`"),
        ("4k4 9", "at character 4: expected `/` after the 9 points of rank 9, found ` `"),
        ("4k4/9/9/9/9/9/9/9/9/4K4/9 w", "at character 24: expected a space after the 9 points of rank 0, found `/`"),
        ("4k4/9/9/9/9/9/9/9/9/3K5", "at character 24: expected the side to move, `w`, `r` or `b`, found the end"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 x", "at character 25: expected the side to move, `w`, `r` or `b`, found `x`"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ", "at character 27: expected `-`, found `KQ`"),
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 w - - x",
            "at character 31: expected the number of plies since the last capture, found `x`",
        ),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 -1", "at character 33: expected the number of the move, found `-1`"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 +5", "at character 33: expected the number of the move, found `+5`"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 兵", "at character 35: expected the end, found `兵`"),
        ("兵k4/9", "at character 1: expected 9 more points of rank 9, found `兵`"),
    ] {
        assert_eq!(complaint(text), expected, "{text}");
    }
}

#[test]
fn impossible_set_ups_are_refused() {
    for (text, expected) in [
        ("9/9/9/9/9/9/9/9/9/3K5 w", "at character 1: expected a king `k`, found none on the board"),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "at character 3: expected at most 1 of `k`, found one more"),
        ("4k4/9/9/9/9/9/RRR6/9/9/3K5 w", "at character 17: expected at most 2 of `R`, found one more"),
        ("4k4/9/9/4K4/9/9/9/9/9/9 w", "at character 10: expected a point that the king can reach, found `K` on e6"),
        (
            "3k5/9/9/9/9/9/9/9/9/4KA2A w",
            "at character 25: expected a point that the advisor can reach, found `A` on i0",
        ),
        (
            "3k5/9/9/9/2B6/9/9/9/9/4K4 w",
            "at character 12: expected a point that the elephant can reach, found `B` on c5",
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/3K5 w",
            "at character 2: expected a king out of reach of the side to move, found `k` in check",
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/R3K3r b",
            "at character 23: expected a king out of reach of the side to move, found `K` in check",
        ),
    ] {
        assert_eq!(complaint(text), expected, "{text}");
    }
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    let pinned = Xiangqi::from_notation("4k4/9/9/9/4N4/9/9/9/9/4K4 w").unwrap();
    for (game, text, expected) in [
        (&Xiangqi::start(), "e4e5", "`e4e5` is illegal: no piece on e4"),
        (&Xiangqi::start(), "e6e5", "`e6e5` is illegal: the pawn on e6 is black's, and it is red's turn"),
        (&Xiangqi::start(), "h0i1", "`h0i1` is illegal: the horse on h0 cannot go to i1"),
        (&Xiangqi::start(), "a0a3", "`a0a3` is illegal: the rook on a0 cannot go to a3"),
        (&pinned, "e5g6", "`e5g6` is illegal: it would leave red's king in check"),
        (&pinned, "e5g66", "`e5g66` is not a move: expected a move such as `h2e2`, `C2=5` or `炮二平五`"),
    ] {
        assert_eq!(game.parse_move(text).unwrap_err().to_string(), expected);
    }
    assert!(matches!(pinned.parse_move(""), Err(MoveError::Syntax { .. })));
    assert_eq!(Xiangqi::start().parse_move("H2-E2"), Xiangqi::start().parse_move("h2e2"));
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,60}", at in 0..START.len(), letter in "[1-9/ a-zA-Z-]{0,3}") {
        let damaged = format!("{}{letter}{}", &START[..at], &START[at + 1..]);
        for text in [text, damaged] {
            if let Ok(game) = Xiangqi::from_notation(&text) {
                let again = Xiangqi::from_notation(&game.notation()).unwrap();
                prop_assert_eq!(again.notation(), game.notation());
            }
            let _ = Xiangqi::start().parse_move(&text);
        }
    }
}
