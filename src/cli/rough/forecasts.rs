//! What was forecast for an object, as cells of CSV.

use roughboard::rough::{Basis, Votes};
use roughboard::table::Value;

/// The names of the cells.
pub const HEADER: [&str; 6] = ["object", "weight", "true", "predicted", "basis", "rules"];

/// A forecast for an object.
pub struct Forecast<'f> {
    /// The row that the object comes from, counted from 0.
    pub row: u32,
    pub weight: u64,
    /// Its decision, if that is known.
    pub truth: Option<&'f Value>,
    pub predicted: Option<&'f Value>,
    /// Of rules: what they rest on.
    pub basis: Option<Basis>,
}

impl Forecast<'_> {
    pub fn cells(&self) -> [String; 6] {
        let (basis, rules) = self.basis.map_or(("", String::new()), |basis| (word(basis), n_rules(basis).to_string()));
        let shown = |value: Option<&Value>| value.map(Value::to_string).unwrap_or_default();
        let (object, weight) = ((self.row + 1).to_string(), self.weight.to_string());
        [object, weight, shown(self.truth), shown(self.predicted), basis.to_owned(), rules]
    }
}

/// What a forecast of rules rests on, in one word.
pub const fn word(basis: Basis) -> &'static str {
    match basis {
        Basis::Matching(_) => "matching",
        Basis::Nearest(_) => "nearest",
        Basis::Majority => "majority",
    }
}

/// How many rules had a say.
pub const fn n_rules(basis: Basis) -> usize {
    match basis {
        Basis::Matching(n) | Basis::Nearest(n) => n,
        Basis::Majority => 0,
    }
}

/// The names of the cells with the votes for each decision.
pub fn vote_names(decisions: &[Value]) -> impl Iterator<Item = String> {
    decisions.iter().map(|value| format!("vote={value}"))
}

/// What spoke for each of so many decisions. Those that training did not see have no votes.
pub fn vote_cells(votes: &Votes, n_decisions: usize) -> impl Iterator<Item = String> {
    (0..n_decisions as u32).map(|class| votes.of(class).to_string())
}
