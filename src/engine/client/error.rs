//! What can go wrong with an engine.

use std::io;
use std::path::Path;
use std::time::Duration;

use crate::engine::input::MAX_LINE;
use crate::game::MoveError;
use crate::settings::perhaps;

/// What is to be said of a program that was looked for by name and not found; nothing of others.
fn unfound(program: &str, source: &io::Error) -> &'static str {
    let is_name = Path::new(program).components().count() == 1;
    match source.kind() {
        io::ErrorKind::NotFound if is_name => {
            ": no folder of the PATH has such a program; install it, or give its path"
        }
        _ => "",
    }
}

/// What went wrong with an engine.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// It could not be started.
    #[error("cannot start the engine `{program}`{}", unfound(program, source))]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// It ended while an answer was due.
    #[error("the engine `{program}` ended ({status}) while its {expected} was due; {last_words}")]
    Crashed {
        /// The program.
        program: String,
        /// How it ended, in the words of the system.
        status: String,
        /// What was expected.
        expected: &'static str,
        /// The last line that it wrote, and the end of what it wrote to its standard error.
        last_words: String,
    },
    /// It did not answer in time.
    #[error("the engine `{program}` gave no {expected} within {waited:.1?}; {last_words}")]
    Hung {
        /// The program.
        program: String,
        /// What was expected.
        expected: &'static str,
        /// How long was waited.
        waited: Duration,
        /// The last line that it wrote, and the end of what it wrote to its standard error.
        last_words: String,
    },
    /// It wrote a line that no protocol knows, without end.
    #[error("the engine `{program}` wrote a line of more than {MAX_LINE} bytes where its {expected} was due")]
    Garbage {
        /// The program.
        program: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Its move is no legal one.
    #[error("the engine `{program}` answered `{line}` in `{position}`: {problem}")]
    Move {
        /// The program.
        program: String,
        /// The answer.
        line: String,
        /// The position.
        position: String,
        /// What is wrong with the move.
        problem: MoveError,
    },
    /// It gives no move where there are legal ones.
    #[error("the engine `{program}` answered `{line}` in `{position}`, where there are legal moves")]
    NoMove {
        /// The program.
        program: String,
        /// The answer.
        line: String,
        /// The position.
        position: String,
    },
    /// An option to set is none of those that it says to have.
    #[error("the engine `{program}` has no option `{option}`{}; it has {known}", perhaps(.nearest.as_deref()))]
    UnknownOption {
        /// The program.
        program: String,
        /// The option.
        option: String,
        /// The option that was probably meant.
        nearest: Option<String>,
        /// All that it has.
        known: String,
    },
    /// The value of an option is none that it says to take.
    #[error("the option `{option}` of the engine `{program}` takes {expected}, got `{found}`")]
    OptionValue {
        /// The program.
        program: String,
        /// The option.
        option: String,
        /// What it takes.
        expected: String,
        /// What it was to be.
        found: String,
    },
    /// It told of an error between its options and its `readyok`.
    #[error("the engine `{program}` cannot play as it was told to: {words}")]
    Refused {
        /// The program.
        program: String,
        /// What it said.
        words: String,
    },
    /// The time for a move cannot be told in its unit.
    #[error(
        "the engine `{program}` is told times in whole seconds, so it cannot be given {movetime:?} for each move; give it whole seconds, or a number of positions or a depth in their place"
    )]
    WholeSeconds {
        /// The program.
        program: String,
        /// The time that it was to be given.
        movetime: Duration,
    },
    /// The position cannot be told in its protocol.
    #[error(
        "the engine `{program}` cannot be told the position `{position}`: its protocol knows whole turns from the empty board only"
    )]
    Untellable {
        /// The program.
        program: String,
        /// The position.
        position: String,
    },
    /// An option to set would be more than one line.
    #[error("the option `{}` of an engine must be one line", .0.escape_debug())]
    Option(String),
}
