//! The options of commands about reducts: of which table, by which notion of decision.

use roughboard::rough::{Enumeration, Fraction, Notion, Quotient, Relation};
use roughboard::settings::counted;
use roughboard::table::{AttrSet, DecisionTable};
use serde_json::Value as Json;

use super::answer::Answer;
use super::hints;
use super::memory::MemoryLimit;
use super::relation::RelatedQuery;
use super::text::{listed_lines, names};
use crate::cli::form::Sheet;
use crate::cli::output::note;
use crate::cli::settings::named;

/// What CSV has of reducts.
pub const REDUCTS: Sheet<'_> = Sheet::List("/reducts", &["attributes"]);

/// Whether reducts are all that there are, in words.
pub const fn state(complete: bool) -> &'static str {
    if complete { "all" } else { "a limit was reached, there may be more" }
}

/// Tells a file or a program why so many reducts, of at most `limit`, are not all.
pub fn note_incomplete(answer: &Answer, count: usize, limit: usize) {
    if count == limit {
        answer.note_limit("reducts", false);
    } else {
        answer.note("the search was ended early, as by `--time-limit`: there may be more reducts");
    }
}

/// Gives `reducts` of a table, of which at most `limit` were asked for: behind other `fields`, or in lines below a heading of what they are, `described`.
pub fn give_reducts(
    answer: &Answer,
    table: &DecisionTable,
    reducts: &Enumeration<AttrSet>,
    limit: usize,
    (fields, described): (&Json, &str),
) -> anyhow::Result<()> {
    if !reducts.complete {
        note_incomplete(answer, reducts.found.len(), limit);
    }
    let json = || {
        let mut json = fields.clone();
        json["count"] = reducts.found.len().into();
        json["complete"] = reducts.complete.into();
        json["reducts"] = reducts.found.iter().map(|attrs| Json::from(table.names(attrs))).collect();
        json
    };
    let text = || {
        let line = |attrs: &AttrSet| format!("  {}\n", names(table, attrs, true));
        let lines = listed_lines(reducts.found.iter().map(line), "reducts", answer.is_in_full());
        format!("{} ({described})\n{lines}", counted(reducts.found.len(), "reduct"))
    };
    answer.give(REDUCTS, json, text)
}

/// A table and what its reducts must preserve.
#[derive(clap::Args)]
pub struct Reducing {
    #[command(flatten)]
    pub related: RelatedQuery,
    /// What must be preserved [default: positive; without --decision information]
    #[arg(long, value_parser = named::<Notion>())]
    notion: Option<Notion>,
    #[command(flatten)]
    memory: MemoryLimit,
}

impl Reducing {
    /// How the answer is given.
    pub const fn answer(&self) -> &Answer {
        &self.related.answer
    }

    /// What must be preserved.
    pub fn notion(&self) -> anyhow::Result<Notion> {
        self.related.source.notion(self.notion)
    }

    /// The table. Only indiscernibility itself asks nothing of the decision.
    pub fn table(&self) -> anyhow::Result<DecisionTable> {
        let source = &self.related.source;
        let table = match self.notion()? {
            Notion::Information => source.read_within(&self.memory),
            _ => source.read_decided_within(&self.memory),
        }?;
        self.related.note(&table);
        if self.related.relation()? == Relation::Indiscernibility {
            note(hints::of_halves(&table));
        }
        Ok(table)
    }

    /// The table, for a question `what` about decisions.
    pub fn decided_table(&self, what: &str) -> anyhow::Result<DecisionTable> {
        self.related.source.require_decision(what)?;
        self.table()
    }

    /// The distinct rows of the table, labelled by the notion, and γ of all attributes.
    pub fn quotient(&self) -> anyhow::Result<(Quotient, Fraction)> {
        Ok(Quotient::taking(self.table()?, self.notion()?))
    }
}
