//! `roughboard train`: networks, and the traditional evaluator's position tables, from game records.

mod positions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args as ClapArgs, Subcommand};
use roughboard::disk::{check_target, write_whole};
use roughboard::eval::xiangqi::{Parameters, Terms, weights_to_json};
use roughboard::experiment::learn::{
    self, Beginning, BpConfig, Data, Knowledge, Learned, Predecessor, RoughPlan, RuleConfig, TdConfig, Training,
};
use roughboard::experiment::position_tables::{self, FitSettings, Fitted};
use roughboard::experiment::s1::S1Config;
use roughboard::games::xiangqi::{Role, Xiangqi};
use roughboard::net::dense::DenseShape;
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::rough::RoughSettings;
use roughboard::record::GameRecord;
use roughboard::report::{Cell, Curves, Table};
use roughboard::setting::require;
use roughboard::train::{
    Checkpoint, NoRecord, Schedule, SupervisedSettings, TdSettings, UpdateForm, UpdateTime, Witness,
};

use super::output;
use super::session::Session;
use super::sources::GameSources;

/// Arguments of `train`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    method: Method,
}

#[derive(Subcommand)]
enum Method {
    /// The rough neural network of S1, built from the rules of the games' decision table
    Rough(RoughArgs),
    /// A plain 91-N-1 network by back-propagation
    Bp(BpArgs),
    /// A 91-N-1 network by TD(λ)
    Td(TdArgs),
    /// Position tables for the traditional evaluator, by logistic regression
    Tables(TablesArgs),
}

/// What training any network needs.
#[derive(ClapArgs)]
struct Common {
    #[command(flatten)]
    sources: GameSources,
    /// Network file to write; its learning curve goes beside it as .csv and .svg
    #[arg(long, value_name = "FILE.safetensors")]
    out: PathBuf,
    /// Share of the games held out to measure the error
    #[arg(long, default_value_t = quick().held_out, value_name = "SHARE")]
    held_out: f64,
    #[command(flatten)]
    positions: positions::Args,
    /// Passes over the training positions
    #[arg(long, default_value_t = quick().rough_training.passes, value_name = "N")]
    passes: usize,
    /// Measurements of the error in each pass
    #[arg(long, default_value_t = quick().curve_points, value_name = "N")]
    curve_points: usize,
    /// Draw the learning curve as PNG too
    #[arg(long)]
    png: bool,
}

/// Minibatch training.
#[derive(ClapArgs)]
struct Minibatch {
    /// Positions a weight update
    #[arg(long, default_value_t = quick().rough_training.batch, value_name = "N")]
    batch: usize,
    /// Step size of Adam in the first pass
    #[arg(long, default_value_t = quick().rough_training.rate.first, value_name = "R")]
    rate: f64,
    /// Step size of Adam in the last pass
    #[arg(long, default_value_t = quick().rough_training.rate.last, value_name = "R")]
    final_rate: f64,
}

#[derive(ClapArgs)]
struct RoughArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    /// Rules, that is neurons of layer 3
    #[arg(long, default_value_t = quick().rules.number, value_name = "N")]
    rules: usize,
    /// Read only the attributes of a reduct instead of all
    #[arg(long)]
    reduct_only: bool,
    /// Start from random weights instead of inclusion degrees, as a control
    #[arg(long)]
    random_start: bool,
    /// Exponent τ of the product of inclusion degrees
    #[arg(long, default_value_t = quick().rough.tau, value_name = "T")]
    tau: f64,
    /// Smoothing of the inclusion degrees, in positions
    #[arg(long, default_value_t = quick().rough.smoothing, value_name = "S")]
    smoothing: f64,
    /// Factor on the logarithms of a rule's own conditions
    #[arg(long, default_value_t = quick().rough.sharpness, value_name = "F")]
    sharpness: f64,
}

#[derive(ClapArgs)]
struct BpArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    /// Hidden neurons
    #[arg(long, default_value_t = hidden(), value_name = "N")]
    hidden: usize,
}

#[derive(ClapArgs)]
struct TdArgs {
    #[command(flatten)]
    common: Common,
    /// Hidden neurons
    #[arg(long, default_value_t = hidden(), value_name = "N")]
    hidden: usize,
    /// Go on from the weights of this network, written by `train td` or `train bp`, instead of random ones
    #[arg(long, value_name = "FILE.safetensors", conflicts_with = "hidden")]
    init: Option<PathBuf>,
    /// Learning rate α
    #[arg(long, default_value_t = quick().td.training.alpha.first, value_name = "A")]
    alpha: f64,
    /// Trace decay λ
    #[arg(long, default_value_t = quick().td.training.lambda, value_name = "L")]
    lambda: f64,
    /// Compute the update by eq. (4) of S5 (the same update, faster) instead of eq. (2)
    #[arg(long)]
    by_errors: bool,
}

#[derive(ClapArgs)]
struct TablesArgs {
    #[command(flatten)]
    sources: GameSources,
    /// JSON file of position tables to write
    #[arg(long, value_name = "FILE.json")]
    out: PathBuf,
    /// JSON file of weights of coordination, king and threats to write
    #[arg(long, value_name = "FILE.json")]
    weights: Option<PathBuf>,
    /// Terms that take part in the fit
    #[arg(long, default_value = "all", value_name = "TERMS")]
    terms: Terms,
    /// Fit on four fifths of the games and print how well the terms predict the results of the others
    #[arg(long)]
    held_out: bool,
    /// Strength of the L2 regularisation
    #[arg(long, default_value_t = FitSettings::default().alpha, value_name = "A")]
    alpha: f64,
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.method {
        Method::Rough(args) => train_rough(&args, session)?,
        Method::Bp(args) => train_bp(&args, session)?,
        Method::Td(args) => train_td(&args, session)?,
        Method::Tables(args) => fit_tables(&args, session)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Common {
    fn check(&self) -> anyhow::Result<()> {
        self.positions.settings(self.held_out, self.curve_points)?;
        // Curve, picture and checkpoint take the network's name with other endings.
        let is_net = self.out.extension().is_some_and(|extension| extension == "safetensors");
        require(is_net, "--out", "a file name that ends in .safetensors", self.out.display())?;
        check_out(&self.out)
    }

    fn data(&self, session: &Session) -> anyhow::Result<Data> {
        let settings = self.positions.settings(self.held_out, self.curve_points)?;
        let games = self.sources.read(session)?;
        positions::read(games, settings, session)
    }

    fn checkpoint(&self, fingerprint: String) -> Checkpoint {
        Checkpoint::new(self.out.with_extension("checkpoint"), fingerprint)
    }

    /// Saves network, curve and picture, prints the curve, and removes the checkpoint.
    fn finish(&self, name: &str, learned: &Learned, data: &Data, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        learned.save(&self.out)?;
        let csv = self.out.with_extension("csv");
        let table = learn::curve_table(std::slice::from_ref(learned));
        write_text(&csv, &table.to_csv())?;
        let curves = learn::curve_plot(&format!("Learning curve: {name}"), std::slice::from_ref(learned), data);
        self.draw(&curves)?;
        checkpoint.remove()?;
        let baselines = data.baselines();
        output::print(&format!(
            "{}\nheld-out mse of a constant {:.4}, of material {:.4}\nnetwork: {}\ncurve:   {}\n",
            table.to_text(),
            baselines.constant_mse,
            baselines.material_mse,
            self.out.display(),
            csv.display()
        ))
    }

    fn draw(&self, curves: &Curves) -> anyhow::Result<()> {
        curves.render(&self.out.with_extension("svg"))?;
        if self.png {
            curves.render(&self.out.with_extension("png"))?;
        }
        Ok(())
    }
}

impl Minibatch {
    fn settings(&self, passes: usize) -> SupervisedSettings {
        SupervisedSettings {
            passes,
            batch: self.batch,
            optimiser: OptimiserKind::Adam,
            rate: Schedule::exponential(self.rate, self.final_rate),
            patience: None,
        }
    }
}

fn learn_from(
    data: &Data,
    (beginning, training): (Beginning, Training),
    name: &str,
    checkpoint: &Checkpoint,
    session: &Session,
) -> anyhow::Result<Learned> {
    let witness = Witness { checkpoint: Some(checkpoint), recorder: &mut NoRecord, observer: &session.progress };
    Ok(learn::learn(data, beginning, &training, name, witness)?)
}

fn train_rough(args: &RoughArgs, session: &Session) -> anyhow::Result<()> {
    args.common.check()?;
    let plan = RoughPlan {
        rules: RuleConfig { number: args.rules, ..quick().rules },
        form: RoughSettings { tau: args.tau, smoothing: args.smoothing, sharpness: args.sharpness },
        training: args.minibatch.settings(args.common.passes),
        reduct_only: args.reduct_only,
        random_start: args.random_start,
    };
    plan.check()?;
    let data = args.common.data(session)?;
    let checkpoint = args.common.checkpoint(data.fingerprint("rough", &plan));
    let knowledge = Knowledge::of(&data, &plan, &session.progress)?;
    let learned = learn_from(&data, plan.start(&data, &knowledge), "rough", &checkpoint, session)?;
    args.common.finish("rough network", &learned, &data, &checkpoint)
}

fn train_bp(args: &BpArgs, session: &Session) -> anyhow::Result<()> {
    args.common.check()?;
    let config =
        BpConfig { network: DenseShape::one_layer(args.hidden), training: args.minibatch.settings(args.common.passes) };
    config.check()?;
    let data = args.common.data(session)?;
    let checkpoint = args.common.checkpoint(data.fingerprint("bp", &config));
    let learned = learn_from(&data, config.start(&data), "bp", &checkpoint, session)?;
    args.common.finish("BP", &learned, &data, &checkpoint)
}

fn train_td(args: &TdArgs, session: &Session) -> anyhow::Result<()> {
    args.common.check()?;
    args.common.positions.require_results()?;
    let training = TdSettings {
        passes: args.common.passes,
        alpha: Schedule::constant(args.alpha),
        lambda: args.lambda,
        update: UpdateTime::Game,
        form: if args.by_errors { UpdateForm::Errors } else { UpdateForm::Traces },
        patience: None,
    };
    let config = TdConfig { network: DenseShape::one_layer(args.hidden), training };
    config.check()?;
    let predecessor = args.init.as_deref().map(Predecessor::load).transpose()?;
    let data = args.common.data(session)?;
    let checksum = predecessor.as_ref().map(Predecessor::checksum);
    let checkpoint = args.common.checkpoint(data.fingerprint("td", &(&config, checksum)));
    let (mut beginning, training) = config.start(&data);
    if let Some(predecessor) = predecessor {
        beginning = predecessor.take_over(&data, beginning)?;
    }
    let learned = learn_from(&data, (beginning, training), "td", &checkpoint, session)?;
    args.common.finish("TD(λ)", &learned, &data, &checkpoint)
}

fn fit_tables(args: &TablesArgs, session: &Session) -> anyhow::Result<()> {
    require(args.alpha > 0.0 && args.alpha <= 1e9, "--alpha", "in (0, 1e9]", args.alpha)?;
    [Some(&args.out), args.weights.as_ref()].into_iter().flatten().try_for_each(|path| check_out(path))?;
    let games = args.sources.read(session)?;
    let settings = FitSettings { alpha: args.alpha, terms: args.terms, ..FitSettings::default() };
    let (training, held_out) = if args.held_out { split(games.records) } else { (games.records, Vec::new()) };
    let fitted = position_tables::fit(&training, &settings)?;
    let Parameters { tables, weights } = &fitted.parameters;
    write_text(&args.out, &tables.to_json())?;
    args.weights.as_ref().map_or(Ok(()), |path| write_text(path, &weights_to_json(weights)))?;
    output::print(&summary(&fitted, training.len()))?;
    if args.held_out {
        output::print(&losses(&held_out, &settings, &fitted.parameters).to_text())?;
    }
    output::print(&format!("tables: {}\n", args.out.display()))
}

/// Every fifth game apart.
fn split(games: Vec<GameRecord<Xiangqi>>) -> (Vec<GameRecord<Xiangqi>>, Vec<GameRecord<Xiangqi>>) {
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    for (at, game) in games.into_iter().enumerate() {
        if at % 5 == 4 { held_out.push(game) } else { training.push(game) }
    }
    (training, held_out)
}

fn summary(fitted: &Fitted, n_games: usize) -> String {
    let mut text = format!("{} positions of {n_games} games\n", fitted.n_positions);
    for (role, log_odds) in Role::ALL[1..].iter().zip(fitted.material) {
        let points = log_odds * fitted.points_per_log_odds;
        text += &format!("{:9} {log_odds:+.3} log-odds = {points:+.0} points\n", role.name());
    }
    text + &format!(
        "a point of mobility is worth {:.2}, pawns hand in hand {:.0} points\n",
        fitted.mobility_factor, fitted.hand_in_hand
    )
}

/// How well growing sets of terms predict the results of `games`.
fn losses(games: &[GameRecord<Xiangqi>], settings: &FitSettings, parameters: &Parameters) -> Table {
    let mut table = Table::new("Log loss on games held out, in nats", &["terms"], &["log loss"]);
    let mut terms = Terms::NONE;
    for term in settings.terms.iter() {
        terms = terms.with(term);
        let loss = position_tables::log_loss(games, settings, terms, parameters);
        table.push([terms.to_string().into(), Cell::real(loss, 5)]);
    }
    table
}

fn write_text(path: &Path, text: &str) -> anyhow::Result<()> {
    write_whole(path, text.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Refuses a target that cannot be written before any work is done for it.
fn check_out(path: &Path) -> anyhow::Result<()> {
    check_target(path).with_context(|| format!("cannot write `{}`", path.display()))
}

/// The settings of the main job, which are the defaults here.
fn quick() -> S1Config {
    S1Config::quick(1)
}

fn hidden() -> usize {
    quick().bp.network.hidden[0]
}
