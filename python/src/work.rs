//! Work beside the interpreter: in threads of our own, without the GIL, and ended by Ctrl-C.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use roughboard::observe::Observer;

/// How long work may go on between looks at signals.
const PATIENCE: Duration = Duration::from_millis(50);
/// The most threads, as on the command line.
const MAX_THREADS: usize = 1024;

/// The threads that compute, and the process that they belong to.
struct Workers {
    process: u32,
    n_threads: usize,
    pool: Arc<ThreadPool>,
}

impl Workers {
    /// Puts threads of this process in the place of those before.
    fn replace(workers: &mut Option<Self>, n_threads: usize, pool: Arc<ThreadPool>) {
        let process = std::process::id();
        let before = workers.replace(Self { process, n_threads, pool });
        if before.as_ref().is_some_and(|before| before.process != process) {
            // What is left of the parent's pool must not be told to end: nobody is there to hear it.
            std::mem::forget(before);
        }
    }
}

static WORKERS: Mutex<Option<Workers>> = Mutex::new(None);

/// A pool of so many threads; 0 takes all cores.
pub fn new_pool(n_threads: usize) -> PyResult<ThreadPool> {
    let named = |at| format!("roughboard-{at}");
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).thread_name(named).build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}

/// The threads that compute. A process that was forked has none of its parent's threads, and starts its own.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut workers = WORKERS.lock().unwrap_or_else(PoisonError::into_inner);
    match &*workers {
        Some(own) if own.process == std::process::id() => Ok(own.pool.clone()),
        other => {
            let n_threads = other.as_ref().map_or(0, |workers| workers.n_threads);
            let pool = Arc::new(new_pool(n_threads)?);
            Workers::replace(&mut workers, n_threads, pool.clone());
            Ok(pool)
        }
    }
}

/// Compute with so many threads from now on; 0 takes all cores. Answers do not depend on it.
#[pyfunction]
pub fn set_threads(n_threads: i64) -> PyResult<()> {
    let possible = usize::try_from(n_threads).ok().filter(|&n_threads| n_threads <= MAX_THREADS);
    let wrong = || PyValueError::new_err(format!("threads must be from 0 to {MAX_THREADS}, got {n_threads}"));
    let n_threads = possible.ok_or_else(wrong)?;
    let pool = Arc::new(new_pool(n_threads)?);
    Workers::replace(&mut WORKERS.lock().unwrap_or_else(PoisonError::into_inner), n_threads, pool);
    Ok(())
}

/// Tell the number of threads that compute.
#[pyfunction]
pub fn get_threads() -> PyResult<usize> {
    Ok(pool()?.current_num_threads())
}

/// Gives up threads that are still at work which nobody waits for; others are started when they are needed.
fn abandon_pool() {
    let mut workers = WORKERS.lock().unwrap_or_else(PoisonError::into_inner);
    let n_threads = workers.as_ref().map_or(0, |workers| workers.n_threads);
    if let Ok(pool) = new_pool(n_threads) {
        Workers::replace(&mut workers, n_threads, Arc::new(pool));
    }
}

/// Whether work shall end, for those who do it. As an observer it ends what reports its progress.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

/// What unwinds work that was to end.
struct Stopped;

impl Stop {
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn end_if_asked(&self) {
        if self.is_asked() {
            // No panic, whose message would be printed.
            panic::resume_unwind(Box::new(Stopped));
        }
    }
}

impl Observer for Stop {
    fn begin(&self, _task: &str, _total: u64) {
        self.end_if_asked();
    }

    fn advance(&self, _units: u64) {
        self.end_if_asked();
    }

    fn remark(&self, _text: &str) {
        self.end_if_asked();
    }

    fn end(&self) {}
}

/// Does `work` in the threads that compute, while other threads of Python go on.
///
/// At Ctrl-C the work is asked to end, and not waited for: what it holds is freed when it has ended.
pub fn interruptible<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send + 'static) -> PyResult<T> {
    let (stop, (sender, mut receiver)) = (Stop::default(), mpsc::channel());
    let asked = stop.clone();
    pool()?.spawn(move || {
        let done = panic::catch_unwind(AssertUnwindSafe(|| work(&asked)));
        // Nobody may wait for it any more.
        let _ = sender.send(done);
    });
    loop {
        let (received, back) = py.detach(move || (receiver.recv_timeout(PATIENCE), receiver));
        receiver = back;
        match received {
            Ok(done) => return done.map_err(failure),
            Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("a thread ended unexpectedly")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(interrupt) = py.check_signals() {
            stop.ask();
            abandon_pool();
            return Err(interrupt);
        }
    }
}

/// What ended work before it was done, as an error. A panic is a mistake in the library.
fn failure(cause: Box<dyn Any + Send>) -> PyErr {
    let text = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!("a mistake in roughboard: {}", text.unwrap_or("the work was ended")))
}
