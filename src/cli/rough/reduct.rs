//! `roughboard rough reduct`.

use anyhow::bail;
use roughboard::rough::{Method, Minimum, Partition, Quotient};
use roughboard::table::{AttrSet, DecisionTable};
use serde_json::json;

use super::answer::Answer;
use super::certificate::Certifying;
use super::deadline::TimeLimit;
use super::reducing::Reducing;
use super::text::{fraction, names};
use super::{epsilon, related};
use crate::cli::session::Session;
use crate::cli::settings::named;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    reducing: Reducing,
    /// How to search; with --epsilon or another --relation greedy or backward
    #[arg(long, value_parser = named::<Method>(), default_value_t)]
    method: Method,
    /// Find a reduct with the fewest attributes, and prove that none has fewer
    #[arg(long, conflicts_with_all = ["method", "relation", "epsilon"])]
    minimum: bool,
    #[command(flatten)]
    epsilon: epsilon::Options,
    #[command(flatten)]
    time_limit: TimeLimit,
    #[command(flatten)]
    certifying: Certifying,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let stop = options.time_limit.start()?;
    options.certifying.check_source(&options.reducing.related.query.source)?;
    let (is_approximate, is_related) = (options.epsilon.is_asked_for(), options.reducing.related.is_other());
    let is_simple = matches!(options.method, Method::Greedy | Method::Backward);
    if !is_simple && (is_approximate || is_related) {
        bail!("with --epsilon or another --relation, --method must be greedy or backward");
    }
    if options.epsilon.run(&options.reducing, options.method)? {
        return Ok(());
    }
    if is_related {
        return related::reduct(&options.reducing, options.method, session);
    }
    let (table, quotient) = options.reducing.quotient()?;
    let (reduct, least) = if options.minimum {
        let Minimum { reduct, lower_bound, .. } = quotient.minimum_reduct(&stop, &session.progress);
        (reduct, Some(lower_bound))
    } else {
        (quotient.reduct(options.method), None)
    };
    options.certifying.write(&options.reducing.related.query.source, &table, &reduct)?;
    give(&table, &quotient, (reduct.attrs(), least), options.reducing.answer())
}

/// Gives the attributes of a reduct, with how many every reduct has at least, where that is known.
fn give(
    table: &DecisionTable,
    quotient: &Quotient,
    (attrs, least): (&AttrSet, Option<usize>),
    answer: &Answer,
) -> anyhow::Result<()> {
    let gamma = |attrs: &AttrSet| Partition::by(table, attrs).gamma(table);
    let (kept, whole) = (gamma(attrs), gamma(&table.all_attributes()));
    let (notion, size, n) = (quotient.notion(), attrs.len(), table.n_attributes());
    let json = || {
        let mut json = json!({
            "notion": notion, "reduct": table.names(attrs), "size": size, "n_attributes": n, "gamma": kept.value(),
            "gamma_fraction": fraction(kept), "gamma_of_all": whole.value(),
        });
        if let Some(least) = least {
            json["lower_bound"] = least.into();
            json["minimum"] = (least == size).into();
        }
        json
    };
    let text = || {
        let proved = match least {
            None => String::new(),
            Some(least) if least == size => ", the minimum: proved".to_owned(),
            Some(least) => format!(", the shortest found; every reduct has at least {least}: proved"),
        };
        // A reduct is the answer itself, so it is never shortened.
        let (label, listed) =
            (format!("reduct ({notion}, {size} of {n} attributes{proved})"), names(table, attrs, true));
        format!("{label}\n  {listed}\ngamma {kept} = {:.6}, of all attributes {:.6}\n", kept.value(), whole.value())
    };
    answer.give(json, text)
}
