//! `roughboard rough reduct`.

use roughboard::rough::Approximations;
use roughboard::table::AttrSet;
use serde_json::json;

use super::reducing::{MethodName, Reducing};
use super::text::{fraction, names};
use super::{epsilon, related};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    reducing: Reducing,
    /// How to search: greedy is shorter, backward is faster
    #[arg(long, value_enum, default_value_t = MethodName::Greedy)]
    method: MethodName,
    #[command(flatten)]
    epsilon: epsilon::Options,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    if options.epsilon.run(&options.reducing, options.method.into())? {
        return Ok(());
    }
    if options.reducing.relation.is_other() {
        return related::reduct(&options.reducing, options.method.into(), session);
    }
    let (table, quotient) = options.reducing.quotient()?;
    let reduct = quotient.reduct(options.method.into());
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
