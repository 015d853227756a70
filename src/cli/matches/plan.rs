//! `roughboard match plan`: how many games a match needs.

use roughboard::report::{Cell, Table, in_percent};
use roughboard::settings::{above, require_in};
use roughboard::stats::{EloScale, GameVariance, Sprt, games_for_error, games_for_power, games_of_sprt};
use serde_json::json;

use super::counted::{PAIRS, pairs_of};
use crate::cli::form::{Form, Sheet};
use crate::cli::settings::Of;

/// Arguments of `match plan`.
#[derive(clap::Args)]
pub struct Args {
    /// The difference that the match is to show, in Elo, in [0.01, 1000]
    #[arg(long, value_name = "ELO")]
    elo: f64,
    #[command(flatten)]
    settings: Of<PlanSettings>,
    /// Pairs of an earlier match with 0, ½, 1, 1½ and 2 points, all five, in place of the share of draws
    #[arg(long, num_args = 1..=5, value_delimiter = ',', conflicts_with = "draws", value_name = PAIRS)]
    pairs: Vec<u64>,
    #[command(flatten)]
    form: Form,
}

roughboard::settings! {
    /// What the match is to tell, and how sure of it one is to be.
    #[derive(Debug)]
    struct PlanSettings {
        /// The share of drawn games.
        draws: f64 = 0.3, in 0.0..1.0;
        /// The chance to show the difference if there is one.
        power: f64 = 0.95, in above(0.5).below(1.0);
        /// The chance to show a difference if there is none.
        alpha: f64 = 0.05, in above(0.0).below(0.5);
        /// How many games are played in a minute: adds hours.
        games_per_minute: Option<f64> = None, in above(0.0);
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    require_in("--elo", 0.01..=1000.0, args.elo)?;
    let settings = args.settings.read()?;
    settings.check()?;
    let variance = variance(args, settings.draws)?;
    let (elo, &PlanSettings { power, alpha, draws, games_per_minute }) = (args.elo, &settings);
    let sprt = Sprt { elo0: 0.0, elo1: elo, alpha, beta: 1.0 - power, scale: EloScale::Logistic };
    let answers = answers(&sprt, power, variance).map(|(text, key, games)| {
        // Paired games come in twos.
        (text, key, if args.pairs.is_empty() { games } else { games.saturating_add(games % 2) })
    });
    let by_key = |value: &dyn Fn(u64) -> serde_json::Value| {
        let values = answers.iter().map(|(_, key, games)| ((*key).to_owned(), value(*games)));
        values.collect::<serde_json::Map<_, _>>()
    };
    let games = by_key(&|games| json!(games));
    let hours = games_per_minute.map(|pace| by_key(&|games| json!(games as f64 / pace / 60.0)));
    let (lower, upper) = sprt.bounds();
    let json = json!({
        "elo": elo, "variance": variance.value(), "alpha": alpha, "power": power,
        "sprt": { "elo0": sprt.elo0, "elo1": sprt.elo1, "lower_bound": lower, "upper_bound": upper },
        "games": games, "games_per_minute": games_per_minute, "hours": hours,
    });
    let games = if args.pairs.is_empty() { format!("{} draws", percent(draws)) } else { "pairs as counted".to_owned() };
    let deviation = variance.value().sqrt();
    let caption =
        format!("Games for {elo} Elo: {games}, deviation of a game {deviation:.3}, alpha {alpha}, power {power}");
    let numbers: &[&str] = if games_per_minute.is_some() { &["games", "hours"] } else { &["games"] };
    let rows = answers.map(|(text, _, games)| {
        let hours = games_per_minute.map(|pace| Cell::real(games as f64 / pace / 60.0, 1));
        [text.into(), games.into(), hours.into()]
    });
    let text = Table::new(caption, &["for"], numbers).with_rows(rows).to_text();
    args.form.give_line(&json, Sheet::ALL_FIELDS, &text)
}

/// What is asked, as a table and as JSON name it, and how many games it takes.
fn answers(sprt: &Sprt, power: f64, variance: GameVariance) -> [(String, &'static str, u64); 5] {
    let (elo, chance) = (sprt.elo1, percent(power));
    let of_sprt = |share: f64, key| {
        let text = format!("SPRT [0, {elo}] in the mean, at +{} Elo", share * elo);
        (text, key, games_of_sprt(sprt, share * elo, variance))
    };
    let games = games_for_power(elo, variance, sprt.alpha, power);
    [
        (format!("an error bar of ± {elo} Elo (95 %)"), "error_bar", games_for_error(elo, variance)),
        (format!("+{elo} Elo shown with a chance of {chance}"), "fixed_length", games),
        of_sprt(0.0, "sprt_at_0"),
        of_sprt(0.5, "sprt_at_half"),
        of_sprt(1.0, "sprt_at_elo"),
    ]
}

fn percent(share: f64) -> String {
    format!("{} %", in_percent(share))
}

fn variance(args: &Args, draws: f64) -> anyhow::Result<GameVariance> {
    let Some(pairs) = pairs_of(&args.pairs)? else {
        return GameVariance::of_draws(draws).ok_or_else(|| anyhow::anyhow!("no games"));
    };
    let spread = GameVariance::of_pairs(pairs);
    spread.ok_or_else(|| anyhow::anyhow!("`--pairs`: expected pairs that ended differently, found {:?}", pairs.pairs))
}
