//! One game in flight: the game itself, and the tree of its search.

use rand::RngExt;

use super::counts::SelfPlayCounts;
use super::finished::{Course, FinishedGame, Searched};
use super::settings::{PlayoutCap, ZeroSettings};
use crate::arena::{Decision, GameInPlay, Opening};
use crate::eval::PolicyValue;
use crate::game::Planes;
use crate::game::{End, Outcome, Side};
use crate::random::{self, Stream};
use crate::search::mcts::{EvaluationCache, Leaf, Mcts, NewAnswers, Selected};

/// Policies are kept in so many parts of 1.
const PARTS: f32 = 10_000.0;
/// Games have fewer plies than this, so that each search has a stream of its own.
const MOST_PLIES: u64 = 1 << 20;

/// What all games in flight share.
pub(super) struct SelfPlayContext<'a, G: Planes> {
    pub settings: &'a ZeroSettings,
    pub seed: u64,
    pub start: G,
    pub evaluator: Box<dyn PolicyValue<G>>,
    pub cache: EvaluationCache,
    /// The lessons that the evaluator has had.
    pub lesson: u64,
}

impl<G: Planes> SelfPlayContext<'_, G> {
    /// The stream called `name` of the search after `ply` plies of game `number`. Nothing else has to be known to draw on where a
    /// killed run was.
    fn stream(&self, name: &str, number: usize, ply: usize) -> Stream {
        random::stream(self.seed, name, number as u64 * MOST_PLIES + ply as u64)
    }
}

/// One game in flight.
pub(super) struct GameInFlight<G: Planes> {
    /// What was found on the way; the moves are those of `game`.
    course: Course<G>,
    game: GameInPlay<G>,
    tree: Mcts<G>,
    /// Whether the search is an example for the policy.
    is_full: bool,
    /// Positions that wait for the network.
    leaves: Vec<Leaf>,
    /// What it has said that the cache has not taken yet.
    pub answers: NewAnswers,
    /// Simulations that the tree had before the search that goes on, and answers that it had from the cache.
    before: (u32, u64),
    /// Simulations of all its searches.
    simulations: u64,
    /// The game once it is over.
    pub finished: Option<FinishedGame<G>>,
    pub counts: SelfPlayCounts,
}

impl<G: Planes> GameInFlight<G> {
    /// The game that goes on with `course`, or begins with it, with a new tree.
    pub fn new(mut course: Course<G>, context: &SelfPlayContext<'_, G>) -> Self {
        let opening = Opening { start: context.start.clone(), moves: Vec::new() };
        let mut game = GameInPlay::new(&opening, &context.settings.adjudication());
        for (mv, searched) in course.moves.drain(..).zip(&course.searched) {
            game.play(decision(mv, searched));
        }
        let mut in_flight = Self {
            tree: Mcts::new(game.position().clone(), context.settings.search, random::stream(0, "", 0)),
            course,
            game,
            is_full: true,
            leaves: Vec::new(),
            answers: NewAnswers::default(),
            before: (0, 0),
            simulations: 0,
            finished: None,
            counts: SelfPlayCounts::default(),
        };
        in_flight.restart_search(context);
        in_flight
    }

    /// What has been played.
    pub(crate) fn course(&self) -> Course<G> {
        Course { moves: self.game.line().moves.clone(), ..self.course.clone() }
    }

    /// Begins the search of the position anew, as if nothing were known of it: what other weights said does not count.
    pub(crate) fn restart_search(&mut self, context: &SelfPlayContext<'_, G>) {
        let stream = context.stream("zero search", self.course.number, self.game.position().plies());
        self.leaves.clear();
        self.tree.restart(stream);
        self.begin(context);
    }

    fn begin(&mut self, context: &SelfPlayContext<'_, G>) {
        let settings = context.settings;
        let (full, fast) = match settings.playout_cap {
            None => (1.0, settings.simulations),
            Some(PlayoutCap { full_share, fast_simulations }) => (full_share, fast_simulations),
        };
        let mut draws = context.stream("zero playout cap", self.course.number, self.game.position().plies());
        self.is_full = full >= 1.0 || draws.random_bool(full);
        self.tree.begin(if self.is_full { settings.simulations } else { fast }, self.is_full);
        self.before = (self.tree.finished(), self.tree.cache_hits());
    }

    /// Has what [`GameInFlight::select`] begins with brought near.
    pub fn expect_selection(&self) {
        self.tree.expect_selection();
    }

    /// Has what [`GameInFlight::answer`] begins with brought near.
    pub fn expect_answers(&self) {
        self.leaves.iter().for_each(|&leaf| self.tree.expect_answer(leaf));
    }

    /// Goes on until as many positions wait for the network as `rows` has room for, or the game is finished. Rows are written from the
    /// first; how many is [`GameInFlight::waiting`].
    pub fn select(&mut self, context: &SelfPlayContext<'_, G>, rows: &mut [f32]) {
        let mut rows = rows.chunks_exact_mut(context.evaluator.row_len());
        let mut next = rows.next();
        while let Some(row) = &mut next {
            match self.tree.select(&*context.evaluator, &context.cache, row) {
                Selected::Leaf(leaf) => {
                    self.leaves.push(leaf);
                    next = rows.next();
                }
                Selected::Paused => (),
                Selected::Done if self.leaves.is_empty() && !self.make_move(context) => (),
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
        for (leaf, (logits, &value)) in self.leaves.drain(..).zip(answers) {
            if let Some(answer) = self.tree.answer(leaf, evaluator, logits, value) {
                self.answers.push(leaf.key, answer);
            }
        }
    }

    /// Makes the move that the finished search comes to, and begins the next search; whether the game has ended instead.
    fn make_move(&mut self, context: &SelfPlayContext<'_, G>) -> bool {
        let side = self.game.position().side_to_move();
        let searched = self.found();
        let done = (self.tree.finished() - self.before.0, self.tree.cache_hits() - self.before.1);
        self.counts.note_search(done, &searched);
        self.simulations += u64::from(done.0);
        let Some(mv) = self.tree.choose(context.settings.temperature_at(self.game.position().plies())) else {
            // A search of a position that is not over has a move.
            return self.finish(context, End { outcome: Outcome::Draw, reason: "no move" });
        };
        self.game.play(decision(mv, &searched));
        self.course.searched.push(searched);
        self.course.lessons[1] = context.lesson;
        self.tree.advance(mv);
        match self.game.position().end().or_else(|| self.resignation(context, side)) {
            Some(end) => self.finish(context, end),
            None => {
                self.begin(context);
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
    fn resignation(&mut self, context: &SelfPlayContext<'_, G>, side: Side) -> Option<End> {
        let rule = context.settings.resignation?;
        let End { outcome, .. } = self.game.adjudicated().filter(|_| self.course.gave_up.is_none())?;
        if context.stream("zero playing on", self.course.number, 0).random_bool(rule.play_on) {
            self.course.gave_up = Some(side);
            return None;
        }
        Some(End { outcome, reason: "resignation" })
    }

    fn finish(&mut self, context: &SelfPlayContext<'_, G>, End { outcome, reason }: End) -> bool {
        let (course, reason) = (self.course(), reason.to_owned());
        let simulations = context.settings.is_by_generation().then_some(self.simulations);
        self.finished = Some(FinishedGame { course, outcome, reason, simulations });
        true
    }
}

/// The move that a search came to.
fn decision<M>(mv: M, searched: &Searched) -> Decision<M> {
    Decision { expected: Some(f64::from(searched.value)), ..Decision::silent(mv) }
}
