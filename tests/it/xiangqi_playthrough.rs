//! A golden playthrough: one random game, with everything the rules say of each position.
//!
//! `ROUGHBOARD_REGENERATE=1 cargo test --release -- playthrough` writes the file anew.

use std::fmt::Write;
use std::path::Path;

use roughboard::game::playout::random_moves;
use roughboard::game::{Game, Notation, SearchHints};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::random::stream;

#[test]
fn the_playthrough_is_the_recorded_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/xiangqi_playthrough.txt");
    let now = playthrough();
    if std::env::var_os("ROUGHBOARD_REGENERATE").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let recorded = std::fs::read_to_string(&path).unwrap();
    for (line, (now, recorded)) in now.lines().zip(recorded.lines()).enumerate() {
        assert_eq!(now, recorded, "line {}", line + 1);
    }
    assert_eq!(now.len(), recorded.len());
}

fn playthrough() -> String {
    let mut text = String::new();
    let mut game = Xiangqi::start();
    random_moves(&mut game, 300, &mut stream(1, "playthrough", 0), |game| describe(game, &mut text));
    describe(&game, &mut text);
    let moves: Vec<_> = game.moves_made().map(|mv| mv.to_string()).collect();
    writeln!(text, "moves {}", moves.join(" ")).unwrap();
    text
}

fn describe(game: &Xiangqi, text: &mut String) {
    let moves = game.moves();
    let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
    let mut noisy = Vec::new();
    game.noisy_moves(&mut noisy);
    let noisy: Vec<_> = noisy.iter().map(|&mv| format!("{mv}:{}", game.noise_of(mv))).collect();
    writeln!(text, "{}", game.notation()).unwrap();
    writeln!(text, "  key {:016x} check {} end {:?}", game.key(), game.in_check(), game.end()).unwrap();
    writeln!(text, "  legal {}: {}", moves.len(), moves.join(" ")).unwrap();
    writeln!(text, "  noisy {}: {}", noisy.len(), noisy.join(" ")).unwrap();
}
