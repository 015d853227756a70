//! `--game`: whose rules apply.

/// The games that commands can be told to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Rules {
    /// Chinese chess
    Xiangqi,
    /// Six in a row, two stones a turn
    Connect6,
    /// Captures along circuits on 6 x 6 points
    Surakarta,
}
