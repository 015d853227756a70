//! `roughboard rough rules`.

use roughboard::rough::{
    Covering, Filter, FoundRules, Rule, RuleOrder, RuleSearch, RuleSet, RulesFrom, Verdicts, Voting, Wording,
};
use roughboard::settings::counted;
use roughboard::table::DecisionTable;
use serde_json::json;

use super::TableQuery;
use super::hints;
use super::text::listed_lines;
use crate::cli::form::Sheet;
use crate::cli::output::note;
use crate::cli::session::Session;
use crate::cli::settings::Of;

#[derive(clap::Args)]
#[command(mut_arg("n_rules", |arg| arg.alias("rules")))]
pub struct Options {
    #[command(flatten)]
    pub query: TableQuery,
    /// Show inclusion degree, coverage, lift, Laplace's estimate and the p-value (Fisher's exact test) of each rule
    #[arg(long)]
    measures: bool,
    #[command(flatten, next_help_heading = "Search")]
    search: Of<RuleSearch>,
    #[command(flatten, next_help_heading = "Shortening and choice")]
    choice: Of<RuleChoice>,
}

roughboard::settings! {
    /// What becomes of the rules that were found, in this order.
    #[derive(Debug)]
    struct RuleChoice {
        /// Drop conditions as long as the inclusion degree stays at or above this.
        shorten: Option<f64> = None, in 0.0..=1.0;
        /// Keep rules of this inclusion degree or more.
        min_confidence: f64 = 0.0, in 0.0..=1.0;
        /// Keep rules that cover this share of their decision class or more.
        min_coverage: f64 = 0.0, in 0.0..=1.0;
        /// Keep rules of this lift or more.
        min_lift: f64 = 0.0, in 0.0..;
        /// Leave out rules whose conditions contain those of one for the same decision that is at least as sure.
        drop_redundant: bool = false;
        /// Sort by a measure, the best first.
        sort: Option<RuleOrder> = None;
    }
}

impl RuleChoice {
    fn apply(&self, rules: RuleSet, table: &DecisionTable, search: &RuleSearch, session: &Session) -> RuleSet {
        let shortened = match self.shorten {
            Some(alpha) => rules.shortened(table, alpha, &session.progress),
            None => rules,
        };
        let kept = shortened.filtered(&Filter {
            min_support: search.min_support.unwrap_or(0),
            max_len: search.max_length.unwrap_or(usize::MAX),
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
    let (search, choice) = (options.search.read()?, options.choice.read()?);
    search.check()?;
    choice.check()?;
    let TableQuery { source, answer } = &options.query;
    let table = source.read_decided_exact()?;
    let remedy = "cut them into intervals with `rough discretize`, or take --from mlem2";
    hints::note(&table, (!search.takes_intervals()).then_some(remedy));
    if search.takes_intervals() {
        hints::note_large(&table);
    }
    let FoundRules { rules, complete, proved } = search.find(&table, &session.progress)?;
    let limit = if search.from == RulesFrom::Inclusion { "n-rules" } else { "limit" };
    answer.note_limit_of(limit, "rules", complete);
    if proved == Some(false) {
        answer.note("the search for the fewest rules was cut short: fewer may cover as much");
    }
    let n_found = rules.len();
    let rules = choice.apply(RuleSet::new(&table, rules), &table, &search, session);
    let total = table.total_weight();
    let json = || {
        let mut json = rules.to_json(&table, Voting { vote: search.vote(), ..Voting::default() });
        json["complete"] = complete.into();
        if let Some(proved) = proved {
            json["proved"] = proved.into();
        }
        json["covered"] = rules.covered(&table).into();
        json["decided"] = json!(rules.verdicts(&table));
        json["total_weight"] = total.into();
        json
    };
    let text = || {
        let wording = if options.measures { Wording::Measures } else { Wording::Short };
        let line = |rule: &Rule| format!("{}\n", rule.display_as(&table, wording));
        let lines = listed_lines(rules.rules.iter().map(line), "rules", answer.is_in_full());
        let count = counted(rules.rules.len(), "rule");
        let state = state(complete, proved);
        let Verdicts { rightly, ambiguously, wrongly, not_at_all } = rules.verdicts(&table);
        let rest = format!("{ambiguously} ambiguously, {wrongly} wrongly, {not_at_all} not at all");
        format!("{count}{state}: {rightly} of {} decided rightly, {rest}\n{lines}", counted(total, "object"))
    };
    let csv = || rules.to_csv(&table, options.measures);
    answer.give(Sheet::Made(&csv), json, text)?;
    if rules.rules.is_empty() {
        eprintln!("note: {}", why_none(n_found, &search));
    }
    note(hints::of_missing(&rules.rules, &table));
    Ok(())
}

/// What is to be said of rules that are not all, or perhaps not the fewest.
fn state(complete: bool, proved: Option<bool>) -> String {
    let limited = (!complete).then_some("the limit was reached, there may be more");
    let unproved = (proved == Some(false)).then_some("not proved to be the fewest");
    let said: Vec<&str> = limited.into_iter().chain(unproved).collect();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join("; ")) }
}

/// Why no rule is left of so many that were found.
fn why_none(n_found: usize, search: &RuleSearch) -> String {
    if n_found > 0 {
        let options = "--min-support, --max-length, --min-confidence, --min-coverage, --min-lift";
        return format!("{} found, and none passes the filters ({options})", counted(n_found, "rule"));
    }
    let none = "no rule was found: ";
    let support = |usual: u64| counted(search.min_support.unwrap_or(usual), "object");
    none.to_owned()
        + &match (search.from, search.beta) {
            (RulesFrom::Inclusion, None) => format!(
                "no single condition makes a decision more frequent and is supported by {} (--min-support)",
                support(Covering::default().min_support)
            ),
            (RulesFrom::Minimal | RulesFrom::Cover | RulesFrom::Inclusion, beta) => format!(
                "no conditions reach the inclusion degree {} (--beta) with a support of {} (--min-support)",
                beta.unwrap_or(1.0),
                support(1)
            ),
            (RulesFrom::Lem2 | RulesFrom::Mlem2, _) => {
                "no object is in the lower approximation of a decision; --approximation upper gives possible rules"
                    .to_owned()
            }
            (RulesFrom::Reduct, _) => "the table has no object".to_owned(),
        }
}
