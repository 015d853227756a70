//! `--epsilon` of `roughboard rough reduct` and `reducts`: approximate reducts.

use roughboard::rough::{ApproximateReduct, Epsilon, Fraction, Measure, Method};
use roughboard::settings::Choices;
use serde_json::json;

use super::deadline::{TimeLimit, heed_signals};
use super::reducing::{Reducing, give_reducts, state};
use super::text::{fraction, names};
use crate::cli::form::Sheet;
use crate::cli::session::Session;
use crate::cli::settings::named;

/// How much may be lost, and of what.
#[derive(clap::Args)]
pub struct Approximating {
    /// Find approximate reducts, which may lose this share of the measure
    #[arg(long, allow_negative_numbers = true, value_name = "E", conflicts_with_all = ["notion", "relation"])]
    epsilon: Option<Fraction>,
    /// For --epsilon: what is kept
    #[arg(long, value_parser = named::<Measure>(), default_value_t)]
    measure: Measure,
}

impl Approximating {
    /// Whether an approximate reduct is wanted.
    pub const fn is_asked_for(&self) -> bool {
        self.epsilon.is_some()
    }

    /// Gives an approximate reduct, if one was asked for; says whether it was.
    pub fn run(&self, reducing: &Reducing, method: Method) -> anyhow::Result<bool> {
        let Some(epsilon) = self.epsilon.map(Epsilon::new).transpose()? else { return Ok(false) };
        let table = reducing.decided_table("`--epsilon`")?;
        let measure = self.measure;
        let reduct = ApproximateReduct::of(&table, &table.all_attributes(), epsilon, measure, method);
        let (name, kept, whole) = (measure.name(), reduct.kept, reduct.whole);
        let (attrs, n_attributes, share) = (&reduct.attrs, table.n_attributes(), epsilon.share().value());
        let json = || {
            json!({
                "reduct": table.names(attrs), "size": attrs.len(), "n_attributes": n_attributes, "epsilon": share,
                "measure": name, name: kept.value(), format!("{name}_fraction"): fraction(kept),
                format!("{name}_of_all"): whole.value(),
            })
        };
        let text = || {
            let label = format!("approximate reduct (epsilon {share}, {} of {n_attributes} attributes)", attrs.len());
            let listed = names(&table, attrs, true);
            let of_all = format!("of all attributes {:.6}", whole.value());
            format!("{label}\n  {listed}\n{name} {kept} = {:.6}, {of_all}\n", kept.value())
        };
        reducing.answer().give(Sheet::ALL_FIELDS, json, text)?;
        Ok(true)
    }

    /// Gives all approximate reducts, at most `limit`, if they were asked for; says whether all were found, or nothing if none were asked for.
    pub fn run_all(
        &self,
        reducing: &Reducing,
        limit: usize,
        (time, session): (&TimeLimit, &Session),
    ) -> anyhow::Result<Option<bool>> {
        let Some(epsilon) = self.epsilon.map(Epsilon::new).transpose()? else { return Ok(None) };
        let table = reducing.decided_table("`--epsilon`")?;
        heed_signals();
        let (asked, attrs, stop) = ((epsilon, self.measure), table.all_attributes(), time.start());
        let found = ApproximateReduct::all(&table, &attrs, asked, limit, &stop, &session.progress);
        let (share, measure) = (epsilon.share().value(), self.measure.name());
        let fields = json!({ "epsilon": share, "measure": measure });
        let described = format!("epsilon {share}, {measure}, {}", state(found.complete));
        give_reducts(reducing.answer(), &table, &found, limit, (&fields, &described))?;
        Ok(Some(found.complete))
    }
}
