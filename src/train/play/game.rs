//! One game of the learner.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::learner::Steps;
use super::settings::{LearnFrom, Lookahead, Opponent, PlaySettings};
use super::thinker::{Thinker, push_leaf};
use crate::arena::{Adjudication, Caption, Decision, GameInPlay, Opening, PlayedGame, record_of, seated, side_of_a};
use crate::eval::network::NetworkEvaluator;
use crate::features::FeatureSet;
use crate::game::{BoardGame, Side};
use crate::net::Net;
use crate::random::{self, Stream};
use crate::record::GameRecord;
use crate::search::moves_of_width;
use crate::train::positions::Maker;

/// The games that a learner plays.
#[derive(Clone)]
pub struct LearnerGames<'a, G: BoardGame, F> {
    /// How they are played and learned from.
    pub settings: PlaySettings,
    /// Game number i, from 0, draws from the stream `td games`, number i, of this.
    pub seed: u64,
    /// What the network sees of a position.
    pub features: &'a F,
    /// Makes the evaluator of [`Opponent::Fixed`].
    pub opponent: Option<Maker<'a, G>>,
}

/// A game that was played, and its sequence for the learner.
pub(super) struct Played<G: BoardGame> {
    pub record: GameRecord<G>,
    pub steps: Steps,
    /// The learner's points: 1 for a win, 1/2 for a draw; in self-play those of the first side.
    pub points: f32,
}

impl<G: BoardGame, F: FeatureSet<G>> LearnerGames<'_, G, F> {
    /// Plays game number `game`, from 0, with the weights of `net`.
    pub(super) fn play(&self, net: &Net, game: usize) -> Played<G> {
        let mut movers = Movers::of(self, net, game);
        let in_play = GameInPlay::new(&Opening::initial(), &Adjudication::capped(self.settings.ply_cap));
        let played = in_play.to_end(|position, _, _| Ok(movers.choose(position).map(Decision::silent)));
        let mut steps = movers.steps;
        steps.result = played.outcome.value() as f32;
        let points = (played.outcome.value_for(movers.side.unwrap_or(Side::First)) + 1) as f32 / 2.0;
        Played { record: self.record(game, played), steps, points }
    }

    fn record(&self, game: usize, played: PlayedGame<G::Move>) -> GameRecord<G> {
        let opponent = match &self.settings.opponent {
            Opponent::Itself => "learner",
            Opponent::Random => "random",
            Opponent::Fixed { evaluator, .. } => evaluator,
        };
        let names = seated(["learner", opponent], game);
        let caption = Caption { event: "roughboard td by playing", round: game + 1, names, opening: None, clock: None };
        record_of(G::start(), played, &caption)
    }
}

/// Who moves in one game: the learner, and whoever plays against it.
struct Movers<'a, G: BoardGame, F> {
    games: &'a LearnerGames<'a, G, F>,
    learner: Thinker<G>,
    /// Who searches for the other side; `None` for a random mover and for the learner itself.
    opponent: Option<Thinker<G>>,
    /// The learner's side; `None` if it has both.
    side: Option<Side>,
    draws: Stream,
    steps: Steps,
}

impl<'a, G: BoardGame, F: FeatureSet<G>> Movers<'a, G, F> {
    fn of(games: &'a LearnerGames<'a, G, F>, net: &Net, game: usize) -> Self {
        let settings = &games.settings;
        let evaluator = Box::new(NetworkEvaluator::new(net, games.features.clone()));
        let opponent = match (&settings.opponent, games.opponent) {
            (Opponent::Fixed { depth, .. }, Some(make)) => {
                Some(Thinker::new(make(), Lookahead { depth: *depth, ..settings.lookahead }))
            }
            _ => None,
        };
        Self {
            games,
            learner: Thinker::new(evaluator, settings.lookahead),
            opponent,
            side: (settings.opponent != Opponent::Itself).then_some(side_of_a(game)),
            draws: random::stream(games.seed, "td games", game as u64),
            steps: Steps::new(games.features.n_attributes()),
        }
    }

    /// The move of the side to move; a drawn one in the opening.
    fn choose(&mut self, position: &mut G) -> Option<G::Move> {
        let settings = &self.games.settings;
        if position.plies() < settings.random_plies {
            return self.draw(position, settings.lookahead.width);
        }
        if settings.learn_from == LearnFrom::Positions {
            self.steps.push(None, |codes| self.games.features.encode(position, codes));
        }
        if self.side.is_none_or(|side| side == position.side_to_move()) {
            return self.learners_move(position);
        }
        match &mut self.opponent {
            Some(opponent) => opponent.look(position).line.first().copied(),
            None => self.draw(position, 0),
        }
    }

    /// A move out of the candidates of so many, or out of all legal ones.
    fn draw(&mut self, position: &G, width: u32) -> Option<G::Move> {
        moves_of_width(position, width).choose(&mut self.draws).copied()
    }

    fn learners_move(&mut self, position: &mut G) -> Option<G::Move> {
        let settings = &self.games.settings;
        if settings.explore > 0.0 && self.draws.random::<f64>() < settings.explore {
            self.steps.cut();
            return self.draw(position, settings.lookahead.width);
        }
        let expectation = self.learner.look(position);
        if settings.learn_from == LearnFrom::Leaves {
            push_leaf(&mut self.steps, self.games.features, position, &expectation);
        }
        expectation.line.first().copied()
    }
}
