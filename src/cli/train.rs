//! `roughboard train`: networks, and the traditional evaluator's position tables, from game records.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args as ClapArgs, Subcommand};
use roughboard::experiment::learn::{self, Data, DataSettings, Learned, RoughPlan};
use roughboard::experiment::position_tables::{self, FitSettings};
use roughboard::experiment::s1::config::{BpConfig, RuleConfig, S1Config, TdConfig};
use roughboard::net::rough::RoughSettings;
use roughboard::report::Curves;
use roughboard::setting::require;
use roughboard::train::{Checkpoint, SupervisedSettings, TdSettings, UpdateForm};

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
    #[arg(long, default_value_t = 0.25, value_name = "SHARE")]
    held_out: f64,
    /// Plies at the beginning of each game whose positions are not used
    #[arg(long, default_value_t = 10, value_name = "N")]
    skip_plies: usize,
    /// Passes over the training positions
    #[arg(long, default_value_t = 4, value_name = "N")]
    passes: usize,
    /// Measurements of the error in each pass
    #[arg(long, default_value_t = 4, value_name = "N")]
    curve_points: usize,
    /// Draw the learning curve as PNG too
    #[arg(long)]
    png: bool,
}

/// Minibatch training.
#[derive(ClapArgs)]
struct Minibatch {
    /// Positions a weight update
    #[arg(long, default_value_t = 512, value_name = "N")]
    batch: usize,
    /// Step size of Adam in the first pass
    #[arg(long, default_value_t = 3e-3, value_name = "R")]
    rate: f64,
    /// Step size of Adam in the last pass
    #[arg(long, default_value_t = 3e-4, value_name = "R")]
    final_rate: f64,
}

#[derive(ClapArgs)]
struct RoughArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    /// Rules, that is neurons of layer 3
    #[arg(long, default_value_t = 60, value_name = "N")]
    rules: usize,
    /// Read only the attributes of a reduct instead of all
    #[arg(long)]
    reduct_only: bool,
    /// Start from random weights instead of inclusion degrees, as a control
    #[arg(long)]
    random_start: bool,
    /// Exponent τ of the product of inclusion degrees
    #[arg(long, value_name = "T")]
    tau: Option<f64>,
    /// Smoothing of the inclusion degrees, in positions
    #[arg(long, value_name = "S")]
    smoothing: Option<f64>,
    /// Factor on the logarithms of a rule's own conditions
    #[arg(long, value_name = "F")]
    sharpness: Option<f64>,
}

#[derive(ClapArgs)]
struct BpArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    /// Hidden neurons
    #[arg(long, default_value_t = 100, value_name = "N")]
    hidden: usize,
}

#[derive(ClapArgs)]
struct TdArgs {
    #[command(flatten)]
    common: Common,
    /// Hidden neurons
    #[arg(long, default_value_t = 100, value_name = "N")]
    hidden: usize,
    /// Learning rate α
    #[arg(long, value_name = "A")]
    alpha: Option<f64>,
    /// Trace decay λ
    #[arg(long, value_name = "L")]
    lambda: Option<f64>,
    /// Compute the update by eq. (4) of S5 (the same update, faster) instead of eq. (2)
    #[arg(long)]
    by_errors: bool,
}

#[derive(ClapArgs)]
struct TablesArgs {
    #[command(flatten)]
    sources: GameSources,
    /// JSON file to write
    #[arg(long, value_name = "FILE.json")]
    out: PathBuf,
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
        require(self.held_out > 0.0 && self.held_out < 1.0, "--held-out", "in (0, 1)", self.held_out)?;
        require(self.passes >= 1, "--passes", "at least 1", self.passes)?;
        require(self.curve_points >= 1, "--curve-points", "at least 1", self.curve_points)?;
        let folder = self.out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            anyhow::bail!("cannot write `{}`: `{}` is not a folder", self.out.display(), folder.display());
        }
        Ok(())
    }

    fn data(&self, session: &Session) -> anyhow::Result<Data> {
        let games = self.sources.read(session)?;
        let settings =
            DataSettings { skip_plies: self.skip_plies, held_out: self.held_out, curve_points: self.curve_points };
        Ok(Data::new(&games.records, games.inputs, settings, session.seed)?)
    }

    fn checkpoint(&self, fingerprint: String) -> Checkpoint {
        Checkpoint::new(self.out.with_extension("checkpoint"), fingerprint)
    }

    /// Saves network, curve and picture, prints the curve, and removes the checkpoint.
    fn finish(&self, name: &str, learned: &Learned, data: &Data, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        learned.save(&self.out)?;
        let csv = self.out.with_extension("csv");
        let table = learn::curve_table(std::slice::from_ref(learned));
        std::fs::write(&csv, table.to_csv()).with_context(|| format!("cannot write `{}`", csv.display()))?;
        let curves = learn::curve_plot(&format!("Learning curve: {name}"), std::slice::from_ref(learned), data);
        self.draw(&curves)?;
        checkpoint.remove()?;
        println!("{}", table.to_text());
        let baselines = data.baselines();
        println!("held-out mse of a constant {:.4}, of material {:.4}", baselines.constant_mse, baselines.material_mse);
        println!("network: {}\ncurve:   {}", self.out.display(), csv.display());
        Ok(())
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
    fn settings(&self, passes: usize) -> anyhow::Result<SupervisedSettings> {
        let settings = SupervisedSettings { passes, batch: self.batch, rate: self.rate, final_rate: self.final_rate };
        settings.check()?;
        Ok(settings)
    }
}

fn train_rough(args: &RoughArgs, session: &Session) -> anyhow::Result<()> {
    args.common.check()?;
    let defaults = S1Config::quick(session.seed);
    let plan = RoughPlan {
        rules: RuleConfig { number: args.rules, ..defaults.rules },
        form: RoughSettings {
            tau: args.tau.unwrap_or(defaults.rough.tau),
            smoothing: args.smoothing.unwrap_or(defaults.rough.smoothing),
            sharpness: args.sharpness.unwrap_or(defaults.rough.sharpness),
        },
        training: args.minibatch.settings(args.common.passes)?,
        reduct_only: args.reduct_only,
        random_start: args.random_start,
    };
    plan.check()?;
    let data = args.common.data(session)?;
    let checkpoint = args.common.checkpoint(data.fingerprint("rough", &plan));
    let learned = learn::rough(&data, &plan, "rough", Some(&checkpoint), &session.progress)?;
    args.common.finish("rough network", &learned, &data, &checkpoint)
}

fn train_bp(args: &BpArgs, session: &Session) -> anyhow::Result<()> {
    args.common.check()?;
    require(args.hidden >= 1, "--hidden", "at least 1", args.hidden)?;
    let config = BpConfig { hidden: args.hidden, training: args.minibatch.settings(args.common.passes)? };
    let data = args.common.data(session)?;
    let checkpoint = args.common.checkpoint(data.fingerprint("bp", &config));
    let learned = learn::bp(&data, &config, "bp", Some(&checkpoint), &session.progress)?;
    args.common.finish("BP", &learned, &data, &checkpoint)
}

fn train_td(args: &TdArgs, session: &Session) -> anyhow::Result<()> {
    args.common.check()?;
    require(args.hidden >= 1, "--hidden", "at least 1", args.hidden)?;
    let defaults = S1Config::quick(session.seed).td.training;
    let training = TdSettings {
        passes: args.common.passes,
        alpha: args.alpha.unwrap_or(defaults.alpha),
        lambda: args.lambda.unwrap_or(defaults.lambda),
        form: if args.by_errors { UpdateForm::Errors } else { UpdateForm::Traces },
    };
    training.check()?;
    let config = TdConfig { hidden: args.hidden, training };
    let data = args.common.data(session)?;
    let checkpoint = args.common.checkpoint(data.fingerprint("td", &config));
    let learned = learn::td(&data, &config, "td", Some(&checkpoint), &session.progress)?;
    args.common.finish("TD(λ)", &learned, &data, &checkpoint)
}

fn fit_tables(args: &TablesArgs, session: &Session) -> anyhow::Result<()> {
    require(args.alpha > 0.0, "--alpha", "above 0", args.alpha)?;
    let games = args.sources.read(session)?;
    let settings = FitSettings { alpha: args.alpha, ..FitSettings::default() };
    let fitted = position_tables::fit(&games.records, &settings)?;
    write_text(&args.out, &fitted.tables.to_json())?;
    println!("{} positions of {} games", fitted.n_positions, games.records.len());
    let names = ["advisor", "elephant", "horse", "rook", "cannon", "pawn"];
    for (name, log_odds) in names.iter().zip(fitted.material) {
        println!("{name:9} {log_odds:+.3} log-odds = {:+.0} points", log_odds * fitted.points_per_log_odds);
    }
    println!("tables: {}", args.out.display());
    Ok(())
}

fn write_text(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
