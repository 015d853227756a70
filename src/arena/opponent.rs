//! A contestant outside of matches: whom a person plays against.

use std::time::Duration;

use super::contestant::{Chance, Contestant, Place};
use super::game::{Failure, Mover};
use super::openings::Opening;
use crate::engine::Clock;
use crate::game::{Game, Side};

/// A contestant that has sat down to a game.
pub struct Opponent<G: Game>(Place<G>);

/// What a contestant decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply<M> {
    /// Its move; `None` if it gives the game up.
    pub mv: Option<M>,
    /// What it thought of it (see [`super::Thought`]); empty for nothing.
    pub comment: String,
    /// The result that the **mover** expects, in [-1, 1], if it said so.
    pub expected: Option<f64>,
}

/// How a contestant failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct OpponentError {
    /// In few words that can be counted.
    pub reason: &'static str,
    /// What exactly happened.
    pub detail: String,
}

impl From<Failure> for OpponentError {
    fn from(Failure { reason, detail }: Failure) -> Self {
        Self { reason, detail }
    }
}

impl<G: Game> Opponent<G> {
    /// `contestant`, ready to play `side`. A random mover draws from `chance`.
    ///
    /// # Errors
    /// When an engine cannot be started.
    pub fn sit(contestant: &Contestant<G>, chance: Chance, side: Side) -> Result<Self, OpponentError> {
        Ok(Self(Place::of(contestant, chance, side)?))
    }

    /// What it does in `position`, which `line` leads to and which is not over, within its limits, and within `time` if that is
    /// limited.
    ///
    /// # Errors
    /// When an engine fails.
    pub fn reply(
        &mut self,
        position: &mut G,
        line: &Opening<G>,
        time: Option<Duration>,
    ) -> Result<Reply<G::Move>, OpponentError> {
        // The last move before a time control may take all that is left.
        let clock = time.map(|remaining| Clock { remaining, increment: Duration::ZERO, moves_to_go: Some(1) });
        let decision = self.0.decide(position, line, clock.map(|clock| [clock; 2]))?;
        let resigned = Reply { mv: None, comment: String::new(), expected: None };
        Ok(decision.map_or(resigned, |made| Reply {
            mv: Some(made.mv),
            comment: made.comment,
            expected: made.expected,
        }))
    }
}
