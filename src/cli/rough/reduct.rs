//! `roughboard rough reduct`.

use anyhow::{bail, ensure};
use roughboard::rough::{Fraction, Method, Minimum, Partition, Quotient, Reduct};
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
    options.certifying.check_target()?;
    ensure!(options.minimum || !options.time_limit.is_given(), "--time-limit goes with --minimum");
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
    let found = if options.minimum {
        let Minimum { reduct, lower_bound, .. } = quotient.minimum_reduct(&stop, &session.progress)?;
        FoundReduct { reduct, lower_bound: Some(lower_bound) }
    } else {
        FoundReduct { reduct: quotient.reduct(options.method), lower_bound: None }
    };
    options.certifying.write(&options.reducing.related.query.source, &table, &found.reduct)?;
    found.give(&table, &quotient, options.reducing.answer())
}

/// A reduct, with what is known of shorter ones.
struct FoundReduct {
    reduct: Reduct,
    lower_bound: Option<usize>,
}

impl FoundReduct {
    fn give(&self, table: &DecisionTable, quotient: &Quotient, answer: &Answer) -> anyhow::Result<()> {
        let gamma = |attrs: &AttrSet| Partition::by(table, attrs).gamma(table);
        let (kept, whole) = (gamma(self.reduct.attrs()), gamma(&table.all_attributes()));
        let json = || {
            let mut json = json!({
                "notion": quotient.notion(), "reduct": table.names(self.reduct.attrs()),
                "size": self.reduct.len(), "n_attributes": table.n_attributes(), "gamma": kept.value(),
                "gamma_fraction": fraction(kept), "gamma_of_all": whole.value(),
            });
            if let Some(bound) = self.lower_bound {
                json["lower_bound"] = bound.into();
                json["minimum"] = (bound == self.reduct.len()).into();
            }
            json
        };
        answer.give(json, || self.text(table, quotient, kept, whole))
    }

    fn text(&self, table: &DecisionTable, quotient: &Quotient, kept: Fraction, whole: Fraction) -> String {
        let (size, n) = (self.reduct.len(), table.n_attributes());
        let proved = match self.lower_bound {
            None => String::new(),
            Some(bound) if bound == size => ", the minimum: proved".to_owned(),
            Some(bound) => format!(", the shortest found; every reduct has at least {bound}: proved"),
        };
        // A reduct is the answer itself, so it is never shortened.
        let listed = names(table, self.reduct.attrs(), true);
        let label = format!("reduct ({}, {size} of {n} attributes{proved})", quotient.notion());
        format!("{label}\n  {listed}\ngamma {kept} = {:.6}, of all attributes {:.6}\n", kept.value(), whole.value())
    }
}
