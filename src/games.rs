//! The games: rules, move generation and notation of each, and what each [offers](crate::game::Kit). No game knows another.
//!
//! This file is the one list of them. [`by_game!`](crate::by_game) runs code that is generic over games for the one that a name
//! stands for.

pub mod connect6;
pub mod surakarta;
pub mod xiangqi;

mod rows;

use crate::game::Game;

/// The games of the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum GameName {
    /// Chinese chess
    #[default]
    Xiangqi,
    /// Six in a row, two stones a turn
    Connect6,
    /// Captures along circuits on 6 x 6 points
    Surakarta,
}

/// The body with the type `G` that of the game which a [`GameName`](crate::games::GameName) stands for.
#[macro_export]
macro_rules! by_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            $crate::games::GameName::Xiangqi => {
                type $G = $crate::games::xiangqi::Xiangqi;
                $body
            }
            $crate::games::GameName::Connect6 => {
                type $G = $crate::games::connect6::Connect6;
                $body
            }
            $crate::games::GameName::Surakarta => {
                type $G = $crate::games::surakarta::Surakarta;
                $body
            }
        }
    };
}

/// A game whose positions can be written as planes, as networks of [`crate::net::residual`] read them: what self-play learns
/// unless another is asked for.
pub type PlanesGame = surakarta::Surakarta;

impl GameName {
    /// All games.
    pub const ALL: [Self; 3] = [Self::Xiangqi, Self::Connect6, Self::Surakarta];

    /// [`Game::NAME`].
    #[must_use]
    pub fn name(self) -> &'static str {
        by_game!(self, G => G::NAME)
    }

    /// The game called `name`, if there is one.
    #[must_use]
    pub fn called(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// What `of` says of each game, for a message: that of the default, then those of the others, as in `8, of Connect6 6`.
    #[must_use]
    pub fn defaults(of: impl Fn(Self) -> String) -> String {
        let others = Self::ALL.into_iter().skip(1).map(|game| format!(", of {game:?} {}", of(game)));
        of(Self::default()) + &others.collect::<String>()
    }
}
