//! Decision bireducts: which attributes decide which objects (Ślęzak & Janusz, *Ensembles of bireducts: towards robust
//! classification and simple representation*, FGIT 2011).

use rand::RngExt;

use super::kinds::Kinds;
use super::sampling::{Drawn, count_draws};
use crate::observe::{Observer, in_parallel};
use crate::random::stream;
use crate::settings::{SettingError, require};
use crate::table::{AttrIdx, AttrSet, DecisionTable};

/// A pair (B, X): B tells apart all objects of X with different decisions, no proper subset of B does, and no object can
/// be added to X.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bireduct {
    /// The attributes B.
    pub attrs: AttrSet,
    /// The objects X, ascending.
    pub objects: Vec<u32>,
    /// |X|: the weight of the objects.
    pub weight: u64,
}

/// The bireducts that `n` random orders of attributes and objects lead to, the most frequent first.
///
/// An order starts with all attributes and no object; an attribute is dropped where the objects chosen so far stay told
/// apart, an object is added where that holds with it. `ratio` says how much sooner an attribute is drawn than an
/// object: with 1 all orders are equally likely, with more the attributes come earlier, so that B and X are smaller. The
/// objects that a row stands for count each.
///
/// # Errors
/// When the ratio is not a finite number above 0.
///
/// # Panics
/// When `attrs` holds an attribute that the table lacks.
///
/// ```
/// use roughboard::observe::Silent;
/// use roughboard::rough::bireducts;
/// use roughboard::table::DecisionTable;
/// let rows = [["0", "x"], ["0", "y"], ["1", "y"]];
/// let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
/// for drawn in bireducts(&table, &table.all_attributes(), 20, 1.0, 1, &Silent).unwrap() {
///     assert_eq!(drawn.found.weight, if drawn.found.attrs.is_empty() && drawn.found.objects == [0] { 1 } else { 2 });
/// }
/// ```
pub fn bireducts(
    table: &DecisionTable,
    attrs: &AttrSet,
    n: u64,
    ratio: f64,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<Drawn<Bireduct>>, SettingError> {
    require(ratio.is_finite() && ratio > 0.0, "ratio", "a finite number above 0", ratio)?;
    let kinds = Kinds::new(table, attrs);
    let draw = |index: usize| kinds.bireduct(&kinds.order(ratio, seed, index as u64));
    let found = in_parallel(observer, "drawing bireducts", n as usize, draw);
    let named = |drawn: Drawn<(AttrSet, Vec<u32>)>| Drawn { found: kinds.name(drawn.found), times: drawn.times };
    Ok(count_draws(found).into_iter().map(named).collect())
}

/// What comes next in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// Try to drop the attribute.
    Attribute(AttrIdx),
    /// Try to add the objects of a kind.
    Kind(u32),
}

impl Kinds {
    /// A random order of attributes and kinds. Each waits for an exponentially distributed time, whose rate is `ratio`
    /// for an attribute and the weight for a kind: the order in which the first of its objects would be drawn.
    fn order(&self, ratio: f64, seed: u64, index: u64) -> Vec<Step> {
        let mut rng = stream(seed, "bireducts", index);
        let mut wait = |rate: f64| -(1.0 - rng.random::<f64>()).ln() / rate;
        let attributes = self.columns.iter().map(|&(attr, _)| (ratio, Step::Attribute(attr)));
        let kinds = (0..).zip(&self.weights).map(|(kind, &weight)| (weight as f64, Step::Kind(kind)));
        let mut order: Vec<(f64, Step)> = attributes.chain(kinds).map(|(rate, step)| (wait(rate), step)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        order.into_iter().map(|(_, step)| step).collect()
    }

    /// The attributes and the kinds, ascending, that `order` leads to.
    fn bireduct(&self, order: &[Step]) -> (AttrSet, Vec<u32>) {
        let mut attrs: AttrSet = self.columns.iter().map(|(attr, _)| *attr).collect();
        let (mut kinds, mut deciding) = (Vec::new(), self.deciding(&attrs, &[]).unwrap_or_default());
        for step in order {
            match *step {
                Step::Attribute(attr) => {
                    let without = attrs.without(attr);
                    if let Some(coarser) = self.deciding(&without, &kinds) {
                        (attrs, deciding) = (without, coarser);
                    }
                }
                Step::Kind(kind) if deciding.agrees(kind, self.decisions[kind as usize]) => kinds.push(kind),
                Step::Kind(_) => {}
            }
        }
        kinds.sort_unstable();
        (attrs, kinds)
    }

    /// The classes of `attrs` with the decision that `kinds` have in each; `None` if there are two in one.
    fn deciding(&self, attrs: &AttrSet, kinds: &[u32]) -> Option<Deciding> {
        let groups = self.groups(attrs);
        let mut deciding = Deciding { of_class: vec![None; groups.first.len()], class_of: groups.class_of };
        kinds.iter().all(|&kind| deciding.agrees(kind, self.decisions[kind as usize])).then_some(deciding)
    }

    /// The bireduct with the objects of the kinds.
    fn name(&self, (attrs, kinds): (AttrSet, Vec<u32>)) -> Bireduct {
        let mut chosen = vec![false; self.weights.len()];
        kinds.iter().for_each(|&kind| chosen[kind as usize] = true);
        let rows = 0..self.kind_of.len() as u32;
        let objects = rows.filter(|&row| chosen[self.kind_of[row as usize] as usize]).collect();
        Bireduct { attrs, objects, weight: kinds.iter().map(|&kind| self.weights[kind as usize]).sum() }
    }
}

/// The classes of a set of attributes, and the one decision of the chosen objects in each.
#[derive(Default)]
struct Deciding {
    class_of: Vec<u32>,
    of_class: Vec<Option<u32>>,
}

impl Deciding {
    /// Whether the class of `kind` has no other decision yet; then it has this one.
    fn agrees(&mut self, kind: u32, decision: u32) -> bool {
        *self.of_class[self.class_of[kind as usize] as usize].get_or_insert(decision) == decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_keeps_its_first_decision() {
        let mut deciding = Deciding { class_of: vec![0, 0, 1], of_class: vec![None, None] };
        assert_eq!(
            [(0, 5), (1, 5), (1, 6), (2, 6)].map(|(kind, decision)| deciding.agrees(kind, decision)),
            [true, true, false, true]
        );
    }
}
