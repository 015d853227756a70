//! `roughboard train zero`: a residual network by self-play with Monte Carlo tree search (S4).

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::Args as ClapArgs;
use roughboard::arena::Shard;
use roughboard::by_planes_game;
use roughboard::eval::ResidualEvaluator;
use roughboard::game::Planes;
use roughboard::games::PlanesGame;
use roughboard::observe::Observer;
use roughboard::runs::zero::{Manner, ZeroRun, join, open, speed_table, train};
use roughboard::search::mcts::MctsSettings;
use roughboard::settings::{Leaf, Settings, assignment, leaves, require};
use roughboard::train::zero::{
    ActorReport, InitialNetwork, NETWORK, NetworkSettings, Pace, Sync, ZeroReport, ZeroSettings,
};

use super::common::{ensure_kept, steady_unless_told};
use crate::cli::folder::{StartOptions, last_words, resuming, told_before};
use crate::cli::parts::shard;
use crate::cli::session::Session;
use crate::cli::settings::{Of, named, usual};
use crate::cli::{INCOMPLETE, interrupt, output};

/// What is left of a run that stops.
const KEPT: &str = "everything up to the last checkpoint is";

/// Arguments of `train zero`.
#[derive(ClapArgs)]
#[command(mut_arg("playout_cap.full_share", |arg| arg.requires("playout_cap.fast_simulations")))]
#[command(mut_arg("playout_cap.fast_simulations", |arg| arg.requires("playout_cap.full_share")))]
#[command(mut_arg("resignation.play_on", |arg| arg.requires("resignation.certainty").default_value("0.1")))]
#[command(mut_arg("resignation.certainty", |arg| usual(arg, "never")))]
#[command(mut_arg("lessons.rate.last", |arg| usual(arg, "that of the beginning")))]
pub struct Args {
    /// The game
    #[arg(long, value_parser = named::<PlanesGame>(), default_value_t)]
    game: PlanesGame,
    /// Folder to make for the run: networks, games, learning curve (table, picture, TensorBoard events), manifest
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    #[command(flatten)]
    start: StartOptions,
    /// Stop at the first checkpoint after this many minutes, as Ctrl-C does; `--resume` goes on from there
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// Also draw the learning curve as PNG
    #[arg(long)]
    png: bool,
    /// Start from the weights of this network of the same form instead of random ones: a run's folder or a .safetensors file
    #[arg(long, value_name = "NET")]
    init: Option<PathBuf>,
    /// Continue a finished run to more games even if it is then not the same as a run of that many from the start
    #[arg(long, requires = "resume")]
    extend: bool,
    #[command(flatten)]
    parts: PartArgs,
    #[command(flatten, next_help_heading = "Self-play and learning")]
    settings: Of<ZeroSettings>,
    /// Other switches of the search: name=value, separated by commas
    #[arg(long, default_value = "", hide_default_value = true, value_name = "SWITCHES")]
    search: String,
    #[command(flatten)]
    lessons: LessonArgs,
}

/// Who plays the games, of several processes over one folder.
#[derive(ClapArgs)]
#[command(next_help_heading = "Several processes")]
struct PartArgs {
    /// Learn only: N other processes play the games, one for each part
    #[arg(long, value_name = "N", requires = "sync_generation")]
    actors: Option<u64>,
    /// Play part I of N of the games, for a process that learns in RUN with `--actors N`, until the run needs no more; exit code 3.
    /// `env/N` takes I from the scheduler (SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX)
    #[arg(long, value_name = "I/N", requires = "sync_generation")]
    #[arg(conflicts_with_all = ["actors", "resume", "force", "extend", "png"])]
    shard: Option<String>,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Learning")]
struct LessonArgs {
    /// Change the weights after each so many finished games [default: 16]
    #[arg(long, value_name = "N", conflicts_with = "sync_seconds")]
    sync_games: Option<usize>,
    /// Change the weights after so many seconds; two runs then differ
    #[arg(long, value_name = "S")]
    sync_seconds: Option<f64>,
    /// Change the weights after each so many games, every one of which is played by one network: several processes can play them
    #[arg(long, value_name = "N", conflicts_with_all = ["sync_games", "sync_seconds"])]
    sync_generation: Option<usize>,
    /// How often each position is drawn on average [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "steps_per_game")]
    reuse: Option<f64>,
    /// Steps for each finished game, however long; 1 in S4
    #[arg(long, value_name = "N")]
    steps_per_game: Option<f64>,
}

impl Args {
    fn settings(&self) -> anyhow::Result<ZeroSettings> {
        let (mut settings, lessons) = (self.settings.read()?, &self.lessons);
        settings.search = self.switched(settings.search)?;
        let (games, seconds) = (lessons.sync_games.map(Sync::Games), lessons.sync_seconds.map(Sync::Seconds));
        let generation = lessons.sync_generation.map(Sync::Generation);
        settings.sync = games.or(seconds).or(generation).unwrap_or_default();
        let (reuse, steps) = (lessons.reuse.map(Pace::Reuse), lessons.steps_per_game.map(Pace::StepsPerGame));
        settings.lessons.pace = reuse.or(steps).unwrap_or_default();
        steady_unless_told(&self.settings, "lessons.rate", &mut settings.lessons.rate)?;
        Ok(settings)
    }

    /// The search with the switches that are no options.
    fn switched(&self, search: MctsSettings) -> anyhow::Result<MctsSettings> {
        let parts = self.search.split(',').filter_map(|part| assignment(part).ok());
        let names: Vec<&str> = parts.map(|(name, _)| name).collect();
        let mut own = leaves::<MctsSettings>().into_iter().filter(Leaf::is_option);
        if let Some(leaf) = own.find(|leaf| names.contains(&leaf.path.as_str())) {
            bail!("`--search`: `{}` has an option of its own: use `--{}`", leaf.path, leaf.option);
        }
        Ok(search.with(&self.search)?)
    }
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    by_planes_game!(args.game, G => run_game::<G>(args, session))
}

fn run_game<G: Planes>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let minutes = args.minutes.unwrap_or(0.0);
    require((0.0..=1e9).contains(&minutes), "--minutes", "in [0, 1000000000]", minutes)?;
    let settings = args.settings()?;
    settings.check()?;
    settings.shape::<G>().check()?;
    if let Some(end) = settings.start::<G>()?.end() {
        bail!("games cannot begin at `{}`: the game is over there ({})", settings.start, end.reason);
    }
    args.init.iter().try_for_each(|init| ensure_kept(init, &args.out, args.start.start()))?;
    // A device that is not there is told before a folder is made.
    let NetworkSettings { history, device, .. } = settings.network;
    let init = args.init.as_deref().map(InitialNetwork::load).transpose()?;
    let run = ZeroRun { settings: &settings, seed: session.seed, init: init.as_ref() };
    let plan = run.plan([&args.out; 2], args.parts.actors);
    plan.check::<G>()?;
    ResidualEvaluator::<G>::on(device, &plan.initial_weights::<G>()?, history, false)?;
    let begun = Instant::now();
    let is_late = || args.minutes.is_some_and(|minutes| begun.elapsed().as_secs_f64() > 60.0 * minutes);
    let stop = || interrupt::asked() || is_late();
    if let Some(part) = &args.parts.shard {
        return act::<G>(args, (run, shard(Some(part))?), (&session.progress, &stop));
    }
    let Some(folder) = open::<G>(&args.out, run, (args.start.start(), args.extend))? else {
        told_before("self-play", &args.out)?;
        return Ok(ExitCode::SUCCESS);
    };
    interrupt::ask("stopping at the next checkpoint", last_words(KEPT, &[&args.out]));
    let manner = Manner { png: args.png, actors: args.parts.actors, observer: &session.progress, stop: &stop };
    let report = train::<G>(&folder, run, &manner)?;
    finish(args, &settings, &report)?;
    Ok(if report.is_complete { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

/// Plays a part of the games for another process.
fn act<G: Planes>(
    args: &Args,
    (run, part): (ZeroRun<'_>, Shard),
    watcher: (&dyn Observer, &(dyn Fn() -> bool + std::marker::Sync)),
) -> anyhow::Result<ExitCode> {
    interrupt::tell(format!("the games that ended are kept; to go on: {}", resuming(false)));
    let ActorReport { games, is_over } = join::<G>(&args.out, (run, part), watcher)?;
    let end = if is_over { "the run needs no more games from it" } else { "stopped" };
    output::print(&format!("part {part}: {games} games played, {end}\n"))?;
    Ok(ExitCode::from(INCOMPLETE))
}

fn finish(args: &Args, settings: &ZeroSettings, report: &ZeroReport) -> anyhow::Result<()> {
    if let Some(speed) = speed_table("Speed", &report.speed) {
        output::print(&format!("{}\n", speed.to_text()))?;
    }
    let out = args.out.display();
    output::print(&if report.is_complete {
        format!("{} games; network: {out}/{NETWORK}\n", report.games)
    } else {
        let (games, of) = (report.games, settings.games);
        format!("stopped, {games} of {of} games learned from: {}\n", last_words(KEPT, &[&args.out]))
    })
}
