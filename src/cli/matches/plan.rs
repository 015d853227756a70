//! `roughboard match plan`: how many games a match needs.

use roughboard::report::{Cell, Table};
use roughboard::settings::{above, require};
use roughboard::stats::{EloScale, GameVariance, Sprt, games_for_error, games_for_power, games_of_sprt};
use serde_json::{Value as Json, json};

use super::counted::pairs_of;
use super::output;
use crate::cli::settings::Of;

/// Arguments of `match plan`.
#[derive(clap::Args)]
pub struct Args {
    /// The difference that the match is to show, in Elo, in (0, 1000]
    #[arg(long, value_name = "ELO")]
    elo: f64,
    #[command(flatten)]
    settings: Of<PlanSettings>,
    /// Pairs of an earlier match with 0, ½, 1, 1½ and 2 points, in place of the share of draws
    #[arg(long, num_args = 1..=5, value_delimiter = ',', conflicts_with = "draws", value_names = ["LL", "LD", "LEVEL", "WD", "WW"])]
    pairs: Vec<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

roughboard::settings! {
    /// What the match is to tell, and how sure of it one is to be.
    #[derive(Debug)]
    struct PlanSettings {
        /// The share of drawn games.
        draws: f64 = 0.3, in 0.0..1.0;
        /// The chance to show the difference where it is there.
        power: f64 = 0.95, in above(0.5).below(1.0);
        /// The chance to show it where there is none.
        alpha: f64 = 0.05, in above(0.0).below(0.5);
        /// How many games are played in a minute: adds hours.
        games_per_minute: Option<f64> = None, in above(0.0);
    }
}

/// The numbers of games.
struct Plan {
    settings: PlanSettings,
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
        let settings = args.settings.read()?;
        settings.check()?;
        let variance = variance(args, settings.draws)?;
        let (elo, &PlanSettings { power, alpha, .. }) = (args.elo, &settings);
        let sprt = Sprt { elo0: 0.0, elo1: elo, alpha, beta: 1.0 - power, scale: EloScale::Logistic };
        let sprt_at = |share: f64| games_of_sprt(&sprt, share * elo, variance);
        let answers = vec![
            (format!("an error bar of ± {elo} Elo (95 %)"), "error_bar", games_for_error(elo, variance)),
            (
                format!("+{elo} Elo shown with a chance of {} %", 100.0 * power),
                "fixed_length",
                games_for_power(elo, variance, alpha, power),
            ),
            (format!("SPRT [0, {elo}] in the mean, at +0 Elo"), "sprt_at_0", sprt_at(0.0)),
            (format!("SPRT [0, {elo}] in the mean, at +{} Elo", 0.5 * elo), "sprt_at_half", sprt_at(0.5)),
            (format!("SPRT [0, {elo}] in the mean, at +{elo} Elo"), "sprt_at_elo", sprt_at(1.0)),
        ];
        // Paired games come in twos.
        let whole = |games: u64| if args.pairs.is_empty() { games } else { games.next_multiple_of(2) };
        let answers = answers.into_iter().map(|(text, key, games)| (text, key, whole(games))).collect();
        Ok(Self { settings, variance, sprt, answers })
    }

    fn as_table(&self, args: &Args) -> Table {
        let games = if args.pairs.is_empty() {
            format!("{} % draws", 100.0 * self.settings.draws)
        } else {
            "pairs as counted".to_owned()
        };
        let caption = format!(
            "Games for {} Elo: {games}, deviation of a game {:.3}, alpha {}, power {}",
            args.elo,
            self.variance.value().sqrt(),
            self.settings.alpha,
            self.settings.power
        );
        let numbers: &[&str] = if self.settings.games_per_minute.is_some() { &["games", "hours"] } else { &["games"] };
        let mut table = Table::new(caption, &["for"], numbers);
        for (text, _, games) in &self.answers {
            let hours = self.settings.games_per_minute.map(|pace| Cell::real(*games as f64 / pace / 60.0, 1));
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
            "alpha": self.settings.alpha,
            "power": self.settings.power,
            "sprt": { "elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "lower": lower, "upper": upper },
            "games": games,
            "games_per_minute": self.settings.games_per_minute,
        })
    }
}

fn variance(args: &Args, draws: f64) -> anyhow::Result<GameVariance> {
    let Some(pairs) = pairs_of(&args.pairs)? else {
        return GameVariance::of_draws(draws).ok_or_else(|| anyhow::anyhow!("no games"));
    };
    let spread = GameVariance::of_pairs(pairs);
    spread.ok_or_else(|| anyhow::anyhow!("`--pairs`: expected pairs that ended differently, found {:?}", pairs.pairs))
}
