//! Options of `roughboard rough reducts` that draw reducts at random: orders of attributes, subtables, bireducts.

use anyhow::bail;
use roughboard::rough::{
    Bireduct, Candidates, Drawn, Dynamic, Fraction, Reduct, StableReduct, bireducts, dynamic_reducts,
};
use roughboard::settings::{counted, require};
use serde_json::{Value as Json, json};

use super::reducing::Reducing;
use super::text::{fraction, list, list_or_none, listing, names, numbers, objects};
use crate::cli::form::Sheet;
use crate::cli::session::Session;
use crate::cli::values::real;

/// What is drawn.
#[derive(clap::Args)]
pub struct Sampling {
    /// Give the reducts that N random orders of the attributes lead to, instead of all reducts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000), conflicts_with_all = ["relation", "bireducts"])]
    permutations: Option<u64>,
    /// Measure how stable the reducts are on random subtables (dynamic reducts); with --permutations those reducts
    #[arg(long, conflicts_with_all = ["relation", "bireducts"])]
    dynamic: bool,
    /// Give bireducts: attributes with the objects that they decide
    #[arg(long, conflicts_with_all = ["relation", "notion"])]
    bireducts: bool,
    /// For --dynamic: how many subtables; for --bireducts: how many random orders
    #[arg(long = "samples", id = "n_subtables", value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    samples: u64,
    /// For --dynamic: the least and the largest share of the objects in a subtable
    #[arg(long = "fraction", id = "shares", value_name = "P,Q", value_delimiter = ',', value_parser = real, default_value = "0.5,0.9")]
    fraction: Vec<f64>,
    /// For --dynamic: show reducts that are stable on at least this share of the subtables
    #[arg(long, value_name = "S")]
    stability: Option<Fraction>,
    /// For --dynamic: take the reducts of the subtables too (generalised dynamic reducts)
    #[arg(long)]
    generalised: bool,
    /// For --bireducts: how much sooner an attribute is tried than an object
    #[arg(long, value_name = "R", allow_negative_numbers = true, default_value_t = 1.0)]
    ratio: f64,
}

impl Sampling {
    /// Gives what is to be drawn, if anything; says whether that was so. Tables give at most `limit` candidates.
    pub fn run(&self, reducing: &Reducing, limit: usize, session: &Session) -> anyhow::Result<bool> {
        match (self.dynamic, self.bireducts, self.permutations) {
            (true, ..) => self.dynamic(reducing, limit, session)?,
            (_, true, _) => self.bireducts(reducing, session)?,
            (.., Some(n)) => permutations(n, reducing, session)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn settings(&self, limit: usize) -> anyhow::Result<Dynamic> {
        let shares = match self.fraction[..] {
            [share] => (share, share),
            [least, most] => (least, most),
            _ => bail!("`--fraction` must be one or two numbers, got {}", self.fraction.len()),
        };
        let candidates = self.permutations.map_or(Candidates::All(limit), Candidates::Permutations);
        if let Some(least) = self.stability {
            require(least.numerator <= least.denominator, "--stability", "in [0, 1]", least.value())?;
        }
        let mut settings = Dynamic::new(self.samples, shares, candidates)?;
        settings.generalised = self.generalised;
        Ok(settings)
    }

    fn dynamic(&self, reducing: &Reducing, limit: usize, session: &Session) -> anyhow::Result<()> {
        let (settings, table) = (self.settings(limit)?, reducing.table()?);
        let (attrs, notion) = (table.all_attributes(), reducing.notion()?);
        let mut found = dynamic_reducts(&table, &attrs, notion, &settings, session.seed, &session.progress)?;
        if let Some(least) = self.stability {
            found.reducts.retain(|reduct| reduct.stability.compare(least).is_ge());
        }
        reducing.answer().note_limit("reducts", found.complete);
        let count = found.reducts.len();
        let json = || {
            let named =
                |&(attr, share): &(_, Fraction)| (table.attribute(attr).name().to_owned(), json!(share.value()));
            let usage = found.usage.iter().map(named);
            let reduct = |reduct: &StableReduct| {
                json!({
                    "attributes": table.names(&reduct.attrs), "stability": reduct.stability.value(),
                    "stability_fraction": fraction(reduct.stability), "of_table": reduct.of_table,
                })
            };
            json!({
                "notion": notion, "subtables": self.samples, "generalised": self.generalised,
                "complete": found.complete, "count": count, "usage": usage.collect::<serde_json::Map<_, _>>(),
                "reducts": found.reducts.iter().map(reduct).collect::<Vec<_>>(),
            })
        };
        let text = || {
            let state = if found.complete { "" } else { ", the limit of candidates was reached" };
            let all = reducing.answer().is_in_full();
            let header = ["stability", "of the table", "attributes"];
            let line = |reduct: &StableReduct| {
                let stability = format!("{} = {:.4}", reduct.stability, reduct.stability.value());
                let of_table = if reduct.of_table { "yes" } else { "no" }.to_owned();
                vec![stability, of_table, names(&table, &reduct.attrs, true)]
            };
            let listed = listing(&header, found.reducts.iter().map(line), "reducts", all);
            let label = format!("{} ({notion}{state})", counted(count, "dynamic reduct"));
            let mut usage = found.usage.clone();
            usage.sort_by_key(|used| std::cmp::Reverse(used.1.numerator));
            let used: Vec<String> =
                usage.iter().map(|(attr, n)| format!("{} {:.2}", table.attribute(*attr).name(), n.value())).collect();
            format!("{label}\n{listed}used by: {}\n", list(&used, all))
        };
        let columns = ["attributes", "stability", "stability_fraction", "of_table"];
        reducing.answer().give(Sheet::List("/reducts", &columns), json, text)
    }

    fn bireducts(&self, reducing: &Reducing, session: &Session) -> anyhow::Result<()> {
        let table = reducing.decided_table("`--bireducts`")?;
        let (n, ratio) = (self.samples, self.ratio);
        let found = bireducts(&table, &table.all_attributes(), n, ratio, session.seed, &session.progress)?;
        let share = |found: &Bireduct| Fraction::new(found.weight, table.total_weight()).value();
        let json = || {
            let bireduct = |Drawn { found, times }: &Drawn<Bireduct>| {
                json!({
                    "attributes": table.names(&found.attrs), "objects": numbers(&table, &found.objects),
                    "weight": found.weight, "share": share(found), "times": times,
                })
            };
            let listed: Vec<Json> = found.iter().map(bireduct).collect();
            json!({ "orders": n, "count": found.len(), "bireducts": listed })
        };
        let all = reducing.answer().is_in_full();
        let text = || {
            let header = ["times", "attributes", "|X|", "share", "objects X"];
            let line = |Drawn { found, times }: &Drawn<Bireduct>| {
                let (attrs, objects) = (names(&table, &found.attrs, true), objects(&table, &found.objects, all));
                vec![times.to_string(), attrs, found.weight.to_string(), format!("{:.4}", share(found)), objects]
            };
            let listed = listing(&header, found.iter().map(line), "bireducts", all);
            format!("{} of {}\n{listed}", counted(found.len(), "bireduct"), counted(n, "order"))
        };
        let columns = ["attributes", "objects", "weight", "share", "times"];
        reducing.answer().give(Sheet::List("/bireducts", &columns), json, text)
    }
}

fn permutations(n: u64, reducing: &Reducing, session: &Session) -> anyhow::Result<()> {
    let (quotient, _) = reducing.quotient()?;
    let found = quotient.permutation_reducts(n, session.seed, &session.progress);
    let json = || {
        let reduct =
            |drawn: &Drawn<Reduct>| json!({ "attributes": quotient.names(drawn.found.attrs()), "times": drawn.times });
        let listed: Vec<Json> = found.iter().map(reduct).collect();
        json!({ "notion": quotient.notion(), "orders": n, "count": found.len(), "reducts": listed })
    };
    let text = || {
        let line = |drawn: &Drawn<Reduct>| {
            let attrs = drawn.found.attrs();
            vec![drawn.times.to_string(), attrs.len().to_string(), list_or_none(&quotient.names(attrs), true)]
        };
        let header = ["times", "size", "attributes"];
        let listed = listing(&header, found.iter().map(line), "reducts", reducing.answer().is_in_full());
        let (reducts, orders) = (counted(found.len(), "reduct"), counted(n, "order"));
        let label = format!("{reducts} of {orders} ({})", quotient.notion());
        format!("{label}\n{listed}")
    };
    reducing.answer().give(Sheet::List("/reducts", &["attributes", "times"]), json, text)
}
