//! The games that experiments read, by game.

use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::games::xiangqi::Xiangqi;
use crate::record::GameRecord;

/// The games that a run was given, all with a result: those of the game that its experiment is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Records<'a> {
    /// Games of Xiangqi.
    pub xiangqi: &'a [GameRecord<Xiangqi>],
    /// Games of Connect6.
    pub connect6: &'a [GameRecord<Connect6>],
}

/// A game that experiments read records of.
pub trait Recorded: Game {
    /// The records of this game.
    fn among(records: Records<'_>) -> &[GameRecord<Self>];
}

impl Recorded for Xiangqi {
    fn among(records: Records<'_>) -> &[GameRecord<Self>] {
        records.xiangqi
    }
}

impl Recorded for Connect6 {
    fn among(records: Records<'_>) -> &[GameRecord<Self>] {
        records.connect6
    }
}
