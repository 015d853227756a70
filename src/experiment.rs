//! The experiments: settings → run folder with manifest → results.
//!
//! [`contract`] says what an experiment is: it is given a [`contract::Context`] and returns its findings. `papers` holds the
//! experiments, each with a file of settings and profiles ([`config`]), [`registry`] lists them by name, and [`driver`] runs one: it
//! checks, opens the folder, writes and closes. `contest` plays matches, `methods` are the ways of learning that are compared,
//! `seeds` are runs that differ in nothing else, `steps` compares drivers of the search, and `agreement` sets our figures beside a paper's.

mod agreement;
pub mod config;
mod contest;
pub mod contract;
pub mod driver;
mod findings;
mod methods;
mod papers;
pub mod registry;
mod seeds;
mod self_play;
mod steps;
mod surakarta_matches;
