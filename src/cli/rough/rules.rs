//! `roughboard rough rules`.

use clap::ValueEnum;
use roughboard::rough::{
    Covering, Method, Notion, Reduct, Rule, covering_rules, minimal_certain_rules, rules_of_reduct, smallest_cover,
};
use roughboard::table::{DecisionTable, Value};
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::reducing::MethodName;
use super::source::Source;
use super::text::{fraction, rest, shown};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    answer: Answer,
    /// Where rules come from
    #[arg(long, value_enum, default_value_t = Origin::Reduct)]
    from: Origin,
    /// For --from reduct: how to find the reduct
    #[arg(long, value_enum, default_value_t = MethodName::Greedy)]
    method: MethodName,
    /// For --from reduct: use the N heaviest classes; for --from minimal: stop after N rules
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// For --from inclusion: how many rules to find
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rules: u64,
    /// For --from inclusion: the most conditions of a rule
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_length: u64,
    /// For --from inclusion: the least number of objects that support a rule
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    min_support: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// The classes of a reduct, shortened by value reduction
    Reduct,
    /// All minimal certain rules
    Minimal,
    /// A smallest set of minimal certain rules for the positive region
    Cover,
    /// Covering by inclusion degree, for large tables
    Inclusion,
}

/// Rules and whether they are all that were asked for.
struct Found {
    rules: Vec<Rule>,
    complete: bool,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let table = options.source.read_decided()?;
    let found = find(options, &table, session)?;
    let count = found.rules.len();
    let json = || {
        let rules: Vec<Json> = found.rules.iter().map(|rule| rule_json(&table, rule)).collect();
        json!({ "count": count, "complete": found.complete, "rules": rules })
    };
    let text = || {
        let shown = shown(count, options.answer.all);
        let lines: String = found.rules[..shown].iter().map(|rule| format!("{}\n", rule.display(&table))).collect();
        let state = if found.complete { "" } else { " (the limit was reached, there are more)" };
        format!("{count} rules{state}\n{lines}{}", rest(count - shown, "rules"))
    };
    options.answer.give(json, text)
}

fn find(options: &Options, table: &DecisionTable, session: &Session) -> anyhow::Result<Found> {
    let attrs = table.all_attributes();
    let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
    match options.from {
        Origin::Reduct => {
            let reduct = Reduct::of(table, Notion::Positive, Method::from(options.method));
            let n_classes = roughboard::rough::Partition::by(table, reduct.attrs()).n_classes();
            let rules = rules_of_reduct(table, &reduct, limit)?;
            Ok(Found { rules, complete: n_classes <= limit })
        }
        Origin::Minimal => {
            let rules = minimal_certain_rules(table, &attrs, limit)?;
            Ok(Found { rules: rules.found, complete: rules.complete })
        }
        Origin::Cover => {
            let rules = minimal_certain_rules(table, &attrs, limit)?;
            let cover = smallest_cover(table, &rules.found);
            let chosen = cover.chosen.iter().map(|&at| rules.found[at].clone()).collect();
            Ok(Found { rules: chosen, complete: rules.complete && cover.smallest })
        }
        Origin::Inclusion => {
            let settings = Covering {
                n_rules: usize::try_from(options.rules)?,
                max_len: usize::try_from(options.max_length)?,
                min_support: options.min_support,
            };
            Ok(Found { rules: covering_rules(table, &attrs, &settings, &session.progress), complete: true })
        }
    }
}

fn rule_json(table: &DecisionTable, rule: &Rule) -> Json {
    let condition = |&(attr, code): &(_, u32)| {
        let attribute = table.attribute(attr);
        json!({ "attribute": attribute.name(), "value": value_json(&attribute.domain()[code as usize]) })
    };
    json!({
        "conditions": rule.conditions.iter().map(condition).collect::<Vec<_>>(),
        "decision": value_json(&table.decision().domain()[rule.decision as usize]),
        "support": rule.support,
        "matching": rule.matching,
        "inclusion": rule.inclusion().value(),
        "coverage": rule.coverage().value(),
        "coverage_fraction": fraction(rule.coverage()),
        "text": rule.display(table).to_string(),
    })
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Boolean(value) => json!(value),
        Value::Integer(value) => json!(value),
        Value::Real(value) => json!(value),
        Value::Interval(value) => json!(value.to_string()),
        Value::Text(value) => json!(value),
        Value::Missing => Json::Null,
    }
}
