//! A line of play, and whether another goes on from it.

use crate::eval::Catalogue;
use crate::game::line::{Line, played};

/// The whole game, if `next` belongs to the game of `line`: it goes on from it, or takes a move of each side back.
/// Clients may leave out what came before the last capture, so that `next` begins anywhere in the game, or one ply after it.
pub fn joined<G: Catalogue>(line: &Line<G>, next: &Line<G>) -> Option<Line<G>> {
    joined_inside(line, next).or_else(|| joined_behind(line, next))
}

/// `next` begins in a position of `line`.
fn joined_inside<G: Catalogue>(line: &Line<G>, next: &Line<G>) -> Option<Line<G>> {
    let mut position = line.start.clone();
    for at in 0..=line.moves.len() {
        let (before, rest) = line.moves.split_at(at);
        if position.key() == next.start.key() && goes_on::<G>(at, rest, &next.moves) {
            return Some(Line { start: line.start.clone(), moves: [before, &next.moves].concat() });
        }
        rest.first().into_iter().for_each(|&mv| position.play(mv));
    }
    None
}

/// `next` begins one ply after `line`.
fn joined_behind<G: Catalogue>(line: &Line<G>, next: &Line<G>) -> Option<Line<G>> {
    let position = line.position();
    let leads_there = |&mv: &G::Move| played(&position, &[mv]).key() == next.start.key();
    let mv = position.moves().into_iter().find(leads_there)?;
    Some(Line { start: line.start.clone(), moves: [&line.moves[..], &[mv], &next.moves].concat() })
}

/// Whether `next` goes on from `rest`, the moves of a game after its first `at`, when a turn of each side may be taken back.
/// Something of the game must be left, or any game would go on from any other.
fn goes_on<G: Catalogue>(at: usize, rest: &[G::Move], next: &[G::Move]) -> bool {
    let common = rest.iter().zip(next).take_while(|(one, other)| one == other).count();
    let taken = rest.len() - common;
    taken == 0 || (taken <= G::PROTOCOL.plies_of_round && at + common > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::xiangqi::{Move, Xiangqi};

    fn line(moves: &[&str]) -> Line<Xiangqi> {
        let start = Xiangqi::start();
        Line { start, moves: moves.iter().map(|text| Move::parse(text).unwrap()).collect() }
    }

    fn joined(one: &[&str], next: &Line<Xiangqi>) -> Option<String> {
        let moves = super::joined(&line(one), next)?.moves;
        Some(crate::game::line::line_text(&moves))
    }

    #[test]
    fn a_game_goes_on_or_is_taken_back() {
        let played = ["h2e2", "h9g7", "h0g2", "i9h9"];
        for (next, whole) in [
            (&["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"][..], Some("h2e2 h9g7 h0g2 i9h9 i0h0")),
            (&played[..], Some("h2e2 h9g7 h0g2 i9h9")),
            (&["h2e2", "h9g7"], Some("h2e2 h9g7")),
            (&["h2e2", "h9g7", "b0c2"], Some("h2e2 h9g7 b0c2")),
            (&["h2e2"], None),
            (&[], None),
            (&["b2e2", "h9g7", "h0g2", "i9h9", "i0h0"], None),
        ] {
            assert_eq!(joined(&played, &line(next)).as_deref(), whole, "{next:?}");
        }
        assert_eq!(joined(&["h2e2"], &line(&[])), None, "a new game");
    }

    #[test]
    fn clients_that_count_from_the_last_capture_are_understood() {
        let whole = line(&["h2e2", "h9g7", "e2e6"]);
        let answered = line(&["h2e2", "h9g7", "e2e6", "d9e8"]);
        let after_capture = Line { start: whole.position(), moves: answered.moves[3..].to_vec() };
        assert_eq!(joined(&["h2e2", "h9g7", "e2e6"], &after_capture).as_deref(), Some("h2e2 h9g7 e2e6 d9e8"));
        let from_there = Line { start: whole.position(), moves: Vec::new() };
        assert_eq!(joined(&["h2e2", "h9g7"], &from_there).as_deref(), Some("h2e2 h9g7 e2e6"));
    }
}
