//! Arrays of numpy, by their array interface: read where they lie.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::cells::{Block, Cells, Keeper, Strided};
use crate::objects;
use crate::work::interruptible;

/// Smaller matrices are not worth a copy that puts their columns side by side.
const LITTLE: usize = 1 << 20;
/// Bytes that come together from memory.
const LINE: usize = 64;

/// An array whose numbers the processor understands.
struct Array {
    first: *const u8,
    kind: Kind,
    shape: Vec<usize>,
    strides: Vec<isize>,
    keeper: Keeper,
}

#[derive(Clone, Copy)]
enum Kind {
    Boolean,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl Kind {
    fn of(letter: char, size: usize) -> Option<Self> {
        Some(match (letter, size) {
            ('b', 1) => Self::Boolean,
            ('i', 1) => Self::I8,
            ('i', 2) => Self::I16,
            ('i', 4) => Self::I32,
            ('i', 8) => Self::I64,
            ('u', 1) => Self::U8,
            ('u', 2) => Self::U16,
            ('u', 4) => Self::U32,
            ('u', 8) => Self::U64,
            ('f', 4) => Self::F32,
            ('f', 8) => Self::F64,
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::Boolean | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Cells from a place on.
    ///
    /// # Safety
    /// As [`Strided::new`].
    unsafe fn cells(self, first: *const u8, step: isize) -> Cells {
        macro_rules! strided {
            ($cells:ident) => {
                // SAFETY: promised by the caller.
                Cells::$cells(unsafe { Strided::new(first, step) })
            };
        }
        match self {
            Self::Boolean => strided!(Bytes),
            Self::I8 => strided!(I8),
            Self::I16 => strided!(I16),
            Self::I32 => strided!(I32),
            Self::I64 => strided!(I64),
            Self::U8 => strided!(U8),
            Self::U16 => strided!(U16),
            Self::U32 => strided!(U32),
            Self::U64 => strided!(U64),
            Self::F32 => strided!(F32),
            Self::F64 => strided!(F64),
        }
    }
}

/// What an array can be read as.
enum Readable<'py> {
    Numbers(Array),
    /// Another array that has the same values as objects.
    Objects(Bound<'py, PyAny>),
}

fn readable<'py>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Readable<'py>> {
    if array.hasattr("mask")? && array.hasattr("filled")? {
        let objects = array.call_method1("astype", ("object",))?;
        return Ok(Readable::Objects(objects.call_method1("filled", (f64::NAN,))?));
    }
    let interface = array.getattr("__array_interface__")?;
    let interface = interface.cast::<PyDict>()?;
    let item =
        |key: &str| interface.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("an array lacks {key}")));
    let code: String = item("typestr")?.extract()?;
    let (order, letter) = (code.chars().next().unwrap_or('|'), code.chars().nth(1).unwrap_or('V'));
    let size: usize = code.get(2..).and_then(|size| size.parse().ok()).unwrap_or(0);
    let is_foreign = order == if cfg!(target_endian = "little") { '>' } else { '<' };
    match letter {
        'O' => return Ok(Readable::Objects(array.clone())),
        'U' | 'T' => return Ok(Readable::Objects(array.call_method1("astype", ("object",))?)),
        'f' if size == 2 => return readable(&array.call_method1("astype", ("float32",))?, name),
        _ if is_foreign => return readable(&array.call_method1("astype", (format!("={}", &code[1..]),))?, name),
        _ => {}
    }
    let Some(kind) = Kind::of(letter, size) else {
        let found = array.getattr("dtype").map_or(code, |dtype| dtype.to_string());
        let what = if name.is_empty() { "the array".to_owned() } else { format!("column `{name}`") };
        return Err(PyTypeError::new_err(format!(
            "{what} has the type {found}, expected booleans, real numbers or text"
        )));
    };
    let shape: Vec<usize> = item("shape")?.extract()?;
    let strides: Option<Vec<isize>> =
        interface.get_item("strides")?.map(|strides| strides.extract()).transpose()?.flatten();
    let (first, _): (usize, bool) = item("data")?.extract()?;
    let strides = strides.unwrap_or_else(|| side_by_side(&shape, kind.size()));
    let keeper: Keeper = Arc::new(array.clone().unbind());
    Ok(Readable::Numbers(Array { first: std::ptr::with_exposed_provenance(first), kind, shape, strides, keeper }))
}

/// The strides of an array in the order of C.
fn side_by_side(shape: &[usize], size: usize) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut step = size as isize;
    for at in (0..shape.len()).rev() {
        strides[at] = step;
        step *= shape[at] as isize;
    }
    strides
}

/// The cells of an array of one dimension.
pub fn block(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    match readable(array, name)? {
        Readable::Objects(array) => {
            check_dimensions(array.getattr("ndim")?.extract()?, 1, name)?;
            objects::block(&array, name)
        }
        Readable::Numbers(array) => {
            check_dimensions(array.shape.len(), 1, name)?;
            // SAFETY: so says the array, which is kept.
            let cells = unsafe { array.kind.cells(array.first, array.strides[0]) };
            Ok(Block { cells, len: array.shape[0], given: None, keeper: Some(array.keeper) })
        }
    }
}

/// The columns of an array of two dimensions.
pub fn columns(array: &Bound<'_, PyAny>) -> PyResult<Vec<Block>> {
    match readable(array, "")? {
        Readable::Objects(objects) => {
            check_dimensions(objects.getattr("ndim")?.extract()?, 2, "")?;
            let columns = objects.getattr("T")?.try_iter()?.enumerate().collect::<Vec<_>>();
            let block = |(at, column): (usize, PyResult<Bound<'_, PyAny>>)| objects::block(&column?, &format!("x{at}"));
            columns.into_iter().map(block).collect()
        }
        Readable::Numbers(numbers) => {
            check_dimensions(numbers.shape.len(), 2, "")?;
            if numbers.is_large_by_rows() {
                interruptible(array.py(), move |_| numbers.gathered())
            } else {
                Ok(numbers.columns())
            }
        }
    }
}

// SAFETY: what the pointer leads to is only read, and is kept by `keeper`.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

impl Array {
    /// The columns where they lie.
    fn columns(&self) -> Vec<Block> {
        let column = |at: usize| {
            let first = self.first.wrapping_offset(self.strides[1] * at as isize);
            // SAFETY: so says the array, which is kept.
            let cells = unsafe { self.kind.cells(first, self.strides[0]) };
            Block { cells, len: self.shape[0], given: None, keeper: Some(self.keeper.clone()) }
        };
        (0..self.shape[1]).map(column).collect()
    }

    /// Whether the numbers of a row stand side by side, and those of a column so far apart that reading column by column
    /// would bring the same memory again and again.
    fn is_large_by_rows(&self) -> bool {
        let size = self.kind.size() as isize;
        self.strides[1] == size && self.strides[0] != size && self.shape[0] * self.shape[1] * size as usize > LITTLE
    }

    /// The columns, copied so that each stands side by side.
    fn gathered(&self) -> Vec<Block> {
        match self.kind.size() {
            1 => self.copied::<u8>(),
            2 => self.copied::<u16>(),
            4 => self.copied::<u32>(),
            _ => self.copied::<u64>(),
        }
    }

    /// As [`Array::gathered`], for numbers of the size of `T`: columns that share lines of memory are copied together.
    fn copied<T: Copy + Send + Sync + 'static>(&self) -> Vec<Block> {
        let (n_rows, n_columns, size) = (self.shape[0], self.shape[1], size_of::<T>());
        let group = |first: usize| {
            let width = (LINE / size).min(n_columns - first);
            let mut columns: Vec<Vec<T>> = (0..width).map(|_| roughboard::pages::with_large_room(n_rows)).collect();
            for row in 0..n_rows {
                let start = self.first.wrapping_offset(self.strides[0] * row as isize).wrapping_add(first * size);
                // SAFETY: the numbers of a row stand side by side, and every pattern of bits is an unsigned number.
                let cells = unsafe { Strided::<T>::new(start, size as isize) };
                columns.iter_mut().enumerate().for_each(|(at, column)| column.push(cells.get(at)));
            }
            columns.into_iter().map(|column| self.owned(column)).collect::<Vec<_>>()
        };
        (0..n_columns).step_by(LINE / size).collect::<Vec<_>>().into_par_iter().flat_map(group).collect()
    }

    /// A column with cells of its own.
    fn owned<T: Send + Sync + 'static>(&self, column: Vec<T>) -> Block {
        let len = column.len();
        let kept = Arc::new(column);
        // SAFETY: the numbers are of the array's type, and are kept.
        let cells = unsafe { self.kind.cells(kept.as_ptr().cast(), size_of::<T>() as isize) };
        Block { cells, len, given: None, keeper: Some(kept) }
    }
}

fn check_dimensions(found: usize, expected: usize, name: &str) -> PyResult<()> {
    let what = if name.is_empty() { "the array".to_owned() } else { format!("column `{name}`") };
    let wrong = || PyValueError::new_err(format!("{what} has {found} dimensions, expected {expected}"));
    (found == expected).then_some(()).ok_or_else(wrong)
}
