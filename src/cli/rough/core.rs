//! `roughboard rough core`.

use roughboard::rough::Notion;
use serde_json::json;

use super::answer::Answer;
use super::engine::Fetching;
use super::reducing::Reducing;
use super::related;
use super::text::list_or_none;
use crate::cli::form::Sheet;
use crate::cli::session::Session;

#[derive(clap::Args)]
#[command(mut_args(super::source::undecided))]
pub struct Options {
    #[command(flatten)]
    pub reducing: Reducing,
    #[command(flatten)]
    pub fetching: Fetching,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let reducing = &options.reducing;
    if reducing.related.is_other() {
        return related::core(reducing, session);
    }
    let (quotient, _) = reducing.quotient()?;
    give(quotient.notion(), &quotient.names(&quotient.core()), quotient.attributes().len(), reducing.answer())
}

/// Gives the names of the attributes of a core.
pub fn give(notion: Notion, core: &[&str], n_attributes: usize, answer: &Answer) -> anyhow::Result<()> {
    let json = || json!({ "notion": notion, "core": core });
    let text = || {
        let label = format!("core ({notion}, {} of {n_attributes} attributes)", core.len());
        format!("{label}\n  {}\n", list_or_none(core, answer.is_in_full()))
    };
    answer.give(Sheet::ALL_FIELDS, json, text)
}
