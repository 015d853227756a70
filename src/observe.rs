//! How long-running library code tells its caller where it is: the library never prints.

use rayon::prelude::*;

/// Receives the progress of one long task; the command line shows it as a bar with an ETA.
///
/// Calls may come from any thread.
pub trait Observer: Sync {
    /// A task named `task` starts; it will advance by `total` units in all.
    fn begin(&self, task: &str, total: u64);
    /// `units` more of the current task are done.
    fn advance(&self, units: u64);
    /// A short remark on the current state, such as the loss so far.
    fn remark(&self, text: &str);
    /// Something that a user should know of, though the work goes on, such as that a file looks cut short.
    fn note(&self, _text: &str) {}
    /// A step was done that deserves a line, such as a question that a cluster has answered.
    fn step(&self, _text: &str) {}
    /// The current task is over.
    fn end(&self);
}

/// What `work` gives for each of the numbers below `n`, in parallel: a task of `n` units, each of which is one number.
pub fn in_parallel<T: Send>(observer: &dyn Observer, task: &str, n: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    observer.begin(task, n as u64);
    let one = |number: usize| {
        let result = work(number);
        observer.advance(1);
        result
    };
    let results = (0..n).into_par_iter().map(one).collect();
    observer.end();
    results
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn begin(&self, _task: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn remark(&self, _text: &str) {}
    fn end(&self) {}
}
