//! `roughboard match plan`: how many games a match needs.

use roughboard::report::{Cell, Table};
use roughboard::settings::require;
use roughboard::stats::{EloScale, GameVariance, Sprt, games_for_error, games_for_power, games_of_sprt};
use serde_json::{Value as Json, json};

use super::counted::pairs_of;
use super::output;

/// Arguments of `match plan`.
#[derive(clap::Args)]
pub struct Args {
    /// The difference that the match is to show, in Elo, in (0, 1000]
    #[arg(long, value_name = "ELO")]
    elo: f64,
    /// The share of drawn games, in [0, 1)
    #[arg(long, default_value_t = 0.3, value_name = "D")]
    draws: f64,
    /// Pairs of an earlier match with 0, ½, 1, 1½ and 2 points, in place of the share of draws
    #[arg(long, num_args = 1..=5, value_delimiter = ',', conflicts_with = "draws", value_names = ["LL", "LD", "LEVEL", "WD", "WW"])]
    pairs: Vec<u64>,
    /// The chance to show the difference where it is there, in (0.5, 1)
    #[arg(long, default_value_t = 0.95, value_name = "P")]
    power: f64,
    /// The chance to show it where there is none, in (0, 0.5)
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    alpha: f64,
    /// How many games are played in a minute: adds hours
    #[arg(long, value_name = "X")]
    games_per_minute: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The numbers of games.
struct Plan {
    variance: GameVariance,
    sprt: Sprt,
    /// What is asked, as a table and as JSON name it, and how many games it takes.
    answers: Vec<(String, &'static str, u64)>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let plan = Plan::of(args)?;
    let text = if args.json { format!("{}\n", plan.as_json(args)) } else { plan.as_table(args).to_text() };
    output::print(&text)
}

impl Plan {
    fn of(args: &Args) -> anyhow::Result<Self> {
        require(args.elo > 0.0 && args.elo <= 1000.0, "--elo", "in (0, 1000]", args.elo)?;
        require(0.5 < args.power && args.power < 1.0, "--power", "in (0.5, 1)", args.power)?;
        require(args.alpha > 0.0 && args.alpha < 0.5, "--alpha", "in (0, 0.5)", args.alpha)?;
        if let Some(pace) = args.games_per_minute {
            require(pace > 0.0 && pace.is_finite(), "--games-per-minute", "above 0", pace)?;
        }
        let variance = variance(args)?;
        let beta = 1.0 - args.power;
        let sprt = Sprt { elo0: 0.0, elo1: args.elo, alpha: args.alpha, beta, scale: EloScale::Logistic };
        let elo = args.elo;
        let sprt_at = |share: f64| games_of_sprt(&sprt, share * elo, variance);
        let answers = vec![
            (format!("an error bar of ± {elo} Elo (95 %)"), "error_bar", games_for_error(elo, variance)),
            (
                format!("+{elo} Elo shown with a chance of {} %", 100.0 * args.power),
                "fixed_length",
                games_for_power(elo, variance, args.alpha, args.power),
            ),
            (format!("SPRT [0, {elo}] in the mean, at +0 Elo"), "sprt_at_0", sprt_at(0.0)),
            (format!("SPRT [0, {elo}] in the mean, at +{} Elo", 0.5 * elo), "sprt_at_half", sprt_at(0.5)),
            (format!("SPRT [0, {elo}] in the mean, at +{elo} Elo"), "sprt_at_elo", sprt_at(1.0)),
        ];
        // Paired games come in twos.
        let whole = |games: u64| if args.pairs.is_empty() { games } else { games.next_multiple_of(2) };
        let answers = answers.into_iter().map(|(text, key, games)| (text, key, whole(games))).collect();
        Ok(Self { variance, sprt, answers })
    }

    fn as_table(&self, args: &Args) -> Table {
        let games = if args.pairs.is_empty() {
            format!("{} % draws", 100.0 * args.draws)
        } else {
            "pairs as counted".to_owned()
        };
        let caption = format!(
            "Games for {} Elo: {games}, deviation of a game {:.3}, alpha {}, power {}",
            args.elo,
            self.variance.value().sqrt(),
            args.alpha,
            args.power
        );
        let numbers: &[&str] = if args.games_per_minute.is_some() { &["games", "hours"] } else { &["games"] };
        let mut table = Table::new(caption, &["for"], numbers);
        for (text, _, games) in &self.answers {
            let hours = args.games_per_minute.map(|pace| Cell::real(*games as f64 / pace / 60.0, 1));
            table.push([text.as_str().into(), (*games).into(), hours.into()]);
        }
        table
    }

    fn as_json(&self, args: &Args) -> Json {
        let games: serde_json::Map<_, _> =
            self.answers.iter().map(|(_, key, games)| ((*key).to_owned(), json!(games))).collect();
        let (lower, upper) = self.sprt.bounds();
        json!({
            "elo": args.elo,
            "variance": self.variance.value(),
            "alpha": args.alpha,
            "power": args.power,
            "sprt": { "elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "lower": lower, "upper": upper },
            "games": games,
            "games_per_minute": args.games_per_minute,
        })
    }
}

fn variance(args: &Args) -> anyhow::Result<GameVariance> {
    let Some(pairs) = pairs_of(&args.pairs)? else {
        let variance = GameVariance::of_draws(args.draws);
        require(variance.is_some(), "--draws", "in [0, 1)", args.draws)?;
        return variance.ok_or_else(|| anyhow::anyhow!("no games"));
    };
    let spread = GameVariance::of_pairs(pairs);
    spread.ok_or_else(|| anyhow::anyhow!("`--pairs`: expected pairs that ended differently, found {:?}", pairs.pairs))
}
