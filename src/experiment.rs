//! The experiments: settings → run folder with manifest → results.
//!
//! [`s1`] reproduces the system of S1 from games to tables; [`learn`] holds the steps from records to trained networks
//! that the command line uses on their own too.
//! [`held_out_error`] compares all methods on games they have not seen, [`inclusion_start`] asks what rough sets save.
//! [`tournament`] keeps matches in folders that can be resumed and merged.
//! [`evaluation_terms`] weighs the terms of the traditional evaluator, which [`position_tables`] fits.

pub mod embedded;
pub mod evaluation_terms;
pub mod folder;
pub mod held_out_error;
pub mod inclusion_start;
pub mod learn;
pub mod manifest;
pub mod mtdf_steps;
pub mod position_tables;
pub mod repeats;
pub mod s1;
pub mod td_random_walk;
pub mod tournament;
