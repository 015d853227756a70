//! See `surakarta` in `tests/it/fuzz_corpus/laws.rs`.
#![no_main]

#[path = "../../tests/it/fuzz_corpus/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::surakarta(bytes));
