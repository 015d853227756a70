//! Work that is split over machines: which part is to be done here, and what other parts have done.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use roughboard::arena::Shard;
use roughboard::settings::SettingError;

use super::{INCOMPLETE, output};

/// Options of commands whose parts are files.
#[derive(Debug, clap::Args)]
pub struct PartOptions {
    /// Do part I of N only, which is kept in OUT.shard-I-of-N.jsonl; exit code 3. `env/N` takes I from the scheduler (SLURM_ARRAY_TASK_ID
    /// or JOB_COMPLETION_INDEX)
    #[arg(long, value_name = "I/N", conflicts_with = "parts")]
    shard: Option<String>,
    /// Take over what parts have done, from the files that they left; what is in none of them is done now
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub parts: Vec<PathBuf>,
}

impl PartOptions {
    /// The part that is to be done; all of it where none is named.
    pub fn shard(&self) -> Result<Shard, SettingError> {
        shard(self.shard.as_deref())
    }
}

/// Tells that a part is done: `what` there is of it, where it is kept, and how all parts become the file `out`. The code of a part.
pub fn done(shard: Shard, what: &str, kept: &Path, out: &Path) -> anyhow::Result<ExitCode> {
    output::print(&format!(
        "part {shard} is done: {what}, kept in {}; the same command with `--parts` and the files of all parts, in place of `--shard`, \
         writes {}\n",
        kept.display(),
        out.display()
    ))?;
    Ok(ExitCode::from(INCOMPLETE))
}

/// The part called so, `I/N` or `env/N`; all of it where none is named.
pub fn shard(text: Option<&str>) -> Result<Shard, SettingError> {
    text.map_or(Ok(Shard::WHOLE), |text| Shard::parse(text, |name| std::env::var(name).ok()))
}
