//! A smallest set of rules that covers what all of them cover.

use super::Rule;
use super::classes::Classes;
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
    let sets: Vec<Bits> = rules.iter().map(|rule| Bits::of(&covered(&classes, &places, rule), n)).collect();
    let mut open = Bits::of(&[], n);
    sets.iter().for_each(|set| open.add(set));
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
fn covered(classes: &Classes<'_>, places: &[u32], rule: &Rule) -> Vec<u32> {
    let place = |class: u32| {
        let decisions = classes.distribution.of_class(class as usize);
        let at = decisions.binary_search_by_key(&rule.decision, |entry| entry.0).ok()?;
        Some(places[class as usize] + at as u32)
    };
    classes.matching(&rule.conditions).into_iter().filter_map(place).collect()
}

/// A set of objects.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(rows: &[u32], n_objects: usize) -> Self {
        let mut words = vec![0; n_objects.div_ceil(64)];
        rows.iter().for_each(|&row| words[row as usize / 64] |= 1 << (row % 64));
        Self(words)
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn common(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn contains(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }

    fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0).map(move |word| 64 * at + word.trailing_zeros() as usize)
        })
    }
}

fn greedy(sets: &[Bits], mut open: Bits) -> Vec<usize> {
    let mut chosen = Vec::new();
    while open.len() > 0 {
        let gain = |&at: &usize| (sets[at].common(&open), std::cmp::Reverse(at));
        let Some(best) = (0..sets.len()).max_by_key(gain) else { break };
        open = open.without(&sets[best]);
        chosen.push(best);
    }
    chosen
}

struct CoverSearch<'s> {
    sets: &'s [Bits],
    /// How many sets hold each object.
    holders: Vec<u32>,
    best: Vec<usize>,
    chosen: Vec<usize>,
    /// Words of sets looked at so far, counted generously.
    words: u64,
}

impl<'s> CoverSearch<'s> {
    fn new(sets: &'s [Bits], best: Vec<usize>, n_objects: usize) -> Self {
        let mut holders = vec![0; n_objects];
        sets.iter().flat_map(Bits::rows).for_each(|row| holders[row] += 1);
        Self { sets, holders, best, chosen: Vec::new(), words: 0 }
    }

    /// Tries every set that holds the open object which fewest sets hold.
    fn branch(&mut self, open: &Bits) {
        let n_words = open.0.len() as u64;
        self.words += (self.sets.len() as u64 + 64) * n_words;
        let left = open.len();
        if left == 0 {
            if self.chosen.len() < self.best.len() {
                self.best = self.chosen.clone();
            }
            return;
        }
        let largest = self.sets.iter().map(|set| set.common(open)).max().unwrap_or(0).max(1);
        let at_least = self.chosen.len() + left.div_ceil(largest) as usize;
        if at_least >= self.best.len() || self.words > MAX_WORDS {
            return;
        }
        let Some(rarest) = open.rows().min_by_key(|&row| self.holders[row]) else { return };
        let candidates = self.candidates(rarest, open);
        // Each was compared with those before it.
        self.words += (candidates.len() as u64 + 1) * u64::from(self.holders[rarest]) * n_words;
        for (at, rest) in candidates {
            self.chosen.push(at);
            self.branch(&rest);
            self.chosen.pop();
        }
    }

    /// The sets that hold the object `row`, each with what it leaves open, the largest first. Of two sets one of which
    /// leaves open all that the other does, the former cannot make a smaller cover and is left out.
    fn candidates(&self, row: usize, open: &Bits) -> Vec<(usize, Bits)> {
        let holders = self.sets.iter().enumerate().filter(|(_, set)| set.contains(row));
        let mut all: Vec<(usize, Bits)> = holders.map(|(at, set)| (at, open.without(set))).collect();
        all.sort_by_key(|(_, rest)| rest.len());
        let mut kept: Vec<(usize, Bits)> = Vec::new();
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
    fn tempting() -> (Vec<Bits>, Bits) {
        let sets = [vec![0, 1, 2], vec![3, 4, 5], vec![0, 1, 3, 4]].iter().map(|rows| Bits::of(rows, 6)).collect();
        (sets, Bits::of(&[0, 1, 2, 3, 4, 5], 6))
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
