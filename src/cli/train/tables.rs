//! `roughboard train tables`: position tables and weights of the traditional evaluator, by logistic regression.

use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use roughboard::eval::xiangqi::{Parameters, Terms, weights_to_json};
use roughboard::games::xiangqi::{Role, Xiangqi};
use roughboard::record::GameRecord;
use roughboard::report::{Cell, Table};
use roughboard::runs::position_tables::{self, FitSettings, Fitted};
use roughboard::settings::require;

use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::sources::{Copies, GameSources};
use crate::cli::targets::OutPath;

/// Arguments of `train tables`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    sources: GameSources,
    /// JSON file of position tables to write
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json")]
    out: OutPath,
    /// JSON file of weights of coordination, king and threats to write
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json")]
    weights: Option<OutPath>,
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
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    require(args.alpha > 0.0 && args.alpha <= 1e9, "--alpha", "in (0, 1e9]", args.alpha)?;
    let games = args.sources.read_of_its_game(session)?;
    games.note_duplicates(if args.held_out { Copies::Straddle } else { Copies::Count });
    let settings = FitSettings { alpha: args.alpha, terms: args.terms, ..FitSettings::default() };
    let (training, held_out) = if args.held_out { split(games.records) } else { (games.records, Vec::new()) };
    let is_measurable = !args.held_out || position_tables::is_measurable(&held_out, &settings);
    ensure!(is_measurable, "none of the {} games held out is decided and has a position", held_out.len());
    let fitted = position_tables::fit(&training, &settings)?;
    let Parameters { tables, weights } = &fitted.parameters;
    output::write(&args.out, tables.to_json())?;
    args.weights.as_ref().map_or(Ok(()), |path| output::write(path, weights_to_json(weights)))?;
    output::print(&summary(&fitted, training.len()))?;
    if args.held_out {
        output::print(&losses(&held_out, &settings, &fitted.parameters)?.to_text())?;
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
fn losses(games: &[GameRecord<Xiangqi>], settings: &FitSettings, parameters: &Parameters) -> anyhow::Result<Table> {
    let mut table = Table::new("Log loss on games held out, in nats", &["terms"], &["log loss"]);
    let mut terms = Terms::NONE;
    for term in settings.terms.iter() {
        terms = terms.with(term);
        let loss = position_tables::log_loss(games, settings, terms, parameters);
        let loss = loss.context("no position to measure on")?;
        table.push([terms.to_string().into(), Cell::real(loss, 5)]);
    }
    Ok(table)
}
