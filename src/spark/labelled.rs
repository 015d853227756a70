//! The rows of a table at an engine with their labels, asked about by sets of attributes.

use std::time::Instant;

use super::error::EngineError;
use super::remote::RemoteTable;
use super::sql::{self, Shape};
use crate::rough::{AtHand, ClauseSource, Fraction, Notion, Partition, Quotient};
use crate::table::{AttrIdx, AttrSet, DecisionTable, Value, Weights};

/// An attribute, and the values of two objects that only it tells apart among those of a reduct.
pub type ValuesApart = (AttrIdx, [Vec<Value>; 2]);

/// The weight of a class up to which shares of it, as reals of 64 bits, are equal only if they are as fractions: these differ by
/// more than 2⁻⁵² then.
const MAX_CLASS: u64 = 1 << 26;

impl RemoteTable<'_> {
    /// The classes with their labels by `notion`.
    ///
    /// # Errors
    /// When the notion counts decisions and there are too many, or the engine fails.
    pub fn labelled(&self, notion: Notion) -> Result<Labelled<'_>, EngineError> {
        let engine = self.engine;
        engine.command("the classes", self.shape.classes_view(0))?;
        let answer = engine.ask_and_tell("the classes", Shape::consistency())?.of_rows(1)?;
        let (n_classes, positive) = (answer.number("n_classes")?, answer.number("positive")?);
        self.check_weight(&answer, answer.number("weight")?)?;
        let is_consistent = positive == self.total_weight();
        let is_counted = matches!(notion, Notion::Generalized | Notion::Distribution) && !is_consistent;
        let n_counts = if is_counted { self.counted_decisions(&format!("the notion {notion}"))? } else { 0 };
        let largest = answer.number("largest")?;
        if is_counted && notion == Notion::Distribution && largest > MAX_CLASS {
            return Err(EngineError::LargeClass { found: largest, limit: MAX_CLASS });
        }
        if n_classes == self.n_objects() {
            engine.command("the classes", self.shape.single_classes_view(n_counts))?;
        } else if n_counts > 0 {
            engine.command("the classes", self.shape.classes_view(n_counts))?;
        }
        engine.command("the labels", self.shape.labelled_view(notion, is_consistent, n_counts))?;
        // An engine that cannot keep them reads them again, which is only slower.
        let kept = engine.command("the labels", "CACHE TABLE rb_labelled".to_owned());
        if let Err(error @ EngineError::Gone { .. }) = kept {
            return Err(error);
        }
        Ok(Labelled::new(self, notion, n_classes, positive))
    }
}

/// Classes with their labels at an engine, and the samples of them that have come back.
pub struct Labelled<'t> {
    table: &'t RemoteTable<'t>,
    notion: Notion,
    n_classes: u64,
    gamma: Fraction,
    nullable: AttrSet,
    samples: Vec<Sample>,
}

/// Rows with their labels as decisions.
struct Sample(DecisionTable);

impl<'t> Labelled<'t> {
    pub(super) fn new(table: &'t RemoteTable<'t>, notion: Notion, n_classes: u64, positive: u64) -> Self {
        let gamma = Fraction::new(positive, table.total_weight());
        Self { table, notion, n_classes, gamma, nullable: table.nullable(), samples: Vec::new() }
    }

    /// |U/IND(A)|.
    pub const fn n_classes(&self) -> u64 {
        self.n_classes
    }

    /// γ of all attributes.
    pub const fn gamma_of_all(&self) -> Fraction {
        self.gamma
    }

    /// γ of some attributes.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn gamma(&self, attrs: &AttrSet) -> Result<Fraction, EngineError> {
        let question = format!("gamma of {}", self.described(attrs));
        let answer = self.table.engine.ask_and_tell(&question, sql::positive_region(attrs))?.of_rows(1)?;
        self.table.check_weight(&answer, answer.number("weight")?)?;
        Ok(Fraction::new(answer.number("positive")?, self.table.total_weight()))
    }

    /// The attributes in the order in which backward elimination drops them: the least discerning first.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn backward_order(&self) -> Result<Vec<AttrIdx>, EngineError> {
        let counted = self.table.values_of_columns()?;
        let mut order: Vec<AttrIdx> = self.table.all_attributes().iter().collect();
        order.sort_by_key(|attr| (std::cmp::Reverse(counted[attr.index()].1), *attr));
        Ok(order)
    }

    /// For each attribute of a reduct the values of two objects that only it tells apart, with different labels.
    ///
    /// # Errors
    /// When there are none, or the engine fails.
    pub fn witnesses(&mut self, reduct: &AttrSet) -> Result<Vec<ValuesApart>, EngineError> {
        let mut found = Vec::new();
        for attr in reduct.iter() {
            let rest = reduct.without(attr);
            let known = self.samples.iter().find_map(|sample| sample.pair(&rest));
            let pair = match known {
                Some(pair) => Some(pair),
                None if self.missed(&rest)?.is_empty() => None,
                None => self.samples.last().and_then(|sample| sample.pair(&rest)),
            };
            let lacking = || EngineError::Incomplete {
                question: self.described(&rest),
                expected: format!("objects that `{}` tells apart", self.table.names(&[attr].into_iter().collect())[0]),
                found: "none".to_owned(),
            };
            found.push((attr, pair.ok_or_else(lacking)?));
        }
        Ok(found)
    }

    fn described(&self, attrs: &AttrSet) -> String {
        format!("{} of {} attributes", attrs.len(), self.table.n_attributes())
    }

    /// What is preserved exactly if no class of labels is mixed, in a sample.
    const fn notion_of_sample(&self) -> Notion {
        if matches!(self.notion, Notion::Information) { Notion::Information } else { Notion::Positive }
    }
}

impl ClauseSource for Labelled<'_> {
    type Error = EngineError;

    fn is_enough(&mut self, attrs: &AttrSet) -> Result<bool, EngineError> {
        let (question, since) = (format!("whether {} are enough", self.described(attrs)), Instant::now());
        let answer = self.table.engine.ask(&question, sql::conflict(self.notion, attrs))?.of_rows(1)?;
        let is_enough = answer.number("n")? == 0;
        self.table.engine.tell(&question, if is_enough { "yes" } else { "no" }, since);
        Ok(is_enough)
    }

    fn missed(&mut self, attrs: &AttrSet) -> Result<Vec<AttrSet>, EngineError> {
        let (question, since) = (format!("what {} miss", self.described(attrs)), Instant::now());
        let all = self.table.all_attributes();
        let answer = self.table.engine.ask(&question, sql::sample(self.notion, attrs, &all, &self.nullable))?;
        // Where nothing is missed there is one row of nulls. No row at all is no answer.
        let found = answer.values("found")?;
        if found == [Value::Missing] {
            self.table.engine.tell(&question, "nothing", since);
            return Ok(Vec::new());
        }
        let conditions = all.iter().map(|attr| {
            answer.attribute(&format!("a{}", attr.index()), self.table.names(&[attr].into_iter().collect())[0])
        });
        let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
        let sample = DecisionTable::new(conditions, answer.attribute("e", "\0")?, Weights::Unit)?;
        let quotient = Quotient::new(&sample, &sample.all_attributes(), self.notion_of_sample());
        let clauses = AtHand::new(&quotient).missed(attrs).unwrap_or_else(|never| match never {});
        if clauses.is_empty() {
            return Err(answer.incomplete("rows that are told apart by other attributes only", "none"));
        }
        self.table.engine.tell(&question, &format!("{} minimal clauses of {} rows", clauses.len(), found.len()), since);
        self.samples.push(Sample(sample));
        Ok(clauses)
    }
}

impl Sample {
    /// The values of two rows that agree on `attrs` and differ in label.
    fn pair(&self, attrs: &AttrSet) -> Option<[Vec<Value>; 2]> {
        let Self(table) = self;
        let classes = Partition::by(table, attrs);
        // Labels of indiscernibility itself are all one, and rows are distinct.
        let is_one_label = table.n_decisions() == 1;
        let label = |row: u32| if is_one_label { row } else { table.decision().code(row as usize) };
        let first = |row: u32| classes.first_objects()[classes.class_of(row as usize)];
        let row = (0..table.n_objects() as u32).find(|&row| label(row) != label(first(row)))?;
        let values = |row: u32| table.attributes().iter().map(|column| column.value(row as usize).clone()).collect();
        Some([values(first(row)), values(row)])
    }
}
