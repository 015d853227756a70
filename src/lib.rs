//! roughboard: rough-set reduction and neural evaluators for board games.
//!
//! The modules stand in the order in which data flows, which is also the order to read them in.
//! Each may import only the modules that its row of `docs/architecture.md` allows; a test enforces the table.
//!
//! ```text
//! records ─▶ game positions ─▶ decision table ─▶ classes · approximations · reducts · rules ─▶ rough network ┐
//!                                    └────────────────────────▶ BP · TD(λ) networks ──────────────────────────┤
//!   tables · plots · report ◀── arena (matches, statistics) ◀── search ◀── evaluators ◀──────────────────────┘
//! ```
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

/// The program's name and version, as manifests, journals and checkpoints state it.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

pub mod disk;
pub mod observe;
pub mod protobuf;
pub mod random;
pub mod setting;

pub mod game;
pub mod games;
pub mod record;
pub mod table;
pub mod features;
pub mod rough;
pub mod stats;
pub mod classify;
pub mod net;
pub mod eval;
pub mod book;
pub mod search;
pub mod engine;
pub mod arena;
pub mod train;
pub mod report;
pub mod suite;
pub mod runs;
pub mod experiment;
