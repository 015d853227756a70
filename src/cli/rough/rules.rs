//! `roughboard rough rules`.

mod search;

use roughboard::rough::{Filter, RuleOrder, RuleSet, Wording};
use roughboard::settings::{SettingError, require};
use roughboard::table::DecisionTable;
use serde_json::Value as Json;

use super::answer::Answer;
use super::source::Source;
use super::text::{rest, shown};
use crate::cli::choice::named;
use crate::cli::session::Session;
use search::{FoundRules, Search, find};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    answer: Answer,
    /// Show inclusion degree, coverage, lift, Laplace's estimate and the p-value (Fisher's exact test) of each rule
    #[arg(long)]
    measures: bool,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    choice: RuleChoice,
}

/// What becomes of the rules that were found, in this order.
#[derive(clap::Args)]
#[command(next_help_heading = "Shortening and choice")]
struct RuleChoice {
    /// Drop conditions while the inclusion degree stays at ALPHA or above, in [0, 1]
    #[arg(long, value_name = "ALPHA")]
    shorten: Option<f64>,
    /// Keep rules of this inclusion degree or more, in [0, 1]
    #[arg(long, value_name = "C", default_value_t = 0.0, hide_default_value = true)]
    min_confidence: f64,
    /// Keep rules that cover this share of their decision class or more, in [0, 1]
    #[arg(long, value_name = "C", default_value_t = 0.0, hide_default_value = true)]
    min_coverage: f64,
    /// Keep rules of this lift or more, at least 0
    #[arg(long, value_name = "L", default_value_t = 0.0, hide_default_value = true)]
    min_lift: f64,
    /// Leave out rules whose conditions contain those of one for the same decision that is at least as sure
    #[arg(long)]
    drop_redundant: bool,
    /// Sort by a measure, the best first
    #[arg(long, value_parser = named::<RuleOrder>())]
    sort: Option<RuleOrder>,
}

impl RuleChoice {
    fn check(&self) -> Result<(), SettingError> {
        let in_unit = |share: f64| (0.0..=1.0).contains(&share);
        let alpha = self.shorten.unwrap_or(1.0);
        require(in_unit(alpha), "--shorten", "in [0, 1]", alpha)?;
        require(in_unit(self.min_confidence), "--min-confidence", "in [0, 1]", self.min_confidence)?;
        require(in_unit(self.min_coverage), "--min-coverage", "in [0, 1]", self.min_coverage)?;
        require(self.min_lift >= 0.0, "--min-lift", "at least 0", self.min_lift)
    }

    fn apply(&self, rules: RuleSet, table: &DecisionTable, search: &Search, session: &Session) -> RuleSet {
        let shortened = match self.shorten {
            Some(alpha) => rules.shortened(table, alpha, &session.progress),
            None => rules,
        };
        let kept = shortened.filtered(&Filter {
            min_support: search.min_support.unwrap_or(0),
            max_len: search.longest(usize::MAX),
            min_confidence: self.min_confidence,
            min_coverage: self.min_coverage,
            min_lift: self.min_lift,
        });
        let needed = if self.drop_redundant { kept.without_redundant() } else { kept };
        match self.sort {
            Some(order) => needed.sorted(order),
            None => needed,
        }
    }
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    options.search.check()?;
    options.choice.check()?;
    let table = options.source.read_decided_exact()?;
    let FoundRules { rules, complete } = find(&options.search, &table, session)?;
    let rules = options.choice.apply(RuleSet::new(&table, rules), &table, &options.search, session);
    if options.answer.out_ends_in("csv") {
        return options.answer.write(String::from_utf8(rules.to_csv(&table)?)?);
    }
    let covered = rules.covered(&table);
    let json = || rules_json(&table, &rules, (complete, covered));
    let text = || rules_text(&table, &rules, (complete, covered), options);
    options.answer.give(json, text)
}

fn rules_json(table: &DecisionTable, rules: &RuleSet, (complete, covered): (bool, u64)) -> Json {
    let mut json = rules.to_json(table);
    json["complete"] = complete.into();
    json["covered"] = covered.into();
    json["total_weight"] = table.total_weight().into();
    json
}

fn rules_text(table: &DecisionTable, rules: &RuleSet, (complete, covered): (bool, u64), options: &Options) -> String {
    let count = rules.rules.len();
    let shown = shown(count, options.answer.all);
    let wording = if options.measures { Wording::Measures } else { Wording::Short };
    let line = |rule: &roughboard::rough::Rule| format!("{}\n", rule.display_as(table, wording));
    let lines: String = rules.rules[..shown].iter().map(line).collect();
    let name = if count == 1 { "rule" } else { "rules" };
    let state = if complete { "" } else { " (the limit was reached, there are more)" };
    let total = table.total_weight();
    format!("{count} {name}{state}, right for {covered} of {total} objects\n{lines}{}", rest(count - shown, "rules"))
}
