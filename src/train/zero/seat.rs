//! One game in flight: its tree, and what has been played.

use rand::RngExt;

use super::finished::{Course, FinishedGame, Searched};
use super::settings::{PlayoutCap, ZeroSettings};
use super::tally::Tally;
use crate::eval::PolicyValue;
use crate::features::planes::Planes;
use crate::game::{End, Outcome, Side};
use crate::random::{self, Stream};
use crate::search::mcts::{EvaluationCache, Leaf, Mcts, Selected};

/// Searches in a row that must be without hope before a side resigns.
const HOPELESS: u32 = 2;
/// Policies are kept in so many parts of 1.
const PARTS: f32 = 10_000.0;
/// Games have fewer plies than this, so that each search has a stream of its own.
const MOST_PLIES: u64 = 1 << 20;

/// What all games in flight share.
pub(super) struct Table<'a, G: Planes> {
    pub settings: &'a ZeroSettings,
    pub seed: u64,
    pub start: G,
    pub evaluator: Box<dyn PolicyValue<G>>,
    pub cache: EvaluationCache,
    /// The lessons that the evaluator has had.
    pub lesson: u64,
}

impl<G: Planes> Table<'_, G> {
    /// The stream called `name` of the search after `ply` plies of game `number`. Nothing else has to be known to draw on where a
    /// killed run was.
    fn stream(&self, name: &str, number: usize, ply: usize) -> Stream {
        random::stream(self.seed, name, number as u64 * MOST_PLIES + ply as u64)
    }
}

/// One game in flight.
pub(super) struct Seat<G: Planes> {
    course: Course<G>,
    position: G,
    tree: Mcts<G>,
    /// Whether the search is an example for the policy.
    is_full: bool,
    /// Searches in a row after which each side had no hope.
    hopeless: [u32; 2],
    /// Positions that wait for the network, or were just answered.
    leaves: Vec<Leaf>,
    /// Simulations that the tree had before the search that goes on, and answers that it had from the cache.
    before: (u32, u64),
    finished: Option<FinishedGame<G>>,
    is_left: bool,
    pub tally: Tally,
}

impl<G: Planes> Seat<G> {
    /// The game that goes on with `course`, or begins with it, with a new tree.
    pub fn new(course: Course<G>, table: &Table<'_, G>) -> Self {
        let mut position = table.start.clone();
        let mut hopeless = [0; 2];
        for (&mv, searched) in course.moves.iter().zip(&course.searched) {
            note_hope(&mut hopeless, position.side_to_move(), searched.value, table.settings);
            position.play(mv);
        }
        let mut seat = Self {
            tree: Mcts::new(position.clone(), table.settings.search, random::stream(0, "", 0)),
            course,
            position,
            is_full: true,
            hopeless,
            leaves: Vec::new(),
            before: (0, 0),
            finished: None,
            is_left: false,
            tally: Tally::default(),
        };
        seat.plant(table);
        seat
    }

    /// What has been played.
    pub const fn course(&self) -> &Course<G> {
        &self.course
    }

    /// Takes the game, if it is finished.
    pub const fn take_finished(&mut self) -> Option<FinishedGame<G>> {
        self.finished.take()
    }

    /// Begins the search of the position anew, as if nothing were known of it: what other weights said does not count.
    pub fn plant(&mut self, table: &Table<'_, G>) {
        let stream = table.stream("zero search", self.course.number, self.position.plies());
        self.leaves.clear();
        self.tree = Mcts::new(self.position.clone(), table.settings.search, stream);
        self.begin(table);
    }

    fn begin(&mut self, table: &Table<'_, G>) {
        let settings = table.settings;
        let (full, fast) = match settings.playout_cap {
            None => (1.0, settings.simulations),
            Some(PlayoutCap { full_share, fast_simulations }) => (full_share, fast_simulations),
        };
        let mut draws = table.stream("zero playout cap", self.course.number, self.position.plies());
        self.is_full = full >= 1.0 || draws.random_bool(full);
        self.tree.begin(if self.is_full { settings.simulations } else { fast }, self.is_full);
        self.before = (self.tree.finished(), self.tree.cache_hits());
    }

    /// Goes on until as many positions wait for the network as `rows` has room for, or the game is finished. Rows are written from the
    /// first; how many is [`Seat::waiting`].
    pub fn select(&mut self, table: &Table<'_, G>, rows: &mut [f32]) {
        let mut rows = rows.chunks_exact_mut(table.evaluator.row_len());
        let mut next = rows.next();
        while let Some(row) = &mut next {
            match self.tree.select(&*table.evaluator, &table.cache, row) {
                Selected::Leaf(leaf) => {
                    self.leaves.push(leaf);
                    next = rows.next();
                }
                Selected::Paused => (),
                Selected::Done if self.leaves.is_empty() && !self.make_move(table) => (),
                Selected::Done | Selected::Pending => return,
            }
        }
    }

    /// How many positions wait for the network.
    pub const fn waiting(&self) -> usize {
        self.leaves.len()
    }

    /// Gives the answers for the positions that wait, in their order.
    pub fn answer(&mut self, evaluator: &dyn PolicyValue<G>, logits: &[f32], values: &[f32]) {
        let answers = logits.chunks_exact(evaluator.n_logits()).zip(values);
        for (&leaf, (logits, &value)) in self.leaves.iter().zip(answers) {
            self.tree.answer(leaf, evaluator, logits, value);
        }
    }

    /// Puts the answers into `cache`.
    pub fn remember(&mut self, cache: &mut EvaluationCache) {
        self.leaves.drain(..).for_each(|leaf| self.tree.remember(leaf, cache));
    }

    /// Leaves the seat to nobody.
    pub const fn leave(&mut self) {
        self.is_left = true;
    }

    /// Whether nobody plays here any more.
    pub const fn is_left(&self) -> bool {
        self.is_left
    }

    /// Makes the move that the finished search comes to, and begins the next search; whether the game has ended instead.
    fn make_move(&mut self, table: &Table<'_, G>) -> bool {
        let (side, settings) = (self.position.side_to_move(), table.settings);
        let searched = self.found();
        let done = (self.tree.finished() - self.before.0, self.tree.cache_hits() - self.before.1);
        self.tally.note_search(done, &searched);
        note_hope(&mut self.hopeless, side, searched.value, settings);
        let Some(mv) = self.tree.choose(settings.temperature_at(self.position.plies())) else {
            // A search of a position that is not over has a move.
            return self.finish(End { outcome: Outcome::Draw, reason: "no move" });
        };
        self.course.moves.push(mv);
        self.course.searched.push(searched);
        self.course.lessons[1] = table.lesson;
        self.position.play(mv);
        self.tree.advance(mv);
        match self.position.end().or_else(|| self.resignation(table, side)) {
            Some(end) => self.finish(end),
            None => {
                self.begin(table);
                false
            }
        }
    }

    fn found(&self) -> Searched {
        let parts = |(mv, share): (G::Move, f32)| (G::move_slot(mv) as u32, (share * PARTS).round() as u32);
        let policy = if self.is_full { self.tree.policy(1.0) } else { Vec::new() };
        let policy = policy.into_iter().map(parts).filter(|&(_, parts)| parts > 0).collect();
        Searched { value: self.tree.value() as f32, policy }
    }

    /// The end of the game that `side`, which has just moved, gives up, if it does.
    fn resignation(&mut self, table: &Table<'_, G>, side: Side) -> Option<End> {
        let rule = table.settings.resignation?;
        if self.hopeless[side.index()] < HOPELESS || self.course.gave_up.is_some() {
            return None;
        }
        if table.stream("zero playing on", self.course.number, 0).random_bool(rule.play_on) {
            self.course.gave_up = Some(side);
            return None;
        }
        Some(End { outcome: Outcome::Win(side.other()), reason: "resignation" })
    }

    fn finish(&mut self, end: End) -> bool {
        let course = std::mem::replace(&mut self.course, Course::begin(0, 0));
        self.finished = Some(FinishedGame { course, outcome: end.outcome, reason: end.reason.to_owned() });
        true
    }
}

/// Counts how often in a row `side` found no hope.
fn note_hope(hopeless: &mut [u32; 2], side: Side, value: f32, settings: &ZeroSettings) {
    let Some(rule) = settings.resignation else { return };
    let count = &mut hopeless[side.index()];
    *count = if f64::from(value) <= -rule.certainty { *count + 1 } else { 0 };
}
