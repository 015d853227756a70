//! Which mutant runs: the environment says so when the program starts. `.ci/mutants` puts this file into a copy of the library.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

const NONE: u32 = u32::MAX;
/// No mutant runs; each that would have been asked for is written to a file.
const TRACE: u32 = u32::MAX - 1;

static ACTIVE: AtomicU32 = AtomicU32::new(NONE);
static REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    let Ok(chosen) = env::var("ROUGHBOARD_MUTANT") else { return };
    ACTIVE.store(if chosen == "trace" { TRACE } else { chosen.parse().unwrap_or(NONE) }, Relaxed);
}

/// Whether mutant `number` was chosen.
#[inline(always)]
pub fn on(number: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    if active == TRACE {
        reach(number);
    }
    active == number
}

#[cold]
fn reach(number: u32) {
    if REACHED[number as usize].swap(true, Relaxed) {
        return;
    }
    let Ok(path) = env::var("ROUGHBOARD_REACHED") else { return };
    let file = OpenOptions::new().append(true).create(true).open(path);
    // A number is written in one piece, by processes of one test beside one another.
    let _ = file.and_then(|mut file| file.write_all(&number.to_le_bytes()));
}
