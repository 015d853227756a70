//! `roughboard match stats`: figures from counts of results.

use roughboard::report::matches::{elo_cell, likelihood_cell, pairs_cell};
use roughboard::report::{Cell, Table};
use roughboard::stats::{Counts, Sample, Sprt, Wdl};
use serde_json::{Value as Json, json};

use super::counted::Counted;
use super::report::add_elo;
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
    let (figures, json) = figures(counts, sprt);
    let (names, values): (Vec<_>, Vec<_>) = figures.iter().cloned().unzip();
    let csv = || Table::new("", &[], &names).with_rows([values.clone()]).to_csv();
    let rows = figures.into_iter().map(|(name, cell)| [name.into(), cell]);
    let text = Table::new("", &["of the first"], &["figure"]).with_rows(rows).to_text();
    args.form.give_line(&json, Sheet::Made(&csv), &text)
}

/// Figures under the headings that they have.
type Figures = Vec<(&'static str, Cell)>;

/// The figures, for people or CSV and as JSON.
fn figures(counts: Counts, sprt: Option<Sprt>) -> (Figures, Json) {
    let (wdl, counted): (Wdl, _) = match counts {
        Counts::Games(games) => {
            let values = [games.wins, games.draws, games.losses].map(Cell::from).into();
            (games, ("won, drawn, lost", Cell::Several { shown: games.to_string(), values }))
        }
        Counts::Pairs(pairs) => (pairs.into(), ("pairs by points 0 ½ 1 1½ 2", pairs_cell(pairs))),
    };
    let sample = counts.sample();
    let los = counts.superiority();
    let [normalised, error] =
        [Sample::normalised_elo, Sample::normalised_elo_error].map(|of| sample.as_ref().and_then(of));
    let mut json = json!({
        "games": wdl.games(), "score": sample.map(|sample| sample.score),
        "variance": sample.map(|sample| sample.variance),
        "standard_error": sample.map(|sample| sample.standard_error()),
        "normalised_elo": normalised, "normalised_elo_error": error,
        "los": los, "los_exact": counts.los_exact(),
    });
    add_elo(&mut json, counts.elo());
    let spread = sample.as_ref().and_then(Sample::score_error);
    let normalised = normalised.zip(error).map(|(elo, error)| Cell::Several {
        shown: format!("{elo:+.0} ± {error:.0}"),
        values: [elo, error].map(|one| Cell::real(one, 0)).into(),
    });
    let mut figures = vec![
        counted,
        ("score %", real(sample.map(|sample| 100.0 * sample.score), 1)),
        ("± % (95 %)", real(spread.map(|spread| 100.0 * spread), 1)),
        ("Elo ± 95 %", elo_cell(counts.elo())),
        ("normalised Elo ± 95 %", normalised.into()),
        ("likelihood of superiority", los.map(|los| likelihood_cell(los, 4)).into()),
        ("the same, by won and lost units alone", likelihood_cell(counts.los_exact(), 4)),
    ];
    add_shares(counts, &mut figures, &mut json);
    if let Some(sprt) = sprt {
        json["sprt"] = test_as_json(&sprt, counts);
        let (llr, (lower, upper)) = (sprt.llr(counts), sprt.bounds());
        let bounds = Cell::Several {
            shown: format!("[{lower:.3}, {upper:.3}]"),
            values: [lower, upper].map(|bound| Cell::real(bound, 3)).into(),
        };
        let verdict = sprt.verdict(llr).to_string();
        let told = [("log-likelihood ratio", Cell::real(llr, 3)), ("its bounds", bounds), ("verdict", verdict.into())];
        figures.extend(told);
    }
    (figures, json)
}

fn real(value: Option<f64>, digits: usize) -> Cell {
    value.map(|value| Cell::real(value, digits)).into()
}

/// Adds what share of the games was drawn, or of the pairs level.
fn add_shares(counts: Counts, figures: &mut Figures, json: &mut Json) {
    let percent = |share: Option<f64>| real(share.map(|share| 100.0 * share), 1);
    match counts {
        Counts::Games(games) => {
            [json["won"], json["drawn"], json["lost"]] = [games.wins, games.draws, games.losses].map(Json::from);
            json["draw_ratio"] = json!(games.draw_ratio());
            figures.push(("drawn %", percent(games.draw_ratio())));
        }
        Counts::Pairs(pairs) => {
            json["pentanomial"] = json!(pairs.pairs);
            json["level_ratio"] = json!(pairs.level_ratio());
            json["pairs_ratio"] = json!(pairs.pairs_ratio());
            figures.push(("level pairs %", percent(pairs.level_ratio())));
            figures.push(("pairs won to lost", real(pairs.pairs_ratio(), 2)));
        }
    }
}
