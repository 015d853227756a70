//! What must hold for any input, reader by reader. `fuzz/` tries inputs without end; `tests/it/fuzz_corpus.rs` tries those that were found to
//! reach different code.
#![allow(missing_docs, clippy::expect_used, reason = "a broken law has to stop what tries it")]

#[path = "files.rs"]
mod files;
#[path = "records.rs"]
mod records;

pub type Law = fn(&[u8]);

pub const LAWS: [(&str, Law); 26] = [
    ("pgn", records::pgn),
    ("bytes", records::bytes),
    ("xqf", records::xqf),
    ("dhtmlxq", records::dhtmlxq),
    ("connect6", records::connect6),
    ("surakarta", records::surakarta),
    ("xiangqi_move", records::xiangqi_move),
    ("fen", records::fen),
    ("date", records::date),
    ("network", files::network),
    ("checkpoint", files::checkpoint),
    ("self_play", files::self_play),
    ("journal", files::journal),
    ("judgements", files::judgements),
    ("plan", files::plan),
    ("book", files::book),
    ("manifest", files::manifest),
    ("settings", files::settings),
    ("engine_says", files::engine_says),
    ("client_says", files::client_says),
    ("csv", files::csv),
    ("parquet", files::parquet),
    ("cuts", files::cuts),
    ("rules", files::rules),
    ("certificate", files::certificate),
    ("sprt", files::sprt),
];

/// What is read of a text is written and read again to the same text; both values, the first first, if the text is one.
fn again<T>(bytes: &[u8], read: impl Fn(&str) -> Option<T>, write: impl Fn(&T) -> String) -> Option<[T; 2]> {
    let first = read(std::str::from_utf8(bytes).ok()?)?;
    let written = write(&first);
    let second = read(&written).expect("own text");
    assert_eq!(write(&second), written);
    Some([first, second])
}
