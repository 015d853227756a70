//! Text to games: whatever the text, every game is kept or dropped, and what is kept survives a round trip.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Policy, read_bytes, to_pgn};

fuzz_target!(|text: &str| {
    let Ok((games, account)) = read_bytes::<Xiangqi>("fuzz.pgn", text.as_bytes(), Policy::Drop) else { return };
    assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
    assert_eq!(account.kept(), games.len() as u64);
    if !games.is_empty() {
        let text = games.iter().map(to_pgn).collect::<Vec<_>>().join("\n");
        let (again, _) = read_bytes::<Xiangqi>("again.pgn", text.as_bytes(), Policy::Drop).expect("own text");
        assert_eq!(again.len(), games.len(), "{text}");
    }
});
