//! What every command shares: threads, seed, progress.

use anyhow::Context;

use super::progress::Bar;
use super::targets::Targets;

/// Options accepted before or after any command.
#[derive(clap::Args)]
pub struct Options {
    /// Threads to compute with, at most 1024; 0 takes all cores. The results do not depend on it [default: 0]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: Option<u16>,
    /// Seed of every random draw [default: 1]
    #[arg(long, global = true, value_name = "S")]
    seed: Option<u64>,
    /// Show no progress
    #[arg(long, global = true)]
    quiet: bool,
}

/// The settings and services of one run of the command.
pub struct Session {
    /// Seed of every random draw.
    pub seed: u64,
    /// Whether the user chose the seed.
    pub seed_given: bool,
    /// Whether the user chose the number of threads.
    pub threads_given: bool,
    /// Where long tasks report to.
    pub progress: Bar,
    /// What may be written.
    pub targets: Targets,
}

impl Session {
    /// Sets up the thread pool and the progress bar.
    pub fn new(options: &Options, targets: Targets) -> anyhow::Result<Self> {
        let threads = options.threads.unwrap_or(0);
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .with_context(|| format!("cannot start {threads} threads"))?;
        Ok(Self {
            seed: options.seed.unwrap_or(1),
            seed_given: options.seed.is_some(),
            threads_given: options.threads.is_some(),
            progress: Bar::new(options.quiet),
            targets,
        })
    }

    /// Says that players with limits of time hinder each other, where more of `games` games go on at once than there are cores.
    pub fn note_crowding(&self, games: usize) {
        let Ok(cores) = std::thread::available_parallelism() else { return };
        let at_once = rayon::current_num_threads().min(games);
        if at_once > cores.get() {
            eprintln!(
                "note: {at_once} games are played at once on {cores} cores, so time limits are not fair: give at most `--threads {cores}`"
            );
        }
    }
}
