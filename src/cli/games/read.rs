//! `roughboard games read`: checks every move and reports what was kept and what was dropped.

use std::process::ExitCode;

use roughboard::game::BoardGame;
use roughboard::record::{self, GameRecord};

use super::summary::{self, Input, Totals};
use crate::cli::session::Session;

/// Runs the command.
pub fn run<G: BoardGame>(input: &Input, session: &Session) -> anyhow::Result<ExitCode> {
    let mut totals = Totals::default();
    let account =
        record::for_each_game(&input.collection.paths, input.settings(), &session.progress, |game: GameRecord<G>| {
            totals.add(&game)
        })?;
    summary::print::<G>(input, &account, &totals)?;
    Ok(input.exit_code(&account, 0.0, ""))
}
