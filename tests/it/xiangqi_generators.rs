//! The table generator against the scanning reference, on positions of random games.

use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Side};
use roughboard::games::xiangqi::{Move, Role, SQUARES, Xiangqi, reference};
use roughboard::random::stream;
use serde_json::Value;

/// Starting points: the positions of the perft suite, rich in checks, pins and screens.
fn roots() -> Vec<Xiangqi> {
    let text = include_str!("../data/xiangqi_perft.json");
    let document: Value = serde_json::from_str(text).unwrap();
    let fens = document["positions"].as_array().unwrap().iter().map(|entry| entry["fen"].as_str().unwrap().to_owned());
    fens.map(|fen| Xiangqi::from_notation(&fen).unwrap()).collect()
}

/// Visits positions of random games from every root.
fn visit_positions(games_per_root: u64, mut visit: impl FnMut(&Xiangqi)) -> usize {
    let mut visited = 0;
    for root in roots() {
        for number in 0..games_per_root {
            let mut stream = stream(3, "generators", number);
            random_moves(&mut root.clone(), 100, &mut stream, |game| {
                visit(game);
                visited += 1;
            });
        }
    }
    visited
}

#[test]
fn both_generators_agree_on_moves_and_checks() {
    let mut in_check = 0;
    let visited = visit_positions(10, |game| {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.sort_unstable();
        assert_eq!(moves, reference::legal_moves(game.board(), game.side_to_move()), "{game:?}");
        let expected = reference::in_check(game.board(), game.side_to_move());
        assert_eq!(game.in_check(), expected, "{game:?}");
        in_check += usize::from(expected);
    });
    assert!(visited > 10_000, "{visited} positions");
    assert!(in_check > 500, "{in_check} checks");
}

#[test]
fn destinations_agree_for_both_sides() {
    visit_positions(1, |game| {
        for side in [Side::First, Side::Second] {
            let mut moves: Vec<_> = game
                .pieces_of(side)
                .flat_map(|(from, _)| game.targets(from).into_iter().map(move |to| Move::new(from, to)))
                .collect();
            moves.sort_unstable();
            let mut expected = reference::pseudo_legal_moves(game.board(), side);
            expected.sort_unstable();
            assert_eq!(moves, expected, "{game:?}");
            let mobility: usize = game.pieces_of(side).map(|(square, _)| game.mobility(square)).sum();
            assert_eq!(mobility, expected.len());
        }
    });
}

#[test]
fn legality_of_any_two_points_agrees() {
    visit_positions(1, |game| {
        if game.plies() % 20 != 0 {
            return;
        }
        let expected = reference::legal_moves(game.board(), game.side_to_move());
        for slot in 0..SQUARES * SQUARES {
            let mv = Move::new(slot / SQUARES, slot % SQUARES);
            assert_eq!(
                game.parse_move(&mv.to_string()).is_ok(),
                expected.binary_search(&mv).is_ok(),
                "{mv} in {game:?}"
            );
        }
    });
}

#[test]
fn queries_of_pieces_agree_with_the_board() {
    visit_positions(1, |game| {
        for square in 0..SQUARES {
            let piece = game.piece_at(square);
            assert_eq!(piece.map_or(0, |piece| piece.code()), game.board()[square]);
            assert_eq!(game.occupied().contains(square), piece.is_some());
            for side in [Side::First, Side::Second] {
                let owned = piece.filter(|piece| piece.side() == side);
                assert_eq!(game.side(side).contains(square), owned.is_some());
                for role in Role::ALL {
                    let matches = owned.is_some_and(|piece| piece.role() == role);
                    assert_eq!(game.pieces(side, role).contains(square), matches);
                }
            }
        }
    });
}

#[test]
fn a_move_gives_check_when_the_opponent_is_then_in_check() {
    visit_positions(1, |game| {
        let mut game = game.clone();
        for mv in reference::legal_moves(game.board(), game.side_to_move()) {
            let announced = game.gives_check(mv);
            game.play(mv);
            assert_eq!(announced, game.in_check(), "{mv} leads to {game:?}");
            game.undo();
        }
    });
}
