//! How long-running library code tells its caller where it is: the library never prints.

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
    /// The current task is over.
    fn end(&self);
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
