//! Fuzzy-rough sets (Dubois & Prade, *Rough fuzzy sets and fuzzy rough sets*, Int. J. General Systems 17, 1990): objects are
//! similar to a degree, and belong to approximations of the decision to a degree.
//!
//! A decision class X is crisp, so that its approximations by an implicator I and a t-norm T (Radzikowska & Kerre 2002),
//! (R↓X)(x) = inf_y I(R(x, y), X(y)) and (R↑X)(x) = sup_y T(R(x, y), X(y)), need one figure of each object and class: how
//! similar its nearest object of that class is. No matrix of all pairs exists.

mod reduct;
pub(crate) mod similarity;

use std::ops::Range;

use rayon::prelude::*;

pub use self::reduct::FuzzyReduct;
use self::similarity::{Alike, BLOCK};
use super::RoughError;
use super::partition::distinct_rows;
use crate::observe::Observer;
use crate::table::{AttrSet, DecisionTable};
use crate::{choices, settings};

/// Rows between two reports of progress.
const CHUNK: usize = 64;
/// Degrees that are compared at once.
const LANES: usize = 8;
/// The most distinct rows that are all compared with each other.
const MAX_ROWS: usize = 100_000;
const TASK: &str = "fuzzy-rough approximation";

choices! {
    /// How similar two numbers a and b of an attribute are. Values of other kinds, and a missing value, are similar to the
    /// degree 1 if they are equal and 0 if not.
    pub enum Similarity = Range {
        /// 1 - |a - b| / range, the largest less the smallest number of the objects.
        Range,
        /// 1 - |a - b| / σ, but not below 0, with the standard deviation σ of the objects (Jensen & Shen 2009).
        Triangular,
        /// exp(-(a - b)² / 2σ²).
        Gaussian,
    }
}

choices! {
    /// The t-norm T that joins the degrees of several attributes.
    pub enum TNorm = Lukasiewicz {
        /// max(0, a + b - 1).
        Lukasiewicz,
        /// min(a, b).
        Minimum | "min",
        /// a · b.
        Product,
    }
}

choices! {
    /// The implicator I of lower approximations, of which only I(a, 0) matters, since decisions are crisp.
    pub enum Implicator = Lukasiewicz {
        /// I(a, 0) = 1 - a: those of Łukasiewicz, Kleene and Dienes, and Reichenbach.
        Lukasiewicz | "kleene-dienes" | "reichenbach",
        /// I(a, 0) = 0 for a > 0: those of Gödel and Goguen.
        Goedel | "goguen",
    }
}

settings! {
    /// How similar objects are, and what that means for approximations.
    #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
    pub struct FuzzySettings {
        /// How similar two numbers are.
        pub similarity: Similarity = Similarity::Range;
        /// How the degrees of several attributes are combined.
        pub t_norm: TNorm = TNorm::Lukasiewicz;
        /// What a lower approximation makes of a similar object with another decision.
        pub implicator: Implicator = Implicator::Lukasiewicz;
    }
}

impl Implicator {
    /// I(a, 0).
    fn of_false(self, degree: f64) -> f64 {
        match self {
            Self::Lukasiewicz => 1.0 - degree,
            Self::Goedel => f64::from(u8::from(degree == 0.0)),
        }
    }
}

/// A decision table whose objects are similar to a degree.
#[derive(Debug)]
pub struct FuzzyRoughSets<'t> {
    table: &'t DecisionTable,
    settings: FuzzySettings,
    alike: Alike,
    /// The row of each object: objects of one row are equal in all attributes and the decision.
    row_of: Vec<u32>,
    weights: Vec<u64>,
    /// Where the rows of each decision begin, and the number of all rows.
    starts: Vec<usize>,
}

/// The approximations of all decision classes with some attributes.
#[derive(Debug)]
pub struct FuzzyApproximations<'s> {
    sets: &'s FuzzyRoughSets<'s>,
    /// For each row and each decision, how similar the nearest object of that decision is.
    nearest: Vec<f64>,
    /// For each row the largest two of these.
    largest: Vec<Largest>,
}

/// The largest of the degrees of some decisions, the decision that has it, and the largest of all others.
#[derive(Debug, Clone, Copy)]
struct Largest {
    degree: f64,
    decision: usize,
    of_others: f64,
}

impl<'t> FuzzyRoughSets<'t> {
    /// The objects of `table`.
    ///
    /// # Errors
    /// When there are more than 100,000 distinct rows (fewer if there are many decisions), or an attribute has infinite numbers or a
    /// range that is too large for a number.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::rough::{FuzzyRoughSets, FuzzySettings};
    /// use roughboard::table::{DecisionTable, Roles};
    /// let table = DecisionTable::from_csv("a,d\n0,x\n1,x\n5,y\n", &Roles::decided_by("d")).unwrap();
    /// let sets = FuzzyRoughSets::new(&table, FuzzySettings::default()).unwrap();
    /// let approximations = sets.approximations(&table.all_attributes(), &Silent);
    /// assert_eq!((approximations.lower(1, 0), approximations.upper(2, 0)), (0.8, 1.0 - 0.8));
    /// ```
    pub fn new(table: &'t DecisionTable, settings: FuzzySettings) -> Result<Self, RoughError> {
        let (objects, row_of) = distinct_rows(table);
        RoughError::check_rows(TASK, objects.len(), MAX_ROWS)?;
        super::neighbourhood::check_size(TASK, objects.len(), table.n_decisions())?;
        let mut weights = vec![0; objects.len()];
        (0..table.n_objects()).for_each(|object| weights[row_of[object] as usize] += table.weight(object));
        let decision = |object: &u32| table.decision().code(*object as usize) as usize;
        let starts =
            (0..=table.n_decisions()).map(|k| objects.partition_point(|object| decision(object) < k)).collect();
        let alike = Alike::new(table, &objects, settings.similarity, settings.t_norm)?;
        Ok(Self { table, settings, alike, row_of, weights, starts })
    }

    /// The approximations with the attributes `attrs`.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn approximations(&self, attrs: &AttrSet, observer: &dyn Observer) -> FuzzyApproximations<'_> {
        let n_decisions = self.table.n_decisions();
        let mut nearest = vec![0.0; self.n_rows() * n_decisions];
        observer.begin("comparing rows", self.n_rows() as u64);
        nearest.par_chunks_mut(CHUNK * n_decisions).enumerate().for_each(|(chunk, nearest)| {
            for (at, nearest) in nearest.chunks_mut(n_decisions).enumerate() {
                self.visit(attrs, chunk * CHUNK + at, 0..self.n_rows(), |start, degrees| {
                    let end = start + degrees.len();
                    let mut row = start;
                    while row < end {
                        let decision = self.decision_of(row);
                        let next = self.starts[decision + 1].min(end);
                        nearest[decision] = largest(nearest[decision], &degrees[row - start..next - start]);
                        row = next;
                    }
                });
            }
            observer.advance((nearest.len() / n_decisions) as u64);
        });
        observer.end();
        let largest = nearest.chunks(n_decisions).map(Largest::of).collect();
        FuzzyApproximations { sets: self, nearest, largest }
    }

    const fn n_rows(&self) -> usize {
        self.weights.len()
    }

    fn decision_of(&self, row: usize) -> usize {
        self.starts.partition_point(|&start| start <= row) - 1
    }

    /// How similar the nearest of the rows `others` is to `row`; 0 if there are none.
    fn nearest(&self, attrs: &AttrSet, row: usize, others: Range<usize>) -> f64 {
        let mut most = 0.0;
        self.visit(attrs, row, others, |_, degrees| most = largest(most, degrees));
        most
    }

    /// Calls `found` with how similar the rows `others` are to `row`, block by block: with the first row of the block, and
    /// the degrees.
    fn visit(&self, attrs: &AttrSet, row: usize, others: Range<usize>, mut found: impl FnMut(usize, &[f64])) {
        let mut degrees = [0.0; BLOCK];
        for start in others.clone().step_by(BLOCK) {
            let degrees = &mut degrees[..BLOCK.min(others.end - start)];
            degrees.fill(1.0);
            for attr in attrs.iter() {
                self.alike.join(attr.index(), self.alike.point(attr.index(), row), start, degrees);
            }
            found(start, degrees);
        }
    }

    /// The rows of other decisions than that of `row`: those before, and those behind.
    fn others(&self, row: usize) -> [Range<usize>; 2] {
        let decision = self.decision_of(row);
        [0..self.starts[decision], self.starts[decision + 1]..self.n_rows()]
    }
}

/// The largest of some degrees and one more. Lanes are compared side by side, so that none waits for the one before it.
fn largest(most: f64, degrees: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let (chunks, rest) = degrees.as_chunks::<LANES>();
    let mut lanes = [most; LANES];
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, &degree)| *lane = larger(*lane, degree));
    }
    lanes.into_iter().chain(rest.iter().copied()).fold(most, larger)
}

impl Largest {
    fn of(degrees: &[f64]) -> Self {
        let mut largest = Self { degree: 0.0, decision: 0, of_others: 0.0 };
        for (decision, &degree) in degrees.iter().enumerate() {
            if degree > largest.degree {
                largest = Self { degree, decision, of_others: largest.degree };
            } else if degree > largest.of_others {
                largest.of_others = degree;
            }
        }
        largest
    }
}

impl FuzzyApproximations<'_> {
    /// (R_B↓X_k)(x): the degree to which all objects that are similar to `object` have the decision with the code `decision`.
    ///
    /// # Panics
    /// When there is no such object or decision.
    pub fn lower(&self, object: usize, decision: u32) -> f64 {
        let largest = self.largest[self.sets.row_of[object] as usize];
        let is_own = largest.decision == decision as usize;
        self.sets.settings.implicator.of_false(if is_own { largest.of_others } else { largest.degree })
    }

    /// (R_B↑X_k)(x): the degree to which an object that is similar to `object` has the decision with the code `decision`.
    ///
    /// # Panics
    /// When there is no such object or decision.
    pub fn upper(&self, object: usize, decision: u32) -> f64 {
        self.of_row(self.sets.row_of[object] as usize)[decision as usize]
    }

    /// POS_B(x) = sup_k (R_B↓X_k)(x), which is reached by the decision of the object itself.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn positive(&self, object: usize) -> f64 {
        self.lower(object, self.sets.table.decision().code(object))
    }

    /// γ_B = Σ POS_B(x) / |U|, in weights.
    pub fn gamma(&self) -> f64 {
        let table = self.sets.table;
        let weighted = |object: usize| self.positive(object) * table.weight(object) as f64;
        (0..table.n_objects()).map(weighted).sum::<f64>() / table.total_weight() as f64
    }

    fn of_row(&self, row: usize) -> &[f64] {
        let n_decisions = self.sets.table.n_decisions();
        &self.nearest[row * n_decisions..][..n_decisions]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::observe::Silent;
    use crate::table::{AttrIdx, Roles, Value};

    /// The example of Jensen & Shen, *New approaches to fuzzy-rough feature selection*, IEEE Trans. Fuzzy Systems 17, 2009.
    pub(super) const EXAMPLE: &str = "a,b,c,q\n-0.4,-0.3,-0.5,no\n-0.4,0.2,-0.1,yes\n-0.3,-0.4,-0.3,no\n0.3,-0.3,0,yes\n\
        0.2,-0.3,0,yes\n0.2,0,0,no\n";

    pub(super) const TRIANGULAR: FuzzySettings = FuzzySettings {
        similarity: Similarity::Triangular,
        t_norm: TNorm::Lukasiewicz,
        implicator: Implicator::Lukasiewicz,
    };

    pub(super) fn table(csv: &str, decision: &str) -> DecisionTable {
        DecisionTable::from_csv(csv, &Roles::decided_by(decision)).unwrap()
    }

    fn gamma(table: &DecisionTable, settings: FuzzySettings, attrs: &[usize]) -> f64 {
        let sets = FuzzyRoughSets::new(table, settings).unwrap();
        sets.approximations(&attrs.iter().map(|&at| AttrIdx::new(at)).collect(), &Silent).gamma()
    }

    #[test]
    fn dependencies_of_the_example_are_those_published() {
        let table = table(EXAMPLE, "q");
        for (attrs, published) in [(&[1][..], 0.3597), (&[2], 0.4078), (&[0, 2], 0.5501), (&[1, 2], 1.0)] {
            let found = gamma(&table, TRIANGULAR, attrs);
            assert!((found - published).abs() < 5e-5, "{attrs:?}: {found}, published {published}");
        }
    }

    /// R_a(x, y) by its definition.
    fn degree(table: &DecisionTable, at: usize, similarity: Similarity, x: usize, y: usize) -> f64 {
        let attribute = &table.attributes()[at];
        let known: Vec<f64> = (0..table.n_objects()).filter_map(|row| attribute.value(row).as_real()).collect();
        let (Some(a), Some(b)) = (attribute.value(x).as_real(), attribute.value(y).as_real()) else {
            return f64::from(u8::from(attribute.value(x) == attribute.value(y)));
        };
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        let sigma = (known.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (known.len() - 1) as f64).sqrt();
        let range = known.iter().copied().fold(f64::MIN, f64::max) - known.iter().copied().fold(f64::MAX, f64::min);
        match similarity {
            Similarity::Range => 1.0 - (a - b).abs() / range,
            Similarity::Triangular => (1.0 - (a - b).abs() / sigma).max(0.0),
            Similarity::Gaussian => (-(a - b).powi(2) / (2.0 * sigma * sigma)).exp(),
        }
    }

    /// A table with numbers, text, missing values, and two objects that differ in their decision only.
    fn mixed() -> DecisionTable {
        let mut csv = "a,b,c,d\n".to_owned();
        for n in 0..60_usize {
            let number = |k: usize| (n * n * k + 7 * n) % 23;
            let b = if n % 9 == 4 { "?".to_owned() } else { format!("{}.5", number(5)) };
            csv += &format!("{},{b},{},{}\n", number(3), ["x", "y", "?"][number(2) % 3], number(11) % 3);
        }
        table(&(csv + "1,2.5,x,0\n1,2.5,x,1\n"), "d")
    }

    #[test]
    fn approximations_are_those_of_the_definition() {
        let table = mixed();
        for similarity in [Similarity::Range, Similarity::Triangular, Similarity::Gaussian] {
            for t_norm in [TNorm::Lukasiewicz, TNorm::Minimum, TNorm::Product] {
                for implicator in [Implicator::Lukasiewicz, Implicator::Goedel] {
                    let settings = FuzzySettings { similarity, t_norm, implicator };
                    let sets = FuzzyRoughSets::new(&table, settings).unwrap();
                    let found = sets.approximations(&table.all_attributes(), &Silent);
                    let join = |a: f64, b: f64| match t_norm {
                        TNorm::Lukasiewicz => (a + b - 1.0).max(0.0),
                        TNorm::Minimum => a.min(b),
                        TNorm::Product => a * b,
                    };
                    let implies = |a: f64, b: f64| match implicator {
                        Implicator::Lukasiewicz => (1.0 - a + b).min(1.0),
                        Implicator::Goedel => {
                            if a <= b {
                                1.0
                            } else {
                                b
                            }
                        }
                    };
                    let n = table.n_objects();
                    for (x, k) in (0..n).flat_map(|x| (0..3).map(move |k| (x, k))) {
                        let alike = |y: usize| (0..3).map(|at| degree(&table, at, similarity, x, y)).fold(1.0, join);
                        let member = |y: usize| f64::from(u8::from(table.decision().code(y) == k));
                        let lower = (0..n).map(|y| implies(alike(y), member(y))).fold(1.0, f64::min);
                        let upper = (0..n).map(|y| join(alike(y), member(y))).fold(0.0, f64::max);
                        // The step of Gödel's implicator at 0 leaves no room for rounding.
                        let is_step = implicator == Implicator::Goedel && lower.fract() == 0.0;
                        let close = |a: f64, b: f64| (a - b).abs() < 1e-9 || is_step;
                        assert!(close(found.lower(x, k), lower), "{settings:?} {x} {k}: {} {lower}", found.lower(x, k));
                        assert!((found.upper(x, k) - upper).abs() < 1e-9, "{settings:?} {x} {k}");
                    }
                }
            }
        }
    }

    #[test]
    fn without_numbers_the_figures_are_those_of_pawlak() {
        let rows = [["h", "x", "1"], ["h", "x", "0"], ["n", "x", "0"], ["n", "y", "1"], ["n", "x", "0"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        for t_norm in [TNorm::Lukasiewicz, TNorm::Minimum, TNorm::Product] {
            let settings = FuzzySettings { t_norm, ..FuzzySettings::default() };
            let exact = super::super::Approximations::of(&table, &table.all_attributes()).gamma().value();
            assert_eq!(gamma(&table, settings, &[0, 1]), exact);
        }
    }

    /// How much was to be done, and was.
    #[derive(Default)]
    struct Progress {
        total: AtomicU64,
        done: AtomicU64,
    }

    impl Observer for Progress {
        fn begin(&self, _task: &str, total: u64) {
            self.total.fetch_add(total, Ordering::Relaxed);
        }

        fn advance(&self, units: u64) {
            self.done.fetch_add(units, Ordering::Relaxed);
        }

        fn remark(&self, _text: &str) {}

        fn end(&self) {}
    }

    #[test]
    fn blocks_of_rows_hold_many_decisions() {
        let mut csv = "a,d\n".to_owned();
        (0..1200).for_each(|n| csv += &format!("{n},{}\n", n / 2));
        let table = table(&csv, "d");
        let sets = FuzzyRoughSets::new(&table, FuzzySettings::default()).unwrap();
        let progress = Progress::default();
        let found = sets.approximations(&table.all_attributes(), &progress);
        assert_eq!((progress.total.into_inner(), progress.done.into_inner()), (1200, 1200));
        let alike = |x: usize, y: usize| 1.0 - x.abs_diff(y) as f64 / 1199.0;
        for x in [0, 511, 512, 700, 1199_usize] {
            let step = if x == 0 || x == 1199 { 2.0 } else { 1.0 };
            for k in 0..600 {
                let lower = if x / 2 == k { step / 1199.0 } else { 0.0 };
                let upper = alike(x, 2 * k).max(alike(x, 2 * k + 1));
                let degrees = [found.lower(x, k as u32), found.upper(x, k as u32)];
                let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
                assert!(close(degrees[0], lower) && close(degrees[1], upper), "{x} {k}: {degrees:?}");
            }
        }
    }

    #[test]
    fn rounding_makes_no_objects_similar() {
        // 0.3 + 0.9 + 0.8 - 2 and 1 - (0.2 - 0.1) / 0.1 are 2e-16 in floating point, or 0, as the columns are ordered.
        let [a, b] = ["a,b,c,d\n0,0,0,x\n1,2,7,y\n10,10,10,y\n", "b,a,c,d\n0,0,0,x\n7,1,2,y\n10,10,10,y\n"];
        let tenths = "a,d\n0.1,x\n0.2,y\n0.3,x\n";
        let of = |similarity| FuzzySettings { similarity, implicator: Implicator::Goedel, ..FuzzySettings::default() };
        assert_eq!(gamma(&table(a, "d"), of(Similarity::Range), &[0, 1, 2]), 1.0);
        assert_eq!(gamma(&table(b, "d"), of(Similarity::Range), &[0, 1, 2]), 1.0);
        assert_eq!(gamma(&table(tenths, "d"), of(Similarity::Triangular), &[0]), 1.0);
    }

    #[test]
    fn weights_count_and_infinite_numbers_are_refused() {
        let table = table("a,d\n0,x\n4,x\n10,y\n", "d").reweighted(&[1, 2, 5]).unwrap();
        let found = gamma(&table, FuzzySettings::default(), &[0]);
        assert!((found - (1.0 + 2.0 * 0.6 + 5.0 * 0.6) / 8.0).abs() < 1e-12, "{found}");
        let values = [Value::Real(0.5), Value::Real(f64::INFINITY)];
        let infinite = crate::table::Attribute::from_values("a", &values);
        let decision = crate::table::Attribute::from_values("d", &[Value::Integer(0), Value::Integer(1)]);
        let table = DecisionTable::new(vec![infinite], decision, crate::table::Weights::Unit).unwrap();
        let error = FuzzyRoughSets::new(&table, FuzzySettings::default()).unwrap_err().to_string();
        assert_eq!(error, "attribute `a` has infinite numbers, of which no similarity is defined");
    }
}
