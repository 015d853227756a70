//! Records of Surakarta.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::games::surakarta::Surakarta;
use roughboard::record::{Policy, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let (games, account) = read_bytes::<Surakarta>("x.pgn", bytes, Policy::Drop).expect("what is damaged is dropped");
    assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
});
