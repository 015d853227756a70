//! Core and reducts under another relation than indiscernibility: `--relation` of `core`, `reduct` and `reducts`.

use roughboard::rough::{Method, Notion, Relation, RoughError, UnderRelation};
use roughboard::table::{AttrSet, DecisionTable};
use serde_json::json;

use super::reducing::{Reducing, give_reducts};
use super::text::names;
use crate::cli::form::Sheet;
use crate::cli::session::Session;

/// A table and what is asked about it.
struct Question<'o> {
    options: &'o Reducing,
    table: DecisionTable,
    relation: Relation,
    notion: Notion,
}

pub fn core(options: &Reducing, session: &Session) -> anyhow::Result<()> {
    let question = Question::read(options)?;
    let core = question.under(session)?.core(&session.progress);
    question.give("core", &core)
}

pub fn reduct(options: &Reducing, method: Option<Method>, session: &Session) -> anyhow::Result<()> {
    let question = Question::read(options)?;
    let under = question.under(session)?;
    let reduct = match method {
        Some(Method::Backward) => under.backward_reduct(&session.progress),
        _ => match under.clauses(&session.progress) {
            // No clauses tell what such a relation needs; backward elimination asks the relation itself.
            Err(RoughError::NotByAttribute { .. }) if method.is_none() => under.backward_reduct(&session.progress),
            clauses => clauses?.reduct(),
        },
    };
    question.give("reduct", &reduct)
}

pub fn reducts(options: &Reducing, limit: usize, session: &Session) -> anyhow::Result<()> {
    let question = Question::read(options)?;
    let reducts = question.under(session)?.clauses(&session.progress)?.all_reducts(limit);
    let state = if reducts.complete { "all" } else { "the limit was reached, there are more" };
    let fields = json!({ "notion": question.notion, "relation": question.relation.to_string() });
    let described = format!("{}, {state}", question.described());
    give_reducts(options.answer(), &question.table, &reducts, limit, (&fields, &described))
}

impl<'o> Question<'o> {
    fn read(options: &'o Reducing) -> anyhow::Result<Self> {
        let relation = options.related.relation()?;
        Ok(Self { options, table: options.table()?, relation, notion: options.notion()? })
    }

    fn under(&self, session: &Session) -> anyhow::Result<UnderRelation<'_>> {
        let all = self.table.all_attributes();
        Ok(UnderRelation::new(&self.table, &all, self.relation, self.notion, &session.progress)?)
    }

    fn give(&self, what: &str, attrs: &AttrSet) -> anyhow::Result<()> {
        let n_attributes = self.table.n_attributes();
        let json = || {
            let names = self.table.names(attrs);
            let (relation, size) = (self.relation.to_string(), names.len());
            json!({
                "notion": self.notion, "relation": relation, what: names, "size": size, "n_attributes": n_attributes,
            })
        };
        let text = || {
            let label = format!("{what} ({}, {} of {n_attributes} attributes)", self.described(), attrs.len());
            format!("{label}\n  {}\n", names(&self.table, attrs, true))
        };
        self.options.answer().give(Sheet::ALL_FIELDS, json, text)
    }

    /// What is preserved, and under which relation.
    fn described(&self) -> String {
        format!("{}, {}", self.notion, self.relation)
    }
}
