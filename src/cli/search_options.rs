//! The options of every command that searches.

use roughboard::game::BoardGame;
use roughboard::search::SearchSettings;
use roughboard::settings::{SettingError, Settings};

/// The search of a command: what does not depend on the player.
#[derive(clap::Args)]
pub struct SearchOptions {
    /// Size of each player's transposition table, in MiB, 0 to 65536
    #[arg(long = "hash", id = "transposition_mb", default_value_t = 8, value_name = "MB")]
    hash: usize,
    /// Switches of the search, such as `null_move=false,driver=mtdf-zero`; docs/search.md lists them
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    search: String,
}

impl SearchOptions {
    /// The settings that the options ask for, where they say nothing those that are usual in `G`.
    pub fn settings_of<G: BoardGame>(&self) -> Result<SearchSettings, SettingError> {
        let settings = SearchSettings { transposition_mb: self.hash, ..SearchSettings::of_game::<G>() };
        settings.check()?;
        settings.with(&self.search)
    }
}
