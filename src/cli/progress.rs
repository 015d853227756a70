//! Progress of long work on standard error: a bar on a terminal, else a line now and then, so that logs stay short.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use roughboard::observe::Observer;

const TEMPLATE: &str = "{msg:32} {wide_bar} {human_pos}/{human_len} {percent}% elapsed {elapsed} eta {prefix}";
/// How often a line is written where there is no terminal.
const PERIOD: Duration = Duration::from_secs(60);
/// What is told to be done so soon after the beginning was done before, by a run that goes on.
const RESTORING: Duration = Duration::from_millis(200);

/// An observer that draws a bar with an ETA on standard error, or writes lines there.
pub struct Bar {
    is_shown: bool,
    has_bar: bool,
    current: Arc<Mutex<Option<Task>>>,
}

/// The work that is going on.
struct Task {
    name: String,
    remark: String,
    total: u64,
    done: u64,
    /// Units that an earlier run has done, which say nothing about the speed of this one.
    restored: u64,
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar, or lines if standard error is not a terminal; nothing if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let has_bar = std::io::stderr().is_terminal();
        let bar = Self { is_shown: !quiet, has_bar, current: Arc::default() };
        if bar.is_shown && !has_bar {
            bar.report(PERIOD, |line| eprintln!("{line}"));
        }
        bar
    }

    /// Writes a line beside the bar.
    fn aside(&self, text: &str) {
        let tell = || eprintln!("{text}");
        match held(&self.current).as_ref().and_then(|task| task.bar.as_ref()) {
            Some(bar) => bar.suspend(tell),
            None => tell(),
        }
    }

    /// Hands a line on the work that is going on to `write` again and again, until the program or `self` is gone.
    fn report(&self, period: Duration, write: impl Fn(&str) + Send + 'static) {
        let current = Arc::downgrade(&self.current);
        thread::spawn(move || {
            loop {
                thread::sleep(period);
                let Some(current) = current.upgrade() else { return };
                if let Some(task) = held(&current).as_ref() {
                    write(&task.line());
                }
            }
        });
    }
}

fn held(current: &Mutex<Option<Task>>) -> MutexGuard<'_, Option<Task>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Task {
    /// The time that is left at the speed so far; `None` as long as nothing is done that tells a speed.
    fn eta(&self, elapsed: Duration) -> Option<Duration> {
        let done = self.done.saturating_sub(self.restored);
        let left = self.total.saturating_sub(self.done);
        let seconds = elapsed.as_secs_f64() * left as f64 / done as f64;
        Duration::try_from_secs_f64(seconds).ok().filter(|_| done > 0)
    }

    fn eta_text(&self) -> String {
        self.eta(self.begun.elapsed()).map_or_else(|| "–".to_owned(), |eta| format!("{:#}", HumanDuration(eta)))
    }

    fn advance(&mut self, units: u64) {
        self.done += units;
        if self.begun.elapsed() < RESTORING {
            self.restored = self.done;
        }
        self.show();
    }

    fn show(&self) {
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_prefix(self.eta_text());
            bar.set_message(self.caption());
        }
    }

    fn caption(&self) -> String {
        format!("{} {}", self.name, self.remark).trim_end().to_owned()
    }

    fn line(&self) -> String {
        let percent = 100 * self.done / self.total.max(1);
        let elapsed = HumanDuration(self.begun.elapsed());
        let (caption, eta) = (self.caption(), self.eta_text());
        format!("{caption}: {} of {}, {percent} %, elapsed {elapsed:#}, eta {eta}", self.done, self.total)
    }
}

impl Observer for Bar {
    fn begin(&self, task: &str, total: u64) {
        if !self.is_shown {
            return;
        }
        let bar = self.has_bar.then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            ProgressStyle::with_template(TEMPLATE).map_or(bar.clone(), |style| bar.with_style(style))
        });
        let (name, remark) = (task.to_owned(), String::new());
        let task = Task { name, remark, total, done: 0, restored: 0, begun: Instant::now(), bar };
        task.show();
        *held(&self.current) = Some(task);
    }

    fn advance(&self, units: u64) {
        if let Some(task) = held(&self.current).as_mut() {
            task.advance(units);
        }
    }

    fn remark(&self, text: &str) {
        if let Some(task) = held(&self.current).as_mut() {
            text.clone_into(&mut task.remark);
            task.show();
        }
    }

    /// Notes are no progress: they are told to the quiet, too.
    fn note(&self, text: &str) {
        self.aside(&format!("note: {text}"));
    }

    fn step(&self, text: &str) {
        if self.is_shown {
            self.aside(text);
        }
    }

    fn end(&self) {
        if let Some(bar) = held(&self.current).take().and_then(|task| task.bar) {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(done: u64, restored: u64) -> Task {
        let name = "self-play".to_owned();
        Task { name, remark: String::new(), total: 100, done, restored, begun: Instant::now(), bar: None }
    }

    /// A run that goes on with 40 of 100 units and has done 10 more in a minute needs five minutes for the other 50.
    #[test]
    fn what_an_earlier_run_has_done_tells_no_speed() {
        let minute = Duration::from_secs(60);
        assert_eq!(task(50, 40).eta(minute), Some(5 * minute));
        assert_eq!(task(40, 40).eta(minute), None);
        assert_eq!(task(0, 0).eta(minute), None);
        assert_eq!(task(100, 0).eta(minute), Some(Duration::ZERO));
        assert!(task(0, 0).line().ends_with("eta –"));
        let mut restored = task(0, 0);
        restored.advance(7);
        assert_eq!((restored.done, restored.restored), (7, 7));
    }

    #[test]
    fn without_a_terminal_lines_tell_of_the_work_while_it_goes_on() {
        let (sender, lines) = std::sync::mpsc::channel();
        let bar = Bar { is_shown: true, has_bar: false, current: Arc::default() };
        bar.report(Duration::from_millis(5), move |line| sender.send(line.to_owned()).unwrap_or_default());
        bar.begin("games", 8);
        bar.advance(2);
        bar.remark("well");
        let told = lines.iter().find(|line| line.contains("well")).unwrap();
        assert!(told.starts_with("games well: 2 of 8, 25 %, elapsed "), "{told}");
        // The thread ends with what it reports on, so that no sender is left.
        drop(bar);
        assert!(lines.iter().all(|line| line == told));
    }
}
