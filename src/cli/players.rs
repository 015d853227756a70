//! Players as the options of a command describe them.

use std::sync::Arc;
use std::time::Duration;

use roughboard::arena::{AlphaBetaPlayer, DEFAULT_SIMULATIONS, Effort, Player, TreePlayer};
use roughboard::disk::sha256;
use roughboard::eval::{Catalogue, PolicyValue};
use roughboard::net::store::network_file;
use roughboard::record::checksum;
use roughboard::search::mcts::single::SearcherSettings;
use roughboard::search::{Limits, SearchSettings};

/// The evaluator called `name` behind the common search.
pub fn player<G: Catalogue>(name: &str, search: SearchSettings, limits: Limits) -> anyhow::Result<AlphaBetaPlayer<G>> {
    let evaluator = G::evaluator_factory(name)?;
    let checksum = evaluator_checksum::<G>(name)?;
    Ok(AlphaBetaPlayer { name: name.to_owned(), checksum, evaluator, search, limits })
}

/// What tells an evaluator from every other: the checksum of its file, or of all that a built-in one goes by.
fn evaluator_checksum<G: Catalogue>(name: &str) -> anyhow::Result<String> {
    Ok(match G::identity(name)? {
        Some(text) => sha256(text.as_bytes()),
        None => {
            let (file, addition) = G::split_addition(name);
            checksum(&network_file(file.as_ref()))? + addition
        }
    })
}

/// How much tree searches simulate, where nothing else is said of one.
#[derive(Debug, Clone, clap::Args)]
pub struct TreeOptions {
    /// Simulations for each move of a tree search [default: 400, or no limit with a time]
    #[arg(long, value_name = "N")]
    pub simulations: Option<u32>,
    /// Time for each move of a tree search, in milliseconds, 1 to 3600000; games then differ from run to run
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
}

impl TreeOptions {
    /// A tree search by `network`, which `name` stands for.
    pub fn player<G: Catalogue>(
        &self,
        name: &str,
        network: Arc<dyn PolicyValue<G>>,
        search: SearcherSettings,
    ) -> anyhow::Result<TreePlayer<G>> {
        let movetime = self.movetime.map(Duration::from_millis);
        let simulations = self.simulations.or_else(|| movetime.is_none().then_some(DEFAULT_SIMULATIONS));
        let checksum = evaluator_checksum::<G>(name)?;
        let player =
            TreePlayer { name: name.to_owned(), checksum, network, search, effort: Effort { simulations, movetime } };
        player.check()?;
        Ok(player)
    }
}

/// Tells two players apart that would have one name in the records.
pub fn second_name(first: &str, second: &mut String) {
    if first == second {
        second.push_str(" (2)");
    }
}
