//! One game, from its opening to its end.
//!
//! [`GameInPlay`] is the one place where a game goes on: it asks the rules and the [`Adjudication`] for its end, and records each
//! move. [`GameInPlay::to_end`] drives it; [`play_game`] does so with a [`Player`] on each side.

use std::time::Instant;

use super::adjudication::{Adjudication, Arbiter, Clocks};
use super::openings::Opening;
use super::players::{Chance, Decided, Decision, Failure, Player};
use crate::engine::Clock;
use crate::game::{BoardGame, End, Outcome, Side};

/// Why a side lost whose clock ran out.
pub(super) const TIME_FORFEIT: &str = "time forfeit";

/// Why a side lost that gave the game up.
pub(super) const RESIGNED: &str = "resignation";

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame<M> {
    /// All moves from the start of the opening.
    pub moves: Vec<M>,
    /// What the mover thought of each move; empty for the moves of the opening.
    pub comments: Vec<String>,
    /// Who won.
    pub outcome: Outcome,
    /// What ended it, in few words that can be counted: the rule in the game's words, an adjudication, `resignation`, or
    /// how a player failed. docs/external-engines.md lists them.
    pub reason: String,
    /// What exactly happened in a game that ended because a player failed; `None` in all others.
    pub failure: Option<String>,
    /// Positions visited by the first and by the second side.
    pub nodes: [u64; 2],
}

/// How a game ended: the end, and what exactly happened if a player failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The end.
    pub end: End,
    /// What exactly happened in a game that ended because a player failed.
    pub failure: Option<String>,
}

impl From<End> for Finish {
    fn from(end: End) -> Self {
        Self { end, failure: None }
    }
}

impl Failure {
    /// The end of a game in which `side` failed.
    fn of(self, side: Side) -> Finish {
        Finish { end: End { outcome: Outcome::Win(side.other()), reason: self.reason }, failure: Some(self.detail) }
    }

    /// The end of a game in which both sides failed.
    fn and(self, other: Self) -> Finish {
        let end = End { outcome: Outcome::Draw, reason: self.reason };
        Finish { end, failure: Some(format!("{}; {}", self.detail, other.detail)) }
    }
}

/// A game that has begun: its moves, those of the opening included, what was thought of them, and the positions visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Begun<M> {
    pub moves: Vec<M>,
    pub comments: Vec<String>,
    pub nodes: [u64; 2],
}

impl<M> Begun<M> {
    /// A game of which nothing but the opening is known.
    pub(crate) fn with_opening(moves: Vec<M>) -> Self {
        Self { comments: vec![String::new(); moves.len()], moves, nodes: [0; 2] }
    }
}

/// A game that is being played.
#[derive(Debug, Clone)]
pub struct GameInPlay<G: BoardGame> {
    /// The opening, and all moves since.
    line: Opening<G>,
    position: G,
    comments: Vec<String>,
    nodes: [u64; 2],
    arbiter: Arbiter,
    clocks: Option<Clocks>,
    /// The end that a player made.
    ended: Option<Finish>,
}

impl<G: BoardGame> GameInPlay<G> {
    /// A game from `opening` that ends by the rules or as `adjudication` says.
    pub fn new(opening: &Opening<G>, adjudication: &Adjudication) -> Self {
        Self::resumed(opening.start.clone(), Begun::with_opening(opening.moves.clone()), adjudication)
    }

    /// A game from `start` of which the moves in `begun` are made.
    pub(super) fn resumed(start: G, Begun { moves, comments, nodes }: Begun<G::Move>, rules: &Adjudication) -> Self {
        let line = Opening { start, moves };
        let (arbiter, clocks) = (Arbiter::of(*rules), rules.clock.map(Clocks::set));
        Self { position: line.position(), line, comments, nodes, arbiter, clocks, ended: None }
    }

    /// Where it began, and all moves.
    pub const fn line(&self) -> &Opening<G> {
        &self.line
    }

    /// The position now.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// What was thought of each move; empty for nothing.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// How the game has ended, if it has: by its rules, by a player, or by adjudication.
    pub fn finish(&self) -> Option<Finish> {
        let by_rules = || self.position.end().map(Finish::from);
        self.ended.clone().or_else(by_rules).or_else(|| self.adjudicated().map(Finish::from))
    }

    /// How the game has ended by adjudication, if it has.
    pub fn adjudicated(&self) -> Option<End> {
        self.arbiter.verdict(self.position.plies())
    }

    /// Ends the game by the resignation of `side`.
    pub fn resign(&mut self, side: Side) {
        self.ended = Some(End { outcome: Outcome::Win(side.other()), reason: RESIGNED }.into());
    }

    /// Makes a legal move and records it.
    pub fn play(&mut self, Decision { mv, comment, expected, nodes }: Decision<G::Move>) {
        let side = self.position.side_to_move();
        self.nodes[side.index()] += nodes;
        self.comments.push(comment);
        self.line.moves.push(mv);
        self.position.play(mv);
        if self.position.side_to_move() != side {
            self.clocks.iter_mut().for_each(|clocks| clocks.end_turn(side));
        }
        self.arbiter.note(side, expected, self.position.plies());
    }

    /// Does what `decide` says that the side to move does, in its time: a move, or the end of the game. It is told the position,
    /// the line that leads to it, and the clocks.
    pub fn step(&mut self, decide: impl FnOnce(&mut G, &Opening<G>, Option<[Clock; 2]>) -> Decided<G::Move>) {
        let side = self.position.side_to_move();
        let (begun, shown) = (Instant::now(), self.clocks.as_ref().map(Clocks::shown));
        let decision = decide(&mut self.position, &self.line, shown).and_then(|decision| {
            let charged = self.clocks.as_mut().map_or(Ok(()), |clocks| clocks.charge(side, begun.elapsed()));
            charged.map(|()| decision).map_err(|detail| Failure { reason: TIME_FORFEIT, detail })
        });
        match decision {
            Ok(Some(decision)) => self.play(decision),
            Ok(None) => self.resign(side),
            Err(failure) => self.ended = Some(failure.of(side)),
        }
    }

    /// Plays the game to its end, step by step as `decide` says.
    pub fn to_end(
        mut self,
        mut decide: impl FnMut(&mut G, &Opening<G>, Option<[Clock; 2]>) -> Decided<G::Move>,
    ) -> PlayedGame<G::Move> {
        let Finish { end, failure } = loop {
            match self.finish() {
                Some(finish) => break finish,
                None => self.step(&mut decide),
            }
        };
        let Self { line, comments, nodes, .. } = self;
        PlayedGame { moves: line.moves, comments, outcome: end.outcome, reason: end.reason.to_owned(), failure, nodes }
    }

    /// Takes moves back up to where `side` had its last turn, and says how many; 0 if it had none. An end that a player made, and the
    /// scores that were noted for the adjudication, are forgotten.
    pub fn take_back(&mut self, side: Side) -> usize {
        let mut earlier = self.position.clone();
        let mut count = 0;
        while earlier.plies() > 0 {
            earlier.undo();
            count += 1;
            if earlier.side_to_move() == side {
                self.line.moves.truncate(self.line.moves.len() - count);
                self.comments.truncate(self.line.moves.len());
                (self.position, self.ended) = (earlier, None);
                self.arbiter.forget();
                return count;
            }
        }
        0
    }
}

/// Plays a game from `opening`: `players[0]` moves first. It ends by the rules, as `adjudication` says, because a player resigns,
/// or with the loss of one that fails; it always ends. What the players draw comes from `chance`.
pub fn play_game<G: BoardGame>(
    players: [&dyn Player<G>; 2],
    opening: &Opening<G>,
    adjudication: &Adjudication,
    chance: Chance,
) -> PlayedGame<G::Move> {
    play_on(GameInPlay::new(opening, adjudication), players, chance, |_, _| ())
}

/// Plays `game` to its end; `note` hears of each decision as it is made.
pub(super) fn play_on<G: BoardGame>(
    mut game: GameInPlay<G>,
    [first, second]: [&dyn Player<G>; 2],
    chance: Chance,
    mut note: impl FnMut(Side, &Decision<G::Move>),
) -> PlayedGame<G::Move> {
    let seats = [first.sit(chance, Side::First), second.sit(chance, Side::Second)];
    game.ended = match seats.each_ref().map(|seat| seat.as_ref().err().cloned()) {
        [None, None] => None,
        [Some(failure), None] => Some(failure.of(Side::First)),
        [None, Some(failure)] => Some(failure.of(Side::Second)),
        [Some(one), Some(other)] => Some(one.and(other)),
    };
    // A game with an empty seat is over.
    let mut seats: Vec<_> = seats.into_iter().flatten().collect();
    // Times would make the records of other games differ from run to run.
    let is_timed = game.clocks.is_some() || first.is_timed() || second.is_timed();
    game.to_end(|position, line, clocks| {
        let (side, begun) = (position.side_to_move(), Instant::now());
        let mut decision = seats[side.index()].decide(position, line, clocks)?;
        let thoughts = decision.iter_mut().filter(|decision| is_timed && !decision.comment.is_empty());
        thoughts.for_each(|decision| decision.comment += &format!(" {:.3}s", begun.elapsed().as_secs_f64()));
        decision.iter().for_each(|decision| note(side, decision));
        Ok(decision)
    })
}

/// The first player of a pair moves first in its first game; `game` counts from 0.
pub(crate) const fn side_of_a(game: usize) -> Side {
    if game.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// The first and the second side of a game between a and b; `game` counts from 0.
pub(crate) const fn seated<T: Copy>([a, b]: [T; 2], game: usize) -> [T; 2] {
    match side_of_a(game) {
        Side::First => [a, b],
        Side::Second => [b, a],
    }
}
