//! Why the built-in evaluators of each game say what they say.

use roughboard::eval::Catalogue;
use roughboard::eval::connect6::default_values_text;
use roughboard::eval::network::Part;
use roughboard::eval::xiangqi::{Share, traditional};
use roughboard::games::connect6::Connect6;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::report::Table;
use serde_json::{Value, json};

use super::explained;

/// Reasons for people and for programs.
pub struct Reasons {
    /// For people.
    pub tables: Vec<Table>,
    /// The name of what JSON has of them.
    pub name: &'static str,
    /// What JSON has of them.
    pub json: Value,
}

/// A game whose evaluators give reasons.
pub trait Explained: Catalogue {
    /// Why the built-in evaluator called `name` says what it says of `position`; `None` if the name is none of theirs.
    fn reasons(name: &str, position: &Self) -> anyhow::Result<Option<Reasons>>;

    /// What the parts of a network's explanation say of the points of the board, as the board; `None` if they say nothing.
    fn board(_parts: &[Part]) -> Option<Table> {
        None
    }

    /// The text of the values of the default evaluator, for users to edit; `None` if it has none.
    fn values() -> Option<&'static str> {
        None
    }
}

impl Explained for Xiangqi {
    fn reasons(name: &str, position: &Self) -> anyhow::Result<Option<Reasons>> {
        let Some(evaluator) = traditional(name)? else { return Ok(None) };
        let shares = evaluator.explain(position);
        let json = shares.iter().map(term_json).collect();
        Ok(Some(Reasons { tables: vec![terms_table(&shares)], name: "terms", json }))
    }

    fn board(parts: &[Part]) -> Option<Table> {
        explained::xiangqi_board(parts)
    }
}

impl Explained for Connect6 {
    fn reasons(_name: &str, _position: &Self) -> anyhow::Result<Option<Reasons>> {
        Ok(None)
    }

    fn values() -> Option<&'static str> {
        Some(default_values_text())
    }
}

fn term_json(share: &Share) -> Value {
    json!({ "term": share.term.name(), "red": share.red, "black": share.black, "difference": share.lead() })
}

/// One row a term, and their sum.
fn terms_table(shares: &[Share]) -> Table {
    let mut table = Table::new("Terms, in points", &["term"], &["red", "black", "difference"]);
    let mut row = |name: &str, red: i32, black: i32| {
        table.push([name.into(), i64::from(red).into(), i64::from(black).into(), i64::from(red - black).into()]);
    };
    shares.iter().for_each(|share| row(share.term.name(), share.red, share.black));
    let sum = |of: fn(&Share) -> i32| shares.iter().map(of).sum();
    row("sum", sum(|share| share.red), sum(|share| share.black));
    table
}
