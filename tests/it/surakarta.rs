//! Surakarta: moves against a plain walk, the perft file, ends, position and record texts.

use std::path::Path;

use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation, Outcome, SearchHints, Side, Symmetric};
use roughboard::games::surakarta::{EndRules, Move, Surakarta, parse_point, point_name};
use roughboard::observe::Silent;
use roughboard::random::stream;
use roughboard::record::{GameRecord, Policy, read_bytes, to_pgn};
use roughboard::suite::{Settings, run_file};

use crate::command::roughboard;
use crate::house::root;
use crate::records::file;

/// Where a traveller stands, as row and column, and where it heads.
type Heading = ((isize, isize), (isize, isize));

/// One step on, by an arc where the line ends: the arc of lines 1 or 2 from an edge turns into the same line from the other
/// edge of the nearer corner. `None` on the outer lines. The flag says whether it was an arc.
fn step(((row, column), (down, right)): Heading) -> Option<(Heading, bool)> {
    let (next_row, next_column) = (row + down, column + right);
    if (0..6).contains(&next_row) && (0..6).contains(&next_column) {
        return Some((((next_row, next_column), (down, right)), false));
    }
    let line = if down == 0 { row } else { column };
    if line == 0 || line == 5 {
        return None;
    }
    // Distance from the nearer corner, and on which side of the board the line lies.
    let depth = line.min(5 - line);
    let near = line < 3;
    let inward = |at_start: bool| if at_start { 1 } else { -1 };
    let after = if down == 0 {
        let at_left = column == 0;
        // From the left or right edge to the top (near) or bottom edge.
        ((if near { 0 } else { 5 }, if at_left { depth } else { 5 - depth }), (inward(near), 0))
    } else {
        let at_top = row == 0;
        ((if at_top { depth } else { 5 - depth }, if near { 0 } else { 5 }), (0, inward(near)))
    };
    Some((after, true))
}

/// All moves by walking step by step, in order.
fn walked(game: &Surakarta) -> Vec<Move> {
    let point = |(row, column): (isize, isize)| (row * 6 + column) as usize;
    let us = game.side_to_move();
    let mut moves = Vec::new();
    for from in game.pieces(us) {
        let start = (from as isize / 6, from as isize % 6);
        for row in start.0 - 1..=start.0 + 1 {
            for column in start.1 - 1..=start.1 + 1 {
                let inside = (0..6).contains(&row) && (0..6).contains(&column);
                if inside && game.piece_at(point((row, column))).is_none() {
                    moves.push(Move::new(from, point((row, column))));
                }
            }
        }
        for direction in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let (mut at, mut arcs) = ((start, direction), 0);
            for _ in 0..24 {
                let Some((next, arc)) = step(at) else { break };
                at = next;
                arcs += usize::from(arc);
                match game.piece_at(point(at.0)).filter(|_| at.0 != start) {
                    None => {}
                    Some(owner) => {
                        if owner != us && arcs > 0 {
                            moves.push(Move::new(from, point(at.0)));
                        }
                        break;
                    }
                }
            }
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}

#[test]
fn moves_are_those_of_a_plain_walk() {
    let mut captures = 0;
    for number in 0..60 {
        let mut game = Surakarta::start();
        random_moves(&mut game, 200, &mut stream(5, "surakarta", number), |game| {
            let (mut moves, mut noisy) = (Vec::new(), Vec::new());
            game.legal_moves(&mut moves);
            game.noisy_moves(&mut noisy);
            moves.sort_unstable();
            assert_eq!(moves, walked(game), "{game:?}");
            captures += noisy.len();
        });
    }
    assert!(captures > 1000, "too few captures to tell anything: {captures}");
}

#[test]
fn perft_comes_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/surakarta_perft.json");
    let report = run_file(&path, Settings { max_nodes: 3_000_000, observer: &Silent }).unwrap();
    assert_eq!(report.failures, []);
    assert!(report.checked > 100, "{}", report.checked);
}

/// The file lists the captures of its positions by name.
#[test]
fn the_listed_captures_are_generated() {
    let text = include_str!("../data/surakarta_perft.json");
    let document: serde_json::Value = serde_json::from_str(text).unwrap();
    for position in document["positions"].as_array().unwrap() {
        let game = Surakarta::from_notation(position["fen"].as_str().unwrap()).unwrap();
        let point = |capture: &serde_json::Value, key| parse_point(capture[key].as_str().unwrap()).unwrap();
        let listed = position["capture_list"].as_array().unwrap();
        let mut listed: Vec<_> = listed.iter().map(|mv| Move::new(point(mv, "from"), point(mv, "to"))).collect();
        let mut noisy = Vec::new();
        game.noisy_moves(&mut noisy);
        listed.sort_unstable();
        noisy.sort_unstable();
        assert_eq!(noisy, listed, "{}", position["name"]);
    }
}

fn played(start: &str, moves: &str) -> Surakarta {
    let mut game = Surakarta::from_notation(start).unwrap();
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {game:?}")));
    }
    game
}

#[test]
fn the_last_piece_captured_wins() {
    let game = played("1r4/b5/6/6/6/6 b", "a5xb6");
    let end = game.end().unwrap();
    assert_eq!((end.outcome, end.reason), (Outcome::Win(Side::Second), "all pieces captured"));
    assert_eq!((game.count_legal_moves(), game.notation().as_str()), (0, "1b4/6/6/6/6/6 r"));
}

#[test]
fn a_third_occurrence_counts_the_pieces() {
    let there_and_back = "a1a2 f6f5 a2a1 f5f6 ";
    for (start, outcome) in [
        ("5b/6/6/6/6/r5 r", Outcome::Draw),
        ("5b/6/6/6/6/r3r1 r", Outcome::Win(Side::First)),
        ("4bb/6/6/6/6/r5 r", Outcome::Win(Side::Second)),
    ] {
        let twice = played(start, there_and_back);
        assert_eq!(twice.end(), None);
        assert_eq!(twice.cycle_end(4).map(|end| end.outcome), Some(outcome));
        assert_eq!(twice.cycle_end(3), None);
        let end = played(start, &there_and_back.repeat(2)).end().unwrap();
        assert_eq!((end.outcome, end.reason), (outcome, "repetition"));
    }
}

#[test]
fn plies_without_capture_are_limited() {
    let game = played("5b/6/6/6/6/r3r1 r 49", "");
    assert_eq!((game.end(), game.quiet_plies()), (None, 49));
    let end = played("5b/6/6/6/6/r3r1 r 49", "a1a2").end().unwrap();
    assert_eq!((end.outcome, end.reason), (Outcome::Win(Side::First), "limit of plies without capture"));
    assert_eq!(played("1r4/b5/6/6/6/r5 b 49", "a5b6").quiet_plies(), 0);
}

/// The reasons for which a game ends that goes there and back for ever, and after how many plies.
fn end_of_walk(rules: &str) -> (usize, &'static str) {
    let mut game = Surakarta::from_notation("5b/6/6/6/6/r3r1 r").unwrap().with_rules(rules.parse().unwrap());
    let walk = ["a1a2", "f6f5", "a2a1", "f5f6"];
    for text in walk.iter().cycle().take(1000) {
        if let Some(end) = game.end() {
            assert_eq!(end.outcome, Outcome::Win(Side::First), "{rules}");
            return (game.plies(), end.reason);
        }
        game.play(game.parse_move(text).unwrap());
    }
    panic!("no end under {rules}");
}

#[test]
fn every_rule_of_the_end_can_be_set() {
    let (repetition, quiet, plies) = ("repetition", "limit of plies without capture", "limit of plies");
    for (rules, expected) in [
        ("", (8, repetition)),
        ("repetitions=2", (4, repetition)),
        ("repetitions=5", (16, repetition)),
        ("repetitions=0", (50, quiet)),
        ("quiet=7", (7, quiet)),
        ("quiet=0,repetitions=0", (400, plies)),
        ("plies=3", (3, plies)),
        ("plies=0,repetitions=0,quiet=333", (333, quiet)),
        ("plies=10,repetitions=100,quiet=10", (10, quiet)),
    ] {
        assert_eq!(end_of_walk(rules), expected, "{rules}");
    }
}

/// Whatever would end it, a search may take the second occurrence for the end.
#[test]
fn cycles_count_the_pieces_under_all_rules() {
    for rules in ["", "repetitions=0", "repetitions=9", "quiet=0,repetitions=0"] {
        let mut game = played("5b/6/6/6/6/r3r1 r", "a1a2 f6f5 a2a1").with_rules(rules.parse().unwrap());
        assert_eq!(game.cycle_end(4), None);
        game.play(game.parse_move("f5f6").unwrap());
        assert_eq!((game.end(), game.cycle_end(4).map(|end| end.outcome)), (None, Some(Outcome::Win(Side::First))));
    }
}

#[test]
fn positions_and_records_keep_the_rules() {
    let usual = Surakarta::from_notation("5b/6/6/6/6/r3r1 r 3").unwrap();
    assert_eq!((usual.rules(), usual.notation().as_str()), (EndRules::default(), "5b/6/6/6/6/r3r1 r 3"));
    let text = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0 quiet=80 repetitions=2";
    let start = Surakarta::from_notation(text).unwrap();
    assert_eq!(start.rules(), EndRules { quiet_plies: 80, max_plies: 400, repetitions: 2 });
    assert_eq!((start.notation().as_str(), start.key()), (text, Surakarta::start().key()));
    assert_eq!(
        Surakarta::from_notation("5b/6/6/6/6/r3r1 r plies=9").unwrap().notation(),
        "5b/6/6/6/6/r3r1 r 0 plies=9"
    );
    let mut record = GameRecord::new(start);
    record.push(Move::parse("a2a3").unwrap().0, None);
    record.outcome = Some(Outcome::Draw);
    let pgn = to_pgn(&record);
    assert!(pgn.contains(&format!("[FEN \"{text}\"]")), "{pgn}");
    let (games, account) = read_bytes::<Surakarta>("x.pgn", pgn.as_bytes(), Policy::Drop).unwrap();
    assert!(account.dropped().is_empty());
    assert_eq!((games[0].start.rules(), games[0].moves.len()), (record.start.rules(), 1));
    for image in 0..8 {
        assert_eq!(record.start.image(image).rules(), record.start.rules());
    }
}

#[test]
fn wrong_rules_are_refused() {
    for (rules, words) in [
        ("quite=3", "expected a rule of the end, `quiet=PLIES`, `plies=PLIES` or `repetitions=TIMES`, found `quite=3`"),
        ("80", "expected a rule of the end"),
        ("quiet=80,", "found ``"),
        ("quiet=-1", "`quiet` must be a number of plies in [0, 10000], got `-1`"),
        ("quiet=+1", "got `+1`"),
        ("quiet=10001", "got `10001`"),
        ("plies=100001", "`plies` must be a number in [0, 100000]"),
        ("repetitions=1", "`repetitions` must be 0 or a number in [2, 100], got `1`"),
        ("repetitions=", "got ``"),
        ("quiet=1,plies=2,quiet=3", "expected `quiet` once"),
        ("quiet=0,plies=0", "one of `quiet` and `plies` must not be 0"),
    ] {
        let error = rules.parse::<EndRules>().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    for (fields, words) in [
        (
            "r 0 quite=3",
            "at character 19: expected a rule of the end, `quiet=PLIES`, `plies=PLIES` or `repetitions=TIMES`, or the end, found `quite=3`",
        ),
        ("r quiet=x", "at character 17: expected for `quiet` a number of plies in [0, 10000], found `quiet=x`"),
        ("r 0 quiet=0 plies=0", "at character 27: expected one of `quiet` and `plies` that is not 0, found `plies=0`"),
        ("r 0 plies=3 plies=3", "expected `plies` once, found `plies=3`"),
        ("r 0 1", "found `1`"),
    ] {
        let error = Surakarta::from_notation(&format!("5b/6/6/6/6/r5 {fields}")).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let rules = EndRules { repetitions: 1, ..EndRules::default() };
    assert!(rules.check().unwrap_err().to_string().contains("`repetitions` must be"));
}

#[test]
fn a_side_that_cannot_move_ends_the_game() {
    // The corner piece is shut in, and corners capture nothing.
    let game = played("6/6/6/6/bb4/rb4 r", "");
    assert_eq!(game.count_legal_moves(), 0);
    let end = game.end().unwrap();
    assert_eq!((end.outcome, end.reason), (Outcome::Win(Side::Second), "no move"));
}

#[test]
fn illegal_moves_are_explained() {
    let game = Surakarta::start();
    for (text, words) in [
        ("a3a4", "no piece on a3"),
        ("a5a4", "the piece on a5 is black's, and it is red's turn"),
        ("a2a4", "a4 is not next to a2"),
        ("a1a2", "a2 holds a piece of red's own"),
        ("a2a5", "no way along a circuit from a2 meets a5 first"),
        ("a2xa3", "there is nothing to capture on a3"),
        ("a7a8", "is not a move"),
    ] {
        let error = game.parse_move(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn bad_positions_are_refused_where_they_are_wrong() {
    for (text, words) in [
        ("", "at character 1: expected 6 more points of row 6, found the end"),
        ("6/6/6/6/6/7 r", "at character 11: expected 6 more points of row 1, found `7`"),
        ("6/6/6/6/6/r5", "expected the side to move, `r` or `b`, found the end"),
        ("6/6/6/6/6/r5 b x", "the number of plies since the last capture, found `x`"),
        ("6/6/6/6/6/r5 r", "a piece `b` of the side that has just moved, found none"),
        ("rrrrrr/rrrrrr/r5/6/6/b5 r", "at most 12 of `r`, found 13"),
        ("6/6/6/6/6/r5b r", "a space after the 6 points of row 1, found `b`"),
    ] {
        let error = Surakarta::from_notation(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(point_name(parse_point("c4").unwrap()), "c4");
}

/// With and without the sign of a capture.
#[test]
fn the_record_in_the_documentation_is_legal() {
    let page = std::fs::read_to_string(root().join("docs/surakarta.md")).unwrap();
    let shown = "1. a2a3 b5b4 2. a3a4 c6a4";
    assert!(page.contains(&format!("`{shown} … 0-1`")));
    for moves in [shown, "1. a2a3 b5b4 2. a3a4 c6xa4"] {
        let (games, _) = read_bytes::<Surakarta>("x.pgn", format!("{moves} 0-1\n").as_bytes(), Policy::Drop).unwrap();
        assert_eq!(games[0].last_position().pieces(Side::First).len(), 11, "{moves}");
    }
}

#[test]
fn the_commands_know_the_game() {
    let text = roughboard(&["perft", "--game", "surakarta", "--depth", "4"]).ended(0).stdout;
    assert!(text.contains(" 111122 "), "{text}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/surakarta_perft.json");
    let text = roughboard(&["suite", path, "--max-nodes", "1000"]).ended(0).stdout;
    assert!(text.ends_with(" passed\n"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let games = file(
        folder.path(),
        "games.pgn",
        "[Result \"1-0\"]\n\n1. a2-a3 b5-b4 2. a3xb4 1-0\n\n[Result \"1-0\"]\n\na2a3 1-0\n",
    );
    let text = roughboard(&["games", "read", "--game", "surakarta", &games, "--json"]).ended(1).json();
    assert_eq!((&text["kept"], &text["red_won"]), (&1.into(), &1.into()));
}
