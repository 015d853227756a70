//! All reducts under a relation that each attribute decides alone, by discernibility clauses (Kryszkiewicz 1998): for
//! each pair of objects that must be told apart, a reduct holds an attribute that does so.

use super::hitting::{Clause, Enumeration, MinimalClauses, Narrow, Wide, all_minimal_hitting_sets, short_hitting_set};
use super::neighbourhood::Neighbourhoods;
use super::{RoughError, UnderRelation};
use crate::observe::Observer;
use crate::table::AttrSet;

/// The most distinct rows whose pairs are all compared (2.5 · 10⁹ ordered pairs).
const MAX_ROWS: usize = 50_000;
/// Exchanges of the local search for one short reduct.
const STEPS: u64 = 2_000;
const TASK: &str = "the enumeration of reducts under a relation";

/// The minimal clauses of a table under a relation: what a set of attributes must tell apart to preserve a notion.
#[derive(Debug, Clone)]
pub struct Discernibility {
    neighbourhoods: Neighbourhoods,
    clauses: Clauses,
}

/// Clauses as wide as the table.
#[derive(Debug, Clone)]
enum Clauses {
    Narrow(Vec<Narrow>),
    Wide(Vec<Wide>),
}

/// What some work makes of the clauses, whatever their width.
macro_rules! with_all {
    ($of:expr, $clauses:ident => $work:expr) => {
        match &$of.clauses {
            Clauses::Narrow($clauses) => $work,
            Clauses::Wide($clauses) => $work,
        }
    };
}

impl Discernibility {
    /// Whether `attrs` preserves the notion.
    pub fn is_superreduct(&self, attrs: &AttrSet) -> bool {
        let told = |told: AttrSet| told.iter().any(|attr| attrs.contains(attr));
        with_all!(self, clauses => clauses.iter().all(|clause| told(self.neighbourhoods.attributes_of(clause))))
    }

    /// The attributes that every reduct holds: those that alone tell two objects apart.
    pub fn core(&self) -> AttrSet {
        with_all!(self, clauses => {
            let alone = clauses.iter().filter(|clause| clause.len() == 1);
            alone.flat_map(|clause| self.neighbourhoods.attributes_of(clause).iter().collect::<Vec<_>>()).collect()
        })
    }

    /// One short reduct, by local search.
    pub fn reduct(&self) -> AttrSet {
        with_all!(self, clauses => {
            let set = short_hitting_set(clauses, &Default::default(), STEPS, 0, &|| false);
            self.neighbourhoods.attributes_of(&set)
        })
    }

    /// All reducts, at most `limit` of them, ascending.
    pub fn all_reducts(&self, limit: usize) -> Enumeration<AttrSet> {
        with_all!(self, clauses => {
            all_minimal_hitting_sets(clauses, limit, &|| false).named(|set| self.neighbourhoods.attributes_of(set))
        })
    }
}

impl UnderRelation<'_> {
    /// The minimal clauses of all pairs of rows that must be told apart.
    ///
    /// # Errors
    /// When there are more than 50,000 distinct rows, or the metric is not Chebyshev's.
    pub fn clauses(&self, observer: &dyn Observer) -> Result<Discernibility, RoughError> {
        if let Some((metric, _)) = self.relation.joint() {
            return Err(RoughError::NotByAttribute { metric });
        }
        RoughError::check_rows(TASK, self.n_rows(), MAX_ROWS)?;
        let is_narrow = self.neighbourhoods.n_columns() <= Narrow::BITS as usize;
        let clauses = if is_narrow {
            Clauses::Narrow(self.minimal_clauses(observer))
        } else {
            Clauses::Wide(self.minimal_clauses(observer))
        };
        Ok(Discernibility { neighbourhoods: self.neighbourhoods.clone(), clauses })
    }

    fn minimal_clauses<C: Clause>(&self, observer: &dyn Observer) -> Vec<C> {
        self.fold_clauses(MinimalClauses::<C>::absorb, MinimalClauses::joined, observer).into_sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::{Notion, Relation};
    use crate::table::{AttrIdx, DecisionTable};

    /// `a` alone tells the first two rows apart, `b` or `c` the first and the third; with 200 columns more, which tell nothing.
    #[test]
    fn clauses_of_any_width_give_core_and_reducts() {
        for n_idle in [0, 200] {
            let mut names: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
            names.extend((0..n_idle).map(|at| format!("idle {at}")));
            let row = |text: &str, decision: &str| {
                let told = text.chars().map(String::from);
                told.chain(vec!["0".to_owned(); n_idle]).chain([decision.to_owned()]).collect::<Vec<_>>()
            };
            let rows = [row("000", "x"), row("100", "y"), row("011", "y")];
            let table = DecisionTable::from_rows(&names, "d", &rows).unwrap();
            let (all, relation) = (table.all_attributes(), Relation::Indiscernibility);
            let under = UnderRelation::new(&table, &all, relation, Notion::Positive, &Silent).unwrap();
            let clauses = under.clauses(&Silent).unwrap();
            let set = |columns: &[usize]| columns.iter().copied().map(AttrIdx::new).collect::<AttrSet>();
            assert_eq!(clauses.core(), set(&[0]));
            assert!([&[0, 1][..], &[0, 2], &[0, 1, 2]].iter().all(|columns| clauses.is_superreduct(&set(columns))));
            assert!(![&[][..], &[0], &[1, 2]].iter().any(|columns| clauses.is_superreduct(&set(columns))));
            let both = Enumeration { found: vec![set(&[0, 1]), set(&[0, 2])], complete: true };
            assert!(both.found.contains(&clauses.reduct()));
            assert_eq!(clauses.all_reducts(2), both);
            assert!(!clauses.all_reducts(1).complete);
        }
    }
}
