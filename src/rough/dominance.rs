//! The dominance-based rough set approach to preferences (Greco, Matarazzo & Słowiński, *Rough sets theory for multicriteria
//! decision analysis*, European J. Operational Research 129, 2001).
//!
//! The objects that dominate x, D⁺(x), should not be of a lower class than x, and those that x dominates, D⁻(x), not of a
//! higher one. All approximations follow from two figures of each object: the lowest class in D⁺(x) and the highest in D⁻(x).

use rayon::prelude::*;

use super::hitting::{Clause, Enumeration, MinimalClauses, minimal_hitting_sets};
use super::partition::distinct_rows;
use super::{Fraction, RoughError};
use crate::observe::{Observer, in_parallel};
use crate::table::{AttrIdx, AttrSet, Attribute, DecisionTable, Value};

/// Rows compared at a time, so that what is known of them stays in the first-level cache.
const BLOCK: usize = 512;
/// The most distinct rows that are all compared with each other.
const MAX_ROWS: usize = 50_000;
const TASK: &str = "the dominance relation";

/// What the values of an attribute mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// A criterion: the more, the better.
    Gain,
    /// A criterion: the less, the better.
    Cost,
    /// No criterion: only objects with equal values are compared.
    Nominal,
}

/// A table whose decision is a preference, and whose attributes are criteria or not.
#[derive(Debug)]
pub struct DominanceRoughSets<'t> {
    table: &'t DecisionTable,
    /// Objects of one row are equal in all attributes and the decision.
    row_of: Vec<u32>,
    /// The attributes of the rows.
    columns: Vec<Ranks>,
    /// The class of each row, from 0, the worst.
    classes: Vec<u32>,
    /// The value of each class.
    values: Vec<Value>,
}

/// An attribute of the rows.
#[derive(Debug)]
struct Ranks {
    of_rows: Vec<u32>,
    is_nominal: bool,
}

/// The approximations of all unions of classes by some attributes.
#[derive(Debug)]
pub struct DominanceApproximations<'s> {
    sets: &'s DominanceRoughSets<'s>,
    /// For each row the lowest class of D⁺ and the highest of D⁻.
    bounds: Vec<(u32, u32)>,
}

/// A union of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassUnion {
    /// Cl_t^≥: the classes from this one upwards.
    AtLeast(u32),
    /// Cl_t^≤: the classes up to this one.
    AtMost(u32),
}

impl ClassUnion {
    /// Whether an object is certainly of the union, if `low` is the lowest class in D⁺ of it and `high` the highest in D⁻.
    const fn is_sure(self, (low, high): (u32, u32)) -> bool {
        match self {
            Self::AtLeast(class) => low >= class,
            Self::AtMost(class) => high <= class,
        }
    }

    /// Whether it may be of the union.
    const fn is_possible(self, (low, high): (u32, u32)) -> bool {
        match self {
            Self::AtLeast(class) => high >= class,
            Self::AtMost(class) => low <= class,
        }
    }
}

/// The approximation of a union of classes: objects, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnionApproximation {
    /// The objects that are certainly of the union.
    pub lower: Vec<u32>,
    /// Those that may be.
    pub upper: Vec<u32>,
    /// Those that may be and are not certainly.
    pub boundary: Vec<u32>,
    /// |lower| / |upper|, in weights.
    pub accuracy: Fraction,
}

impl<'t> DominanceRoughSets<'t> {
    /// The objects of `table`, with a preference for each of its attributes and for the decision, which is a gain or a cost.
    /// Numbers, intervals and booleans are ranked by size; texts by their place in `order`, the least first.
    ///
    /// # Errors
    /// When a criterion or the decision has a missing value or a text that `order` lacks, or there are more than 50,000
    /// distinct rows.
    ///
    /// # Panics
    /// When there is not a preference for each attribute.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::rough::{DominanceRoughSets, Fraction, Preference, ClassUnion};
    /// use roughboard::table::{DecisionTable, Roles};
    /// let csv = "price,speed,grade\n9,1,0\n5,2,1\n4,3,0\n2,4,1\n";
    /// let table = DecisionTable::from_csv(csv, &Roles::decided_by("grade")).unwrap();
    /// let preferences = [Preference::Cost, Preference::Gain];
    /// let sets = DominanceRoughSets::new(&table, &preferences, Preference::Gain, &[]).unwrap();
    /// let approximations = sets.approximations(&table.all_attributes(), &Silent);
    /// assert_eq!(approximations.of_union(ClassUnion::AtLeast(1)).lower, [3]);
    /// assert_eq!(approximations.quality(), Fraction::new(2, 4));
    /// ```
    pub fn new(
        table: &'t DecisionTable,
        preferences: &[Preference],
        of_decision: Preference,
        order: &[String],
    ) -> Result<Self, RoughError> {
        assert_eq!(preferences.len(), table.n_attributes(), "a preference for each attribute");
        let (objects, row_of) = distinct_rows(table);
        RoughError::check_rows(TASK, objects.len(), MAX_ROWS)?;
        let column = |(attribute, &preference): (&Attribute, &Preference)| {
            let ranks = ranks(attribute, preference, order)?;
            let of_rows = objects.iter().map(|&object| ranks[attribute.code(object as usize) as usize]).collect();
            Ok(Ranks { of_rows, is_nominal: preference == Preference::Nominal })
        };
        let columns = table.attributes().iter().zip(preferences).map(column).collect::<Result<_, RoughError>>()?;
        let decision = table.decision();
        let ranks = ranks(decision, of_decision, order)?;
        let mut by_rank: Vec<usize> = (0..decision.n_values()).collect();
        by_rank.sort_by_key(|&code| ranks[code]);
        let mut class_of = vec![0; by_rank.len()];
        (0..).zip(&by_rank).for_each(|(class, &code)| class_of[code] = class);
        let classes = objects.iter().map(|&object| class_of[decision.code(object as usize) as usize]).collect();
        let values = by_rank.iter().map(|&code| decision.domain()[code].clone()).collect();
        Ok(Self { table, row_of, columns, classes, values })
    }

    /// The value of each class of the decision, the worst first.
    pub fn classes(&self) -> &[Value] {
        &self.values
    }

    /// All unions that are not the whole universe: at most each class but the best, at least each but the worst.
    pub fn unions(&self) -> Vec<ClassUnion> {
        let last = self.values.len() as u32;
        let at_most = (0..last.saturating_sub(1)).map(ClassUnion::AtMost);
        at_most.chain((1..last).map(ClassUnion::AtLeast)).collect()
    }

    /// The approximations with the attributes `attrs`. Time grows with the square of the number of distinct rows.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn approximations(&self, attrs: &AttrSet, observer: &dyn Observer) -> DominanceApproximations<'_> {
        let columns: Vec<&Ranks> = attrs.iter().map(|attr| &self.columns[attr.index()]).collect();
        let bounds_of = |row: usize| self.bounds_of(&columns, row);
        let bounds = in_parallel(observer, "comparing rows", self.classes.len(), bounds_of);
        DominanceApproximations { sets: self, bounds }
    }

    /// The lowest class of the rows that dominate `row`, and the highest of those that it dominates.
    fn bounds_of(&self, columns: &[&Ranks], row: usize) -> (u32, u32) {
        let (mut low, mut high) = (self.classes[row], self.classes[row]);
        for start in (0..self.classes.len()).step_by(BLOCK) {
            let classes = &self.classes[start..(start + BLOCK).min(self.classes.len())];
            let (mut dominate, mut dominated) = ([true; BLOCK], [true; BLOCK]);
            for column in columns {
                column.compare(row, start, &mut dominate[..classes.len()], &mut dominated[..classes.len()]);
            }
            for ((&class, dominates), dominated) in classes.iter().zip(dominate).zip(dominated) {
                low = if dominates { low.min(class) } else { low };
                high = if dominated { high.max(class) } else { high };
            }
        }
        (low, high)
    }

    /// All minimal sets of attributes with the quality of all attributes, at most `limit` of them, ascending.
    ///
    /// # Errors
    /// When the table has more than 128 attributes.
    pub fn reducts(&self, limit: usize, observer: &dyn Observer) -> Result<Enumeration<AttrSet>, RoughError> {
        RoughError::check_width("the enumeration of reducts by dominance", self.columns.len())?;
        let of_all = self.approximations(&self.table.all_attributes(), observer);
        let clauses = self.clauses(&of_all.bounds, observer);
        Ok(minimal_hitting_sets(&clauses, limit).named(|set| set.elements().map(AttrIdx::new).collect()))
    }

    /// The minimal clauses: a row that is consistent stays so as long as no row of a lower class dominates it, and it dominates none
    /// of a higher class. Of two such rows the attributes are needed of which one says that the lower class is worse.
    fn clauses(&self, bounds: &[(u32, u32)], observer: &dyn Observer) -> Vec<u128> {
        let is_consistent = |row: usize| bounds[row].0 == bounds[row].1;
        observer.begin("comparing rows", bounds.len() as u64);
        let of_row = |mut clauses: MinimalClauses<u128>, worse: usize| {
            for better in (0..bounds.len()).filter(|&better| self.classes[worse] < self.classes[better]) {
                if is_consistent(worse) || is_consistent(better) {
                    clauses.absorb(self.clause(worse, better));
                }
            }
            observer.advance(1);
            clauses
        };
        let all = (0..bounds.len()).into_par_iter().fold(MinimalClauses::default, of_row);
        let clauses = all.reduce(MinimalClauses::default, MinimalClauses::joined).into_sorted();
        observer.end();
        clauses
    }

    /// The attributes by which a row does not dominate another.
    fn clause(&self, worse: usize, better: usize) -> u128 {
        let bit = |(at, column): (usize, &Ranks)| {
            let (a, b) = (column.of_rows[worse], column.of_rows[better]);
            u128::from(if column.is_nominal { a != b } else { a < b }) << at
        };
        self.columns.iter().enumerate().map(bit).fold(0, |clause, bit| clause | bit)
    }
}

impl Ranks {
    /// Says of the rows from `start` on which do not dominate `row`, and which it does not dominate.
    fn compare(&self, row: usize, start: usize, dominate: &mut [bool], dominated: &mut [bool]) {
        let own = self.of_rows[row];
        let rows = dominate.iter_mut().zip(dominated).zip(&self.of_rows[start..]);
        if self.is_nominal {
            rows.for_each(|((dominates, dominated), &other)| {
                *dominates &= other == own;
                *dominated &= other == own;
            });
        } else {
            rows.for_each(|((dominates, dominated), &other)| {
                *dominates &= other >= own;
                *dominated &= other <= own;
            });
        }
    }
}

/// The rank of each code of an attribute: a better value has a higher one.
fn ranks(attribute: &Attribute, preference: Preference, order: &[String]) -> Result<Vec<u32>, RoughError> {
    let n_values = attribute.n_values() as u32;
    let rank = |(code, value): (u32, &Value)| {
        let name = || attribute.name().to_owned();
        match value {
            _ if preference == Preference::Nominal => Ok(code),
            Value::Missing => Err(RoughError::MissingCriterion {
                attribute: name(),
                found: attribute.n_missing(),
                n_objects: attribute.len(),
            }),
            Value::Text(text) => match order.iter().position(|known| known == text) {
                Some(place) => Ok(place as u32),
                None => Err(RoughError::Unranked { attribute: name(), value: text.clone() }),
            },
            _ => Ok(code),
        }
    };
    let ranks: Vec<u32> = (0..n_values).zip(attribute.domain()).map(rank).collect::<Result<_, _>>()?;
    Ok(if preference == Preference::Cost { ranks.into_iter().map(|rank| u32::MAX - rank).collect() } else { ranks })
}

impl DominanceApproximations<'_> {
    /// The quality of the approximation γ: the share of objects that are in no boundary, in weights.
    pub fn quality(&self) -> Fraction {
        let table = self.sets.table;
        let consistent = (0..table.n_objects()).filter(|&object| {
            let (low, high) = self.of_object(object);
            low == high
        });
        Fraction::new(consistent.map(|object| table.weight(object)).sum(), table.total_weight())
    }

    /// The approximation of a union of classes.
    pub fn of_union(&self, union: ClassUnion) -> UnionApproximation {
        let objects = |wanted: &dyn Fn((u32, u32)) -> bool| -> Vec<u32> {
            (0..self.sets.table.n_objects() as u32).filter(|&object| wanted(self.of_object(object as usize))).collect()
        };
        let lower = objects(&|bounds| union.is_sure(bounds));
        let upper = objects(&|bounds| union.is_possible(bounds));
        let boundary = objects(&|bounds| union.is_possible(bounds) && !union.is_sure(bounds));
        let [sure, possible] = [&lower, &upper].map(|objects| self.sets.table.weight_of(objects));
        UnionApproximation { accuracy: Fraction::new(sure, possible), lower, upper, boundary }
    }

    fn of_object(&self, object: usize) -> (u32, u32) {
        self.bounds[self.sets.row_of[object] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::table::Roles;

    fn table(csv: &str) -> DecisionTable {
        DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap()
    }

    /// Pseudo-random ranks with a decision that mostly follows them; the last attribute is nominal.
    fn noisy(n: usize) -> DecisionTable {
        let mut csv = "a,b,c,e,d\n".to_owned();
        for at in 0..n {
            let number = |k: usize, m: usize| (at * at * k + 13 * at + k) % 101 % m;
            let (a, b, c, e) = (number(3, 5), number(7, 4), number(11, 6), number(5, 2));
            csv += &format!("{a},{b},{c},{e},{}\n", (a + b + 5 - c + number(2, 4)) / 4);
        }
        table(&csv)
    }

    const PREFERENCES: [Preference; 4] = [Preference::Gain, Preference::Gain, Preference::Cost, Preference::Nominal];

    /// Whether object `x` dominates object `y`, by the definition.
    fn dominates(table: &DecisionTable, attrs: &AttrSet, x: usize, y: usize) -> bool {
        attrs.iter().all(|attr| {
            let [a, b] = [x, y].map(|object| table.attribute(attr).value(object).as_real().unwrap());
            match PREFERENCES[attr.index()] {
                Preference::Gain => a >= b,
                Preference::Cost => a <= b,
                Preference::Nominal => a == b,
            }
        })
    }

    #[test]
    fn approximations_are_those_of_the_definition() {
        let table = noisy(150);
        let sets = DominanceRoughSets::new(&table, &PREFERENCES, Preference::Gain, &[]).unwrap();
        let (n, class) = (table.n_objects(), |object: usize| table.decision().code(object));
        for attrs in [table.all_attributes(), [0, 2].map(AttrIdx::new).into_iter().collect(), AttrSet::new()] {
            let found = sets.approximations(&attrs, &Silent);
            let (mut in_boundary, dominates) = (vec![false; n], |x, y| dominates(&table, &attrs, x, y));
            for union in sets.unions() {
                let holds = |object: usize| match union {
                    ClassUnion::AtLeast(t) => class(object) >= t,
                    ClassUnion::AtMost(t) => class(object) <= t,
                };
                let upwards = matches!(union, ClassUnion::AtLeast(_));
                // D⁺ for lower and D⁻ for upper approximations of upward unions, and the other way round.
                let cone = |x: usize, y: usize, above: bool| if above { dominates(y, x) } else { dominates(x, y) };
                let lower = |x: &u32| (0..n).all(|y| !cone(*x as usize, y, upwards) || holds(y));
                let upper = |x: &u32| (0..n).any(|y| cone(*x as usize, y, !upwards) && holds(y));
                let objects = 0..n as u32;
                let approximation = found.of_union(union);
                assert_eq!(approximation.lower, objects.clone().filter(lower).collect::<Vec<_>>(), "{union:?}");
                assert_eq!(approximation.upper, objects.filter(upper).collect::<Vec<_>>(), "{union:?}");
                approximation.boundary.iter().for_each(|&object| in_boundary[object as usize] = true);
            }
            let clear = in_boundary.iter().filter(|&&is_in| !is_in).count() as u64;
            assert_eq!(found.quality(), Fraction::new(clear, n as u64));
        }
    }

    #[test]
    fn reducts_are_the_minimal_sets_of_the_same_quality() {
        for n in [12, 25, 60] {
            let table = noisy(n);
            let sets = DominanceRoughSets::new(&table, &PREFERENCES, Preference::Gain, &[]).unwrap();
            let quality = |bits: usize| {
                let attrs = (0..4).filter(|at| bits >> at & 1 == 1).map(AttrIdx::new).collect();
                sets.approximations(&attrs, &Silent).quality()
            };
            let keeps = |bits: usize| quality(bits) == quality(15);
            let is_minimal =
                |&bits: &usize| keeps(bits) && (0..4).all(|at| bits >> at & 1 == 0 || !keeps(bits & !(1 << at)));
            let mut expected: Vec<AttrSet> = (0..16)
                .filter(is_minimal)
                .map(|bits| (0..4).filter(|at| bits >> at & 1 == 1).map(AttrIdx::new).collect())
                .collect();
            expected.sort();
            assert_eq!(sets.reducts(99, &Silent).unwrap().found, expected, "{n} objects");
        }
    }

    #[test]
    fn what_cannot_be_ranked_is_refused() {
        let table = table("a,d\nlow,0\nhigh,1\n?,1\n");
        let sets = |preference, order: &[&str]| {
            let order: Vec<String> = order.iter().map(|&text| text.to_owned()).collect();
            DominanceRoughSets::new(&table, &[preference], Preference::Gain, &order)
                .map(drop)
                .map_err(|e| e.to_string())
        };
        let missing = "`a` has no value in 1 of 3 objects, expected one in each";
        assert_eq!(sets(Preference::Gain, &["low", "high"]), Err(missing.to_owned()));
        let unranked = "`a` has the text `high`, which the order of texts lacks";
        assert_eq!(sets(Preference::Gain, &["low"]), Err(unranked.to_owned()));
        assert_eq!(sets(Preference::Nominal, &[]), Ok(()));
    }
}
