//! A whole run: self-play and lessons side by side, with checkpoints.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use super::checkpoint::Checkpoint;
use super::counts::SelfPlayCounts;
use super::curve::{LearningPoint, SelfPlayFigures};
use super::error::ZeroError;
use super::finished::{Course, FinishedGame};
use super::generation::{GenerationFolder, Waiting, begin_learning, missing_parts};
use super::in_flight::SelfPlayContext;
use super::init::InitialNetwork;
use super::learner_thread::{GameBatch, LearnerChannel, LearnerState, LearnerThread, learner_file};
use super::log::{GameFile, Known};
use super::replay_buffer::ReplayBuffer;
use super::self_play::{SelfPlay, Times, evaluator_of};
use super::settings::{Sync, ZeroSettings};
use crate::arena::Shard;
use crate::disk::{FileError, sha256};
use crate::game::Planes;
use crate::net::residual::store::{About, save};
use crate::net::residual::{Learner, LearnerSettings, Losses, Weights};
use crate::observe::Observer;
use crate::record::SELF_PLAY_GAMES;
use crate::search::mcts::EvaluationCache;
use crate::settings::require;

/// The file of finished games in the folder of a run.
pub const GAMES: &str = SELF_PLAY_GAMES;
/// The last network in the folder of a run.
pub const NETWORK: &str = "net.safetensors";
/// Legal moves of a position beyond which its evaluation is not remembered.
const REMEMBERED_MOVES: usize = 128;
/// How often the observer is told the speed.
pub(super) const REMARK_EVERY: Duration = Duration::from_secs(1);

/// Where a run writes, and what it is.
#[derive(Debug, Clone)]
pub struct ZeroPlan<'a> {
    /// The settings.
    pub settings: &'a ZeroSettings,
    /// The seed of all that is drawn.
    pub seed: u64,
    /// The network that it starts from; without one, random weights.
    pub init: Option<&'a InitialNetwork>,
    /// How many other processes play the games ([`act`](super::act)), if this one is only to learn.
    pub actors: Option<u64>,
    /// The folder for games and networks, which exists.
    pub folder: &'a Path,
    /// The folder for checkpoints, which exists; a run goes on from what is in it.
    pub state: &'a Path,
}

/// Who watches a run.
pub struct SelfPlayObserver<'a> {
    /// Receives the progress and the speed.
    pub observer: &'a dyn Observer,
    /// Receives the learning curve each time it has grown.
    pub record: &'a mut dyn FnMut(&[LearningPoint]) -> Result<(), ZeroError>,
    /// Asks the run to stop at the next checkpoint.
    pub stop: &'a (dyn Fn() -> bool + std::marker::Sync),
}

/// The outcome of a run, or of the part of it since it was last resumed.
#[derive(Debug, Clone)]
pub struct ZeroReport {
    /// Whether all games are played and learned from; else it was asked to stop.
    pub is_complete: bool,
    /// Games learned from.
    pub games: usize,
    /// The learning curve, from the beginning of the run.
    pub curve: Vec<LearningPoint>,
    /// The network.
    pub weights: Weights,
    /// Its speed since it was last resumed.
    pub speed: Speed,
}

/// How fast a run was. Measured, and no part of its results.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Speed {
    /// What was counted.
    pub counts: SelfPlayCounts,
    /// Where the time went.
    pub times: Times,
    /// Time that the games waited for the learner.
    pub waiting: Duration,
    /// Time that the learner spent learning, beside the games.
    pub learning: Duration,
    /// The whole time.
    pub whole: Duration,
}

/// The name of the network after `games` games.
pub fn kept_name(games: usize) -> String {
    format!("net-{games:06}.safetensors")
}

/// Whether `name` is one that [`kept_name`] gives.
pub fn is_kept_name(name: &str) -> bool {
    let number = name.strip_prefix("net-").and_then(|rest| rest.strip_suffix(".safetensors"));
    number.is_some_and(|number| number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Plays and learns as `plan` says, from where an earlier run with the same plan was killed or stopped. The same settings and seed
/// give the same files on any number of threads, and however often the run is killed, if lessons begin after numbers of games.
///
/// # Errors
/// When a setting is out of range, a file cannot be read or written, or the weights grow without bound.
pub fn run<G: Planes>(plan: &ZeroPlan<'_>, watcher: &mut SelfPlayObserver<'_>) -> Result<ZeroReport, ZeroError> {
    plan.check::<G>()?;
    let fingerprint = plan.fingerprint::<G>();
    let known = Checkpoint::load(plan.state, &fingerprint)?;
    thread::scope(|scope| {
        let run = Run::<G>::begin(scope, plan, (fingerprint, known))?;
        // Others find in the state what this run is, from now on.
        let _at_work = plan.settings.is_by_generation().then(|| begin_learning(plan.state)).transpose()?;
        run.go(watcher)
    })
}

impl ZeroPlan<'_> {
    /// Checks that such a run is possible.
    ///
    /// # Errors
    /// For the first setting that is out of range; when the network to start from does not fit, or games cannot be played by others.
    pub fn check<G: Planes>(&self) -> Result<(), ZeroError> {
        self.settings.check()?;
        self.settings.shape::<G>().check()?;
        self.init.map_or(Ok(()), |init| init.check::<G>(self.settings))?;
        let Some(actors) = self.actors else { return Ok(()) };
        require(Shard::new(1, actors).is_ok(), "actors", "in [1, 1000000]", actors)?;
        if self.settings.is_by_generation() { Ok(()) } else { Err(ZeroError::NotApart) }
    }

    /// What the files of the run depend on, in short.
    pub(super) fn fingerprint<G: Planes>(&self) -> String {
        let init = self.init.map(|init| format!(", from {}", init.file.1)).unwrap_or_default();
        let what = (crate::PROGRAM, G::NAME.to_owned() + &init, self.seed, self.settings);
        sha256(&serde_json::to_vec(&what).unwrap_or_default())
    }

    /// The weights before the first lesson.
    ///
    /// # Errors
    /// When the network's sizes are out of range.
    pub fn initial_weights<G: Planes>(&self) -> Result<Weights, ZeroError> {
        match self.init {
            Some(init) => Ok(init.weights.clone()),
            None => Ok(Weights::random(self.settings.shape::<G>(), self.seed, "zero initial weights")?),
        }
    }

    /// Self-play from `start` by the network `weights`, which has had `lesson` lessons.
    pub(super) fn self_play<G: Planes>(
        &self,
        start: G,
        weights: &Weights,
        lesson: u64,
    ) -> Result<SelfPlayContext<'_, G>, ZeroError> {
        let &Self { settings, seed, .. } = self;
        let cache = EvaluationCache::new(settings.cache, REMEMBERED_MOVES);
        Ok(SelfPlayContext { settings, seed, start, evaluator: evaluator_of(weights, settings)?, cache, lesson })
    }

    pub(super) fn save_network<G: Planes>(&self, name: &str, weights: &Weights, games: usize) -> Result<(), ZeroError> {
        let mut training = serde_json::json!({ "seed": self.seed, "games": games, "settings": self.settings });
        if let Some(init) = self.init {
            training["init"] = serde_json::json!(init.file);
        }
        Ok(save(&self.folder.join(name), weights, &About { training, ..self.settings.about::<G>() })?)
    }
}

/// A run in progress.
struct Run<'scope, G: Planes> {
    plan: &'scope ZeroPlan<'scope>,
    fingerprint: String,
    learner: LearnerChannel<G>,
    play: SelfPlay<'scope, G>,
    games: GameFile,
    /// Where the games of a generation are until all are there.
    generation: GenerationFolder<G>,
    /// What was counted of the games of the last generation that was gathered, until it is in the curve.
    gathered: SelfPlayCounts,
    /// Finished games that were not handed to the learner.
    queue: Vec<FinishedGame<G>>,
    /// Games that were.
    handed: usize,
    /// The learner's last report.
    state: LearnerState,
    /// Games that the learner had had by then.
    taken: usize,
    curve: Vec<LearningPoint>,
    speed: Speed,
}

impl<'scope, G: Planes> Run<'scope, G> {
    fn begin(
        scope: &'scope Scope<'scope, '_>,
        plan: &'scope ZeroPlan<'scope>,
        (fingerprint, known): (String, Option<Checkpoint>),
    ) -> Result<Self, ZeroError> {
        let start: G = plan.settings.start()?;
        let (games, mut finished) =
            GameFile::open(&plan.folder.join(GAMES), known_games(plan, known.as_ref()), &start)?;
        let in_flight = known.as_ref().map(|known| games_in_flight(plan, known, (&start, &finished)));
        let (courses, begun) = in_flight.transpose()?.unwrap_or_default();
        let generation = GenerationFolder::new(plan.state, start.clone());
        let taken = known.as_ref().map_or(0, |known| known.taken);
        let queue = finished.split_off(taken.min(finished.len()));
        let learner = LearnerChannel::begin(scope, learner_thread(plan, known.as_ref(), (start.clone(), finished))?);
        let state = learner.wait()?;
        let context = plan.self_play(start, &state.weights, state.lesson)?;
        let mut play = SelfPlay::new(context, courses, begun);
        if !plan.settings.is_by_generation() {
            play.play_next(begun..plan.settings.games);
        }
        // Those who play for others, too, are told that there is such a run, and how many they are.
        let is_news = known.as_ref().is_none_or(|known| known.actors != plan.actors);
        let curve = known.map(|known| known.curve).unwrap_or_default();
        let (gathered, speed) = (SelfPlayCounts::default(), Speed::default());
        let run = Self {
            plan,
            fingerprint,
            learner,
            play,
            games,
            generation,
            gathered,
            queue,
            handed: taken,
            state,
            taken,
            curve,
            speed,
        };
        // From now on games that were played are known to be of this run.
        if is_news {
            run.checkpoint()?;
        }
        Ok(run)
    }

    /// Lesson after lesson to the end, or to the first checkpoint after `watcher` asks to stop.
    fn go(mut self, watcher: &mut SelfPlayObserver<'_>) -> Result<ZeroReport, ZeroError> {
        let begun = Instant::now();
        watcher.observer.begin("self-play", self.plan.settings.games as u64);
        watcher.observer.advance((self.handed + self.queue.len()) as u64);
        let (mut is_complete, taken_before) = (true, self.taken);
        loop {
            if !self.play_until_lesson(watcher)? {
                is_complete = false;
                break;
            }
            self.await_lesson()?;
            self.finish_lesson(watcher)?;
            if self.taken == self.plan.settings.games {
                break;
            }
            // However often a run is stopped, each part of it gets further.
            let is_further = self.speed.counts.rounds > 0 || self.taken > taken_before;
            if is_further && (watcher.stop)() {
                is_complete = false;
                break;
            }
            self.hand_over()?;
        }
        watcher.observer.end();
        self.speed.whole = begun.elapsed();
        self.speed.times = self.play.times;
        if is_complete {
            self.plan.save_network::<G>(NETWORK, &self.state.weights, self.taken)?;
        }
        let Self { curve, state, speed, taken: games, .. } = self;
        Ok(ZeroReport { is_complete, games, curve, weights: state.weights, speed })
    }

    /// Plays until there are games enough for the next lesson, if any are left, or has others play; whether there are.
    fn play_until_lesson(&mut self, watcher: &SelfPlayObserver<'_>) -> Result<bool, ZeroError> {
        if !self.plan.settings.is_by_generation() {
            self.play_on(watcher.observer)?;
            return Ok(true);
        }
        let numbers = self.handed + self.queue.len()..self.plan.settings.next_lesson(self.handed).unwrap_or_default();
        if numbers.is_empty() {
            return Ok(true);
        }
        let are_there = match self.plan.actors {
            None => self.play_generation(numbers.clone(), watcher).map(|()| true),
            Some(actors) => self.await_generation(numbers.clone(), actors, watcher),
        };
        if !are_there? {
            return Ok(false);
        }
        let games = self.generation.gather(numbers, self.state.lesson)?;
        self.gathered = SelfPlayCounts::of_games(&games);
        self.games.append(&games)?;
        self.queue.extend(games);
        Ok(true)
    }

    /// Plays the games with these `numbers` that are not there, and keeps each as it ends.
    fn play_generation(&mut self, numbers: Range<usize>, watcher: &SelfPlayObserver<'_>) -> Result<(), ZeroError> {
        let missing = self.generation.missing(numbers.clone())?;
        watcher.observer.advance((numbers.len() - missing.len()) as u64);
        self.play.play_next(missing.into_iter());
        self.play_on(watcher.observer)
    }

    /// Waits until others have played the games with these `numbers`; whether they have, else it was asked to stop.
    fn await_generation(
        &self,
        numbers: Range<usize>,
        actors: u64,
        watcher: &SelfPlayObserver<'_>,
    ) -> Result<bool, ZeroError> {
        let parts = Shard::new(1, actors)?;
        let (mut left, mut waiting) = (numbers.len(), Waiting::begin());
        loop {
            let missing = self.generation.missing(numbers.clone())?;
            if missing.len() < left {
                watcher.observer.advance((left - missing.len()) as u64);
                (left, waiting) = (missing.len(), Waiting::begin());
            }
            if missing.is_empty() || (watcher.stop)() {
                return Ok(missing.is_empty());
            }
            waiting.pause(watcher.observer, &missing_parts(&missing, parts));
        }
    }

    /// Plays until there are games enough for the next lesson, or none is in flight.
    fn play_on(&mut self, observer: &dyn Observer) -> Result<(), ZeroError> {
        // As one piece of work of the pool: a thread outside it would be put to sleep and woken for each step of each round. On a
        // single thread the lesson waits until the games are played.
        rayon::scope(|_| self.play_rounds(observer))
    }

    fn play_rounds(&mut self, observer: &dyn Observer) -> Result<(), ZeroError> {
        let begun = Instant::now();
        let mut remarked = begun;
        while !self.is_due(begun) && !self.play.in_flight.is_empty() {
            self.play.round();
            self.store_finished(observer)?;
            if remarked.elapsed() > REMARK_EVERY {
                remarked = Instant::now();
                let losses = self.state.losses.map(|l| format!(", losses {:.2} {:.2}", l.policy, l.value));
                let speed = remark(self.play.counts, begun.elapsed());
                observer.remark(&(speed + &losses.unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// Writes down the games that ended in the last round.
    fn store_finished(&mut self, observer: &dyn Observer) -> Result<(), ZeroError> {
        let finished = std::mem::take(&mut self.play.finished);
        observer.advance(finished.len() as u64);
        if self.plan.settings.is_by_generation() {
            return if finished.is_empty() { Ok(()) } else { self.generation.store(&finished) };
        }
        self.games.append(&finished)?;
        self.queue.extend(finished);
        Ok(())
    }

    /// Whether there are games enough for the next lesson.
    fn is_due(&self, begun: Instant) -> bool {
        let ready = self.queue.len();
        match (self.plan.settings.next_lesson(self.handed), self.plan.settings.sync) {
            (Some(end), _) => self.handed + ready >= end,
            (None, Sync::Seconds(seconds)) => ready > 0 && begun.elapsed().as_secs_f64() >= seconds,
            (None, Sync::Games(_) | Sync::Generation(_)) => true,
        }
    }

    /// Waits for the end of the current lesson, if there is one.
    fn await_lesson(&mut self) -> Result<(), ZeroError> {
        if self.taken < self.handed {
            let begun = Instant::now();
            self.state = self.learner.wait()?;
            self.taken = self.handed;
            self.speed.waiting += begun.elapsed();
            self.speed.learning += self.state.time;
        }
        Ok(())
    }

    /// Plays on with the weights of the last lesson, and writes the curve, the networks and the checkpoint.
    fn finish_lesson(&mut self, watcher: &mut SelfPlayObserver<'_>) -> Result<(), ZeroError> {
        let played = std::mem::take(&mut self.play.counts);
        self.speed.counts += played;
        let gathered = std::mem::take(&mut self.gathered);
        let counts = if self.plan.settings.is_by_generation() { gathered } else { played };
        // Where a run is taken up, nothing was played since its checkpoint.
        if counts != SelfPlayCounts::default() || self.curve.last().is_none_or(|last| last.lesson < self.state.lesson) {
            self.curve.push(self.point(counts));
            (watcher.record)(&self.curve)?;
        }
        if self.plan.settings.is_kept(self.taken) {
            self.plan.save_network::<G>(&kept_name(self.taken), &self.state.weights, self.taken)?;
        }
        self.play.change_weights(evaluator_of(&self.state.weights, self.plan.settings)?, self.state.lesson);
        // A run of more games goes on from where this one stands before its last lesson.
        if self.taken < self.plan.settings.games { self.checkpoint() } else { Ok(()) }
    }

    fn point(&self, counts: SelfPlayCounts) -> LearningPoint {
        let LearnerState { lesson, losses, steps, pool, .. } = self.state;
        let losses = losses.map(|Losses { policy, value, l2 }| [policy, value, l2]);
        LearningPoint { lesson, games: self.taken, pool, steps, losses, play: counts.into() }
    }

    fn checkpoint(&self) -> Result<(), ZeroError> {
        let begun = if self.plan.settings.is_by_generation() { self.taken + self.queue.len() } else { self.play.begun };
        let checkpoint = Checkpoint {
            fingerprint: self.fingerprint.clone(),
            lesson: self.state.lesson,
            taken: self.taken,
            steps: self.state.steps,
            length: self.games.length,
            begun,
            curve: self.curve.clone(),
            in_flight: self.play.in_flight.iter().map(|game| game.course().to_line()).collect(),
            actors: self.plan.actors,
        };
        checkpoint.save(self.plan.state)?;
        self.generation.forget(begun)?;
        Ok(remove_old_learners(self.plan.state, self.state.lesson)?)
    }

    /// Hands the games of the next lesson to the learner.
    fn hand_over(&mut self) -> Result<(), ZeroError> {
        let end = self.plan.settings.next_kept(self.handed);
        let end = self.plan.settings.next_lesson(self.handed).unwrap_or(end);
        let count = (end - self.handed).min(self.queue.len());
        let games: Vec<_> = self.queue.drain(..count).collect();
        self.handed += count;
        self.learner.hand(GameBatch { number: self.state.lesson + 1, games, taken: self.handed })
    }
}

/// Speed and batch in a few words.
pub(super) fn remark(counts: SelfPlayCounts, elapsed: Duration) -> String {
    let (play, seconds) = (SelfPlayFigures::from(counts), elapsed.as_secs_f64());
    let [moves, simulations] = [counts.moves, counts.simulations].map(|count| count as f64 / seconds);
    let [batch, hits] = [play.batch, play.cache_hits].map(Option::unwrap_or_default);
    format!("{moves:.0} moves/s, {simulations:.0} sims/s, batch {batch:.0}, cached {:.0} %", 100.0 * hits)
}

/// The learner that `known` tells of, after the `finished` games; at the beginning without.
fn learner_thread<'a, G: Planes>(
    plan: &'a ZeroPlan<'a>,
    known: Option<&Checkpoint>,
    (start, finished): (G, Vec<FinishedGame<G>>),
) -> Result<LearnerThread<'a, G>, ZeroError> {
    let ZeroPlan { settings, seed, state: folder, .. } = *plan;
    let (lesson, steps) = known.map_or((0, 0), |known| (known.lesson, known.steps));
    let (device, lessons) = (settings.network.device, &settings.lessons);
    let how = LearnerSettings { optimiser: lessons.optimiser, rate: lessons.rate.first, l2: lessons.l2 };
    let learner = match known {
        None => Learner::on(device, plan.initial_weights::<G>()?, how)?,
        Some(_) => Learner::load_on(device, &learner_file(folder, lesson), how)?.0,
    };
    let pool = ReplayBuffer::new(start, settings.lessons.pool);
    let mut thread = LearnerThread { settings, seed, folder, learner, pool, lesson, steps, examples: 0 };
    finished.into_iter().for_each(|game| thread.take(game));
    Ok(thread)
}

/// How much of the file of games a run goes on with. One whose lessons come after numbers of games plays what came after the checkpoint
/// again, move by move, so that its files are the same however often it is killed; by the clock nothing comes again.
const fn known_games(plan: &ZeroPlan<'_>, known: Option<&Checkpoint>) -> Known {
    match (known, plan.settings.sync) {
        (None, _) => Known::Bytes(0),
        (Some(known), Sync::Games(_) | Sync::Generation(_)) => Known::Bytes(known.length),
        (Some(known), Sync::Seconds(_)) => Known::LinesFrom(known.length),
    }
}

/// The games that a run goes on with, and how many have begun, finished ones included: those in flight that `known` tells of, without
/// those that have `finished` since, and from the beginning those that had begun since.
fn games_in_flight<G: Planes>(
    plan: &ZeroPlan<'_>,
    known: &Checkpoint,
    (start, finished): (&G, &[FinishedGame<G>]),
) -> Result<(Vec<Course<G>>, usize), ZeroError> {
    let broken = |problem| ZeroError::Broken { path: plan.state.to_owned(), problem };
    let over: HashSet<usize> = finished.iter().map(|game| game.course.number).collect();
    let begun = over.iter().map(|number| number + 1).fold(known.begun, usize::max);
    let courses = known.in_flight.iter().map(|line| Course::of_line(start, line).map_err(broken));
    let mut courses: Vec<Course<G>> = courses.collect::<Result<_, _>>()?;
    courses.extend((known.begun..begun).map(|number| Course::begin(number, known.lesson)));
    courses.retain(|course| !over.contains(&course.number));
    Ok((courses, begun))
}

/// Removes the states of the learner in `state` but that after `lesson`.
fn remove_old_learners(state: &Path, lesson: u64) -> Result<(), FileError> {
    let kept = learner_file(state, lesson);
    let is_other = |path: &PathBuf| {
        path != &kept && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("learner-"))
    };
    let entries = std::fs::read_dir(state).map_err(FileError::of("read", state))?;
    let others: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_other).collect();
    others.iter().try_for_each(|path| std::fs::remove_file(path).map_err(FileError::of("remove", path)))
}
