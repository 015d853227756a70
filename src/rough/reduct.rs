//! Reducts, a type of their own, because minimality is a promise.

use super::greedy::Criterion;
use super::{Notion, Quotient};
use crate::choices;
use crate::table::{AttrIdx, AttrSet, Code, Codes, DecisionTable, with_codes};

/// Attributes that preserve a notion of decision and of which none is dispensable; both checked exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduct {
    attrs: AttrSet,
    notion: Notion,
}

choices! {
    /// A way to find one reduct.
    pub enum Method = Greedy {
        /// Add the attribute that resolves most conflicts until none is left, then prune.
        Greedy,
        /// The same with the attribute that makes γ largest.
        Dependency,
        /// The same with the attribute that makes the conditional entropy least.
        Entropy,
        /// The same with the attribute that makes the Gini impurity least.
        Gini,
        /// Drop attributes one by one, the least discerning first, as long as no conflict arises: the fastest.
        Backward,
        /// The shorter of greedy and a local search for a hitting set. That search is [`Quotient::hitting_set_reduct`].
        Short,
    }
}

/// Up to so many codes of distinct rows, the methods of [`Quotient::quick_reduct`] take about a second together.
const FEW_CODES: usize = 10_000_000;

/// A reduct, and by which methods it was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuickReduct {
    /// The shortest reduct that was found.
    pub reduct: Reduct,
    /// The methods that were tried, each with the number of attributes that it came to.
    pub tried: Vec<(Method, usize)>,
}

impl Reduct {
    /// A reduct of the whole table by `method`.
    ///
    /// ```
    /// use roughboard::rough::{Method, Notion, Reduct};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    /// let reduct = Reduct::of(&table, Notion::Positive, Method::Greedy);
    /// assert_eq!(table.names(reduct.attrs()), ["a"]);
    /// ```
    pub fn of(table: &DecisionTable, notion: Notion, method: Method) -> Self {
        Quotient::new(table, &table.all_attributes(), notion).reduct(method)
    }

    /// The attributes.
    pub const fn attrs(&self) -> &AttrSet {
        &self.attrs
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        self.attrs.len()
    }

    /// Whether no attribute is needed: all labels are equal.
    pub fn is_empty(&self) -> bool {
        self.attrs.is_empty()
    }

    /// What the attributes preserve.
    pub const fn notion(&self) -> Notion {
        self.notion
    }

    /// For enumerations that have proved minimality themselves.
    pub(super) const fn proved(attrs: AttrSet, notion: Notion) -> Self {
        Self { attrs, notion }
    }
}

impl Quotient {
    /// One reduct by `method`.
    pub fn reduct(&self, method: Method) -> Reduct {
        match method {
            Method::Greedy => self.greedy_reduct(),
            Method::Dependency => self.greedy_reduct_by(Criterion::Dependency),
            Method::Entropy => self.greedy_reduct_by(Criterion::Entropy),
            Method::Gini => self.greedy_reduct_by(Criterion::Gini),
            Method::Backward => self.backward_reduct(),
            Method::Short => self.shorter_than(self.greedy_reduct()),
        }
    }

    /// A reduct that is short and quickly found: the shortest of those by [`Method::Backward`], [`Method::Greedy`] and
    /// [`Method::Short`], the first of equal length; that by [`Method::Backward`] alone if distinct rows times attributes
    /// are more than 10 million.
    ///
    /// ```
    /// use roughboard::rough::{Method, Notion, Quotient};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    /// let quick = Quotient::new(&table, &table.all_attributes(), Notion::Positive).quick_reduct();
    /// assert_eq!(quick.tried, [(Method::Backward, 1), (Method::Greedy, 1), (Method::Short, 1)]);
    /// ```
    pub fn quick_reduct(&self) -> QuickReduct {
        let backward = self.backward_reduct();
        if self.n_rows() * self.columns.len() > FEW_CODES {
            return QuickReduct { tried: vec![(Method::Backward, backward.len())], reduct: backward };
        }
        let greedy = self.greedy_reduct();
        let short = self.shorter_than(greedy.clone());
        let found = [(Method::Backward, backward), (Method::Greedy, greedy), (Method::Short, short)];
        let tried = found.iter().map(|(method, reduct)| (*method, reduct.len())).collect();
        let [(_, first), rest @ ..] = found;
        let shortest = |best: Reduct, (_, other): (Method, Reduct)| if other.len() < best.len() { other } else { best };
        QuickReduct { reduct: rest.into_iter().fold(first, shortest), tried }
    }

    /// The shorter of a reduct and one by a local search for a hitting set.
    fn shorter_than(&self, reduct: Reduct) -> Reduct {
        let other = self.hitting_set_reduct();
        if other.len() < reduct.len() { other } else { reduct }
    }

    /// `attrs` as a reduct, if it is one.
    pub fn check_reduct(&self, attrs: &AttrSet) -> Option<Reduct> {
        self.is_reduct(attrs).then(|| Reduct { attrs: attrs.clone(), notion: self.notion() })
    }

    /// The reduct that dropping attributes in the given order leads to, wherever the rest still preserves the notion.
    /// Attributes that `order` does not name are tried last, so that the result is minimal whatever the order.
    pub fn reduct_by_order(&self, order: &[AttrIdx]) -> Reduct {
        let (all, mut untried) = (self.attributes(), self.attributes());
        let order = order.iter().copied().chain(all.iter()).filter(|attr| untried.remove(*attr));
        self.drop_in_order(&order.collect::<Vec<_>>())
    }

    /// Backward elimination: all attributes, pruned from the least discerning on.
    pub fn backward_reduct(&self) -> Reduct {
        self.backward_reduct_within(&AttrSet::new())
    }

    /// As [`Quotient::backward_reduct`], with the attributes of `last` pruned after all others.
    pub(super) fn backward_reduct_within(&self, last: &AttrSet) -> Reduct {
        let attr = |column: &usize| self.columns[*column].attr;
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        let pairs = |column: &usize| equal_pairs(&self.columns[*column].codes, self.columns[*column].n_values);
        order
            .sort_by_cached_key(|column| (last.contains(attr(column)), std::cmp::Reverse(pairs(column)), attr(column)));
        self.drop_in_order(&order.iter().map(attr).collect::<Vec<_>>())
    }

    /// What is left of the attributes of `order`, which preserve the notion, where they are dropped one by one.
    pub(super) fn drop_in_order(&self, order: &[AttrIdx]) -> Reduct {
        Reduct { attrs: self.left_of(order), notion: self.notion() }
    }
}

/// How many ordered pairs of rows have equal codes: Σ n_v².
pub(super) fn equal_pairs(codes: &Codes, n_values: usize) -> u64 {
    // Neighbours are counted apart, so that equal values need not wait for each other.
    let mut sizes = vec![[0_u64; 4]; n_values];
    with_codes!(codes, codes => {
        codes.iter().enumerate().for_each(|(row, code)| sizes[code.index()][row % 4] += 1);
    });
    sizes.iter().map(|parts| parts.iter().sum::<u64>().pow(2)).sum()
}
