//! What steers a search from outside: a stop signal that can be shared, moves to leave out, reports after each iteration.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::SearchResult;
use crate::eval::Score;

/// A stop signal and a clock, shared between a search and whoever may stop it.
///
/// A search that neither is used on is deterministic; one that is stopped gives what it has found so far.
#[derive(Debug)]
pub struct Stopper {
    origin: Instant,
    stopped: AtomicBool,
    /// Microseconds after `origin` from which on no new iteration is begun.
    soft: AtomicU64,
    /// Microseconds after `origin` at which a running iteration is broken off.
    hard: AtomicU64,
}

impl Stopper {
    /// A signal that is not given, and a clock that never runs out.
    pub fn new() -> Self {
        Self {
            origin: Instant::now(),
            stopped: AtomicBool::new(false),
            soft: AtomicU64::new(u64::MAX),
            hard: AtomicU64::new(u64::MAX),
        }
    }

    /// Stops the search as soon as it looks, within some thousand nodes.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// From now on: after `soft` no new iteration is begun, after `hard` the running one is broken off.
    pub fn allow(&self, soft: Duration, hard: Duration) {
        self.soft.store(self.micros_after(soft), Ordering::Relaxed);
        self.hard.store(self.micros_after(hard), Ordering::Relaxed);
    }

    /// From now on at most `time`, whatever else was allowed.
    pub(crate) fn allow_at_most(&self, time: Duration) {
        let end = self.micros_after(time);
        self.soft.fetch_min(end, Ordering::Relaxed);
        self.hard.fetch_min(end, Ordering::Relaxed);
    }

    /// Microseconds after `origin` at the end of `time` from now on.
    fn micros_after(&self, time: Duration) -> u64 {
        u64::try_from((self.origin.elapsed() + time).as_micros()).unwrap_or(u64::MAX)
    }

    /// Whether the search has to end at once.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.is_past(&self.hard)
    }

    /// Whether a time was allowed.
    pub(crate) fn has_clock(&self) -> bool {
        self.hard.load(Ordering::Relaxed) != u64::MAX
    }

    /// Whether no new iteration should be begun.
    pub fn is_spent(&self) -> bool {
        self.is_stopped() || self.is_past(&self.soft)
    }

    fn is_past(&self, micros: &AtomicU64) -> bool {
        let limit = micros.load(Ordering::Relaxed);
        limit != u64::MAX && self.origin.elapsed().as_micros() >= u128::from(limit)
    }
}

impl Default for Stopper {
    fn default() -> Self {
        Self::new()
    }
}

/// One finished iteration, or one of its lines when several are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Iteration<'a, M> {
    /// The depth, in plies.
    pub depth: u32,
    /// The most plies that any line of it was followed, quiescence and extensions included; at least the depth.
    pub seldepth: u32,
    /// Which line this is, from 1, best first.
    pub line: usize,
    /// The value for the side to move at the root.
    pub score: Score,
    /// Positions visited so far in this search, by all threads.
    pub nodes: u64,
    /// Searches of a null window at the root so far: 0 unless the driver is MTD(f).
    pub null_windows: u32,
    /// Since the search began.
    pub elapsed: Duration,
    /// How much of the transposition table the running search has filled, in thousandths.
    pub hashfull: u32,
    /// The moves both sides expect.
    pub pv: &'a [M],
}

/// How one search is steered.
pub struct Control<'a, M> {
    /// Ends the search early.
    pub stopper: &'a Stopper,
    /// Moves at the root that are not considered.
    pub excluded: &'a [M],
    /// How many best lines to find, at least 1.
    pub lines: usize,
    /// Is given each finished iteration: its lines, best first.
    pub report: &'a mut dyn FnMut(Iteration<'_, M>),
}

impl<M> Control<'_, M> {
    /// Whether the one best line of all moves is wanted.
    pub(crate) const fn is_plain(&self) -> bool {
        self.lines == 1 && self.excluded.is_empty()
    }

    /// Reports what an earlier search `found` as an iteration of this one.
    pub(crate) fn repeat(&mut self, found: &SearchResult<M>) {
        let &SearchResult { score, depth, nodes, null_windows, ref pv, .. } = found;
        (self.report)(Iteration {
            depth,
            seldepth: depth,
            line: 1,
            score,
            nodes,
            null_windows,
            elapsed: Duration::ZERO,
            hashfull: 0,
            pv,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn the_soft_end_forbids_new_iterations_and_the_hard_one_breaks_off() {
        let stopper = Stopper::new();
        assert!(!stopper.has_clock() && !stopper.is_spent() && !stopper.is_stopped());
        stopper.allow(Duration::ZERO, LONG);
        assert!(stopper.has_clock() && stopper.is_spent() && !stopper.is_stopped());
        // A time for the move takes nothing off an earlier end, nor does it put it off.
        stopper.allow_at_most(LONG);
        assert!(stopper.is_spent() && !stopper.is_stopped());
        stopper.allow(LONG, LONG);
        assert!(!stopper.is_spent());
        stopper.allow_at_most(Duration::ZERO);
        assert!(stopper.is_spent() && stopper.is_stopped());
    }

    #[test]
    fn a_signal_to_stop_needs_no_clock() {
        let stopper = Stopper::new();
        stopper.stop();
        assert!(stopper.is_stopped() && stopper.is_spent() && !stopper.has_clock());
    }
}
