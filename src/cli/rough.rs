//! `roughboard rough`: classes, approximations, core, reducts and rules of any table.

mod rules;
pub mod source;
pub mod text;

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use roughboard::rough::{Approximations, Fraction, Method, Notion, Quotient};
use roughboard::table::{AttrSet, DecisionTable};
use serde_json::{Value as Json, json};

use super::output::print;
use super::session::Session;
use source::Source;
use text::{list, objects, print_json};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Indiscernibility classes U/IND(B) with their decisions
    Classes(Plain),
    /// Lower and upper approximations, regions, gamma
    Approx(Plain),
    /// The attributes that every reduct holds
    Core(Reducing),
    /// One reduct
    Reduct(OneReduct),
    /// All reducts
    Reducts(AllReducts),
    /// Decision rules with support, inclusion degree and coverage
    Rules(rules::Options),
}

#[derive(clap::Args)]
struct Plain {
    #[command(flatten)]
    source: Source,
}

#[derive(clap::Args)]
struct Reducing {
    #[command(flatten)]
    source: Source,
    /// What must be preserved
    #[arg(long, value_enum, default_value_t = NotionName::Positive)]
    notion: NotionName,
}

#[derive(clap::Args)]
struct OneReduct {
    #[command(flatten)]
    reducing: Reducing,
    /// How to search: greedy is shorter, backward is faster
    #[arg(long, value_enum, default_value_t = MethodName::Greedy)]
    method: MethodName,
}

#[derive(clap::Args)]
struct AllReducts {
    #[command(flatten)]
    reducing: Reducing,
    /// Stop after this many reducts
    #[arg(long, default_value_t = 1_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum NotionName {
    /// The positive region
    Positive,
    /// The set of decisions in each class
    Generalized,
    /// The distribution of decisions in each class
    Distribution,
    /// Indiscernibility itself
    Information,
}

impl From<NotionName> for Notion {
    fn from(name: NotionName) -> Self {
        match name {
            NotionName::Positive => Self::Positive,
            NotionName::Generalized => Self::Generalized,
            NotionName::Distribution => Self::Distribution,
            NotionName::Information => Self::Information,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    /// Add what resolves most conflicts, then prune
    Greedy,
    /// Drop what is dispensable
    Backward,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Greedy => Self::Greedy,
            MethodName::Backward => Self::Backward,
        }
    }
}

pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Classes(options) => classes(&options.source)?,
        Command::Approx(options) => approx(&options.source)?,
        Command::Core(options) => core(&options)?,
        Command::Reduct(options) => reduct(&options)?,
        Command::Reducts(options) => reducts(&options, session)?,
        Command::Rules(options) => rules::run(&options, session)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn classes(source: &Source) -> anyhow::Result<()> {
    let table = source.read()?;
    let approximations = Approximations::of(&table, &table.all_attributes());
    let classes = approximations.partition().classes();
    let distribution = |class: usize| decisions(&table, approximations.distribution().of_class(class));
    if source.json {
        let class = |(e, rows): (usize, &Vec<u32>)| json!({ "objects": numbers(rows), "decisions": distribution(e) });
        let listed: Vec<Json> = classes.iter().enumerate().map(class).collect();
        return print_json(&json!({ "n_classes": classes.len(), "classes": listed }));
    }
    let line = |(e, rows): (usize, &Vec<u32>)| {
        let shares: Vec<String> =
            distribution(e).iter().flatten().map(|(value, weight)| format!("{value}: {weight}")).collect();
        vec![(e + 1).to_string(), rows.len().to_string(), shares.join(", "), objects(rows, source.all)]
    };
    let shown = if source.all { classes.len() } else { classes.len().min(text::MAX_LINES) };
    let lines: Vec<_> = classes[..shown].iter().enumerate().map(line).collect();
    let table_text = text::table(&["class", "size", "decisions", "objects"], &lines);
    print(&format!("{}{table_text}{}", heading(&table, classes.len()), text::rest(classes.len() - shown, "classes")))
}

fn heading(table: &DecisionTable, n_classes: usize) -> String {
    let (rows, weight) = (table.n_objects(), table.total_weight());
    let weighted = if weight == rows as u64 { String::new() } else { format!(" of weight {weight}") };
    format!("{rows} objects{weighted}, {} attributes, {n_classes} classes\n\n", table.n_attributes())
}

/// Decision value → weight.
fn decisions(table: &DecisionTable, entries: &[(u32, u64)]) -> Option<serde_json::Map<String, Json>> {
    let value = |code: u32| table.decision().domain()[code as usize].to_string();
    Some(entries.iter().map(|&(code, weight)| (value(code), json!(weight))).collect())
}

/// Objects as the command line numbers them: from 1.
fn numbers(rows: &[u32]) -> Vec<u32> {
    rows.iter().map(|row| row + 1).collect()
}

fn approx(source: &Source) -> anyhow::Result<()> {
    let table = source.read()?;
    let approximations = Approximations::of(&table, &table.all_attributes());
    if source.json {
        return print_json(&approx_json(&table, &approximations));
    }
    let gamma = approximations.gamma();
    let mut out = heading(&table, approximations.partition().n_classes());
    let show = |rows: &[u32]| format!("{} objects: {}", rows.len(), objects(rows, source.all));
    out += &format!("gamma            {} = {:.6}\n", gamma, gamma.value());
    out += &format!("positive region  {}\n", show(&approximations.positive_region()));
    out += &format!("boundary         {}\n\n", show(&approximations.boundary()));
    let mut lines = Vec::new();
    for (code, value) in (0..).zip(table.decision().domain()) {
        let a = approximations.of_decision(code);
        let accuracy = format!("{} = {:.4}", a.accuracy, a.accuracy.value());
        let sizes = [&a.lower, &a.upper, &a.boundary].map(|rows| rows.len().to_string());
        let parts = [&a.lower, &a.upper].map(|rows| objects(rows, source.all));
        lines.push([vec![value.to_string()], sizes.to_vec(), vec![accuracy], parts.to_vec()].concat());
    }
    let name = table.decision().name();
    let header = [name, "|lower|", "|upper|", "|boundary|", "accuracy", "lower", "upper"];
    print(&(out + &text::table(&header, &lines)))
}

fn approx_json(table: &DecisionTable, approximations: &Approximations) -> Json {
    let of_decision = |code: u32| {
        let a = approximations.of_decision(code);
        json!({
            "lower": numbers(&a.lower), "upper": numbers(&a.upper), "boundary": numbers(&a.boundary),
            "accuracy": a.accuracy.value(), "accuracy_fraction": fraction(a.accuracy),
        })
    };
    let each = (0..).zip(table.decision().domain()).map(|(code, value)| (value.to_string(), of_decision(code)));
    json!({
        "gamma": approximations.gamma().value(),
        "gamma_fraction": fraction(approximations.gamma()),
        "n_objects": table.n_objects(),
        "total_weight": table.total_weight(),
        "n_classes": approximations.partition().n_classes(),
        "positive_region": numbers(&approximations.positive_region()),
        "boundary": numbers(&approximations.boundary()),
        "approximations": each.collect::<serde_json::Map<_, _>>(),
    })
}

fn fraction(fraction: Fraction) -> Json {
    json!([fraction.numerator, fraction.denominator])
}

fn quotient(options: &Reducing) -> anyhow::Result<(DecisionTable, Quotient)> {
    let table = options.source.read()?;
    let quotient = Quotient::new(&table, &table.all_attributes(), options.notion.into());
    Ok((table, quotient))
}

fn core(options: &Reducing) -> anyhow::Result<()> {
    let (table, quotient) = quotient(options)?;
    let core = quotient.core();
    if options.source.json {
        return print_json(&json!({ "notion": quotient.notion().name(), "core": table.names(&core) }));
    }
    let label = format!("core ({}, {} of {} attributes)", quotient.notion(), core.len(), table.n_attributes());
    print(&format!("{label}\n  {}\n", names(&table, &core, options.source.all)))
}

fn names(table: &DecisionTable, attrs: &AttrSet, all: bool) -> String {
    if attrs.is_empty() { "none".to_owned() } else { list(&table.names(attrs), all) }
}

fn reduct(options: &OneReduct) -> anyhow::Result<()> {
    let (table, quotient) = quotient(&options.reducing)?;
    let reduct = quotient.reduct(options.method.into());
    let gamma = |attrs: &AttrSet| Approximations::of(&table, attrs).gamma();
    let (kept, whole) = (gamma(reduct.attrs()), gamma(&table.all_attributes()));
    let notion = quotient.notion();
    if options.reducing.source.json {
        return print_json(&json!({
            "notion": notion.name(), "reduct": table.names(reduct.attrs()), "size": reduct.len(),
            "n_attributes": table.n_attributes(), "gamma": kept.value(), "gamma_fraction": fraction(kept),
            "gamma_of_all": whole.value(),
        }));
    }
    let label = format!("reduct ({notion}, {} of {} attributes)", reduct.len(), table.n_attributes());
    // A reduct is the answer itself, so it is never shortened.
    let listed = names(&table, reduct.attrs(), true);
    print(&format!("{label}\n  {listed}\ngamma {kept} = {:.6}, of all attributes {:.6}\n", kept.value(), whole.value()))
}

fn reducts(options: &AllReducts, session: &Session) -> anyhow::Result<()> {
    let (table, quotient) = quotient(&options.reducing)?;
    let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
    let reducts = quotient.all_reducts(limit, &session.progress)?;
    let count = reducts.found.len();
    if options.reducing.source.json {
        let listed: Vec<_> = reducts.found.iter().map(|reduct| table.names(reduct.attrs())).collect();
        return print_json(&json!({
            "notion": quotient.notion().name(), "count": count, "complete": reducts.complete, "reducts": listed,
        }));
    }
    let all = options.reducing.source.all;
    let shown = if all { count } else { count.min(text::MAX_LINES) };
    let line = |reduct: &roughboard::rough::Reduct| format!("  {}\n", names(&table, reduct.attrs(), true));
    let lines: String = reducts.found[..shown].iter().map(line).collect();
    let sizes = reducts.found.iter().map(roughboard::rough::Reduct::len);
    let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
    let state = if reducts.complete { "all" } else { "the limit was reached, there are more" };
    let label = format!("{count} reducts ({}, {state}), {least} to {most} attributes", quotient.notion());
    print(&format!("{label}\n{lines}{}", text::rest(count - shown, "reducts")))
}
