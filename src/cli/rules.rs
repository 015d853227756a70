//! Whose rules apply, where a file names its game.

use anyhow::Context;
use roughboard::games::GameName;

/// The game called `name`.
///
/// # Errors
/// When no game has this name.
pub fn game_called(name: &str) -> anyhow::Result<GameName> {
    let names = || GameName::ALL.map(GameName::name).join("` or `");
    GameName::called(name).with_context(|| format!("expected a network for `{}`, found one for `{name}`", names()))
}
