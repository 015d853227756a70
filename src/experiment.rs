//! The experiments: settings → run folder with manifest → results.
//!
//! [`s1`] reproduces the system of S1 from games to tables; [`learn`] holds the steps from records to trained networks
//! that the command line uses on their own too.
//! [`evaluation_terms`] weighs the terms of the traditional evaluator, which [`position_tables`] fits.

pub mod embedded;
pub mod evaluation_terms;
pub mod folder;
pub mod learn;
pub mod manifest;
pub mod mtdf_steps;
pub mod position_tables;
pub mod s1;
pub mod td_random_walk;
