//! Core and reducts under another relation than indiscernibility: `--relation` of `core`, `reduct` and `reducts`.

use roughboard::rough::{Discernibility, Relation};
use roughboard::table::{AttrSet, DecisionTable};
use serde_json::{Value as Json, json};

use super::reducing::Reducing;
use super::text::{names, rest, shown};
use crate::cli::session::Session;

/// A table with its clauses under a relation.
pub struct Related<'o> {
    options: &'o Reducing,
    table: DecisionTable,
    relation: Relation,
    clauses: Discernibility,
}

impl<'o> Related<'o> {
    /// Reads the table and collects its clauses; `None` if the relation is indiscernibility, which has faster ways.
    pub fn read(options: &'o Reducing, session: &Session) -> anyhow::Result<Option<Self>> {
        let relation = options.relation.chosen()?;
        if relation == Relation::Indiscernibility {
            return Ok(None);
        }
        let table = options.source.read()?;
        let attrs = table.all_attributes();
        let clauses = Discernibility::of(&table, &attrs, relation, options.notion(), &session.progress)?;
        Ok(Some(Self { options, table, relation, clauses }))
    }

    pub fn core(&self) -> anyhow::Result<()> {
        self.give("core", &self.clauses.core())
    }

    pub fn reduct(&self) -> anyhow::Result<()> {
        self.give("reduct", &self.clauses.reduct())
    }

    fn give(&self, what: &str, attrs: &AttrSet) -> anyhow::Result<()> {
        let n_attributes = self.table.n_attributes();
        let json = || {
            self.json(&[
                (what, json!(self.table.names(attrs))),
                ("size", json!(attrs.len())),
                ("n_attributes", json!(n_attributes)),
            ])
        };
        let text = || {
            let label = format!("{what} ({}, {} of {n_attributes} attributes)", self.described(), attrs.len());
            format!("{label}\n  {}\n", names(&self.table, attrs, true))
        };
        self.options.answer.give(json, text)
    }

    pub fn reducts(&self, limit: usize) -> anyhow::Result<()> {
        let reducts = self.clauses.all_reducts(limit);
        let count = reducts.found.len();
        let json = || {
            let listed: Vec<_> = reducts.found.iter().map(|attrs| self.table.names(attrs)).collect();
            self.json(&[("count", json!(count)), ("complete", json!(reducts.complete)), ("reducts", json!(listed))])
        };
        let text = || {
            let shown = shown(count, self.options.answer.all);
            let line = |attrs: &AttrSet| format!("  {}\n", names(&self.table, attrs, true));
            let lines: String = reducts.found[..shown].iter().map(line).collect();
            let state = if reducts.complete { "all" } else { "the limit was reached, there are more" };
            format!("{count} reducts ({}, {state})\n{lines}{}", self.described(), rest(count - shown, "reducts"))
        };
        self.options.answer.give(json, text)
    }

    /// What is preserved, and under which relation.
    fn described(&self) -> String {
        format!("{}, {}", self.clauses.notion(), self.relation)
    }

    fn json(&self, fields: &[(&str, Json)]) -> Json {
        let of_all = [("notion", json!(self.clauses.notion().name())), ("relation", json!(self.relation.to_string()))];
        let fields = of_all.iter().chain(fields).map(|(name, value)| ((*name).to_owned(), value.clone()));
        Json::Object(fields.collect())
    }
}
