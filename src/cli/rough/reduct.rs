//! `roughboard rough reduct`.

use std::process::ExitCode;

use anyhow::ensure;
use roughboard::rough::{Fraction, Method, Minimum, Notion, QuickReduct, Quotient};
use roughboard::table::DecisionTable;
use serde_json::json;

use super::answer::Answer;
use super::certificate::{Certified, Certifying};
use super::deadline::{TimeLimit, code, heed_signals};
use super::engine::Fetching;
use super::reducing::Reducing;
use super::text::{fraction, list_or_none};
use super::{epsilon, related};
use crate::cli::form::Sheet;
use crate::cli::session::Session;
use crate::cli::settings::named;

#[derive(clap::Args)]
#[command(mut_args(super::source::undecided))]
pub struct Options {
    #[command(flatten)]
    pub reducing: Reducing,
    /// How to search; with --epsilon or another --relation greedy or backward [default: there greedy; else the shortest
    /// of backward, greedy and short, or backward alone if distinct rows times attributes are more than 10 million]
    #[arg(long, value_parser = named::<Method>())]
    pub method: Option<Method>,
    /// Find a reduct with the fewest attributes, and prove that none has fewer
    #[arg(long, conflicts_with_all = ["method", "relation", "epsilon"])]
    pub minimum: bool,
    #[command(flatten)]
    epsilon: epsilon::Approximating,
    #[command(flatten)]
    time_limit: TimeLimit,
    #[command(flatten)]
    pub certifying: Certifying,
    #[command(flatten)]
    pub fetching: Fetching,
}

impl Options {
    /// Refuses options that no table makes right, before one is read.
    pub fn check(&self) -> anyhow::Result<()> {
        self.certifying.check_source(&self.reducing.related.source)?;
        self.time_limit.check()?;
        let is_other = self.epsilon.is_asked_for() || self.reducing.related.is_other();
        let is_simple = matches!(self.method, None | Some(Method::Greedy | Method::Backward));
        ensure!(is_simple || !is_other, "with --epsilon or another --relation, --method must be greedy or backward");
        Ok(())
    }
}

/// Finds a reduct, by options that were checked.
pub fn run(options: &Options, session: &Session) -> anyhow::Result<ExitCode> {
    if options.epsilon.run(&options.reducing, options.method.unwrap_or(Method::Greedy))? {
        return Ok(ExitCode::SUCCESS);
    }
    if options.reducing.related.is_other() {
        related::reduct(&options.reducing, options.method, session)?;
        return Ok(ExitCode::SUCCESS);
    }
    let source = &options.reducing.related.source;
    let certify = |table: &DecisionTable, found: Certified<'_>| options.certifying.write(source, table, found);
    at_hand(options, options.reducing.table()?, &certify, session)
}

/// Finds a reduct of a table, hands it to `certify` if a certificate is asked for, and gives it.
pub fn at_hand(
    options: &Options,
    table: DecisionTable,
    certify: &dyn Fn(&DecisionTable, Certified<'_>) -> anyhow::Result<()>,
    session: &Session,
) -> anyhow::Result<ExitCode> {
    options.certifying.check_table(&table)?;
    // Of a large table there is no room for two, and nothing but a certificate needs its rows again.
    let certified = options.certifying.certificate.is_some().then(|| table.clone());
    let (quotient, whole) = Quotient::taking(table, options.reducing.notion()?);
    let stop = options.time_limit.start();
    let (found, least) = if options.minimum {
        heed_signals();
        let Minimum { reduct, lower_bound, .. } = quotient.minimum_reduct(&stop, &session.progress);
        (QuickReduct { reduct, tried: Vec::new() }, Some(lower_bound))
    } else if let Some(method) = options.method {
        let reduct = quotient.reduct(method);
        (QuickReduct { tried: vec![(method, reduct.len())], reduct }, None)
    } else {
        (quotient.quick_reduct(), None)
    };
    if let Some(table) = &certified {
        certify(table, Certified { reduct: &found.reduct, is_minimum: least == Some(found.reduct.len()) })?;
    }
    if options.method.is_none() && found.tried.len() == 1 {
        note_backward();
    }
    let (attrs, is_decided) = (found.reduct.attrs(), options.reducing.related.source.is_decided());
    let (notion, reduct, n_attributes) = (quotient.notion(), quotient.names(attrs), quotient.attributes().len());
    // Whatever a reduct preserves, the positive region is among it.
    Found { notion, reduct, n_attributes, kept: whole, whole, least, tried: &found.tried, is_decided }
        .give(options.reducing.answer())?;
    Ok(code(least.is_none_or(|least| least == attrs.len())))
}

/// Says which of several methods was taken.
pub fn note_backward() {
    eprintln!(
        "note: this table is large, so the reduct is found by backward alone; --method greedy or short takes longer and may find a shorter one"
    );
}

/// A reduct, and what is known of it.
pub struct Found<'t> {
    pub notion: Notion,
    /// The names of its attributes.
    pub reduct: Vec<&'t str>,
    pub n_attributes: usize,
    /// γ of the reduct and of all attributes.
    pub kept: Fraction,
    pub whole: Fraction,
    /// How many attributes every reduct has at least, where that is known.
    pub least: Option<usize>,
    /// The methods that were tried, with the number of attributes that each came to.
    pub tried: &'t [(Method, usize)],
    /// Whether the table has a decision, without which γ says nothing.
    pub is_decided: bool,
}

impl Found<'_> {
    pub fn give(&self, answer: &Answer) -> anyhow::Result<()> {
        let Found { notion, n_attributes: n, kept, whole, least, is_decided, .. } = *self;
        let size = self.reduct.len();
        let json = || {
            let mut json = json!({
                "notion": notion, "reduct": self.reduct, "size": size, "n_attributes": n,
            });
            if is_decided {
                json["gamma"] = kept.value().into();
                json["gamma_fraction"] = fraction(kept);
                json["gamma_of_all"] = whole.value().into();
            }
            if let Some(least) = least {
                json["lower_bound"] = least.into();
                json["minimum"] = (least == size).into();
            }
            if !self.tried.is_empty() {
                let sizes = self.tried.iter().map(|(method, size)| (method.to_string(), (*size).into()));
                json["size_by_method"] = sizes.collect::<serde_json::Map<_, _>>().into();
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
                (format!("reduct ({notion}, {size} of {n} attributes{proved})"), list_or_none(&self.reduct, true));
            let sizes: Vec<String> = self.tried.iter().map(|(method, size)| format!("{method} {size}")).collect();
            let tried =
                if sizes.len() > 1 { format!("attributes by method: {}\n", sizes.join(", ")) } else { String::new() };
            let gamma = if is_decided {
                format!("gamma {kept} = {:.6}, of all attributes {:.6}\n", kept.value(), whole.value())
            } else {
                String::new()
            };
            format!("{label}\n  {listed}\n{tried}{gamma}")
        };
        answer.give(Sheet::ALL_FIELDS, json, text)
    }
}
