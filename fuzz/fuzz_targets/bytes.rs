//! Any document: encodings, formats, packings and archives. The first byte chooses an ending of the name.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Encoding, Policy, ReadSettings, read_bytes};

const NAMES: [&str; 8] = ["x.pgn", "x", "x.tar", "x.zip", "x.tar.zst", "x.pgn.gz", "x.txz", "x.html"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let encoding = Encoding::NAMES[usize::from(choice / 8) % Encoding::NAMES.len()];
    let settings = ReadSettings {
        policy: Policy::Drop,
        encoding: Encoding::of_name(encoding).expect("a name of the list"),
        max_unpacked: 1 << 22,
        ..ReadSettings::default()
    };
    let name = NAMES[usize::from(choice) % NAMES.len()];
    let (games, account) = read_bytes::<Xiangqi>(name, bytes, settings).expect("what is damaged is dropped");
    assert_eq!(account.read(), games.len() as u64 + account.dropped().len() as u64);
});
