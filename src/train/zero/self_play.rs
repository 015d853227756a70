//! Many games at a time, in rounds: every game goes on to where it needs the network, which answers all of them at once.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::counts::SelfPlayCounts;
use super::finished::{Course, FinishedGame};
use super::in_flight::{GameInFlight, SelfPlayContext};
use super::settings::{NetworkSettings, ZeroSettings};
use crate::eval::{LoadError, PolicyValue, ResidualEvaluator};
use crate::game::Planes;
use crate::net::residual::Weights;

/// Games that one thread takes on one after another: while it is at the first, the memory of the others comes near.
const TOGETHER: usize = 4;
/// Batches that take one part in so many of the network's time are evaluated twice, to tell how fast it is when it does nothing else.
const TWICE: u32 = 200;

/// Where the time of the rounds went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Times {
    /// In the trees: down before the network, up after it.
    pub trees: Duration,
    /// In the network.
    pub network: Duration,
    /// In the network again, with batches that it had just evaluated.
    pub alone: Duration,
    /// The positions of these batches.
    pub rows_alone: u64,
}

/// Games in flight.
pub(super) struct SelfPlay<'a, G: Planes> {
    context: SelfPlayContext<'a, G>,
    pub in_flight: Vec<GameInFlight<G>>,
    /// The numbers of the games that are to begin.
    numbers: Box<dyn Iterator<Item = usize> + Send + 'a>,
    /// The number after that of the last game that has begun.
    pub begun: usize,
    /// Finished games that have not been taken yet, in the order in which they ended.
    pub finished: Vec<FinishedGame<G>>,
    /// What was counted since this was last taken.
    pub counts: SelfPlayCounts,
    /// Time spent so far.
    pub times: Times,
    buffers: Buffers,
}

/// What goes into the network and comes out of it.
#[derive(Default)]
struct Buffers {
    rows: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl<'a, G: Planes> SelfPlay<'a, G> {
    /// Games that go on with `courses`; `begun` games have begun so far.
    pub fn new(context: SelfPlayContext<'a, G>, courses: Vec<Course<G>>, begun: usize) -> Self {
        let in_flight = courses.into_iter().map(|course| GameInFlight::new(course, &context)).collect();
        let (finished, counts, times, buffers) = Default::default();
        Self { context, in_flight, numbers: Box::new(std::iter::empty()), begun, finished, counts, times, buffers }
    }

    /// Plays the games with these `numbers` beside those in flight, as far as there is room and otherwise one after another.
    pub(crate) fn play_next(&mut self, numbers: impl Iterator<Item = usize> + Send + 'a) {
        self.numbers = Box::new(numbers);
        while self.in_flight.len() < self.context.settings.in_flight
            && let Some(game) = begin_next(&mut self.numbers, &mut self.begun, &self.context)
        {
            self.in_flight.push(game);
        }
    }

    /// Plays on with other weights: what the old ones said is forgotten, and every search begins anew.
    pub(crate) fn change_weights(&mut self, evaluator: Box<dyn PolicyValue<G>>, lesson: u64) {
        self.context.evaluator = evaluator;
        self.context.lesson = lesson;
        self.context.cache.clear();
        let context = &self.context;
        self.in_flight.par_iter_mut().for_each(|game| game.restart_search(context));
    }

    /// One batch: to the network and back.
    pub fn round(&mut self) {
        let begun = Instant::now();
        let places = self.select();
        let selected = Instant::now();
        let n = places.last().copied().unwrap_or_default();
        self.evaluate(n);
        let evaluated = Instant::now();
        let alone = self.evaluate_again(n);
        self.answer(&places);
        self.replace_finished();
        self.times.network += evaluated - selected;
        self.times.trees += begun.elapsed() - (evaluated - selected) - alone;
    }

    /// Lets every game go on to where it needs the network; where the rows of each end.
    fn select(&mut self) -> Vec<usize> {
        let (context, rows) = (&self.context, &mut self.buffers.rows);
        let (length, leaves) = (context.evaluator.row_len(), context.settings.leaves as usize);
        rows.resize(self.in_flight.len() * leaves * length, 0.0);
        let places = self.in_flight.par_chunks_mut(TOGETHER).zip(rows.par_chunks_mut(TOGETHER * leaves * length));
        places.for_each(|(games, rows)| {
            games.iter().for_each(GameInFlight::expect_selection);
            let places = games.iter_mut().zip(rows.chunks_exact_mut(leaves * length));
            places.for_each(|(game, rows)| game.select(context, rows));
        });
        let mut end = 0;
        let close_up = |(number, game): (usize, &GameInFlight<G>)| {
            let first = number * leaves * length;
            rows.copy_within(first..first + game.waiting() * length, end * length);
            end += game.waiting();
            end
        };
        self.in_flight.iter().enumerate().map(close_up).collect()
    }

    /// Asks the network about the first `n` rows.
    fn evaluate(&mut self, n: usize) {
        self.buffers.logits.resize(n * self.context.evaluator.n_logits(), 0.0);
        self.buffers.values.resize(n, 0.0);
        if n > 0 {
            self.ask();
            self.counts.rounds += 1;
            self.counts.rows += n as u64;
        }
    }

    /// Asks the network once more, in some rounds; how long that took.
    fn evaluate_again(&mut self, n: usize) -> Duration {
        if n == 0 || self.times.alone * TWICE > self.times.network {
            return Duration::ZERO;
        }
        let begun = Instant::now();
        self.ask();
        let time = begun.elapsed();
        self.times.alone += time;
        self.times.rows_alone += n as u64;
        time
    }

    /// Has the network give all the answers that there is room for.
    fn ask(&mut self) {
        let (evaluator, Buffers { rows, logits, values }) = (&self.context.evaluator, &mut self.buffers);
        evaluator.evaluate(&rows[..values.len() * evaluator.row_len()], logits, values);
    }

    /// Gives each game its answers, and remembers them in the order of the games.
    fn answer(&mut self, ends: &[usize]) {
        let (evaluator, Buffers { logits, values, .. }) = (&*self.context.evaluator, &self.buffers);
        let n_logits = evaluator.n_logits();
        let places = self.in_flight.par_chunks_mut(TOGETHER).zip(ends.par_chunks(TOGETHER));
        places.for_each(|(games, ends)| {
            games.iter().for_each(GameInFlight::expect_answers);
            for (game, &end) in games.iter_mut().zip(ends) {
                let begin = end - game.waiting();
                game.answer(evaluator, &logits[begin * n_logits..end * n_logits], &values[begin..end]);
            }
        });
        let cache = &mut self.context.cache;
        self.in_flight.iter().for_each(|game| cache.expect(&game.answers));
        self.in_flight.iter_mut().for_each(|game| cache.take(&mut game.answers));
    }

    /// Takes the finished games and begins others in their places.
    fn replace_finished(&mut self) {
        let Self { context, in_flight, numbers, begun, finished, counts, .. } = self;
        in_flight.retain_mut(|game| {
            *counts += std::mem::take(&mut game.counts);
            let Some(ended) = game.finished.take() else { return true };
            counts.note_game(&ended);
            finished.push(ended);
            begin_next(numbers, begun, context).is_some_and(|next| {
                *game = next;
                true
            })
        });
    }
}

/// The game with the next of the `numbers`, before its first move.
fn begin_next<G: Planes>(
    numbers: &mut impl Iterator<Item = usize>,
    begun: &mut usize,
    context: &SelfPlayContext<'_, G>,
) -> Option<GameInFlight<G>> {
    let number = numbers.next()?;
    *begun = number + 1;
    Some(GameInFlight::new(Course::begin(number, context.lesson), context))
}

/// An evaluator that runs `weights` where the settings say.
pub(super) fn evaluator_of<G: Planes>(
    weights: &Weights,
    settings: &ZeroSettings,
) -> Result<Box<dyn PolicyValue<G>>, LoadError> {
    let NetworkSettings { history, device, .. } = settings.network;
    Ok(Box::new(ResidualEvaluator::<G>::on(device, weights, history, settings.symmetries)?))
}
