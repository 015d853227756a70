//! Which columns of Parquet are read, and what their cells mean.

use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit as Unit, Type as PhysicalType};
use parquet::schema::types::Type;

use crate::table::decimal::MOST_DIGITS;
use crate::table::reading::Wanted;
use crate::table::{Moment, TimeUnit, Value};

/// What the cells of a column are, and what they are stored as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Boolean,
    /// Whole numbers with sign in 32 bits.
    Small,
    /// Whole numbers without sign in 32 bits.
    SmallUnsigned,
    /// Whole numbers with sign in 64 bits.
    Integer,
    /// Whole numbers without sign in 64 bits.
    Unsigned,
    /// Reals in 32 bits.
    SmallReal,
    /// Reals in 64 bits.
    Real,
    Text,
    /// Dates in 32 bits, times of the day in 32 bits if in milliseconds, else in 64, and others in 64.
    Moment(Moment),
    /// Timestamps in 96 bits.
    OldTimestamp,
    /// Decimal numbers, with so many digits of their fraction, as whole numbers of this type.
    Decimal(usize, PhysicalType),
}

impl Kind {
    /// The kind of a column of the schema, or else the name of its type.
    pub fn of(field: &Type) -> Result<Self, String> {
        use ConvertedType as Converted;
        let info = field.get_basic_info();
        let (logical, converted) = (info.logical_type_ref(), info.converted_type());
        let is_text = matches!(logical, Some(LogicalType::String | LogicalType::Enum | LogicalType::Json))
            || matches!(converted, Converted::UTF8 | Converted::ENUM | Converted::JSON);
        let is_unsigned = matches!(logical, Some(LogicalType::Integer(integer)) if !integer.is_signed)
            || matches!(converted, Converted::UINT_8 | Converted::UINT_16 | Converted::UINT_32 | Converted::UINT_64);
        let is_plain = matches!(logical, None | Some(LogicalType::Integer(_) | LogicalType::Unknown))
            && (is_unsigned || matches!(converted, Converted::NONE) || is_signed(converted));
        if field.is_group() || (info.has_repetition() && info.repetition() == Repetition::REPEATED) {
            return Err(name_of_group(logical, converted));
        }
        if matches!(logical, Some(LogicalType::Decimal(_))) || converted == Converted::DECIMAL {
            return Self::of_decimal(field).ok_or_else(|| name_of(logical, converted));
        }
        match field.get_physical_type() {
            PhysicalType::BYTE_ARRAY if is_text => Ok(Self::Text),
            PhysicalType::BOOLEAN if is_plain => Ok(Self::Boolean),
            PhysicalType::INT32 if is_plain => Ok(if is_unsigned { Self::SmallUnsigned } else { Self::Small }),
            PhysicalType::INT64 if is_plain => Ok(if is_unsigned { Self::Unsigned } else { Self::Integer }),
            PhysicalType::FLOAT if is_plain => Ok(Self::SmallReal),
            PhysicalType::DOUBLE if is_plain => Ok(Self::Real),
            PhysicalType::INT96 => Ok(Self::OldTimestamp),
            PhysicalType::INT32 | PhysicalType::INT64 => {
                Self::of_time(logical, converted).ok_or_else(|| name_of(logical, converted))
            }
            PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY if logical.is_none() => {
                Err("binary".to_owned())
            }
            _ => Err(name_of(logical, converted)),
        }
    }

    /// The kind in words, for messages about two that differ.
    pub fn described(self) -> String {
        let whole = match self {
            Self::Boolean => "boolean",
            Self::Small => "integer of 32 bits",
            Self::SmallUnsigned => "unsigned integer of 32 bits",
            Self::Integer => "integer of 64 bits",
            Self::Unsigned => "unsigned integer of 64 bits",
            Self::SmallReal => "real of 32 bits",
            Self::Real => "real of 64 bits",
            Self::Text => "text",
            Self::OldTimestamp => "timestamp of 96 bits",
            Self::Moment(Moment::Date | Moment::DateInMillis) => "date",
            Self::Moment(Moment::Time(unit)) => return format!("time in {}", unit.described()),
            Self::Moment(Moment::Timestamp(unit)) => return format!("timestamp in {}", unit.described()),
            Self::Moment(Moment::Duration(unit)) => return format!("duration in {}", unit.described()),
            Self::Decimal(scale, stored) => {
                return format!("decimal with {scale} digits behind the point, stored as {stored}");
            }
        };
        whole.to_owned()
    }

    /// The kind of a column of decimal numbers.
    fn of_decimal(field: &Type) -> Option<Self> {
        let scale = usize::try_from(field.get_scale()).ok().filter(|_| field.get_scale() <= MOST_DIGITS)?;
        let stored = field.get_physical_type();
        let is_whole = matches!(
            stored,
            PhysicalType::INT32 | PhysicalType::INT64 | PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY
        );
        is_whole.then_some(Self::Decimal(scale, stored))
    }

    /// The kind of a column of dates or times.
    fn of_time(logical: Option<&LogicalType>, converted: ConvertedType) -> Option<Self> {
        let moment = match (logical, converted) {
            (Some(LogicalType::Date), _) | (None, ConvertedType::DATE) => Moment::Date,
            (Some(LogicalType::Time(time)), _) => Moment::Time(unit(&time.unit)),
            (Some(LogicalType::Timestamp(time)), _) => Moment::Timestamp(unit(&time.unit)),
            (None, ConvertedType::TIME_MILLIS) => Moment::Time(TimeUnit::Milli),
            (None, ConvertedType::TIME_MICROS) => Moment::Time(TimeUnit::Micro),
            (None, ConvertedType::TIMESTAMP_MILLIS) => Moment::Timestamp(TimeUnit::Milli),
            (None, ConvertedType::TIMESTAMP_MICROS) => Moment::Timestamp(TimeUnit::Micro),
            _ => return None,
        };
        Some(Self::Moment(moment))
    }

    /// The value of a cell that is not null, from its key: a whole number, or [`in_order`] of a real one; not of text, of
    /// decimal numbers and of timestamps in 96 bits.
    pub fn value(self, number: i64, wanted: Wanted) -> Value {
        match self {
            Self::Boolean => Value::Boolean(number != 0),
            Self::SmallReal | Self::Real => Value::Real(f64::from_bits(turned(number) as u64)),
            Self::Moment(moment) => moment.value_as(number, wanted),
            _ => Value::Integer(number),
        }
    }
}

/// What times of a unit of Parquet are counted in.
const fn unit(unit: &Unit) -> TimeUnit {
    match unit {
        Unit::MILLIS => TimeUnit::Milli,
        Unit::MICROS => TimeUnit::Micro,
        Unit::NANOS => TimeUnit::Nano,
    }
}

/// The real number of 64 bits that is spelled as shortly as one of 32 bits: 0.1 stays 0.1, as it is in CSV.
pub fn widened(number: f32) -> f64 {
    zmij::Buffer::new().format(number).parse().unwrap_or_else(|_| number.into())
}

/// Whole numbers in the order of the real numbers that they stand for.
pub const fn in_order(number: f64) -> i64 {
    turned(number.to_bits() as i64)
}

/// Turns the order of negative numbers round: the bits of a real number are its sign and its size. Undoes itself.
const fn turned(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

fn is_signed(converted: ConvertedType) -> bool {
    matches!(converted, ConvertedType::INT_8 | ConvertedType::INT_16 | ConvertedType::INT_32 | ConvertedType::INT_64)
}

fn name_of_group(logical: Option<&LogicalType>, converted: ConvertedType) -> String {
    match (logical, converted) {
        (Some(LogicalType::List), _) | (_, ConvertedType::LIST) => "list".to_owned(),
        (Some(LogicalType::Map), _) | (_, ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE) => "map".to_owned(),
        _ => "struct".to_owned(),
    }
}

/// The name of a logical type without its parameters, in small letters.
fn name_of(logical: Option<&LogicalType>, converted: ConvertedType) -> String {
    let described = logical.map_or_else(|| format!("{converted:?}"), |logical| format!("{logical:?}"));
    described.split(['(', ' ', '_']).next().unwrap_or_default().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_that_differ_in_how_they_are_stored_are_described_so() {
        let described = [PhysicalType::INT32, PhysicalType::INT64].map(|stored| Kind::Decimal(2, stored).described());
        let expected = |stored: &str| format!("decimal with 2 digits behind the point, stored as {stored}");
        assert_eq!(described, [expected("INT32"), expected("INT64")]);
    }
}
