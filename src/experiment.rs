//! The experiments: settings → run folder with manifest → results.
//!
//! [`contract`] says what an experiment is, [`papers`] holds them, [`registry`] lists them by name; each has one file of settings with
//! profiles ([`config`]). [`contest`] plays the matches, and [`agreement`] sets our figures beside a paper's; the rest of a run is that
//! of [`crate::runs`].

pub mod agreement;
pub mod config;
pub mod contest;
pub mod contract;
pub mod error;
pub mod papers;
pub mod records;
pub mod registry;
pub mod self_play;
pub mod surakarta_matches;
