//! The core, attributes that every reduct holds, and reducts by dropping attributes in a given order.
//!
//! An attribute is in the core exactly if two rows with different labels differ in it alone. Divide and conquer: such
//! rows agree on all attributes outside the half that the attribute lies in, so each half is searched among the rows
//! that agree outside it, and few rows do. Where attributes are dropped in an order, the same holds of all that are kept.

use super::Quotient;
use super::conflict::Collisions;
use crate::table::{AttrIdx, AttrSet};

/// From this many rows on the two halves are searched at the same time.
const MANY_ROWS: usize = 10_000;

/// Rows still in question: those that agree with another of a different label on some attributes.
struct OpenRows {
    rows: Vec<u32>,
    /// The attributes that they agree on, and the keys of the rows over these.
    agreed: AttrSet,
    keys: Vec<u64>,
}

impl Quotient {
    /// The core: the attributes without which the others do not preserve the notion. The intersection of all reducts.
    ///
    /// ```
    /// use roughboard::rough::{Notion, Quotient};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "0", "x"], ["0", "1", "1", "y"], ["1", "0", "0", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
    /// let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
    /// assert_eq!(table.names(&quotient.core()), ["a"]);
    /// ```
    pub fn core(&self) -> AttrSet {
        let all: Vec<AttrIdx> = self.attributes().iter().collect();
        Search::new(self).core(&all, &self.all_rows())
    }

    /// The attributes that are left of `order` where they are dropped one by one, unless that makes a conflict.
    pub(super) fn left_of(&self, order: &[AttrIdx]) -> AttrSet {
        Search::new(self).needed(order, &self.all_rows()).into_iter().collect()
    }

    /// All rows, which agree on nothing.
    fn all_rows(&self) -> OpenRows {
        let n_rows = self.n_rows();
        OpenRows { rows: (0..n_rows as u32).collect(), agreed: AttrSet::new(), keys: vec![0; n_rows] }
    }
}

struct Search<'q> {
    quotient: &'q Quotient,
    memory: Collisions,
}

impl<'q> Search<'q> {
    fn new(quotient: &'q Quotient) -> Self {
        Self { quotient, memory: Collisions::default() }
    }

    /// The core attributes among `attrs`, searched among rows that agree on all others.
    fn core(&mut self, attrs: &[AttrIdx], open: &OpenRows) -> AttrSet {
        if open.rows.is_empty() || attrs.len() < 2 {
            return self.needed(attrs, open).into_iter().collect();
        }
        let (left, right) = attrs.split_at(attrs.len() / 2);
        let half = |search: &mut Search<'_>, inside: &[AttrIdx], outside: &[AttrIdx]| {
            let agreeing = search.agreeing_on(outside, open);
            search.core(inside, &agreeing)
        };
        let (in_left, in_right) = if open.rows.len() < MANY_ROWS {
            (half(self, left, right), half(self, right, left))
        } else {
            let mut other = Search::new(self.quotient);
            rayon::join(|| half(self, left, right), || half(&mut other, right, left))
        };
        in_left.iter().chain(in_right.iter()).collect()
    }

    /// Those of `order` that are kept where they are dropped one by one, searched among rows that agree on what else is
    /// kept: in the first half, what agrees on all of the second; in that, what agrees on those kept of the first.
    fn needed(&mut self, order: &[AttrIdx], open: &OpenRows) -> Vec<AttrIdx> {
        match order {
            _ if open.rows.is_empty() => Vec::new(),
            [attr] if self.is_mixed(open) => vec![*attr],
            [] | [_] => Vec::new(),
            _ => {
                let (first, last) = order.split_at(order.len() / 2);
                let agreeing = self.agreeing_on(last, open);
                let mut needed = self.needed(first, &agreeing);
                let agreeing = self.agreeing_on(&needed, open);
                needed.extend(self.needed(last, &agreeing));
                needed
            }
        }
    }

    /// Whether two of the open rows differ in label: if any do, the first row and another with its key. Rows with one key
    /// agree, unless keys collided: two are compared value by value, and all of them only if those two do not agree.
    fn is_mixed(&self, open: &OpenRows) -> bool {
        let label = |at: usize| self.quotient.labels[open.rows[at] as usize];
        let is_witness = |at: &usize| open.keys[*at] == open.keys[0] && label(*at) != label(0);
        let witness = (1..open.rows.len()).find(is_witness).map(|at| (open.rows[0], open.rows[at]));
        witness.and_then(|witness| self.quotient.conflict_of(witness, &open.rows, &open.agreed)).is_some()
    }

    /// The open rows that agree on `attrs` too with another of a different label.
    fn agreeing_on(&mut self, attrs: &[AttrIdx], open: &OpenRows) -> OpenRows {
        let keys = self.keys(attrs, open);
        let labels: Vec<u32> = open.rows.iter().map(|&row| self.quotient.labels[row as usize]).collect();
        let mixed = self.memory.mixed(&keys, &labels);
        let (rows, keys) = mixed.iter().map(|&at| (open.rows[at as usize], keys[at as usize])).unzip();
        OpenRows { rows, agreed: open.agreed.iter().chain(attrs.iter().copied()).collect(), keys }
    }

    /// The keys of the open rows over `attrs` too.
    fn keys(&self, attrs: &[AttrIdx], open: &OpenRows) -> Vec<u64> {
        let mut keys = open.keys.clone();
        if open.rows.len() == self.quotient.n_rows() {
            // Of all rows, several columns are added at a time.
            let added = self.quotient.keys(&attrs.iter().copied().collect());
            keys.iter_mut().zip(added).for_each(|(key, added)| *key ^= added);
        } else {
            let columns = attrs.iter().filter_map(|attr| self.quotient.column_of(*attr));
            columns.for_each(|column| self.quotient.toggle_rows(&mut keys, &open.rows, column));
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand::seq::SliceRandom;

    use super::Search;
    use crate::random::stream;
    use crate::rough::{Notion, Quotient};
    use crate::table::{AttrIdx, DecisionTable};

    #[test]
    fn the_core_may_be_empty_or_everything() {
        let same = DecisionTable::from_rows(&["a", "b"], "d", &[["0", "0", "x"], ["1", "1", "y"]]).unwrap();
        let core = |table: &DecisionTable| Quotient::new(table, &table.all_attributes(), Notion::Positive).core();
        assert!(core(&same).is_empty());
        let rows = [["0", "0", "x"], ["0", "1", "y"], ["1", "0", "y"]];
        let both = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        assert_eq!(core(&both).iter().map(AttrIdx::index).collect::<Vec<_>>(), vec![0, 1]);
    }

    #[test]
    fn halves_leave_what_trying_one_attribute_after_another_leaves() {
        let mut random = stream(1, "tables", 0);
        for _ in 0..200 {
            let rows: Vec<Vec<String>> =
                (0..20).map(|_| (0..8).map(|_| random.random_range(0..3).to_string()).collect()).collect();
            let names: Vec<String> = (0..7).map(|at| format!("a{at}")).collect();
            let table = DecisionTable::from_rows(&names, "d", &rows).unwrap();
            let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
            let mut order: Vec<AttrIdx> = quotient.attributes().iter().collect();
            order.shuffle(&mut random);
            let mut kept = quotient.attributes();
            for &attr in &order {
                let rest = kept.without(attr);
                kept = if quotient.is_superreduct(&rest) { rest } else { kept };
            }
            assert_eq!(quotient.left_of(&order), kept);
        }
    }

    /// The first two agree on `a`.
    #[test]
    fn of_all_rows_those_stay_open_that_agree_with_one_of_another_label() {
        let rows = [["0", "0", "x"], ["0", "1", "y"], ["1", "0", "x"], ["2", "0", "y"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let open = Search::new(&quotient).agreeing_on(&[AttrIdx::new(0)], &quotient.all_rows());
        assert_eq!(open.rows, [0, 1]);
    }
}
