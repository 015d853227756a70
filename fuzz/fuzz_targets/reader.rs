//! Tries the reader that `READER` names without end; `tests/it/fuzz_corpus/laws.rs` has them all, and what must hold of them.
#![no_main]

use std::sync::LazyLock;

#[path = "../../tests/it/fuzz_corpus/laws.rs"]
mod laws;
mod limit;

static LAW: LazyLock<laws::Law> = LazyLock::new(|| {
    let name = std::env::var("READER").expect("READER names what is tried");
    let found = laws::LAWS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("READER: {name} is none of {:?}", laws::LAWS.map(|(name, _)| name))).1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| LAW(bytes));
