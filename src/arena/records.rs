//! Played games as game records.

use super::adjudication::TimeControl;
use super::game::PlayedGame;
use crate::game::{BoardGame, Side};
use crate::record::GameRecord;

/// What a record says beside the game itself.
pub(crate) struct Caption<'a> {
    pub event: &'a str,
    /// The number of the game, from 1.
    pub round: usize,
    /// The names of the first and the second side.
    pub names: [&'a str; 2],
    /// The number of the opening, from 1, where openings are numbered.
    pub opening: Option<usize>,
    /// The clock of each player, where there are clocks.
    pub clock: Option<TimeControl>,
}

/// The record of a game that began at `start`. The tags of the players are named after the sides of the game, such as `Red`
/// and `Black`.
pub(crate) fn record_of<G: BoardGame>(start: G, played: PlayedGame<G::Move>, caption: &Caption<'_>) -> GameRecord<G> {
    let mut record = GameRecord::new(start);
    record.set_tag("Event", caption.event);
    record.set_tag("Round", caption.round.to_string());
    for (side, name) in [Side::First, Side::Second].into_iter().zip(caption.names) {
        record.set_player(side, name);
    }
    record.set_tag("Termination", played.reason);
    if let Some(failure) = played.failure {
        record.set_tag("Failure", failure);
    }
    if let Some(opening) = caption.opening {
        record.set_tag("Opening", opening.to_string());
    }
    if let Some(clock) = caption.clock {
        record.set_tag("TimeControl", clock.to_string());
    }
    for (mv, comment) in played.moves.into_iter().zip(played.comments) {
        record.push(mv, Some(comment).filter(|comment| !comment.is_empty()));
    }
    record.outcome = Some(played.outcome);
    record
}
