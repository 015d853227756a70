//! Completion of missing values: what stands in for a value of a condition that is not known.
//!
//! The methods are those that Grzymała-Busse & Hu compare (*A comparison of several approaches to missing attribute
//! values in data mining*, RSCTC 2000), by the whole table or by the objects of one decision.

use rayon::prelude::*;

use super::{Attribute, DecisionTable, LeftOut, TableError, Value};
use crate::choices;

choices! {
    /// How missing values of conditions are completed.
    pub enum Completion = Frequent {
        /// The most frequent value of the attribute.
        Frequent = "frequent",
        /// The mean of numbers, the most frequent one of other values.
        Mean = "mean",
        /// The median of numbers, the most frequent one of other values.
        Median = "median",
        /// The most frequent value among the objects of the same decision.
        ConceptFrequent = "concept-frequent",
        /// The mean of numbers among the objects of the same decision, the most frequent one of other values.
        ConceptMean = "concept-mean",
        /// The value of the nearest object that has one (global closest fit).
        ClosestFit = "closest-fit",
        /// None: objects with missing values are left out.
        Delete = "delete",
    }
}

/// A statistic of the known values of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Statistic {
    Frequent,
    Mean,
    Median,
}

/// A completed table, and what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    /// The table.
    pub table: DecisionTable,
    /// What was completed of each attribute, in their order; nothing where none of its values is missing.
    pub filled: Vec<Filled>,
    /// The objects that were left out.
    pub left_out: LeftOut,
}

/// What was completed of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Its name.
    pub name: String,
    /// The number of objects whose value was missing.
    pub missing: usize,
    /// How many of them stay so, as no object that counts has a value.
    pub left: usize,
    /// The values that stand in, each with the number of objects, ascending.
    pub values: Vec<(Value, usize)>,
}

impl DecisionTable {
    /// The table with its missing conditions completed by `method`. Weights count: an object of weight w is w equal ones.
    ///
    /// Of several most frequent values the smallest is taken. A mean or median that is no whole number makes the
    /// attribute one of real numbers. Where no object of the same decision has a value, the whole table tells it. The
    /// distance of the closest fit is the sum over all conditions of 0 for equal values, |a - b| / range for numbers,
    /// and 1 for other values that differ and where one is missing; of several nearest objects the first is taken.
    ///
    /// # Errors
    /// When every object is to be left out.
    ///
    /// ```
    /// use roughboard::table::{Completion, DecisionTable, Roles, Value};
    /// let table = DecisionTable::from_csv("a,d\n1,yes\n2,yes\n?,no\n", &Roles::decided_by("d")).unwrap();
    /// let completed = table.completed(Completion::Mean).unwrap();
    /// assert_eq!(completed.table.attributes()[0].value(2), &Value::Real(1.5));
    /// assert_eq!((completed.filled[0].missing, completed.filled[0].left), (1, 0));
    /// ```
    pub fn completed(&self, method: Completion) -> Result<Completed, TableError> {
        let (statistic, by_decision) = match method {
            Completion::Delete => return self.without_incomplete(),
            Completion::ClosestFit => return self.with_values(&self.closest_values()),
            Completion::Frequent => (Statistic::Frequent, false),
            Completion::Mean => (Statistic::Mean, false),
            Completion::Median => (Statistic::Median, false),
            Completion::ConceptFrequent => (Statistic::Frequent, true),
            Completion::ConceptMean => (Statistic::Mean, true),
        };
        let values = |attribute: &Attribute| self.usual_values(attribute, statistic, by_decision);
        self.with_values(&self.attributes().iter().map(values).collect::<Vec<_>>())
    }

    fn without_incomplete(&self) -> Result<Completed, TableError> {
        let filled = |attribute: &Attribute| {
            let missing = attribute.n_missing();
            Filled { name: attribute.name().to_owned(), missing, left: 0, values: Vec::new() }
        };
        let (table, left_out) = self.complete()?;
        Ok(Completed { filled: self.attributes().iter().map(filled).collect(), table, left_out })
    }

    /// The table with these values for the objects that lack one, in their order, by attribute.
    fn with_values(&self, values: &[Vec<Value>]) -> Result<Completed, TableError> {
        let (columns, filled) = self.attributes().iter().zip(values).map(|(a, values)| a.filled(values)).unzip();
        let table = Self::new(columns, self.decision().clone(), self.weights().clone())?.with_rows_of(self);
        Ok(Completed { table, filled, left_out: LeftOut::default() })
    }

    /// For each object that lacks a value of `attribute` the one that is usual in the table, or for its decision.
    fn usual_values(&self, attribute: &Attribute, statistic: Statistic, by_decision: bool) -> Vec<Value> {
        let lacking = lacking(attribute);
        if lacking.is_empty() {
            return Vec::new();
        }
        let usual = |decision: Option<u32>| {
            let mut weights = vec![0; attribute.n_values()];
            let counts = |row: &usize| decision.is_none_or(|decision| self.decision().code(*row) == decision);
            (0..self.n_objects())
                .filter(counts)
                .for_each(|row| weights[attribute.code(row) as usize] += self.weight(row));
            statistic.of(attribute, &weights)
        };
        let of_all = usual(None);
        let of_decision: Vec<Value> = if by_decision {
            let or_all = |value: Value| if value == Value::Missing { of_all.clone() } else { value };
            (0..self.n_decisions() as u32).map(|decision| or_all(usual(Some(decision)))).collect()
        } else {
            vec![of_all; self.n_decisions()]
        };
        lacking.iter().map(|&row| of_decision[self.decision().code(row) as usize].clone()).collect()
    }

    /// For each attribute and each object that lacks its value the one of the nearest object that has it.
    fn closest_values(&self) -> Vec<Vec<Value>> {
        let rulers: Vec<Ruler<'_>> = self.attributes().iter().map(Ruler::new).collect();
        let missing: Vec<Vec<bool>> = self.attributes().iter().map(Attribute::missing).collect();
        let incomplete: Vec<usize> =
            (0..self.n_objects()).filter(|&row| missing.iter().any(|missing| missing[row])).collect();
        let found: Vec<Vec<(usize, Value)>> =
            incomplete.par_iter().map(|&row| closest(row, &rulers, &missing)).collect();
        let mut values = vec![Vec::new(); self.n_attributes()];
        found.into_iter().flatten().for_each(|(at, value)| values[at].push(value));
        values
    }
}

/// The attributes that the object `row` lacks, each with the value of the nearest object that has it.
fn closest(row: usize, rulers: &[Ruler<'_>], missing: &[Vec<bool>]) -> Vec<(usize, Value)> {
    let mut distances = vec![0.0; missing.first().map_or(0, Vec::len)];
    rulers.iter().for_each(|ruler| ruler.add_distances(row, &mut distances));
    let lacked = (0..rulers.len()).filter(|&at| missing[at][row]);
    let value = |at: usize| {
        let known = (0..distances.len()).filter(|&other| !missing[at][other]);
        let nearest = known.reduce(|best, other| if distances[other] < distances[best] { other } else { best });
        (at, nearest.map_or(Value::Missing, |nearest| rulers[at].attribute.value(nearest).clone()))
    };
    lacked.map(value).collect()
}

/// Measures distances on an attribute.
struct Ruler<'t> {
    attribute: &'t Attribute,
    /// The number of each code and the range of all, if the attribute has numbers.
    numbers: Option<(Vec<f64>, f64)>,
    missing: Option<u32>,
}

impl<'t> Ruler<'t> {
    fn new(attribute: &'t Attribute) -> Self {
        let known = attribute.domain().iter().filter(|value| **value != Value::Missing);
        let numbers: Option<Vec<f64>> = known.map(Value::as_real).collect();
        let numbers = numbers.and_then(|mut numbers| {
            let range = numbers.last()? - numbers.first()?;
            numbers.push(0.0);
            Some((numbers, range))
        });
        Self { attribute, numbers, missing: attribute.code_of(&Value::Missing) }
    }

    /// Adds the distance of each object to the object `row`.
    fn add_distances(&self, row: usize, distances: &mut [f64]) {
        let own = self.attribute.code(row);
        let of_code: Vec<f64> = (0..self.attribute.n_values() as u32).map(|code| self.distance(own, code)).collect();
        for (other, distance) in distances.iter_mut().enumerate() {
            *distance += of_code[self.attribute.code(other) as usize];
        }
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        if [a, b].into_iter().any(|code| self.missing == Some(code)) {
            return 1.0;
        }
        match &self.numbers {
            _ if a == b => 0.0,
            // Between infinite ends every two numbers are as far apart as can be.
            Some((numbers, range)) if range.is_finite() => (numbers[a as usize] - numbers[b as usize]).abs() / range,
            _ => 1.0,
        }
    }
}

impl Statistic {
    /// The statistic of the known values, which have these weights by code; missing if there are none.
    fn of(self, attribute: &Attribute, weights: &[u64]) -> Value {
        let known = || {
            attribute.domain().iter().zip(weights).filter(|(value, weight)| **value != Value::Missing && **weight > 0)
        };
        let numbers: Option<Vec<(f64, u64)>> =
            known().map(|(value, &weight)| Some((value.as_real()?, weight))).collect();
        let is_whole = known().all(|(value, _)| value.as_integer().is_some());
        let number = |number: f64| {
            // Of infinite numbers of both signs there is neither.
            if number.is_nan() {
                return Value::Missing;
            }
            // Numbers below 2⁵³ are exact, and larger ones do not become whole by rounding.
            let whole = is_whole && number.fract() == 0.0 && number.abs() < (1_u64 << 53) as f64;
            if whole { Value::Integer(number as i64) } else { Value::Real(number + 0.0) }
        };
        match (self, numbers) {
            (Self::Mean, Some(numbers)) if !numbers.is_empty() => number(mean(&numbers)),
            (Self::Median, Some(numbers)) if !numbers.is_empty() => number(median(&numbers)),
            _ => {
                let most = known().reduce(|best, other| if other.1 > best.1 { other } else { best });
                most.map_or(Value::Missing, |(value, _)| value.clone())
            }
        }
    }
}

/// The mean of numbers with weights.
fn mean(numbers: &[(f64, u64)]) -> f64 {
    let total: u64 = numbers.iter().map(|(_, weight)| weight).sum();
    numbers.iter().map(|&(number, weight)| number * weight as f64).sum::<f64>() / total as f64
}

/// The median of ascending numbers with weights: of an even number of objects the mean of the two in the middle.
fn median(numbers: &[(f64, u64)]) -> f64 {
    let total: u64 = numbers.iter().map(|(_, weight)| weight).sum();
    let at = |place: u64| {
        let mut seen = 0;
        let is_there = |(_, weight): &&(f64, u64)| {
            seen += weight;
            seen > place
        };
        numbers.iter().find(is_there).map_or(0.0, |(number, _)| *number)
    };
    let (low, high) = (at((total - 1) / 2), at(total / 2));
    if low == high { low } else { low.midpoint(high) }
}

/// The objects that lack a value of an attribute, ascending.
fn lacking(attribute: &Attribute) -> Vec<usize> {
    attribute.missing().into_iter().enumerate().filter(|(_, missing)| *missing).map(|(row, _)| row).collect()
}

impl Attribute {
    /// The attribute with these values for the objects that lack one, in their order, and what was done.
    fn filled(&self, values: &[Value]) -> (Self, Filled) {
        let lacking = lacking(self);
        let left = values.iter().filter(|value| **value == Value::Missing).count();
        let mut used: Vec<&Value> = values.iter().filter(|value| **value != Value::Missing).collect();
        used.sort();
        let counted = used.chunk_by(|a, b| a == b).map(|equal| (equal[0].clone(), equal.len())).collect();
        let filled = Filled { name: self.name().to_owned(), missing: lacking.len(), left, values: counted };
        if lacking.is_empty() {
            return (self.clone(), filled);
        }
        // All values of a column are of one kind: whole numbers become real ones beside a real one.
        let has_real = values.iter().any(|value| matches!(value, Value::Real(_)));
        let of_kind = |value: &Value| match value {
            Value::Integer(number) if has_real => Value::Real(*number as f64),
            value => value.clone(),
        };
        let mut column: Vec<Value> = (0..self.len()).map(|row| of_kind(self.value(row))).collect();
        lacking.iter().zip(values).for_each(|(&row, value)| column[row] = of_kind(value));
        (Self::from_values(self.name(), &column), filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Roles;

    /// The incomplete table of cases of flu of Grzymała-Busse (2004), with a number for the temperature.
    const FLU: &str = "temperature,headache,nausea,flu\n\
        high,?,no,yes\nvery_high,yes,yes,yes\n?,no,no,no\nhigh,yes,yes,yes\nhigh,?,yes,no\nnormal,yes,no,no\nnormal,no,yes,no\n?,yes,?,yes\n";

    fn table(csv: &str, decision: &str) -> DecisionTable {
        DecisionTable::from_csv(csv, &Roles::decided_by(decision)).unwrap()
    }

    fn values(table: &DecisionTable, attribute: usize) -> Vec<String> {
        (0..table.n_objects()).map(|row| table.attributes()[attribute].value(row).to_string()).collect()
    }

    #[test]
    fn the_most_frequent_value_stands_in() {
        let completed = table(FLU, "flu").completed(Completion::Frequent).unwrap();
        assert_eq!(
            values(&completed.table, 0),
            ["high", "very_high", "high", "high", "high", "normal", "normal", "high"]
        );
        assert_eq!(values(&completed.table, 1), ["yes", "yes", "no", "yes", "yes", "yes", "no", "yes"]);
        assert_eq!(values(&completed.table, 2)[7], "yes");
        let filled = &completed.filled[0];
        assert_eq!((filled.missing, filled.left, &filled.values[..]), (2, 0, &[(Value::text("high"), 2)][..]));
    }

    #[test]
    fn the_most_frequent_value_of_the_decision_stands_in() {
        let completed = table(FLU, "flu").completed(Completion::ConceptFrequent).unwrap();
        assert_eq!(
            values(&completed.table, 0),
            ["high", "very_high", "normal", "high", "high", "normal", "normal", "high"]
        );
        assert_eq!(values(&completed.table, 1), ["yes", "yes", "no", "yes", "no", "yes", "no", "yes"]);
        assert_eq!(values(&completed.table, 2)[7], "yes");
    }

    #[test]
    fn numbers_have_means_and_medians() {
        let numbers = "a,b,d\n1,0.5,x\n2,?,x\n9,1.5,y\n?,4,y\n";
        let of = |method| table(numbers, "d").completed(method).unwrap().table;
        assert_eq!(
            (values(&of(Completion::Mean), 0), values(&of(Completion::Mean), 1)[1].as_str()),
            (["1", "2", "9", "4"].map(String::from).to_vec(), "2")
        );
        assert_eq!(of(Completion::Mean).attributes()[0].kind(), "integer");
        assert_eq!(values(&of(Completion::Median), 0)[3], "2");
        assert_eq!(values(&of(Completion::ConceptMean), 0)[3], "9");
        assert_eq!(values(&of(Completion::ConceptMean), 1)[1], "0.5");
        let half = table("a,d\n1,x\n2,x\n?,y\n", "d").completed(Completion::Mean).unwrap().table;
        assert_eq!(
            (half.attributes()[0].kind(), values(&half, 0)),
            ("real", ["1", "2", "1.5"].map(String::from).to_vec())
        );
        // No object of y has a value.
        assert_eq!(
            values(&table("a,d\n1,x\n2,x\n?,y\n", "d").completed(Completion::ConceptMean).unwrap().table, 0)[2],
            "1.5"
        );
    }

    #[test]
    fn weights_count() {
        let weighted = table("a,d\n1,x\n5,x\n?,y\n", "d").reweighted(&[1, 3, 1]).unwrap();
        let value = |method| weighted.completed(method).unwrap().table.attributes()[0].value(2).clone();
        assert_eq!((value(Completion::Mean), value(Completion::Median)), (Value::Integer(4), Value::Integer(5)));
        assert_eq!(value(Completion::Frequent), Value::Integer(5));
    }

    /// The distances follow from the definition: from object 3 to the others on a, b and c.
    #[test]
    fn the_nearest_object_that_has_a_value_lends_it() {
        let numbers = "a,b,c,d\n0,x,1,n\n10,y,2,n\n4,x,?,n\n5,y,?,n\n?,y,3,n\n";
        let completed = table(numbers, "d").completed(Completion::ClosestFit).unwrap();
        // 0.4 + 0 + 1, 0.6 + 1 + 1, 1 + 1 + 1; then 0.5 + 1 + 1, 0.5 + 0 + 1, 1 + 0 + 1.
        assert_eq!(values(&completed.table, 2), ["1", "2", "1", "2", "3"]);
        // 1 + 1 + 1, 1 + 0 + 0.5, 1 + 1 + 1, 1 + 0 + 1.
        assert_eq!(values(&completed.table, 0)[4], "10");
    }

    #[test]
    fn incomplete_objects_are_left_out_and_a_column_without_values_stays() {
        let completed = table(FLU, "flu").completed(Completion::Delete).unwrap();
        assert_eq!((completed.table.n_objects(), completed.left_out.rows, completed.filled[0].missing), (4, 4, 2));
        let empty = table("a,b,d\n?,1,x\n?,2,y\n", "d");
        for method in [Completion::Frequent, Completion::Mean, Completion::ConceptMean, Completion::ClosestFit] {
            let completed = empty.completed(method).unwrap();
            assert_eq!((completed.filled[0].left, &completed.table), (2, &empty));
        }
    }
}
