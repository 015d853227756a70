//! Which columns of Parquet are read, and what their cells mean.

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType};
use parquet::schema::types::Type;

use crate::table::Value;

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
        match field.get_physical_type() {
            PhysicalType::BYTE_ARRAY if is_text => Ok(Self::Text),
            PhysicalType::BOOLEAN if is_plain => Ok(Self::Boolean),
            PhysicalType::INT32 if is_plain => Ok(if is_unsigned { Self::SmallUnsigned } else { Self::Small }),
            PhysicalType::INT64 if is_plain => Ok(if is_unsigned { Self::Unsigned } else { Self::Integer }),
            PhysicalType::FLOAT if is_plain => Ok(Self::SmallReal),
            PhysicalType::DOUBLE if is_plain => Ok(Self::Real),
            PhysicalType::INT96 => Err("timestamp".to_owned()),
            PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY if logical.is_none() => {
                Err("binary".to_owned())
            }
            _ => Err(name_of(logical, converted)),
        }
    }

    /// The value of a cell that is not null, from the bits that code it; not of text.
    pub fn value(self, bits: u64) -> Value {
        match self {
            Self::Boolean => Value::Boolean(bits != 0),
            Self::SmallReal | Self::Real => Value::Real(f64::from_bits(bits)),
            _ => Value::Integer(bits as i64),
        }
    }
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
