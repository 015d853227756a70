//! `roughboard table`: tables from games, and what is in a table.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use roughboard::rough::Approximations;
use roughboard::table::{Attribute, DecisionTable, InformationTable, Roles};
use serde_json::{Value as Json, json};

use super::output::print;
use super::rough::text::{MAX_LINES, print_json, rest, table};
use super::session::Session;
use super::tabulate;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The decision table of the positions of games
    Build(tabulate::Args),
    /// Rows, attributes, values, decision and consistency of a CSV or Parquet table
    Info(Info),
}

#[derive(clap::Args)]
struct Info {
    /// CSV or Parquet file with the table
    table: PathBuf,
    /// The decision column, or the d of count columns d=VALUE; several together make one decision
    #[arg(long, value_name = "COLUMN")]
    decision: Vec<String>,
    /// A column that says how many objects each row stands for
    #[arg(long, value_name = "COLUMN", requires = "decision")]
    weight: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print long lists in full
    #[arg(long)]
    all: bool,
}

pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Build(args) => tabulate::run(&args, session)?,
        Command::Info(info) => info.run()?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Info {
    fn run(&self) -> anyhow::Result<()> {
        let file = InformationTable::read(&self.table)?;
        if self.decision.is_empty() {
            return self.print_columns(file.n_rows(), file.columns());
        }
        let n_rows = file.n_rows();
        let roles = Roles { decision: self.decision.clone(), weight: self.weight.clone() };
        let table = file.decide(&roles).map_err(|e| e.in_file(&self.table))?;
        self.print_table(n_rows, &table)
    }

    fn print_columns(&self, n_rows: usize, columns: &[Attribute]) -> anyhow::Result<()> {
        if self.json {
            return print_json(&json!({ "rows": n_rows, "attributes": attributes_json(columns) }));
        }
        print(&format!("{n_rows} rows, {} columns\n\n{}", columns.len(), self.attributes_text(columns)))
    }

    fn print_table(&self, n_rows: usize, decided: &DecisionTable) -> anyhow::Result<()> {
        let approximations = Approximations::of(decided, &decided.all_attributes());
        let (gamma, n_classes) = (approximations.gamma(), approximations.partition().n_classes());
        let weights: Vec<(String, u64)> =
            decided.decision().domain().iter().map(ToString::to_string).zip(decided.decision_weights()).collect();
        if self.json {
            return print_json(&json!({
                "rows": n_rows, "objects": decided.total_weight(), "n_attributes": decided.n_attributes(),
                "classes": n_classes, "gamma": gamma.value(), "consistent": gamma.numerator == gamma.denominator,
                "decision": { "name": decided.decision().name(), "weights": weights.into_iter().collect::<Counts>() },
                "attributes": attributes_json(decided.attributes()),
            }));
        }
        let share = |weight: u64| format!("{:.4}", weight as f64 / decided.total_weight().max(1) as f64);
        let lines: Vec<_> = weights.iter().map(|(value, w)| vec![value.clone(), w.to_string(), share(*w)]).collect();
        let mut out = format!("{n_rows} rows, {} objects, ", decided.total_weight());
        out += &format!("{} attributes, {n_classes} classes\n", decided.n_attributes());
        let verdict = if gamma.numerator == gamma.denominator { "consistent" } else { "inconsistent" };
        out += &format!("{verdict}: gamma {gamma} = {:.6}\n\n", gamma.value());
        out += &table(&[decided.decision().name(), "objects", "share"], &lines);
        print(&format!("{out}\n{}", self.attributes_text(decided.attributes())))
    }

    fn attributes_text(&self, attributes: &[Attribute]) -> String {
        let shown = if self.all { attributes.len() } else { attributes.len().min(MAX_LINES) };
        let line = |a: &Attribute| {
            let values = match a.domain() {
                [] => String::new(),
                [only] => only.to_string(),
                [first, .., last] => format!("{first} … {last}"),
            };
            vec![a.name().to_owned(), a.n_values().to_string(), a.codes().type_name().to_owned(), values]
        };
        let lines: Vec<_> = attributes[..shown].iter().map(line).collect();
        let listed = table(&["attribute", "values", "type", "domain"], &lines);
        listed + &rest(attributes.len() - shown, "attributes")
    }
}

type Counts = std::collections::BTreeMap<String, u64>;

fn attributes_json(attributes: &[Attribute]) -> Vec<Json> {
    let attribute = |a: &Attribute| json!({ "name": a.name(), "values": a.n_values(), "type": a.codes().type_name() });
    attributes.iter().map(attribute).collect()
}
