//! Text with records of DhtmlXQ in it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Policy, read_bytes};

fuzz_target!(|text: &str| {
    let text = format!("[DhtmlXQ]\n{text}");
    let (games, account) =
        read_bytes::<Xiangqi>("x.html", text.as_bytes(), Policy::Drop).expect("what is damaged is dropped");
    assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
});
