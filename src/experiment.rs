//! The experiments: settings → run folder with manifest → results.
//!
//! [`catalogue`] lists them by name; each has one file of settings with profiles ([`config`]) in `configs/`. [`folder`] and
//! [`manifest`] write the results, [`contest`] plays the matches, [`repeats`] repeats learning with several seeds, and [`paper`]
//! sets our figures beside a paper's; [`page`] puts finished runs on one page. [`learn`] holds the steps from records to trained networks that the command line uses on
//! their own too; [`tournament`] keeps matches in folders that can be resumed and merged; [`position_tables`] fits the
//! traditional evaluator.

pub mod catalogue;
pub mod config;
pub mod connect6_records;
pub mod connect6_steps;
pub mod connect6_tdbp;
pub mod contest;
pub mod embedded;
pub mod error;
pub mod evaluation_terms;
pub mod folder;
pub mod held_out_error;
pub mod inclusion_start;
pub mod learn;
pub mod manifest;
pub mod mtdf_steps;
pub mod page;
pub mod paper;
pub mod position_tables;
pub mod records;
pub mod repeats;
pub mod s1;
pub mod self_play;
pub mod sprt_simulation;
pub mod surakarta_searches;
pub mod surakarta_zero;
pub mod td_random_walk;
pub mod td_xiangqi;
pub mod tournament;
pub mod zero;
