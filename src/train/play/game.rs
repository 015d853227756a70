//! One game of the learner.

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::games::Table;
use super::learner::Steps;
use super::settings::{LearnFrom, Lookahead, Opponent};
use super::thinker::{Thinker, push_leaf};
use crate::eval::network::NetworkEvaluator;
use crate::features::FeatureSet;
use crate::game::{End, Game, Outcome, Side};
use crate::net::Net;
use crate::random::{self, Stream};
use crate::record::GameRecord;

/// A game that was played, and its sequence for the learner.
pub(super) struct Played<G: Game> {
    pub record: GameRecord<G>,
    pub steps: Steps,
    /// The learner's points: 1 for a win, 1/2 for a draw; in self-play those of the first side.
    pub points: f32,
}

/// A game in progress.
struct Progress<'a, G: Game, F> {
    table: &'a Table<'a, G, F>,
    position: G,
    learner: Thinker<G>,
    /// Who searches for the other side; `None` for a random mover and for the learner itself.
    opponent: Option<Thinker<G>>,
    /// The learner's side; `None` if it has both.
    side: Option<Side>,
    draws: Stream,
    record: GameRecord<G>,
    steps: Steps,
}

/// Plays game number `game`, from 0, with the weights of `net`.
pub(super) fn play_game<G: Game, F: FeatureSet<G>>(table: &Table<'_, G, F>, net: &Net, game: usize) -> Played<G> {
    let settings = &table.settings;
    let mut progress = Progress::start(table, net, game);
    let end = loop {
        if let Some(end) = verdict(&progress.position, settings.ply_cap) {
            break end;
        }
        let is_opening = progress.position.plies() < settings.random_plies;
        let mv = if is_opening { progress.draw_candidate() } else { progress.choose_move() };
        let Some(mv) = mv else { break DRAWN };
        progress.record.push(mv, None);
        progress.position.play(mv);
    };
    progress.finish(end)
}

/// The end of a game that goes on too long.
const DRAWN: End = End { outcome: Outcome::Draw, reason: "ply cap" };

fn verdict<G: Game>(position: &G, ply_cap: usize) -> Option<End> {
    position.end().or_else(|| (position.plies() >= ply_cap).then_some(DRAWN))
}

impl<'a, G: Game, F: FeatureSet<G>> Progress<'a, G, F> {
    fn start(table: &'a Table<'a, G, F>, net: &Net, game: usize) -> Self {
        let settings = &table.settings;
        let evaluator = Box::new(NetworkEvaluator::new(net, table.features.clone()));
        let opponent = match (&settings.opponent, table.opponent) {
            (Opponent::Fixed { depth, .. }, Some(make)) => {
                Some(Thinker::new(make(), Lookahead { depth: *depth, ..settings.lookahead }))
            }
            _ => None,
        };
        let colour = if game.is_multiple_of(2) { Side::First } else { Side::Second };
        Self {
            table,
            position: G::start(),
            learner: Thinker::new(evaluator, settings.lookahead),
            opponent,
            side: (settings.opponent != Opponent::Itself).then_some(colour),
            draws: random::stream(table.seed, "td games", game as u64),
            record: table.new_record(game),
            steps: Steps::new(table.features.n_attributes()),
        }
    }

    fn draw_move(&mut self) -> Option<G::Move> {
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves.choose(&mut self.draws).copied()
    }

    /// A move out of those that the learner would look at.
    fn draw_candidate(&mut self) -> Option<G::Move> {
        let width = self.table.settings.lookahead.width as usize;
        if width == 0 {
            return self.draw_move();
        }
        let mut moves = Vec::new();
        self.position.candidates(width, &mut moves);
        moves.choose(&mut self.draws).copied()
    }

    fn choose_move(&mut self) -> Option<G::Move> {
        if self.table.settings.learn_from == LearnFrom::Positions {
            self.steps.push(None, |codes| self.table.features.encode(&self.position, codes));
        }
        if self.side.is_none_or(|side| side == self.position.side_to_move()) {
            return self.learners_move();
        }
        match &mut self.opponent {
            Some(opponent) => opponent.look(&mut self.position).line.first().copied(),
            None => self.draw_move(),
        }
    }

    fn learners_move(&mut self) -> Option<G::Move> {
        let settings = &self.table.settings;
        if settings.explore > 0.0 && self.draws.random::<f64>() < settings.explore {
            self.steps.cut();
            return self.draw_candidate();
        }
        let expectation = self.learner.look(&mut self.position);
        if settings.learn_from == LearnFrom::Leaves {
            push_leaf(&mut self.steps, self.table.features, &mut self.position, &expectation);
        }
        expectation.line.first().copied()
    }

    fn finish(mut self, end: End) -> Played<G> {
        self.record.outcome = Some(end.outcome);
        self.record.set_tag("Termination", end.reason);
        self.steps.result = end.outcome.value() as f32;
        let side = self.side.unwrap_or(Side::First);
        let points = (end.outcome.value_for(side) + 1) as f32 / 2.0;
        Played { record: self.record, steps: self.steps, points }
    }
}
