//! `--time-limit`: how long a search may go on.

use std::time::Instant;

use roughboard::settings::{SettingError, require};

/// A limit of time; none unless it was asked for.
#[derive(clap::Args)]
pub struct TimeLimit {
    /// End the search after so many seconds with the best found so far and what is proved
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    time_limit: Option<f64>,
}

impl TimeLimit {
    /// A question whether time is over, counted from now.
    pub fn start(&self) -> Result<impl Fn() -> bool + use<>, SettingError> {
        let (start, limit) = (Instant::now(), self.time_limit.unwrap_or(f64::INFINITY));
        require(limit > 0.0, "--time-limit", "above 0", limit)?;
        Ok(move || start.elapsed().as_secs_f64() > limit)
    }
}
