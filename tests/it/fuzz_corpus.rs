//! Inputs that fuzzing found to reach different code, one archive a reader: none breaks a law of `fuzz_corpus/laws.rs`, and none needs much
//! memory.

use std::io::Read;
use std::process::Command;

use crate::house::root;

mod laws;

/// What reading these inputs, each of at most 64 KiB, may take in all, beside stacks, in KiB.
const MOST_MEMORY: u32 = 1 << 20;

#[test]
fn what_fuzzing_found_breaks_no_law() {
    let folder = root().join("tests/data/fuzz");
    for (name, law) in laws::LAWS {
        let packed = std::fs::File::open(folder.join(format!("{name}.tar.zst"))).unwrap();
        let mut archive = tar::Archive::new(zstd::Decoder::new(packed).unwrap());
        let mut tried = 0;
        for entry in archive.entries().unwrap() {
            let mut bytes = Vec::new();
            entry.unwrap().read_to_end(&mut bytes).unwrap();
            assert!(bytes.len() <= 1 << 16, "{name}: {} bytes", bytes.len());
            law(&bytes);
            tried += 1;
        }
        assert!(tried >= 20, "{name}: {tried} inputs");
    }
}

/// The test above once more, in a process that can have no more.
#[cfg(target_os = "linux")]
#[test]
fn what_fuzzing_found_needs_little_memory() {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"")]).arg(std::env::current_exe().unwrap());
    limited.args(["--exact", "fuzz_corpus::what_fuzzing_found_breaks_no_law", "--test-threads=1"]);
    let output = limited.env("RAYON_NUM_THREADS", "2").env("MALLOC_ARENA_MAX", "2").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
