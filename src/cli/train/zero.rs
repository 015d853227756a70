//! `roughboard train zero`: a residual network by self-play with Monte Carlo tree search (S4).

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args as ClapArgs, ValueEnum};
use roughboard::eval::ResidualEvaluator;
use roughboard::game::Planes;
use roughboard::games::surakarta::Surakarta;
use roughboard::net::residual::Weights;
use roughboard::runs::folder::RunFolder;
use roughboard::runs::training::TRAINING;
use roughboard::runs::zero::{Manner, network_limit, speed_table, train};
use roughboard::search::mcts::{MctsSettings, Selection};
use roughboard::settings::{Settings, require};
use roughboard::train::Schedule;
use roughboard::train::zero::{NETWORK, NetworkSettings, Pace, Sync, ZeroReport, ZeroSettings};

use crate::cli::folder::StartOptions;
use crate::cli::session::Session;
use crate::cli::settings::Of;
use crate::cli::{INCOMPLETE, interrupt, output};

/// How long the network alone is measured at the end.
const MEASURED: Duration = Duration::from_secs(1);

/// Arguments of `train zero`.
#[derive(ClapArgs)]
#[command(mut_arg("playout_cap.full_share", |arg| arg.requires("playout_cap.fast_simulations")))]
#[command(mut_arg("playout_cap.fast_simulations", |arg| arg.requires("playout_cap.full_share")))]
#[command(mut_arg("resignation.play_on", |arg| arg.requires("resignation.certainty")))]
pub struct Args {
    /// The game
    #[arg(long, value_enum, default_value_t)]
    game: PlanesRules,
    /// Folder to make for the run: networks, games, learning curve (table, picture, TensorBoard events), manifest
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    #[command(flatten)]
    start: StartOptions,
    /// Stop at the first checkpoint after this many minutes, as Ctrl-C does; `--resume` goes on from there
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
    /// Draw the learning curve as PNG too
    #[arg(long)]
    png: bool,
    #[command(flatten, next_help_heading = "Self-play and learning")]
    settings: Of<ZeroSettings>,
    #[command(flatten)]
    tree: TreeArgs,
    #[command(flatten)]
    lessons: LessonArgs,
}

/// The games whose positions can be written as planes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum PlanesRules {
    /// Captures along circuits on 6 x 6 points
    #[default]
    Surakarta,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Search")]
struct TreeArgs {
    /// Weight of the prior against the value
    #[arg(long, default_value_t = default().search.c_puct, value_name = "C")]
    c_puct: f64,
    /// Concentration of the Dirichlet noise at the root
    #[arg(long, default_value_t = default().search.noise_alpha, value_name = "A")]
    noise_alpha: f64,
    /// Share of the noise in the priors of the root, 0 to 1
    #[arg(long, default_value_t = default().search.noise_fraction, value_name = "SHARE")]
    noise_fraction: f64,
    /// Choose moves by Gumbel-Top-k and sequential halving instead of PUCT
    #[arg(long)]
    gumbel: bool,
    /// Other switches of the search: name=value, separated by commas
    #[arg(long, default_value = "", hide_default_value = true, value_name = "SWITCHES")]
    search: String,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Learning")]
struct LessonArgs {
    /// Change the weights after each so many finished games [default: 16]
    #[arg(long, value_name = "N", conflicts_with = "sync_seconds")]
    sync_games: Option<usize>,
    /// Change the weights after so many seconds: no run is like another then
    #[arg(long, value_name = "S")]
    sync_seconds: Option<f64>,
    /// How often each position is drawn on average [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "steps_per_game")]
    reuse: Option<f64>,
    /// Steps for each finished game, however long; 1 in S4
    #[arg(long, value_name = "N")]
    steps_per_game: Option<f64>,
    /// Step size of Adam at the beginning
    #[arg(long = "rate", id = "rate.first", default_value_t = default().lessons.rate.first, value_name = "R")]
    rate: f64,
    /// Step size at the end, which it gets to by equal factors [default: that of the beginning]
    #[arg(long = "final-rate", id = "rate.last", value_name = "R")]
    final_rate: Option<f64>,
    /// Share of the games during which the step size first grows from 0
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    warm_up: f64,
}

fn default() -> ZeroSettings {
    ZeroSettings::default()
}

impl Args {
    fn settings(&self) -> anyhow::Result<ZeroSettings> {
        let mut settings = self.settings.read()?;
        settings.search = self.tree.settings()?;
        settings.sync = self.lessons.sync();
        settings.lessons.pace = self.lessons.pace();
        settings.lessons.rate = self.lessons.rate();
        Ok(settings)
    }
}

impl TreeArgs {
    fn settings(&self) -> anyhow::Result<MctsSettings> {
        let settings = MctsSettings {
            selection: if self.gumbel { Selection::Gumbel } else { Selection::Puct },
            c_puct: self.c_puct,
            noise_alpha: self.noise_alpha,
            noise_fraction: self.noise_fraction,
            ..default().search
        };
        Ok(settings.with(&self.search)?)
    }
}

impl LessonArgs {
    fn sync(&self) -> Sync {
        match (self.sync_games, self.sync_seconds) {
            (Some(games), _) => Sync::Games(games),
            (None, Some(seconds)) => Sync::Seconds(seconds),
            (None, None) => Sync::default(),
        }
    }

    fn pace(&self) -> Pace {
        match (self.reuse, self.steps_per_game) {
            (Some(reuse), _) => Pace::Reuse(reuse),
            (None, Some(steps)) => Pace::StepsPerGame(steps),
            (None, None) => Pace::default(),
        }
    }

    fn rate(&self) -> Schedule {
        let last = self.final_rate.unwrap_or(self.rate);
        Schedule { warm_up: self.warm_up, ..Schedule::exponential(self.rate, last) }
    }
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.game {
        PlanesRules::Surakarta => run_game::<Surakarta>(args, session),
    }
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
    // A device that is not there is told before a folder is made.
    let NetworkSettings { history, device, .. } = settings.network;
    let probe = Weights::random(settings.shape::<G>(), session.seed, "zero initial weights")?;
    ResidualEvaluator::<G>::on(device, &probe, history, false)?;
    let folder = RunFolder::open(&args.out, &TRAINING, None, args.start.start())?;
    interrupt::watch();
    let begun = Instant::now();
    let is_late = || args.minutes.is_some_and(|minutes| begun.elapsed().as_secs_f64() > 60.0 * minutes);
    let stop = || interrupt::asked() || is_late();
    let manner = Manner { seed: session.seed, png: args.png, observer: &session.progress, stop: &stop };
    let report = train::<G>(&folder, &settings, &manner)?;
    finish::<G>(args, &settings, &report)?;
    Ok(if report.is_complete { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
}

fn finish<G: Planes>(args: &Args, settings: &ZeroSettings, report: &ZeroReport) -> anyhow::Result<()> {
    let tally = report.speed.counts;
    if let Some(batch) = tally.rows.checked_div(tally.rounds) {
        let batch = batch.max(1) as usize;
        let limit = network_limit::<G>(&report.weights, settings.network, (batch, MEASURED))?;
        output::print(&format!("{}\n", speed_table(&report.speed, limit).to_text()))?;
    }
    let out = args.out.display();
    output::print(&if report.is_complete {
        format!("{} games; network: {out}/{NETWORK}\n", report.games)
    } else {
        format!("stopped, {} of {} games learned from: `--resume` goes on\n", report.games, settings.games)
    })
}
