//! Ctrl-C as a request to stop where it can be gone on from; the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use signal_hook::{consts::SIGINT, iterator::Signals};

/// What a program returns that Ctrl-C ended.
#[cfg(unix)]
const ENDED: i32 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed since [`watch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on the first Ctrl-C only asks. Where it cannot be heard it ends the program, as ever: a checkpoint is whole at any moment.
pub fn watch() {
    #[cfg(unix)]
    if let Ok(mut signals) = Signals::new([SIGINT]) {
        std::thread::spawn(move || signals.forever().for_each(|_| hear()));
    }
}

#[cfg(unix)]
fn hear() {
    if ASKED.swap(true, Ordering::Relaxed) {
        std::process::exit(ENDED);
    }
    // Said at once, since the next checkpoint may be minutes away.
    eprintln!(
        "\nstopping at the next checkpoint; Ctrl-C again stops at once, and `--resume` goes on from the last one"
    );
}
