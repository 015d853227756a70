//! Discernibility clauses: for two rows with different labels the attributes on which they differ.
//!
//! Only minimal clauses matter, and only they are kept: pairs are streamed, and the n² matrix never exists.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use super::hitting::{
    Clause, Enumeration, MinimalClauses, Narrow, keep_within, visit_minimal_hitting_sets, with_clauses,
};
use super::packed::PackedRows;
use super::unmet::Unmet;
use super::{Quotient, Reduct};
use crate::observe::Observer;
use crate::table::AttrSet;

/// Up to this many rows all pairs are compared at the start; of more, clauses are found when they are missed.
const FEW_ROWS: usize = 1_000;

impl Quotient {
    /// The minimal clauses among all pairs of rows, which must be few; none if `stop` says so, which is asked before each row.
    fn minimal_clauses<C: Clause>(&self, stop: &dyn Fn() -> bool) -> Option<Vec<C>> {
        let (packed, mut minimal) = (self.packed(), MinimalClauses::default());
        for row in 0..self.n_rows() {
            if stop() {
                return None;
            }
            self.collect(&packed, row, row + 1..self.n_rows(), &mut minimal);
        }
        Some(minimal.into_sorted())
    }

    /// The minimal clauses between `row` and all others: what tells its label from every other label.
    pub(super) fn clauses_of_row(&self, packed: &PackedRows, row: usize) -> Vec<Narrow> {
        let mut minimal = MinimalClauses::default();
        self.collect(packed, row, 0..self.n_rows(), &mut minimal);
        minimal.into_sorted()
    }

    /// All rows in one piece each.
    pub(super) fn packed(&self) -> PackedRows {
        PackedRows::of(self, &(0..self.n_rows() as u32).collect::<Vec<_>>())
    }

    fn collect<C: Clause>(
        &self,
        packed: &PackedRows,
        row: usize,
        others: Range<usize>,
        minimal: &mut MinimalClauses<C>,
    ) {
        let label = self.labels[row];
        for other in others {
            if self.labels[other] != label {
                minimal.absorb(packed.difference(row, other));
            }
        }
    }

    /// Shows every reduct to `visit` as soon as it is found, in no order, until that breaks off or `stop` says so. Breaks
    /// off unless every reduct was shown. `stop` is asked before each reduct, and often while none is found.
    ///
    /// The minimal sets of attributes that meet every discernibility clause. Of large tables the clauses are found on
    /// the way: a set that meets all clauses known so far is tested on the table, and what it misses is added.
    pub fn visit_reducts(
        &self,
        stop: &dyn Fn() -> bool,
        visit: &mut dyn FnMut(Reduct) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let reduct = |attrs| Reduct::proved(attrs, self.notion());
        with_clauses!(self.columns.len(), C => {
            self.visit_reduct_columns(stop, &mut |set: &C| visit(reduct(self.attributes_of(set))))
        })
    }

    fn visit_reduct_columns<C: Clause>(
        &self,
        stop: &dyn Fn() -> bool,
        visit: &mut dyn FnMut(&C) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut universe = C::default();
        (0..self.columns.len()).for_each(|column| universe.insert(column));
        if self.n_rows() <= FEW_ROWS {
            let Some(clauses) = self.minimal_clauses(stop) else { return ControlFlow::Break(()) };
            visit_minimal_hitting_sets(clauses, universe, &mut |_| Vec::new(), stop, visit)
        } else {
            let mut source = Unmet::new(self);
            visit_minimal_hitting_sets(Vec::new(), universe, &mut |set| source.unmet(set), stop, visit)
        }
    }

    /// All reducts, at most `limit` of them, ascending.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::rough::{Notion, Quotient};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "0", "x"], ["0", "1", "1", "y"], ["1", "0", "0", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
    /// let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
    /// let reducts = quotient.all_reducts(usize::MAX, &Silent);
    /// let names: Vec<_> = reducts.found.iter().map(|reduct| table.names(reduct.attrs())).collect();
    /// assert_eq!((names, reducts.complete), (vec![vec!["a", "b"], vec!["a", "c"]], true));
    /// ```
    pub fn all_reducts(&self, limit: usize, observer: &dyn Observer) -> Enumeration<Reduct> {
        self.reducts_until(limit, &|| false, observer)
    }

    /// As [`Quotient::all_reducts`]; ends early, and incomplete, when `stop` says so, which is asked as by
    /// [`Quotient::visit_reducts`].
    pub fn reducts_until(&self, limit: usize, stop: &dyn Fn() -> bool, observer: &dyn Observer) -> Enumeration<Reduct> {
        with_clauses!(self.columns.len(), C => self.reducts_in::<C>(limit, stop, observer))
    }

    /// How many reducts have each number of attributes, of at most `limit` of them, and whether there are no others. None is kept, so that
    /// neither memory nor sorting limits their number; ends early as [`Quotient::reducts_until`] does.
    pub fn reduct_sizes_until(
        &self,
        limit: usize,
        stop: &dyn Fn() -> bool,
        observer: &dyn Observer,
    ) -> (BTreeMap<usize, usize>, bool) {
        let (mut sizes, mut count) = (BTreeMap::new(), 0);
        observer.begin("finding reducts", 0);
        let mut visit = |size: usize| {
            if count == limit {
                return ControlFlow::Break(());
            }
            observer.advance(1);
            count += 1;
            *sizes.entry(size).or_default() += 1;
            ControlFlow::Continue(())
        };
        let end = with_clauses!(self.columns.len(), C => {
            self.visit_reduct_columns(stop, &mut |set: &C| visit(set.len()))
        });
        observer.end();
        (sizes, end.is_continue())
    }

    fn reducts_in<C: Clause>(
        &self,
        limit: usize,
        stop: &dyn Fn() -> bool,
        observer: &dyn Observer,
    ) -> Enumeration<Reduct> {
        let mut found: Vec<C> = Vec::new();
        observer.begin("finding reducts", 0);
        let mut visit = |set: &C| {
            observer.advance(1);
            keep_within(limit, &mut found, set)
        };
        let complete = self.visit_reduct_columns(stop, &mut visit).is_continue();
        observer.end();
        found.sort_unstable_by(Clause::compare_lists);
        let reduct = |set: &C| Reduct::proved(self.attributes_of(set), self.notion());
        Enumeration { found: found.iter().map(reduct).collect(), complete }
    }

    /// The set of the columns of `attrs`.
    pub(super) fn columns_of<C: Clause>(&self, attrs: &AttrSet) -> C {
        let mut columns = C::default();
        attrs.iter().filter_map(|attr| self.column_of(attr)).for_each(|column| columns.insert(column));
        columns
    }

    /// The attributes of the columns whose bits are set.
    pub(super) fn attributes_of<C: Clause>(&self, columns: &C) -> AttrSet {
        columns.elements().filter_map(|at| self.columns.get(at)).map(|column| column.attr).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::mix;
    use crate::rough::Notion;
    use crate::settings::Choices;
    use crate::table::{Attribute, DecisionTable, Weights};

    /// Some hundred rows of little variety; attribute 0 decides together with others.
    fn table(seed: u64) -> DecisionTable {
        rows(300, seed)
    }

    fn rows(n_rows: u64, seed: u64) -> DecisionTable {
        let value =
            |row: u64, column: u64| (mix(seed ^ mix(row) ^ column.wrapping_mul(0x9E37)) % (2 + column % 3)) as i64;
        let attribute =
            |name: String, value: &dyn Fn(u64) -> i64| Attribute::from_integers(name, (0..n_rows).map(value));
        let conditions = (0..12).map(|c| attribute(format!("a{c}"), &|row| value(row, c))).collect();
        let decision = attribute("d".into(), &|row| i64::from(value(row, 2) + value(row, 5) > 2));
        DecisionTable::new(conditions, decision, Weights::Unit).unwrap()
    }

    #[test]
    fn clauses_found_on_the_way_give_the_same_reducts() {
        for seed in 0..8 {
            let table = table(seed);
            for &notion in Notion::ALL {
                let quotient = Quotient::new(&table, &table.all_attributes(), notion);
                let (mut known, mut missed) = (Vec::new(), Vec::new());
                let universe = (1 << 12) - 1;
                let all = |found: &mut Vec<u128>, set: &u128| keep_within(usize::MAX, found, set);
                let clauses = quotient.minimal_clauses(&|| false).unwrap();
                let _ = visit_minimal_hitting_sets(clauses, universe, &mut |_| Vec::new(), &|| false, &mut |set| {
                    all(&mut known, set)
                });
                let mut source = Unmet::new(&quotient);
                let _ =
                    visit_minimal_hitting_sets(vec![], universe, &mut |set| source.unmet(set), &|| false, &mut |set| {
                        all(&mut missed, set)
                    });
                known.sort_unstable();
                missed.sort_unstable();
                assert_eq!(known, missed, "{notion}, seed {seed}");
            }
        }
    }

    #[test]
    fn sizes_are_those_of_the_reducts_up_to_the_limit() {
        let (table, silent) = (table(3), &crate::observe::Silent);
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let all = quotient.all_reducts(usize::MAX, silent).found;
        let sizes = |limit: usize| quotient.reduct_sizes_until(limit, &|| false, silent);
        let (of_all, is_complete) = sizes(all.len());
        assert!(is_complete && !sizes(all.len() - 1).1);
        for (size, count) in &of_all {
            assert_eq!(all.iter().filter(|reduct| reduct.len() == *size).count(), *count);
        }
        assert_eq!(of_all.values().sum::<usize>(), all.len());
    }

    /// A search that is told to stop at the first question has found nothing, of small tables and large.
    #[test]
    fn a_search_asks_whether_to_stop_before_it_finds_anything() {
        for table in [table(1), rows(2 * FEW_ROWS as u64, 1)] {
            let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
            let all = quotient.reducts_until(usize::MAX, &|| true, &crate::observe::Silent);
            assert!(all.found.is_empty() && !all.complete);
            let minimum = quotient.minimum_reduct(&|| true, &crate::observe::Silent);
            assert!(quotient.is_reduct(minimum.reduct.attrs()) && !minimum.is_proved());
        }
    }

    /// A single attribute makes a single reduct, so nearly all questions come while clauses are made.
    #[test]
    fn a_search_asks_whether_to_stop_at_each_row_that_makes_clauses() {
        let numbers = |name: &str, of: fn(i64) -> i64| Attribute::from_integers(name, (0..300).map(of));
        let (a, d) = (numbers("a", |row| row), numbers("d", |row| row % 2));
        let table = DecisionTable::new(vec![a], d, Weights::Unit).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let search = |last: usize| {
            let asked = std::cell::Cell::new(0);
            let stop = || asked.replace(asked.get() + 1) == last;
            let found = quotient.reducts_until(usize::MAX, &stop, &crate::observe::Silent);
            (found.found.len(), found.complete, asked.get())
        };
        assert_eq!(search(40), (0, false, 41));
        assert_eq!(search(299), (0, false, 300));
        let (n_found, is_complete, n_asked) = search(usize::MAX);
        assert!((n_found, is_complete) == (1, true) && n_asked > 300, "{n_asked}");
    }

    /// The table behind so many attributes that say nothing that its own are beyond 128 bits.
    fn widened(table: &DecisionTable) -> DecisionTable {
        let idle = |at: usize| Attribute::from_integers(format!("idle{at}"), vec![0; table.n_objects()]);
        let conditions = (0..130).map(idle).chain(table.attributes().iter().cloned()).collect();
        DecisionTable::new(conditions, table.decision().clone(), Weights::Unit).unwrap()
    }

    #[test]
    fn any_number_of_attributes_gives_the_same_reducts() {
        for seed in 0..4 {
            let table = table(seed);
            let wide = widened(&table);
            let of = |table: &DecisionTable| {
                let quotient = Quotient::new(table, &table.all_attributes(), Notion::Positive);
                let all = quotient.all_reducts(usize::MAX, &crate::observe::Silent);
                let listed: Vec<Vec<String>> = all.found.iter().map(|reduct| names(table, reduct)).collect();
                let minimum = quotient.minimum_reduct(&|| false, &crate::observe::Silent);
                assert!(minimum.is_proved() && quotient.is_reduct(minimum.reduct.attrs()));
                let short = quotient.hitting_set_reduct();
                assert!(quotient.is_reduct(short.attrs()));
                (listed, minimum.lower_bound)
            };
            assert_eq!(of(&wide), of(&table), "seed {seed}");
        }
    }

    fn names(table: &DecisionTable, reduct: &Reduct) -> Vec<String> {
        table.names(reduct.attrs()).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn only_minimal_clauses_are_kept() {
        let mut minimal = MinimalClauses::default();
        for clause in [0b111_u128, 0b011, 0b110, 0b011, 0b1011, 0b100] {
            minimal.absorb(clause);
        }
        assert_eq!(minimal.into_sorted(), vec![0b011, 0b100]);
    }
}
