//! The pool of positions that are learned from: the newest ones, drawn evenly.

use std::collections::VecDeque;

use rand::RngExt;

use super::finished::FinishedGame;
use crate::features::planes::Planes;
use super::stub::Batch;
use crate::random::Stream;

/// The newest positions of finished games. When there are more than it holds, the oldest go.
#[derive(Debug)]
pub struct Pool<G: Planes> {
    start: G,
    capacity: usize,
    games: VecDeque<FinishedGame<G>>,
    /// How many games have gone: the number of the first in `games`.
    gone: usize,
    /// Which positions: number of the game as it came, plies before the position. Oldest first.
    examples: VecDeque<(usize, usize)>,
}

/// How examples are written.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// Earlier positions in the planes.
    pub history: usize,
    /// Whether each example is seen in one of the images of its position at random.
    pub images: bool,
    /// The share of the search's value in what the value head aims at; the rest is the result of the game. In [0, 1].
    pub search_share: f64,
}

impl<G: Planes> Pool<G> {
    /// A pool without positions, for games that begin at `start`.
    #[must_use]
    pub fn new(start: G, capacity: usize) -> Self {
        Self { start, capacity, games: VecDeque::new(), gone: 0, examples: VecDeque::new() }
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// Takes the examples of a game in; those that came first leave, if there are too many.
    pub fn add(&mut self, game: FinishedGame<G>) {
        let number = self.gone + self.games.len();
        self.examples.extend(game.course.examples().map(|ply| (number, ply)));
        self.games.push_back(game);
        let surplus = self.examples.len().saturating_sub(self.capacity);
        self.examples.drain(..surplus);
        let oldest = self.examples.front().map_or(number, |&(game, _)| game);
        self.games.drain(..oldest - self.gone);
        self.gone = oldest;
    }

    /// `size` examples drawn evenly, each as often as it comes; `None` from an empty pool.
    #[must_use]
    pub fn draw(&self, size: usize, form: Form, draws: &mut Stream) -> Option<Batch> {
        if self.is_empty() {
            return None;
        }
        let mut batch = Batch::default();
        for _ in 0..size {
            let (game, ply) = self.examples[draws.random_range(0..self.len())];
            let image = if form.images { draws.random_range(0..G::IMAGES) } else { 0 };
            self.push_example(&self.games[game - self.gone], ply, image, form, &mut batch);
        }
        Some(batch)
    }

    fn push_example(&self, game: &FinishedGame<G>, ply: usize, image: usize, form: Form, batch: &mut Batch) {
        let mut position = self.start.clone();
        game.course.moves[..ply].iter().for_each(|&mv| position.play(mv));
        let searched = &game.course.searched[ply];
        let (begin, length) = (batch.rows.len(), G::n_planes(form.history) * G::SHAPE[0] * G::SHAPE[1]);
        batch.rows.resize(begin + length, 0.0);
        position.write_planes(form.history, image, &mut batch.rows[begin..]);
        let result = f64::from(game.outcome.value_for(position.side_to_move()));
        let share = form.search_share;
        batch.values.push(((1.0 - share) * result + share * f64::from(searched.value)) as f32);
        push_policy(&position, &searched.policy, image, batch);
    }
}

/// The legal moves of `position` as logits of its image, and the share of each in the policy that the search found.
fn push_policy<G: Planes>(position: &G, policy: &[(u32, u32)], image: usize, batch: &mut Batch) {
    let total: u32 = policy.iter().map(|&(_, parts)| parts).sum();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for &mv in &moves {
        let slot = G::move_slot(mv) as u32;
        let parts = policy.iter().find(|&&(known, _)| known == slot).map_or(0, |&(_, parts)| parts);
        batch.logits.push(G::move_slot(G::image_move(mv, image)) as u32);
        batch.policy.push(parts as f32 / total as f32);
    }
    batch.legal.push(moves.len());
}
