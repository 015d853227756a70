//! The games: rules, move generation and position notation of each. No game knows another.

pub mod connect6;
pub mod surakarta;
pub mod xiangqi;

mod rows;
