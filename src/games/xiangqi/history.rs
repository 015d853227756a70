//! The past of a game and the rules that look at it: repetition and plies without capture.

use super::moves::Move;
use super::position::Position;
use crate::game::{End, Outcome, Side};

/// Plies without capture after which the game is drawn.
pub const QUIET_PLIES: u16 = 120;
/// Plies of the shortest past in which a position occurs for the third time.
const TWO_SHORTEST_CYCLES: usize = 8;

/// One move made, with what is needed to take it back.
#[derive(Debug, Clone, Copy)]
pub struct Past {
    /// The key before the move.
    pub key: u64,
    /// The move.
    pub mv: Move,
    /// Plies without capture before the move.
    pub quiet_plies: u16,
    /// Plies, before the move, that could be repeated: made since the set-up without capture or pawn's advance.
    pub repeatable_plies: u16,
    /// The code of the captured piece, 0 if there was none.
    pub captured: u8,
}

/// How many plies ago the position occurred for the first of three times; `None` if it occurred less than three times.
/// With more than three occurrences the last three count.
pub fn third_occurrence(key: u64, repeatable_plies: usize, past: &[Past]) -> Option<usize> {
    if repeatable_plies < TWO_SHORTEST_CYCLES {
        return None;
    }
    let reach = repeatable_plies.min(past.len());
    let recent = &past[past.len() - reach..];
    let mut occurrences = 1;
    let mut plies_ago = 4;
    while plies_ago <= reach {
        if recent[reach - plies_ago].key == key {
            occurrences += 1;
            if occurrences == 3 {
                return Some(plies_ago);
            }
        }
        plies_ago += 2;
    }
    None
}

/// The verdict on a repetition that spans the last plies, all of `past`, and ends in `position`: a side whose every
/// move gave check loses, unless the other did the same.
pub fn judge_repetition(mut position: Position, past: &[Past]) -> End {
    let mut always_checked = [true; 2];
    for ply in past.iter().rev() {
        let mover = position.turn().other();
        always_checked[mover.index()] &= position.in_check();
        if always_checked == [false; 2] {
            break;
        }
        position.unmake(ply.mv, ply.captured, ply.key);
    }
    match always_checked {
        [true, false] => End { outcome: Outcome::Win(Side::Second), reason: "perpetual check" },
        [false, true] => End { outcome: Outcome::Win(Side::First), reason: "perpetual check" },
        _ => End { outcome: Outcome::Draw, reason: "repetition" },
    }
}
