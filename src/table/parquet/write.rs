//! Columns written as Parquet, group of rows after group.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnDescPtr, Type};
use rayon::prelude::*;
use zstd::bulk::Compressor;

use super::coded::{Chunk, Coded, LEVEL};

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

/// A column in a group of rows.
pub(crate) enum Content {
    /// Its cells one after another.
    Cells(Cells),
    /// The values that occur, and which of them each row has.
    Coded(Coded),
}

/// A column of a group of rows as it is handed to the file.
enum Prepared {
    Cells(Cells),
    Chunk(Box<Chunk>),
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
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?)).build();
        let file = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { file, wide: columns.iter().map(|(_, kind)| *kind == ColumnType::Integer64).collect() })
    }

    /// Writes a group of rows, of which `content` gives each column, on all threads.
    pub(crate) fn write<C: Sync>(&mut self, columns: &[C], content: impl Fn(&C) -> Content + Sync) -> Result<()> {
        let descriptions = self.file.schema_descr().columns();
        let with_compressor = || Compressor::new(LEVEL).map_err(|error| ParquetError::External(error.into()));
        let prepare = |compressor: &mut Result<Compressor<'_>>, (column, description): (&C, &ColumnDescPtr)| {
            Ok(match content(column) {
                Content::Coded(coded) => {
                    let compressor = compressor.as_mut().map_err(|error| ParquetError::General(error.to_string()))?;
                    Prepared::Chunk(Box::new(Chunk::of(&coded, description.clone(), compressor)?))
                }
                Content::Cells(cells) => Prepared::Cells(cells),
            })
        };
        let prepared = columns.par_iter().zip(descriptions).map_init(with_compressor, prepare);
        let prepared: Vec<Prepared> = prepared.collect::<Result<_>>()?;
        let mut group = self.file.next_row_group()?;
        for (column, &wide) in prepared.into_iter().zip(&self.wide) {
            match column {
                Prepared::Chunk(chunk) => group.append_column(&chunk.bytes, chunk.close)?,
                Prepared::Cells(cells) => write_cells(&mut group, cells, wide)?,
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

/// Writes cells, whole numbers as `wide` ones or in 32 bits.
fn write_cells(group: &mut SerializedRowGroupWriter<File>, cells: Cells, wide: bool) -> Result<()> {
    match cells {
        Cells::Boolean(cells) => write_column::<BoolType>(group, cells),
        Cells::Integer(cells) if wide => write_column::<Int64Type>(group, cells),
        // Counts fill all 32 bits, without sign.
        Cells::Integer(cells) => write_column::<Int32Type>(group, cells.into_iter().map(|c| c.map(|c| c as i32))),
        Cells::Real(cells) => write_column::<DoubleType>(group, cells),
        Cells::Text(cells) => write_column::<ByteArrayType>(group, cells),
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
