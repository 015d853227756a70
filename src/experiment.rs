//! temp
pub mod manifest;
pub mod position_tables;
