//! XQF files: the fuzzer gives what follows the magic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Policy, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let mut file = b"XQ".to_vec();
    file.extend_from_slice(bytes);
    file.resize(file.len().max(0x408), 0);
    let (_, account) = read_bytes::<Xiangqi>("x.xqf", &file, Policy::Drop).expect("what is damaged is dropped");
    assert_eq!(account.read(), 1);
});
