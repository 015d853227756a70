//! Checks a certificate against a table, by means as plain as they can be: objects are grouped, labels are recomputed
//! from the definition of the notion, values are compared. Nothing that finds reducts is used.

use super::bound::{Need, PairClauses};
use super::label::Labels;
use super::{Certificate, LowerBound, Pair, Refutation, Witness};
use crate::rough::Partition;
use crate::table::{AttrIdx, AttrSet, DecisionTable};

impl Certificate {
    /// Checks every claim against `table`.
    ///
    /// # Errors
    /// With the first reason why the certificate does not hold; [`Certificate::refutations`] gives all of them.
    pub fn verify(&self, table: &DecisionTable) -> Result<(), Refutation> {
        self.refutations(table).into_iter().next().map_or(Ok(()), Err)
    }

    /// All reasons why the certificate does not hold for `table`; none if it holds. Of conflicts the first is given.
    pub fn refutations(&self, table: &DecisionTable) -> Vec<Refutation> {
        let mut refutations = Vec::new();
        let check = Check { table, labels: Labels::of(table, self.notion), kept: self.kept(table, &mut refutations) };
        if refutations.is_empty() {
            refutations.extend(check.conflict());
        }
        refutations.extend(self.witnesses.iter().filter_map(|witness| check.witness(witness).err()));
        let has_witness = |name: &String| self.witnesses.iter().any(|witness| witness.attribute == *name);
        let missing = self.attributes.iter().filter(|name| !has_witness(name));
        refutations.extend(missing.map(|name| Refutation::NoWitness(name.clone())));
        refutations.extend(self.lower_bound.as_ref().and_then(|bound| check.bound(bound).err()));
        refutations
    }

    /// The attributes kept, as far as the table has them.
    fn kept(&self, table: &DecisionTable, refutations: &mut Vec<Refutation>) -> AttrSet {
        let mut kept = AttrSet::new();
        for name in &self.attributes {
            match table.attribute_called(name) {
                None => refutations.push(Refutation::UnknownAttribute(name.clone())),
                Some(attr) if !kept.insert(attr) => {
                    refutations.push(Refutation::RepeatedAttribute(name.clone()));
                }
                Some(_) => {}
            }
        }
        kept
    }
}

struct Check<'t> {
    table: &'t DecisionTable,
    labels: Labels<'t>,
    kept: AttrSet,
}

impl Check<'_> {
    /// Two objects that agree on the attributes kept and differ in label: each object is compared with the first one
    /// of its class.
    fn conflict(&self) -> Option<Refutation> {
        let classes = Partition::by(self.table, &self.kept);
        let first = |object: u32| classes.first_objects()[classes.class_of(object as usize)];
        let pairs = (0..self.table.n_objects() as u32).map(|object| Pair(first(object), object));
        let objects = pairs.into_iter().find(|pair| self.labels.differ(*pair))?;
        let value = |attr: AttrIdx| {
            let attribute = self.table.attribute(attr);
            (attribute.name().to_owned(), attribute.value(objects.0 as usize).to_string())
        };
        let labels = [objects.0, objects.1].map(|object| self.labels.spelled(object));
        let values = self.kept.iter().map(value).collect();
        Some(Refutation::Conflict { objects: objects.by_rows(self.table), labels, values })
    }

    fn witness(&self, witness: &Witness) -> Result<(), Refutation> {
        let attribute = || witness.attribute.clone();
        let attr = self.table.attribute_called(&witness.attribute).filter(|attr| self.kept.contains(*attr));
        let attr = attr.ok_or_else(|| Refutation::StrayWitness(attribute()))?;
        let objects = witness.objects;
        let pair = self.labelled_differently(objects, || format!("witness for `{}`", witness.attribute))?;
        if let Some(other) = self.kept.iter().find(|other| *other != attr && self.differ_in(*other, pair)) {
            let other = self.table.attribute(other);
            let values = [pair.0, pair.1].map(|object| other.value(object as usize).to_string());
            let (attribute, other) = (attribute(), other.name().to_owned());
            return Err(Refutation::DiffersElsewhere { attribute, objects, other, values });
        }
        if self.differ_in(attr, pair) {
            return Ok(());
        }
        let value = self.table.attribute(attr).value(pair.0 as usize).to_string();
        Err(Refutation::DoesNotDiffer { attribute: attribute(), objects, value })
    }

    fn differ_in(&self, attr: AttrIdx, Pair(a, b): Pair) -> bool {
        let attribute = self.table.attribute(attr);
        attribute.code(a as usize) != attribute.code(b as usize)
    }

    /// The objects of the table that a pair of rows names, if there are both, with different labels.
    fn labelled_differently(&self, objects: Pair, role: impl Fn() -> String) -> Result<Pair, Refutation> {
        let n_objects = self.table.n_objects();
        let unknown = |row| Refutation::UnknownObject { role: role(), row, n_objects };
        let pair = objects.objects(self.table).map_err(unknown)?;
        if self.labels.differ(pair) {
            return Ok(pair);
        }
        Err(Refutation::SameLabel { role: role(), objects, label: self.labels.spelled(pair.0) })
    }

    fn bound(&self, LowerBound { size, pairs }: &LowerBound) -> Result<(), Refutation> {
        let size = *size;
        let role = || format!("lower bound {size}");
        let pairs = pairs.iter().map(|pair| self.labelled_differently(*pair, role)).collect::<Result<Vec<_>, _>>()?;
        match PairClauses::of(self.table, &pairs).need(size).0 {
            Need::Proved => Ok(()),
            Need::Open => Err(Refutation::BoundOpen(size)),
            Need::Refuted(smaller) => {
                let smaller = self.table.names(&smaller).into_iter().map(str::to_owned).collect();
                Err(Refutation::BoundTooHigh { size, smaller })
            }
        }
    }
}
