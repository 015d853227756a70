//! `roughboard train iterate`: a network that learns from its own games, round after round.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::runs::iterate::{ITERATION, Iteration, IterationSettings, round_table};
use roughboard::runs::training::{Origin, Training};
use roughboard::runs::{RunFolder, Start};
use roughboard::train::{ScheduleShape, SupervisedSettings};

use super::common::ensure_kept;
use crate::cli::adjudication::AdjudicationOptions;
use crate::cli::folder::{StartOptions, last_words, told_before};
use crate::cli::session::Session;
use crate::cli::settings::Of;
use crate::cli::{interrupt, output};

/// Arguments of `train iterate`.
#[derive(ClapArgs)]
pub struct Args {
    /// The network to begin with, made by `train rough`, `bp` or `td`: a run's folder or a .safetensors file. Its file says what it sees
    /// of a position, which positions it learns from, and how
    #[arg(value_name = "NET")]
    net: PathBuf,
    /// Folder to make for the run: the best network, those of all rounds, table and picture of the rounds, manifest
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    #[command(flatten)]
    start: StartOptions,
    /// Also draw the curve as PNG
    #[arg(long)]
    png: bool,
    #[command(flatten, next_help_heading = "Rounds")]
    settings: Of<IterationSettings>,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    #[command(flatten, next_help_heading = "Training, where it is to be otherwise than the network's file says")]
    training: Of<SupervisedSettings>,
}

impl Args {
    fn iteration(&self, session: &Session) -> anyhow::Result<Iteration> {
        let mut settings = self.settings.read()?;
        if settings.play.random_plies == 0 {
            self.settings.refuse("left out, as no plies are drawn at random", |path| path == "play.margin")?;
        }
        settings.play.adjudication = self.adjudication.settings(settings.play.adjudication.max_plies)?;
        let origin = Origin::load(&self.net)?;
        let training = match origin.training() {
            Training::Supervised(usual) => {
                let training = self.training.onto(usual.clone())?;
                // The check of the options does not know of the schedule in the file.
                let is_last = |path: &str| path == "rate.last" && training.rate.shape == ScheduleShape::Constant;
                let range = "left out unless `--schedule` is given, as the network was trained by a constant step size";
                self.training.refuse(range, is_last)?;
                Some(training)
            }
            Training::Td(_) => {
                let range = "left out, as the network was trained by TD(λ)";
                self.training.refuse(range, |_| true)?;
                self.settings.refuse(range, |path| ["target_depth", "result_share"].contains(&path))?;
                None
            }
        };
        Ok(Iteration::new((self.net.clone(), origin), session.seed, settings, training)?)
    }
}

/// The name of the game of the network to begin with.
pub fn game_of(args: &Args) -> anyhow::Result<roughboard::games::GameName> {
    let origin = Origin::load(&args.net)?;
    Ok(origin.game().parse()?)
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<()> {
    let iteration = args.iteration(session)?;
    let start = args.start.start();
    ensure_kept(&args.net, &args.out, start)?;
    if start == Start::Resume && iteration.is_finished(&args.out)? {
        return told_before("expert iteration", &args.out);
    }
    let folder = RunFolder::open(&args.out, &ITERATION, None, start)?;
    interrupt::tell(last_words("finished steps of the rounds are", &[&args.out]));
    let report = iteration.run::<G>(&folder, args.png, &session.progress)?;
    output::print(&format!("{}\nbest network: {}\n", round_table(&report.rounds).to_text(), args.out.display()))
}
