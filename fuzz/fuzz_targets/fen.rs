//! Positions: what is understood is written and understood again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;

fuzz_target!(|text: &str| {
    if let Ok(position) = Xiangqi::from_notation(text) {
        let text = position.notation();
        let again = Xiangqi::from_notation(&text).expect("own text");
        assert_eq!(again.notation(), text);
    }
});
