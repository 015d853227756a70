//! The table generator and the templates against the scanning reference, and what is generated apart against its plain
//! definition, on positions of random games.

use roughboard::game::perft::MoveSource;
use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation, SearchHints, Side};
use roughboard::games::xiangqi::{Generator, Move, Role, SQUARES, Xiangqi, reference};
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

/// The moves that `list` appends, sorted.
fn sorted(list: impl FnOnce(&mut Vec<Move>)) -> Vec<Move> {
    let mut moves = Vec::new();
    list(&mut moves);
    moves.sort_unstable();
    moves
}

#[test]
fn all_generators_agree_on_moves_and_checks() {
    let mut in_check = 0;
    let visited = visit_positions(10, |game| {
        let expected = sorted(|out| Generator::Scan.list(game, out));
        for generator in [Generator::Tables, Generator::Templates] {
            assert_eq!(sorted(|out| generator.list(game, out)), expected, "{generator:?}, {game:?}");
        }
        let check = reference::in_check(game.board(), game.side_to_move());
        assert_eq!(game.in_check(), check, "{game:?}");
        assert_eq!(!game.checkers().is_empty(), check, "{game:?}");
        in_check += usize::from(check);
    });
    assert!(visited > 10_000, "{visited} positions");
    assert!(in_check > 500, "{in_check} checks");
}

#[test]
fn stages_are_parts_of_the_legal_moves() {
    let mut quiet_checks = 0;
    visit_positions(2, |game| {
        let legal = reference::legal_moves(game.board(), game.side_to_move());
        let part = |keep: &dyn Fn(Move) -> bool| legal.iter().copied().filter(|&mv| keep(mv)).collect::<Vec<_>>();
        let is_capture = |mv: Move| game.board()[mv.to()] != 0;
        assert_eq!(sorted(|out| game.noisy_moves(out)), part(&is_capture), "{game:?}");
        assert_eq!(sorted(|out| game.quiet_moves(out)), part(&|mv| !is_capture(mv)), "{game:?}");
        let checks = part(&|mv| !is_capture(mv) && leaves_in_check(game, mv));
        assert_eq!(sorted(|out| game.quiet_checks(out)), checks, "{game:?}");
        quiet_checks += checks.len();
    });
    assert!(quiet_checks > 500, "{quiet_checks} quiet checks");
}

/// Whether the opponent is in check after `mv`, by the reference.
fn leaves_in_check(game: &Xiangqi, mv: Move) -> bool {
    let mut after = *game.board();
    after[mv.to()] = std::mem::take(&mut after[mv.from()]);
    reference::in_check(&after, game.side_to_move().other())
}

#[test]
fn quiet_checks_are_direct_discovered_and_by_screens() {
    for (fen, what, expected) in [
        ("4k4/9/9/9/9/R8/9/9/9/3K5 w", "a rook arrives", "a4e4 a4a9"),
        ("4k4/9/4r4/9/9/2N6/9/9/9/3K5 w", "a horse must come nearer first", ""),
        ("4k4/9/9/3N5/9/9/9/9/9/3K5 w", "a horse jumps to two points", "d6f7 d6c8"),
        ("3ak4/9/9/C8/9/9/9/9/9/3K5 w", "a cannon goes behind a screen", "a6a9"),
        ("4k4/9/9/9/P8/9/9/4C4/9/3K5 w", "a pawn is too far to be a screen", ""),
        ("4k4/9/9/3P5/9/9/9/4C4/9/3K5 w", "a pawn becomes the screen", "d6e6"),
        ("4k4/9/9/4N4/4P4/9/9/4C4/9/3K5 w", "one of two screens leaves", "e5d5 e5f5 e6c5 e6g5 e6c7 e6g7 e6d8 e6f8"),
        ("4k4/9/9/9/4N4/9/9/4R4/9/3K5 w", "a rook is uncovered", "e5d3 e5f3 e5c4 e5g4 e5c6 e5g6 e5d7 e5f7"),
        ("4k4/2NP5/9/9/9/9/9/9/9/3K5 w", "a pawn frees a horse's leg", "d8e8 d8d9"),
    ] {
        let game = Xiangqi::from_notation(fen).unwrap();
        let checks = sorted(|out| game.quiet_checks(out));
        let naive = sorted(|out| game.quiet_moves(out)).into_iter().filter(|&mv| leaves_in_check(&game, mv));
        assert_eq!(checks, naive.collect::<Vec<_>>(), "{what}");
        let words: Vec<_> = checks.iter().map(ToString::to_string).collect();
        assert_eq!(words.join(" "), expected, "{what}");
    }
}

#[test]
fn evasions_answer_every_checker() {
    let mut double_checks = 0;
    visit_positions(10, |game| {
        let checkers = game.checkers();
        let us = game.side_to_move();
        for checker in checkers {
            assert!(game.targets(checker).contains(game.king(us)), "{game:?}");
        }
        double_checks += usize::from(checkers.len() > 1);
        if !checkers.is_empty() {
            let legal = sorted(|out| game.legal_moves(out));
            assert_eq!(legal, reference::legal_moves(game.board(), us), "{game:?}");
        }
    });
    assert!(double_checks > 10, "{double_checks} double checks");
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
            let in_slot = game.move_in_slot(slot);
            assert_eq!(in_slot, expected.binary_search(&mv).is_ok().then_some(mv), "{mv} in {game:?}");
        }
        assert_eq!(game.move_in_slot(SQUARES * SQUARES), None);
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
    visit_positions(2, |game| {
        for mv in reference::legal_moves(game.board(), game.side_to_move()) {
            assert_eq!(game.gives_check(mv), leaves_in_check(game, mv), "{mv} in {game:?}");
        }
    });
}
