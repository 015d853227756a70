//! Reducts by sampling: orders of attributes, subtables of objects, and both at once.

use std::collections::BTreeMap;
use std::ops::Range;

use rand::RngExt;
use rand::seq::SliceRandom;

use super::{Fraction, Notion, Quotient, Reduct};
use crate::observe::{Observer, Silent, in_parallel};
use crate::random::{Stream, stream};
use crate::settings::{SettingError, require};
use crate::table::{AttrIdx, AttrSet, DecisionTable};

/// Each object of weight 1 of the table is drawn or not for every subtable: so many decisions take minutes.
const MAX_DRAWS: u64 = 1 << 34;

/// Something that was drawn, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn<T> {
    /// What was drawn.
    pub found: T,
    /// How many of the draws gave it.
    pub times: usize,
}

/// Counts equal draws; what was drawn most often comes first, then in ascending order.
pub(super) fn count_draws<T: Ord>(draws: impl IntoIterator<Item = T>) -> Vec<Drawn<T>> {
    let mut counts = BTreeMap::new();
    for draw in draws {
        *counts.entry(draw).or_insert(0) += 1;
    }
    let mut drawn: Vec<Drawn<T>> = counts.into_iter().map(|(found, times)| Drawn { found, times }).collect();
    drawn.sort_by_key(|drawn| std::cmp::Reverse(drawn.times));
    drawn
}

impl Quotient {
    /// The reducts that `n` random orders of the attributes lead to, dropping attributes in that order wherever the
    /// others preserve the notion. Every reduct is reached by some order. The most frequent first.
    pub fn permutation_reducts(&self, n: u64, seed: u64, observer: &dyn Observer) -> Vec<Drawn<Reduct>> {
        let found = self.reducts_of_orders(0..n, seed, observer);
        let proved =
            |drawn: Drawn<AttrSet>| Drawn { found: Reduct::proved(drawn.found, self.notion()), times: drawn.times };
        count_draws(found).into_iter().map(proved).collect()
    }

    /// The reduct of each of the numbered orders.
    fn reducts_of_orders(&self, orders: Range<u64>, seed: u64, observer: &dyn Observer) -> Vec<AttrSet> {
        let draw = |place: usize| {
            let mut order: Vec<AttrIdx> = self.attributes().iter().collect();
            order.shuffle(&mut stream(seed, "attribute orders", orders.start + place as u64));
            self.reduct_by_order(&order).attrs().clone()
        };
        in_parallel(observer, "drawing orders of attributes", (orders.end - orders.start) as usize, draw)
    }
}

/// How dynamic reducts are searched (Bazan, Skowron & Synak, *Dynamic reducts as a tool for extracting laws from
/// decision tables*, ISMIS 1994).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dynamic {
    n_subtables: u64,
    shares: (f64, f64),
    /// Where the candidates come from.
    pub candidates: Candidates,
    /// Whether reducts of the subtables are candidates too, and not only those of the whole table (generalised dynamic
    /// reducts).
    pub generalised: bool,
}

/// The reducts whose stability is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// All reducts of a table, at most this many.
    All(usize),
    /// Those that this many random orders of the attributes lead to.
    Permutations(u64),
}

impl Dynamic {
    /// `n_subtables` subtables, each with a share of the objects drawn evenly from `shares`.
    ///
    /// # Errors
    /// When there are no subtables, or not 0 < least share ≤ largest share ≤ 1.
    pub fn new(n_subtables: u64, shares: (f64, f64), candidates: Candidates) -> Result<Self, SettingError> {
        require(n_subtables > 0, "n_subtables", "at least 1", n_subtables)?;
        let valid = 0.0 < shares.0 && shares.0 <= shares.1 && shares.1 <= 1.0;
        require(valid, "shares", "P,Q with 0 < P ≤ Q ≤ 1", format!("{},{}", shares.0, shares.1))?;
        Ok(Self { n_subtables, shares, candidates, generalised: false })
    }

    /// Refuses shares so small that a subtable may be without objects.
    fn check(&self, table: &DecisionTable) -> Result<(), SettingError> {
        let (n_objects, least) = (table.total_weight(), self.shares.0);
        let range = format!("so large that at least one of {n_objects} objects is drawn");
        require(n_drawn(least, n_objects) > 0, "shares", &range, least)
    }
}

/// How many of `n_objects` are a share of them.
fn n_drawn(share: f64, n_objects: u64) -> u64 {
    (share * n_objects as f64).round() as u64
}

/// A set of attributes that is a reduct of some subtables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StableReduct {
    /// The attributes.
    pub attrs: AttrSet,
    /// The stability coefficient: the share of the subtables in which the attributes are a reduct.
    pub stability: Fraction,
    /// Whether they are a reduct of the whole table too.
    pub of_table: bool,
}

/// What the subtables say about the reducts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stability {
    /// The candidates: the most stable first, then the shorter, then in ascending order.
    pub reducts: Vec<StableReduct>,
    /// For each attribute how many of the reducts found in subtables use it; a candidate counts once for each
    /// subtable that it is a reduct of. 0/1 where none was found.
    pub usage: Vec<(AttrIdx, Fraction)>,
    /// False if an enumeration of candidates stopped at its limit.
    pub complete: bool,
}

/// The dynamic reducts of `table` over `attrs` for `notion`, with the stability of each candidate.
///
/// # Errors
/// When the least share of the objects is none of them, or the subtables are drawn from too many objects in all.
///
/// # Panics
/// When `attrs` holds an attribute that the table lacks.
pub fn dynamic_reducts(
    table: &DecisionTable,
    attrs: &AttrSet,
    notion: Notion,
    settings: &Dynamic,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Stability, SettingError> {
    settings.check(table)?;
    let weight = table.total_weight();
    let most = MAX_DRAWS / weight;
    let range = format!("at most {most} for a table of weight {weight}, as {MAX_DRAWS} objects are drawn from at most");
    require(settings.n_subtables <= most, "n_subtables", &range, settings.n_subtables)?;
    let subtables = Subtables { table, attrs, notion, settings, seed };
    let whole = Quotient::new(table, attrs, notion);
    let (mut candidates, mut complete) = settings.candidates.of(&whole, (seed, 0), observer);
    if settings.generalised {
        let search = |sub: &Quotient, index: u64| settings.candidates.of(sub, (seed, index + 1), &Silent);
        for (more, all) in subtables.each("reducts of subtables", observer, search) {
            candidates.extend(more);
            complete &= all;
        }
        candidates.sort();
        candidates.dedup();
    }
    let test = |sub: &Quotient, _| candidates.iter().map(|attrs| sub.is_reduct(attrs)).collect::<Vec<bool>>();
    let tests = subtables.each("reducts tested on subtables", observer, test);
    let stable = |(at, attrs): (usize, AttrSet)| {
        let passed = tests.iter().filter(|test| test[at]).count() as u64;
        let of_table = !settings.generalised || whole.is_reduct(&attrs);
        StableReduct { attrs, stability: Fraction::new(passed, settings.n_subtables), of_table }
    };
    let mut reducts: Vec<StableReduct> = candidates.into_iter().enumerate().map(stable).collect();
    reducts.sort_by(|a, b| a.rank().cmp(&b.rank()).then_with(|| a.attrs.cmp(&b.attrs)));
    Ok(Stability { usage: usage(attrs, &reducts), reducts, complete })
}

impl StableReduct {
    fn rank(&self) -> (std::cmp::Reverse<u64>, usize) {
        (std::cmp::Reverse(self.stability.numerator), self.attrs.len())
    }
}

/// How many of the reducts of subtables use each attribute.
fn usage(attrs: &AttrSet, reducts: &[StableReduct]) -> Vec<(AttrIdx, Fraction)> {
    let count = |used: &dyn Fn(&StableReduct) -> bool| {
        reducts.iter().filter(|reduct| used(reduct)).map(|reduct| reduct.stability.numerator).sum::<u64>()
    };
    // Where no subtable has any of the reducts, no attribute is used.
    let all = count(&|_| true).max(1);
    attrs.iter().map(|attr| (attr, Fraction::new(count(&|reduct| reduct.attrs.contains(attr)), all))).collect()
}

impl Candidates {
    /// Reducts of the table number `table`, ascending, and whether they are all that were asked for.
    fn of(self, quotient: &Quotient, (seed, table): (u64, u64), observer: &dyn Observer) -> (Vec<AttrSet>, bool) {
        match self {
            Self::All(limit) => {
                let all = quotient.all_reducts(limit, observer);
                (all.found.iter().map(|reduct| reduct.attrs().clone()).collect(), all.complete)
            }
            Self::Permutations(n) => {
                let mut found = quotient.reducts_of_orders(table * n..(table + 1) * n, seed, observer);
                found.sort();
                found.dedup();
                (found, true)
            }
        }
    }
}

/// Subtables that can be drawn again at any time.
struct Subtables<'t> {
    table: &'t DecisionTable,
    attrs: &'t AttrSet,
    notion: Notion,
    settings: &'t Dynamic,
    seed: u64,
}

impl Subtables<'_> {
    /// Calls `work` with every subtable and its number. Few subtables exist at a time.
    fn each<T: Send>(&self, task: &str, observer: &dyn Observer, work: impl Fn(&Quotient, u64) -> T + Sync) -> Vec<T> {
        let one = |index: usize| work(&self.draw(index as u64), index as u64);
        in_parallel(observer, task, self.settings.n_subtables as usize, one)
    }

    fn draw(&self, index: u64) -> Quotient {
        let rng: &mut Stream = &mut stream(self.seed, "subtables", index);
        let share = rng.random_range(self.settings.shares.0..=self.settings.shares.1);
        let size = n_drawn(share, self.table.total_weight());
        Quotient::new(&self.table.sample(size, rng), self.attrs, self.notion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any of 200 attributes tells the two rows apart, so that an order leads to its last one.
    #[test]
    fn every_table_has_orders_of_its_own() {
        let names: Vec<String> = (0..200).map(|at| format!("a{at}")).collect();
        let rows = ["0", "1"].map(|cell| vec![cell; 201]);
        let table = DecisionTable::from_rows(&names, "d", &rows).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        for (number, orders) in [(0, 0..8), (1, 8..16), (2, 16..24)] {
            let mut expected = quotient.reducts_of_orders(orders, 1, &Silent);
            expected.sort();
            expected.dedup();
            assert_eq!(Candidates::Permutations(8).of(&quotient, (1, number), &Silent), (expected, true));
        }
    }
}
