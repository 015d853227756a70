//! What stands in for tables on a cluster in a program that was built without them.

use std::process::ExitCode;

use anyhow::bail;

use super::{approx, core, info, reduct};
use crate::cli::session::Session;

pub fn info(_: &info::Options, engine: &str, _: &Session) -> anyhow::Result<()> {
    absent(engine)
}

pub fn approx(_: &approx::Options, engine: &str, _: &Session) -> anyhow::Result<()> {
    absent(engine)
}

pub fn core(_: &core::Options, engine: &str, _: &Session) -> anyhow::Result<()> {
    absent(engine)
}

pub fn reduct(_: &reduct::Options, engine: &str, _: &Session) -> anyhow::Result<ExitCode> {
    absent(engine)
}

fn absent<T>(engine: &str) -> anyhow::Result<T> {
    let remedy =
        "`cargo build --release --features spark`, which needs protoc (Debian: protobuf-compiler libprotobuf-dev)";
    bail!("cannot ask `{engine}`: this program was built without engines; build it with {remedy}")
}
