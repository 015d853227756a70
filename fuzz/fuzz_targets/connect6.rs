//! Records of Connect6: SGF, the text of the championships, and PGN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::games::connect6::Connect6;
use roughboard::record::{Policy, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let (games, account) = read_bytes::<Connect6>("x.sgf", bytes, Policy::Drop).expect("what is damaged is dropped");
    assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
});
