//! How much each attribute matters: by the dependency γ, by entropy and by Gini impurity.
//!
//! Leaving an attribute out merges those classes of U/IND(B) whose rows agree on the others. They are found by XORing the
//! attribute out of the keys of all rows; all other classes, and what they contribute, stay as they are.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::conflict::Collisions;
use super::kinds::by_counting;
use super::quotient::compare;
use super::{Approximations, Distribution, Fraction, Notion, Partition, Quotient};
use crate::table::{AttrIdx, AttrSet, Code, DecisionTable, in_steps, with_codes};

/// Up to this many pairs of value and decision are counted in an array.
const MAX_COUNTERS: usize = 1 << 22;

/// What one attribute a of B tells about the decision d. Entropies are in bits.
#[derive(Debug, Clone, PartialEq)]
pub struct Significance {
    /// The attribute a.
    pub attr: AttrIdx,
    /// Whether a is in the core: without it the positive region shrinks.
    pub in_core: bool,
    /// σ_B(a) = γ_B - γ_{B∖a} (Pawlak 1991, section 4.5, before normalisation).
    pub inner: Fraction,
    /// (γ_B - γ_{B∖a}) / γ_B = 1 - γ_{B∖a} / γ_B; 0/0 if γ_B is 0, which then says nothing.
    pub normalised: Fraction,
    /// γ_{a}: what a decides alone.
    pub outer: Fraction,
    /// H(d|B∖a) - H(d|B): what is lost without a.
    pub entropy_loss: f64,
    /// H(d|a): what is open if a alone is known.
    pub entropy: f64,
    /// H(d) - H(d|a): the information gain of a alone.
    pub gain: f64,
    /// The Gini impurity Σ |E|/|U| · (1 - Σ μ_k(E)²) over the classes E of a alone.
    pub gini: f64,
}

/// What the attributes of B tell together, and each of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Significances {
    /// γ_B.
    pub gamma: Fraction,
    /// H(d): what is open if nothing is known.
    pub decision_entropy: f64,
    /// H(d|B): what is open if all of B is known.
    pub entropy: f64,
    /// The Gini impurity of the decision itself.
    pub decision_gini: f64,
    /// The attributes: the largest σ first, then the largest loss of entropy, the largest γ alone, the largest gain, the
    /// first in the table.
    pub attributes: Vec<Significance>,
}

impl Significances {
    /// The significance of each of `attrs` for the decision of `table`.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    ///
    /// ```
    /// use roughboard::rough::{Fraction, Significances};
    /// use roughboard::table::{AttrIdx, DecisionTable};
    /// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    /// let first = &Significances::of(&table, &table.all_attributes()).attributes[0];
    /// assert_eq!((first.attr, first.inner), (AttrIdx::new(0), Fraction::new(2, 3)));
    /// ```
    pub fn of(table: &DecisionTable, attrs: &AttrSet) -> Self {
        let whole = Whole::new(table, attrs);
        let list: Vec<AttrIdx> = attrs.iter().collect();
        let one = |memory: &mut Memory, &attr: &AttrIdx| whole.significance(attr, memory);
        let mut attributes: Vec<Significance> =
            list.par_iter().map_init(|| Memory { keys: whole.keys.clone(), ..Memory::default() }, one).collect();
        attributes.sort_by_key(|of| Reverse(of.rank()));
        Self {
            gamma: whole.approximations.gamma(),
            decision_entropy: whole.decision.entropy / whole.total(),
            entropy: whole.entropy,
            decision_gini: whole.decision.gini / whole.total(),
            attributes,
        }
    }
}

impl Significance {
    /// What attributes are ordered by: not by what rounding makes of entropies.
    fn rank(&self) -> (u64, i64, u64, i64) {
        let steps = |bits: f64| in_steps(bits) as i64;
        (self.inner.numerator, steps(self.entropy_loss), self.outer.numerator, steps(self.gain))
    }
}

/// What a class, or several, contribute to the measures, in weights of objects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Contribution {
    positive: u64,
    pub entropy: f64,
    pub gini: f64,
}

sums!(Contribution { positive, entropy, gini });

impl Contribution {
    /// That of a class with these weights of decisions, each of which occurs.
    pub fn of(weights: impl Iterator<Item = u64> + Clone) -> Self {
        let (mut whole, mut n_decisions) = (0, 0);
        weights.clone().for_each(|weight| (whole, n_decisions) = (whole + weight, n_decisions + 1));
        let mut part = Self { positive: if n_decisions == 1 { whole } else { 0 }, ..Self::default() };
        if n_decisions < 2 {
            return part;
        }
        for weight in weights.filter(|&weight| weight > 0).map(|weight| weight as f64) {
            part.entropy += weight * (whole as f64 / weight).log2();
            part.gini += weight * (1.0 - weight / whole as f64);
        }
        part
    }
}

/// The table seen through all of B.
struct Whole<'t> {
    table: &'t DecisionTable,
    approximations: Approximations<'t>,
    quotient: Quotient,
    keys: Vec<u64>,
    core: AttrSet,
    /// H(d|B).
    entropy: f64,
    /// Of all objects as one class.
    decision: Contribution,
}

/// Working memory of one thread.
#[derive(Default)]
struct Memory {
    keys: Vec<u64>,
    collisions: Collisions,
}

impl<'t> Whole<'t> {
    fn new(table: &'t DecisionTable, attrs: &AttrSet) -> Self {
        let approximations = Approximations::of(table, attrs);
        let quotient = Quotient::from_partition(table, attrs, Notion::Positive, approximations.partition());
        let (keys, core) = (quotient.keys(attrs), quotient.core());
        let decision = Contribution::of(table.decision_weights().into_iter().filter(|&weight| weight > 0));
        let mut whole = Self { table, approximations, quotient, keys, core, entropy: 0.0, decision };
        whole.entropy = (0..whole.quotient.n_rows()).map(|row| whole.part(row).entropy).sum::<f64>() / whole.total();
        whole
    }

    fn total(&self) -> f64 {
        self.table.total_weight() as f64
    }

    fn distribution(&self) -> &Distribution {
        self.approximations.distribution()
    }

    /// The contribution of one class of U/IND(B).
    fn part(&self, row: usize) -> Contribution {
        Contribution::of(self.distribution().of_class(row).iter().map(|entry| entry.1))
    }

    fn significance(&self, attr: AttrIdx, memory: &mut Memory) -> Significance {
        let total = self.table.total_weight();
        let gamma = self.approximations.gamma().numerator;
        let (lost, entropy_loss) = self.lost_without(attr, memory);
        let alone = alone(self.table, attr);
        Significance {
            attr,
            in_core: self.core.contains(attr),
            inner: Fraction::new(lost, total),
            normalised: Fraction::new(lost, gamma),
            outer: Fraction::new(alone.positive, total),
            entropy_loss: entropy_loss / self.total(),
            entropy: alone.entropy / self.total(),
            gain: ((self.decision.entropy - alone.entropy) / self.total()).max(0.0),
            gini: alone.gini / self.total(),
        }
    }

    /// The weight that leaves the positive region without `attr`, and what entropy that adds, in weights.
    fn lost_without(&self, attr: AttrIdx, memory: &mut Memory) -> (u64, f64) {
        let others = self.quotient.selected(&self.quotient.attributes().without(attr));
        self.quotient.toggle(&mut memory.keys, attr);
        let suspects = memory.collisions.suspects(&memory.keys);
        let mut keyed: Vec<(u64, u32)> = suspects.iter().map(|&row| (memory.keys[row as usize], row)).collect();
        keyed.sort_unstable();
        let (mut lost, mut entropy) = (0, 0.0);
        for run in keyed.chunk_by_mut(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            // Rows with one key agree, unless keys collided: then sorting parts them.
            run.sort_by(|a, b| compare(&others, a.1, b.1).then(a.1.cmp(&b.1)));
            for merged in run.chunk_by(|a, b| compare(&others, a.1, b.1).is_eq()) {
                let (before, after) = self.merge(merged);
                lost += before.positive - after.positive;
                entropy += (after.entropy - before.entropy).max(0.0);
            }
        }
        self.quotient.toggle(&mut memory.keys, attr);
        (lost, entropy)
    }

    /// What some classes contribute each for itself, and made one.
    fn merge(&self, rows: &[(u64, u32)]) -> (Contribution, Contribution) {
        let before = rows.iter().map(|row| self.part(row.1 as usize)).sum();
        let mut entries: Vec<(u32, u64)> =
            rows.iter().flat_map(|row| self.distribution().of_class(row.1 as usize)).copied().collect();
        entries.sort_unstable();
        let weights = entries.chunk_by(|a, b| a.0 == b.0).map(|run| run.iter().map(|entry| entry.1).sum());
        (before, Contribution::of(weights))
    }
}

/// What the classes of one attribute alone contribute.
fn alone(table: &DecisionTable, attr: AttrIdx) -> Contribution {
    let (attribute, n_decisions) = (table.attribute(attr), table.n_decisions());
    if attribute.n_values().saturating_mul(n_decisions) > MAX_COUNTERS {
        let classes = Distribution::of(table, &Partition::by(table, &[attr].into_iter().collect()));
        let part = |class: usize| Contribution::of(classes.of_class(class).iter().map(|entry| entry.1));
        return (0..classes.n_classes()).map(part).sum();
    }
    let cell = |(row, code)| (code, table.decision().code(row), table.weight(row));
    with_codes!(attribute.codes(), codes => {
        let cells = codes.iter().map(|code| code.index() as u32).enumerate().map(cell);
        by_counting(cells, attribute.n_values(), n_decisions, |weights| Contribution::of(weights.iter().copied()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Weights};

    #[test]
    fn a_class_contributes_its_entropy_and_impurity() {
        assert_eq!(Contribution::of([7].into_iter()), Contribution { positive: 7, entropy: 0.0, gini: 0.0 });
        assert_eq!(Contribution::of([2, 2].into_iter()), Contribution { positive: 0, entropy: 4.0, gini: 2.0 });
        assert_eq!(Contribution::of([2, 2, 4].into_iter()), Contribution { positive: 0, entropy: 12.0, gini: 5.0 });
        assert_eq!(Contribution::of([0, 3].into_iter()), Contribution::default());
        assert_eq!(Contribution::of(std::iter::empty()), Contribution::default());
    }

    /// Objects without a weight make their class inconsistent. Of 2101 values and decisions each there are too many pairs to be counted.
    #[test]
    fn classes_of_one_attribute_contribute_however_they_are_counted() {
        let table = |a: Vec<i64>, d: Vec<i64>, weights: Weights| {
            let decision = Attribute::from_integers("d", d);
            DecisionTable::new(vec![Attribute::from_integers("a", a)], decision, weights).unwrap()
        };
        let few = table(vec![0, 0, 1, 1, 2], vec![0, 1, 1, 2, 2], Weights::Counts(vec![3, 0, 2, 2, 5]));
        let first = AttrIdx::new(0);
        assert_eq!(alone(&few, first), Contribution { positive: 5, entropy: 4.0, gini: 2.0 });
        let significance = &Significances::of(&few, &few.all_attributes()).attributes[0];
        assert_eq!(significance.outer, Fraction::new(5, 12));
        let many = || (0..2101).collect::<Vec<i64>>();
        let table = table([many(), vec![0]].concat(), [many(), vec![1]].concat(), Weights::Unit);
        assert!(table.attribute(first).n_values() * table.n_decisions() > MAX_COUNTERS);
        assert_eq!(alone(&table, first), Contribution { positive: 2100, entropy: 2.0, gini: 1.0 });
    }

    /// `b` decides, `c` tells something alone, `a` nothing.
    #[test]
    fn the_most_significant_attribute_comes_first() {
        let rows = [["0", "0", "0", "x"], ["0", "0", "1", "x"], ["0", "1", "1", "y"], ["0", "1", "1", "y"]];
        let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
        let found = Significances::of(&table, &table.all_attributes());
        let order: Vec<&str> = found.attributes.iter().map(|one| table.attribute(one.attr).name()).collect();
        assert_eq!(order, ["b", "c", "a"]);
        assert_eq!(found.attributes[0].inner, Fraction::new(3, 4));
        assert_eq!((found.attributes[1].outer, found.attributes[2].outer), (Fraction::new(1, 4), Fraction::new(0, 4)));
    }
}
