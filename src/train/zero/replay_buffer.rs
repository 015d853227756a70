//! The pool of positions that are learned from: the newest ones, drawn evenly.

use std::collections::VecDeque;

use rand::RngExt;

use super::finished::FinishedGame;
use crate::game::Planes;
use crate::game::line::played;
use crate::net::residual::Batch;
use crate::random::Stream;

/// The newest positions of finished games. When there are more than it holds, the oldest go.
#[derive(Debug)]
pub(crate) struct ReplayBuffer<G: Planes> {
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

impl<G: Planes> ReplayBuffer<G> {
    /// A pool without positions, for games that begin at `start`.
    pub fn new(start: G, capacity: usize) -> Self {
        Self { start, capacity, games: VecDeque::new(), gone: 0, examples: VecDeque::new() }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are none.
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
        let position = played(&self.start, &game.course.moves[..ply]);
        let searched = &game.course.searched[ply];
        let mut row = vec![0.0; G::n_planes(form.history) * G::SHAPE[0] * G::SHAPE[1]];
        position.write_planes(form.history, image, &mut row);
        let result = f64::from(game.outcome.value_for(position.side_to_move()));
        let value = (1.0 - form.search_share) * result + form.search_share * f64::from(searched.value);
        batch.push(&row, policy_of(&position, &searched.policy, image), value as f32);
    }
}

/// The legal moves of `position` as logits of its image, and the probability of each in the policy that the search found.
fn policy_of<G: Planes>(position: &G, policy: &[(u32, u32)], image: usize) -> Vec<(u32, f32)> {
    let total: u32 = policy.iter().map(|&(_, parts)| parts).sum();
    let example = |&mv: &G::Move| {
        let slot = G::move_slot(mv) as u32;
        let parts = policy.iter().find(|&&(known, _)| known == slot).map_or(0, |&(_, parts)| parts);
        (G::logit_of(mv, image) as u32, parts as f32 / total as f32)
    };
    position.moves().iter().map(example).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::line::read_line;
    use crate::game::{Game, Outcome, SearchHints, Side};
    use crate::games::surakarta::Surakarta;
    use crate::random;
    use crate::train::zero::finished::{Course, Searched};

    const FORM: Form = Form { history: 0, images: false, search_share: 0.0 };

    /// A game of four moves whose every search liked the move that was made.
    fn game(number: usize, outcome: Outcome) -> FinishedGame<Surakarta> {
        let moves = read_line(&mut Surakarta::start(), "a2a3 b5b4 b2b3 c5c4").unwrap();
        let searched = |&mv| Searched { value: 0.5, policy: vec![(Surakarta::move_slot(mv) as u32, 10_000)] };
        let course = Course { searched: moves.iter().map(searched).collect(), moves, ..Course::begin(number, 0) };
        FinishedGame { course, outcome, reason: "repetition".to_owned(), simulations: None }
    }

    fn pool(capacity: usize, outcomes: &[Outcome]) -> ReplayBuffer<Surakarta> {
        let mut pool = ReplayBuffer::new(Surakarta::start(), capacity);
        outcomes.iter().enumerate().for_each(|(number, &outcome)| pool.add(game(number, outcome)));
        pool
    }

    #[test]
    fn the_oldest_positions_leave_and_the_newest_never() {
        let pool = pool(6, &[Outcome::Draw; 3]);
        let expected = [(1, 2), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3)];
        assert_eq!(pool.examples, expected);
        assert_eq!((pool.games.len(), pool.gone), (2, 1));
        // A game that is larger than the pool keeps its own newest positions.
        let mut small = ReplayBuffer::new(Surakarta::start(), 2);
        small.add(game(0, Outcome::Draw));
        assert_eq!(small.examples, [(0, 2), (0, 3)]);
        assert_eq!(small.draw(8, FORM, &mut random::stream(1, "test", 0)).unwrap().len(), 8);
        assert!(ReplayBuffer::new(Surakarta::start(), 2).draw(8, FORM, &mut random::stream(1, "test", 0)).is_none());
    }

    #[test]
    fn a_draw_is_a_draw_for_both_and_a_win_is_seen_by_the_side_to_move() {
        let values = |outcome| {
            let pool = pool(100, &[outcome]);
            let mut batch = Batch::default();
            (0..4).for_each(|ply| pool.push_example(&pool.games[0], ply, 0, FORM, &mut batch));
            batch.values
        };
        assert_eq!(values(Outcome::Draw), [0.0; 4]);
        assert_eq!(values(Outcome::Win(Side::First)), [1.0, -1.0, 1.0, -1.0]);
        assert_eq!(values(Outcome::Win(Side::Second)), [-1.0, 1.0, -1.0, 1.0]);
        let pool = pool(100, &[Outcome::Win(Side::First)]);
        let mut batch = Batch::default();
        pool.push_example(&pool.games[0], 1, 0, Form { search_share: 0.5, ..FORM }, &mut batch);
        assert_eq!(batch.values, [-0.25]);
    }

    #[test]
    fn examples_are_drawn_in_all_eight_images_with_their_moves() {
        let pool = pool(1, &[Outcome::Draw]);
        let mut draws = random::stream(1, "test", 0);
        let batch = pool.draw(200, Form { images: true, ..FORM }, &mut draws).unwrap();
        let mut position = Surakarta::start();
        pool.games[0].course.moves[..3].iter().for_each(|&mv| position.play(mv));
        let length = Surakarta::n_planes(0) * 36;
        let (mut seen, last) = ([0; 8], pool.games[0].course.moves[3]);
        for (number, row) in batch.rows.chunks_exact(length).enumerate() {
            let mut planes = vec![0.0; length];
            let image = (0..8).find(|&image| {
                position.write_planes(0, image, &mut planes);
                planes == row
            });
            let image = image.unwrap();
            seen[image] += 1;
            let (moves, policy) = batch.moves_of(number);
            assert_eq!(policy.iter().sum::<f32>(), 1.0);
            let liked = moves[policy.iter().position(|&share| share == 1.0).unwrap()];
            assert_eq!(liked as usize, Surakarta::move_slot(last.image(image)));
        }
        assert!(seen.iter().all(|&count| count > 8), "{seen:?}");
    }
}
