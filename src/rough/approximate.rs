//! ε-approximate reducts: minimal attributes that keep nearly all of what the whole table says about the decision.

use rayon::prelude::*;

use super::{Distribution, Fraction, Method, Partition};
use crate::choices;
use crate::settings::{SettingError, require};
use crate::table::group::Groups;
use crate::table::{AttrIdx, AttrSet, Attribute, DecisionTable};

choices! {
    /// What is to be kept. Both measures are whole numbers of objects and never fall when attributes are added.
    #[derive(Hash)]
    pub enum Measure = Gamma {
        /// The weight of the positive region: γ_B · |U|.
        Gamma = "gamma",
        /// The weight of the objects with the heaviest decision of their class. Σ_E max_k |E ∩ X_k| (Ślęzak,
        /// *Normalized decision functions and measures for inconsistent decision tables analysis*, Fund. Inf. 44, 2000).
        Majority = "majority",
    }
}

/// The share ε in [0, 1) of a measure that may be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epsilon(Fraction);

impl Epsilon {
    /// The share `epsilon`.
    ///
    /// # Errors
    /// When it is not in [0, 1).
    pub fn new(epsilon: Fraction) -> Result<Self, SettingError> {
        require(epsilon.numerator < epsilon.denominator, "epsilon", "in [0, 1)", epsilon.value())?;
        Ok(Self(epsilon))
    }

    /// ε.
    pub const fn share(self) -> Fraction {
        self.0
    }

    /// Whether `kept` is at least (1 - ε) · `whole`, exactly.
    fn accepts(self, kept: u64, whole: u64) -> bool {
        let needed = self.0.complement();
        u128::from(kept) * u128::from(needed.denominator) >= u128::from(whole) * u128::from(needed.numerator)
    }
}

/// Attributes B with M(B) ≥ (1 - ε) · M(A) for a measure M, none of which can be left out; both checked exactly. Since
/// M never falls with more attributes, no proper subset of B keeps as much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApproximateReduct {
    attrs: AttrSet,
    measure: Measure,
    epsilon: Epsilon,
    kept: Fraction,
    whole: Fraction,
}

impl ApproximateReduct {
    /// An approximate reduct of `attrs` in `table`. [`Method::Greedy`] adds the attribute by which the measure grows
    /// most (of equals the one that leaves fewest pairs of objects with different decisions together) and prunes;
    /// [`Method::Backward`] drops attributes, the least discerning first.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    ///
    /// ```
    /// use roughboard::rough::{ApproximateReduct, Epsilon, Measure, Method};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"], ["1", "1", "y"], ["1", "1", "z"]];
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    /// let epsilon = Epsilon::new("0.5".parse()?)?;
    /// let reduct = ApproximateReduct::of(&table, &table.all_attributes(), epsilon, Measure::Gamma, Method::Greedy);
    /// assert_eq!(table.names(reduct.attrs()), ["a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(table: &DecisionTable, attrs: &AttrSet, epsilon: Epsilon, measure: Measure, method: Method) -> Self {
        let rows = DistinctRows::new(table, attrs);
        let whole = rows.measured(measure, attrs);
        let search = ApproximateSearch { rows: &rows, measure, epsilon, whole };
        let (start, order) = match method {
            Method::Backward => (attrs.clone(), search.least_discerning_first()),
            _ => search.grow(),
        };
        let attrs = search.prune(start, &order);
        let share = |weight: u64| Fraction::new(weight, table.total_weight());
        let kept = share(rows.measured(measure, &attrs));
        Self { attrs, measure, epsilon, kept, whole: share(whole) }
    }

    /// The attributes B.
    pub const fn attrs(&self) -> &AttrSet {
        &self.attrs
    }

    /// The measure M.
    pub const fn measure(&self) -> Measure {
        self.measure
    }

    /// ε.
    pub const fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// M(B) / |U|.
    pub const fn kept(&self) -> Fraction {
        self.kept
    }

    /// M(A) / |U|.
    pub const fn whole(&self) -> Fraction {
        self.whole
    }
}

/// The distinct rows of a table with their decisions.
struct DistinctRows {
    columns: Vec<(AttrIdx, Attribute)>,
    decisions: Distribution,
    n_decisions: usize,
}

/// One decision of a row, with its weight.
#[derive(Debug, Clone, Copy)]
struct RowDecision {
    row: u32,
    decision: u32,
    weight: u64,
}

impl DistinctRows {
    fn new(table: &DecisionTable, attrs: &AttrSet) -> Self {
        let partition = Partition::by(table, attrs);
        let column = |attr: AttrIdx| (attr, table.attribute(attr).select(partition.first_objects()));
        let decisions = Distribution::of(table, &partition);
        Self { columns: attrs.iter().map(column).collect(), decisions, n_decisions: table.n_decisions() }
    }

    fn entries(&self) -> Vec<RowDecision> {
        let of_row = |row: usize| {
            let entry = move |&(decision, weight): &(u32, u64)| RowDecision { row: row as u32, decision, weight };
            self.decisions.of_class(row).iter().map(entry)
        };
        (0..self.decisions.n_classes()).flat_map(of_row).collect()
    }

    /// The measure of `attrs`, in weights.
    fn measured(&self, measure: Measure, attrs: &AttrSet) -> u64 {
        let columns: Vec<&Attribute> = self.columns.iter().filter(|c| attrs.contains(c.0)).map(|c| &c.1).collect();
        let groups = Groups::of(&columns, self.decisions.n_classes());
        match measure {
            Measure::Gamma => self.consistent(&groups),
            Measure::Majority => self.heaviest(&groups),
        }
    }

    /// The weight of the groups that hold one decision.
    fn consistent(&self, groups: &Groups) -> u64 {
        let mut found: Vec<Option<(u32, u64)>> = vec![None; groups.first.len()];
        let mut mixed = vec![false; found.len()];
        for (row, &group) in groups.class_of.iter().enumerate() {
            for &(decision, weight) in self.decisions.of_class(row) {
                let known = found[group as usize].get_or_insert((decision, 0));
                mixed[group as usize] |= known.0 != decision;
                known.1 += weight;
            }
        }
        found.iter().zip(mixed).filter(|(_, mixed)| !mixed).filter_map(|(found, _)| Some(found.as_ref()?.1)).sum()
    }

    /// The weight of the heaviest decision of each group, summed up.
    fn heaviest(&self, groups: &Groups) -> u64 {
        let keyed = |entry: RowDecision| (groups.class_of[entry.row as usize], entry.decision, entry.weight);
        let mut keyed: Vec<(u32, u32, u64)> = self.entries().into_iter().map(keyed).collect();
        keyed.par_sort_unstable();
        keyed.chunk_by(|a, b| a.0 == b.0).map(|run| Kept::of(weights_by_decision(run)).majority).sum()
    }
}

/// The weight of each decision in a run of (value, decision, weight) that is sorted and has one value.
fn weights_by_decision(run: &[(u32, u32, u64)]) -> impl Iterator<Item = u64> {
    run.chunk_by(|a, b| a.1 == b.1).map(|same| same.iter().map(|entry| entry.2).sum())
}

/// What one class keeps, or several do: both measures, and the pairs of objects with different decisions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Kept {
    positive: u64,
    majority: u64,
    pairs: u128,
}

impl Kept {
    /// That of a class with these weights of decisions.
    fn of(weights: impl Iterator<Item = u64>) -> Self {
        let (mut sum, mut majority, mut squares) = (0, 0, 0);
        for weight in weights {
            (sum, majority) = (sum + weight, majority.max(weight));
            squares += u128::from(weight) * u128::from(weight);
        }
        let positive = if majority == sum { sum } else { 0 };
        Self { positive, majority, pairs: (u128::from(sum) * u128::from(sum) - squares) / 2 }
    }

    const fn add(self, other: Self) -> Self {
        Self {
            positive: self.positive + other.positive,
            majority: self.majority + other.majority,
            pairs: self.pairs + other.pairs,
        }
    }

    const fn by(self, measure: Measure) -> u64 {
        match measure {
            Measure::Gamma => self.positive,
            Measure::Majority => self.majority,
        }
    }
}

/// Classes that hold several decisions, one after another, and what those keep that hold one.
struct OpenClasses {
    entries: Vec<RowDecision>,
    /// End of each class in `entries`.
    ends: Vec<usize>,
    settled: Kept,
}

impl OpenClasses {
    /// Collects the classes of entries with equal keys.
    fn collect(mut keyed: Vec<(u64, RowDecision)>, mut settled: Kept) -> Self {
        keyed.par_sort_unstable_by_key(|(key, entry)| (*key, entry.row, entry.decision));
        let (mut entries, mut ends) = (Vec::new(), Vec::new());
        for run in keyed.chunk_by(|a, b| a.0 == b.0) {
            if run.iter().all(|(_, entry)| entry.decision == run[0].1.decision) {
                settled = settled.add(Kept::of(std::iter::once(run.iter().map(|(_, entry)| entry.weight).sum())));
            } else {
                entries.extend(run.iter().map(|(_, entry)| *entry));
                ends.push(entries.len());
            }
        }
        Self { entries, ends, settled }
    }

    fn classes(&self) -> impl Iterator<Item = &[RowDecision]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.entries[start..end])
    }

    /// What all classes keep once they are divided by `column`.
    fn kept_by(&self, column: &Attribute, n_decisions: usize) -> Kept {
        let n_counters = column.n_values().saturating_mul(n_decisions);
        let kept = |class: &[RowDecision]| {
            if n_counters <= 4 * class.len() {
                by_counting(class, column, n_decisions)
            } else {
                by_sorting(class, column)
            }
        };
        self.classes().map(kept).fold(self.settled, Kept::add)
    }

    /// The classes divided by `column`.
    fn divide(&self, column: &Attribute) -> Self {
        let of_class = |(at, class)| keyed_by(at, class, column);
        Self::collect((0..).zip(self.classes()).flat_map(of_class).collect(), self.settled)
    }
}

/// The entries of class number `at`, keyed by class and value.
fn keyed_by(at: u64, class: &[RowDecision], column: &Attribute) -> impl Iterator<Item = (u64, RowDecision)> {
    class.iter().map(move |entry| (at << 32 | u64::from(column.code(entry.row as usize)), *entry))
}

fn by_counting(class: &[RowDecision], column: &Attribute, n_decisions: usize) -> Kept {
    let mut counters = vec![0; column.n_values() * n_decisions];
    for entry in class {
        counters[column.code(entry.row as usize) as usize * n_decisions + entry.decision as usize] += entry.weight;
    }
    counters.chunks_exact(n_decisions).map(|weights| Kept::of(weights.iter().copied())).fold(Kept::default(), Kept::add)
}

fn by_sorting(class: &[RowDecision], column: &Attribute) -> Kept {
    let keyed = |entry: &RowDecision| (column.code(entry.row as usize), entry.decision, entry.weight);
    let mut keyed: Vec<(u32, u32, u64)> = class.iter().map(keyed).collect();
    keyed.sort_unstable();
    keyed.chunk_by(|a, b| a.0 == b.0).map(|run| Kept::of(weights_by_decision(run))).fold(Kept::default(), Kept::add)
}

/// The search for attributes that keep enough.
struct ApproximateSearch<'r> {
    rows: &'r DistinctRows,
    measure: Measure,
    epsilon: Epsilon,
    whole: u64,
}

impl ApproximateSearch<'_> {
    /// Adds attributes until the measure is large enough; also gives them in the order of choice.
    fn grow(&self) -> (AttrSet, Vec<AttrIdx>) {
        let mut open = self.undivided();
        let mut kept = open.classes().map(whole_class).fold(open.settled, Kept::add);
        let mut chosen: Vec<AttrIdx> = Vec::new();
        while !self.epsilon.accepts(kept.by(self.measure), self.whole) {
            let left = (0..self.rows.columns.len()).into_par_iter();
            let divided = |at: usize| {
                let kept = open.kept_by(&self.rows.columns[at].1, self.rows.n_decisions);
                (std::cmp::Reverse(kept.by(self.measure)), kept.pairs, at, kept)
            };
            let open_columns = left.filter(|&at| !chosen.contains(&self.rows.columns[at].0));
            let Some((.., at, best)) = open_columns.map(divided).min_by_key(|&(kept, pairs, at, _)| (kept, pairs, at))
            else {
                break;
            };
            chosen.push(self.rows.columns[at].0);
            (open, kept) = (open.divide(&self.rows.columns[at].1), best);
        }
        (chosen.iter().copied().collect(), chosen)
    }

    /// All rows in one class.
    fn undivided(&self) -> OpenClasses {
        OpenClasses::collect(self.rows.entries().into_iter().map(|entry| (0, entry)).collect(), Kept::default())
    }

    /// All attributes, first the one that alone leaves most pairs of objects with different decisions together.
    fn least_discerning_first(&self) -> Vec<AttrIdx> {
        let open = self.undivided();
        let pairs = |(attr, column): &(AttrIdx, Attribute)| (open.kept_by(column, self.rows.n_decisions).pairs, *attr);
        let mut order: Vec<(u128, AttrIdx)> = self.rows.columns.par_iter().map(pairs).collect();
        order.sort_by_key(|&(pairs, attr)| (std::cmp::Reverse(pairs), attr));
        order.into_iter().map(|(_, attr)| attr).collect()
    }

    /// Drops attributes in the given order, which names all of them, wherever the others keep enough.
    fn prune(&self, mut attrs: AttrSet, order: &[AttrIdx]) -> AttrSet {
        for &attr in order {
            let without = attrs.without(attr);
            if self.epsilon.accepts(self.rows.measured(self.measure, &without), self.whole) {
                attrs = without;
            }
        }
        attrs
    }
}

/// What an undivided class keeps.
fn whole_class(class: &[RowDecision]) -> Kept {
    let mut keyed: Vec<(u32, u32, u64)> = class.iter().map(|entry| (0, entry.decision, entry.weight)).collect();
    keyed.sort_unstable();
    Kept::of(weights_by_decision(&keyed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Value;

    #[test]
    fn both_ways_of_counting_agree() {
        let values = [0, 1, 0, 1, 0].map(Value::Integer);
        let column = Attribute::from_values("a", &values);
        let entry = |(row, decision, weight)| RowDecision { row, decision, weight };
        let class = [(0, 0, 3), (1, 1, 2), (2, 1, 1), (3, 1, 5), (4, 2, 3)].map(entry);
        let expected = Kept { positive: 7, majority: 10, pairs: 3 + 9 + 3 };
        assert_eq!(by_counting(&class, &column, 3), expected);
        assert_eq!(by_sorting(&class, &column), expected);
    }

    #[test]
    fn the_threshold_is_decided_exactly() {
        let epsilon = |text: &str| Epsilon::new(text.parse().unwrap()).unwrap();
        assert!(epsilon("0.1").accepts(9, 10) && !epsilon("0.1").accepts(8, 10));
        assert!(epsilon("0").accepts(7, 7) && !epsilon("0").accepts(6, 7));
        assert!(Epsilon::new("1".parse().unwrap()).is_err());
    }
}
