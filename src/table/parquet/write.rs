//! Columns written as Parquet, group of rows after group.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

/// What a column holds; any cell may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnType {
    Boolean,
    Integer8,
    Integer16,
    /// Whole numbers without sign in 32 bits.
    Count,
    Integer64,
    Real,
    Text,
}

/// The cells of a column in a group of rows.
pub(crate) enum Cells {
    Boolean(Vec<Option<bool>>),
    Integer(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<ByteArray>>),
}

/// A Parquet file that is being written.
pub(crate) struct GroupWriter {
    file: SerializedFileWriter<File>,
    wide: Vec<bool>,
}

impl GroupWriter {
    /// A file with columns of these names and types.
    pub(crate) fn create(file: File, columns: &[(&str, ColumnType)]) -> Result<Self> {
        let fields = columns.iter().map(|(name, kind)| kind.field(name).map(Arc::new)).collect::<Result<_>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?)).build();
        let file = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { file, wide: columns.iter().map(|(_, kind)| *kind == ColumnType::Integer64).collect() })
    }

    /// Writes the cells of some rows, column by column.
    pub(crate) fn write(&mut self, columns: impl Iterator<Item = Cells>) -> Result<()> {
        let mut group = self.file.next_row_group()?;
        for (cells, &wide) in columns.zip(&self.wide) {
            match cells {
                Cells::Boolean(cells) => write_column::<BoolType>(&mut group, cells)?,
                Cells::Integer(cells) if wide => write_column::<Int64Type>(&mut group, cells)?,
                // Counts fill all 32 bits, without sign.
                Cells::Integer(cells) => {
                    write_column::<Int32Type>(&mut group, cells.into_iter().map(|c| c.map(|c| c as i32)))?
                }
                Cells::Real(cells) => write_column::<DoubleType>(&mut group, cells)?,
                Cells::Text(cells) => write_column::<ByteArrayType>(&mut group, cells)?,
            }
        }
        group.close().map(drop)
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<()> {
        self.file.close().map(drop)
    }
}

impl ColumnType {
    fn field(self, name: &str) -> Result<Type> {
        let (physical, logical) = match self {
            Self::Boolean => (PhysicalType::BOOLEAN, None),
            Self::Integer8 => (PhysicalType::INT32, Some(LogicalType::integer(8, true))),
            Self::Integer16 => (PhysicalType::INT32, Some(LogicalType::integer(16, true))),
            Self::Count => (PhysicalType::INT32, Some(LogicalType::integer(32, false))),
            Self::Integer64 => (PhysicalType::INT64, None),
            Self::Real => (PhysicalType::DOUBLE, None),
            Self::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        builder.with_logical_type(logical).build()
    }
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<File>,
    cells: impl IntoIterator<Item = Option<T::T>>,
) -> Result<()> {
    let (mut values, mut present) = (Vec::new(), Vec::new());
    for cell in cells {
        present.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(&values, Some(&present), None)?;
        column.close()?;
    }
    Ok(())
}
