//! Ctrl-C as a request to stop where it can be gone on from; the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// What a program returns that Ctrl-C ended.
const ENDED: i32 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed since [`watch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on the first Ctrl-C only asks. Where it cannot be heard it ends the program, as ever: a checkpoint is whole at any moment.
pub fn watch() {
    let heard = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED);
        }
        // Said at once, since the next checkpoint may be minutes away.
        eprintln!(
            "\nstopping at the next checkpoint; Ctrl-C again stops at once, and `--resume` goes on from the last one"
        );
    };
    let _ = ctrlc::set_handler(heard);
}
