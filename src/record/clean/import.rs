//! The import: records in, clean games and an account of every record out.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::between::{Candidate, Candidates, Marks};
use super::fingerprint::{self, Reflection};
use super::spool::{Blocks, Spool, Stored};
use super::{Cleaning, Step};
use crate::disk::Partial;
use crate::game::{Notation, Outcome};
use crate::observe::Observer;
use crate::record::account::{Balance, Dropped, Flaw, Reason, Scrutiny};
use crate::record::entry::{GameRecord, SourceLocation};
use crate::record::error::RecordError;
use crate::record::pgn::{build, parse};
use crate::record::write::to_pgn;
use crate::settings::Choices;

/// Games that are read back together, on all threads.
const BATCH: usize = 1024;

/// What is to be said of one record before it is compared with others.
pub(super) struct Judge<G: Notation> {
    pub cleaning: Cleaning,
    reflection: Option<Reflection<G>>,
}

/// What a record is, looked at alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Found {
    /// Dropped under the heading of this name, for what is told of it.
    Flaw(String, String),
    /// A game to be compared with others.
    Game(Box<Sound>),
}

/// A game that passed the checks of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sound {
    #[serde(flatten)]
    marks: Marks,
    text: String,
    /// Keys of all prefixes, if they are wanted.
    prefixes: Vec<u64>,
}

impl<G: Notation> Judge<G> {
    pub const fn new(cleaning: Cleaning, reflection: Option<Reflection<G>>) -> Self {
        Self { cleaning, reflection }
    }

    /// Where a record, read with [`Scrutiny::Moves`], stands, and what it is.
    pub fn judge(&self, record: Result<GameRecord<G>, Dropped>) -> (Option<SourceLocation>, Found) {
        let flaw = |flaw: Flaw| Found::Flaw(flaw.reason().name().to_owned(), flaw.to_string());
        match record {
            Err(dropped) => (Some(dropped.place), flaw(dropped.flaw)),
            Ok(mut game) => match self.cleaning.check(&mut game) {
                Err(found) => (game.source, flaw(found)),
                Ok(()) => (game.source.clone(), Found::Game(Box::new(self.sound(&game)))),
            },
        }
    }

    fn sound(&self, game: &GameRecord<G>) -> Sound {
        let keys = fingerprint::prefix_keys(game);
        let filled = game.tags().iter().filter(|(_, value)| !matches!(value.trim(), "" | "?" | "????.??.??")).count();
        let marks = Marks {
            whole: keys.last().copied().unwrap_or_default(),
            mirrored: self.reflection.as_ref().map(|reflection| fingerprint::mirrored_key(game, reflection)),
            headers: fingerprint::header_key(game),
            near: fingerprint::near_key(game, &keys, self.cleaning.near_plies),
            plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
            completeness: u16::try_from(filled).unwrap_or(u16::MAX),
            outcome: game.outcome.map(Outcome::value),
        };
        Sound {
            marks,
            text: to_pgn(game),
            prefixes: if self.cleaning.takes(Step::Prefixes) { keys } else { Vec::new() },
        }
    }
}

/// Takes records in, one by one.
///
/// Of each record that passes the checks of one, some 100 bytes and the name of its file stay in memory; games, keys of their
/// prefixes and the account wait on the disk.
pub struct Importer<G: Notation> {
    judge: Judge<G>,
    read: u64,
    dropped: BTreeMap<Reason, u64>,
    candidates: Vec<Candidate>,
    games: Spool,
    prefixes: Option<Spool>,
    ledger: Spool,
}

impl<G: Notation> Importer<G> {
    /// An import that sets records aside on the disk that holds `folder`. Without a reflection no mirror images are found.
    ///
    /// # Errors
    /// When no file can be made there.
    pub fn new(cleaning: Cleaning, reflection: Option<Reflection<G>>, folder: &Path) -> Result<Self, RecordError> {
        let spool = || Spool::new(folder).map_err(RecordError::Spool);
        let prefixes = if cleaning.takes(Step::Prefixes) { Some(spool()?) } else { None };
        Ok(Self {
            judge: Judge::new(cleaning, reflection),
            read: 0,
            dropped: BTreeMap::new(),
            candidates: Vec::new(),
            games: spool()?,
            prefixes,
            ledger: spool()?,
        })
    }

    /// Takes the next record of the input, read with [`Scrutiny::Moves`].
    ///
    /// # Errors
    /// When it cannot be set aside.
    pub fn enter(&mut self, record: Result<GameRecord<G>, Dropped>) -> Result<(), RecordError> {
        let (place, found) = self.judge.judge(record);
        self.take(place, found).map_err(RecordError::Spool)
    }

    /// Takes what the next record of the input was found to be.
    pub(super) fn take(&mut self, place: Option<SourceLocation>, found: Found) -> io::Result<()> {
        self.read += 1;
        match found {
            Found::Game(game) => self.keep(place, *game),
            Found::Flaw(reason, detail) => {
                let known: Reason = reason.parse().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
                *self.dropped.entry(known).or_insert(0) += 1;
                self.ledger.push(&ledger_line(place.as_ref(), &reason, &detail))
            }
        }
    }

    /// Sets a game aside until it can be compared with all others.
    fn keep(&mut self, place: Option<SourceLocation>, game: Sound) -> io::Result<()> {
        self.games.push(game.text.as_bytes())?;
        if let Some(prefixes) = &mut self.prefixes {
            let bytes: Vec<u8> = game.prefixes.iter().flat_map(|key| key.to_le_bytes()).collect();
            prefixes.push(&bytes)?;
        }
        self.candidates.push(Candidate { place, marks: game.marks, dropped: None });
        // An empty line of the ledger: what becomes of the next candidate is not known yet.
        self.ledger.push(b"")
    }

    /// Compares the games that were set aside.
    ///
    /// # Errors
    /// When what was set aside cannot be read.
    pub fn finish(self) -> Result<Cleaned, RecordError> {
        let stored = |spool: Spool| spool.finish().map_err(RecordError::Spool);
        let mut candidates = Candidates(self.candidates);
        let mut prefixes = self.prefixes.map(stored).transpose()?;
        candidates.compare(&self.judge.cleaning, prefixes.as_mut()).map_err(RecordError::Spool)?;
        let (mut kept, mut dropped) = (0, self.dropped);
        for candidate in &candidates.0 {
            match candidate.dropped {
                None => kept += 1,
                Some((reason, _)) => *dropped.entry(reason).or_insert(0) += 1,
            }
        }
        let (read, lost) = (self.read, dropped.values().sum());
        if read != kept + lost {
            return Err(RecordError::Unbalanced { read, kept, dropped: lost });
        }
        let balance = Balance { read, kept, dropped };
        Ok(Cleaned { balance, candidates, games: stored(self.games)?, ledger: stored(self.ledger)? })
    }
}

/// Between the fields of a line in the ledger; no field holds it.
const SEPARATOR: char = '\0';

/// A line of the account: file, game, line, heading and detail.
fn ledger_line(place: Option<&SourceLocation>, reason: &str, detail: &str) -> Vec<u8> {
    let (file, game, line) = place.map_or(("", 0, 0), |place| (&*place.file.shown, place.game, place.line));
    let [file, detail] = [file, detail].map(|text| text.replace(SEPARATOR, ""));
    format!("{file}\0{game}\0{line}\0{reason}\0{detail}").into_bytes()
}

/// What an import came to.
pub struct Cleaned {
    balance: Balance,
    candidates: Candidates,
    games: Stored,
    ledger: Stored,
}

/// A game that is kept.
#[derive(Debug, Clone)]
pub struct Kept<G: Notation> {
    /// The game; its place is that in the input.
    pub record: GameRecord<G>,
    /// Its [`game_key`](super::game_key), by which collections are split.
    pub key: u64,
}

impl Cleaned {
    /// How many records came under which heading.
    pub const fn balance(&self) -> &Balance {
        &self.balance
    }

    /// Outcome and plies of each game that is kept, in order.
    pub fn kept(&self) -> impl Iterator<Item = (Option<Outcome>, u32)> {
        let kept = self.candidates.0.iter().filter(|candidate| candidate.dropped.is_none());
        kept.map(|Candidate { marks, .. }| (marks.outcome.map(Outcome::of_value), marks.plies))
    }

    /// Hands each game that is kept to `visit`, in the order of the input; no more than a batch is in memory.
    ///
    /// # Errors
    /// When what was set aside cannot be read, and what `visit` returns.
    pub fn for_each_kept<G: Notation>(
        &mut self,
        observer: &dyn Observer,
        mut visit: impl FnMut(Kept<G>) -> Result<(), RecordError>,
    ) -> Result<(), RecordError> {
        observer.begin("writing games", self.balance.kept);
        let mut blocks = self.games.blocks().map_err(RecordError::Spool)?;
        let outcome = self.candidates.0.chunks(BATCH).try_for_each(|batch| {
            let texts = kept_texts(&mut blocks, batch).map_err(RecordError::Spool)?;
            let games: Vec<_> = texts.par_iter().map(|(candidate, text)| read_back::<G>(candidate, text)).collect();
            observer.advance(games.len() as u64);
            games.into_iter().try_for_each(|game| visit(game?))
        });
        observer.end();
        outcome
    }

    /// Writes the account: a row for each record of the input, in order, with its heading (`kept`, or why it was
    /// dropped) and what was found; for copies, which record is kept instead.
    ///
    /// # Errors
    /// When the file cannot be written; then there is no new one.
    pub fn write_account(&mut self, path: &Path) -> Result<(), RecordError> {
        let partial = Partial::new(path);
        self.write_account_to(partial.path()).map_err(|cause| partial.failed(cause))?;
        Ok(partial.appear()?)
    }

    fn write_account_to(&mut self, path: &Path) -> io::Result<()> {
        let mut out = csv::Writer::from_path(path).map_err(io::Error::other)?;
        out.write_record(["file", "game", "line", "heading", "detail"]).map_err(io::Error::other)?;
        let mut lines = self.ledger.blocks()?;
        let mut line = Vec::new();
        let mut next_candidate = 0;
        for _ in 0..self.balance.read {
            lines.next_into(&mut line)?;
            if line.is_empty() {
                line = line_of(&self.candidates, next_candidate);
                next_candidate += 1;
            }
            out.write_record(line.split(|&byte| byte == 0)).map_err(io::Error::other)?;
        }
        out.flush()
    }
}

/// The line of a candidate, now that its fate is known.
fn line_of(candidates: &Candidates, index: u32) -> Vec<u8> {
    let candidate = &candidates.0[index as usize];
    let Some((reason, _)) = candidate.dropped else { return ledger_line(candidate.place.as_ref(), "kept", "") };
    let kept = candidates.kept_for(index).and_then(|kept| candidates.0[kept as usize].place.as_ref());
    let detail = kept.map_or_else(String::new, |place| format!("kept: {place}"));
    ledger_line(candidate.place.as_ref(), reason.name(), &detail)
}

/// The texts of those games of a batch that are kept.
fn kept_texts<'c>(blocks: &mut Blocks<'_>, batch: &'c [Candidate]) -> io::Result<Vec<(&'c Candidate, Vec<u8>)>> {
    let mut texts = Vec::new();
    let mut block = Vec::new();
    for candidate in batch {
        blocks.next_into(&mut block)?;
        if candidate.dropped.is_none() {
            texts.push((candidate, std::mem::take(&mut block)));
        }
    }
    Ok(texts)
}

fn read_back<G: Notation>(candidate: &Candidate, text: &[u8]) -> Result<Kept<G>, RecordError> {
    let unreadable = || RecordError::Spool(io::ErrorKind::InvalidData.into());
    let text = std::str::from_utf8(text).map_err(|_| unreadable())?;
    let raw = parse(text, 1).into_iter().next().and_then(Result::ok).ok_or_else(unreadable)?;
    let mut record = build::<G>(raw, Scrutiny::Moves).map_err(|_| unreadable())?;
    record.source.clone_from(&candidate.place);
    Ok(Kept { record, key: candidate.marks.whole })
}
