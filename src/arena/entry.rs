//! What a journal says about a game: finished, or on its way.

use serde::{Deserialize, Serialize};

use super::game::{Begun, PlayedGame};
use crate::game::line::{line_text, read_line};
use crate::game::{Notation, Outcome};

/// What a journal calls a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The identifier of its pair, where games come in pairs.
    pub pair: Option<String>,
    /// The number of the game, in its pair or in all, from 1.
    pub game: usize,
}

/// A line of a journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Line {
    Finished(Finished),
    Moves(Moves),
}

/// A game that has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Finished {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    game: usize,
    /// All moves, separated by blanks.
    moves: String,
    comments: Vec<String>,
    /// 1, 0 or -1 for the first side.
    result: i32,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    nodes: [u64; 2],
}

/// Moves of a game that goes on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Moves {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    game: usize,
    /// How many plies come before these; if that is no more than the opening has, the game began anew.
    after: usize,
    /// Separated by blanks.
    moves: String,
    comments: Vec<String>,
    /// Positions visited for these moves by the first and by the second side.
    nodes: [u64; 2],
}

impl Line {
    /// The line of a finished game.
    pub fn finished<M: ToString>(key: Key, played: &PlayedGame<M>) -> Self {
        Self::Finished(Finished {
            pair: key.pair,
            game: key.game,
            moves: line_text(&played.moves),
            comments: played.comments.clone(),
            result: played.outcome.value(),
            reason: played.reason.clone(),
            failure: played.failure.clone(),
            nodes: played.nodes,
        })
    }

    /// The line of the moves of `news`, which come after as many plies as `after` says.
    pub fn moves<M: ToString>(key: Key, after: usize, news: &Begun<M>) -> Self {
        let Begun { moves, comments, nodes } = news;
        let (moves, comments) = (line_text(moves), comments.clone());
        Self::Moves(Moves { pair: key.pair, game: key.game, after, moves, comments, nodes: *nodes })
    }

    /// Which game it is about.
    pub fn key(&self) -> Key {
        match self {
            Self::Finished(Finished { pair, game, .. }) | Self::Moves(Moves { pair, game, .. }) => {
                Key { pair: pair.clone(), game: *game }
            }
        }
    }
}

impl Finished {
    /// The game that began at `start`; else what is wrong with the line.
    pub fn replay<G: Notation>(self, mut start: G) -> Result<PlayedGame<G::Move>, String> {
        let moves = parse(&mut start, &self.moves, &self.comments)?;
        let (outcome, Self { comments, reason, failure, nodes, .. }) = (Outcome::of_value(self.result), self);
        Ok(PlayedGame { moves, comments, outcome, reason, failure, nodes })
    }
}

impl Moves {
    /// The game that began at `start`, with these moves after those of `known`, or after those of `opening` if they say so; else
    /// what is wrong with the line.
    pub fn follow<G: Notation>(
        self,
        mut start: G,
        known: Option<Begun<G::Move>>,
        opening: &[G::Move],
    ) -> Result<Begun<G::Move>, String> {
        let anew = || Begun::with_opening(opening.to_vec());
        let mut begun = if self.after == opening.len() { anew() } else { known.unwrap_or_else(anew) };
        if self.after != begun.moves.len() {
            return Err(format!("expected moves after {} plies, found moves after {}", begun.moves.len(), self.after));
        }
        begun.moves.iter().for_each(|&mv| start.play(mv));
        begun.moves.extend(parse(&mut start, &self.moves, &self.comments)?);
        begun.comments.extend(self.comments);
        begun.nodes = std::array::from_fn(|side| begun.nodes[side].saturating_add(self.nodes[side]));
        Ok(begun)
    }
}

/// The moves in `text`, made in `position`; each has a comment.
fn parse<G: Notation>(position: &mut G, text: &str, comments: &[String]) -> Result<Vec<G::Move>, String> {
    let moves = read_line(position, text)?;
    if comments.len() != moves.len() {
        return Err(format!("expected {} comments, found {}", moves.len(), comments.len()));
    }
    Ok(moves)
}
