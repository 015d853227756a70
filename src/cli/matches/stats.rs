//! `roughboard match stats`: figures from counts of results.

use roughboard::report::{Cell, Table};
use roughboard::stats::{Counts, Sample, Sprt, Wdl};
use serde_json::{Value as Json, json};

use super::counted::Counted;
use super::output;
use super::sprt::{SprtOptions, test_as_json};
use crate::cli::form::{Form, Sheet};

/// Arguments of `match stats`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    counted: Counted,
    #[command(flatten)]
    sprt: SprtOptions,
    #[command(flatten)]
    form: Form,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let counts = args.counted.counts()?;
    let counts =
        counts.ok_or_else(|| anyhow::anyhow!("expected counts of results, `--wdl` or `--pairs`, found none"))?;
    let sprt = args.sprt.test()?;
    let (table, json) = figures(counts, sprt);
    if args.form.is_for_programs() {
        return args.form.print_line(&json, Sheet::Made(&|| Ok(table.to_csv())));
    }
    output::print(&table.to_text())
}

/// The figures, as a table for people and as JSON.
fn figures(counts: Counts, sprt: Option<Sprt>) -> (Table, Json) {
    let (wdl, unit, counted): (Wdl, _, _) = match counts {
        Counts::Games(games) => (games, "games", games.to_string()),
        Counts::Pairs(pairs) => {
            let counted = pairs.pairs.map(|count| count.to_string()).join(" ");
            (pairs.into(), "pairs by points 0 ½ 1 1½ 2", counted)
        }
    };
    let (sample, (low, high)) = (counts.sample(), counts.elo().ends());
    let los = counts.superiority();
    let [normalised, error] =
        [Sample::normalised_elo, Sample::normalised_elo_error].map(|of| sample.as_ref().and_then(of));
    let finite = |value: f64| value.is_finite().then_some(value);
    let mut json = json!({
        "games": wdl.games(), "score": sample.map(|sample| sample.score),
        "variance": sample.map(|sample| sample.variance),
        "standard_error": sample.map(|sample| sample.standard_error()),
        "elo": counts.elo().elo().and_then(finite), "elo_low": finite(low), "elo_high": finite(high),
        "normalised_elo": normalised, "normalised_elo_error": error,
        "los": los, "los_exact": counts.los_exact(),
    });
    let mut table = Table::new("", &["of the first"], &["figure"]);
    let mut row = |name: &str, cell: Cell| table.push([name.into(), cell]);
    row(unit, counted.into());
    row("score %", real(sample.map(|sample| 100.0 * sample.score), 1));
    let spread = sample.as_ref().and_then(Sample::score_error);
    row("± % (95 %)", real(spread.map(|spread| 100.0 * spread), 1));
    row("Elo ± 95 %", counts.elo().to_string().into());
    let normalised = normalised.zip(error).map(|(elo, error)| format!("{elo:+.0} ± {error:.0}"));
    row("normalised Elo ± 95 %", normalised.into());
    row("likelihood of superiority", real(los, 4));
    row("the same, by won and lost units alone", Cell::real(counts.los_exact(), 4));
    add_shares(counts, &mut table, &mut json);
    if let Some(sprt) = sprt {
        json["sprt"] = test_as_json(&sprt, counts);
        let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
        table.push(["log-likelihood ratio".into(), Cell::real(llr, 3)]);
        table.push(["its bounds".into(), format!("[{lower:.3}, {upper:.3}]").into()]);
        table.push(["verdict".into(), sprt.verdict(llr).to_string().into()]);
    }
    (table, json)
}

fn real(value: Option<f64>, digits: usize) -> Cell {
    value.map(|value| Cell::real(value, digits)).into()
}

/// Adds what share of the games was drawn, or of the pairs level.
fn add_shares(counts: Counts, table: &mut Table, json: &mut Json) {
    let percent = |share: Option<f64>| real(share.map(|share| 100.0 * share), 1);
    let mut row = |name: &str, cell: Cell| table.push([name.into(), cell]);
    match counts {
        Counts::Games(games) => {
            json["wdl"] = json!([games.wins, games.draws, games.losses]);
            json["draw_ratio"] = json!(games.draw_ratio());
            row("drawn %", percent(games.draw_ratio()));
        }
        Counts::Pairs(pairs) => {
            json["pairs"] = json!(pairs.pairs);
            json["level_ratio"] = json!(pairs.level_ratio());
            json["pairs_ratio"] = json!(pairs.pairs_ratio());
            row("level pairs %", percent(pairs.level_ratio()));
            row("pairs won to lost", real(pairs.pairs_ratio(), 2));
        }
    }
}
