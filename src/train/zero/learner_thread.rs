//! The learner's thread, between two channels that hold one message each.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::error::ZeroError;
use super::finished::FinishedGame;
use super::replay_buffer::{Form, ReplayBuffer};
use super::settings::ZeroSettings;
use crate::game::Planes;
use crate::net::are_weights;
use crate::net::residual::{Learner, Losses, Weights};
use crate::random;

/// A batch of games to learn from.
pub(super) struct GameBatch<G: Planes> {
    /// The number of the lesson, from 1.
    pub number: u64,
    /// The games that were taken before, and these.
    pub games: Vec<FinishedGame<G>>,
    /// How many games are taken after this lesson.
    pub taken: usize,
}

/// The state of the learner after a lesson.
pub(super) struct LearnerState {
    /// The number of the lesson; 0 for what was known before the first of this run of the program.
    pub lesson: u64,
    pub weights: Weights,
    /// The mean losses over the steps of the lesson, if it had any.
    pub losses: Option<Losses>,
    /// Steps of all lessons.
    pub steps: u64,
    /// Positions in the pool.
    pub pool: usize,
    /// Time that it took.
    pub time: Duration,
}

/// The game thread's ends of the channels to and from the learner.
pub(super) struct LearnerChannel<G: Planes> {
    lessons: SyncSender<GameBatch<G>>,
    answers: Receiver<Result<LearnerState, ZeroError>>,
}

/// Where the learner's state after `lesson` lies in the folder `state`.
pub(super) fn learner_file(state: &Path, lesson: u64) -> PathBuf {
    state.join(format!("learner-{lesson}.safetensors"))
}

impl<G: Planes> LearnerChannel<G> {
    /// Starts `learner` as a thread of `scope`; it first says what it knows already.
    pub fn begin<'scope>(scope: &'scope Scope<'scope, '_>, learner: LearnerThread<'scope, G>) -> Self {
        let (lessons, inbox) = sync_channel(1);
        let (outbox, answers) = sync_channel(1);
        scope.spawn(move || learner.run(&inbox, &outbox));
        Self { lessons, answers }
    }

    /// Hands a lesson over.
    pub fn hand(&self, lesson: GameBatch<G>) -> Result<(), ZeroError> {
        self.lessons.send(lesson).map_err(|_| ZeroError::NoAnswer)
    }

    /// Waits for what the last lesson came to.
    pub fn wait(&self) -> Result<LearnerState, ZeroError> {
        self.answers.recv().map_err(|_| ZeroError::NoAnswer)?
    }
}

/// The state of the learner's thread, from which it can also be resumed.
pub(super) struct LearnerThread<'a, G: Planes> {
    pub settings: &'a ZeroSettings,
    pub seed: u64,
    /// The folder that the learner is saved in.
    pub folder: &'a Path,
    pub learner: Learner,
    pub pool: ReplayBuffer<G>,
    pub lesson: u64,
    /// Steps of all lessons.
    pub steps: u64,
    /// Examples of all games taken, those that have left the pool included.
    pub examples: u64,
}

impl<G: Planes> LearnerThread<'_, G> {
    /// Answers lesson after lesson, until nobody asks any more.
    fn run(mut self, inbox: &Receiver<GameBatch<G>>, outbox: &SyncSender<Result<LearnerState, ZeroError>>) {
        let mut answer = self.save().map(|()| self.state(None, Duration::ZERO));
        while outbox.send(answer).is_ok() {
            let Ok(lesson) = inbox.recv() else { return };
            answer = self.learn(lesson);
        }
    }

    /// Takes the examples of a game in.
    pub fn take(&mut self, game: FinishedGame<G>) {
        self.examples += game.course.examples().count() as u64;
        self.pool.add(game);
    }

    fn learn(&mut self, lesson: GameBatch<G>) -> Result<LearnerState, ZeroError> {
        let begun = Instant::now();
        self.lesson = lesson.number;
        lesson.games.into_iter().for_each(|game| self.take(game));
        let losses = self.make_steps(lesson.taken)?;
        self.save()?;
        Ok(self.state(losses, begun.elapsed()))
    }

    /// Makes the steps that are due; the mean losses over them.
    fn make_steps(&mut self, taken: usize) -> Result<Option<Losses>, ZeroError> {
        let lessons = &self.settings.lessons;
        let due = lessons.steps_due(taken, self.examples).saturating_sub(self.steps);
        let form =
            Form { history: self.settings.network.history, images: lessons.images, search_share: lessons.search_share };
        let mut draws = random::stream(self.seed, "zero lesson", self.lesson);
        let rate = lessons.rate.at(taken as f64 / self.settings.games as f64);
        self.learner.set_rate(rate);
        let mut sum = Losses::default();
        for _ in 0..due {
            let Some(batch) = self.pool.draw(lessons.batch, form, &mut draws) else { return Ok(None) };
            sum += self.learner.step(&batch)?;
        }
        // The losses are those before the last step.
        let weights = self.learner.weights().flat();
        if !sum.total().is_finite() || !are_weights(weights) {
            return Err(ZeroError::Diverged(self.lesson));
        }
        self.steps += due;
        Ok((due > 0).then(|| sum.scaled(1.0 / due as f64)))
    }

    fn save(&self) -> Result<(), ZeroError> {
        let path = learner_file(self.folder, self.lesson);
        Ok(self.learner.save(&path, &self.settings.about::<G>())?)
    }

    fn state(&self, losses: Option<Losses>, time: Duration) -> LearnerState {
        let (weights, pool) = (self.learner.weights().clone(), self.pool.len());
        LearnerState { lesson: self.lesson, weights, losses, steps: self.steps, pool, time }
    }
}
