//! Decision tables: dictionary-coded columns with a decision and object weights, in and out of CSV and Parquet; cut
//! points that make intervals of numbers.
//!
//! A file is read as an [`InformationTable`], columns of which none is the decision yet; [`Roles`] make a
//! [`DecisionTable`] of it. A column is an [`Attribute`]: its domain of [`Value`]s in ascending order and the code of
//! each object's value, in 8, 16 or 32 bits. Objects may weigh more than one, so that equal rows can be merged without
//! a change to any count. Tables do not change: what alters one makes another.
//!
//! The module knows no game: it is usable on any table.
//!
//! ```
//! use roughboard::observe::Silent;
//! use roughboard::table::discretize::{Cuts, Discretizer};
//! use roughboard::table::{DecisionTable, Roles};
//!
//! let csv = "length,colour,kind\n1.4,white,setosa\n1.3,white,setosa\n4.7,blue,versicolor\n4.5,white,versicolor\n";
//! let table = DecisionTable::from_csv(csv, &Roles::decided_by("kind"))?;
//! let cuts = Cuts::fit(&table, &table.all_attributes(), Discretizer::Mdlp, &Silent)?;
//! let discrete = cuts.apply(&table)?;
//! assert_eq!(discrete.attributes()[0].value(3).to_string(), "> 2.95");
//! assert_eq!(discrete.merged()?.n_objects(), 3);
//! # Ok::<(), roughboard::table::TableError>(())
//! ```

mod arff;
mod attribute;
mod attrs;
mod build;
mod cell;
mod codes;
mod complete;
mod completion;
mod counted;
mod csv;
#[cfg(feature = "linfa")]
mod dataset;
mod decimal;
pub mod discretize;
mod encode;
mod error;
mod file;
pub(crate) mod group;
mod information;
mod interval;
mod involution;
pub(crate) mod keys;
mod lanes;
mod layout;
mod lent;
mod merge;
mod moment;
mod origin;
#[cfg(feature = "parquet")]
mod parquet;
mod parts;
mod reading;
mod sample;
pub(crate) mod slots;
mod strange;
mod ties;
mod value;

pub use self::csv::csv_text;
#[cfg(feature = "spark")]
pub(crate) use self::parquet::widened;
#[cfg(feature = "games")]
pub(crate) use self::parquet::{Cells, ColumnType, Content, GroupWriter};
pub use attribute::{Attribute, counted_value, joined_names};
pub(crate) use attribute::{names_of, place_of};
pub use attrs::{AttrIdx, AttrSet};
pub use build::check_existing;
pub(crate) use codes::with_codes;
pub use codes::{Code, Codes};
pub use complete::LeftOut;
pub use completion::{Completed, Completer, Completion, Filled};
pub use counted::CountTable;
#[cfg(feature = "linfa")]
pub(crate) use dataset::{attributes_of_records, feature_names, weight_counts};
pub use decimal::{decimal_values, spelled as spelled_decimal};
pub use encode::{Encoded, EncodedColumn, Encoder, ValuePlace, code_in, codes_in, of_one_kind};
pub use error::TableError;
pub(crate) use error::shorten;
pub use file::{TABLE_ENDINGS, misread_from_csv, table_files};
#[cfg(feature = "spark")]
pub(crate) use information::values_of_names;
pub use information::{InformationTable, Roles};
pub use interval::Interval;
pub use involution::Involution;
pub use layout::Layout;
pub use lent::{ByteCodes, Held, LentBytes};
pub use moment::{Moment, TimeUnit};
pub use parts::Line;
pub use reading::{DecimalMark, Memory, ReadOptions, Remark, TextCause};
pub use strange::StrangeValues;
pub(crate) use ties::{ROUNDING, TIE, in_steps, reach, slack_of};
pub use value::{Value, fallen_together};

use std::borrow::Cow;

use build::check_length;
use group::Groups;
use origin::Origin;

/// The weight of each object: how many equal observations it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Weights {
    /// Every object counts once.
    Unit,
    /// The count of each object.
    Counts(Vec<u32>),
}

/// A decision table (U, A ∪ {d}) with a weight for each object.
///
/// Objects are counted from 0. [`DecisionTable::row_of`] tells the row that an object was read from, since rows without a
/// weight or a decision are no objects; the command line shows rows, from 1. Weights let merged tables stand for the
/// objects they were merged from: |X| always means the sum of the weights of X.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionTable {
    conditions: Vec<Attribute>,
    decision: Attribute,
    weights: Weights,
    total_weight: u64,
    origin: Origin,
}

impl DecisionTable {
    /// The number of objects: rows of the table.
    pub fn n_objects(&self) -> usize {
        self.decision.len()
    }

    /// |U|: the sum of all weights. The number of objects if they are not weighted.
    pub const fn total_weight(&self) -> u64 {
        self.total_weight
    }

    /// The condition attributes A, in column order.
    pub fn attributes(&self) -> &[Attribute] {
        &self.conditions
    }

    /// As [`DecisionTable::attributes`], from a table that is no longer needed.
    pub(crate) fn into_attributes(self) -> Vec<Attribute> {
        self.conditions
    }

    /// The number of condition attributes, |A|.
    pub fn n_attributes(&self) -> usize {
        self.conditions.len()
    }

    /// One condition attribute.
    ///
    /// # Panics
    /// When the table has no such attribute.
    pub fn attribute(&self, attr: AttrIdx) -> &Attribute {
        &self.conditions[attr.index()]
    }

    /// All condition attributes as a set.
    pub fn all_attributes(&self) -> AttrSet {
        AttrSet::first(self.n_attributes())
    }

    /// The attribute called `name`, if there is one.
    pub fn attribute_called(&self, name: &str) -> Option<AttrIdx> {
        self.conditions.iter().position(|attribute| attribute.name() == name).map(AttrIdx::new)
    }

    /// The set of the attributes called `names`.
    ///
    /// # Errors
    /// When the table has no condition attribute of a name.
    pub fn attributes_called<S: AsRef<str>>(&self, names: &[S]) -> Result<AttrSet, TableError> {
        names.iter().map(|name| place_of(name.as_ref(), &self.conditions).map(AttrIdx::new)).collect()
    }

    /// The names of the attributes of a set, in column order.
    pub fn names(&self, attrs: &AttrSet) -> Vec<&str> {
        attrs.iter().map(|attr| self.attribute(attr).name()).collect()
    }

    /// The decision attribute d.
    pub const fn decision(&self) -> &Attribute {
        &self.decision
    }

    /// The number of decision values, |V_d|.
    pub fn n_decisions(&self) -> usize {
        self.decision.n_values()
    }

    /// The weights of the objects.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The weight of the object `row`.
    ///
    /// # Panics
    /// When there is no such object.
    #[inline]
    pub fn weight(&self, row: usize) -> u64 {
        match &self.weights {
            Weights::Unit => 1,
            Weights::Counts(counts) => u64::from(counts[row]),
        }
    }

    /// |X|: the weight of the objects `rows`.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn weight_of(&self, rows: &[u32]) -> u64 {
        rows.iter().map(|&row| self.weight(row as usize)).sum()
    }

    /// The row that the object `object` comes from, both counted from 0: rows that were left out count, and a row of
    /// counts of decisions is several objects.
    ///
    /// # Panics
    /// When there is no such object.
    ///
    /// ```
    /// use roughboard::table::{DecisionTable, Roles};
    /// let table = DecisionTable::from_csv("a,d\n1,\n2,yes\n3,no\n", &Roles::decided_by("d")).unwrap();
    /// let (decided, _) = table.decided().unwrap();
    /// assert_eq!((decided.row_of(0), decided.object_of_row(2), decided.object_of_row(0)), (1, Some(1), None));
    /// ```
    pub fn row_of(&self, object: u32) -> u32 {
        self.origin.row(object)
    }

    /// The number of rows of the file that the objects come from: as many as there are objects, unless equal rows were merged as they were
    /// read, or a row has counts of several decisions.
    pub fn n_rows(&self) -> usize {
        self.origin.n_rows_of(0..self.n_objects() as u32)
    }

    /// The number of rows of the file that `objects`, which ascend, come from.
    pub fn n_rows_of(&self, objects: &[u32]) -> usize {
        self.origin.n_rows_of(objects.iter().copied())
    }

    /// Whether equal rows were merged as they were read, so that an object may be several rows.
    pub const fn is_merged(&self) -> bool {
        self.origin.is_merged()
    }

    /// How many rows of the file have no value in `column`, which is one of this table.
    pub fn n_missing(&self, column: &Attribute) -> usize {
        self.origin.n_rows_of(column.rows_missing())
    }

    /// The first object that comes from the row `row`, if there is one.
    pub fn object_of_row(&self, row: u32) -> Option<u32> {
        self.origin.object(row, self.n_objects())
    }

    /// Whether the number of an object can differ from that of its row.
    pub const fn is_renumbered(&self) -> bool {
        self.origin.renumbers()
    }

    /// This table, whose objects are those of `other`.
    pub(crate) fn with_rows_of(self, other: &Self) -> Self {
        Self { origin: other.origin.clone(), ..self }
    }

    /// |X_k| of each decision class, by decision code.
    pub fn decision_weights(&self) -> Vec<u64> {
        let mut sums = vec![0; self.n_decisions()];
        for row in 0..self.n_objects() {
            sums[self.decision.code(row) as usize] += self.weight(row);
        }
        sums
    }

    /// The same objects described by the attributes `attrs` only.
    ///
    /// # Errors
    /// When `attrs` is empty.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn select(&self, attrs: &AttrSet) -> Result<Self, TableError> {
        let conditions = attrs.iter().map(|attr| self.attribute(attr).clone()).collect();
        Ok(Self::new(conditions, self.decision.clone(), self.weights.clone())?.with_rows_of(self))
    }

    /// The objects with other weights: the object `row` weighs `weights[row]`, and those of weight 0 are left out.
    /// Domains stay, also of the decision.
    ///
    /// # Errors
    /// When there is not one weight for each object, or all are 0.
    pub fn reweighted(&self, weights: &[u32]) -> Result<Self, TableError> {
        check_length("weight", self.n_objects(), weights.len())?;
        let rows: Vec<u32> = (0..).zip(weights).filter(|(_, weight)| **weight > 0).map(|(row, _)| row).collect();
        if rows.is_empty() {
            return Err(TableError::NoWeight(vec!["weight".to_owned()]));
        }
        let kept: Vec<u32> = rows.iter().map(|&row| weights[row as usize]).collect();
        let weights = if kept.iter().all(|&weight| weight == 1) { Weights::Unit } else { Weights::Counts(kept) };
        let conditions = self.conditions.iter().map(|a| a.select(&rows)).collect();
        let origin = self.origin.select(&rows);
        Ok(Self { origin, ..Self::new(conditions, self.decision.select(&rows), weights)? })
    }

    /// The objects that weigh anything; nothing if all do.
    pub(crate) fn observed_rows(&self) -> Option<Vec<u32>> {
        let Weights::Counts(counts) = &self.weights else { return None };
        let rows = (0..).zip(counts).filter(|(_, count)| **count > 0).map(|(row, _)| row);
        counts.contains(&0).then(|| rows.collect())
    }

    /// The table with equal rows (decision included) made one, their weights added.
    ///
    /// # Errors
    /// When a sum of weights exceeds 2³² - 1.
    pub fn merged(&self) -> Result<Self, TableError> {
        let columns: Vec<&Attribute> = self.conditions.iter().chain([&self.decision]).collect();
        let groups = Groups::of(&columns, self.n_objects());
        let sums = groups.sums(|row| self.weight(row));
        let conditions = self.conditions.iter().map(|a| a.select(&groups.first)).collect();
        let counts = self.counts_from(&sums, &groups, "weight")?;
        Self::new(conditions, self.decision.select(&groups.first), Weights::Counts(counts))
    }

    /// Sums of weights of `groups` of objects as counts; an error names the row of the first object of the group.
    fn counts_from(&self, sums: &[u64], groups: &Groups, column: &str) -> Result<Vec<u32>, TableError> {
        let count = |(&sum, &first): (&u64, &u32)| {
            let too_large = |_| TableError::not_a_count(column, first as usize, sum).in_row_of(&self.origin);
            u32::try_from(sum).map_err(too_large)
        };
        sums.iter().zip(&groups.first).map(count).collect()
    }
}

/// The table without objects that weigh nothing: they are no observations, and would be neighbours or make splits and cuts all the same.
pub(crate) fn observed(table: &DecisionTable) -> Result<Cow<'_, DecisionTable>, TableError> {
    Ok(match table.weights() {
        Weights::Counts(counts) if counts.contains(&0) => Cow::Owned(table.reweighted(counts)?),
        _ => Cow::Borrowed(table),
    })
}
