//! Ctrl-C, a request to end (SIGTERM, as schedulers send it) and a terminal that goes away (SIGHUP): what the program leaves and how to go
//! on is said before it ends. Where a run can stop at a checkpoint, the first of them asks it to, and the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

#[cfg(unix)]
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

/// What is added to the number of a signal that ended a program, as shells do.
#[cfg(unix)]
const ENDED_BY: i32 = 128;

/// The last words of a command that answers at its end alone, or has not come to what it keeps. What an earlier start kept is still there.
pub const NOTHING_KEPT: &str = "nothing was kept to continue from: the same command starts from the beginning";

static ASKED: AtomicBool = AtomicBool::new(false);

/// What a signal leads to; `None` until a command has said it.
static REACTION: Mutex<Option<Reaction>> = Mutex::new(None);

/// What a signal leads to.
#[cfg_attr(not(unix), expect(dead_code, reason = "signals are handled on Unix only"))]
struct Reaction {
    last_words: String,
    /// What is said at the first signal, where that only asks.
    asking: Option<&'static str>,
}

/// Whether the program was told to stop since [`ask`].
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on a signal ends the program with `last_words`. Where it cannot be heard it ends the program, as ever: what is kept is whole at
/// any moment.
pub fn tell(last_words: String) {
    react(Reaction { last_words, asking: None });
}

/// From now on the first signal only asks, and the second ends the program with `last_words`. `happens` is what the first leads to.
pub fn ask(happens: &'static str, last_words: String) {
    react(Reaction { last_words, asking: Some(happens) });
}

fn react(reaction: Reaction) {
    let before = REACTION.lock().unwrap_or_else(PoisonError::into_inner).replace(reaction);
    if before.is_none() {
        hear();
    }
}

/// Listens to the signals, but for those that whoever started the program had it ignore, as `nohup` does.
#[cfg(unix)]
fn hear() {
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    if let Ok(mut signals) = Signals::new(heard) {
        std::thread::spawn(move || signals.forever().for_each(obey));
    }
}

#[cfg(not(unix))]
fn hear() {}

#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut now = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action the call only writes the one there is, and that is read only where the call says that it has.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr()) == 0
            && now.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(unix)]
fn obey(signal: i32) {
    let reaction = REACTION.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Reaction { last_words, asking }) = &*reaction else { return };
    if let Some(happens) = asking.filter(|_| !ASKED.swap(true, Ordering::Relaxed)) {
        // Said at once, since the end may be minutes away.
        eprintln!("\n{happens}; Ctrl-C again stops at once");
        return;
    }
    eprintln!("\nstopped: {last_words}");
    std::process::exit(ENDED_BY + signal);
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Rust has broken pipes ignored in every program.
    #[test]
    fn a_signal_is_ignored_where_somebody_has_said_so() {
        assert!(is_ignored(libc::SIGPIPE));
        assert!(!is_ignored(libc::SIGUSR2));
        assert!(!is_ignored(-1), "no signal");
    }
}
