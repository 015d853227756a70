//! The discernibility matrix and the discernibility function of a table (Skowron & Rauszer, *The discernibility matrices
//! and functions in information systems*, in: Intelligent Decision Support, Kluwer 1992), for tables that are small enough
//! to be looked at. Searches for reducts never make the matrix.

use super::hitting::{Clause, Enumeration, MinimalClauses, minimal_hitting_sets};
use super::{Notion, Partition, RoughError};
use crate::table::{AttrIdx, AttrSet, DecisionTable};

/// The most objects whose matrix is made.
const MAX_OBJECTS: usize = 1_000;
const TASK: &str = "the discernibility matrix";

/// For every two objects that a notion labels differently, the attributes that tell them apart.
#[derive(Debug, Clone)]
pub struct DiscernibilityMatrix {
    labels: Vec<u32>,
    /// Below the diagonal, row by row: bit i is the attribute number i. Empty where the labels are equal.
    entries: Vec<u128>,
}

/// A discernibility function in its conjunctive and in its disjunctive normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscernibilityFunction {
    /// The clauses that are left after absorption, ascending: each holds the attributes of which one is needed. None if
    /// the function is always true.
    pub clauses: Vec<AttrSet>,
    /// Its prime implicants, ascending: the reducts.
    pub reducts: Enumeration<AttrSet>,
}

impl DiscernibilityMatrix {
    /// The matrix of all objects of `table`. Equal objects have equal rows, and equal attributes have no entry: under
    /// [`Notion::Information`] every two objects that differ have one, whatever they decide.
    ///
    /// # Errors
    /// When the table has more than 1,000 objects or more than 128 attributes.
    ///
    /// ```
    /// use roughboard::rough::{DiscernibilityMatrix, Notion};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    /// let matrix = DiscernibilityMatrix::of(&table, Notion::Positive).unwrap();
    /// assert_eq!(table.names(&matrix.entry(2, 0).unwrap()), ["a", "b"]);
    /// assert_eq!(matrix.entry(2, 1), None);
    /// assert_eq!(table.names(&matrix.function(9).clauses[0]), ["a"]);
    /// ```
    pub fn of(table: &DecisionTable, notion: Notion) -> Result<Self, RoughError> {
        RoughError::check_width(TASK, table.n_attributes())?;
        RoughError::check_objects(TASK, table.n_objects(), MAX_OBJECTS)?;
        let partition = Partition::by(table, &table.all_attributes());
        let of_class = notion.labels(table, &partition);
        let labels: Vec<u32> = (0..table.n_objects()).map(|object| of_class[partition.class_of(object)]).collect();
        let differences = |a: usize, b: usize| {
            let differs = |(at, _): &(usize, _)| table.attributes()[*at].code(a) != table.attributes()[*at].code(b);
            table.attributes().iter().enumerate().filter(differs).fold(0, |set, (at, _)| set | 1 << at)
        };
        let entry = |a: usize, b: usize| if labels[a] == labels[b] { 0 } else { differences(a, b) };
        let entries = (0..labels.len()).flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| entry(a, b)).collect();
        Ok(Self { labels, entries })
    }

    /// The number of objects.
    pub const fn n_objects(&self) -> usize {
        self.labels.len()
    }

    /// The attributes that tell two objects apart; none if they need not be told apart.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn entry(&self, a: usize, b: usize) -> Option<AttrSet> {
        (self.labels[a] != self.labels[b]).then(|| attributes(self.bits(a, b)))
    }

    /// The discernibility function of the table, with at most `limit` reducts.
    pub fn function(&self, limit: usize) -> DiscernibilityFunction {
        function(self.entries.iter().copied(), limit)
    }

    /// The discernibility function of one object, with at most `limit` of its reducts: minimal sets of attributes that
    /// tell it from all objects of another label, which are what its minimal rules ask for.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn function_of(&self, object: usize, limit: usize) -> DiscernibilityFunction {
        function((0..self.n_objects()).map(|other| self.bits(object, other)), limit)
    }

    fn bits(&self, a: usize, b: usize) -> u128 {
        if a == b {
            return 0;
        }
        let (row, column) = (a.max(b), a.min(b));
        self.entries[row * (row - 1) / 2 + column]
    }
}

/// The function of these entries, of which the empty ones say nothing.
fn function(entries: impl Iterator<Item = u128>, limit: usize) -> DiscernibilityFunction {
    let mut minimal = MinimalClauses::default();
    entries.filter(|entry| *entry != 0).for_each(|entry| minimal.absorb(entry));
    let clauses = minimal.into_sorted();
    let reducts = minimal_hitting_sets(&clauses, limit).named(|set| attributes(*set));
    let mut clauses: Vec<AttrSet> = clauses.into_iter().map(attributes).collect();
    clauses.sort();
    DiscernibilityFunction { clauses, reducts }
}

fn attributes(bits: u128) -> AttrSet {
    bits.elements().map(AttrIdx::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven objects with four attributes and a decision, of which the last two are equal but for the decision.
    fn table() -> DecisionTable {
        let rows = ["10201", "10010", "20021", "02120", "12102", "01222", "01221"];
        let cells: Vec<Vec<String>> = rows.iter().map(|row| row.chars().map(String::from).collect()).collect();
        DecisionTable::from_rows(&["a", "b", "c", "d"], "e", &cells).unwrap()
    }

    #[test]
    fn an_entry_holds_what_differs_and_is_there_where_labels_differ() {
        let table = table();
        for notion in [Notion::Positive, Notion::Generalized, Notion::Information] {
            let matrix = DiscernibilityMatrix::of(&table, notion).unwrap();
            for (a, b) in (0..7).flat_map(|a| (0..7).map(move |b| (a, b))) {
                let differs = |&at: &usize| table.attributes()[at].code(a) != table.attributes()[at].code(b);
                let differing: AttrSet = (0..4).filter(differs).map(AttrIdx::new).collect();
                let decided = |row: usize| table.decision().code(row);
                let inconsistent = |row: usize| row >= 5;
                let labelled = match notion {
                    Notion::Information => !differing.is_empty(),
                    _ => inconsistent(a) != inconsistent(b) || !inconsistent(a) && decided(a) != decided(b),
                };
                assert_eq!(matrix.entry(a, b), labelled.then_some(differing), "{notion} {a} {b}");
            }
        }
    }

    #[test]
    fn reducts_of_the_function_are_those_of_the_table() {
        let table = table();
        for notion in [Notion::Positive, Notion::Information] {
            let function = DiscernibilityMatrix::of(&table, notion).unwrap().function(usize::MAX);
            let quotient = crate::rough::Quotient::new(&table, &table.all_attributes(), notion);
            let reducts = quotient.reducts_until(usize::MAX, &|| false, &crate::observe::Silent).found;
            let mut attrs: Vec<AttrSet> = reducts.iter().map(|reduct| reduct.attrs().clone()).collect();
            attrs.sort();
            assert_eq!((function.reducts.found, function.reducts.complete), (attrs, true));
        }
    }

    #[test]
    fn too_many_objects_are_refused_with_their_number() {
        let rows: Vec<[String; 2]> = (0..1001).map(|n| [n.to_string(), (n % 2).to_string()]).collect();
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let error = DiscernibilityMatrix::of(&table, Notion::Positive).unwrap_err().to_string();
        assert_eq!(error, "the discernibility matrix takes at most 1000 objects, got 1001");
    }
}
