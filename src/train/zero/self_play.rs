//! Many games at a time, in rounds: every game goes on to where it needs the network, which answers all of them at once.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::finished::{Course, FinishedGame};
use super::seat::{Seat, Table};
use super::settings::{NetworkSettings, ZeroSettings};
use super::tally::Tally;
use crate::eval::{LoadError, PolicyValue, ResidualEvaluator};
use crate::features::planes::Planes;
use crate::net::residual::Weights;

/// Time spent on the parts of rounds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Times {
    /// In the trees: down before the network, up after it.
    pub trees: Duration,
    /// In the network.
    pub network: Duration,
}

/// Games in flight.
pub(super) struct SelfPlay<'a, G: Planes> {
    table: Table<'a, G>,
    seats: Vec<Seat<G>>,
    /// Games that have begun.
    begun: usize,
    /// Finished games that have not been taken yet, in the order in which they ended.
    finished: Vec<FinishedGame<G>>,
    tally: Tally,
    times: Times,
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
    /// Games that go on with `courses`, and then others until so many are in flight.
    pub fn new(table: Table<'a, G>, courses: Vec<Course<G>>, begun: usize) -> Self {
        let seats = courses.into_iter().map(|course| Seat::new(course, &table)).collect();
        let (times, buffers) = (Times::default(), Buffers::default());
        let mut play = Self { table, seats, begun, finished: Vec::new(), tally: Tally::default(), times, buffers };
        play.fill();
        play
    }

    /// Begins games as long as there are seats and games left.
    fn fill(&mut self) {
        let settings = self.table.settings;
        while self.seats.len() < settings.in_flight && self.begun < settings.games {
            self.seats.push(Seat::new(Course::begin(self.begun, self.table.lesson), &self.table));
            self.begun += 1;
        }
    }

    /// Whether all games have ended.
    pub const fn is_over(&self) -> bool {
        self.seats.is_empty()
    }

    /// The games in flight.
    pub fn courses(&self) -> impl Iterator<Item = &Course<G>> {
        self.seats.iter().map(Seat::course)
    }

    /// Games that have begun.
    pub const fn begun(&self) -> usize {
        self.begun
    }

    /// Takes the finished games, in the order in which they ended.
    pub fn take_finished(&mut self) -> Vec<FinishedGame<G>> {
        std::mem::take(&mut self.finished)
    }

    /// What was done since this was asked last.
    pub fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// What was done since [`SelfPlay::take_tally`].
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Time spent so far.
    pub const fn times(&self) -> Times {
        self.times
    }

    /// Plays on with other weights: what the old ones said is forgotten, and every search begins anew.
    pub fn renew(&mut self, evaluator: Box<dyn PolicyValue<G>>, lesson: u64) {
        self.table.evaluator = evaluator;
        self.table.lesson = lesson;
        self.table.cache.clear();
        let table = &self.table;
        self.seats.par_iter_mut().for_each(|seat| seat.plant(table));
    }

    /// One batch: to the network and back.
    pub fn round(&mut self) {
        let begun = Instant::now();
        let places = self.select();
        let selected = Instant::now();
        self.evaluate(places.last().copied().unwrap_or_default());
        let evaluated = Instant::now();
        self.answer(&places);
        self.clear_up();
        self.times.network += evaluated - selected;
        self.times.trees += begun.elapsed() - (evaluated - selected);
    }

    /// Lets every game go on to where it needs the network; where the rows of each end.
    fn select(&mut self) -> Vec<usize> {
        let (table, rows) = (&self.table, &mut self.buffers.rows);
        let (length, leaves) = (table.evaluator.row_len(), table.settings.leaves as usize);
        rows.resize(self.seats.len() * leaves * length, 0.0);
        let places = self.seats.par_iter_mut().zip(rows.par_chunks_exact_mut(leaves * length));
        places.for_each(|(seat, rows)| seat.select(table, rows));
        let mut end = 0;
        let close_up = |(number, seat): (usize, &Seat<G>)| {
            let first = number * leaves * length;
            rows.copy_within(first..first + seat.waiting() * length, end * length);
            end += seat.waiting();
            end
        };
        self.seats.iter().enumerate().map(close_up).collect()
    }

    /// Asks the network about the first `n` rows.
    fn evaluate(&mut self, n: usize) {
        let (evaluator, Buffers { rows, logits, values }) = (&self.table.evaluator, &mut self.buffers);
        logits.resize(n * evaluator.n_logits(), 0.0);
        values.resize(n, 0.0);
        if n > 0 {
            evaluator.evaluate(&rows[..n * evaluator.row_len()], logits, values);
            self.tally.rounds += 1;
            self.tally.rows += n as u64;
        }
    }

    /// Gives each game its answers, and remembers them in the order of the games.
    fn answer(&mut self, ends: &[usize]) {
        let (evaluator, Buffers { logits, values, .. }) = (&*self.table.evaluator, &self.buffers);
        let n_logits = evaluator.n_logits();
        self.seats.par_iter_mut().zip(ends).for_each(|(seat, &end)| {
            let begin = end - seat.waiting();
            seat.answer(evaluator, &logits[begin * n_logits..end * n_logits], &values[begin..end]);
        });
        for seat in &mut self.seats {
            seat.remember(&mut self.table.cache);
        }
    }

    /// Takes finished games off their seats and begins others there.
    fn clear_up(&mut self) {
        let (table, games) = (&self.table, self.table.settings.games);
        for seat in &mut self.seats {
            self.tally += std::mem::take(&mut seat.tally);
            let Some(game) = seat.take_finished() else { continue };
            self.tally.note_game(&game);
            self.finished.push(game);
            if self.begun < games {
                *seat = Seat::new(Course::begin(self.begun, table.lesson), table);
                self.begun += 1;
            } else {
                seat.leave();
            }
        }
        self.seats.retain(|seat| !seat.is_left());
    }
}

/// An evaluator that runs `weights` where the settings say.
pub(super) fn evaluator_of<G: Planes>(
    weights: &Weights,
    settings: &ZeroSettings,
) -> Result<Box<dyn PolicyValue<G>>, LoadError> {
    let NetworkSettings { history, device, .. } = settings.network;
    Ok(Box::new(ResidualEvaluator::<G>::on(device, weights, history, settings.symmetries)?))
}
