//! The command line: parse, check, call the library, print. The only place that prints.

mod adjudication;
mod bench;
mod book;
mod doctor;
#[cfg(all(test, unix))]
mod documents;
mod effects;
mod endings;
mod engine;
mod eval;
mod export;
mod features;
mod folder;
mod form;
mod games;
mod help;
mod inspect;
mod interrupt;
mod manual;
mod matches;
mod mates;
mod output;
mod parts;
mod perft;
mod play;
mod players;
mod plot;
mod progress;
mod quantise;
#[cfg(test)]
mod reference;
mod report;
mod reproduce;
mod rough;
mod rules;
mod session;
mod settings;
mod sources;
mod suite;
mod table;
mod targets;
mod threats;
mod train;
mod values;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use roughboard::by_game;
use roughboard::eval::Catalogue;
use roughboard::games::GameName;
use roughboard::settings::Choices;

use session::Session;
use targets::Targets;

/// Exit code of a run that did its work but found what it checks to be wrong, such as a suite with failures. docs/exit-codes.md has all.
pub const CHECKS_FAILED: u8 = 1;
/// Exit code of a run that could not be done: bad arguments, unreadable or invalid input.
pub const INVALID: u8 = 2;

/// Exit code of a part of a run, and of one that was asked to stop: it went as far as it was to go, but is not complete.
pub const INCOMPLETE: u8 = 3;

/// How evaluators are named.
fn evaluators() -> String {
    let of_game = |&game: &GameName| {
        let (first, rest) = game.name().split_at(1);
        let evaluators = roughboard::by_game!(game, G => <G as Catalogue>::EVALUATORS);
        format!("{}{rest}: {evaluators}", first.to_uppercase())
    };
    format!("Evaluators of {}", GameName::ALL.iter().map(of_game).collect::<Vec<_>>().join(" Of "))
}

#[derive(Parser)]
#[command(name = "roughboard", version, about, long_about = None, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    session: session::Options,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  done, but a check failed: `suite`, `rough verify`, `match`, `games read | convert | import | stats | mates`
  2  not done: bad arguments or input, a file that is there already, a failure
  3  not complete: a part of a run, or a run that was told to stop

docs/exit-codes.md says when each is given.";

#[derive(Subcommand)]
enum Command {
    /// Play as an engine under a graphical interface: UCI and UCCI
    Engine(engine::Args),
    /// Search fixed positions: the signature and the speed of the search
    Bench(bench::Args),
    /// Count the legal move paths from a position
    Perft(perft::Args),
    /// Check files of facts: positions, tables, figures that must come out exactly
    Suite(suite::Args),
    /// Read, check, convert and produce game records
    #[command(subcommand)]
    Games(games::Command),
    /// Opening books: what was played in a position, and how it went
    Book(book::Args),
    /// Endings of Xiangqi with few pieces, solved exactly
    #[command(subcommand)]
    Endings(endings::Command),
    /// Threats of a Connect6 position, what stops them, and a win by nothing but threats
    Threats(threats::Args),
    /// Build decision tables from games
    #[command(subcommand)]
    Table(table::Command),
    /// Rough sets on any table: what is in it, discretisation, classes, approximations, core, reducts, rules
    #[command(subcommand)]
    Rough(Box<rough::Command>),
    /// Train an evaluator on game records
    #[command(subcommand)]
    Train(Box<train::Method>),
    /// Draw what was measured: learning curves over seeds
    #[command(subcommand)]
    Plot(plot::What),
    /// Write a network in a format of other programs
    #[command(subcommand)]
    Export(export::Format),
    /// Say what an evaluator thinks of a position
    Eval(eval::Args),
    /// Quantise a trained network: whole numbers of 16 or 8 bits
    Quantise(quantise::Args),
    /// Say what a rough network does: dead rules, coverage, gradients, sharpest factors
    Inspect(inspect::Args),
    /// Play against an evaluator, a network or an engine in the terminal
    Play(play::Args),
    /// Play evaluators and engines against each other
    Match(Box<matches::Args>),
    /// Finished runs on one page of HTML: tables, curves, charts, manifests
    Report(report::Args),
    /// The main job, from games to tables and curves, and the other experiments
    Reproduce(reproduce::Args),
    /// Show what the program has to work with: threads, memory, networks, data, engines
    Doctor(doctor::Args),
    /// Print a script that completes commands and options in a shell
    Completions(manual::CompletionsArgs),
    /// Write a manual page for each command, as `man` reads them
    Man(manual::PagesArgs),
}

impl Command {
    /// Whether it talks with someone, who knows that nothing is kept.
    const fn is_dialogue(&self) -> bool {
        matches!(self, Self::Engine(_) | Self::Play(_))
    }
}

/// All commands with their options.
fn program() -> clap::Command {
    help::guided(targets::with_force(Cli::command()))
}

/// Runs the command line and turns its result into an exit code.
pub fn main() -> ExitCode {
    let command = program();
    let matches = command.clone().try_get_matches().unwrap_or_else(|error| values::exit(error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let (_, command_asked_for, its_matches) = settings::innermost(&command, &matches);
    let targets = effects::check(&command, &matches).and_then(|()| Targets::of(command_asked_for, its_matches));
    match targets.and_then(|targets| run(cli, targets)) {
        Ok(code) => code,
        Err(error) => {
            let message = settings::message(&error, command_asked_for);
            let of_folder = folder::advice(&error, command_asked_for);
            let of_openings = matches::openings::advice(&error, command_asked_for);
            eprintln!("error: {message}{of_folder}{}{of_openings}", players::advice(&error));
            ExitCode::from(INVALID)
        }
    }
}

/// The code of a command that did all it was to do.
const fn done((): ()) -> ExitCode {
    ExitCode::SUCCESS
}

fn run(cli: Cli, targets: Targets) -> anyhow::Result<ExitCode> {
    let session = Session::new(&cli.session, targets)?;
    if !cli.command.is_dialogue() {
        // Commands that keep something say so once they have what to keep it in.
        interrupt::tell(interrupt::NOTHING_KEPT.to_owned());
    }
    match cli.command {
        Command::Engine(args) => by_game!(args.game, G => engine::run::<G>(&args, &session)),
        Command::Bench(args) => by_game!(args.game, G => bench::run::<G>(&args)).map(done),
        Command::Perft(args) => perft::run(&args, &session).map(done),
        Command::Suite(args) => suite::run(&args, &session),
        Command::Games(command) => games::run(command, &session),
        Command::Book(args) => by_game!(args.game, G => book::run::<G>(args, &session)).map(done),
        Command::Endings(command) => endings::run(command, &session).map(done),
        Command::Threats(args) => threats::run(&args).map(done),
        Command::Table(table::Command::Build(args)) => {
            by_game!(args.game, G => table::build::<G>(&args, &session)).map(done)
        }
        Command::Rough(command) => rough::run(*command, &session),
        Command::Train(command) => train::run(*command, &session),
        Command::Plot(command) => plot::run(&command).map(done),
        Command::Export(command) => export::run(&command).map(done),
        Command::Eval(args) => by_game!(args.game, G => eval::run::<G>(&args)).map(done),
        Command::Quantise(args) => quantise::run(&args, &session).map(done),
        Command::Inspect(args) => inspect::run(&args, &session).map(done),
        Command::Play(args) => play::run(&args, &session).map(done),
        Command::Match(args) => matches::run(*args, &session),
        Command::Report(args) => report::run(&args).map(done),
        Command::Reproduce(args) => reproduce::run(args, &session),
        Command::Doctor(args) => doctor::run(&args).map(done),
        Command::Completions(args) => manual::print_completions(&args, program()).map(done),
        Command::Man(args) => manual::write_pages(&args, program()).map(done),
    }
}
