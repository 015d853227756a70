//! The options of commands about reducts: of which table, by which notion of decision.

use clap::ValueEnum;
use roughboard::rough::{Method, Notion, Quotient};
use roughboard::table::DecisionTable;

use super::answer::Answer;
use super::relation;
use super::source::Source;

/// A table and what its reducts must preserve.
#[derive(clap::Args)]
pub struct Reducing {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub answer: Answer,
    /// What must be preserved
    #[arg(long, value_enum, default_value_t = NotionName::Positive)]
    notion: NotionName,
    #[command(flatten)]
    pub relation: relation::Options,
}

impl Reducing {
    /// What must be preserved.
    pub fn notion(&self) -> Notion {
        self.notion.into()
    }

    /// The table. Only indiscernibility itself asks nothing of the decision.
    pub fn table(&self) -> anyhow::Result<DecisionTable> {
        let undecided = matches!(self.notion, NotionName::Information);
        if undecided { self.source.read() } else { self.source.read_decided() }
    }

    /// The table, for a question that knows no other relation than indiscernibility.
    pub fn exact_table(&self) -> anyhow::Result<DecisionTable> {
        self.source.check_exact()?;
        self.table()
    }

    /// The table and its distinct rows, labelled by the notion.
    pub fn quotient(&self) -> anyhow::Result<(DecisionTable, Quotient)> {
        let table = self.table()?;
        let quotient = Quotient::new(&table, &table.all_attributes(), self.notion());
        Ok((table, quotient))
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum NotionName {
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

/// Ways to find a reduct that every table allows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodName {
    /// Add what resolves most conflicts, then prune
    Greedy,
    /// Add what makes gamma largest, then prune
    Dependency,
    /// Add what makes the conditional entropy least, then prune
    Entropy,
    /// Add what makes the Gini impurity least, then prune
    Gini,
    /// Drop what is dispensable: the fastest
    Backward,
    /// The shorter of greedy and a local search for a hitting set
    Short,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Greedy => Self::Greedy,
            MethodName::Dependency => Self::Dependency,
            MethodName::Entropy => Self::Entropy,
            MethodName::Gini => Self::Gini,
            MethodName::Backward => Self::Backward,
            MethodName::Short => Self::Short,
        }
    }
}
