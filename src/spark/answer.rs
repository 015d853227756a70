//! What comes back: batches of columns, and their values.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Float32Type, Float64Type, Int64Type, TimeUnit as ArrowUnit};
use arrow::record_batch::RecordBatch;

use super::error::EngineError;
use crate::table::{Attribute, Codes, Moment, TimeUnit, Value, decimal_values, widened};

/// The rows of an answer.
pub struct Answer {
    question: String,
    batches: Vec<RecordBatch>,
}

impl Answer {
    pub fn new(question: &str, mut batches: Vec<RecordBatch>) -> Self {
        batches.retain(|batch| batch.num_rows() > 0);
        Self { question: question.to_owned(), batches }
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Refuses an answer that has another number of rows.
    pub fn of_rows(self, expected: usize) -> Result<Self, EngineError> {
        let found = self.n_rows();
        if found == expected { Ok(self) } else { Err(self.incomplete(format!("{expected} rows"), found.to_string())) }
    }

    pub fn incomplete(&self, expected: impl Into<String>, found: impl Into<String>) -> EngineError {
        EngineError::Incomplete { question: self.question.clone(), expected: expected.into(), found: found.into() }
    }

    /// The whole numbers of a column, none of which may be missing.
    pub fn numbers(&self, column: &str) -> Result<Vec<u64>, EngineError> {
        let number = |value: &Value| value.as_integer().and_then(|number| u64::try_from(number).ok());
        let as_numbers = |values: Vec<Value>| -> Result<Vec<u64>, EngineError> {
            let read = |value: &Value| {
                number(value).ok_or_else(|| self.incomplete(format!("a count in `{column}`"), value.to_string()))
            };
            values.iter().map(read).collect()
        };
        as_numbers(self.values_as(column, Some(&DataType::Int64))?)
    }

    /// The one number of a column of an answer of one row. A sum of nothing is 0.
    pub fn number(&self, column: &str) -> Result<u64, EngineError> {
        match self.values_as(column, Some(&DataType::Int64))?[..] {
            [Value::Integer(number)] if number >= 0 => Ok(number as u64),
            [Value::Missing] => Ok(0),
            ref other => Err(self.incomplete(format!("one count in `{column}`"), format!("{} rows", other.len()))),
        }
    }

    /// The values of a column.
    pub fn values(&self, column: &str) -> Result<Vec<Value>, EngineError> {
        self.values_as(column, None)
    }

    fn values_as(&self, column: &str, kind: Option<&DataType>) -> Result<Vec<Value>, EngineError> {
        let mut values = Vec::with_capacity(self.n_rows());
        for batch in &self.batches {
            let lacks = || self.incomplete(format!("a column `{column}`"), "none");
            let array = batch.column_by_name(column).ok_or_else(lacks)?;
            values.extend(self.decoded(column, array, kind)?);
        }
        Ok(values)
    }

    /// The values of a column as an attribute of this name.
    pub fn attribute(&self, column: &str, name: &str) -> Result<Attribute, EngineError> {
        let (mut places, mut domain, mut codes) = (BTreeMap::new(), Vec::new(), Vec::with_capacity(self.n_rows()));
        for batch in &self.batches {
            let lacks = || self.incomplete(format!("a column `{column}`"), "none");
            let array = batch.column_by_name(column).ok_or_else(lacks)?;
            for value in self.decoded(column, array, None)? {
                codes.push(*places.entry(value).or_insert_with_key(|value| {
                    domain.push(value.clone());
                    domain.len() as u32 - 1
                }));
            }
        }
        Ok(Attribute::from_codes(name, &domain, Codes::U32(codes)))
    }

    fn decoded(&self, column: &str, array: &dyn Array, kind: Option<&DataType>) -> Result<Vec<Value>, EngineError> {
        let unreadable = || self.incomplete(format!("values of `{column}`"), format!("{}", array.data_type()));
        match array.data_type() {
            DataType::Decimal128(_, scale) if kind.is_none() => return decimals(array, *scale).ok_or_else(unreadable),
            DataType::Timestamp(unit, _) if kind.is_none() => return moments(array, *unit).ok_or_else(unreadable),
            _ => {}
        }
        let kind = kind.or_else(|| common(array.data_type())).ok_or_else(unreadable)?;
        let array = cast(array, kind).map_err(|_| unreadable())?;
        Ok(match kind {
            DataType::Boolean => array.as_boolean().iter().map(|value| given(value, Value::Boolean)).collect(),
            DataType::Int64 => {
                array.as_primitive::<Int64Type>().iter().map(|value| given(value, Value::Integer)).collect()
            }
            DataType::Float32 => {
                let real = |number: f32| Value::Real(widened(number));
                array.as_primitive::<Float32Type>().iter().map(|value| given(value, real)).collect()
            }
            DataType::Float64 => {
                array.as_primitive::<Float64Type>().iter().map(|value| given(value, Value::Real)).collect()
            }
            _ => array.as_string::<i32>().iter().map(|value| given(value, Value::text)).collect(),
        })
    }
}

/// Decimal numbers, as the reader of Parquet files has them.
fn decimals(array: &dyn Array, scale: i8) -> Option<Vec<Value>> {
    let (numbers, scale) = (array.as_primitive::<Decimal128Type>(), usize::try_from(scale).ok()?);
    let bytes: Vec<Vec<u8>> = numbers.iter().flatten().map(|number| number.to_be_bytes().to_vec()).collect();
    let mut values = decimal_values(&bytes, scale)?.into_iter();
    numbers.iter().map(|number| if number.is_some() { values.next() } else { Some(Value::Missing) }).collect()
}

/// Times since the beginning of 1970, as the reader of Parquet files has them.
fn moments(array: &dyn Array, unit: ArrowUnit) -> Option<Vec<Value>> {
    let unit = match unit {
        ArrowUnit::Second => TimeUnit::Second,
        ArrowUnit::Millisecond => TimeUnit::Milli,
        ArrowUnit::Microsecond => TimeUnit::Micro,
        ArrowUnit::Nanosecond => TimeUnit::Nano,
    };
    let numbers = cast(array, &DataType::Int64).ok()?;
    let moment = |number| Moment::Timestamp(unit).value(number);
    Some(numbers.as_primitive::<Int64Type>().iter().map(|number| given(number, moment)).collect())
}

fn given<T>(value: Option<T>, known: impl FnOnce(T) -> Value) -> Value {
    value.map_or(Value::Missing, known)
}

/// The type that the values of a column are read as. Dates are texts, as the reader of Parquet files has them.
const fn common(kind: &DataType) -> Option<&'static DataType> {
    match kind {
        DataType::Boolean => Some(&DataType::Boolean),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Some(&DataType::Int64),
        DataType::Float32 => Some(&DataType::Float32),
        DataType::Float64 => Some(&DataType::Float64),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Date32 | DataType::Null => {
            Some(&DataType::Utf8)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{
        ArrayRef, Date32Array, Decimal128Array, Float32Array, Int8Array, StringArray, TimestampMicrosecondArray,
    };
    use std::sync::Arc;

    fn answer() -> Answer {
        let batch = |from: i8| {
            let numbers: ArrayRef = Arc::new(Int8Array::from(vec![Some(from), None]));
            let reals: ArrayRef = Arc::new(Float32Array::from(vec![0.1, 2.0]));
            let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("b"), Some("a")]));
            let dates: ArrayRef = Arc::new(Date32Array::from(vec![0, 20_000]));
            RecordBatch::try_from_iter([("n", numbers), ("r", reals), ("t", texts), ("d", dates)]).unwrap()
        };
        Answer::new("a test", vec![batch(5), batch(-1)])
    }

    #[test]
    fn columns_become_attributes_with_domains_in_order() {
        let answer = answer();
        let numbers = answer.attribute("n", "number").unwrap();
        assert_eq!(numbers.domain(), [Value::Integer(-1), Value::Integer(5), Value::Missing]);
        assert_eq!(numbers.codes().to_vec(), [1, 2, 0, 2]);
        assert_eq!(answer.values("r").unwrap()[0], Value::Real(0.1));
        assert_eq!(answer.values("d").unwrap()[..2], [Value::text("1970-01-01"), Value::text("2024-10-04")]);
    }

    #[test]
    fn decimals_and_timestamps_are_what_files_have() {
        let decimals = Decimal128Array::from(vec![Some(150), None, Some(-5)]).with_precision_and_scale(15, 2).unwrap();
        let whole = Decimal128Array::from(vec![Some(7), Some(0), None]).with_precision_and_scale(18, 0).unwrap();
        let times = TimestampMicrosecondArray::from(vec![Some(1_500_000), Some(-1), None]);
        let zoned: ArrayRef = Arc::new(times.clone().with_timezone("Europe/Berlin"));
        let columns: [(&str, ArrayRef); 4] =
            [("m", Arc::new(decimals)), ("n", Arc::new(whole)), ("t", Arc::new(times)), ("z", zoned)];
        let answer = Answer::new("a test", vec![RecordBatch::try_from_iter(columns).unwrap()]);
        let values = |column| answer.values(column).unwrap();
        assert_eq!(values("m"), [Value::Real(1.5), Value::Missing, Value::Real(-0.05)]);
        assert_eq!(values("n"), [Value::Integer(7), Value::Integer(0), Value::Missing]);
        let texts = ["1970-01-01T00:00:01.5", "1969-12-31T23:59:59.999999"].map(Value::text);
        assert_eq!(values("t"), [&texts[..], &[Value::Missing]].concat());
        assert_eq!(values("z"), values("t"));
    }

    #[test]
    fn what_is_missing_of_an_answer_is_told() {
        let told = |error: EngineError| error.to_string();
        let start = "the engine's answer about a test is not whole: expected ";
        assert_eq!(told(answer().of_rows(5).err().unwrap()), format!("{start}5 rows, found 4"));
        assert_eq!(told(answer().values("x").err().unwrap()), format!("{start}a column `x`, found none"));
        assert_eq!(told(answer().numbers("n").err().unwrap()), format!("{start}a count in `n`, found ?"));
        assert!(told(Answer::new("a test", Vec::new()).number("n").err().unwrap()).contains("one count in `n`"));
    }
}
