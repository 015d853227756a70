//! Formats of game records beside PGN.

pub mod ccga;
pub mod sgf;
mod stones;
