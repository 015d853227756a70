//! Static exchange evaluation against plain recursion over the reference's legal moves.

use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation, SearchHints, Side};
use roughboard::games::xiangqi::{Move, Role, Xiangqi, rank_of, reference};
use roughboard::random::stream;

/// What pieces other than pawns are worth, in points.
const OFFICERS: [(Role, i32); 6] = [
    (Role::King, 6000),
    (Role::Rook, 600),
    (Role::Cannon, 285),
    (Role::Horse, 270),
    (Role::Advisor, 125),
    (Role::Elephant, 120),
];

/// In points, of the piece on `square`, were it on `at`; 0 for an empty point.
fn worth(game: &Xiangqi, square: usize, at: usize) -> i32 {
    let Some(piece) = game.piece_at(square) else { return 0 };
    let has_crossed = (rank_of(at) >= 5) == (piece.side() == Side::First);
    let officer = OFFICERS.into_iter().find(|(role, _)| *role == piece.role());
    officer.map_or(if has_crossed { 120 } else { 60 }, |(_, points)| points)
}

/// What `mv` wins the side to move when the opponent may take back or stop, and so on.
fn exchange(game: &mut Xiangqi, mv: Move) -> i32 {
    let won = worth(game, mv.to(), mv.to());
    game.play(mv);
    let reply = cheapest_capture(game, mv.to()).map_or(0, |reply| exchange(game, reply).max(0));
    game.undo();
    won - reply
}

/// The capture on `square` by the cheapest piece; of equal pieces that on the lowest point.
fn cheapest_capture(game: &Xiangqi, square: usize) -> Option<Move> {
    let captures = reference::legal_moves(game.board(), game.side_to_move()).into_iter().filter(|mv| mv.to() == square);
    // Beyond the river a pawn is worth an elephant, and goes first.
    let order = |mv: &Move| match game.piece_at(mv.from()).map(|piece| piece.role()) {
        Some(Role::Pawn) => (0, mv.from()),
        _ => (worth(game, mv.from(), square), mv.from()),
    };
    captures.min_by_key(order)
}

#[test]
fn exchanges_are_worth_what_recursion_says() {
    let (mut exchanges, mut lost) = (0, 0);
    for number in 0..20 {
        random_moves(&mut Xiangqi::start(), 200, &mut stream(5, "exchanges", number), |game| {
            for mv in reference::legal_moves(game.board(), game.side_to_move()) {
                if game.board()[mv.to()] == 0 && game.plies() % 8 != 0 {
                    continue;
                }
                let value = exchange(game, mv);
                for least in [value - 1, value, value + 1, 0, 1, -60, 285] {
                    assert_eq!(game.see_at_least(mv, least), value >= least, "{mv} wins {value} in {game:?}");
                }
                exchanges += 1;
                lost += usize::from(value < 0);
            }
        });
    }
    assert!(exchanges > 5_000 && lost > 500, "{exchanges} exchanges, {lost} of them lost");
}

#[test]
fn screens_legs_lines_and_kings_count_as_pieces_leave() {
    for (fen, mv, value, what) in [
        ("3k5/9/9/r8/9/9/9/9/9/R4K3 w", "a0a6", 600, "nobody takes back"),
        ("3k5/9/r8/r8/9/9/9/9/9/R4K3 w", "a0a6", 0, "a rook for a rook"),
        ("3k5/9/r8/r8/9/9/9/9/R8/R4K3 w", "a1a6", 600, "the second rook stands behind the first"),
        ("3k5/9/r8/p8/9/9/9/9/9/R4K3 w", "a0a6", -540, "a pawn for a rook"),
        ("3k5/c8/9/n8/9/9/9/9/9/R4K3 w", "a0a6", 270, "the cannon has no screen"),
        ("3k5/c8/p8/n8/9/9/9/9/9/R4K3 w", "a0a6", -330, "the cannon has a screen"),
        ("3k5/9/2np5/p8/9/9/9/9/9/R4K3 w", "a0a6", -540, "a horse takes back"),
        ("3k5/9/1pn6/p8/9/9/9/9/9/R4K3 w", "a0a6", 60, "its leg is blocked"),
        ("3k5/3n5/3R5/9/9/9/9/9/9/4K4 w", "d7d8", -330, "the king takes back"),
        ("3k5/3n5/3R5/3R5/9/9/9/9/9/4K4 w", "d7d8", 270, "the king cannot: the second rook protects"),
        ("3k5/3n5/3R5/9/9/9/9/9/9/3K5 w", "d7d8", 270, "the king cannot: it would face the other"),
    ] {
        let mut game = Xiangqi::from_notation(fen).unwrap();
        let mv = game.parse_move(mv).unwrap();
        assert_eq!(exchange(&mut game, mv), value, "{what}");
        assert!(game.see_at_least(mv, value) && !game.see_at_least(mv, value + 1), "{what}");
    }
}
