//! The games: rules, move generation and position notation of each. No game knows another.

pub mod xiangqi;
