//! The prover of forced wins against plain recursion, and the suite of forced wins.

use roughboard::game::playout::random_moves;
use roughboard::game::{BoardGame, Game, Notation, Outcome, Side};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::random::stream;
use roughboard::search::{ForcedWin, MateSearch};
use serde_json::{Value, json};

use crate::command::{Files, roughboard};
use crate::toys::TicTacToe;

/// Whether `winner` has won or can force it within `left` more moves of its own.
fn wins<G: BoardGame>(position: &mut G, winner: Side, left: u32) -> bool {
    if let Some(end) = position.end() {
        return end.outcome == Outcome::Win(winner);
    }
    if left == 0 {
        return false;
    }
    let own = position.side_to_move() == winner;
    let moves = position.moves();
    let mut after = |mv| {
        position.play(mv);
        let wins = wins(position, winner, if own { left - 1 } else { left });
        position.undo();
        wins
    };
    if own { moves.into_iter().any(&mut after) } else { moves.into_iter().all(after) }
}

fn plain<G: BoardGame>(position: &mut G, most: u32) -> Option<ForcedWin<G::Move>> {
    let winner = position.side_to_move();
    let moves = position.moves();
    (1..=most).find_map(|length| {
        let best: Vec<_> = moves
            .iter()
            .copied()
            .filter(|&mv| {
                position.play(mv);
                let wins = wins(position, winner, length - 1);
                position.undo();
                wins
            })
            .collect();
        (!best.is_empty()).then_some(ForcedWin { moves: length, best })
    })
}

/// Compares both on positions of random games from `start`; returns how many wins there were of each length.
fn compare<G: BoardGame>(start: &G, games: u64, most: u32) -> Vec<usize> {
    let mut lengths = vec![0; most as usize + 1];
    let mut search = MateSearch::default();
    for number in 0..games {
        random_moves(&mut start.clone(), 60, &mut stream(6, "forced wins", number), |position| {
            let expected = plain(position, most);
            assert_eq!(search.forced_win(position, most), expected, "{position:?}");
            lengths[expected.map_or(0, |win| win.moves as usize)] += 1;
        });
    }
    lengths
}

#[test]
fn forced_wins_are_those_of_plain_recursion() {
    let lengths = compare(&TicTacToe::start(), 30, 3);
    assert!(lengths.iter().all(|&count| count > 5), "{lengths:?}");
    let endgame = Xiangqi::from_notation("3k5/4a4/9/9/9/R8/8p/9/9/3AK4 w").unwrap();
    let lengths = compare(&endgame, 6, 2);
    assert!(lengths.iter().all(|&count| count > 2), "{lengths:?}");
}

fn suite() -> Value {
    serde_json::from_str(include_str!("../data/xiangqi_mates.json")).unwrap()
}

#[test]
fn the_suite_has_many_wins_of_every_length() {
    let document = suite();
    let of_length = |moves: u64| {
        let positions = document["positions"].as_array().unwrap();
        positions.iter().filter(|position| position["mate_in"].as_u64() == Some(moves)).count()
    };
    assert!((1..=3).all(|moves| of_length(moves) >= 30), "{:?}", [1, 2, 3].map(of_length));
}

#[test]
fn every_tenth_win_of_the_suite_is_proved_and_played() {
    let mut document = suite();
    let positions = document["positions"].as_array().unwrap().iter().step_by(10).cloned().collect::<Vec<_>>();
    let facts = 3 * positions.len();
    document["positions"] = json!(positions);
    let files = Files::new();
    let path = files.write("mates.json", document.to_string());
    let text = roughboard(&["suite", path.to_str().unwrap()]).ended(0).stdout;
    assert_eq!(text, format!("{facts} of {facts} passed\n"));
}

#[test]
fn a_suite_is_drawn_from_games() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-selfplay/games.pgn.zst");
    let files = Files::new();
    let out = files.path("mates.json");
    let arguments = ["games", "mates", games, "--moves", "1", "--each", "3", "--json", "--out", out.to_str().unwrap()];
    let answer = roughboard(&arguments).ended(0).json();
    assert_eq!(answer["written"], 3);
    assert!(answer["account"]["decided"].as_u64().unwrap() >= 3, "{answer}");
    let text = roughboard(&["suite", out.to_str().unwrap()]).ended(0).stdout;
    assert_eq!(text, "9 of 9 passed\n");
    for beyond in [["--moves", "6"], ["--each", "0"]] {
        roughboard(&[&["games", "mates", games, "--out", out.to_str().unwrap()][..], &beyond].concat()).ended(2);
    }
    // A game that somebody gave up has no forced win at its end: what is there stays.
    let short = files.write("short.pgn", "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n");
    let short = ["games", "mates", short.to_str().unwrap(), "--out", out.to_str().unwrap(), "--force"];
    let none = roughboard(&short).ended(1).stderr;
    assert!(none.contains("check failed: no forced win in at most 3 moves was found"), "{none}");
    roughboard(&["suite", out.to_str().unwrap()]).ended(0);
}
