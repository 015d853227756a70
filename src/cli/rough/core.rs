//! `roughboard rough core`.

use serde_json::json;

use super::reducing::Reducing;
use super::related;
use super::text::names;
use crate::cli::session::Session;

pub fn run(options: &Reducing, session: &Session) -> anyhow::Result<()> {
    if options.related.is_other() {
        return related::core(options, session);
    }
    let (table, quotient, _) = options.quotient()?;
    let core = quotient.core();
    let json = || json!({ "notion": quotient.notion(), "core": table.names(&core) });
    let text = || {
        let label = format!("core ({}, {} of {} attributes)", quotient.notion(), core.len(), table.n_attributes());
        format!("{label}\n  {}\n", names(&table, &core, options.answer().all))
    };
    options.answer().give(json, text)
}
