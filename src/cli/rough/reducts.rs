//! `roughboard rough reducts`.

use roughboard::rough::Reduct;
use serde_json::json;

use super::reducing::Reducing;
use super::text::{names, rest, shown};
use super::{related, sampling};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    reducing: Reducing,
    /// Stop after this many reducts
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    #[command(flatten)]
    sampling: sampling::Options,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
    if options.sampling.run(&options.reducing, limit, session)? {
        return Ok(());
    }
    if options.reducing.relation.is_other() {
        return related::reducts(&options.reducing, limit, session);
    }
    let (table, quotient) = options.reducing.quotient()?;
    let reducts = quotient.all_reducts(limit, &session.progress)?;
    let count = reducts.found.len();
    let json = || {
        let listed: Vec<_> = reducts.found.iter().map(|reduct| table.names(reduct.attrs())).collect();
        json!({
            "notion": quotient.notion().name(), "count": count, "complete": reducts.complete, "reducts": listed,
        })
    };
    let text = || {
        let shown = shown(count, options.reducing.answer.all);
        let line = |reduct: &Reduct| format!("  {}\n", names(&table, reduct.attrs(), true));
        let lines: String = reducts.found[..shown].iter().map(line).collect();
        let sizes = reducts.found.iter().map(Reduct::len);
        let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
        let state = if reducts.complete { "all" } else { "the limit was reached, there are more" };
        let label = format!("{count} reducts ({}, {state}), {least} to {most} attributes", quotient.notion());
        format!("{label}\n{lines}{}", rest(count - shown, "reducts"))
    };
    options.reducing.answer.give(json, text)
}
