//! The experiments of the papers and those beside them, one file or folder each, with a file of settings beside it.
//!
//! | file | experiment | system |
//! |---|---|---|
//! | [`rnn_xiangqi`] | reduction of expert games, the rough network, its Table 1 | S1 |
//! | [`inclusion_start`] | what the start from inclusion degrees and the reduction save | S1, §1 |
//! | [`granularity`] | how coarse knowledge must be to leave games out, and what that costs | S1, §3.2 |
//! | [`held_out_error`] | how well each method predicts games that it has not seen | S1, S5 |
//! | [`mtdf_steps`], [`connect6_steps`] | the step of MTD(f) | S2, §2.2 |
//! | [`connect6_tdbp`] | TD-BP by self-play, its grid of α and λ | S2, §3 |
//! | [`connect6_records`] | outcome prediction on recorded Connect6 games | S2 |
//! | [`evaluation_terms`] | the terms of the traditional evaluator | S3, §3 |
//! | [`position_tables`] | the tables and signs of the traditional evaluator, fitted to games | S3, §3 |
//! | [`strength`] | the networks that come with the program, in matches | – |
//! | [`surakarta_zero`], [`surakarta_searches`] | self-play with tree search and a residual network | S4 |
//! | [`td_xiangqi`] | TD(λ) on expert games, its Tables 1 to 7 | S5 |
//! | [`td_random_walk`] | TD(λ) where the right answer is known | Sutton 1988 |
//! | [`sprt_simulation`] | the error rates of the sequential test | – |
//! | [`tune_search`] | the margins of the search, tuned by SPSA | – |

pub mod connect6_records;
pub mod connect6_steps;
pub mod connect6_tdbp;
pub mod evaluation_terms;
mod grain;
pub mod granularity;
pub mod held_out_error;
pub mod inclusion_start;
pub mod mtdf_steps;
pub mod position_tables;
pub mod rnn_xiangqi;
pub mod sprt_simulation;
pub mod strength;
pub mod surakarta_searches;
pub mod surakarta_zero;
pub mod td_random_walk;
pub mod td_xiangqi;
pub mod tune_search;
