//! The integration tests, one module a subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod architecture;
mod arena;
mod classify_cli;
mod classify_laws;
mod command;
mod game_laws;
mod learning;
mod match_cli;
mod perft_cli;
mod pipeline_cli;
mod records;
mod report;
mod rough_cli;
mod rough_laws;
mod rough_tables;
mod search;
mod stats;
mod suite_cli;
mod toys;
mod xiangqi_ends;
mod xiangqi_fen;
mod xiangqi_generators;
mod xiangqi_perft;
mod xiangqi_playthrough;
