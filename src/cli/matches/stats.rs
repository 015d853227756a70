//! `roughboard match stats`: figures from counts of results.

use roughboard::report::{Cell, Table};
use roughboard::stats::{Counts, EloScale, Sprt, Verdict, Wdl, Z95};
use serde_json::{Value as Json, json};

use super::counted::Counted;
use super::output;

/// Arguments of `match stats`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    counted: Counted,
    /// Test H0, the difference is ELO0, against H1, it is ELO1
    #[arg(long, num_args = 2, allow_negative_numbers = true, value_names = ["ELO0", "ELO1"])]
    sprt: Vec<f64>,
    /// The test's chance to accept H1 where H0 holds, in (0, 0.5)
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    alpha: f64,
    /// The test's chance to accept H0 where H1 holds, in (0, 0.5)
    #[arg(long, default_value_t = 0.05, value_name = "P")]
    beta: f64,
    /// ELO0 and ELO1 are normalised Elo
    #[arg(long)]
    normalised: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The sequential test, if one is asked for.
    fn test(&self) -> anyhow::Result<Option<Sprt>> {
        let [elo0, elo1] = self.sprt[..] else { return Ok(None) };
        let scale = if self.normalised { EloScale::Normalised } else { EloScale::Logistic };
        let sprt = Sprt { elo0, elo1, alpha: self.alpha, beta: self.beta, scale };
        sprt.check()?;
        Ok(Some(sprt))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let counts = args.counted.counts()?;
    let counts =
        counts.ok_or_else(|| anyhow::anyhow!("expected counts of results, `--wdl` or `--pairs`, found none"))?;
    let sprt = args.test()?;
    if args.json {
        output::print(&format!("{}\n", as_json(counts, sprt)))
    } else {
        output::print(&as_table(counts, sprt).to_text())
    }
}

/// The games behind the counts.
fn games(counts: Counts) -> Wdl {
    match counts {
        Counts::Games(games) => games,
        Counts::Pairs(pairs) => pairs.into(),
    }
}

fn as_table(counts: Counts, sprt: Option<Sprt>) -> Table {
    let (unit, counted) = match counts {
        Counts::Games(games) => ("games", games.to_string()),
        Counts::Pairs(pairs) => ("pairs by points 0 ½ 1 1½ 2", pairs.pairs.map(|count| count.to_string()).join(" ")),
    };
    let sample = counts.sample();
    let real = |value: Option<f64>, digits| Cell::from(value.map(|value| Cell::real(value, digits)));
    let normalised = sample.and_then(|sample| Some((sample.normalised_elo()?, sample.normalised_elo_error()?)));
    let mut table = Table::new("", &["of the first"], &["figure"]);
    let mut row = |name: &str, cell: Cell| table.push([name.into(), cell]);
    row(unit, counted.into());
    row("score %", real(sample.map(|sample| 100.0 * sample.score), 1));
    // Without variance there is no error to speak of; the bounds of Elo are the answer.
    let spread = sample.filter(|sample| sample.variance > 0.0);
    row("± % (95 %)", real(spread.map(|sample| 100.0 * Z95 * sample.standard_error()), 1));
    row("Elo ± 95 %", counts.elo().to_string().into());
    row(
        "normalised Elo ± 95 %",
        normalised.map(|(elo, error)| format!("{elo:+.0} ± {error:.0}")).map(Cell::from).into(),
    );
    row("likelihood of superiority", real(sample.and_then(|sample| sample.los()), 4));
    row("the same, by won and lost units alone", Cell::real(counts.los_exact(), 4));
    match counts {
        Counts::Games(games) => row("drawn %", real(games.draw_ratio().map(|share| 100.0 * share), 1)),
        Counts::Pairs(pairs) => {
            row("level pairs %", real(pairs.level_ratio().map(|share| 100.0 * share), 1));
            row("pairs won to lost", real(pairs.pairs_ratio(), 2));
        }
    }
    if let Some(sprt) = sprt {
        let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
        row("log-likelihood ratio", Cell::real(llr, 3));
        row("its bounds", format!("[{lower:.3}, {upper:.3}]").into());
        row("verdict", verdict(sprt.verdict(llr)).into());
    }
    table
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AcceptH0 => "accept H0",
        Verdict::AcceptH1 => "accept H1",
        Verdict::Continue => "continue",
    }
}

fn as_json(counts: Counts, sprt: Option<Sprt>) -> Json {
    let sample = counts.sample();
    let finite = |value: f64| value.is_finite().then_some(value);
    let (low, high) = counts.elo().ends();
    let wdl = games(counts);
    let mut document = json!({
        "games": wdl.games(),
        "score": sample.map(|sample| sample.score),
        "variance": sample.map(|sample| sample.variance),
        "standard_error": sample.map(|sample| sample.standard_error()),
        "elo": counts.elo().elo().and_then(finite),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "normalised_elo": sample.and_then(|sample| sample.normalised_elo()),
        "normalised_elo_error": sample.and_then(|sample| sample.normalised_elo_error()),
        "los": sample.and_then(|sample| sample.los()),
        "los_exact": counts.los_exact(),
    });
    match counts {
        Counts::Games(games) => {
            document["wdl"] = json!([games.wins, games.draws, games.losses]);
            document["draw_ratio"] = json!(games.draw_ratio());
        }
        Counts::Pairs(pairs) => {
            document["pairs"] = json!(pairs.pairs);
            document["level_ratio"] = json!(pairs.level_ratio());
            document["pairs_ratio"] = json!(pairs.pairs_ratio());
        }
    }
    if let Some(sprt) = sprt {
        let llr = sprt.llr(counts);
        let (lower, upper) = sprt.bounds();
        document["sprt"] = json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
            "normalised": sprt.scale == EloScale::Normalised,
            "llr": llr, "lower": lower, "upper": upper, "verdict": verdict(sprt.verdict(llr)),
        });
    }
    document
}
