//! Minimal clauses that a given set of attributes does not meet, found without comparing all pairs of rows.
//!
//! Two rows that the set does not tell apart share a key. Among such rows of different labels lies every clause that
//! the set misses, so comparing them with each other gives exactly the minimal ones. Where they are too many, the set
//! is first extended, by attributes that a sample says tell most of them apart, yet not all: what misses the larger
//! set misses the smaller one too.

use super::Quotient;
use super::conflict::{Collisions, ConflictClasses};
use super::hitting::{Clause, MinimalClauses};
use super::packed::PackedRows;
use crate::random::mix;

/// Conflicting rows are compared pair by pair when they make at most this many pairs.
const MAX_PAIRS: u64 = 10_000;
/// Pairs that a sample has at most.
const SAMPLE: usize = 4_000;
/// Pairs of one class in a sample, at least.
const PAIRS_OF_CLASS: usize = 8;

/// Tells of a set of columns which minimal clauses it misses. Remembers the keys of the last set.
pub(super) struct Unmet<'q, C> {
    quotient: &'q Quotient,
    set: C,
    keys: Vec<u64>,
    memory: Collisions,
    /// [`MAX_PAIRS`], but in tests.
    max_pairs: u64,
}

impl<'q, C: Clause> Unmet<'q, C> {
    /// Starts with the empty set.
    pub fn new(quotient: &'q Quotient) -> Self {
        let keys = vec![0; quotient.n_rows()];
        Self { quotient, set: C::default(), keys, memory: Collisions::default(), max_pairs: MAX_PAIRS }
    }

    /// Minimal clauses that `set` does not meet; none exactly if it meets all clauses there are.
    pub fn unmet(&mut self, set: &C) -> Vec<C> {
        self.move_to(set);
        let conflicts = self.conflicts();
        if conflicts.n_pairs() <= self.max_pairs {
            return self.compare_all(set, &conflicts);
        }
        let found = match self.narrow(set.clone(), conflicts) {
            Err(clauses) => clauses,
            Ok((set, conflicts)) => self.compare_all(&set, &conflicts),
        };
        // Only colliding keys can lead astray. Then nothing less than all pairs will do.
        if !found.is_empty() {
            return found;
        }
        let conflicts = self.conflicts();
        self.compare_all(set, &conflicts)
    }

    /// Makes `keys` those of `set`.
    fn move_to(&mut self, set: &C) {
        let changes = self.set.difference(set);
        if changes.len() > set.len() {
            self.keys = self.quotient.keys(&self.quotient.attributes_of(set));
        } else {
            changes.elements().for_each(|column| self.quotient.toggle_column(&mut self.keys, column));
        }
        self.set.clone_from(set);
    }

    /// The classes of rows that agree on the current set and hold different labels.
    fn conflicts(&mut self) -> ConflictClasses {
        let mixed = self.memory.mixed(&self.keys, &self.quotient.labels);
        ConflictClasses::of(mixed.iter().map(|&row| (self.keys[row as usize], row)).collect(), &self.quotient.labels)
    }

    /// Makes classes smaller by further columns until their pairs can be compared. `Err` with clauses of a sample
    /// where the sample knows no column that leaves a conflict.
    fn narrow(&self, mut set: C, mut conflicts: ConflictClasses) -> Result<(C, ConflictClasses), Vec<C>> {
        while conflicts.n_pairs() > self.max_pairs {
            let sample = self.sample(&set, &conflicts);
            let wanted = sample.len() as u64 * self.max_pairs / conflicts.n_pairs();
            let further = extension(sample.clone(), wanted as usize);
            if further.is_empty() {
                let mut minimal = MinimalClauses::default();
                sample.into_iter().for_each(|clause| minimal.absorb(clause));
                return Err(minimal.into_sorted());
            }
            set.unite(&further);
            conflicts = self.split(&conflicts, &further);
        }
        Ok((set, conflicts))
    }

    /// Clauses of pairs of conflicting rows, from classes all over the list.
    fn sample(&self, set: &C, conflicts: &ConflictClasses) -> Vec<C> {
        let n_classes = conflicts.len().min(SAMPLE / PAIRS_OF_CLASS);
        let n_members = (2 * SAMPLE / n_classes).isqrt();
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        for class in (0..n_classes).map(|i| i * conflicts.len() / n_classes) {
            let members = conflicts.class(class);
            let n = members.len().min(n_members);
            rows.extend((0..n).map(|i| conflicts.rows[members.start + i * members.len() / n]));
            // The first member and one of another label, so that no class is without a pair.
            rows.extend(members.clone().find(|&at| conflicts.labels[at] != 0).map(|at| conflicts.rows[at]));
            ends.push(rows.len());
        }
        let mut found = Vec::new();
        self.compare(set, &rows, &ends, &mut |clause| found.push(clause));
        found
    }

    /// Shows the clauses of all pairs of rows of one class that have different labels and agree on `set`.
    fn compare(&self, set: &C, rows: &[u32], ends: &[usize], show: &mut dyn FnMut(C)) {
        let packed = PackedRows::of(self.quotient, rows);
        let labels: Vec<u32> = rows.iter().map(|&row| self.quotient.labels[row as usize]).collect();
        let mut start = 0;
        for &end in ends {
            for a in start..end {
                for b in (a + 1..end).filter(|&b| labels[a] != labels[b]) {
                    let clause: C = packed.difference(a, b);
                    // Rows that differ on the set have met here only because their keys collide.
                    if !clause.meets(set) {
                        show(clause);
                    }
                }
            }
            start = end;
        }
    }

    /// The minimal clauses of all pairs of conflicting rows.
    fn compare_all(&self, set: &C, conflicts: &ConflictClasses) -> Vec<C> {
        let mut minimal = MinimalClauses::default();
        self.compare(set, &conflicts.rows, &conflicts.ends, &mut |clause| minimal.absorb(clause));
        minimal.into_sorted()
    }

    /// The classes of conflicting rows that agree on the columns `further` too.
    fn split(&self, conflicts: &ConflictClasses, further: &C) -> ConflictClasses {
        let mut keys: Vec<u64> = vec![0; conflicts.rows.len()];
        for class in 0..conflicts.len() {
            keys[conflicts.class(class)].fill(mix(class as u64));
        }
        further.elements().for_each(|column| self.quotient.toggle_rows(&mut keys, &conflicts.rows, column));
        ConflictClasses::of(keys.into_iter().zip(conflicts.rows.iter().copied()).collect(), &self.quotient.labels)
    }
}

/// Columns that meet all but about `wanted` of the clauses, and never all of them: the one that meets most first.
fn extension<C: Clause>(mut clauses: Vec<C>, wanted: usize) -> C {
    let mut chosen = C::default();
    while clauses.len() > wanted.max(1) {
        let mut degrees = vec![0_usize; C::bound(clauses.iter())];
        clauses.iter().for_each(|clause| clause.elements().for_each(|e| degrees[e] += 1));
        let partial = (0..degrees.len()).filter(|&e| degrees[e] > 0 && degrees[e] < clauses.len());
        let Some(best) = partial.max_by_key(|&e| (degrees[e], std::cmp::Reverse(e))) else { break };
        chosen.insert(best);
        clauses.retain(|clause| !clause.holds(best));
    }
    chosen
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rough::Notion;
    use crate::table::{Attribute, DecisionTable, Weights};
    use proptest::prelude::*;

    const N_COLUMNS: usize = 6;

    /// A table of these rows, whose last cells are the decisions.
    pub fn table(rows: &[Vec<i64>]) -> DecisionTable {
        let column = |at: usize| Attribute::from_integers(format!("a{at}"), rows.iter().map(|row| row[at]));
        let n_columns = rows[0].len() - 1;
        DecisionTable::new((0..n_columns).map(column).collect(), column(n_columns), Weights::Unit).unwrap()
    }

    fn rows() -> impl Strategy<Value = Vec<Vec<i64>>> {
        prop::collection::vec(prop::collection::vec(0..3_i64, N_COLUMNS + 1), 1..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Whatever the budget, an answer is missed clauses of the table, and there is one exactly if any is missed.
        #[test]
        fn missed_clauses_are_found_with_any_budget(rows in rows(), set in 0_u128..1 << N_COLUMNS, budget in 0..200_u64) {
            let table = table(&rows);
            let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
            let everything: Vec<u32> = (0..quotient.n_rows() as u32).collect();
            let mut unmet = Unmet { max_pairs: budget, ..Unmet::new(&quotient) };
            let mut missed = Vec::new();
            unmet.compare(&set, &everything, &[everything.len()], &mut |clause| missed.push(clause));
            let found = unmet.unmet(&set);
            prop_assert_eq!(found.is_empty(), missed.is_empty());
            for clause in found {
                prop_assert!(missed.contains(&clause));
            }
        }

        #[test]
        fn what_is_found_is_minimal_where_all_pairs_fit(rows in rows(), set in 0_u128..1 << N_COLUMNS) {
            let table = table(&rows);
            let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
            let everything: Vec<u32> = (0..quotient.n_rows() as u32).collect();
            let (mut unmet, mut minimal) = (Unmet::new(&quotient), MinimalClauses::default());
            unmet.compare(&set, &everything, &[everything.len()], &mut |clause| minimal.absorb(clause));
            prop_assert_eq!(unmet.unmet(&set), minimal.into_sorted());
        }
    }

    #[test]
    fn an_extension_meets_many_clauses_and_never_all() {
        let clauses = vec![0b0001_u128, 0b0001, 0b0010, 0b0100];
        assert_eq!(extension(clauses.clone(), 2), 0b0001);
        assert_eq!(extension(clauses, 0), 0b0011);
        assert_eq!(extension(vec![0b011_u128, 0b001], 0), 0b010);
    }
}
