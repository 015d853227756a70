//! The progress bar: shown on a terminal only, so that logs and pipes stay clean.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use roughboard::observe::Observer;

const TEMPLATE: &str = "{msg:32} {bar:30} {human_pos}/{human_len} {percent}% elapsed {elapsed} eta {eta}";

/// An observer that draws a bar with an ETA on standard error.
pub struct Bar {
    visible: bool,
    current: Mutex<Option<(String, ProgressBar)>>,
}

impl Bar {
    /// A bar; invisible if `quiet`, or if standard error is not a terminal.
    pub fn new(quiet: bool) -> Self {
        Self { visible: !quiet && std::io::stderr().is_terminal(), current: Mutex::new(None) }
    }

    fn current(&self) -> MutexGuard<'_, Option<(String, ProgressBar)>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Bar {
    fn begin(&self, task: &str, total: u64) {
        if !self.visible {
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.set_message(task.to_owned());
        *self.current() = Some((task.to_owned(), bar));
    }

    fn advance(&self, units: u64) {
        if let Some((_, bar)) = self.current().as_ref() {
            bar.inc(units);
        }
    }

    fn remark(&self, text: &str) {
        if let Some((task, bar)) = self.current().as_ref() {
            bar.set_message(format!("{task} {text}"));
        }
    }

    fn end(&self) {
        if let Some((_, bar)) = self.current().take() {
            bar.finish_and_clear();
        }
    }
}
