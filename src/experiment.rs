//! The experiments: settings → run folder with manifest → results.
//!
//! [`s1`] reproduces the system of S1 from games to tables; [`learn`] holds the steps from records to trained networks
//! that the command line uses on their own too.

pub mod embedded;
pub mod learn;
pub mod manifest;
pub mod position_tables;
pub mod s1;
