//! A finished game of self-play: its moves, what each search found, and how it ended.

use serde::{Deserialize, Serialize};

use crate::disk::{sealed_json, unsealed_json};
use crate::game::line::{line_text, read_line};
use crate::game::{Notation, Outcome, Side};

/// What the search before one move found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Searched {
    /// The expected result for the **side to move**, in [-1, 1].
    pub value: f32,
    /// What the search recommends: moves by [`move_slot`](crate::game::SearchHints::move_slot), and the part of each, of about
    /// 10,000. Empty for a search that is no example.
    pub policy: Vec<(u32, u32)>,
}

/// The course of a game of self-play, finished or not.
#[derive(Debug, Clone)]
pub struct Course<G: Notation> {
    /// The number of the game, from 0, in the order in which games began.
    pub number: usize,
    /// All moves.
    pub moves: Vec<G::Move>,
    /// What was found before each of them.
    pub searched: Vec<Searched>,
    /// How many lessons the network had had at its first and at its last move.
    pub lessons: [u64; 2],
    /// The side that would have resigned first, in a game that is played on to see whether it was right.
    pub gave_up: Option<Side>,
}

/// A finished game of self-play.
#[derive(Debug, Clone)]
pub(crate) struct FinishedGame<G: Notation> {
    /// Its course.
    pub course: Course<G>,
    /// Who won.
    pub outcome: Outcome,
    /// What ended it, in the words of the game, or `resignation`.
    pub reason: String,
    /// The simulations of its searches, where one process has played all of it.
    pub simulations: Option<u64>,
}

/// A game as a line of a file or a part of a checkpoint; without result and reason it goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    game: usize,
    /// Separated by blanks.
    moves: String,
    /// 1, 0 or -1 for the first side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    simulations: Option<u64>,
    lessons: [u64; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gave_up: Option<usize>,
    values: Vec<f32>,
    /// For each move slot after slot, each followed by its part of about 10,000.
    policies: Vec<Vec<u32>>,
}

impl<G: Notation> Course<G> {
    /// A game of which nothing is played.
    pub const fn begin(number: usize, lesson: u64) -> Self {
        Self { number, moves: Vec::new(), searched: Vec::new(), lessons: [lesson; 2], gave_up: None }
    }

    /// The positions that are examples, by the plies before them.
    pub fn examples(&self) -> impl Iterator<Item = usize> + '_ {
        self.searched.iter().enumerate().filter(|(_, searched)| !searched.policy.is_empty()).map(|(ply, _)| ply)
    }

    pub(super) fn to_line(&self) -> Line {
        Line {
            game: self.number,
            moves: line_text(&self.moves),
            result: None,
            reason: None,
            simulations: None,
            lessons: self.lessons,
            gave_up: self.gave_up.map(Side::index),
            values: self.searched.iter().map(|searched| searched.value).collect(),
            policies: self.searched.iter().map(|searched| flat(&searched.policy)).collect(),
        }
    }

    /// The course of the game that began at `start` and that `line` tells of; else what is wrong with it.
    pub(super) fn of_line(start: &G, line: &Line) -> Result<Self, String> {
        let moves = read_line(&mut start.clone(), &line.moves)?;
        let (n, values, policies) = (moves.len(), line.values.len(), line.policies.len());
        if [values, policies] != [n; 2] {
            return Err(format!("expected {n} values and policies, found {values} and {policies}"));
        }
        let searched = |(&value, policy): (&f32, &Vec<u32>)| Searched { value, policy: pairs(policy) };
        Ok(Self {
            number: line.game,
            moves,
            searched: line.values.iter().zip(&line.policies).map(searched).collect(),
            lessons: line.lessons,
            gave_up: line.gave_up.map(|index| if index == 0 { Side::First } else { Side::Second }),
        })
    }
}

impl<G: Notation> FinishedGame<G> {
    /// One line of JSON, without its end.
    pub(crate) fn to_line(&self) -> String {
        let (result, reason) = (Some(self.outcome.value()), Some(self.reason.clone()));
        // Strings and finite numbers are always JSON.
        let line = Line { result, reason, simulations: self.simulations, ..self.course.to_line() };
        sealed_json(serde_json::to_string(&line).unwrap_or_default())
    }

    /// The game that began at `start` and that `text` tells of.
    ///
    /// # Errors
    /// With what is wrong with the text.
    pub(crate) fn of_line(start: &G, text: &str) -> Result<Self, String> {
        let text = unsealed_json(text.as_bytes()).map_err(|error| error.to_string())?;
        let line: Line = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let result = line.result.ok_or("expected a finished game, found one without a result")?;
        let course = Course::of_line(start, &line)?;
        let (outcome, simulations) = (Outcome::of_value(result), line.simulations);
        Ok(Self { course, outcome, reason: line.reason.unwrap_or_default(), simulations })
    }
}

fn flat(policy: &[(u32, u32)]) -> Vec<u32> {
    policy.iter().flat_map(|&(slot, parts)| [slot, parts]).collect()
}

fn pairs(numbers: &[u32]) -> Vec<(u32, u32)> {
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn a_line_gives_the_game_back_and_a_wrong_one_says_why() {
        let start = Xiangqi::start();
        let moves = read_line(&mut start.clone(), "h2e2 h9g7 h0g2").unwrap();
        let searched = |value, policy: &[(u32, u32)]| Searched { value, policy: policy.to_vec() };
        let course = Course::<Xiangqi> {
            number: 7,
            searched: vec![searched(0.1, &[(3, 4), (5, 1)]), searched(-0.25, &[]), searched(1.0 / 3.0, &[(9, 2)])],
            moves,
            lessons: [2, 3],
            gave_up: Some(Side::First),
        };
        assert_eq!(course.examples().collect::<Vec<_>>(), [0, 2]);
        let (outcome, reason) = (Outcome::Win(Side::Second), "repetition".to_owned());
        let game = FinishedGame { course, outcome, reason, simulations: Some(12) };
        let line = game.to_line();
        let again = FinishedGame::of_line(&start, &line).unwrap();
        assert_eq!(again.to_line(), line);
        assert_eq!((again.course.moves, again.course.gave_up), (game.course.moves, Some(Side::First)));
        let changed = FinishedGame::<Xiangqi>::of_line(&start, &line.replace("h9g7", "h9g8")).unwrap_err();
        assert!(changed.contains("its checksum is that of something else"), "{changed}");
        let line = String::from_utf8(unsealed_json(line.as_bytes()).unwrap().into_owned()).unwrap();
        let illegal = FinishedGame::<Xiangqi>::of_line(&start, &line.replace("h9g7", "h9g8")).unwrap_err();
        assert!(illegal.contains("move 2"), "{illegal}");
        assert!(FinishedGame::<Xiangqi>::of_line(&start, &line.replace("[9,2]", "")).is_err());
    }
}
