//! Why evaluators say what they say, as it is shown.

use roughboard::eval::network::Explanation;
use roughboard::eval::{Catalogue, PolicyValue, Reasons, Sheet, priors_of};
use roughboard::report::{Cell, Table};
use serde_json::{Value, json};

use super::explained;

/// Reasons as they are shown.
pub struct ShownReasons {
    /// For people.
    pub tables: Vec<Table>,
    /// The name of what JSON has of them.
    pub name: &'static str,
    /// What JSON has of them.
    pub json: Value,
    /// What CSV has of them: what each part of the position is worth, or each move.
    pub csv: String,
}

impl From<Reasons> for ShownReasons {
    fn from(Reasons { sheets, name, json, .. }: Reasons) -> Self {
        let tables: Vec<Table> = sheets.into_iter().map(as_table).collect();
        let csv = tables.first().map_or_else(String::new, Table::to_csv);
        Self { tables, name, json, csv }
    }
}

/// What a network sees in a position of `G`.
pub fn of_network<G: Catalogue>(explanation: &Explanation) -> ShownReasons {
    let first = G::SIDES[0];
    let parts = explained::list(explanation, first);
    let csv = parts.to_csv();
    let tables = [
        Some(explained::summary(explanation, first)),
        G::board_of(explanation).map(as_table),
        Some(parts),
        explained::rules(&explanation.rules),
    ];
    let json = explained::to_json(explanation, first);
    ShownReasons { tables: tables.into_iter().flatten().collect(), name: "network", json, csv }
}

/// The moves of `position` by the priors that `network` gives them.
pub fn of_policy<G: Catalogue>(network: &dyn PolicyValue<G>, position: &G) -> ShownReasons {
    let mut priors = priors_of(network, position);
    priors.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut table = Table::new("How promising the moves look before any search", &["move"], &["prior"]);
    for (mv, prior) in &priors {
        table.push([mv.to_string().into(), Cell::real(f64::from(*prior), 4)]);
    }
    let json = priors.iter().map(|(mv, prior)| json!({ "move": mv.to_string(), "prior": prior })).collect();
    let csv = table.to_csv();
    ShownReasons { tables: vec![table], name: "priors", json, csv }
}

/// A sheet of reasons as it is printed.
fn as_table(Sheet { caption, names, numbers, rows }: Sheet) -> Table {
    let [names, numbers] = [&names, &numbers].map(|headings| headings.iter().map(String::as_str).collect::<Vec<_>>());
    let mut table = Table::new(caption, &names, &numbers);
    let cell = |value: Value| match value {
        Value::Number(number) => number.as_i64().map_or(Cell::Missing, Cell::Integer),
        Value::String(text) => Cell::Text(text),
        _ => Cell::Missing,
    };
    rows.into_iter().for_each(|row| table.push(row.into_iter().map(cell)));
    table
}
