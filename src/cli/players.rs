//! Players as the options of a command describe them.

use std::sync::Arc;
use std::time::Duration;

use roughboard::arena::{Effort, Player, TreePlayer};
use roughboard::by_game;
use roughboard::eval::{Catalogue, LoadError, PolicyValue};
use roughboard::game::BoardGame;
use roughboard::games::GameName;
use roughboard::net::store::StoreError;
use roughboard::search::SearchSettings;
use roughboard::search::mcts::single::SearcherSettings;
use roughboard::settings::{Choices, SettingError, Settings};

/// What stands before the command of an engine.
pub const ENGINE: &str = "engine:";

/// What a user can do about an evaluator that is not there: the end of its message.
pub fn advice(error: &anyhow::Error) -> String {
    let missing = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(LoadError::Unknown { name, .. }) => Some(name.as_str()),
        Some(LoadError::Store(StoreError::Io { path, .. })) => path.to_str(),
        _ => None,
    });
    if missing.is_some_and(|name| name.starts_with(ENGINE)) {
        return "; engines can play in `match` and `play`, but cannot evaluate positions here".to_owned();
    }
    let has = |game: GameName, name: &str| by_game!(game, G => <G as Catalogue>::NAMES.contains(&name));
    let game = missing.and_then(|name| GameName::ALL.iter().copied().find(|&game| has(game, name)));
    game.map_or_else(String::new, |game| format!("; it is one of {game}: `--game {game}`"))
}

/// The search of a command: what does not depend on the player.
#[derive(clap::Args)]
pub struct SearchOptions {
    /// Size of each player's transposition table, in MiB, 0 to 65536 [default: 8]
    #[arg(long = "hash", id = "transposition_mb", value_name = "MB")]
    hash: Option<usize>,
    /// Switches of the search, such as `null_move=false,driver=mtdf-zero`; docs/search.md lists them
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    search: String,
}

impl SearchOptions {
    /// The options that were given.
    pub fn given(&self) -> Vec<&'static str> {
        let given = [(self.hash.is_some(), "--hash"), (!self.search.is_empty(), "--search")];
        given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, option)| option).collect()
    }

    /// What the options say, as `--search` has it.
    pub fn switches(&self) -> String {
        switches(self.hash, &self.search)
    }

    /// The settings that the options ask for, where they say nothing those that are usual in `G`.
    pub fn settings_of<G: BoardGame>(&self) -> Result<SearchSettings, SettingError> {
        changed::<G>(SearchSettings::of_game::<G>(), &self.switches())
    }
}

/// `settings` with those in a list of `name=value` changed, all of which have an effect.
pub fn changed<G: BoardGame>(settings: SearchSettings, list: &str) -> Result<SearchSettings, SettingError> {
    let settings = settings.with(list)?;
    settings.check_for::<G>()?;
    settings.check_given(list)?;
    Ok(settings)
}

/// Switches of a search, among them the size of its hash table if it was given apart: as any other it may be given once.
pub fn switches(hash: Option<usize>, search: &str) -> String {
    let hash = hash.map(|mb| format!("transposition_mb={mb}"));
    hash.into_iter().chain((!search.is_empty()).then(|| search.to_owned())).collect::<Vec<_>>().join(",")
}

/// How much a tree search simulates.
#[derive(Debug, Clone, Copy)]
pub struct TreeLimits {
    /// Simulations for each move.
    pub simulations: Option<u32>,
    /// Time for each move, in milliseconds.
    pub movetime: Option<u64>,
    /// Whether its games have clocks.
    pub has_clock: bool,
}

impl TreeLimits {
    /// A tree search by `network`, which `name` stands for.
    pub fn player<G: Catalogue>(
        &self,
        name: &str,
        network: Arc<dyn PolicyValue<G>>,
        search: SearcherSettings,
    ) -> anyhow::Result<TreePlayer<G>> {
        let movetime = self.movetime.map(Duration::from_millis);
        let given = Effort { simulations: self.simulations, movetime };
        let effort = Effort { simulations: given.most_simulations(self.has_clock), ..given };
        let checksum = G::checksum(name)?;
        let player = TreePlayer { name: name.to_owned(), checksum, network, search, effort };
        player.check()?;
        Ok(player)
    }
}
