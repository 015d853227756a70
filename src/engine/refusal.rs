//! Why a command was not carried out.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use super::input::MAX_LINE;
use crate::game::{MoveError, PositionError};
use crate::settings::SettingError;

/// Why a command was not carried out. The engine says so, with the causes, and goes on.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum Refusal {
    /// No command begins with this word.
    #[error("unknown command `{0}`")]
    Unknown(String),
    /// UCCI for another game than Xiangqi.
    #[error("`ucci` is a protocol for xiangqi: {0} is played in UCI")]
    Dialect(&'static str),
    /// A line that is longer than any command.
    #[error("line of more than {MAX_LINE} bytes")]
    TooLong,
    /// A command or a word of it ends too early or goes on wrongly.
    #[error("{what} must be followed by {expected}, got `{found}`")]
    Form {
        /// The command or the word.
        what: String,
        /// What may follow.
        expected: &'static str,
        /// What follows.
        found: String,
    },
    /// A limit or setting that the search does not take.
    Setting(#[from] SettingError),
    /// The text of a position is no position.
    Position(#[from] PositionError),
    /// A move of a list cannot be made.
    #[error("move {number} of `{command}`")]
    Move {
        /// The command.
        command: &'static str,
        /// Which move, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// A turn of the side that is not to move.
    #[error("`{command}`: it is {side}'s turn")]
    Turn {
        /// The command.
        command: &'static str,
        /// The side to move.
        side: &'static str,
    },
    /// No option has this name.
    #[error("unknown option `{0}`")]
    NoOption(String),
    /// The option cannot take this value.
    #[error("option `{name}` must be {range}, got `{found}`")]
    Value {
        /// The option, as the protocol spells it.
        name: String,
        /// What it may be.
        range: String,
        /// What was asked for.
        found: String,
    },
    /// The evaluator or the opening book could not be loaded.
    #[error("option `{name}`")]
    Option {
        /// The option, as the protocol spells it.
        name: String,
        /// What went wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The log of games cannot be written.
    #[error("cannot write the game log `{path}`")]
    Log {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A result that the board contradicts.
    #[error("`result` {told}: the game has ended {board} on the board")]
    Result {
        /// What was told.
        told: &'static str,
        /// What is on the board.
        board: &'static str,
    },
    /// The command has to wait for the end of the search.
    #[error("`{0}` must wait until the search has ended: send `stop` first")]
    Busy(&'static str),
    /// The command is about a search or a game, and there is none, or about another protocol.
    #[error("`{command}`: {missing}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What is not there.
        missing: &'static str,
    },
}

impl Refusal {
    /// The refusal of a command or a word of it that is not followed by what is `expected`.
    pub(super) fn form(what: impl Into<String>, expected: &'static str, found: &str) -> Self {
        Self::Form { what: what.into(), expected, found: found.to_owned() }
    }
}

/// Characters that a message keeps of a long text, at its head and at its tail.
const KEPT: usize = 160;

/// `text` on one line of bearable length: control characters escaped, the middle of a long text left out.
pub(super) fn on_one_line(text: &str) -> String {
    let clean: String = text.chars().flat_map(shown).collect();
    let cut = |count: usize| clean.char_indices().nth(count).map(|(at, _)| at);
    let length = clean.chars().count();
    match (cut(KEPT), cut(length.saturating_sub(KEPT))) {
        (Some(head), Some(tail)) if head < tail => format!("{} … {}", &clean[..head], &clean[tail..]),
        _ => clean,
    }
}

/// The characters that stand for `c`.
fn shown(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = (!c.is_control()).then_some(c);
    escaped.into_iter().flatten().chain(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_on_one_bearable_line() {
        assert_eq!(on_one_line("a\tb\u{0}中"), "a\\tb\\u{0}中");
        let long = format!("head{}tail", "中".repeat(10_000));
        let shown = on_one_line(&long);
        assert!(shown.starts_with("head") && shown.ends_with("tail"), "{shown}");
        assert_eq!(shown.chars().count(), 2 * KEPT + 3);
        let short = "x".repeat(2 * KEPT);
        assert_eq!(on_one_line(&short), short);
    }
}
