//! The front of the engine: the protocols UCI and UCCI, and that of contests in Connect6, from both sides, and the bench.
//!
//! [`Session`] is what a graphical interface talks to: lines in, lines out, no thread and no clock of its own. [`serve`] runs
//! one on a pair of streams and searches in a thread beside it, so that commands are read while a search runs. The option
//! `GameLog` keeps the games that it plays.
//! [`client`] is the other end: it starts an engine of any make as a process and asks it for moves. [`mod@bench`] searches fixed
//! positions, for the behaviour signature and the speed.
//!
//! `docs/engine.md` describes the commands and options. Sources: the UCI protocol of R. Huber and S. Meyer-Kahlen; the Universal
//! Chinese Chess Protocol, version 3.0 (xqbase, 2007).

pub mod bench;
pub mod client;
mod clock;
mod command;
mod go;
mod info;
mod input;
mod log;
mod options;
mod own_book;
mod refusal;
mod searcher;
mod serve;
mod session;
mod stones;
mod task;
mod tree;

pub use clock::{Allowance, Clock};
pub use info::centipawns;
pub use refusal::Refusal;
pub use searcher::Searcher;
pub use serve::{ServeError, serve};
pub use session::Session;
pub use task::{Answer, Task};

/// The protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// The Universal Chess Interface, as engines and interfaces for Xiangqi speak it.
    #[default]
    Uci,
    /// The Universal Chinese Chess Protocol.
    Ucci,
    /// That of contests in Connect6, in which a move is a whole turn: `move JJKK`.
    Contest,
}

impl Dialect {
    /// The word that an engine is greeted with.
    pub(crate) const fn greeting(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ucci => "ucci",
            Self::Contest => "name",
        }
    }

    /// The line that ends an engine's answer to the greeting.
    pub(crate) const fn answer(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Ucci => "ucciok",
            Self::Contest => "name",
        }
    }
}

/// The size of the transposition table, in MiB, of an engine that was told none.
pub(crate) const DEFAULT_HASH_MB: usize = 16;
