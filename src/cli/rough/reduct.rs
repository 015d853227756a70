//! `roughboard rough reduct`.

use roughboard::rough::Approximations;
use roughboard::table::AttrSet;
use serde_json::json;

use super::certificate::Certifying;
use super::reducing::{MethodName, Reducing};
use super::text::{fraction, names};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    reducing: Reducing,
    /// How to search: greedy is shorter, backward is faster
    #[arg(long, value_enum, default_value_t = MethodName::Greedy)]
    method: MethodName,
    #[command(flatten)]
    certifying: Certifying,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    options.certifying.check_target()?;
    let (table, quotient) = options.reducing.quotient()?;
    let reduct = quotient.reduct(options.method.into());
    options.certifying.write(&options.reducing.source, &table, &reduct)?;
    let gamma = |attrs: &AttrSet| Approximations::of(&table, attrs).gamma();
    let (kept, whole) = (gamma(reduct.attrs()), gamma(&table.all_attributes()));
    let notion = quotient.notion();
    let json = || {
        json!({
            "notion": notion.name(), "reduct": table.names(reduct.attrs()), "size": reduct.len(),
            "n_attributes": table.n_attributes(), "gamma": kept.value(), "gamma_fraction": fraction(kept),
            "gamma_of_all": whole.value(),
        })
    };
    let text = || {
        let label = format!("reduct ({notion}, {} of {} attributes)", reduct.len(), table.n_attributes());
        // A reduct is the answer itself, so it is never shortened.
        let listed = names(&table, reduct.attrs(), true);
        format!("{label}\n  {listed}\ngamma {kept} = {:.6}, of all attributes {:.6}\n", kept.value(), whole.value())
    };
    options.reducing.answer.give(json, text)
}
