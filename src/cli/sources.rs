//! Where commands take their games from: files, or the embedded data set.

use std::path::{Path, PathBuf};

use roughboard::experiment::embedded;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{Account, GameRecord, Policy, checksum, read_games};

use super::session::Session;

/// The games that a command works on.
#[derive(clap::Args)]
pub struct GameSources {
    /// Game files, folders or archives, packed or not; without any, the embedded self-play games
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
    /// SHA-256 of each file, by name.
    pub inputs: Vec<(String, String)>,
}

impl GameSources {
    /// These files, or the embedded games if there are none; invalid games are errors.
    pub fn of(games: Vec<PathBuf>) -> Self {
        Self { games, drop_invalid: false }
    }

    /// The same files; invalid games are left out if `dropping`.
    pub fn dropping_invalid(self, dropping: bool) -> Self {
        Self { drop_invalid: dropping, ..self }
    }

    /// The first game file, if there is one.
    pub fn first_file(&self) -> Option<&Path> {
        self.games.first().map(PathBuf::as_path)
    }

    /// Reads the games.
    pub fn read(&self, session: &Session) -> anyhow::Result<Games> {
        let policy = if self.drop_invalid { Policy::Drop } else { Policy::Strict };
        let ((records, account), inputs) = if self.games.is_empty() {
            (embedded::games()?, vec![embedded::checksum()])
        } else {
            (read_games::<Xiangqi>(&self.games, policy, &session.progress)?, self.checksums()?)
        };
        anyhow::ensure!(!records.is_empty(), "no usable games in the input: {}", summary(&account));
        if account.kept() < account.read() {
            eprintln!("note: {}", summary(&account));
        }
        Ok(Games { records, inputs })
    }

    /// Name and SHA-256 of each file; the name without its folder, so that manifests do not depend on where it lies.
    fn checksums(&self) -> anyhow::Result<Vec<(String, String)>> {
        let one = |path: &PathBuf| {
            let name =
                path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
            Ok((name, checksum(path)?))
        };
        self.games.iter().map(one).collect()
    }
}

/// `8039 games read, 8030 kept, dropped: no result 9`.
fn summary(account: &Account) -> String {
    let reasons: Vec<String> = account.by_reason().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let dropped = if reasons.is_empty() { "nothing".to_owned() } else { reasons.join(", ") };
    format!("{} games read, {} kept, dropped: {dropped}", account.read(), account.kept())
}
