//! Turns the text of a game into a game, by playing it.

use super::parse::{Claim, RawGame, parse_result};
use super::{Flawed, parse::RawMove};
use crate::game::{MoveError, Notation, Side};
use crate::record::account::{Flaw, Scrutiny};
use crate::record::entry::{GameRecord, Stated};
use crate::record::result;

/// Plays `raw` under the rules of `G`, and checks what it says of its result as `scrutiny` asks.
///
/// # Errors
/// The first flaw, in this order: start position, moves, contradiction of results, no moves, no result.
pub fn build<G: Notation>(raw: RawGame<'_>, scrutiny: Scrutiny) -> Result<GameRecord<G>, Flawed> {
    let line = raw.line;
    let (record, last) = played(raw)?;
    if scrutiny == Scrutiny::Full {
        complete(&record, &last).map_err(|flaw| (line, flaw))?;
    }
    Ok(record)
}

/// The record of `raw` and its last position, whatever results it states: that in the tag counts before that after the moves.
fn played<G: Notation>(raw: RawGame<'_>) -> Result<(GameRecord<G>, G), Flawed> {
    let line = raw.line;
    let at_start = |flaw| (line, flaw);
    let start = start_of::<G>(&raw).map_err(at_start)?;
    let outcome = |claim: Claim| claim.outcome(result::black_side::<G>());
    let in_tag = stated_result(&raw).map_err(at_start)?.map(outcome);
    let (mut record, last) = replay(&start, &raw)?;
    for (name, value) in raw.tags {
        record.set_tag(name, value);
    }
    record.prologue = raw.prologue;
    record.stated = Stated { in_tag, after_moves: raw.result.flatten().map(outcome), place: raw.result_place };
    record.outcome = in_tag.or(record.stated.after_moves);
    Ok((record, last))
}

/// Whether a record that ends in the position `last` is of use: results that agree, moves, a result.
fn complete<G: Notation>(record: &GameRecord<G>, last: &G) -> Result<(), Flaw> {
    result::agrees_after_moves(record)?;
    result::agrees_with_board(record, last)?;
    if record.moves.is_empty() {
        return Err(Flaw::NoMoves);
    }
    record.outcome.map(|_| ()).ok_or(Flaw::NoResult)
}

/// The value of a tag. Of several the last counts, as in [`GameRecord::set_tag`]: those before it may be of a game without moves.
fn tag<'r>(raw: &'r RawGame<'_>, wanted: &str) -> Option<&'r str> {
    raw.tags.iter().rfind(|(name, _)| *name == wanted).map(|(_, value)| value.trim())
}

fn start_of<G: Notation>(raw: &RawGame<'_>) -> Result<G, Flaw> {
    match tag(raw, "FEN") {
        None | Some("") => Ok(G::start()),
        Some(text) => G::from_notation(text).map_err(Flaw::Position),
    }
}

fn stated_result(raw: &RawGame<'_>) -> Result<Option<Claim>, Flaw> {
    match tag(raw, "Result") {
        None | Some("" | "?") => Ok(None),
        Some(text) => parse_result(text).ok_or_else(|| Flaw::Syntax {
            expected: "1-0, 0-1, 1/2-1/2 or * in tag Result",
            found: format!("`{text}`"),
        }),
    }
}

/// Plays all moves as their shape shows or, where tag `Format` says so, in the notation that looks like another
/// ([`Notation::LOOKALIKE`]). A game that is not legal in the one reading but from its first move to its last in the other is in the
/// other; else the flaw is that of the first reading.
fn replay<G: Notation>(start: &G, raw: &RawGame<'_>) -> Result<(GameRecord<G>, G), Flawed> {
    let stated =
        G::LOOKALIKE.filter(|&index| tag(raw, "Format").is_some_and(|format| names(format, G::NOTATIONS[index])));
    play(start, &raw.moves, stated).or_else(|flawed| {
        let other = if stated.is_some() { None } else { G::LOOKALIKE };
        if other == stated { Err(flawed) } else { play(start, &raw.moves, other).map_err(|_| flawed) }
    })
}

/// Whether a tag `Format` names the notation: in either case, and also with words after it, as in `UCI-1-10`.
fn names(format: &str, notation: &str) -> bool {
    format.split(['-', ' ', '_']).next().is_some_and(|first| first.eq_ignore_ascii_case(notation))
}

/// Plays all moves in `notation`, or in those that their shape shows; gives the game and its last position.
fn play<G: Notation>(start: &G, moves: &[RawMove<'_>], notation: Option<usize>) -> Result<(GameRecord<G>, G), Flawed> {
    let mut record = GameRecord::new(start.clone());
    record.reserve(moves.len());
    let mut game = start.clone();
    let mut number = MoveNumber::default();
    for (index, raw) in moves.iter().enumerate() {
        number.step(game.side_to_move());
        let flawed = |error: MoveError| (raw.line, Flaw::Move { number: number.current, ply: index + 1, error });
        let read = match notation {
            Some(notation) => game.parse_move_in(&raw.text, notation),
            None => game.parse_move(&raw.text),
        };
        let mv = read.map_err(flawed)?;
        game.play(mv);
        record.push(mv, raw.comment.clone());
    }
    Ok((record, game))
}

/// Counts moves as scores do: a number stands for a turn of the first side and the turn of the second after it.
#[derive(Debug, Default)]
pub(crate) struct MoveNumber {
    /// The number of the current move.
    pub current: usize,
    turn: Option<Side>,
}

impl MoveNumber {
    /// Goes on to a ply of `side`. Whether a new number begins with it.
    pub fn step(&mut self, side: Side) -> bool {
        let new_turn = self.turn != Some(side);
        let begins = new_turn && (side == Side::First || self.turn.is_none());
        self.turn = Some(side);
        self.current += usize::from(begins);
        begins
    }
}
