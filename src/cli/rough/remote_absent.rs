//! What stands in for tables on a cluster in a program that was built without them.

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

pub fn reduct(_: &reduct::Options, engine: &str, _: &Session) -> anyhow::Result<()> {
    absent(engine)
}

fn absent(engine: &str) -> anyhow::Result<()> {
    let remedy =
        "`cargo build --release --features spark`, which needs protoc (Debian: protobuf-compiler libprotobuf-dev)";
    bail!("cannot ask `{engine}`: this program was built without engines; build it with {remedy}")
}
