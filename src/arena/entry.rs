//! What a journal says about a game: finished, or on its way.

use serde::{Deserialize, Serialize};

use super::adjudication::is_adjudicated;
use super::game::{Begun, PlayedGame, RESIGNED};
use super::openings::Opening;
use crate::game::line::{line_text, read_line};
use crate::game::{Game, Notation, Outcome, Side};

/// What a journal calls a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The identifier of its pair, where games come in pairs.
    pub pair: Option<String>,
    /// The number of the game, in its pair or in all, from 1.
    pub game: usize,
}

/// A line of a journal: a game that has ended, with its result, or moves of one that goes on.
#[derive(Debug, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pair: Option<String>,
    game: usize,
    /// How many plies come before these moves of a game that goes on; if that is no more than the opening has, the game began anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// Separated by blanks.
    moves: String,
    comments: Vec<String>,
    /// 1, 0 or -1 for the first side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Positions visited for these moves by the first and by the second side.
    nodes: [u64; 2],
}

impl Line {
    /// The line of a finished game.
    pub fn finished<M: ToString>(Key { pair, game }: Key, played: &PlayedGame<M>) -> Self {
        let (result, reason) = (Some(played.outcome.value()), Some(played.reason.clone()));
        let (moves, comments, failure) = (line_text(&played.moves), played.comments.clone(), played.failure.clone());
        Self { pair, game, after: None, moves, comments, result, reason, failure, nodes: played.nodes }
    }

    /// The line of the moves of `news`, which come after as many plies as `after` says.
    pub fn moves<M: ToString>(Key { pair, game }: Key, after: usize, news: &Begun<M>) -> Self {
        let (moves, comments, nodes) = (line_text(&news.moves), news.comments.clone(), news.nodes);
        Self { pair, game, after: Some(after), moves, comments, result: None, reason: None, failure: None, nodes }
    }

    /// Which game it is about.
    pub fn key(&self) -> Key {
        Key { pair: self.pair.clone(), game: self.game }
    }

    /// The finished game that began at `start`; else what is wrong with the line.
    pub fn replay<G: Notation>(self, mut start: G) -> Result<PlayedGame<G::Move>, String> {
        let moves = self.parse(&mut start)?;
        let Self { comments, result, reason, failure, nodes, .. } = self;
        let (result, reason) = result.zip(reason).ok_or("expected a result with its reason, found none")?;
        let outcome = Outcome::of_value(result);
        // A player that fails, for one that it cannot be started, ends a game whatever stands on the board.
        if failure.is_none() {
            check_end(&start, outcome, &reason)?;
        }
        Ok(PlayedGame { moves, comments, outcome, reason, failure, nodes })
    }

    /// The game from `opening`, with these moves after those of `known`, or after those of the opening if the line says so; nothing if
    /// they follow neither, else what is wrong with the line.
    pub fn follow<G: Notation>(
        self,
        opening: Opening<G>,
        known: Option<Begun<G::Move>>,
    ) -> Result<Option<Begun<G::Move>>, String> {
        if self.result.is_some() || self.reason.is_some() || self.failure.is_some() {
            return Err("expected moves of a game that goes on, found its end too".to_owned());
        }
        let (after, mut position) = (self.after.unwrap_or_default(), opening.start);
        let known = known.filter(|_| after != opening.moves.len());
        let mut begun = known.unwrap_or_else(|| Begun::with_opening(opening.moves));
        if after != begun.moves.len() {
            return Ok(None);
        }
        begun.moves.iter().for_each(|&mv| position.play(mv));
        begun.moves.extend(self.parse(&mut position)?);
        begun.comments.extend(self.comments);
        begun.nodes = std::array::from_fn(|side| begun.nodes[side].saturating_add(self.nodes[side]));
        Ok(Some(begun))
    }

    /// The moves, made in `position`; each has a comment.
    fn parse<G: Notation>(&self, position: &mut G) -> Result<Vec<G::Move>, String> {
        let moves = read_line(position, &self.moves)?;
        let (expected, found) = (moves.len(), self.comments.len());
        if expected == found { Ok(moves) } else { Err(format!("expected {expected} comments, found {found}")) }
    }
}

/// Checks that the rules end a game in `position` so, or let it go on and it was ended so beside them.
fn check_end<G: Game>(position: &G, outcome: Outcome, reason: &str) -> Result<(), String> {
    let by_rules = position.end();
    let fits = match by_rules {
        Some(end) => (end.outcome, end.reason) == (outcome, reason),
        None => is_adjudicated(outcome, reason) || (outcome != Outcome::Draw && reason == RESIGNED),
    };
    if fits {
        return Ok(());
    }
    let told = |outcome, reason: &str| match outcome {
        Outcome::Win(Side::First) => format!("{} won ({reason})", G::SIDES[0]),
        Outcome::Win(Side::Second) => format!("{} won ({reason})", G::SIDES[1]),
        Outcome::Draw => format!("it is a draw ({reason})"),
    };
    let expected = by_rules.map_or_else(|| "the game goes on".to_owned(), |end| told(end.outcome, end.reason));
    Err(format!("by the rules {expected}, the line says that {}", told(outcome, reason)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn a_line_is_of_a_game_that_has_ended_or_of_one_that_goes_on() {
        let line = |of: &str| {
            let text = format!(r#"{{"game":1,"moves":"h2e2","comments":[""],"nodes":[1,0]{of}}}"#);
            serde_json::from_str::<Line>(&text).unwrap()
        };
        let follow = |of: &str| line(of).follow(Opening::<Xiangqi>::initial(), None);
        let replay = |of: &str| line(of).replay(Opening::<Xiangqi>::initial().start);
        assert_eq!(follow(r#","after":0"#).unwrap().unwrap().moves.len(), 1);
        assert_eq!(replay(r#","result":1,"reason":"resignation""#).unwrap().outcome, Outcome::of_value(1));
        for end in [r#""result":1"#, r#""reason":"mate""#, r#""failure":"a crash""#] {
            let error = follow(&format!(r#","after":0,{end}"#)).unwrap_err();
            assert_eq!(error, "expected moves of a game that goes on, found its end too");
        }
        assert_eq!(replay(r#","result":1"#).unwrap_err(), "expected a result with its reason, found none");
    }
    #[test]
    fn a_finished_game_has_the_end_that_the_rules_give_it() {
        let ended = |start: &str, moves: &str, end: &str| {
            let text = format!(r#"{{"game":1,"moves":"{moves}","comments":[""],{end},"nodes":[1,0]}}"#);
            let start = Xiangqi::from_notation(start).unwrap();
            serde_json::from_str::<Line>(&text).unwrap().replay(start).map(|played| played.outcome.value())
        };
        // Red mates on the last rank, or lets the game go on.
        let start = "3k5/R8/9/9/9/9/9/9/9/1R3K3 w";
        let mate = |end: &str| ended(start, "b0b9", end);
        let on = |end: &str| ended(start, "b0b8", end);
        assert_eq!(mate(r#""result":1,"reason":"checkmate""#), Ok(1));
        assert_eq!(mate(r#""result":-1,"reason":"engine crashed","failure":"it ended""#), Ok(-1));
        for (result, reason, said) in [
            (-1, "checkmate", "black won (checkmate)"),
            (0, "ply cap", "it is a draw (ply cap)"),
            (1, "stalemate", "red won (stalemate)"),
        ] {
            let error = mate(&format!(r#""result":{result},"reason":"{reason}""#)).unwrap_err();
            assert_eq!(error, format!("by the rules red won (checkmate), the line says that {said}"));
        }
        for (result, reason) in [
            (-1, "resignation"),
            (0, "ply cap"),
            (1, "adjudicated: resignation by score"),
            (0, "adjudicated: draw by score"),
        ] {
            assert_eq!(on(&format!(r#""result":{result},"reason":"{reason}""#)), Ok(result));
        }
        for (result, reason, said) in [
            (1, "checkmate", "red won (checkmate)"),
            (1, "ply cap", "red won (ply cap)"),
            (0, "resignation", "it is a draw (resignation)"),
        ] {
            let error = on(&format!(r#""result":{result},"reason":"{reason}""#)).unwrap_err();
            assert_eq!(error, format!("by the rules the game goes on, the line says that {said}"));
        }
    }
}
