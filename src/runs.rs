//! Runs in folders: what all have in common, training, matches, self-play, and finished runs read for one page.
//!
//! [`folder`], [`manifest`] and [`results`] keep a run's state and write what it found; [`mod@error`] says why one stopped. [`training`] holds the steps from records to trained
//! networks, [`repeats`] repeats them with several seeds, and [`position_tables`] fits the traditional evaluator; [`mod@matches`] keeps
//! matches in folders that can be resumed and merged; [`zero`] runs self-play; [`page`] puts finished runs on one page.

pub mod error;
pub mod folder;
pub mod manifest;
pub mod matches;
pub mod page;
pub mod position_tables;
pub mod repeats;
pub mod results;
pub mod training;
pub mod zero;
