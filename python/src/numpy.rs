//! Arrays of numpy, by their array interface: read where they lie.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use rayon::prelude::*;
use roughboard::table::{Moment, TimeUnit, Value};

use crate::cells::{Bits, Block, Cells, FEW, Keeper, Strided};
use crate::coding;
use crate::input::Found;
use crate::objects;
use crate::work::interruptible;

/// Smaller matrices are not worth a copy that puts their columns side by side.
const LITTLE: usize = 1 << 16;
/// Bytes that come together from memory, and that the processor computes with at once.
const LINE: usize = 64;
const WORD: usize = 8;
/// Rows that are turned into columns in one piece.
const STRETCH: usize = 1 << 16;

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
    Moment(Moment),
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
            Self::I64 | Self::U64 | Self::F64 | Self::Moment(_) => 8,
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
            Self::Moment(moment) => Cells::Moments { numbers: Box::new(strided!(I64)), moment },
        }
    }
}

/// What an array can be read as.
enum Readable<'py> {
    Numbers(Array),
    /// Another array that has the same values as objects.
    Objects(Bound<'py, PyAny>),
    /// Another array, and a mask in its shape that takes values away.
    Masked(Bound<'py, PyAny>, Bound<'py, PyAny>),
}

fn readable<'py>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Readable<'py>> {
    if array.hasattr("mask")? && array.hasattr("filled")? {
        return of_masked(array);
    }
    let interface = array.getattr("__array_interface__")?;
    let interface = interface.cast::<PyDict>()?;
    let item =
        |key: &str| interface.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("an array lacks {key}")));
    let code: String = item("typestr")?.extract()?;
    let (order, letter) = (code.chars().next().unwrap_or('|'), code.chars().nth(1).unwrap_or('V'));
    let size: usize = code.get(2..).and_then(|size| size.split('[').next()?.parse().ok()).unwrap_or(0);
    let is_foreign = order == if cfg!(target_endian = "little") { '>' } else { '<' };
    match letter {
        'O' => return Ok(Readable::Objects(array.clone())),
        'U' => return Ok(Readable::Objects(array.call_method1("astype", ("object",))?)),
        'f' if size == 2 => return readable(&array.call_method1("astype", ("float32",))?, name),
        _ if is_foreign => return readable(&array.call_method1("astype", (format!("={}", &code[1..]),))?, name),
        _ => {}
    }
    let time = matches!(letter, 'M' | 'm').then(|| (letter, code.get(3..).unwrap_or_default()));
    if let Some(unit) = time.and_then(other_unit) {
        return readable(&array.call_method1("astype", (format!("{letter}8{unit}"),))?, name);
    }
    let moment = || time.and_then(|(letter, unit)| moment(letter, unit)).map(Kind::Moment);
    let Some(kind) = Kind::of(letter, size).or_else(moment) else {
        // Texts of any length, whose code tells nothing.
        if array.getattr("dtype").and_then(|dtype| dtype.getattr("kind")?.extract()).is_ok_and(|kind: char| kind == 'T')
        {
            return Ok(Readable::Objects(array.call_method1("astype", ("object",))?));
        }
        let found = array.getattr("dtype").map_or(code, |dtype| dtype.to_string());
        let what = if name.is_empty() { "the array".to_owned() } else { format!("column `{name}`") };
        return Err(PyTypeError::new_err(format!(
            "{what} has the type {found}, expected booleans, real numbers, text, or dates and times in nanoseconds or longer units"
        )));
    };
    let shape: Vec<usize> = item("shape")?.extract()?;
    let strides: Option<Vec<isize>> =
        interface.get_item("strides")?.map(|strides| strides.extract()).transpose()?.flatten();
    let (first, _): (usize, bool) = item("data")?.extract()?;
    let strides = strides.unwrap_or_else(|| side_by_side(&shape, kind.size()));
    let (first, keeper) = (std::ptr::with_exposed_provenance(first), Arc::new(array.clone().unbind()));
    Ok(Readable::Numbers(Array { first, kind, shape, strides, keeper }))
}

/// A masked array: its data and their mask if they are numbers, dates or times, else its values as objects.
fn of_masked<'py>(array: &Bound<'py, PyAny>) -> PyResult<Readable<'py>> {
    let data = array.getattr("data")?;
    let kind = || -> PyResult<char> { array.getattr("dtype")?.getattr("kind")?.extract() };
    if !is_array(&data) || !"biufmM".contains(kind()?) {
        let objects = array.call_method1("astype", ("object",))?;
        return Ok(Readable::Objects(objects.call_method1("filled", (f64::NAN,))?));
    }
    // One boolean may stand for all of them.
    let mask = (array.getattr("mask")?, array.getattr("shape")?);
    Ok(Readable::Masked(data, array.py().import("numpy")?.call_method1("broadcast_to", mask)?))
}

/// Takes the cells of a column away that a mask names, an array of booleans.
fn hide(blocks: &mut [Block], mask: &Bound<'_, PyAny>) -> PyResult<()> {
    let mask = in_place(mask, "")?;
    let n_rows = coding::n_rows(blocks);
    let (Cells::Bytes(hidden), true) = (&mask.cells, mask.len == n_rows) else {
        return Err(PyValueError::new_err("a mask is not one boolean for each value"));
    };
    if (0..n_rows).all(|at| hidden.get(at) == 0) {
        return Ok(());
    }
    let mut given = vec![0_u8; n_rows.div_ceil(8)];
    (0..n_rows).filter(|&at| hidden.get(at) == 0).for_each(|at| given[at / 8] |= 1 << (at % 8));
    let (given, mut first) = (Arc::new(given), 0);
    for block in blocks {
        // SAFETY: there is a bit for each row, and they are kept beside the cells.
        block.given = Some(unsafe { Bits::new(given.as_ptr(), first) });
        block.keeper = Some(Arc::new((block.keeper.take(), given.clone())));
        first += block.len;
    }
    Ok(())
}

/// The dates or times of numpy that are counted in this unit, which stands in brackets.
fn moment(letter: char, unit: &str) -> Option<Moment> {
    let unit = match unit {
        "[D]" => return (letter == 'M').then_some(Moment::Date),
        "[s]" => TimeUnit::Second,
        "[ms]" => TimeUnit::Milli,
        "[us]" => TimeUnit::Micro,
        "[ns]" => TimeUnit::Nano,
        _ => return None,
    };
    Some(if letter == 'M' { Moment::Timestamp(unit) } else { Moment::Duration(unit) })
}

/// The unit in which times of this unit can be told, too. Years and months of durations have no length.
fn other_unit((letter, unit): (char, &str)) -> Option<&'static str> {
    match (letter, unit) {
        ('M', "[Y]" | "[M]" | "[W]") => Some("[D]"),
        ('m', "[W]" | "[D]") | (_, "[h]" | "[m]") => Some("[s]"),
        _ => None,
    }
}

/// What a single date, time or duration of numpy says, as in an array, and in all digits; nothing if its unit says nothing there.
pub fn moment_of(scalar: &Bound<'_, PyAny>) -> PyResult<Option<(Value, String)>> {
    let code: String = scalar.getattr("dtype")?.getattr("str")?.extract()?;
    let (letter, unit) = (code.chars().nth(1).unwrap_or('V'), code.get(3..).unwrap_or_default());
    if let Some(other) = other_unit((letter, unit)) {
        return moment_of(&scalar.call_method1("astype", (format!("{letter}8{other}"),))?);
    }
    let number: i64 = scalar.call_method1("astype", ("i8",))?.extract()?;
    if number == i64::MIN {
        return Ok(Some((Value::Missing, String::new())));
    }
    Ok(moment(letter, unit).map(|moment| (moment.value(number), moment.spelled(number))))
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

/// Whether this is an array, and not only what can be made one.
pub fn is_array(data: &Bound<'_, PyAny>) -> bool {
    // Frames of pandas look long for what they do not have, their type does not.
    data.get_type().hasattr("__array_interface__").unwrap_or(false)
}

/// numpy's own type of arrays.
fn array_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "numpy", "ndarray")
}

/// A short array of numbers or booleans as a list, of which Python makes the values that they have in memory.
fn short_list<'py>(array: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_plain = array.get_type().is(array_type(array.py())?);
    if !is_plain || array.getattr("size")?.extract::<usize>()? > FEW || array.getattr("ndim")?.extract::<usize>()? != 1
    {
        return Ok(None);
    }
    let kind: char = array.getattr("dtype")?.getattr("char")?.extract()?;
    "?bBhHiIlLqQd".contains(kind).then(|| array.call_method0("tolist")).transpose()
}

/// The cells of an array of one dimension.
pub fn block(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    if let Some(list) = short_list(array)? {
        return objects::block(&list, name);
    }
    in_place(array, name)
}

/// The cells of an array of one dimension, where they lie.
pub fn in_place(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    match readable(array, name)? {
        Readable::Masked(data, mask) => masked(&data, &mask, name),
        Readable::Objects(array) => {
            check_dimensions(array.getattr("ndim")?.extract()?, 1, name)?;
            objects::block(&array, name)
        }
        Readable::Numbers(array) => {
            check_dimensions(array.shape.len(), 1, name)?;
            // SAFETY: so says the array, which is kept.
            let cells = unsafe { array.kind.cells(array.first, array.strides[0]) };
            Ok(Block { cells, len: array.shape[0], given: None, keeper: Some(array.keeper), is_fixed: true })
        }
    }
}

/// The cells of an array of one dimension, where they lie, without those that a mask names.
pub fn masked(data: &Bound<'_, PyAny>, mask: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    let mut block = in_place(data, name)?;
    hide(std::slice::from_mut(&mut block), mask)?;
    Ok(block)
}

/// The columns of an array of two dimensions, which are called `x0`, `x1`, … where they have no other `names`.
pub fn columns(array: &Bound<'_, PyAny>, names: Option<Vec<String>>) -> PyResult<Vec<Found>> {
    match readable(array, "")? {
        Readable::Masked(data, mask) => {
            let mut found = columns(&data, names)?;
            for (column, mask) in found.iter_mut().zip(mask.getattr("T")?.try_iter()?) {
                if let Ok(blocks) = &mut column.blocks {
                    hide(blocks, &mask?)?;
                }
            }
            Ok(found)
        }
        Readable::Objects(objects) => {
            check_dimensions(objects.getattr("ndim")?.extract()?, 2, "")?;
            let columns = objects.getattr("T")?.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            let found = |(name, column): (String, &Bound<'_, PyAny>)| {
                let block = objects::block(column, &name);
                Found::of(array.py(), name, block.map(|block| vec![block]))
            };
            named(names, columns.len())?.into_iter().zip(&columns).map(found).collect()
        }
        Readable::Numbers(numbers) => {
            check_dimensions(numbers.shape.len(), 2, "")?;
            let names = named(names, numbers.shape[1])?;
            let columns = if numbers.is_large_by_rows() {
                interruptible(array.py(), move |_| numbers.turned())?
            } else {
                numbers.columns()
            };
            Ok(names.into_iter().zip(columns).map(|(name, blocks)| Found { name, blocks: Ok(blocks) }).collect())
        }
    }
}

/// The names of so many columns.
fn named(names: Option<Vec<String>>, n_columns: usize) -> PyResult<Vec<String>> {
    let names = names.unwrap_or_else(|| (0..n_columns).map(|at| format!("x{at}")).collect());
    if names.len() == n_columns {
        return Ok(names);
    }
    let found = names.len();
    Err(PyValueError::new_err(format!("names must be one for each of {n_columns} columns, got {found}")))
}

// SAFETY: what the pointer leads to is only read, and is kept by `keeper`.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

impl Array {
    /// The columns where they lie.
    fn columns(&self) -> Vec<Vec<Block>> {
        let column = |at: usize| {
            let first = self.first.wrapping_offset(self.strides[1] * at as isize);
            // SAFETY: so says the array, which is kept.
            let cells = unsafe { self.kind.cells(first, self.strides[0]) };
            let (len, keeper) = (self.shape[0], Some(self.keeper.clone()));
            vec![Block { cells, len, given: None, keeper, is_fixed: true }]
        };
        (0..self.shape[1]).map(column).collect()
    }

    /// Whether the numbers of a row stand side by side, and those of a column so far apart that reading column by column
    /// would bring the same memory again and again.
    fn is_large_by_rows(&self) -> bool {
        let size = self.kind.size() as isize;
        self.strides[1] == size && self.strides[0] != size && self.shape[0] * self.shape[1] * size as usize > LITTLE
    }

    /// The columns, copied so that each stands side by side, some rows at a time.
    fn turned(&self) -> Vec<Vec<Block>> {
        let stretch = |first: usize| {
            let n_rows = STRETCH.min(self.shape[0] - first);
            match self.kind.size() {
                1 => self.stretch::<8>(first, n_rows),
                2 => self.stretch::<4>(first, n_rows),
                4 => self.stretch::<2>(first, n_rows),
                _ => self.stretch::<1>(first, n_rows),
            }
        };
        let firsts: Vec<usize> = (0..self.shape[0]).step_by(STRETCH).collect();
        let stretches: Vec<Vec<Block>> = firsts.into_par_iter().map(stretch).collect();
        let mut columns: Vec<Vec<Block>> = (0..self.shape[1]).map(|_| Vec::with_capacity(stretches.len())).collect();
        for stretch in stretches {
            columns.iter_mut().zip(stretch).for_each(|(column, block)| column.push(block));
        }
        columns
    }

    /// A block of each column, of `n_rows` rows from `first` on. `N` numbers fit a word: words of `N` rows are turned at a time.
    fn stretch<const N: usize>(&self, first: usize, n_rows: usize) -> Vec<Block> {
        let (n_columns, size) = (self.shape[1], WORD / N);
        // A line of memory more than there are rows, or else the columns would share few places of the processor's memory.
        let n_words = n_rows.div_ceil(N) + LINE / WORD;
        let mut words = vec![0; n_columns * n_words];
        roughboard::pages::advise_large_pages(&mut words);
        for row in (0..n_rows).step_by(N) {
            let rows: [&[u8]; N] =
                std::array::from_fn(|at| if row + at < n_rows { self.row(first + row + at) } else { &[] });
            // Whole words first, which need fewer looks at where rows and columns end.
            let n_whole = if row + N <= n_rows { n_columns / N } else { 0 };
            let whole = rows.map(|row| &row.as_chunks::<WORD>().0[..n_whole]);
            for (at, columns) in words[row / N..].chunks_mut(N * n_words).enumerate().take(n_whole) {
                let turned = turned(whole.map(|words| u64::from_le_bytes(words[at])));
                (0..N).for_each(|column| columns[column * n_words] = turned[column].to_le());
            }
            for column in (n_whole * N..n_columns).step_by(N) {
                let turned = turned(rows.map(|row| word(row, column * size)));
                for (at, word) in turned.into_iter().enumerate().take(n_columns - column) {
                    words[(column + at) * n_words + row / N] = word.to_le();
                }
            }
        }
        let kept = Arc::new(words);
        let block = |column: usize| {
            // SAFETY: the numbers are of the array's type, and are kept.
            let cells = unsafe { self.kind.cells(kept[column * n_words..].as_ptr().cast(), size as isize) };
            Block { cells, len: n_rows, given: None, keeper: Some(kept.clone()), is_fixed: true }
        };
        (0..n_columns).map(block).collect()
    }

    /// The bytes of a row whose numbers stand side by side.
    fn row(&self, row: usize) -> &[u8] {
        let first = self.first.wrapping_offset(self.strides[0] * row as isize);
        // SAFETY: so says the array, which is kept.
        unsafe { std::slice::from_raw_parts(first, self.shape[1] * self.kind.size()) }
    }
}

/// The bytes of a row from `from` on as a word; zeros where it has ended.
#[inline(always)]
fn word(row: &[u8], from: usize) -> u64 {
    let Some(rest) = row.get(from..) else { return 0 };
    let mut bytes = [0; WORD];
    match rest.first_chunk::<WORD>() {
        Some(all) => bytes = *all,
        None => bytes[..rest.len()].copy_from_slice(rest),
    }
    u64::from_le_bytes(bytes)
}

/// Turns rows into columns: of `N` words of `N` numbers, the first word gets the first number of each, and so on.
#[inline(always)]
fn turned<const N: usize>(mut words: [u64; N]) -> [u64; N] {
    // Spelled out, so that all shifts are known when it is compiled.
    if N > 4 {
        exchange(&mut words, 4);
    }
    if N > 2 {
        exchange(&mut words, 2);
    }
    if N > 1 {
        exchange(&mut words, 1);
    }
    words
}

/// Exchanges the squares of `side` numbers beside the diagonal of each square of twice that side.
#[inline(always)]
fn exchange<const N: usize>(words: &mut [u64; N], side: usize) {
    let bits = side * WORD / N * 8;
    let low = u64::MAX / ((1 << bits) + 1);
    for upper in 0..N {
        if upper & side == 0 {
            let changed = (words[upper] >> bits ^ words[upper + side]) & low;
            words[upper] ^= changed << bits;
            words[upper + side] ^= changed;
        }
    }
}

fn check_dimensions(found: usize, expected: usize, name: &str) -> PyResult<()> {
    let what = if name.is_empty() { "the array".to_owned() } else { format!("column `{name}`") };
    let wrong = || PyValueError::new_err(format!("{what} has {found} dimensions, expected {expected}"));
    (found == expected).then_some(()).ok_or_else(wrong)
}
