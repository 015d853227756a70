//! Ctrl-C: what it leaves and how to go on is said before the program ends. Where a run can stop at a checkpoint, the first Ctrl-C asks it
//! to, and the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use signal_hook::{consts::SIGINT, iterator::Signals};

/// What a program returns that Ctrl-C ended.
#[cfg(unix)]
const ENDED: i32 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed since [`ask`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on Ctrl-C ends the program with `last_words`. Where it cannot be heard it ends the program, as ever: what is kept is whole at
/// any moment.
pub fn tell(last_words: String) {
    hear(move || end(&last_words));
}

/// From now on the first Ctrl-C only asks, and the second ends the program with `last_words`.
pub fn ask(last_words: String) {
    hear(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            end(&last_words);
        }
        // Said at once, since the next checkpoint may be minutes away.
        eprintln!("\nstopping at the next checkpoint; Ctrl-C again stops at once");
    });
}

#[cfg(unix)]
fn hear(react: impl Fn() + Send + 'static) {
    if let Ok(mut signals) = Signals::new([SIGINT]) {
        std::thread::spawn(move || signals.forever().for_each(|_| react()));
    }
}

#[cfg(not(unix))]
fn hear(_react: impl Fn() + Send + 'static) {}

#[cfg(unix)]
fn end(last_words: &str) {
    eprintln!("\nstopped: {last_words}");
    std::process::exit(ENDED);
}

#[cfg(not(unix))]
fn end(_last_words: &str) {}
