//! The runs that were asked for: settings from a profile or file, changed, and multiplied by sweeps.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use roughboard::experiment::config::{Assignment, Sweep, combinations};
use roughboard::experiment::registry::{RegisteredExperiment, RunSettings};

use super::Args;
use crate::cli::session::Session;

/// The setting that repetitions of a run differ in.
pub const SEED: &str = "seed";

/// One run of an experiment.
pub struct Run {
    /// What tells it from the other runs of a sweep.
    pub changes: Vec<Assignment>,
    /// All its settings.
    pub settings: RunSettings,
}

impl Run {
    /// `td.lambda=0.5,seed=2`.
    fn label(&self) -> String {
        self.changes.iter().map(Assignment::to_string).collect::<Vec<_>>().join(",")
    }

    /// The experiment, and what tells the run from others.
    pub fn title(&self) -> String {
        [self.settings.experiment.name, &self.label()].join(" ").trim_end().to_owned()
    }

    /// Where it writes, if the experiment writes into `folder`: there, or as one of several into a folder of its own.
    pub fn folder_in(&self, folder: &Path) -> PathBuf {
        if self.changes.is_empty() { folder.to_owned() } else { folder.join(self.label()) }
    }
}

/// The runs of one experiment that `args` ask for.
pub fn runs(args: &Args, entry: &'static RegisteredExperiment, session: &Session) -> anyhow::Result<Vec<Run>> {
    let base = base(args, entry, session)?;
    let seeds = args.seeds.iter().map(|seeds| Sweep {
        key: SEED.to_owned(),
        values: seeds.0.iter().map(|&seed| (seed as i64).into()).collect(),
    });
    let sweeps: Vec<Sweep> = args.sweep.iter().cloned().chain(seeds).collect();
    check_sweeps(args, &base, &sweeps, session)?;
    let run = |changes: Vec<Assignment>| {
        let mut settings = base.clone();
        changes.iter().try_for_each(|change| settings.set(change))?;
        Ok(Run { changes, settings })
    };
    combinations(&sweeps)?.into_iter().map(run).collect()
}

/// Refuses to vary a setting twice, or one that is set besides, whichever of its keys stands for it.
fn check_sweeps(args: &Args, base: &RunSettings, sweeps: &[Sweep], session: &Session) -> anyhow::Result<()> {
    for (at, Sweep { key, .. }) in sweeps.iter().enumerate() {
        let is_same = |other: &str| base.full_key(other) == base.full_key(key);
        let is_twice = sweeps[..at].iter().any(|other| is_same(&other.key));
        ensure!(!is_twice, "`{key}` is varied twice: name all its values in one `--sweep` or `--seeds`");
        let set = args.set.iter().find(|assignment| is_same(&assignment.key));
        let set = set.map(|Assignment { key, .. }| format!("--set {key}=…"));
        let set = set.or_else(|| (session.seed_given && base.is_whole_seed(key)).then(|| "--seed".to_owned()));
        if let Some(set) = set {
            bail!("`{key}` is varied, so that `{set}` has no effect: leave one out");
        }
    }
    Ok(())
}

/// The settings before any sweep.
fn base(args: &Args, entry: &'static RegisteredExperiment, session: &Session) -> anyhow::Result<RunSettings> {
    let mut settings = match &args.config {
        None => entry.profile(args.profile_name())?,
        Some(path) => {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read settings `{}`", path.display()))?;
            entry.read(&text).with_context(|| format!("`{}`", path.display()))?
        }
    };
    if session.seed_given || args.config.is_none() {
        settings.reseed(session.seed)?;
    }
    let is_seed = |set: &&Assignment| session.seed_given && settings.is_whole_seed(&set.key);
    if let Some(Assignment { key, .. }) = args.set.iter().find(is_seed) {
        bail!("`--seed` and `--set {key}=…` say the same: leave one out");
    }
    args.set.iter().try_for_each(|assignment| settings.set(assignment))?;
    Ok(settings)
}
