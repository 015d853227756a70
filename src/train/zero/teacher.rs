//! The thread that learns, between two channels of room for one message each.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::error::ZeroError;
use super::finished::FinishedGame;
use super::pool::{Form, Pool};
use super::settings::ZeroSettings;
use crate::features::planes::Planes;
use crate::net::residual::{Learner, Losses, Weights};
use crate::random;

/// Games to learn from.
pub(super) struct Lesson<G: Planes> {
    /// The number of the lesson, from 1.
    pub number: u64,
    /// The games that were taken before, and these.
    pub games: Vec<FinishedGame<G>>,
    /// How many games are taken after this lesson.
    pub taken: usize,
}

/// What a lesson came to.
pub(super) struct Taught {
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

/// Where a learner stands, to go on from there.
pub(super) struct Standing<G: Planes> {
    pub learner: Learner,
    pub pool: Pool<G>,
    pub lesson: u64,
    /// Steps of all lessons.
    pub steps: u64,
    /// Examples of all games taken, those that have left the pool included.
    pub examples: u64,
}

/// The two ends of the channels that the games' thread holds.
pub(super) struct Class<G: Planes> {
    lessons: SyncSender<Lesson<G>>,
    answers: Receiver<Result<Taught, ZeroError>>,
}

/// Where the learner's state after `lesson` lies in the folder `state`.
pub(super) fn learner_file(state: &Path, lesson: u64) -> PathBuf {
    state.join(format!("learner-{lesson}.safetensors"))
}

impl<G: Planes> Class<G> {
    /// Starts the learner's thread, which first says what it knows already.
    pub fn begin<'scope>(
        scope: &'scope Scope<'scope, '_>,
        standing: Standing<G>,
        settings: &'scope ZeroSettings,
        (seed, state): (u64, &'scope Path),
    ) -> Self {
        let (lessons, inbox) = sync_channel(1);
        let (outbox, answers) = sync_channel(1);
        let teacher = Teacher { standing, settings, seed, state };
        scope.spawn(move || teacher.teach(&inbox, &outbox));
        Self { lessons, answers }
    }

    /// Hands a lesson over.
    pub fn hand(&self, lesson: Lesson<G>) -> Result<(), ZeroError> {
        self.lessons.send(lesson).map_err(|_| ZeroError::NoAnswer)
    }

    /// Waits for what the last lesson came to.
    pub fn wait(&self) -> Result<Taught, ZeroError> {
        self.answers.recv().map_err(|_| ZeroError::NoAnswer)?
    }
}

struct Teacher<'a, G: Planes> {
    standing: Standing<G>,
    settings: &'a ZeroSettings,
    seed: u64,
    state: &'a Path,
}

impl<G: Planes> Teacher<'_, G> {
    /// Answers lesson after lesson, until nobody asks any more.
    fn teach(mut self, inbox: &Receiver<Lesson<G>>, outbox: &SyncSender<Result<Taught, ZeroError>>) {
        let mut answer = self.save().map(|()| self.taught(None, Duration::ZERO));
        while outbox.send(answer).is_ok() {
            let Ok(lesson) = inbox.recv() else { return };
            answer = self.learn(lesson);
        }
    }

    fn learn(&mut self, lesson: Lesson<G>) -> Result<Taught, ZeroError> {
        let begun = Instant::now();
        let standing = &mut self.standing;
        standing.lesson = lesson.number;
        for game in lesson.games {
            standing.examples += game.course.examples().count() as u64;
            standing.pool.add(game);
        }
        let losses = self.steps(lesson.taken)?;
        self.save()?;
        Ok(self.taught(losses, begun.elapsed()))
    }

    /// Makes the steps that are due; the mean losses over them.
    fn steps(&mut self, taken: usize) -> Result<Option<Losses>, ZeroError> {
        let (standing, lessons) = (&mut self.standing, &self.settings.lessons);
        let due = lessons.steps_due(taken, standing.examples).saturating_sub(standing.steps);
        let form =
            Form { history: self.settings.network.history, images: lessons.images, search_share: lessons.search_share };
        let mut draws = random::stream(self.seed, "zero lesson", standing.lesson);
        let rate = lessons.rate.at(taken as f64 / self.settings.games as f64);
        standing.learner.set_rate(rate);
        let mut sum = Losses::default();
        for _ in 0..due {
            let Some(batch) = standing.pool.draw(lessons.batch, form, &mut draws) else { return Ok(None) };
            sum = sum.plus(&standing.learner.step(&batch)?);
        }
        // The losses are those before the last step.
        let weights = standing.learner.weights().flat();
        if !sum.total().is_finite() || !weights.iter().all(|weight| weight.is_finite()) {
            return Err(ZeroError::Diverged { lesson: standing.lesson });
        }
        standing.steps += due;
        Ok((due > 0).then(|| sum.scaled(1.0 / due as f64)))
    }

    fn save(&self) -> Result<(), ZeroError> {
        let path = learner_file(self.state, self.standing.lesson);
        Ok(self.standing.learner.save(&path, &self.settings.about::<G>())?)
    }

    fn taught(&self, losses: Option<Losses>, time: Duration) -> Taught {
        let Standing { learner, pool, lesson, steps, .. } = &self.standing;
        Taught { lesson: *lesson, weights: learner.weights().clone(), losses, steps: *steps, pool: pool.len(), time }
    }
}
