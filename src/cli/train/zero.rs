//! `roughboard train zero`: a residual network by self-play with Monte Carlo tree search (S4).

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args as ClapArgs, ValueEnum};
use roughboard::eval::ResidualEvaluator;
use roughboard::features::planes::Planes;
use roughboard::games::surakarta::Surakarta;
use roughboard::net::residual::{Device, Weights};
use roughboard::runs::folder::RunFolder;
use roughboard::runs::training::TRAINING;
use roughboard::runs::zero::{Manner, network_limit, speed_table, train};
use roughboard::search::mcts::{MctsSettings, Selection};
use roughboard::settings::require;
use roughboard::train::Schedule;
use roughboard::train::zero::{
    LessonSettings, NETWORK, NetworkSettings, Pace, PlayoutCap, Resignation, Sync, ZeroReport, ZeroSettings,
};

use crate::cli::folder::StartOptions;
use crate::cli::session::Session;
use crate::cli::{INCOMPLETE, interrupt, output};

/// How long the network alone is measured at the end.
const MEASURED: Duration = Duration::from_secs(1);

/// Arguments of `train zero`.
#[derive(ClapArgs)]
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
    #[command(flatten)]
    play: PlayArgs,
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
#[command(next_help_heading = "Self-play")]
struct PlayArgs {
    /// Games to play, 1 to 10000000
    #[arg(long, default_value_t = default().games, value_name = "N")]
    games: usize,
    /// Games played at the same time, 1 to 65536
    #[arg(long, default_value_t = default().in_flight, value_name = "N")]
    in_flight: usize,
    /// Positions that one game may wait for at a time, 1 to 1024; more than one with virtual loss
    #[arg(long, default_value_t = default().leaves, value_name = "N")]
    leaves: u32,
    /// Position that games begin at, with its end rules [default: the initial position]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "POSITION")]
    start: String,
    /// Temperature of the first plies, above 0 to 100
    #[arg(long, default_value_t = default().temperature, value_name = "T")]
    temperature: f64,
    /// How many plies these are; 0 for all
    #[arg(long, default_value_t = default().temperature_plies, value_name = "N")]
    temperature_plies: usize,
    /// Temperature after them, 0 to 100; 0 takes the move with most visits
    #[arg(long, default_value_t = default().late_temperature, value_name = "T")]
    late_temperature: f64,
    /// Give up when the search expects this little twice in a row: the certainty of losing, between 0 and 1 [default: never]
    #[arg(long = "resign", id = "certainty", value_name = "P")]
    resign: Option<f64>,
    /// Share of games in which nobody gives up, to count wrong resignations
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", requires = "certainty")]
    play_on: f64,
    /// Keep the network after each so many games; 0 for none
    #[arg(long, default_value_t = 0, value_name = "N")]
    keep_every: usize,
    /// Keep the networks after these numbers of games
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    keep: Vec<usize>,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Search")]
struct TreeArgs {
    /// Simulations of a search
    #[arg(long, default_value_t = default().simulations, value_name = "N")]
    simulations: u32,
    /// Share of searches that are full; the others are cheap and no examples (playout cap randomisation)
    #[arg(long, value_name = "SHARE", requires = "fast_simulations")]
    full_share: Option<f64>,
    /// Simulations of a cheap search
    #[arg(long, value_name = "N", requires = "full_share")]
    fast_simulations: Option<u32>,
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
    /// Show the network positions as they are, not in an image chosen by their key
    #[arg(long)]
    no_symmetries: bool,
    /// Evaluations remembered between two changes of the weights; 0 for none
    #[arg(long, default_value_t = default().cache, value_name = "N")]
    cache: usize,
}

#[derive(ClapArgs)]
#[command(next_help_heading = "Learning")]
struct LessonArgs {
    /// Channels of each convolution
    #[arg(long, default_value_t = default().network.channels, value_name = "N")]
    channels: usize,
    /// 3 x 3 convolutions
    #[arg(long, default_value_t = default().network.layers, value_name = "N")]
    layers: usize,
    /// Earlier positions that the network sees, 0 to 16
    #[arg(long, default_value_t = default().network.history, value_name = "N")]
    history: usize,
    /// Where the network plays and learns: cpu; gpu, in a program that was built with the feature `gpu`; burn, with the feature
    /// `burn`
    #[arg(long, default_value_t, value_name = "DEVICE")]
    device: Device,
    /// Change the weights after each so many finished games [default: 16]
    #[arg(long, value_name = "N", conflicts_with = "sync_seconds")]
    sync_games: Option<usize>,
    /// Change the weights after so many seconds: no run is like another then
    #[arg(long, value_name = "S")]
    sync_seconds: Option<f64>,
    /// Newest positions that are learned from
    #[arg(long, default_value_t = default().lessons.pool, value_name = "N")]
    pool: usize,
    /// Positions of a step
    #[arg(long, default_value_t = default().lessons.batch, value_name = "N")]
    batch: usize,
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
    /// Weight of the squared weights in the loss
    #[arg(long, default_value_t = default().lessons.l2, value_name = "C")]
    l2: f64,
    /// Learn positions as they are, not in one of their images at random
    #[arg(long)]
    no_images: bool,
    /// Share of the search's value in the value that is learned, beside the result of the game
    #[arg(long, default_value_t = default().lessons.search_share, value_name = "SHARE")]
    search_share: f64,
}

fn default() -> ZeroSettings {
    ZeroSettings::default()
}

impl Args {
    fn settings(&self) -> anyhow::Result<ZeroSettings> {
        let Self { play, tree, lessons, .. } = self;
        Ok(ZeroSettings {
            start: play.start.clone(),
            games: play.games,
            in_flight: play.in_flight,
            leaves: play.leaves,
            simulations: tree.simulations,
            temperature: play.temperature,
            temperature_plies: play.temperature_plies,
            late_temperature: play.late_temperature,
            playout_cap: tree.playout_cap(),
            resignation: play.resign.map(|certainty| Resignation { certainty, play_on: play.play_on }),
            symmetries: !tree.no_symmetries,
            cache: tree.cache,
            sync: lessons.sync(),
            keep_every: play.keep_every,
            keep: play.keep.clone(),
            search: tree.settings()?,
            network: lessons.network(),
            lessons: lessons.settings(),
        })
    }
}

impl TreeArgs {
    fn playout_cap(&self) -> Option<PlayoutCap> {
        let (full_share, fast_simulations) = self.full_share.zip(self.fast_simulations)?;
        Some(PlayoutCap { full_share, fast_simulations })
    }

    fn settings(&self) -> anyhow::Result<MctsSettings> {
        let settings = MctsSettings {
            selection: if self.gumbel { Selection::Gumbel } else { Selection::Puct },
            c_puct: self.c_puct,
            noise_alpha: self.noise_alpha,
            noise_fraction: self.noise_fraction,
            ..default().search
        };
        Ok(settings.with_switches(&self.search)?)
    }
}

impl LessonArgs {
    const fn network(&self) -> NetworkSettings {
        let &Self { channels, layers, history, device, .. } = self;
        NetworkSettings { channels, layers, history, device }
    }

    fn sync(&self) -> Sync {
        match (self.sync_games, self.sync_seconds) {
            (Some(games), _) => Sync::Games(games),
            (None, Some(seconds)) => Sync::Seconds(seconds),
            (None, None) => default().sync,
        }
    }

    fn settings(&self) -> LessonSettings {
        let pace = match (self.reuse, self.steps_per_game) {
            (Some(reuse), _) => Pace::Reuse(reuse),
            (None, Some(steps)) => Pace::StepsPerGame(steps),
            (None, None) => default().lessons.pace,
        };
        let last = self.final_rate.unwrap_or(self.rate);
        let rate = Schedule { warm_up: self.warm_up, ..Schedule::exponential(self.rate, last) };
        LessonSettings {
            pool: self.pool,
            batch: self.batch,
            pace,
            rate,
            l2: self.l2,
            images: !self.no_images,
            search_share: self.search_share,
            ..default().lessons
        }
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
