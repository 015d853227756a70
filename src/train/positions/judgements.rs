//! What evaluators said of games, kept in a file: searches are the cost of learning from them, and each game is searched once.

use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::judge::Judged;
use crate::arena::{Damage, Journal, JournalError, Owner};
use crate::disk::{FileError, sha256};
use crate::game::SearchHints;
use crate::observe::Observer;
use crate::record::GameRecord;

/// Judgements of games in a journal, one line a game. Those that the file holds are taken from there, new ones are appended at once.
#[derive(Debug)]
pub struct Judgements {
    journal: Journal,
    known: FxHashMap<String, Judged>,
    /// The first judgement that could not be written.
    failure: Mutex<Option<FileError>>,
}

/// One line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<J> {
    game: String,
    judged: J,
}

impl Judgements {
    /// Opens the file, or makes it, and puts those of the files `parts` into it. The `owner` is what judgements depend on beside the
    /// game. Lines that are none are left out, which the observer is told.
    ///
    /// # Errors
    /// When a file cannot be used, is in use, or holds judgements of another owner; when two of them judge one game in different ways.
    pub fn open(
        path: &Path,
        parts: &[PathBuf],
        owner: Owner<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, JournalError> {
        let mut gathered: FxHashMap<String, Value> = FxHashMap::default();
        Journal::gather(path, owner, parts, |file, place, entry| {
            let Ok(Entry { game, judged }) = entry else { return Ok(()) };
            match gathered.entry(game) {
                Occupied(before) if *before.get() != judged => {
                    Err(JournalError::contradiction(file, place, &format!("game {}", before.key())))
                }
                Occupied(_) => Ok(()),
                Vacant(new) => {
                    new.insert(judged);
                    Ok(())
                }
            }
        })?;
        let (mut known, mut damage) = (FxHashMap::default(), Damage::default());
        let journal = Journal::open(path, owner, |place, entry| {
            known.extend(damage.sift(place, entry).map(|Entry { game, judged }| (game, judged)));
            Ok(())
        })?;
        damage.remark(path, "judged").iter().for_each(|remark| observer.note(remark));
        Ok(Self { journal, known, failure: Mutex::new(None) })
    }

    /// What the file says of the game `record`, or else what `judge` says, which the file holds from then on. Judgements of one
    /// game that differ in `purpose` stand side by side.
    pub(super) fn of<G: SearchHints>(
        &self,
        record: &GameRecord<G>,
        purpose: &str,
        judge: impl FnOnce() -> Judged,
    ) -> Judged {
        let game = name_of(record) + purpose;
        if let Some(judged) = self.known.get(&game) {
            return judged.clone();
        }
        let judged = judge();
        if let Err(error) = self.journal.append(&Entry { game, judged: &judged }) {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        judged
    }

    /// Closes the file.
    ///
    /// # Errors
    /// When a judgement could not be written.
    pub fn close(self) -> Result<(), FileError> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// What decides which part of a run judges the game `record`.
pub fn hash_of_game<G: SearchHints>(record: &GameRecord<G>) -> u64 {
    FxBuildHasher.hash_one(name_of(record))
}

/// Equal names, equal starts and moves.
fn name_of<G: SearchHints>(record: &GameRecord<G>) -> String {
    let moves = record.moves.iter().flat_map(|&mv| (G::move_slot(mv) as u32).to_le_bytes());
    let bytes: Vec<u8> = record.start.key().to_le_bytes().into_iter().chain(moves).collect();
    let mut name = sha256(&bytes);
    name.truncate(32);
    name
}
