//! A short hitting set by local search with clause weights (after Gao et al. 2015, row weighting for set covering).

use rand::RngExt;

use super::Clause;
use crate::random::{Stream, stream};

/// Exchanges between two questions whether to stop.
const EXCHANGES: u64 = 16;

/// A set of elements on its way to a smaller hitting set.
///
/// As long as it hits every clause, the element whose loss is least is taken out. From then on each step exchanges one
/// element for another, and clauses that stay open grow heavier until one is chosen for their sake.
pub(crate) struct LocalSearch<'c, C> {
    clauses: &'c [C],
    /// The clauses that hold each element.
    holders: Vec<Vec<u32>>,
    set: C,
    /// How many elements of the set each clause holds.
    hits: Vec<u32>,
    weight: Vec<i64>,
    /// Of an element outside the set: the weight of open clauses that it would hit.
    /// Of an element inside: the weight of clauses that only it hits.
    score: Vec<i64>,
    open: OpenClauses,
    /// The step in which each element last came or went.
    moved: Vec<u64>,
    /// The element that went last, which may not come in.
    barred: Option<usize>,
    rng: Stream,
}

impl<'c, C: Clause> LocalSearch<'c, C> {
    /// Starts from `set`, completed greedily if it does not hit every clause. No clause may be empty.
    pub fn new(clauses: &'c [C], set: &C, seed: u64) -> Self {
        let bound = C::bound(clauses.iter().chain([set]));
        let mut search = Self {
            clauses,
            holders: holders(clauses, bound),
            set: C::default(),
            hits: vec![0; clauses.len()],
            weight: vec![1; clauses.len()],
            score: vec![0; bound],
            open: OpenClauses::all(clauses.len()),
            moved: vec![0; bound],
            barred: None,
            rng: stream(seed, "hitting set", clauses.len() as u64),
        };
        let held = search.holders.iter().map(|holders| holders.len() as i64);
        search.score = held.collect();
        set.elements().for_each(|e| search.insert(e));
        search.complete();
        search
    }

    /// The best hitting set after at most `steps` exchanges; stops early at `enough` elements, or when `stop` says so.
    pub fn run(&mut self, steps: u64, enough: usize, stop: &dyn Fn() -> bool) -> C {
        self.shrink();
        let mut best = self.set.clone();
        for step in 1..=steps {
            if best.len() <= enough || self.set.is_empty() || step.is_multiple_of(EXCHANGES) && stop() {
                break;
            }
            if self.open.is_empty() {
                self.shrink();
                best.clone_from(&self.set);
                self.take_out(step);
            }
            self.exchange(step);
            if self.open.is_empty() && self.set.len() < best.len() {
                best.clone_from(&self.set);
            }
        }
        best
    }

    /// Adds the element of the highest gain until no clause is open.
    fn complete(&mut self) {
        while !self.open.is_empty() {
            let outside = (0..self.score.len()).filter(|&e| !self.set.holds(e));
            let Some(best) = outside.max_by_key(|&e| (self.score[e], std::cmp::Reverse(e))) else { return };
            self.insert(best);
        }
    }

    /// Takes out every element that no clause needs.
    fn shrink(&mut self) {
        let idle = |search: &Self| search.set.elements().find(|&e| search.score[e] == 0);
        while let Some(idle) = idle(self) {
            self.remove(idle);
        }
    }

    /// Takes one more element out, puts one in that hits an open clause, and makes what stays open heavier.
    fn exchange(&mut self, step: u64) {
        self.take_out(step);
        let Some(&wanted) = self.open.clauses.get(self.rng.random_range(0..self.open.clauses.len().max(1))) else {
            return;
        };
        let outside = || self.clauses[wanted as usize].elements().filter(|&e| !self.set.holds(e));
        let free = outside().filter(|&e| self.barred != Some(e));
        let worth = |e: &usize| (self.score[*e], std::cmp::Reverse((self.moved[*e], *e)));
        let best = free.max_by_key(worth).or_else(|| outside().max_by_key(worth));
        if let Some(best) = best {
            self.insert(best);
            self.moved[best] = step;
        }
        for &clause in &self.open.clauses {
            self.weight[clause as usize] += 1;
            self.clauses[clause as usize].elements().for_each(|e| self.score[e] += 1);
        }
    }

    /// Takes out the element of the least loss, of equals the one that stayed longest; not what came in the last step.
    fn take_out(&mut self, step: u64) {
        let settled = self.set.elements().filter(|&e| self.moved[e] + 1 != step);
        let Some(taken) = settled.min_by_key(|&e| (self.score[e], self.moved[e], e)) else { return };
        self.remove(taken);
        self.moved[taken] = step;
        self.barred = Some(taken);
    }

    fn insert(&mut self, element: usize) {
        let Self { clauses, holders, set, hits, weight, score, open, .. } = self;
        let mut own = 0;
        for &at in &holders[element] {
            let (clause, weight) = (&clauses[at as usize], weight[at as usize]);
            hits[at as usize] += 1;
            match hits[at as usize] {
                1 => {
                    open.close(at);
                    clause.elements().for_each(|e| score[e] -= weight);
                    own += weight;
                }
                2 => clause.first_common(set).into_iter().for_each(|e| score[e] -= weight),
                _ => {}
            }
        }
        set.insert(element);
        score[element] = own;
    }

    fn remove(&mut self, element: usize) {
        let Self { clauses, holders, set, hits, weight, score, open, .. } = self;
        set.remove(element);
        let mut gain = 0;
        for &at in &holders[element] {
            let (clause, weight) = (&clauses[at as usize], weight[at as usize]);
            hits[at as usize] -= 1;
            match hits[at as usize] {
                0 => {
                    open.add(at);
                    clause.elements().for_each(|e| score[e] += weight);
                    gain += weight;
                }
                1 => clause.first_common(set).into_iter().for_each(|e| score[e] += weight),
                _ => {}
            }
        }
        score[element] = gain;
    }
}

/// The clauses that the set does not hit, in no order, each found at once.
struct OpenClauses {
    clauses: Vec<u32>,
    place: Vec<u32>,
}

impl OpenClauses {
    fn all(n_clauses: usize) -> Self {
        let clauses: Vec<u32> = (0..n_clauses as u32).collect();
        Self { place: clauses.clone(), clauses }
    }

    const fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    fn add(&mut self, clause: u32) {
        self.place[clause as usize] = self.clauses.len() as u32;
        self.clauses.push(clause);
    }

    fn close(&mut self, clause: u32) {
        let place = self.place[clause as usize] as usize;
        self.clauses.swap_remove(place);
        if let Some(&moved) = self.clauses.get(place) {
            self.place[moved as usize] = place as u32;
        }
    }
}

/// The clauses that hold each element.
fn holders<C: Clause>(clauses: &[C], bound: usize) -> Vec<Vec<u32>> {
    let mut holders = vec![Vec::new(); bound];
    for (at, clause) in (0..).zip(clauses) {
        clause.elements().for_each(|e| holders[e].push(at));
    }
    holders
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn local_search_beats_the_greedy_choice() {
        // Element 0 hits most clauses, but 1 and 2 together hit all.
        let clauses = [0b00011, 0b00011, 0b00101, 0b00101, 0b01010, 0b10100];
        let mut search = LocalSearch::new(&clauses, &0_u128, 1);
        assert_eq!(search.set.count_ones(), 3);
        assert_eq!(search.run(50, 0, &|| false), 0b00110);
    }

    #[test]
    fn what_no_clause_needs_is_taken_out_before_any_exchange() {
        let clauses = [0b011_u128];
        assert_eq!(LocalSearch::new(&clauses, &0b111, 1).run(0, 0, &|| false), 0b010);
    }

    /// The first step takes nothing out, as the element has just come in; the second exchanges it for the other.
    #[test]
    fn the_first_of_equal_sets_is_given() {
        let clauses = [0b11_u128];
        let mut search = LocalSearch::new(&clauses, &0b01, 1);
        assert_eq!((search.run(2, 0, &|| false), search.set), (0b01, 0b10));
    }

    proptest! {
        #[test]
        fn what_is_found_hits_every_clause(
            clauses in prop::collection::vec(1_u128..1 << 12, 1..40),
            start in 0_u128..1 << 12,
        ) {
            // The last of these would go on for ages.
            for (steps, stopped) in [(60, false), (60, true), (u64::MAX, true)] {
                let set = LocalSearch::new(&clauses, &start, 3).run(steps, 0, &|| stopped);
                prop_assert!(clauses.iter().all(|clause| clause & set != 0));
            }
        }

        /// What is kept from step to step is what it says it is.
        #[test]
        fn hits_and_scores_are_those_of_the_set(
            clauses in prop::collection::vec(1_u128..1 << 12, 1..40),
            start in 0_u128..1 << 12,
            steps in 0..80_u64,
        ) {
            let mut search = LocalSearch::new(&clauses, &start, 3);
            search.run(steps, 0, &|| false);
            let held = |clause: &u128| (clause & search.set).count_ones();
            prop_assert_eq!(&search.hits, &clauses.iter().map(held).collect::<Vec<u32>>());
            let mut open = search.open.clauses.clone();
            open.sort_unstable();
            let is_open = |at: &u32| search.hits[*at as usize] == 0;
            prop_assert_eq!(open, (0..clauses.len() as u32).filter(is_open).collect::<Vec<_>>());
            for element in 0..12 {
                // Of the clauses with the element those that nothing else of the set hits.
                let own = u32::from(search.set.holds(element));
                let counts = |at: &usize| clauses[*at].holds(element) && search.hits[*at] == own;
                let score = (0..clauses.len()).filter(counts).map(|at| search.weight[at]).sum::<i64>();
                prop_assert_eq!(search.score[element], score, "{}", element);
            }
        }
    }
}
