//! Chases: which pieces of the opponent a move newly threatens to win, as the referees of repetitions see it.
//!
//! `docs/xiangqi-rules.md` states the rules in words; the names here are those of that text.

use super::moves::Move;
use super::piece::{Piece, Role};
use super::position::Position;
use super::squares::{HALVES, Squares};
use crate::game::Side;

/// The pieces that a move chases, as points after the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chased {
    /// Those that are threatened by an attack that the move made, by line or leg opened, or by a pin made or dissolved.
    pub attacked: Squares,
    /// Those that were under the same attack before, and lost their protection because the move opened or closed a line
    /// of the protector.
    pub undermined: Squares,
}

impl Chased {
    /// Nothing is chased.
    pub const NOTHING: Self = Self { attacked: Squares::EMPTY, undermined: Squares::EMPTY };

    /// Which of `candidates` the side to move in `before` chases with the legal move `mv`. Points are those after the move.
    pub fn by(before: &Position, mv: Move, candidates: Squares) -> Self {
        let mut after = *before;
        after.make(mv);
        after.pass();
        let mut chased = Self::NOTHING;
        after.visit_legal(candidates & prey(&after, after.turn().other()), |attacker, victims| {
            if may_chase(role_at(&after, attacker)) {
                victims.for_each(|victim| chased.add_if_new(before, mv, &after, Move::new(attacker, victim)));
            }
        });
        chased
    }

    /// Adds the victim of `capture`, legal in `after`, if that is a threat which `mv` made.
    fn add_if_new(&mut self, before: &Position, mv: Move, after: &Position, capture: Move) {
        if !is_threat(after, capture) {
            return;
        }
        let attacker = if capture.from() == mv.to() { mv.from() } else { capture.from() };
        let earlier = Move::new(attacker, capture.to());
        let stood = was_possible(before, earlier);
        if stood && is_threat(before, earlier) {
            return;
        }
        let way =
            if stood && !is_answered(after, capture, reaches) { &mut self.undermined } else { &mut self.attacked };
        *way = *way | Squares::of(capture.to());
    }
}

/// The pieces of `side` that can be chased at all: not its king, and not the pawns on its own half.
fn prey(position: &Position, side: Side) -> Squares {
    let home_pawns = position.pieces(side, Role::Pawn) & HALVES[side.index()];
    position.side(side) & !position.pieces(side, Role::King) & !home_pawns
}

/// Kings and pawns may attack for ever.
const fn may_chase(attacker: Option<Role>) -> bool {
    !matches!(attacker, None | Some(Role::King | Role::Pawn))
}

fn role_at(position: &Position, square: usize) -> Option<Role> {
    Piece::from_code(position.board()[square]).map(Piece::role)
}

/// Whether `capture` was possible in `before`. A check that had to be answered first does not unmake an attack, a pin does.
fn was_possible(before: &Position, capture: Move) -> bool {
    reaches(before, capture) && (before.in_check() || before.is_legal(capture))
}

/// Whether the side to move threatens to win something by `capture`: a stronger piece, or one that is left unanswered.
fn is_threat(position: &Position, capture: Move) -> bool {
    is_of_stronger(position, capture) || !is_answered(position, capture, Position::is_legal)
}

/// Whether the captured piece is worth more than the capturing one, so that protection does not help it.
fn is_of_stronger(position: &Position, capture: Move) -> bool {
    match role_at(position, capture.from()) {
        Some(Role::Horse | Role::Cannon) => role_at(position, capture.to()) == Some(Role::Rook),
        Some(Role::Advisor | Role::Elephant) => {
            matches!(role_at(position, capture.to()), Some(Role::Rook | Role::Horse | Role::Cannon))
        }
        _ => false,
    }
}

/// Whether the opponent has an answer to the threat of `capture`: the attacked piece is of the same role and could itself
/// capture the attacker, an offer to exchange, or the capture could be taken back. `can_go` says which moves are possible.
fn is_answered(position: &Position, capture: Move, can_go: impl Fn(&Position, Move) -> bool) -> bool {
    if role_at(position, capture.from()) == role_at(position, capture.to()) {
        let mut theirs = *position;
        theirs.pass();
        if can_go(&theirs, Move::new(capture.to(), capture.from())) {
            return true;
        }
    }
    let mut after = *position;
    after.make(capture);
    after.side(after.turn()).into_iter().any(|from| can_go(&after, Move::new(from, capture.to())))
}

/// Whether the piece can go there by its way of moving, exposing its king or not.
fn reaches(position: &Position, mv: Move) -> bool {
    position.targets(mv.from()).contains(mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_are_a_rook_for_horse_and_cannon_and_all_three_for_advisor_and_elephant() {
        use Role::{Advisor, Cannon, Elephant, Horse, Rook};
        let mut found = Vec::new();
        for attacker in Role::ALL {
            for victim in Role::ALL {
                let mut position = Position::empty();
                position.put(0, Piece::new(Side::First, attacker));
                position.put(1, Piece::new(Side::Second, victim));
                if is_of_stronger(&position, Move::new(0, 1)) {
                    found.push((attacker, victim));
                }
            }
        }
        let defenders = [Advisor, Elephant].map(|attacker| [Horse, Rook, Cannon].map(|victim| (attacker, victim)));
        assert_eq!(found, [defenders.concat(), vec![(Horse, Rook), (Cannon, Rook)]].concat());
    }
}
