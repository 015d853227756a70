//! Rough-set reduction and neural evaluators for board games.
//!
//! # Rough sets
//!
//! The modules [`table`] and [`rough`] know no game and work on any decision table. They build alone, in about a minute:
//!
//! ```toml
//! [dependencies]
//! roughboard = { path = "../roughboard", default-features = false, features = ["rough"] }
//! ```
//!
//! From a text of CSV to a reduct and its rules (the table is that of Pawlak's own examples):
//!
//! ```
//! use roughboard::rough::{Approximations, Fraction, Method, Notion, Reduct, rules_of_reduct};
//! use roughboard::table::{DecisionTable, Roles};
//!
//! let csv = "headache,muscle_pain,temperature,flu\nno,yes,high,yes\nyes,no,high,yes\nyes,yes,very_high,yes\n\
//!            no,yes,normal,no\nyes,no,high,no\nno,yes,very_high,yes\n";
//! let table = DecisionTable::from_csv(csv, &Roles::decided_by("flu"))?;
//! let approximations = Approximations::of(&table, &table.all_attributes());
//! assert_eq!(approximations.gamma(), Fraction::new(4, 6));
//! let reduct = Reduct::of(&table, Notion::Positive, Method::Backward);
//! assert_eq!(table.names(reduct.attrs()), ["headache", "temperature"]);
//! let rules = rules_of_reduct(&table, &reduct, usize::MAX);
//! assert_eq!(rules[3].display(&table).to_string(), "IF temperature = very_high THEN flu = yes (2 of 2, 1.00)");
//! # Ok::<(), roughboard::table::TableError>(())
//! ```
//!
//! # Features
//!
//! Each stands on those before it.
//!
//! | feature | adds |
//! |---|---|
//! | `rough` | nothing: it names the core, decision tables in CSV and rough sets |
//! | `classify` | classifiers compared by cross-validation, statistics |
//! | `parquet` | Parquet files |
//! | `linfa` | tables as data sets of linfa; reducers and rule classifiers with its traits; logistic regression |
//! | `games` | games, records, features, networks, search, matches, training, reports |
//! | `plots` | plots, and the experiments that draw them |
//! | `cli` | the command; this is the default |
//!
//! # The whole
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
// Lower layers hold helpers of those above them.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports, unused_macros))]

/// The program's name and version, as manifests, journals and checkpoints state it.
pub const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

#[macro_use]
mod declarations;

pub mod disk;
pub mod observe;
pub mod pages;
#[cfg(feature = "games")]
pub mod protobuf;
pub mod random;
pub mod settings;

pub mod table;
#[cfg(feature = "games")]
pub mod game;
#[cfg(feature = "games")]
pub mod games;
#[cfg(feature = "games")]
pub mod record;
#[cfg(feature = "games")]
pub mod features;
pub mod rough;
#[cfg(feature = "spark")]
pub mod spark;
#[cfg(feature = "classify")]
pub mod stats;
#[cfg(feature = "classify")]
pub mod classify;
#[cfg(feature = "games")]
pub mod net;
#[cfg(feature = "games")]
pub mod eval;
#[cfg(feature = "games")]
pub mod book;
#[cfg(feature = "games")]
pub mod search;
#[cfg(feature = "games")]
pub mod engine;
#[cfg(feature = "games")]
pub mod arena;
#[cfg(feature = "games")]
pub mod train;
#[cfg(feature = "games")]
pub mod report;
#[cfg(feature = "games")]
pub mod suite;
#[cfg(feature = "plots")]
pub mod runs;
#[cfg(feature = "plots")]
pub mod experiment;
