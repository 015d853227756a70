//! One game between two players.

use std::time::Instant;

use super::adjudication::{Adjudication, Arbiter, Clocks};
use super::openings::Opening;
use crate::engine::Clock;
use crate::game::{End, Game, Outcome, Side};
use crate::settings::{SettingError, require};

/// The most games of one match or one run that makes games.
const MAX_GAMES: usize = 10_000_000;

/// Why a side lost whose clock ran out.
const TIME_FORFEIT: &str = "time forfeit";

/// Checks how many games there are.
pub(super) fn check_games(games: usize) -> Result<(), SettingError> {
    require((1..=MAX_GAMES).contains(&games), "games", "in [1, 10000000]", games)
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame<M> {
    /// All moves from the start of the opening.
    pub moves: Vec<M>,
    /// What the mover thought of each move (see [`super::Thought`]); empty for the moves of the opening.
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

/// Who makes the moves of one side of one game.
pub(super) trait Mover<G: Game> {
    /// The decision in `position`, which `line` leads to and which is not over, with `clocks` that show so much, if the game
    /// has any; `None` to give the game up.
    fn decide(
        &mut self,
        position: &mut G,
        line: &Opening<G>,
        clocks: Option<[Clock; 2]>,
    ) -> Result<Option<Decision<G::Move>>, Failure>;
}

/// A move with what is kept about it.
pub(super) struct Decision<M> {
    pub mv: M,
    /// What the mover thought of it; empty for nothing.
    pub comment: String,
    /// The result that the mover expects, in [-1, 1], if it said so.
    pub expected: Option<f64>,
    /// The positions that it visited.
    pub nodes: u64,
}

/// How a player failed, which loses it the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// In few words that can be counted.
    pub reason: &'static str,
    /// What exactly happened.
    pub detail: String,
}

/// How a game ended: the end, and how a player failed if that is what made it one.
struct Finish {
    end: End,
    failure: Option<String>,
}

impl From<End> for Finish {
    fn from(end: End) -> Self {
        Self { end, failure: None }
    }
}

impl Failure {
    /// The end of a game in which `side` failed.
    fn of(self, side: Side) -> Finish {
        let end = End { outcome: Outcome::Win(side.other()), reason: self.reason };
        Finish { end, failure: Some(self.detail) }
    }
}

/// Plays a game from `opening`: `movers[0]` moves first. It ends by the rules, as `adjudication` says, or because a mover gives
/// up or fails.
pub(super) fn play_between<G: Game, M: Mover<G>>(
    movers: [M; 2],
    opening: &Opening<G>,
    adjudication: &Adjudication,
) -> PlayedGame<G::Move> {
    Table::set(movers, opening, adjudication).play()
}

/// A game that is being played.
struct Table<G: Game, M> {
    movers: [M; 2],
    /// The opening, and all moves since.
    line: Opening<G>,
    position: G,
    comments: Vec<String>,
    nodes: [u64; 2],
    arbiter: Arbiter,
    clocks: Option<Clocks>,
}

impl<G: Game, M: Mover<G>> Table<G, M> {
    fn set(movers: [M; 2], opening: &Opening<G>, adjudication: &Adjudication) -> Self {
        Self {
            movers,
            line: opening.clone(),
            position: opening.position(),
            comments: vec![String::new(); opening.moves.len()],
            nodes: [0; 2],
            arbiter: Arbiter::of(*adjudication),
            clocks: adjudication.clock.map(Clocks::set),
        }
    }

    fn play(mut self) -> PlayedGame<G::Move> {
        let Finish { end, failure } = loop {
            if let Some(end) = self.position.end().or_else(|| self.arbiter.verdict(self.position.plies())) {
                break end.into();
            }
            if let Some(finish) = self.ply() {
                break finish;
            }
        };
        let Self { line, comments, nodes, .. } = self;
        PlayedGame { moves: line.moves, comments, outcome: end.outcome, reason: end.reason.to_owned(), failure, nodes }
    }

    /// Lets the side to move do so, unless it ends the game by that.
    fn ply(&mut self) -> Option<Finish> {
        let side = self.position.side_to_move();
        let Decision { mv, comment, expected, nodes } = match self.decision(side) {
            Ok(Some(decision)) => decision,
            Ok(None) => return Some(resignation(side).into()),
            Err(failure) => return Some(failure.of(side)),
        };
        self.nodes[side.index()] += nodes;
        self.comments.push(comment);
        self.line.moves.push(mv);
        self.position.play(mv);
        if self.position.side_to_move() != side {
            self.clocks.iter_mut().for_each(|clocks| clocks.end_turn(side));
        }
        self.arbiter.note(side, expected, self.position.plies());
        None
    }

    /// What `side` does, in its time.
    fn decision(&mut self, side: Side) -> Result<Option<Decision<G::Move>>, Failure> {
        let (begun, shown) = (Instant::now(), self.clocks.as_ref().map(Clocks::shown));
        let decision = self.movers[side.index()].decide(&mut self.position, &self.line, shown)?;
        let charged = self.clocks.as_mut().map_or(Ok(()), |clocks| clocks.charge(side, begun.elapsed()));
        charged.map(|()| decision).map_err(|detail| Failure { reason: TIME_FORFEIT, detail })
    }
}

/// The end of a game that `side` gives up.
const fn resignation(side: Side) -> End {
    End { outcome: Outcome::Win(side.other()), reason: "resignation" }
}
