//! Why the built-in evaluators of each game say what they say.

use roughboard::eval::connect6::{Explanation, default_values_text, static_evaluator};
use roughboard::eval::network::{self, Part};
use roughboard::eval::surakarta;
use roughboard::eval::xiangqi::{Share, traditional};
use roughboard::eval::{Catalogue, PolicyValue, priors_of};
use roughboard::game::{Game, Side};
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::report::{Align, Cell, Column, Table};
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

/// What a network sees in a position of `G`.
pub fn of_network<G: Explained>(explanation: &network::Explanation) -> Reasons {
    let first = G::SIDES[0];
    let tables = [
        Some(explained::summary(explanation, first)),
        G::board(&explanation.parts),
        Some(explained::list(&explanation.parts, first)),
        explained::rules(&explanation.rules),
    ];
    Reasons {
        tables: tables.into_iter().flatten().collect(),
        name: "network",
        json: explained::to_json(explanation, first),
    }
}

/// The moves of `position` by the priors that `network` gives them.
pub fn of_policy<G: Explained>(network: &dyn PolicyValue<G>, position: &G) -> Reasons {
    let mut priors = priors_of(network, position);
    priors.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut table = Table::new("How promising the moves look before any search", &["move"], &["prior"]);
    for (mv, prior) in &priors {
        table.push([mv.to_string().into(), Cell::real(f64::from(*prior), 4)]);
    }
    let json = priors.iter().map(|(mv, prior)| json!({ "move": mv.to_string(), "prior": prior })).collect();
    Reasons { tables: vec![table], name: "priors", json }
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
    fn reasons(name: &str, position: &Self) -> anyhow::Result<Option<Reasons>> {
        let Some(evaluator) = static_evaluator(name)? else { return Ok(None) };
        let explanation = evaluator.explain(position);
        let tables = vec![stretches_table(&explanation), segments_table(&explanation), sums_table(&explanation)];
        Ok(Some(Reasons { tables, name: "static", json: explanation_json(&explanation) }))
    }

    fn values() -> Option<&'static str> {
        Some(default_values_text())
    }
}

impl Explained for Surakarta {
    fn reasons(name: &str, position: &Self) -> anyhow::Result<Option<Reasons>> {
        let Some(evaluator) = surakarta::material(name) else { return Ok(None) };
        let shares = evaluator.explain(position);
        let json = shares.iter().map(share_json).collect();
        Ok(Some(Reasons { tables: vec![shares_table(&shares)], name: "material", json }))
    }
}

fn share_json(share: &surakarta::Share) -> Value {
    let [red, black] = share.counts;
    json!({ "part": share.name, "red": red, "black": black, "worth": share.worth, "difference": share.lead() })
}

/// One row for what is counted of both sides.
fn shares_table(shares: &[surakarta::Share]) -> Table {
    let caption = "What is counted, and what red's lead is worth to it";
    let mut table = Table::new(caption, &["part"], &["red", "black", "worth of one", "difference"]);
    for share in shares {
        let [red, black] = share.counts;
        table.push([
            share.name.into(),
            red.into(),
            black.into(),
            i64::from(share.worth).into(),
            i64::from(share.lead()).into(),
        ]);
    }
    table
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

const fn name_of(side: Side) -> &'static str {
    Connect6::SIDES[side.index()]
}

/// One row a stretch of a line.
fn stretches_table(explanation: &Explanation) -> Table {
    let left = ["side", "line", "from", "to", "stones", "class"].map(|name| (name, Align::Left));
    let columns = left.into_iter().chain([("worth", Align::Right)]);
    let columns = columns.map(|(name, align)| Column { name: name.to_owned(), align }).collect();
    let mut table = Table::with_columns("Stretches of lines without a stone of the other side", columns);
    for share in &explanation.stretches {
        let [from, to] = share.ends.map(|point| point.name().into());
        let row = [name_of(share.side).into(), share.line.as_str().into(), from, to];
        let content = [share.content.to_string().into(), share.pattern.name().into(), share.worth.into()];
        table.push(row.into_iter().chain(content));
    }
    table
}

/// One row for the segments of a side with equally many stones.
fn segments_table(explanation: &Explanation) -> Table {
    let caption = "Segments, six points in a row, with stones of one side only";
    let mut table = Table::new(caption, &["side"], &["stones", "segments", "worth"]);
    for share in &explanation.segments {
        table.push([name_of(share.side).into(), share.stones.into(), share.count.into(), share.worth.into()]);
    }
    table
}

/// What all of it adds up to for each side.
fn sums_table(explanation: &Explanation) -> Table {
    let mut table = Table::new("Sums", &["part"], &Connect6::SIDES);
    for (part, [black, white]) in sums(explanation) {
        table.push([part.into(), black.into(), white.into()]);
    }
    table
}

/// What stretches, segments and stones to come are worth to each side.
fn sums(explanation: &Explanation) -> [(&'static str, [i64; 2]); 3] {
    let (mut stretches, mut segments, mut stones) = ([0; 2], [0; 2], [0; 2]);
    explanation.stretches.iter().for_each(|share| stretches[share.side.index()] += share.worth);
    explanation.segments.iter().for_each(|share| segments[share.side.index()] += share.worth);
    stones[explanation.side_to_move.index()] = explanation.stones_to_come;
    [("stretches", stretches), ("segments", segments), ("stones to come", stones)]
}

fn explanation_json(explanation: &Explanation) -> Value {
    let stretches = explanation.stretches.iter().map(|share| {
        json!({
            "side": name_of(share.side),
            "line": share.line,
            "from": share.ends[0].name(),
            "to": share.ends[1].name(),
            "stones": share.content.to_string(),
            "class": share.pattern.name(),
            "worth": share.worth,
        })
    });
    let segments = explanation.segments.iter().map(|share| {
        json!({
            "side": name_of(share.side),
            "stones": share.stones,
            "segments": share.count,
            "worth": share.worth,
        })
    });
    json!({
        "stretches": stretches.collect::<Vec<_>>(),
        "segments": segments.collect::<Vec<_>>(),
        "stones_to_come": explanation.stones_to_come,
    })
}
