//! Whose rules apply, where a file names its game; positions that options ask for.

use anyhow::Context;
use roughboard::game::Notation;
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

/// The position that an option of this name asks for, or the initial one.
///
/// # Errors
/// When the text is no position.
pub fn position_asked_for<G: Notation>(text: Option<&str>, option: &str) -> anyhow::Result<G> {
    let Some(text) = text else { return Ok(G::start()) };
    G::from_notation(text).with_context(|| format!("`--{option}`"))
}
