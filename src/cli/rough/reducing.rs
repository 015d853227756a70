//! The options of commands about reducts: of which table, by which notion of decision.

use roughboard::rough::{Notion, Quotient};
use roughboard::table::DecisionTable;

use super::answer::Answer;
use super::relation;
use super::source::Source;
use crate::cli::choice::named;

/// A table and what its reducts must preserve.
#[derive(clap::Args)]
pub struct Reducing {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub answer: Answer,
    /// What must be preserved
    #[arg(long, value_parser = named::<Notion>(), default_value_t)]
    pub notion: Notion,
    #[command(flatten)]
    pub relation: relation::Options,
}

impl Reducing {
    /// The table. Only indiscernibility itself asks nothing of the decision.
    pub fn table(&self) -> anyhow::Result<DecisionTable> {
        if self.notion == Notion::Information { self.source.read() } else { self.source.read_decided() }
    }

    /// The table, for a question that knows no other relation than indiscernibility.
    pub fn exact_table(&self) -> anyhow::Result<DecisionTable> {
        self.source.check_exact()?;
        self.table()
    }

    /// The table and its distinct rows, labelled by the notion.
    pub fn quotient(&self) -> anyhow::Result<(DecisionTable, Quotient)> {
        let table = self.table()?;
        let quotient = Quotient::new(&table, &table.all_attributes(), self.notion);
        Ok((table, quotient))
    }
}
