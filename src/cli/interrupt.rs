//! Ctrl-C as a request to stop where it can be gone on from; the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// What is said at once, since the next checkpoint may be minutes away.
#[cfg(target_os = "linux")]
const HEARD: &[u8] =
    b"\nstopping at the next checkpoint; Ctrl-C again stops at once, and `--resume` goes on from the last one\n";

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed since [`watch`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on the first Ctrl-C only asks. Elsewhere than on Linux it ends the program, as ever: a checkpoint is whole at any moment.
pub fn watch() {
    #[cfg(target_os = "linux")]
    // SAFETY: the handler only stores a flag and sets a handler, which are both allowed in handlers.
    unsafe {
        libc::signal(libc::SIGINT, note as *const () as libc::sighandler_t);
    }
}

#[cfg(target_os = "linux")]
extern "C" fn note(_signal: libc::c_int) {
    ASKED.store(true, Ordering::Relaxed);
    // SAFETY: `write` and `signal` may be called in a handler. That nobody reads the note changes nothing.
    unsafe {
        let _ = libc::write(libc::STDERR_FILENO, HEARD.as_ptr().cast(), HEARD.len());
        libc::signal(libc::SIGINT, libc::SIG_DFL);
    }
}
