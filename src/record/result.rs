//! Whether the places that tell the result of a game agree.

use super::account::{Flaw, Reason};
use super::entry::{GameRecord, result_text};
use crate::game::{Game, Outcome, Side};

/// The side that has the black pieces or stones: the first only where it is called so.
pub fn black_side<G: Game>() -> Side {
    if G::SIDES[0] == "black" { Side::First } else { Side::Second }
}

/// Whether the result after the moves is the one of the record.
///
/// # Errors
/// [`Flaw::Other`], if it is not.
pub(crate) fn agrees_after_moves<G: Game>(record: &GameRecord<G>) -> Result<(), Flaw> {
    let stated = record.stated.after_moves;
    stated.map_or(Ok(()), |outcome| agrees(record, outcome, Reason::ContradictingResult, "after the moves"))
}

/// Whether mate or stalemate in `last`, the position after the moves, gives the result of the record. Ends by repetition and
/// the like are left to the arbiter who was there.
///
/// # Errors
/// [`Flaw::Other`], if it does not.
pub(crate) fn agrees_with_board<G: Game>(record: &GameRecord<G>, last: &G) -> Result<(), Flaw> {
    on_board(last).map_or(Ok(()), |(outcome, name)| agrees(record, outcome, Reason::ContradictingBoard, name))
}

/// The result by mate or stalemate, and its name.
pub fn on_board<G: Game>(last: &G) -> Option<(Outcome, &'static str)> {
    if last.end_by_history().is_some() {
        return None;
    }
    last.end().map(|end| (end.outcome, end.reason))
}

/// Whether `outcome`, which `place` tells, is that of the record, if it has one.
///
/// # Errors
/// [`Flaw::Other`], if it is not.
pub fn agrees<G: Game>(record: &GameRecord<G>, outcome: Outcome, reason: Reason, place: &str) -> Result<(), Flaw> {
    if record.outcome.is_none_or(|stated| stated == outcome) {
        return Ok(());
    }
    let (first, second) = (record.result(), result_text(Some(outcome)));
    let first_from = match (record.stated.in_tag, record.stated.after_moves) {
        (Some(_), _) => "in tag Result",
        (None, Some(_)) => record.stated.place.unwrap_or("after the moves"),
        // It was told by the mate.
        (None, None) => "on the board",
    };
    Err(Flaw::Other(reason, format!("result {first} {first_from}, but {second} {place}")))
}
