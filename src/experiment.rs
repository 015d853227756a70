//! The experiments: settings → run folder with manifest → results.
//!
//! [`catalogue`] lists them by name; each has one file of settings with profiles ([`config`]) in `configs/`. [`contest`] plays the
//! matches, and [`paper`] sets our figures beside a paper's; the rest of a run is that of [`crate::runs`].

pub mod catalogue;
pub mod config;
pub mod connect6_records;
pub mod connect6_steps;
pub mod connect6_tdbp;
pub mod contest;
pub mod error;
pub mod evaluation_terms;
pub mod held_out_error;
pub mod inclusion_start;
pub mod mtdf_steps;
pub mod paper;
pub mod records;
pub mod s1;
pub mod self_play;
pub mod sprt_simulation;
pub mod surakarta_matches;
pub mod surakarta_searches;
pub mod surakarta_zero;
pub mod td_random_walk;
pub mod td_xiangqi;
