//! The experiments: settings → run folder with manifest → results.
//!
//! [`contract`] says what an experiment is: it is given a [`contract::Context`] and returns [`findings`]. [`papers`] holds the
//! experiments, each with a file of settings and profiles ([`config`]), [`registry`] lists them by name, and [`driver`] runs one: it
//! checks, opens the folder, writes and closes. [`contest`] plays matches, [`methods`] are the ways of learning that are compared,
//! [`steps`] compares drivers of the search, and [`agreement`] sets our figures beside a paper's.

pub mod agreement;
pub mod config;
pub mod contest;
pub mod contract;
pub mod driver;
pub mod error;
pub mod findings;
pub mod methods;
pub mod papers;
pub mod records;
pub mod registry;
pub mod self_play;
pub mod steps;
pub mod surakarta_matches;
