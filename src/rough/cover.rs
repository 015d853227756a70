//! A smallest set of rules that covers what all of them cover.

use super::Rule;
use super::classes::Classes;
use super::hitting::{Clause, Wide};
use crate::table::DecisionTable;

/// Words of sets that the search looks at before the best cover so far is given without proof: a few seconds.
const MAX_WORDS: u64 = 4_000_000_000;

/// Rules that together match every object that any of the given rules for its decision matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// Indices into the given rules, ascending.
    pub chosen: Vec<usize>,
    /// Whether it is proved that no smaller set covers as much.
    pub smallest: bool,
}

/// A smallest cover of the objects of `table` that match one of the `rules` for their decision: exact by branch and bound, given as
/// unproved when the search grows too large. Of certain rules this is the minimum number that describes the positive region. How
/// often an object occurs does not matter.
pub fn smallest_cover(table: &DecisionTable, rules: &[Rule]) -> Cover {
    let classes = Classes::for_rules(table, rules);
    let places = places(&classes);
    let n = places.last().copied().unwrap_or_default() as usize;
    let sets: Vec<Wide> = rules.iter().map(|rule| covered(&classes, &places, rule)).collect();
    let mut open = Wide::default();
    sets.iter().for_each(|set| open.unite(set));
    let best = greedy(&sets, open.clone());
    let mut search = CoverSearch::new(&sets, best, n);
    search.branch(&open);
    search.best.sort_unstable();
    Cover { chosen: search.best, smallest: search.words <= MAX_WORDS }
}

/// Where the objects of each class begin, of which those of one decision are one; and their number.
fn places(classes: &Classes<'_>) -> Vec<u32> {
    let lengths = (0..classes.len()).map(|class| classes.distribution.of_class(class).len() as u32);
    let ends = lengths.scan(0, |end, length| {
        *end += length;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// The objects that match `rule` and have its decision.
fn covered(classes: &Classes<'_>, places: &[u32], rule: &Rule) -> Wide {
    let place = |class: u32| {
        let decisions = classes.distribution.of_class(class as usize);
        let at = decisions.binary_search_by_key(&rule.decision, |entry| entry.0).ok()?;
        Some(places[class as usize] + at as u32)
    };
    let mut covered = Wide::default();
    classes.matching(&rule.conditions).into_iter().filter_map(place).for_each(|object| covered.insert(object as usize));
    covered
}

fn greedy(sets: &[Wide], mut open: Wide) -> Vec<usize> {
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let gain = |&at: &usize| (sets[at].n_common(&open), std::cmp::Reverse(at));
        let Some(best) = (0..sets.len()).max_by_key(gain) else { break };
        open = open.without(&sets[best]);
        chosen.push(best);
    }
    chosen
}

struct CoverSearch<'s> {
    sets: &'s [Wide],
    /// How many sets hold each object.
    holders: Vec<u32>,
    best: Vec<usize>,
    chosen: Vec<usize>,
    /// Words of a set of all objects.
    n_words: u64,
    /// Words of sets looked at so far, counted generously.
    words: u64,
}

impl<'s> CoverSearch<'s> {
    fn new(sets: &'s [Wide], best: Vec<usize>, n_objects: usize) -> Self {
        let mut holders = vec![0; n_objects];
        sets.iter().flat_map(Wide::elements).for_each(|object| holders[object] += 1);
        Self { sets, holders, best, chosen: Vec::new(), n_words: n_objects.div_ceil(64) as u64, words: 0 }
    }

    /// Tries every set that holds the open object which fewest sets hold.
    fn branch(&mut self, open: &Wide) {
        self.words += (self.sets.len() as u64 + 64) * self.n_words;
        let left = open.len();
        if left == 0 {
            if self.chosen.len() < self.best.len() {
                self.best = self.chosen.clone();
            }
            return;
        }
        let largest = self.sets.iter().map(|set| set.n_common(open)).max().unwrap_or(0).max(1);
        let at_least = self.chosen.len() + left.div_ceil(largest);
        if at_least >= self.best.len() || self.words > MAX_WORDS {
            return;
        }
        let Some(rarest) = open.elements().min_by_key(|&object| self.holders[object]) else { return };
        let candidates = self.candidates(rarest, open);
        // Each was compared with those before it.
        self.words += (candidates.len() as u64 + 1) * u64::from(self.holders[rarest]) * self.n_words;
        for (at, rest) in candidates {
            self.chosen.push(at);
            self.branch(&rest);
            self.chosen.pop();
        }
    }

    /// The sets that hold an object, each with what it leaves open, the largest first. Of two sets one of which
    /// leaves open all that the other does, the former cannot make a smaller cover and is left out.
    fn candidates(&self, object: usize, open: &Wide) -> Vec<(usize, Wide)> {
        let holders = self.sets.iter().enumerate().filter(|(_, set)| set.holds(object));
        let mut all: Vec<(usize, Wide)> = holders.map(|(at, set)| (at, open.without(set))).collect();
        all.sort_by_key(|(_, rest)| rest.len());
        let mut kept: Vec<(usize, Wide)> = Vec::new();
        for (at, rest) in all {
            if !kept.iter().any(|(_, less)| less.is_within(&rest)) {
                kept.push((at, rest));
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// {0,1,2}, {3,4,5}, and the tempting {0,1,3,4}; and all that they hold.
    fn tempting() -> (Vec<Wide>, Wide) {
        let set = |objects: &[usize]| {
            let mut set = Wide::default();
            objects.iter().for_each(|&object| set.insert(object));
            set
        };
        (vec![set(&[0, 1, 2]), set(&[3, 4, 5]), set(&[0, 1, 3, 4])], set(&[0, 1, 2, 3, 4, 5]))
    }

    #[test]
    fn the_search_beats_the_greedy_choice() {
        let (sets, open) = tempting();
        let best = greedy(&sets, open.clone());
        assert_eq!(best.len(), 3);
        let mut search = CoverSearch::new(&sets, best, 6);
        search.branch(&open);
        assert_eq!(search.best, vec![0, 1]);
    }

    /// Before it chooses a second set, the search looks twice at a word of each set and at 64 rows, and between at the only candidate,
    /// which counts as 2.
    #[test]
    fn the_search_ends_where_it_has_looked_at_more_words_than_it_may() {
        let (sets, open) = tempting();
        let size_after = |words: u64| {
            let mut search = CoverSearch { words, ..CoverSearch::new(&sets, greedy(&sets, open.clone()), 6) };
            search.branch(&open);
            search.best.len()
        };
        let needed = 2 * (3 + 64) + 2;
        assert_eq!([MAX_WORDS - needed, MAX_WORDS - needed + 1].map(size_after), [2, 3]);
    }
}
