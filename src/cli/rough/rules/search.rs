//! The ways to find rules that `roughboard rough rules` offers.

use clap::ValueEnum;
use roughboard::rough::{
    Covering, Goal, Method, Minimal, Notion, Reduct, RoughError, Rule, Sequential, covering_rules, lem2, minimal_rules,
    mlem2, reduced_rules, sequential_rules, smallest_cover,
};
use roughboard::settings::{SettingError, require};
use roughboard::table::DecisionTable;

use crate::cli::choice::named;
use crate::cli::session::Session;

/// What a rule must reach and how many there may be when rules are found by weighted covering.
const COVERING: Covering = Covering { n_rules: 60, max_len: 4, min_support: 50 };

/// Where rules come from, and how many.
#[derive(clap::Args)]
#[command(next_help_heading = "Search")]
pub struct Search {
    /// Where rules come from
    #[arg(long, value_enum, default_value_t = Origin::Reduct)]
    from: Origin,
    /// For --from reduct: how to find the reduct
    #[arg(long, value_parser = named::<Method>(), default_value_t)]
    method: Method,
    /// For --from lem2 and mlem2: what the rules of a decision cover
    #[arg(long, value_parser = named::<Goal>(), default_value_t)]
    approximation: Goal,
    /// For --from minimal, cover and inclusion: the least inclusion degree of a rule, in (0, 1]; minimal and cover take
    /// 1 without it, inclusion then takes what gains most
    #[arg(long, value_name = "BETA")]
    beta: Option<f64>,
    /// For --from reduct: use the N heaviest classes; for --from minimal and cover: stop after N rules
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// For --from inclusion: how many rules to find [default: 60, with --beta as many as it takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rules: Option<u64>,
    /// The most conditions of a rule [default: 4 for --from inclusion without --beta]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_length: Option<u64>,
    /// The least number of objects that support a rule [default: 50 for --from inclusion without --beta]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_support: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// The classes of a reduct, shortened by value reduction
    Reduct,
    /// All minimal rules: certain, or of the degree --beta; exhaustive
    #[value(alias = "exhaustive")]
    Minimal,
    /// A smallest set of the minimal rules for what they cover
    Cover,
    /// A local covering of each approximation by values
    Lem2,
    /// The same by intervals, for attributes that are numbers
    Mlem2,
    /// Covering by inclusion degree, for large tables
    Inclusion,
}

/// Rules and whether they are all that were asked for.
pub struct FoundRules {
    pub rules: Vec<Rule>,
    pub complete: bool,
}

impl FoundRules {
    const fn all(rules: Vec<Rule>) -> Self {
        Self { rules, complete: true }
    }
}

impl Search {
    /// Refuses a degree outside its range, and options that the way chosen would ignore.
    pub fn check(&self) -> Result<(), SettingError> {
        let from =
            self.from.to_possible_value().map_or_else(String::new, |value| format!("--from {}", value.get_name()));
        let takes_beta = matches!(self.from, Origin::Minimal | Origin::Cover | Origin::Inclusion);
        let beta = self.beta.unwrap_or(1.0);
        require(beta > 0.0 && beta <= 1.0, "--beta", "in (0, 1]", beta)?;
        let only = "with --from minimal, cover or inclusion";
        require(self.beta.is_none() || takes_beta, "--beta", only, &from)?;
        let is_covering = self.from == Origin::Inclusion;
        require(self.rules.is_none() || is_covering, "--rules", "with --from inclusion", &from)?;
        let by_reduct = self.from == Origin::Reduct || self.method == Method::Greedy;
        require(by_reduct, "--method", "with --from reduct", &from)?;
        let is_local = matches!(self.from, Origin::Lem2 | Origin::Mlem2);
        let is_default = self.approximation == Goal::Lower;
        require(is_default || is_local, "--approximation", "with --from lem2 or mlem2", &from)
    }

    /// The most conditions of a rule, `default` if that was not said.
    pub fn longest(&self, default: usize) -> usize {
        self.max_length.map_or(default, whole)
    }

    fn limit(&self) -> usize {
        whole(self.limit)
    }

    fn minimal(&self) -> Minimal {
        Minimal {
            beta: self.beta.unwrap_or(1.0),
            max_len: self.longest(usize::MAX),
            min_support: self.min_support.unwrap_or(1),
            limit: self.limit(),
        }
    }
}

/// A number of things; what does not fit is as good as no bound.
fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub fn find(search: &Search, table: &DecisionTable, session: &Session) -> Result<FoundRules, RoughError> {
    let (attrs, observer) = (table.all_attributes(), &session.progress);
    Ok(match search.from {
        Origin::Reduct => {
            let reduct = Reduct::of(table, Notion::Positive, search.method);
            let reduced = reduced_rules(table, reduct.attrs(), search.limit(), observer);
            FoundRules { rules: reduced.found, complete: reduced.complete }
        }
        Origin::Minimal => {
            let rules = minimal_rules(table, &attrs, &search.minimal(), observer)?;
            FoundRules { rules: rules.found, complete: rules.complete }
        }
        Origin::Cover => {
            let rules = minimal_rules(table, &attrs, &search.minimal(), observer)?;
            let cover = smallest_cover(table, &rules.found);
            let chosen = cover.chosen.iter().map(|&at| rules.found[at].clone()).collect();
            FoundRules { rules: chosen, complete: rules.complete && cover.smallest }
        }
        Origin::Lem2 => FoundRules::all(lem2(table, &attrs, search.approximation, observer)),
        Origin::Mlem2 => FoundRules::all(mlem2(table, &attrs, search.approximation, observer)),
        Origin::Inclusion => FoundRules::all(by_inclusion(search, table, session)),
    })
}

fn by_inclusion(search: &Search, table: &DecisionTable, session: &Session) -> Vec<Rule> {
    let attrs = table.all_attributes();
    match search.beta {
        Some(beta) => {
            let settings = Sequential {
                beta,
                max_len: search.longest(usize::MAX),
                min_support: search.min_support.unwrap_or(1),
                n_rules: search.rules.map_or(usize::MAX, whole),
            };
            sequential_rules(table, &attrs, &settings, &session.progress).rules
        }
        None => {
            let settings = Covering {
                n_rules: search.rules.map_or(COVERING.n_rules, whole),
                max_len: search.longest(COVERING.max_len),
                min_support: search.min_support.unwrap_or(COVERING.min_support),
            };
            covering_rules(table, &attrs, &settings, &session.progress)
        }
    }
}
