//! `roughboard reproduce`: the main job, or another experiment by name.

mod evaluation_terms;
mod held_out_error;
mod inclusion_start;
mod main_job;
mod mtdf_steps;
mod sprt_simulation;
mod td_random_walk;

use std::process::ExitCode;

use super::output;
use super::session::Session;
use super::sources::GameSources;

/// Arguments of `reproduce`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    experiment: Option<Experiment>,
    #[command(flatten)]
    main_job: main_job::Args,
}

/// What can be reproduced beside the main job.
#[derive(clap::Subcommand)]
enum Experiment {
    /// What each term of the traditional evaluator is worth, in matches at equal depth
    EvaluationTerms(evaluation_terms::Args),
    /// How well each method predicts the results of games that it has not seen
    HeldOutError(held_out_error::Args),
    /// How much the start from inclusion degrees and the reduction of objects save
    InclusionStart(inclusion_start::Args),
    /// MTD(f) with the three steps of S2 beside alpha-beta: null windows, nodes, time
    MtdfSteps(mtdf_steps::Args),
    /// How often the sequential test errs, and how many games it takes, by simulation
    SprtSimulation(sprt_simulation::Args),
    /// TD(λ) on the bounded random walk of Sutton 1988, whose right answer is known
    TdRandomWalk(td_random_walk::Args),
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.experiment {
        None => main_job::run(args.main_job, session),
        Some(Experiment::EvaluationTerms(args)) => evaluation_terms::run(&args, session),
        Some(Experiment::HeldOutError(args)) => held_out_error::run(&args, session),
        Some(Experiment::InclusionStart(args)) => inclusion_start::run(&args, session),
        Some(Experiment::MtdfSteps(args)) => mtdf_steps::run(&args, session),
        Some(Experiment::SprtSimulation(args)) => sprt_simulation::run(&args, session),
        Some(Experiment::TdRandomWalk(args)) => td_random_walk::run(&args, session),
    }
}
