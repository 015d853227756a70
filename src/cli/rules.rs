//! Whose rules apply, where a file names its game.

use anyhow::Context;
use roughboard::games::GameName;
use roughboard::settings::Choices;

/// The game called `name`.
///
/// # Errors
/// When no game has this name.
pub fn game_called(name: &str) -> anyhow::Result<GameName> {
    let names = || GameName::NAMES.iter().map(|game| game.name).collect::<Vec<_>>().join("` or `");
    name.parse().ok().with_context(|| format!("expected a network for `{}`, found one for `{name}`", names()))
}
