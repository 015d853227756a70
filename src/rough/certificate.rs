//! Certificates: what makes a reduct checkable by others, without the code that found it.
//!
//! A reduct is two claims. *It preserves the notion*: objects that agree on it have one label, which is checked by
//! grouping the objects anew. *Nothing in it is dispensable*: for each attribute there are two objects of different
//! labels that agree on all others, which is checked by looking at them. A bound on the size of every reduct rests on
//! pairs of objects too: a reduct must tell each of them apart.

mod bound;
mod find;
mod label;
mod refutation;
mod verify;

use serde::{Deserialize, Serialize};

use super::{Notion, Reduct};
use crate::observe::Observer;
use crate::table::{AttrIdx, DecisionTable};
use bound::{Need, PairClauses};
use find::Finder;
pub use refutation::Refutation;

/// How much is done for a bound before it is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A minute or so.
    Full,
    /// A few seconds at most.
    Small,
}

impl Effort {
    /// Rows that are compared for pairs.
    const fn rows(self) -> usize {
        match self {
            Self::Full => 1_000_000_000,
            Self::Small => 50_000_000,
        }
    }

    /// Clauses that are looked at.
    const fn steps(self) -> usize {
        2 * self.rows()
    }
}

/// The claim that attributes are a reduct of a table, with what is needed to check it.
///
/// Its fields are open and promise nothing: [`Certificate::verify`] tells what holds. Objects are named by their rows
/// ([`DecisionTable::row_of`]); as JSON, rows are numbered from 1, as on the command line.
///
/// ```
/// use roughboard::rough::{Certificate, Method, Notion, Pair, Reduct};
/// use roughboard::table::DecisionTable;
/// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"]];
/// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
/// let mut certificate = Certificate::of(&table, &Reduct::of(&table, Notion::Positive, Method::Greedy)).unwrap();
/// assert_eq!(certificate.attributes, ["a"]);
/// assert_eq!(certificate.witnesses[0].objects, Pair(0, 1));
/// assert_eq!(certificate.verify(&table), Ok(()));
/// certificate.attributes = vec!["b".to_owned()];
/// let refutation = certificate.verify(&table).unwrap_err().to_string();
/// assert_eq!(refutation, "objects 1 and 2 agree on all attributes kept (b = 0), but have the labels d = x and d = y");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What the attributes preserve.
    pub notion: Notion,
    /// The names of the attributes of the reduct.
    pub attributes: Vec<String>,
    /// For each of them why it is indispensable.
    pub witnesses: Vec<Witness>,
    /// How many attributes every reduct has at least, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<LowerBound>,
}

/// Two objects that only one attribute of a reduct tells apart, although they have different labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The attribute.
    pub attribute: String,
    /// The objects: they agree on every other attribute of the reduct.
    pub objects: Pair,
}

/// Pairs of objects with different labels, which no set of fewer than `size` attributes all tells apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LowerBound {
    /// Every set of attributes that preserves the notion has at least this many.
    pub size: usize,
    /// The pairs.
    pub pairs: Vec<Pair>,
}

/// Two objects of a table, by the rows that they come from: counted from 0, in JSON a list of two numbers from 1. All objects
/// of a row have one description, and so one label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "[u32; 2]", into = "[u32; 2]")]
pub struct Pair(pub u32, pub u32);

impl Pair {
    /// A pair of objects of `table`, by their rows.
    fn by_rows(self, table: &DecisionTable) -> Self {
        Self(table.row_of(self.0), table.row_of(self.1))
    }

    /// The objects of `table` that come from these rows, or else the row that has none.
    fn objects(self, table: &DecisionTable) -> Result<Self, u32> {
        let object = |row: u32| table.object_of_row(row).ok_or(row);
        Ok(Self(object(self.0)?, object(self.1)?))
    }
}

impl TryFrom<[u32; 2]> for Pair {
    type Error = &'static str;

    fn try_from([a, b]: [u32; 2]) -> Result<Self, Self::Error> {
        let from_zero = |number: u32| number.checked_sub(1).ok_or("objects are numbered from 1, found 0");
        Ok(Self(from_zero(a)?, from_zero(b)?))
    }
}

impl From<Pair> for [u32; 2] {
    fn from(Pair(a, b): Pair) -> Self {
        [a.saturating_add(1), b.saturating_add(1)]
    }
}

impl Certificate {
    /// The certificate of `reduct`, which is one of `table` with all its attributes.
    ///
    /// # Errors
    /// When `table` refutes it: `reduct` was found in another table.
    ///
    /// # Panics
    /// When the reduct holds an attribute that the table lacks.
    pub fn of(table: &DecisionTable, reduct: &Reduct) -> Result<Self, Refutation> {
        let name = |attr: AttrIdx| table.attribute(attr).name().to_owned();
        let witness = |(attr, objects): (AttrIdx, Option<Pair>)| match objects {
            Some(objects) => Ok(Witness { attribute: name(attr), objects: objects.by_rows(table) }),
            None => Err(Refutation::NoWitness(name(attr))),
        };
        let found = Finder::of(table, reduct.notion()).witnesses(reduct.attrs());
        let witnesses = found.into_iter().map(witness).collect::<Result<Vec<_>, _>>()?;
        let attributes = reduct.attrs().iter().map(name).collect();
        let certificate = Self { notion: reduct.notion(), attributes, witnesses, lower_bound: None };
        certificate.verify(table).map(|()| certificate)
    }

    /// All pairs of objects that it names, to be numbered anew.
    pub fn pairs_mut(&mut self) -> impl Iterator<Item = &mut Pair> {
        let bound = self.lower_bound.iter_mut().flat_map(|bound| &mut bound.pairs);
        self.witnesses.iter_mut().map(|witness| &mut witness.objects).chain(bound)
    }

    /// Adds a lower bound on the size of every reduct that [`Certificate::verify`] can confirm: the size of the shortest
    /// reduct, unless that takes too long; then less, or nothing. If it reaches the number of attributes kept, no reduct
    /// is shorter than this one.
    #[must_use]
    pub fn with_lower_bound(self, table: &DecisionTable, effort: Effort, observer: &dyn Observer) -> Self {
        Self { lower_bound: lower_bound(table, self.notion, effort, observer), ..self }
    }

    /// How many attributes every reduct has at least, as far as the certificate proves it.
    pub fn least(&self) -> usize {
        self.lower_bound.as_ref().map_or(0, |bound| bound.size)
    }
}

/// The largest bound that was proved within the limits, if any attribute is needed, by implicit hitting sets
/// (Moreno-Centeno & Karp 2013).
///
/// A smallest set that tells the pairs found so far apart either preserves the notion, and then it is a shortest
/// reduct, or it leaves a pair in conflict, which is added. So the pairs are few, whatever the size of the table.
fn lower_bound(table: &DecisionTable, notion: Notion, effort: Effort, observer: &dyn Observer) -> Option<LowerBound> {
    let finder = Finder::of(table, notion);
    let max_pairs = effort.rows() / (finder.n_rows() * table.n_attributes()).max(1);
    let (mut clauses, mut pairs, mut proved) = (PairClauses::of(table, &[]), Vec::new(), None);
    let (mut size, mut steps) = (1, 0);
    observer.begin("lower bound", table.n_attributes() as u64);
    while steps <= effort.steps() {
        let (need, looked_at) = clauses.need(size);
        steps += looked_at;
        match need {
            Need::Proved => {
                proved = Some(LowerBound { size, pairs: Vec::clone(&pairs) });
                observer.advance(1);
                size += 1;
            }
            Need::Refuted(smaller) if pairs.len() < max_pairs => {
                let Some(pair): Option<Pair> = finder.tight_conflict(&smaller) else { break };
                clauses.add(table, pair);
                pairs.push(pair.by_rows(table));
                observer.advance(0);
            }
            Need::Refuted(_) | Need::Open => break,
        }
    }
    observer.end();
    proved
}
