//! `roughboard rough reducts`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::process::ExitCode;

use roughboard::rough::{Enumeration, Quotient, Reduct};
use roughboard::settings::counted;
use serde_json::{Value as Json, json};

use super::deadline::{TimeLimit, code, heed_signals};
use super::reducing::{REDUCTS, Reducing, note_incomplete, state};
use super::text::{list_or_none, listed_lines};
use super::{epsilon, related, sampling};
use crate::cli::form::Sheet;
use crate::cli::output::print_to_reader;
use crate::cli::session::Session;

#[derive(clap::Args)]
#[command(mut_args(super::source::undecided))]
pub struct Options {
    #[command(flatten)]
    pub reducing: Reducing,
    /// Stop after this many reducts
    #[arg(long, default_value = "1000000", value_name = "N")]
    limit: NonZeroUsize,
    /// Give only their number and sizes
    #[arg(long, conflicts_with_all = ["relation", "permutations", "dynamic", "bireducts"])]
    count: bool,
    /// Print each reduct on a line of its own as soon as it is found, in no order, and keep none in memory; with --json each line is a list of names
    #[arg(long, conflicts_with_all = ["count", "csv", "out", "relation", "permutations", "dynamic", "bireducts"])]
    stream: bool,
    #[command(flatten)]
    epsilon: epsilon::Approximating,
    #[command(flatten)]
    time_limit: TimeLimit,
    #[command(flatten)]
    sampling: sampling::Sampling,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<ExitCode> {
    options.time_limit.check()?;
    let limit = options.limit.get();
    if options.sampling.run(&options.reducing, limit, session)? {
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(complete) = options.epsilon.run_all(&options.reducing, limit, (&options.time_limit, session))? {
        return Ok(code(complete));
    }
    if options.reducing.related.is_other() {
        related::reducts(&options.reducing, limit, session)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (quotient, _) = options.reducing.quotient()?;
    heed_signals();
    let stop = options.time_limit.start();
    if options.stream {
        return stream(&quotient, limit, options.reducing.answer().wants_json(), &stop);
    }
    let Found { reducts, sizes, complete } = if options.count {
        let (sizes, complete) = quotient.reduct_sizes_until(limit, &stop, &session.progress);
        Found { reducts: Vec::new(), sizes, complete }
    } else {
        Found::of(quotient.reducts_until(limit, &stop, &session.progress))
    };
    let (notion, count) = (quotient.notion(), sizes.values().sum::<usize>());
    let json = || {
        let mut json = json!({ "notion": notion, "count": count, "complete": complete, "sizes": sizes });
        if options.count && options.reducing.answer().wants_csv() {
            // In their order, which the names of a JSON object lose.
            let row = |(size, count): (&usize, &usize)| json!({ "size": size, "reducts": count });
            json["sizes"] = sizes.iter().map(row).collect();
        }
        if !options.count {
            json["reducts"] = reducts.iter().map(|reduct| Json::from(quotient.names(reduct.attrs()))).collect();
        }
        json
    };
    let text = || {
        let bound = |size: Option<&usize>| size.copied().unwrap_or(0);
        let (least, most) = (bound(sizes.keys().next()), bound(sizes.keys().next_back()));
        let lengths = if least == most { counted(most, "attribute") } else { format!("{least} to {most} attributes") };
        let label = format!("{} ({notion}, {}), {lengths}", counted(count, "reduct"), state(complete));
        if options.count {
            let of_size = |(size, count): (&usize, &usize)| format!("  {count} of {size} attributes\n");
            return format!("{label}\n{}", sizes.iter().map(of_size).collect::<String>());
        }
        let line = |reduct: &Reduct| format!("  {}\n", list_or_none(&quotient.names(reduct.attrs()), true));
        let all = options.reducing.answer().is_in_full();
        format!("{label}\n{}", listed_lines(reducts.iter().map(line), "reducts", all))
    };
    if !complete {
        note_incomplete(options.reducing.answer(), count, limit);
    }
    let sheet = if options.count { Sheet::List("/sizes", &["size", "reducts"]) } else { REDUCTS };
    options.reducing.answer().give(sheet, json, text)?;
    Ok(code(complete))
}

/// What was found.
struct Found {
    /// None where only their number was asked for.
    reducts: Vec<Reduct>,
    /// How many reducts have each number of attributes.
    sizes: BTreeMap<usize, usize>,
    complete: bool,
}

impl Found {
    fn of(all: Enumeration<Reduct>) -> Self {
        let mut sizes = BTreeMap::new();
        all.found.iter().for_each(|reduct| *sizes.entry(reduct.len()).or_default() += 1);
        Self { reducts: all.found, sizes, complete: all.complete }
    }
}

/// Prints reducts as they come, as lists of JSON if asked for; a note says in the end whether these are all.
fn stream(quotient: &Quotient, limit: usize, as_json: bool, stop: &dyn Fn() -> bool) -> anyhow::Result<ExitCode> {
    let (mut count, mut failure) = (0, None);
    let mut show = |reduct: Reduct| {
        if count == limit {
            return ControlFlow::Break(());
        }
        count += 1;
        let names = quotient.names(reduct.attrs());
        let line = if as_json { json!(names).to_string() } else { list_or_none(&names, true) };
        match print_to_reader(&format!("{line}\n")) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let end = quotient.visit_reducts(stop, &mut show);
    if let Some(error) = failure {
        return Err(error);
    }
    let complete = end.is_continue();
    eprintln!("note: {} ({}, {})", counted(count, "reduct"), quotient.notion(), state(complete));
    Ok(code(complete))
}
