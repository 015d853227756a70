//! How long-running library code tells its caller where it is: the library never prints.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// Receives the progress of one long task; the command line shows it as a bar with an ETA.
///
/// Calls may come from any thread.
pub trait Observer: Sync {
    /// A task named `task` starts; it will advance by `total` units in all.
    fn begin(&self, task: &str, total: u64);
    /// `units` more of the current task are done. Work whose units take long also reports 0 of them on the way, so that an observer that
    /// unwinds to end the work is called often enough.
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

/// Tells an observer of several tasks of one size, done one after another, as of a single task.
pub struct Together<'a> {
    observer: &'a dyn Observer,
    tasks: u64,
    begun: AtomicU64,
}

impl<'a> Together<'a> {
    /// Of so many `tasks`; the whole is over when this is dropped.
    pub fn new(observer: &'a dyn Observer, tasks: usize) -> Self {
        Self { observer, tasks: tasks as u64, begun: AtomicU64::new(0) }
    }
}

impl Observer for Together<'_> {
    fn begin(&self, task: &str, total: u64) {
        if self.begun.fetch_add(1, Ordering::Relaxed) == 0 {
            self.observer.begin(task, total * self.tasks);
        }
    }

    fn advance(&self, units: u64) {
        self.observer.advance(units);
    }

    fn remark(&self, text: &str) {
        self.observer.remark(&format!("({} of {}) {text}", self.begun.load(Ordering::Relaxed), self.tasks));
    }

    fn note(&self, text: &str) {
        self.observer.note(text);
    }

    fn step(&self, text: &str) {
        self.observer.step(text);
    }

    fn end(&self) {}
}

impl Drop for Together<'_> {
    fn drop(&mut self) {
        if *self.begun.get_mut() > 0 {
            self.observer.end();
        }
    }
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Told {
        fn add(&self, text: String) {
            self.0.lock().unwrap().push(text);
        }
    }

    impl Observer for Told {
        fn begin(&self, task: &str, total: u64) {
            self.add(format!("{task} {total}"));
        }

        fn advance(&self, units: u64) {
            self.add(format!("+{units}"));
        }

        fn remark(&self, text: &str) {
            self.add(text.to_owned());
        }

        fn end(&self) {
            self.add("end".to_owned());
        }
    }

    #[test]
    fn several_tasks_are_told_as_one() {
        let told = Told::default();
        let together = Together::new(&told, 2);
        for _ in 0..2 {
            together.begin("games", 3);
            together.advance(3);
            together.remark("level");
            together.end();
        }
        drop(together);
        let expected = ["games 6", "+3", "(1 of 2) level", "+3", "(2 of 2) level", "end"];
        assert_eq!(told.0.into_inner().unwrap(), expected);
    }
}
