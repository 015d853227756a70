//! `--time-limit`: how long a search may go on. Ctrl-C is such a limit too: what was found until then is the answer.

use std::process::ExitCode;
use std::time::Instant;

use roughboard::settings::{SettingError, require};

use crate::cli::INCOMPLETE;
use crate::cli::interrupt::{self, NOTHING_KEPT};

/// A limit of time; none unless it was asked for.
#[derive(clap::Args)]
pub struct TimeLimit {
    /// End the search after so many seconds with the best found so far and what is proved
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time_limit: Option<f64>,
}

impl TimeLimit {
    /// A question whether time is over, counted from now, or the search was told to stop.
    pub fn start(&self) -> Result<impl Fn() -> bool + use<>, SettingError> {
        let (start, limit) = (Instant::now(), self.time_limit.unwrap_or(f64::INFINITY));
        require(limit > 0.0, "--time-limit", "above 0", limit)?;
        Ok(move || interrupt::asked() || start.elapsed().as_secs_f64() > limit)
    }
}

/// From now on Ctrl-C ends a search as time does: what it has found is given.
pub fn heed_signals() {
    interrupt::ask("ending the search with what it has found", NOTHING_KEPT.to_owned());
}

/// How a search ends that was told to stop, or was not. What was found before the signal came may be all there is.
pub fn code(complete: bool) -> ExitCode {
    if interrupt::asked() && !complete { ExitCode::from(INCOMPLETE) } else { ExitCode::SUCCESS }
}
