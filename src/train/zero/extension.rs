//! What a finished run keeps so that it can go on to more games: where it stood before its last lesson, with the learner of that moment.
//!
//! Before, since the games that come next are played while the learner has that lesson.

use std::path::Path;

use super::checkpoint::{CHECKPOINT, Checkpoint};
use super::error::ZeroError;
use super::learner_thread::learner_file;
use super::run::{ZeroPlan, is_kept_name};
use super::settings::ZeroSettings;
use crate::disk::{FileError, copy_file};
use crate::game::Planes;
use crate::net::residual::store::load;

/// The learner before the last lesson, in the folder of a finished run.
const LEARNER: &str = "learner.safetensors";
/// What a finished run keeps to go on from.
pub const KEPT_STATE: [&str; 2] = [CHECKPOINT, LEARNER];

/// Copies what is needed to go on with more games from the state of the run of `plan`, which is complete, into its folder.
///
/// # Errors
/// When a file cannot be read or written.
pub fn keep_state(plan: &ZeroPlan<'_>) -> Result<(), ZeroError> {
    if let Some(last) = Checkpoint::load_any(plan.state)? {
        copy_file(&learner_file(plan.state, last.lesson), &plan.folder.join(LEARNER))?;
        // Who played the games is no part of what was found.
        Checkpoint { actors: None, ..last }.save(plan.folder)?;
    }
    Ok(())
}

/// The games of the finished run in `folder`, if it has kept what it needs to go on.
///
/// # Errors
/// When the file cannot be read.
pub fn kept_games(folder: &Path) -> Result<Option<usize>, ZeroError> {
    Ok(Checkpoint::load_any(folder)?.map(|kept| kept.begun))
}

/// Makes what the finished run in the folder of `plan` has kept the state of the run with more games that `plan` is of, unless there is
/// one; whether it did.
///
/// # Errors
/// When the finished run differs in more than the number of games; when a file cannot be read or written.
pub fn take_over<G: Planes>(plan: &ZeroPlan<'_>) -> Result<bool, ZeroError> {
    let known = Checkpoint::load_any(plan.state)?;
    let Some(kept) = Checkpoint::load_any(plan.folder)?.filter(|_| known.is_none()) else { return Ok(false) };
    let before = ZeroSettings { games: kept.begun, ..plan.settings.clone() };
    if (ZeroPlan { settings: &before, ..plan.clone() }).fingerprint::<G>() != kept.fingerprint {
        return Err(ZeroError::OtherRun(plan.folder.join(CHECKPOINT)));
    }
    copy_file(&plan.folder.join(LEARNER), &learner_file(plan.state, kept.lesson))?;
    describe_again::<G>(plan)?;
    // Last: with it the run has a state.
    Checkpoint { fingerprint: plan.fingerprint::<G>(), ..kept }.save(plan.state)?;
    Ok(true)
}

/// Writes the settings of `plan` into the networks that were kept on the way, whose files say how they were trained.
fn describe_again<G: Planes>(plan: &ZeroPlan<'_>) -> Result<(), ZeroError> {
    let entries = std::fs::read_dir(plan.folder).map_err(FileError::of("read", plan.folder))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    for name in names.filter(|name| is_kept_name(name)) {
        let (weights, about) = load(&plan.folder.join(&name))?;
        let games = about.training["games"].as_u64().unwrap_or_default();
        plan.save_network::<G>(&name, &weights, games as usize)?;
    }
    Ok(())
}
