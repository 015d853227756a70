//! A process that plays a part of the games of a run, with the networks of another one that learns from them.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::checkpoint::Checkpoint;
use super::error::ZeroError;
use super::generation::{GenerationFolder, Waiting, is_learned, lock_file};
use super::learner_thread::learner_file;
use super::run::{REMARK_EVERY, ZeroPlan, remark};
use super::self_play::SelfPlay;
use crate::arena::Shard;
use crate::disk::{FileError, Lock};
use crate::game::Planes;
use crate::net::residual::store::load;
use crate::observe::Observer;

/// What an actor has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActorReport {
    /// Games that it has played.
    pub games: usize,
    /// Whether the run needs no more of them; else it was asked to stop.
    pub is_over: bool,
}

/// Plays the games of the run of `plan` that fall to `part` by their number, generation after generation, with the networks that
/// [`run`](super::run()) leaves in the state of the run; waits where there is none yet. Whatever the moment at which it is killed, finished
/// games are kept, and none is played again.
///
/// # Errors
/// When the state is of another run, or of one whose games are split in another way or not at all; when another process plays this
/// part, or a file cannot be read or written.
pub fn act<G: Planes>(
    plan: &ZeroPlan<'_>,
    part: Shard,
    (observer, stop): (&dyn Observer, &(dyn Fn() -> bool + Sync)),
) -> Result<ActorReport, ZeroError> {
    plan.check::<G>()?;
    if !plan.settings.is_by_generation() {
        return Err(ZeroError::NotApart);
    }
    let start: G = plan.settings.start()?;
    let folder = GenerationFolder::new(plan.state, start.clone());
    let fingerprint = plan.fingerprint::<G>();
    let mut actor = Actor { plan, part, fingerprint, start, folder, observer, stop, lock: None, played: 0 };
    let games = (0..plan.settings.games).filter(|&number| part.holds(number as u64)).count();
    observer.begin(&format!("part {part}"), games as u64);
    let is_over = actor.go_on();
    observer.end();
    Ok(ActorReport { games: actor.played, is_over: is_over? })
}

/// An actor at work.
struct Actor<'a, G: Planes> {
    plan: &'a ZeroPlan<'a>,
    part: Shard,
    fingerprint: String,
    start: G,
    folder: GenerationFolder<G>,
    observer: &'a dyn Observer,
    stop: &'a (dyn Fn() -> bool + Sync),
    /// Held against other actors of the same part, once there is a state.
    lock: Option<Lock>,
    played: usize,
}

impl<G: Planes> Actor<'_, G> {
    /// Generation after generation; whether the run is over.
    fn go_on(&mut self) -> Result<bool, ZeroError> {
        let (mut waiting, mut begun) = (Waiting::begin(), None);
        while !(self.stop)() {
            let (known, what) = match self.learner_state() {
                // It is what another process has left, and may be taken up in another way.
                Err(left @ (ZeroError::NoActors | ZeroError::OtherParts { .. })) if !is_learned(self.plan.state)? => {
                    (None, format!("waits for the process that learns; what is there was left by another: {left}"))
                }
                known => (known?, "waits for the process that learns".to_owned()),
            };
            let Some(known) = known else {
                // A finished run has no such state any more, but the one that it keeps.
                if Checkpoint::load(self.plan.folder, &self.fingerprint).is_ok_and(|kept| kept.is_some()) {
                    return Ok(true);
                }
                waiting.pause(self.observer, &what);
                continue;
            };
            if begun != Some(known.begun) {
                self.observer.advance(self.count_mine(begun.unwrap_or_default()..known.begun));
                (waiting, begun) = (Waiting::begin(), Some(known.begun));
            }
            if known.begun == self.plan.settings.games {
                return Ok(true);
            }
            if !self.play_generation(&known)? {
                waiting.pause(self.observer, "waits for the other parts, and for the network that learns from all");
            }
        }
        Ok(false)
    }

    fn count_mine(&self, numbers: Range<usize>) -> u64 {
        numbers.filter(|&number| self.part.holds(number as u64)).count() as u64
    }

    /// Where the process that learns stands, if it has begun; from then on this part is held.
    fn learner_state(&mut self) -> Result<Option<Checkpoint>, ZeroError> {
        let Some(known) = Checkpoint::load(self.plan.state, &self.fingerprint)? else { return Ok(None) };
        let expected = known.actors.ok_or(ZeroError::NoActors)?;
        if expected != self.part.count() {
            return Err(ZeroError::OtherParts { expected, found: self.part.count() });
        }
        if self.lock.is_none() {
            let file = lock_file(self.plan.state, &format!("actor-{}.lock", self.part.in_names()))?;
            let lock = Lock::of_file(file).map_err(FileError::of("lock", self.plan.state))?;
            self.lock = Some(lock.ok_or(ZeroError::PartBusy(self.part))?);
        }
        Ok(Some(known))
    }

    /// Plays the games of this part that are missing in the generation that `known` begins; whether there was anything to do.
    fn play_generation(&mut self, known: &Checkpoint) -> Result<bool, ZeroError> {
        let missing = self.folder.missing(self.plan.settings.generation(known.begun))?;
        let mine: Vec<usize> = missing.into_iter().filter(|&number| self.part.holds(number as u64)).collect();
        if mine.is_empty() {
            return Ok(false);
        }
        let weights = match load(&learner_file(self.plan.state, known.lesson)) {
            Ok((weights, _)) => weights,
            // The other process may have gone on at this moment.
            Err(_) if !self.is_current(known) => return Ok(true),
            Err(error) => return Err(error.into()),
        };
        let context = self.plan.self_play(self.start.clone(), &weights, known.lesson)?;
        let mut play = SelfPlay::new(context, Vec::new(), known.begun);
        play.play_next(mine.into_iter());
        // As one piece of work of the pool, which need not be woken for each step.
        rayon::scope(|_| self.play_rounds(&mut play, known))?;
        Ok(true)
    }

    /// Plays until no game is left, or this process is to stop, or the run has gone on without it.
    fn play_rounds(&mut self, play: &mut SelfPlay<'_, G>, known: &Checkpoint) -> Result<(), ZeroError> {
        let begun = Instant::now();
        let mut remarked = Duration::ZERO;
        while !play.in_flight.is_empty() && !(self.stop)() {
            play.round();
            let finished = std::mem::take(&mut play.finished);
            if !finished.is_empty() {
                if !self.is_current(known) {
                    return Ok(());
                }
                match self.folder.store(&finished) {
                    Err(_) if !self.is_current(known) => return Ok(()),
                    stored => stored?,
                }
                self.played += finished.len();
            }
            if begun.elapsed() > remarked + REMARK_EVERY {
                remarked = begun.elapsed();
                self.observer.remark(&remark(play.counts, remarked));
            }
        }
        Ok(())
    }

    /// Whether the run is still where `known` says.
    fn is_current(&self, known: &Checkpoint) -> bool {
        let now = Checkpoint::load(self.plan.state, &self.fingerprint);
        now.is_ok_and(|now| now.is_some_and(|now| now.begun == known.begun && now.actors == known.actors))
    }
}
