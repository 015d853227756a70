//! The games: rules, move generation and notation of each, and what each [offers](crate::game::Kit). No game knows another.
//!
//! This file is the one list of them. [`by_game!`](crate::by_game) runs code that is generic over games for the one that a name
//! stands for.

/// The array of what an expression gives for each index, worked out when the program is compiled: `std::array::from_fn` for
/// constants. `$zero` is any value of the elements.
macro_rules! array {
    ($zero:expr; $len:expr, $at:ident => $value:expr) => {{
        let mut array = [$zero; $len];
        let mut $at = 0;
        while $at < $len {
            array[$at] = $value;
            $at += 1;
        }
        array
    }};
}

/// Operators between two sets that are bits of one number: `$operator` with its method and what it does to the numbers.
macro_rules! bit_operators {
    ($set:ty: $($operator:ident $method:ident $symbol:tt),+) => {$(
        impl std::ops::$operator for $set {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
    )+};
}

/// Shows a type in debugging as it is written.
macro_rules! debug_as_written {
    ($type:ty) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

pub mod connect6;
pub mod surakarta;
pub mod xiangqi;

mod repetition;
mod rows;

use crate::choices;

choices! {
    /// The games of the program, by [`Game::NAME`](crate::game::Game::NAME).
    pub enum GameName = Xiangqi {
        /// Chinese chess.
        Xiangqi,
        /// Six in a row, two stones a turn.
        Connect6,
        /// Captures along circuits on 6 x 6 points.
        Surakarta,
    }
}

choices! {
    /// The games whose positions can be written as [planes](crate::game::Planes).
    pub enum PlanesGame = Surakarta {
        /// Captures along circuits on 6 x 6 points.
        Surakarta,
    }
}

/// As [`by_game!`](crate::by_game), for a [`PlanesGame`](crate::games::PlanesGame).
#[macro_export]
macro_rules! by_planes_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            $crate::games::PlanesGame::Surakarta => {
                type $G = $crate::games::surakarta::Surakarta;
                $body
            }
        }
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::settings::Choices;

    #[test]
    fn games_are_called_as_they_call_themselves() {
        for &game in GameName::ALL {
            assert_eq!(game.name(), by_game!(game, G => G::NAME));
        }
    }
}
