//! The integration tests, one module a subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod rough_cli;
mod rough_laws;
mod rough_tables;
