//! `roughboard engine`: speaks UCI or UCCI on standard input and output.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use anyhow::Context;
use roughboard::engine::{self, ServeError};
use roughboard::eval::Catalogue;
use roughboard::games::GameName;

use crate::cli::session::Session;
use crate::cli::settings::named;

/// Arguments of `engine`.
#[derive(clap::Args)]
#[command(
    after_help = "For Xiangqi, the protocol is that of the first command: `uci` or `ucci`. docs/engine.md describes both. Other games are played in UCI, Connect6 one stone a move; in Connect6 a first command of the protocol of contests, such as `name` or `new black`, chooses that."
)]
pub struct Args {
    /// The game to play
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    pub game: GameName,
    /// What evaluates positions: a built-in evaluator, or a network file written by `roughboard train` [default: the
    /// strongest of the game: `rough+endings`, `tdbp` or `zero`]
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    /// An option to set before the client says anything, by its UCI name, such as `Hash=64`; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let mut engine_session = engine::Session::<G>::new()?;
    if session.seed_given {
        engine_session.set_option("BookSeed", &session.seed.to_string())?;
    }
    if session.threads_given {
        engine_session.set_option("Threads", &rayon::current_num_threads().to_string())?;
    }
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
