//! Discretisation: cut points that make intervals of numbers.
//!
//! A cut c separates the objects with x ≤ c from those with x > c. Only attributes whose values are integers or reals
//! are cut; others pass through. A missing value stays missing. Weights count: an object of weight w is w equal objects.

mod binning;
mod cuts;
mod discernibility;
mod mdlp;
mod scale;

use rayon::prelude::*;

use super::{AttrIdx, AttrSet, DecisionTable, TableError, Value, observed};
use crate::observe::{Observer, in_parallel};
pub use cuts::Cuts;
use scale::Scale;
pub(crate) use scale::cut_between;

/// A way to choose cut points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discretizer {
    /// Cuts at equal distances between the least and the largest number, which must be finite. Fewer than 2 bins make no cuts, nor does an
    /// attribute with a single number; bins may remain without objects.
    EqualWidth {
        /// The number of intervals.
        bins: u16,
    },
    /// Cuts where the weight below comes nearest to 1/bins, 2/bins, … of the whole, of two equally near the lower one;
    /// fewer of them where numbers repeat. Fewer than 2 bins make no cuts.
    EqualFrequency {
        /// The number of intervals.
        bins: u16,
    },
    /// Each attribute by itself: the cut of least class entropy, recursively on both sides, as long as it shortens the
    /// description of the decisions (Fayyad & Irani, Multi-interval discretization of continuous-valued attributes for
    /// classification learning, IJCAI 1993).
    Mdlp,
    /// All attributes together: time and again the cut that discerns most pairs of objects with different decisions
    /// that no cut discerns yet, until none is left that some cut would discern (the MD heuristic: Nguyen & Skowron,
    /// Quantization of real value attributes, 1995; Nguyen, Discretization of real value attributes, 1997). Pairs
    /// are weighed by the product of their weights; of equally good cuts, that of the first attribute and the
    /// smallest is taken.
    ///
    /// Only the attributes that are cut count: a pair that a symbolic attribute discerns must be discerned by cuts
    /// too, if numbers discern it, so that the cuts do not depend on what else the table holds. A missing value is a
    /// value of its own: an object that lacks it is discerned from one that has it without any cut.
    MaximalDiscernibility,
}

impl Discretizer {
    /// Whether cuts depend on the decision.
    pub const fn uses_decision(self) -> bool {
        matches!(self, Self::Mdlp | Self::MaximalDiscernibility)
    }

    /// Whether the numbers of `attrs` can be cut.
    ///
    /// # Errors
    /// When an attribute has infinite numbers, between which there are no equal distances.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn check(self, table: &DecisionTable, attrs: &AttrSet) -> Result<(), TableError> {
        if !matches!(self, Self::EqualWidth { .. }) {
            return Ok(());
        }
        attrs.iter().try_for_each(|attr| match infinite_rows(table, attr) {
            rows if rows.is_empty() => Ok(()),
            rows => Err(TableError::Infinite { column: table.attribute(attr).name().to_owned(), rows }),
        })
    }
}

/// The rows in which an attribute is infinite, counted from 1.
fn infinite_rows(table: &DecisionTable, attr: AttrIdx) -> Vec<u32> {
    let attribute = table.attribute(attr);
    let is_infinite = |value: &Value| value.as_real().is_some_and(f64::is_infinite);
    let by_code: Vec<bool> = attribute.domain().iter().map(is_infinite).collect();
    if !by_code.contains(&true) {
        return Vec::new();
    }
    let is_counted = |object: &usize| by_code[attribute.code(*object) as usize] && table.weight(*object) > 0;
    let rows = (0..table.n_objects()).filter(is_counted);
    rows.map(|object| table.row_of(object as u32) + 1).collect()
}

impl Cuts {
    /// The cut points that `method` chooses for those attributes of `attrs` that hold numbers; an attribute that it
    /// leaves in one piece has an empty list. Cut points lie midway between neighbouring numbers of the table, except
    /// those of equal width; they are given in as few digits as that allows.
    ///
    /// # Errors
    /// As [`Discretizer::check`].
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::table::discretize::{Cuts, Discretizer};
    /// use roughboard::table::{Attribute, DecisionTable, Value, Weights};
    /// let length = Attribute::from_values("length", &[1.4, 1.3, 4.7, 4.5].map(Value::Real));
    /// let kind = Attribute::from_values("kind", &["setosa", "setosa", "versicolor", "versicolor"].map(Value::text));
    /// let table = DecisionTable::new(vec![length], kind, Weights::Unit).unwrap();
    /// let cuts = Cuts::fit(&table, &table.all_attributes(), Discretizer::Mdlp, &Silent).unwrap();
    /// assert_eq!(cuts.of("length"), Some(&[2.95][..]));
    /// assert_eq!(cuts.apply(&table).unwrap().attributes()[0].value(0).to_string(), "<= 2.95");
    /// ```
    pub fn fit(
        table: &DecisionTable,
        attrs: &AttrSet,
        method: Discretizer,
        observer: &dyn Observer,
    ) -> Result<Self, TableError> {
        method.check(table, attrs)?;
        let table = observed(table)?;
        let attrs: Vec<AttrIdx> = attrs.iter().collect();
        let scales: Vec<Option<Scale>> = attrs.par_iter().map(|&attr| Scale::of(table.attribute(attr))).collect();
        let numeric: Vec<(AttrIdx, Scale)> =
            attrs.into_iter().zip(scales).filter_map(|(attr, scale)| Some((attr, scale?))).collect();
        let chosen: Vec<Vec<f64>> = match method {
            Discretizer::MaximalDiscernibility => discernibility::cuts(&table, &numeric, observer),
            each => {
                let cut = |at: usize| cuts_of_one(&table, numeric[at].0, &numeric[at].1, each);
                in_parallel(observer, "discretize", numeric.len(), cut)
            }
        };
        let name = |attr: &AttrIdx| table.attribute(*attr).name().to_owned();
        Ok(Self::ascending(numeric.iter().map(|(attr, _)| name(attr)).zip(chosen).collect()))
    }
}

/// The cuts of an attribute by a method that looks at one attribute at a time.
fn cuts_of_one(table: &DecisionTable, attr: AttrIdx, scale: &Scale, method: Discretizer) -> Vec<f64> {
    let attribute = table.attribute(attr);
    let boundaries = match method {
        Discretizer::EqualWidth { bins } => return binning::equal_width(scale, bins),
        Discretizer::EqualFrequency { bins } => binning::equal_frequency(&scale.weights(attribute, table), bins),
        Discretizer::Mdlp | Discretizer::MaximalDiscernibility => {
            mdlp::boundaries(&scale.tallies(attribute, table), table.n_decisions())
        }
    };
    boundaries.into_iter().map(|point| scale.cut_after(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::table::{Attribute, Roles, Weights};

    #[test]
    fn equal_widths_need_finite_numbers_and_other_methods_do_not() {
        let rows: String = (0..8).map(|i| format!("{i},{}\n", ["p", "q"][i / 4])).collect();
        let text = format!("x,d\n1,\ninf,q\n{rows}-Inf,p\n");
        let (table, _) = DecisionTable::from_csv(&text, &Roles::decided_by("d")).unwrap().decided().unwrap();
        let fit = |method| Cuts::fit(&table, &table.all_attributes(), method, &Silent);
        let error = fit(Discretizer::EqualWidth { bins: 3 }).unwrap_err().to_string();
        let expected = "attribute `x` is infinite in rows 2, 11, expected finite numbers for intervals of equal width";
        assert_eq!(error, expected);
        let cuts = fit(Discretizer::EqualFrequency { bins: 2 }).unwrap();
        assert_eq!((cuts.of("x"), fit(Discretizer::Mdlp).unwrap().of("x")), (Some(&[3.5][..]), Some(&[3.5][..])));
        let outermost = cuts.apply(&table).unwrap();
        assert_eq!([0, 9].map(|object| outermost.attributes()[0].value(object).to_string()), ["> 3.5", "<= 3.5"]);
    }

    #[test]
    fn objects_that_weigh_nothing_make_no_cuts() {
        let x = Attribute::from_values("x", &[0.0, 4.0, 10.0, f64::INFINITY].map(Value::Real));
        let d = Attribute::from_values("d", &["p", "p", "q", "q"].map(Value::text));
        let table = DecisionTable::new(vec![x], d, Weights::Counts(vec![1, 0, 1, 0])).unwrap();
        let (width, frequency) = (Discretizer::EqualWidth { bins: 2 }, Discretizer::EqualFrequency { bins: 2 });
        for method in [width, frequency, Discretizer::MaximalDiscernibility] {
            let cuts = Cuts::fit(&table, &table.all_attributes(), method, &Silent).unwrap();
            assert_eq!(cuts.of("x"), Some(&[5.0][..]), "{method:?}");
        }
    }
}
