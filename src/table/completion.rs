//! Completion of missing values: what stands in for a value of a condition that is not known.
//!
//! The methods are those that Grzymała-Busse & Hu compare (*A comparison of several approaches to missing attribute
//! values in data mining*, RSCTC 2000), by the whole table or by the objects of one decision.

mod closest;
mod statistic;

use self::closest::closest_values;
use self::statistic::{Statistic, is_beyond_reals};
use super::{Attribute, DecisionTable, LeftOut, TableError, Value, place_of};
use crate::choices;
use crate::settings::{SettingError, require};

choices! {
    /// How missing values of conditions are completed.
    pub enum Completion = Frequent {
        /// The most frequent value of the attribute.
        Frequent,
        /// The mean of numbers, the most frequent one of other values.
        Mean,
        /// The median of numbers, the most frequent one of other values.
        Median,
        /// The most frequent value among the objects of the same decision.
        ConceptFrequent,
        /// The mean of numbers among the objects of the same decision, the most frequent one of other values.
        ConceptMean,
        /// The value of the nearest object that has one (global closest fit).
        ClosestFit,
        /// None: objects with missing values are left out.
        Delete,
    }
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
    /// Of several most frequent values the smallest is taken. A mean or median of whole numbers that is none makes the
    /// attribute one of real numbers; it is rounded if one of the numbers is 2⁵³ or more, for which real ones are not exact.
    /// Where no object of the same decision has a value, the whole table tells it. The distance of the closest fit is the
    /// sum over all conditions of 0 for equal values, |a - b| / range for numbers, and 1 for other values that differ and
    /// where one is missing; of several nearest objects the first is taken, and what differs by rounding only is as near.
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
        let statistic = match method {
            Completion::Delete => return self.without_incomplete(),
            Completion::ConceptFrequent => Statistic::Frequent,
            Completion::ConceptMean => Statistic::Mean,
            _ => return Completer::of(self, method).apply(self),
        };
        let values = |attribute: &Attribute| self.values_of_decisions(attribute, statistic);
        let values: Vec<Vec<Value>> = self.attributes().iter().map(values).collect();
        let filled = self.attributes().iter().zip(&values).map(|(attribute, values)| attribute.filled(values, false));
        self.with_conditions(filled.unzip())
    }

    fn without_incomplete(&self) -> Result<Completed, TableError> {
        let filled = |attribute: &Attribute| {
            let missing = attribute.n_missing();
            Filled { name: attribute.name().to_owned(), missing, left: 0, values: Vec::new() }
        };
        let (table, left_out) = self.complete()?;
        Ok(Completed { filled: self.attributes().iter().map(filled).collect(), table, left_out })
    }

    /// The table with these conditions, and what was done.
    fn with_conditions(&self, (columns, filled): (Vec<Attribute>, Vec<Filled>)) -> Result<Completed, TableError> {
        let table = Self::new(columns, self.decision().clone(), self.weights().clone())?.with_rows_of(self);
        Ok(Completed { table, filled, left_out: LeftOut::default() })
    }

    /// The statistic of `attribute` over all objects; missing if none that counts has a value.
    fn statistic(&self, attribute: &Attribute, statistic: Statistic) -> Value {
        let mut weights = vec![0; attribute.n_values()];
        (0..self.n_objects()).for_each(|row| weights[attribute.code(row) as usize] += self.weight(row));
        statistic.of(attribute.domain().iter().zip(weights), is_beyond_reals(attribute))
    }

    /// For each object that lacks a value of `attribute` the one that is usual for its decision, or in the whole table.
    fn values_of_decisions(&self, attribute: &Attribute, statistic: Statistic) -> Vec<Value> {
        let lacking = lacking(attribute);
        if lacking.is_empty() {
            return Vec::new();
        }
        let rounds = is_beyond_reals(attribute);
        let mut of_decision = vec![self.statistic(attribute, statistic); self.n_decisions()];
        // The objects of a decision side by side, in the order of their values.
        let cell = |row: usize| (self.decision().code(row), attribute.code(row), self.weight(row));
        let mut cells: Vec<(u32, u32, u64)> = (0..self.n_objects()).map(cell).collect();
        cells.sort_unstable();
        for cells in cells.chunk_by(|a, b| a.0 == b.0) {
            let weighed = cells.chunk_by(|a, b| a.1 == b.1).map(|equal| {
                let weight: u64 = equal.iter().map(|cell| cell.2).sum();
                (&attribute.domain()[equal[0].1 as usize], weight)
            });
            let value = statistic.of(weighed, rounds);
            if value != Value::Missing {
                of_decision[cells[0].0 as usize] = value;
            }
        }
        lacking.iter().map(|&row| of_decision[self.decision().code(row) as usize].clone()).collect()
    }
}

impl Completion {
    /// Refuses the methods by which no table can complete another one, under the name `setting` of the method: those
    /// that ask for the decisions of the completed objects, and the one that leaves them out.
    ///
    /// # Errors
    /// When this is one of them.
    pub fn require_for_others(self, setting: &str) -> Result<(), SettingError> {
        let range = "frequent, mean, median or closest-fit where known objects complete new ones";
        let knows_others = matches!(self, Self::Frequent | Self::Mean | Self::Median | Self::ClosestFit);
        require(knows_others, setting, range, self)
    }
}

/// What a table says of missing values, its own and those of other objects.
///
/// ```
/// use roughboard::table::{Attribute, Completer, Completion, DecisionTable, Roles, Value};
/// let table = DecisionTable::from_csv("a,d\n1,yes\n2,yes\n", &Roles::decided_by("d")).unwrap();
/// let completer = Completer::fit(&table, Completion::Mean).unwrap();
/// let other = Attribute::from_values("a", &[Value::Missing, Value::Integer(7)]);
/// let (columns, filled) = completer.apply_to(&[other]).unwrap();
/// assert_eq!((columns[0].value(0), filled[0].missing), (&Value::Real(1.5), 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completer {
    /// The conditions of the table, with domains of the values that occur; where the nearest object tells, of those that weigh anything.
    known: Vec<Attribute>,
    /// The one value that stands in, by condition; without it that of the nearest object does.
    usual: Option<Vec<Value>>,
}

impl Completer {
    /// What `table` says, by `method`: weights count as in [`DecisionTable::completed`].
    ///
    /// # Errors
    /// As [`Completion::require_for_others`].
    pub fn fit(table: &DecisionTable, method: Completion) -> Result<Self, SettingError> {
        method.require_for_others("method")?;
        Ok(Self::of(table, method))
    }

    fn of(table: &DecisionTable, method: Completion) -> Self {
        let statistic = match method {
            Completion::ClosestFit => None,
            Completion::Mean => Some(Statistic::Mean),
            Completion::Median => Some(Statistic::Median),
            _ => Some(Statistic::Frequent),
        };
        let observed = if statistic.is_none() { table.observed_rows() } else { None };
        // Values that only other objects have, such as those of another fold, are no part of what the table says.
        let known = |attribute: &Attribute| match &observed {
            None => attribute.mapped(Value::clone),
            Some(rows) => attribute.select(rows).mapped(Value::clone),
        };
        let known: Vec<Attribute> = table.attributes().iter().map(known).collect();
        let usual = |statistic| known.iter().map(|one| table.statistic(one, statistic)).collect();
        Self { usual: statistic.map(usual), known }
    }

    fn apply(&self, table: &DecisionTable) -> Result<Completed, TableError> {
        table.with_conditions(self.apply_to(table.attributes())?)
    }

    /// The columns, those that are conditions of the table completed, and what was done to these, in its order.
    ///
    /// # Errors
    /// When a condition is not among the columns, or lacks values and has others of another kind than the table.
    pub fn apply_to(&self, columns: &[Attribute]) -> Result<(Vec<Attribute>, Vec<Filled>), TableError> {
        let places = self.known.iter().map(|known| place(known, columns)).collect::<Result<Vec<_>, _>>()?;
        let own: Vec<&Attribute> = places.iter().map(|&place| &columns[place]).collect();
        let values = match &self.usual {
            Some(usual) => {
                let alike = |(at, value): (usize, &Value)| vec![self.fitted(value, at, own[at]); own[at].n_missing()];
                usual.iter().enumerate().map(alike).collect()
            }
            None => closest_values(&self.known, &own),
        };
        let (mut completed, mut account) = (columns.to_vec(), Vec::new());
        for (at, values) in values.iter().enumerate() {
            let (column, filled) = own[at].filled(values, self.is_real(at, own[at]));
            completed[places[at]] = column;
            account.push(filled);
        }
        Ok((completed, account))
    }

    /// What is usual for a condition, rounded where an `own` column of whole numbers is to stay one.
    fn fitted(&self, usual: &Value, at: usize, own: &Attribute) -> Value {
        match usual {
            Value::Real(mean) if self.known[at].kind() == "integer" && is_beyond_reals(own) => {
                Value::Integer(mean.round() as i64)
            }
            usual => usual.clone(),
        }
    }

    /// Whether a condition of the completed table has real numbers, and so the `own` column unless that would change it.
    fn is_real(&self, at: usize, own: &Attribute) -> bool {
        let counts = self.known[at].n_missing() > 0 && !is_beyond_reals(own);
        let usual = self.usual.as_ref().filter(|_| counts).map(|usual| usual[at].kind());
        [Some(self.known[at].kind()), usual].contains(&Some("real"))
    }
}

/// Where the condition `known` of a table stands among other `columns`.
fn place(known: &Attribute, columns: &[Attribute]) -> Result<usize, TableError> {
    let name = known.name();
    let place = place_of(name, columns)?;
    let (expected, found) = (known.kind(), columns[place].kind());
    let are_numbers = [expected, found].iter().all(|kind| matches!(*kind, "integer" | "real"));
    let is_like = expected == found || are_numbers || [expected, found].contains(&"missing");
    if is_like || columns[place].n_missing() == 0 {
        return Ok(place);
    }
    Err(TableError::OtherKind { column: name.to_owned(), expected, found })
}

/// The objects that lack a value of an attribute, ascending.
fn lacking(attribute: &Attribute) -> Vec<usize> {
    attribute.missing().into_iter().enumerate().filter(|(_, missing)| *missing).map(|(row, _)| row).collect()
}

impl Attribute {
    /// The attribute with these values for the objects that lack one, in their order, and what was done. Where it is to
    /// be `real`, all its numbers are.
    fn filled(&self, values: &[Value], real: bool) -> (Self, Filled) {
        let lacking = lacking(self);
        let left = values.iter().filter(|value| **value == Value::Missing).count();
        // All values of a column are of one kind: whole numbers become real ones beside a real one.
        let has_real = real || values.iter().chain(self.domain()).any(|value| matches!(value, Value::Real(_)));
        let of_kind = |value: &Value| match value {
            Value::Integer(number) if has_real => Value::Real(*number as f64),
            value => value.clone(),
        };
        let mut used: Vec<Value> = values.iter().filter(|value| **value != Value::Missing).map(of_kind).collect();
        used.sort();
        let counted = used.chunk_by(|a, b| a == b).map(|equal| (equal[0].clone(), equal.len())).collect();
        let filled = Filled { name: self.name().to_owned(), missing: lacking.len(), left, values: counted };
        if lacking.is_empty() && !real {
            return (self.clone(), filled);
        }
        let mut column: Vec<Value> = (0..self.len()).map(|row| of_kind(self.value(row))).collect();
        lacking.iter().zip(values).for_each(|(&row, value)| column[row] = of_kind(value));
        (Self::from_values(self.name(), &column), filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Roles, Weights};

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
    fn the_mean_of_equal_numbers_is_that_number() {
        let completed = table("a,d\n0.1,x\n0.1,x\n0.1,y\n?,y\n", "d").completed(Completion::Mean).unwrap();
        assert_eq!(completed.table.attributes()[0].domain(), [Value::Real(0.1)]);
    }

    #[test]
    fn the_values_that_stand_in_are_listed_in_order() {
        let csv = "a,d\n1,x\n2,x\n?,x\n3,y\n3,y\n?,y\n";
        let completed = table(csv, "d").completed(Completion::ConceptMean).unwrap();
        assert_eq!(completed.filled[0].values, [(Value::Real(1.5), 1), (Value::Real(3.0), 1)]);
    }

    #[test]
    fn the_most_frequent_value_stands_in_that_of_all_objects_or_of_those_with_the_decision() {
        let is = |method, third: &str, fifth: &str| {
            let completed = table(FLU, "flu").completed(method).unwrap();
            let temperatures = ["high", "very_high", third, "high", "high", "normal", "normal", "high"];
            assert_eq!(values(&completed.table, 0), temperatures);
            assert_eq!(values(&completed.table, 1), ["yes", "yes", "no", "yes", fifth, "yes", "no", "yes"]);
            assert_eq!(values(&completed.table, 2)[7], "yes");
            completed
        };
        let filled = &is(Completion::Frequent, "high", "yes").filled[0];
        assert_eq!((filled.missing, filled.left, &filled.values[..]), (2, 0, &[(Value::text("high"), 2)][..]));
        is(Completion::ConceptFrequent, "normal", "no");
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
        let large = table("a,d\n1e308,x\n1.5e308,x\n?,y\n", "d").completed(Completion::Mean).unwrap().table;
        assert_eq!(large.attributes()[0].value(2), &Value::Real(1.25e308));
        let exact = table("a,d\n9007199254740993,x\n9007199254740992,x\n9007199254740995,x\n?,y\n", "d");
        for method in [Completion::Mean, Completion::Median] {
            let filled = exact.completed(method).unwrap().table;
            let observed = &values(&filled, 0)[..3];
            assert_eq!(observed, ["9007199254740993", "9007199254740992", "9007199254740995"], "{method}");
        }
        assert_eq!(values(&exact.completed(Completion::Median).unwrap().table, 0)[3], "9007199254740993");
        // What no real number is near enough to: means are whole where they are large or come out even.
        for (known, expected) in [
            (["9223372036854775807", "9223372036854775806"], "9223372036854775807"),
            (["-9223372036854775808", "-9223372036854775807"], "-9223372036854775807"),
            (["9007199254740993", "9007199254740993"], "9007199254740993"),
            (["-9223372036854775807", "9223372036854775807"], "0"),
            (["0", "9007199254740993"], "4503599627370497"),
        ] {
            let large = table(&format!("a,d\n{},x\n{},x\n?,y\n", known[0], known[1]), "d");
            for method in [Completion::Mean, Completion::Median] {
                let filled = large.completed(method).unwrap().table;
                assert_eq!(values(&filled, 0), [known[0], known[1], expected], "{method}");
                assert_eq!(filled.attributes()[0].kind(), "integer");
            }
        }
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
    fn infinite_numbers_of_both_signs_have_no_mean() {
        let table = table("a,d\n-inf,x\ninf,x\n?,y\n", "d");
        for method in [Completion::Mean, Completion::Median, Completion::ConceptMean] {
            let completed = table.completed(method).unwrap();
            assert_eq!((completed.filled[0].left, &completed.table), (1, &table), "{method}");
        }
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
        let third = |csv: &str| values(&table(csv, "d").completed(Completion::ClosestFit).unwrap().table, 0)[2].clone();
        // 1 + 0.1 + 0.1 and 1 + 0.2 + 0: the first of equals, whatever rounding makes of them.
        assert_eq!(third("c,a,b,d\nfirst,1,1,n\nsecond,2,0,n\n?,0,0,n\nthird,10,10,n\n"), "first");
        assert_eq!(third("c,a,d\nfirst,10000.1,n\nthird,10000.3,n\n?,10000.2,n\n"), "first");
        // However far away others are.
        assert_eq!(third("c,a,d\nfar,0,n\nnear,100,n\n?,101,n\nz,1000000000000,n\n"), "near");
        // 1 + 3.3 / 3.4 and 1 + 0.1 / 3.4, though the range is no number.
        assert_eq!(third("c,a,d\nfar,-1.7e308,n\nnear,1.7e308,n\n?,1.6e308,n\n"), "near");
    }

    #[test]
    fn numbers_of_no_range_and_of_an_infinite_one_are_as_far_apart_as_can_be() {
        // The first is 1 + 1 + 1 away and the second 1 + 1 + 0.
        for csv in ["c,a,b,d\nfirst,1,x,n\nsecond,1,y,n\n", "c,a,b,d\nfirst,0.5,x,n\nsecond,inf,y,n\n"] {
            let completer = Completer::fit(&table(csv, "d"), Completion::ClosestFit).unwrap();
            let own = [("c", Value::Missing), ("a", Value::Integer(5)), ("b", Value::text("y"))];
            let own = own.map(|(name, value)| Attribute::from_values(name, &[value]));
            let (columns, _) = completer.apply_to(&own).unwrap();
            assert_eq!(columns[0].value(0), &Value::text("second"), "{csv}");
        }
    }

    /// The definition, object by object.
    #[test]
    fn a_decision_among_many_tells_what_its_own_objects_say() {
        let number =
            |row: u64| (!crate::random::mix(row).is_multiple_of(5)).then_some((crate::random::mix(row) >> 8) % 4);
        let decision = |row: u64| row * row % 37;
        let cell = |row: u64| number(row).map_or("?".to_owned(), |number| number.to_string());
        let rows: String = (0..120).map(|row| format!("{},{}\n", cell(row), decision(row))).collect();
        let table = table(&format!("a,d\n{rows}"), "d");
        let known = |of: Option<u64>| -> Vec<u64> {
            (0..120).filter(|&row| of.is_none_or(|of| decision(row) == of)).filter_map(number).collect()
        };
        let mean = |numbers: &[u64]| numbers.iter().sum::<u64>() as f64 / numbers.len() as f64;
        let frequent = |numbers: &[u64]| {
            let times = |value: &u64| numbers.iter().filter(|number| *number == value).count();
            (0..4_u64).rev().max_by_key(times).unwrap() as f64
        };
        let completed = |method| table.completed(method).unwrap().table;
        let (means, frequents) = (completed(Completion::ConceptMean), completed(Completion::ConceptFrequent));
        for row in (0..120).filter(|&row| number(row).is_none()) {
            let own = known(Some(decision(row)));
            let numbers = if own.is_empty() { known(None) } else { own };
            let found = [&means, &frequents].map(|table| table.attributes()[0].value(row as usize).as_real().unwrap());
            assert_eq!(found, [mean(&numbers), frequent(&numbers)], "row {row}");
        }
    }

    #[test]
    fn one_table_completes_another() {
        let train = table("a,b,c,d\n0,x,1,n\n10,y,2,n\n10,y,?,n\n", "d");
        let new: Vec<Attribute> = [
            Attribute::from_values("extra", &[Value::Missing, Value::Integer(1)]),
            Attribute::from_values("c", &[Value::Missing, Value::Integer(5)]),
            Attribute::from_values("b", &[Value::text("y"), Value::Missing]),
            Attribute::from_values("a", &[Value::Integer(30), Value::Missing]),
        ]
        .to_vec();
        let completed = |method| {
            let (columns, filled) = Completer::fit(&train, method).unwrap().apply_to(&new).unwrap();
            let values = |at: usize| [0, 1].map(|row| columns[at].value(row).to_string());
            assert_eq!((values(0), filled.len()), (["?", "1"].map(str::to_owned), 3));
            [values(1), values(2), values(3)].concat()
        };
        assert_eq!(completed(Completion::Frequent), ["1", "5", "y", "y", "30", "10"]);
        assert_eq!(completed(Completion::Mean)[..2], ["1.5", "5"]);
        // The distances of (30, y, ?) are 3 + 1 + 1 and 2 + 0 + 1, of (?, ?, 5) 1 + 1 + 4 and 1 + 1 + 3.
        assert_eq!(completed(Completion::ClosestFit), ["2", "5", "y", "y", "30", "10"]);
        // Whole numbers become real beside real ones, whichever of the tables has these.
        let reals = Attribute::from_values("c", &[Value::Missing, Value::Real(1.5)]);
        for method in [Completion::Frequent, Completion::ClosestFit] {
            let own = [reals.clone(), new[2].clone(), new[3].clone()];
            let (columns, filled) = Completer::fit(&train, method).unwrap().apply_to(&own).unwrap();
            let c = &columns[0];
            assert!(c.domain().iter().all(|value| matches!(value, Value::Real(_))), "{method}: {:?}", c.domain());
            assert!(matches!(filled[2].values[..], [(Value::Real(_), 1)]), "{method}: {:?}", filled[2]);
        }
        // Those of which real ones are not exact stay whole.
        let mean = Completer::fit(&table("c,d\n1,x\n2,x\n?,x\n", "d"), Completion::Mean).unwrap();
        let large = [Some(9_007_199_254_740_993), Some(9_007_199_254_740_995), None];
        let large = large.map(|number| number.map_or(Value::Missing, Value::Integer));
        let (columns, _) = mean.apply_to(&[Attribute::from_values("c", &large)]).unwrap();
        assert_eq!(
            [0, 1, 2].map(|row| columns[0].value(row).clone()),
            [large[0].clone(), large[1].clone(), Value::Integer(2)]
        );
        // A column that lacks nothing becomes real with that of the table, which does if it lacks a value.
        let whole = [Attribute::from_values("c", &[Value::Integer(7)])];
        for (csv, expected) in [("c,d\n1,x\n2,x\n?,x\n", Value::Real(7.0)), ("c,d\n1,x\n2,x\n", Value::Integer(7))] {
            let (columns, _) = Completer::fit(&table(csv, "d"), Completion::Mean).unwrap().apply_to(&whole).unwrap();
            assert_eq!(columns[0].domain(), [expected]);
        }
        for method in [Completion::ConceptMean, Completion::ConceptFrequent, Completion::Delete] {
            let error = Completer::fit(&train, method).unwrap_err().to_string();
            assert!(error.starts_with("`method` must be frequent, mean, median or closest-fit where"), "{error}");
        }
        let completer = Completer::fit(&train, Completion::Mean).unwrap();
        let error = completer.apply_to(&new[..3]).unwrap_err().to_string();
        assert!(error.starts_with("no attribute column `a`"), "{error}");
        let words = Attribute::from_values("c", &[Value::Missing, Value::text("five")]);
        let error = completer.apply_to(&[words, new[2].clone(), new[3].clone()]).unwrap_err().to_string();
        assert_eq!(error, "attribute `c` has values of kind text, expected integer as in the table that completes it");
    }

    #[test]
    fn objects_that_weigh_nothing_lend_no_value() {
        let all = table("c,a,d\nnear,5,n\nfar,9,n\n?,5,n\nlast,0,n\n", "d");
        let table = |counts: [u32; 4]| {
            let (conditions, decision) = (all.attributes().to_vec(), all.decision().clone());
            DecisionTable::new(conditions, decision, Weights::Counts(counts.to_vec())).unwrap()
        };
        let third = |counts| values(&table(counts).completed(Completion::ClosestFit).unwrap().table, 0)[2].clone();
        assert_eq!([[1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]].map(third), ["near", "far", "last"]);
    }

    /// A fold keeps the domains of the whole table.
    #[test]
    fn values_of_objects_that_do_not_count_stay_unknown() {
        let all = table("a,d\n1,x\n2,x\n9,y\n9,y\n?,y\n", "d");
        let some = all.reweighted(&[1, 1, 0, 0, 1]).unwrap();
        let completer = Completer::fit(&some, Completion::Frequent).unwrap();
        assert_eq!(completer.apply(&some).unwrap().filled[0].values, [(Value::Integer(1), 1)]);
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
