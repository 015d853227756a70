//! Inputs that fuzzing found to reach different code, one archive a parser: none breaks a law of `fuzz_corpus/laws.rs`.

use std::io::Read;
use std::path::Path;

mod laws;

type Law = fn(&[u8]);

const LAWS: [(&str, Law); 9] = [
    ("pgn", laws::pgn),
    ("bytes", laws::bytes),
    ("xqf", laws::xqf),
    ("dhtmlxq", laws::dhtmlxq),
    ("connect6", laws::connect6),
    ("surakarta", laws::surakarta),
    ("xiangqi_move", laws::xiangqi_move),
    ("fen", laws::fen),
    ("date", laws::date),
];

#[test]
fn what_fuzzing_found_breaks_no_law() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz");
    for (name, law) in LAWS {
        let packed = std::fs::File::open(folder.join(format!("{name}.tar.zst"))).unwrap();
        let mut archive = tar::Archive::new(zstd::Decoder::new(packed).unwrap());
        let mut tried = 0;
        for entry in archive.entries().unwrap() {
            let mut bytes = Vec::new();
            entry.unwrap().read_to_end(&mut bytes).unwrap();
            law(&bytes);
            tried += 1;
        }
        assert!(tried >= 20, "{name}: {tried} inputs");
    }
}
