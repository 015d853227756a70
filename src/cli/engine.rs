//! `roughboard engine`: speaks UCI or UCCI on standard input and output.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use anyhow::Context;
use roughboard::engine::{self, ServeError};
use roughboard::games::xiangqi::Xiangqi;

use super::session::Session;

/// Arguments of `engine`.
#[derive(clap::Args)]
#[command(after_help = "The protocol is that of the first command: `uci` or `ucci`. docs/engine.md describes both.")]
pub struct Args {
    /// What evaluates positions: `traditional`, or a network file written by `roughboard train`
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    /// An option to set before the client says anything, by its UCI name, such as `Hash=64`; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, _session: &Session) -> anyhow::Result<ExitCode> {
    let mut engine_session = engine::Session::<Xiangqi>::new()?;
    if let Some(evaluator) = &args.evaluator {
        engine_session.set_option("EvalFile", evaluator)?;
    }
    for option in &args.option {
        let (name, value) =
            option.split_once('=').with_context(|| format!("`--option` must be NAME=VALUE, got {option}"))?;
        engine_session.set_option(name.trim(), value)?;
    }
    match engine::serve(engine_session, io::stdin(), &mut io::stdout().lock()) {
        Err(ServeError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        outcome => Ok(outcome.map(|()| ExitCode::SUCCESS)?),
    }
}
