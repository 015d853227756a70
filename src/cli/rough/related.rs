//! Core and reducts under another relation than indiscernibility: `--relation` of `core`, `reduct` and `reducts`.

use roughboard::rough::{Method, Notion, Relation, UnderRelation};
use roughboard::table::{AttrSet, DecisionTable};
use serde_json::{Value as Json, json};

use super::reducing::Reducing;
use super::text::{listed_lines, names};
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

pub fn reduct(options: &Reducing, method: Method, session: &Session) -> anyhow::Result<()> {
    let question = Question::read(options)?;
    let under = question.under(session)?;
    let reduct = match method {
        Method::Backward => under.backward_reduct(&session.progress),
        _ => under.clauses(&session.progress)?.reduct(),
    };
    question.give("reduct", &reduct)
}

pub fn reducts(options: &Reducing, limit: usize, session: &Session) -> anyhow::Result<()> {
    let question = Question::read(options)?;
    let reducts = question.under(session)?.clauses(&session.progress)?.all_reducts(limit);
    let count = reducts.found.len();
    let json = || {
        let listed: Vec<_> = reducts.found.iter().map(|attrs| question.table.names(attrs)).collect();
        question.json(&[("count", json!(count)), ("complete", json!(reducts.complete)), ("reducts", json!(listed))])
    };
    let text = || {
        let line = |attrs: &AttrSet| format!("  {}\n", names(&question.table, attrs, true));
        let lines = listed_lines(reducts.found.iter().map(line), "reducts", options.answer().all);
        let state = if reducts.complete { "all" } else { "the limit was reached, there are more" };
        format!("{count} reducts ({}, {state})\n{lines}", question.described())
    };
    options.answer().give(json, text)
}

impl<'o> Question<'o> {
    fn read(options: &'o Reducing) -> anyhow::Result<Self> {
        let relation = options.related.relation()?;
        Ok(Self { options, table: options.table()?, relation, notion: options.notion })
    }

    fn under(&self, session: &Session) -> anyhow::Result<UnderRelation<'_>> {
        let all = self.table.all_attributes();
        Ok(UnderRelation::new(&self.table, &all, self.relation, self.notion, &session.progress)?)
    }

    fn give(&self, what: &str, attrs: &AttrSet) -> anyhow::Result<()> {
        let n_attributes = self.table.n_attributes();
        let json = || {
            let names = self.table.names(attrs);
            self.json(&[(what, json!(names)), ("size", json!(names.len())), ("n_attributes", json!(n_attributes))])
        };
        let text = || {
            let label = format!("{what} ({}, {} of {n_attributes} attributes)", self.described(), attrs.len());
            format!("{label}\n  {}\n", names(&self.table, attrs, true))
        };
        self.options.answer().give(json, text)
    }

    /// What is preserved, and under which relation.
    fn described(&self) -> String {
        format!("{}, {}", self.notion, self.relation)
    }

    fn json(&self, fields: &[(&str, Json)]) -> Json {
        let of_all = [("notion", json!(self.notion)), ("relation", json!(self.relation.to_string()))];
        let fields = of_all.iter().chain(fields).map(|(name, value)| ((*name).to_owned(), value.clone()));
        Json::Object(fields.collect())
    }
}
