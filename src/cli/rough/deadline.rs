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
    /// Refuses a limit that leaves no time, before anything is read.
    pub fn check(&self) -> Result<(), SettingError> {
        let limit = self.seconds();
        require(limit > 0.0, "--time-limit", "above 0", limit)
    }

    /// A question whether time is over, counted from now, or the search was told to stop. Reading takes none of the time.
    pub fn start(&self) -> impl Fn() -> bool + use<> {
        let (start, limit) = (Instant::now(), self.seconds());
        move || interrupt::asked() || start.elapsed().as_secs_f64() > limit
    }

    fn seconds(&self) -> f64 {
        self.time_limit.unwrap_or(f64::INFINITY)
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
