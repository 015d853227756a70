//! Where commands take their games from: files, or the embedded data set.

use std::path::PathBuf;

use roughboard::experiment::embedded;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Account, GameRecord, Policy, read_games};

use super::session::Session;

/// The games that a command works on.
#[derive(clap::Args)]
pub struct GameSources {
    /// Game files (.pgn, .pgn.gz, .pgn.zst); without any, the embedded self-play games
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Leave out games that are invalid, with a count, instead of stopping at the first
    #[arg(long)]
    drop_invalid: bool,
}

/// Games that were read, and what they were read from.
pub struct Games {
    /// The games kept, all with a result.
    pub records: Vec<GameRecord<Xiangqi>>,
    /// What was read, kept and dropped.
    pub account: Account,
    /// SHA-256 of each file, by name.
    pub inputs: Vec<(String, String)>,
}

impl GameSources {
    /// Reads the games.
    pub fn read(&self, session: &Session) -> anyhow::Result<Games> {
        let policy = if self.drop_invalid { Policy::Drop } else { Policy::Strict };
        let ((records, account), inputs) = if self.games.is_empty() {
            (embedded::games()?, vec![embedded::checksum()])
        } else {
            let inputs = embedded::checksums_of(&self.games)?;
            (read_games::<Xiangqi>(&self.games, policy, &session.progress)?, inputs)
        };
        if account.dropped_total() > 0 {
            eprintln!("{account}");
        }
        anyhow::ensure!(!records.is_empty(), "no games with a result in the input: {account}");
        Ok(Games { records, account, inputs })
    }
}
