//! The state from which a killed run resumes.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::curve::LearningPoint;
use super::error::ZeroError;
use super::finished::Line;
use crate::disk::{FileError, sealed_json, unsealed_json, write_file};

/// The file's name in the folder of the state.
pub(super) const CHECKPOINT: &str = "checkpoint.json";

/// Where a run stands between two lessons. The learner's state lies in a file of its own, finished games in another; what is not
/// here follows from seed and settings: every search draws from a stream of its own, and begins anew with each checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Checkpoint {
    /// What the run depends on, in short.
    pub fingerprint: String,
    /// Lessons that the learner has had.
    pub lesson: u64,
    /// Games that it has had in them.
    pub taken: usize,
    /// Steps that it has made.
    pub steps: u64,
    /// The length of the file of finished games, in bytes.
    pub length: u64,
    /// Games that have begun.
    pub begun: usize,
    /// The learning curve so far.
    pub curve: Vec<LearningPoint>,
    /// The games in flight, seat by seat.
    pub in_flight: Vec<Line>,
    /// The number of processes that play the games, if the one that learns leaves them to others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actors: Option<u64>,
}

impl Checkpoint {
    /// Puts it in the place of the one before in the folder `state`.
    pub fn save(&self, state: &Path) -> Result<(), ZeroError> {
        let path = state.join(CHECKPOINT);
        let text = sealed_json(serde_json::to_string(self).unwrap_or_default());
        Ok(write_file(&path, text.as_bytes())?)
    }

    /// That of the run that `fingerprint` stands for; `None` if there is none yet.
    pub fn load(state: &Path, fingerprint: &str) -> Result<Option<Self>, ZeroError> {
        match Self::load_any(state)? {
            Some(checkpoint) if checkpoint.fingerprint != fingerprint => {
                Err(ZeroError::OtherRun(state.join(CHECKPOINT)))
            }
            checkpoint => Ok(checkpoint),
        }
    }

    /// That in the folder `state`, whatever run it is of.
    pub(crate) fn load_any(state: &Path) -> Result<Option<Self>, ZeroError> {
        let path = state.join(CHECKPOINT);
        let text = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(FileError::of("read", &path))?,
        };
        let parsed = match unsealed_json(&text) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| error.to_string()),
            Err(changed) => Err(changed.to_string()),
        };
        parsed.map(Some).map_err(|problem| ZeroError::Broken { path, problem })
    }
}
