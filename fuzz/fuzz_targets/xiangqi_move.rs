//! A position in the first line, moves after it: every move that is understood is legal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;

fuzz_target!(|text: &str| {
    let (fen, moves) = text.split_once('\n').unwrap_or(("", text));
    let mut game = Xiangqi::from_notation(fen).unwrap_or_else(|_| Xiangqi::start());
    let mut legal = Vec::new();
    for text in moves.split_whitespace().take(100) {
        let Ok(mv) = game.parse_move(text) else { continue };
        legal.clear();
        game.legal_moves(&mut legal);
        assert!(legal.contains(&mv), "{text}");
        game.play(mv);
    }
});
