//! Reads moves: what a text says, which pieces it may mean, and which of them can move so.

use super::super::Xiangqi;
use super::super::moves::Move;
use super::super::piece::Role;
use super::super::squares::{FILES, RANKS, Squares, file_of, rank_of};
use super::symbol::Symbol;
use super::{MoveNotation, file_numbered, points_of, shared_files};
use crate::game::{Game, MoveError, Ranks, Side};

/// What a text in WXF or Chinese notation says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Description {
    role: Role,
    /// The number of the file as the mover counts.
    file: Option<usize>,
    order: Order,
    way: Way,
    /// The file of arrival or the number of steps, 1 to 9.
    number: usize,
}

/// Which of the pieces of one kind on a file is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The text does not say.
    Unsaid,
    /// WXF's `P3`: the only one, or the middle one of three or five pawns.
    AloneOrMiddle,
    Foremost,
    /// WXF's single `+`: the foremost of two or three, the second of more.
    Front,
    Middle,
    /// WXF's single `-`: the rearmost of two or three, the last but one of more.
    Rear,
    Rearmost,
    /// Counted from the front, from 1.
    Nth(usize),
    /// WXF's two digits: with the same digit twice the middle pawn of that file where another file holds several pawns too.
    NthOrMiddle(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
    Sideways,
}

/// Most symbols that a move has: `前兵九平八`.
const LONGEST: usize = 5;

impl Xiangqi {
    /// Reads a move in any notation, by the shape of the text. Ranks are those of ICCS unless one of them is 10.
    pub(in super::super) fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        match Move::parse(text).or_else(|| certain_uci(text)) {
            Some(mv) => self.check(text, mv),
            None => self.read_description(text),
        }
    }

    /// Reads a move in `notation`: only [`MoveNotation::Uci`] is another reading than that by the shape of the text.
    ///
    /// # Errors
    /// When the text is not a move, or not a legal one.
    pub fn read_move_in(&self, text: &str, notation: MoveNotation) -> Result<Move, MoveError> {
        if notation != MoveNotation::Uci {
            return self.read_move(text);
        }
        Ranks::FromOne.read(self, text)
    }

    fn check(&self, text: &str, mv: Move) -> Result<Move, MoveError> {
        if self.position.is_legal(mv) {
            return Ok(mv);
        }
        Err(illegal(text, self.why_illegal(mv)))
    }

    fn read_description(&self, text: &str) -> Result<Move, MoveError> {
        let said = Description::parse(text).ok_or_else(|| MoveError::Syntax {
            text: text.to_owned(),
            expected: "a move such as `h2e2`, `C2=5` or `炮二平五`",
        })?;
        let candidates = self.candidates(said);
        let mut found = None;
        for from in candidates {
            let Some(to) = said.destination(self.side_to_move(), from) else { continue };
            let mv = Move::new(from, to);
            if self.position.is_legal(mv) && found.replace(mv).is_some() {
                return Err(self.ambiguous(text, said, candidates));
            }
        }
        found.ok_or_else(|| self.none_found(text, said, candidates))
    }

    /// The points of the pieces that may be meant.
    #[inline]
    fn candidates(&self, said: Description) -> Squares {
        let us = self.side_to_move();
        let pieces = self.pieces(us, said.role);
        if let Some(number) = said.file {
            let on = pieces & points_of(file_numbered(us, number));
            return said.order.pick(us, on, || shared_files(pieces).nth(1).is_some());
        }
        if let Order::Nth(number) = said.order
            && shared_files(pieces).nth(1).is_some()
        {
            return counted_across(us, pieces, number);
        }
        let picked = shared_files(pieces).map(|(_, on)| said.order.pick(us, on, || false));
        picked.fold(Squares::EMPTY, |all, one| all | one)
    }

    #[cold]
    fn ambiguous(&self, text: &str, said: Description, candidates: Squares) -> MoveError {
        let us = self.side_to_move();
        let moves = candidates.into_iter().filter_map(|from| Some(Move::new(from, said.destination(us, from)?)));
        let names: Vec<String> = moves.filter(|&mv| self.position.is_legal(mv)).map(|mv| mv.to_string()).collect();
        illegal(text, format!("it may mean {}", names.join(" or ")))
    }

    #[cold]
    fn none_found(&self, text: &str, said: Description, candidates: Squares) -> MoveError {
        let us = self.side_to_move();
        let piece = format!("{} {}", Self::SIDES[us.index()], said.role.name());
        let place = said.file.map_or_else(String::new, |number| format!(" on file {number}"));
        let mut moves = candidates.into_iter().filter_map(|from| Some(Move::new(from, said.destination(us, from)?)));
        let reason = match (candidates.is_empty(), moves.next()) {
            (false, Some(only)) if moves.next().is_none() => self.why_illegal(only),
            (false, _) => format!("no {piece}{place} can move so"),
            (true, _) if said.file.is_none() => format!("expected two {piece}s or more on one file, found none so"),
            (true, _) if said.order == Order::Unsaid => format!("no {piece}{place}"),
            (true, _) => format!("no such {piece}{place}"),
        };
        illegal(text, reason)
    }
}

fn illegal(text: &str, reason: String) -> MoveError {
    MoveError::Illegal { text: text.to_owned(), reason }
}

/// Ranks 1 to 10, if one of them is 10.
fn certain_uci(text: &str) -> Option<Move> {
    if text.len() <= 4 || !text.contains("10") {
        return None;
    }
    Move::parse(&Ranks::FromOne.to_iccs(text)?)
}

/// The piece with this number when the pieces of all shared files are counted, from the mover's right to its left, and on each
/// file from the front.
fn counted_across(side: Side, pieces: Squares, number: usize) -> Squares {
    let mut left = number;
    for file in (1..=FILES).map(|number| file_numbered(side, number)) {
        let on = pieces & points_of(file);
        if on.len() < 2 {
            continue;
        }
        if left <= on.len() {
            return nth_from_front(side, on, left - 1);
        }
        left -= on.len();
    }
    Squares::EMPTY
}

/// The point of the set `on`, all on one file, that has `before` others before it; none if there are not so many.
fn nth_from_front(side: Side, on: Squares, before: usize) -> Squares {
    let nth = match side {
        Side::First => on.len().checked_sub(before + 1),
        Side::Second => Some(before),
    };
    nth.and_then(|nth| on.into_iter().nth(nth)).map_or(Squares::EMPTY, Squares::of)
}

impl Order {
    /// Those of `on`, the pieces of one kind on a file, that may be meant. `others` tells whether other files hold several, too.
    #[inline]
    fn pick(self, side: Side, on: Squares, others: impl FnOnce() -> bool) -> Squares {
        let count = on.len();
        let has_middle = count >= 3 && count % 2 == 1;
        let before = match self {
            Self::AloneOrMiddle if has_middle => Some(count / 2),
            Self::Unsaid | Self::AloneOrMiddle => return on,
            Self::Foremost => Some(0),
            Self::Front => Some(usize::from(count > 3)),
            Self::Middle => has_middle.then_some(count / 2),
            Self::Rear => count.checked_sub(if count > 3 { 2 } else { 1 }),
            Self::Rearmost => count.checked_sub(1),
            Self::NthOrMiddle(_) if has_middle && others() => Some(count / 2),
            Self::Nth(number) | Self::NthOrMiddle(number) => Some(number - 1),
        };
        before.map_or(Squares::EMPTY, |before| nth_from_front(side, on, before))
    }
}

impl Description {
    #[inline]
    fn parse(text: &str) -> Option<Self> {
        let mut symbols = [Symbol::Middle; LONGEST];
        let mut count = 0;
        for character in text.chars() {
            if character > ' ' && !character.is_whitespace() {
                *symbols.get_mut(count)? = Symbol::of(character)?;
                count += 1;
            }
        }
        let [head @ .., way, Symbol::Number(number)] = symbols.get(..count)? else { return None };
        let (way, wxf) = match way {
            Symbol::Forward => (Way::Forward, false),
            Symbol::Back => (Way::Back, false),
            Symbol::Sideways => (Way::Sideways, true),
            Symbol::Plus => (Way::Forward, true),
            Symbol::Minus => (Way::Back, true),
            _ => return None,
        };
        let (role, file, order) = subject(head, wxf)?;
        Some(Self { role, file, order, way, number: usize::from(*number) })
    }

    /// Where the piece on `from` arrives, if it could move so on an empty board.
    #[inline]
    fn destination(self, side: Side, from: usize) -> Option<usize> {
        let (file, rank) = (file_of(from), rank_of(from));
        let straight = matches!(self.role, Role::King | Role::Rook | Role::Cannon | Role::Pawn);
        let arrival = file_numbered(side, self.number);
        if self.way == Way::Sideways {
            return (straight && arrival != file).then_some(rank * FILES + arrival);
        }
        let (file, ranks) = match (self.role, arrival.abs_diff(file)) {
            _ if straight => (file, self.number),
            (Role::Horse, 1) | (Role::Elephant, 2) => (arrival, 2),
            (Role::Horse, 2) | (Role::Advisor, 1) => (arrival, 1),
            _ => return None,
        };
        let up = (side == Side::First) == (self.way == Way::Forward);
        let rank = if up { rank + ranks } else { rank.checked_sub(ranks)? };
        (rank < RANKS).then_some(rank * FILES + file)
    }
}

/// Role, number of the file and order that the symbols before the direction say.
#[inline]
fn subject(head: &[Symbol], wxf: bool) -> Option<(Role, Option<usize>, Order)> {
    use Symbol::{Number, Piece};
    let plain = |role| if wxf && role == Role::Pawn { Order::AloneOrMiddle } else { Order::Unsaid };
    Some(match *head {
        [Piece(role), Number(file)] => (role, Some(usize::from(file)), plain(role)),
        [Number(nth), Piece(role)] => (role, None, Order::Nth(usize::from(nth))),
        [Number(nth), Piece(role), Number(file)] => (role, Some(usize::from(file)), Order::Nth(usize::from(nth))),
        [Number(nth), Number(file)] if nth == file => {
            (Role::Pawn, Some(usize::from(file)), Order::NthOrMiddle(usize::from(nth)))
        }
        [Number(nth), Number(file)] => (Role::Pawn, Some(usize::from(file)), Order::Nth(usize::from(nth))),
        [Piece(role), place] | [place, Piece(role)] => (role, None, place_of(place)?),
        [Number(file), place] | [place, Number(file)] => (Role::Pawn, Some(usize::from(file)), place_of(place)?),
        [place, Piece(role), Number(file)]
        | [place, Number(file), Piece(role)]
        | [Piece(role), place, Number(file)]
        | [Piece(role), Number(file), place] => (role, Some(usize::from(file)), place_of(place)?),
        [Symbol::Plus, Symbol::Plus] => (Role::Pawn, None, Order::Foremost),
        [Symbol::Minus, Symbol::Minus] => (Role::Pawn, None, Order::Rearmost),
        _ => return None,
    })
}

const fn place_of(symbol: Symbol) -> Option<Order> {
    Some(match symbol {
        Symbol::Front => Order::Foremost,
        Symbol::Middle => Order::Middle,
        Symbol::Rear => Order::Rearmost,
        Symbol::Plus => Order::Front,
        Symbol::Minus => Order::Rear,
        _ => return None,
    })
}
