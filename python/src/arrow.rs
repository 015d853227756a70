//! Tables and columns of Arrow, by its C interface: what polars, pyarrow, pandas and DuckDB hand over without copying.
//!
//! The structures are those of the specification, <https://arrow.apache.org/docs/format/CDataInterface.html>.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use roughboard::table::{Moment, TimeUnit};

use crate::cells::{Bits, Block, Cells, Decimals, Keeper, Strided, Texts};
use crate::coding;
use crate::input::{self, Found};

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A structure of the interface, which its owner releases.
macro_rules! owned {
    ($owned:ident, $of:ident { $($field:ident: $empty:expr),* }) => {
        struct $owned($of);

        impl $owned {
            /// One that is there to be filled, and need not be released before it is.
            fn empty() -> Self {
                Self($of { $($field: $empty),* })
            }

            /// Takes over what a capsule holds.
            fn take(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<Self> {
                let held = capsule.pointer_checked(Some(name))?.cast::<$of>().as_ptr();
                // SAFETY: a capsule of this name holds this structure; without `release` it is another's no longer.
                let taken = Self(unsafe { ptr::replace(held, Self::empty().into_inner()) });
                let was_there = taken.0.release.is_some();
                was_there.then_some(taken).ok_or_else(|| PyValueError::new_err("the Arrow data were read before"))
            }

            fn into_inner(self) -> $of {
                // SAFETY: it is moved out once, and not dropped here.
                let inner = unsafe { ptr::read(&self.0) };
                std::mem::forget(self);
                inner
            }
        }

        impl Drop for $owned {
            fn drop(&mut self) {
                if let Some(release) = self.0.release {
                    // SAFETY: it was not released before, and nobody looks at it afterwards.
                    unsafe { release(&mut self.0) }
                }
            }
        }

        // SAFETY: the specification lets another thread look at a structure and release it.
        unsafe impl Send for $owned {}
        // SAFETY: as above.
        unsafe impl Sync for $owned {}
    };
}
owned!(
    OwnedSchema,
    Schema {
        format: ptr::null(),
        name: ptr::null(),
        metadata: ptr::null(),
        flags: 0,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut()
    }
);
owned!(
    OwnedArray,
    Array {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: ptr::null_mut(),
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut()
    }
);
owned!(
    OwnedStream,
    Stream { get_schema: None, get_next: None, get_last_error: None, release: None, private_data: ptr::null_mut() }
);

/// The columns of an object that hands itself over as a stream of Arrow or as one array; `None` if it does neither. The
/// only column of what is no table has no name.
pub fn columns(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Found>>> {
    let Some(handed) = Handed::of(data)? else { return Ok(None) };
    data.py().detach(move || handed.columns()).map(Some)
}

/// The cells of an object that hands itself over as one column; `None` if it does not hand itself over.
pub fn blocks(data: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Vec<Block>>> {
    let Some(handed) = Handed::of(data)? else { return Ok(None) };
    // One column of structures is no other thing than a table, and none of its fields is the column.
    if handed.is_table() {
        return Err(input::several(name));
    }
    data.py().detach(move || handed.blocks(name)).map(Some)
}

/// The format of a table: a structure of columns.
const TABLE: &str = "+s";

/// What an object hands over: arrays of one type.
struct Handed {
    schema: OwnedSchema,
    arrays: Vec<Arc<OwnedArray>>,
}

impl Handed {
    fn of(data: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if data.hasattr("__arrow_c_stream__")? {
            let capsule = data.call_method0("__arrow_c_stream__")?;
            let stream = OwnedStream::take(capsule.cast::<PyCapsule>()?, c"arrow_array_stream")?;
            // Who fills a structure may need the interpreter, or threads of its own that do.
            return data.py().detach(move || Self::of_stream(stream)).map(Some);
        }
        if data.hasattr("__arrow_c_array__")? {
            let pair = data.call_method0("__arrow_c_array__")?;
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            let schema = OwnedSchema::take(schema.cast::<PyCapsule>()?, c"arrow_schema")?;
            let array = OwnedArray::take(array.cast::<PyCapsule>()?, c"arrow_array")?;
            return Ok(Some(Self { schema, arrays: vec![Arc::new(array)] }));
        }
        Ok(None)
    }

    fn of_stream(mut stream: OwnedStream) -> PyResult<Self> {
        let mut schema = OwnedSchema::empty();
        let Some(get_schema) = stream.0.get_schema else { return Err(misfit("a stream without schema")) };
        // SAFETY: as the specification says, with a stream that was not released.
        let code = unsafe { get_schema(&mut stream.0, &mut schema.0) };
        stream.check(code)?;
        let mut arrays = Vec::new();
        while let Some(array) = stream.next()? {
            arrays.push(Arc::new(array));
        }
        Ok(Self { schema, arrays })
    }

    fn is_table(&self) -> bool {
        self.schema.0.format() == TABLE
    }

    fn columns(&self) -> PyResult<Vec<Found>> {
        if !self.is_table() {
            let name = text_of(self.schema.0.name);
            return Ok(vec![Found { blocks: self.blocks(&name), name }]);
        }
        if self.arrays.iter().any(|array| array.0.has_nulls()) {
            return Err(PyValueError::new_err("the Arrow table has rows that are null, expected cells that are"));
        }
        let fields = self.schema.0.children().into_iter().enumerate();
        Ok(fields.map(|(at, field)| self.column(at, field)).collect())
    }

    /// The cells of the only column, which is called `name`.
    fn blocks(&self, name: &str) -> PyResult<Vec<Block>> {
        let of_array = |array: &Arc<OwnedArray>| {
            let whole = Part { offset: 0, len: array.0.length as usize, keeper: array.clone() };
            block(&self.schema.0, &array.0, whole, name)
        };
        self.arrays.iter().map(of_array).collect()
    }

    /// The column number `at` of a table.
    fn column(&self, at: usize, field: &Schema) -> Found {
        let name = text_of(field.name);
        let of_array = |array: &Arc<OwnedArray>| {
            let table = &array.0;
            let child = table.child(at).ok_or_else(|| misfit("an array has fewer columns than the schema"))?;
            let part = Part { offset: table.offset as usize, len: table.length as usize, keeper: array.clone() };
            block(field, child, part, &name)
        };
        let blocks = self.arrays.iter().map(of_array).collect();
        Found { name, blocks }
    }
}

impl OwnedStream {
    fn next(&mut self) -> PyResult<Option<OwnedArray>> {
        let mut array = OwnedArray::empty();
        let Some(get_next) = self.0.get_next else { return Ok(None) };
        // SAFETY: as the specification says, with a stream that was not released.
        let code = unsafe { get_next(&mut self.0, &mut array.0) };
        self.check(code)?;
        Ok(array.0.release.is_some().then_some(array))
    }

    fn check(&mut self, code: c_int) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        let last = self.0.get_last_error.map(|last| {
            // SAFETY: a text that lives until the next call, or nothing.
            let text = unsafe { last(&mut self.0) };
            text_of(text)
        });
        Err(PyValueError::new_err(format!("the Arrow stream failed: {}", last.unwrap_or_default())))
    }
}

/// A text of the interface; empty if there is none.
fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: texts of the interface end with 0.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn misfit(what: &str) -> PyErr {
    PyValueError::new_err(format!("the Arrow data are damaged: {what}"))
}

impl Schema {
    fn format(&self) -> String {
        text_of(self.format)
    }

    fn children(&self) -> Vec<&Self> {
        // SAFETY: there are so many children.
        (0..self.n_children).map(|at| unsafe { &**self.children.offset(at as isize) }).collect()
    }

    fn dictionary(&self) -> Option<&Self> {
        // SAFETY: there is one, or none.
        unsafe { self.dictionary.as_ref() }
    }
}

impl Array {
    fn buffer(&self, at: usize) -> *const u8 {
        if at as i64 >= self.n_buffers || self.buffers.is_null() {
            return ptr::null();
        }
        // SAFETY: there are so many buffers.
        unsafe { *self.buffers.add(at) }.cast()
    }

    fn child(&self, at: usize) -> Option<&Self> {
        // SAFETY: there are so many children.
        (at < self.n_children as usize).then(|| unsafe { &**self.children.add(at) })
    }

    /// Whether a row of this structure is null. Where it is not known how many are, as in parts of arrays, their bits say so.
    fn has_nulls(&self) -> bool {
        let bits = self.buffer(0);
        if self.null_count >= 0 || bits.is_null() {
            return self.null_count > 0;
        }
        // SAFETY: the first buffer of a structure has a bit for each of its rows.
        let given = unsafe { Bits::new(bits, self.offset as usize) };
        (0..self.length as usize).any(|row| !given.get(row))
    }

    fn dictionary(&self) -> Option<&Self> {
        // SAFETY: there is one, or none.
        unsafe { self.dictionary.as_ref() }
    }
}

/// Which cells of an array are meant, and what keeps them.
struct Part {
    offset: usize,
    len: usize,
    keeper: Keeper,
}

fn block(schema: &Schema, array: &Array, part: Part, name: &str) -> PyResult<Block> {
    let offset = part.offset + array.offset as usize;
    if (array.length as usize) < part.offset + part.len {
        return Err(misfit("a column is shorter than its table"));
    }
    let cells = match (schema.dictionary(), array.dictionary()) {
        (Some(of_values), Some(values)) => {
            let whole = Part { offset: 0, len: values.length as usize, keeper: part.keeper.clone() };
            let values = block(of_values, values, whole, name)?;
            let (values, note) = coding::dictionary(name, std::slice::from_ref(&values)).map_err(input::problem)?;
            Cells::Coded { places: Box::new(plain(schema, array, offset, name)?), values, note }
        }
        _ => plain(schema, array, offset, name)?,
    };
    let bits = array.buffer(0);
    // SAFETY: the first buffer of these types says which cells are given; no buffer says that all are.
    let given = (array.null_count != 0 && !bits.is_null()).then(|| unsafe { Bits::new(bits, offset) });
    let given = if matches!(cells, Cells::Missing) { None } else { given };
    Ok(Block { cells, len: part.len, given, keeper: Some(part.keeper), is_fixed: true })
}

/// The cells of an array from `offset` on, apart from its dictionary.
fn plain(schema: &Schema, array: &Array, offset: usize, name: &str) -> PyResult<Cells> {
    let (first, second) = (array.buffer(1), array.buffer(2));
    macro_rules! strided {
        ($kind:ty) => {{
            let size = size_of::<$kind>();
            // SAFETY: the buffer of the type has a number for each cell, whatever its bits.
            unsafe { Strided::<$kind>::new(first.wrapping_add(offset * size), size as isize) }
        }};
    }
    Ok(match schema.format().as_str() {
        "n" => Cells::Missing,
        // SAFETY: the buffer has a bit for each cell.
        "b" => Cells::Bits(unsafe { Bits::new(first, offset) }),
        "c" => Cells::I8(strided!(i8)),
        "C" => Cells::U8(strided!(u8)),
        "s" => Cells::I16(strided!(i16)),
        "S" => Cells::U16(strided!(u16)),
        "i" => Cells::I32(strided!(i32)),
        "I" => Cells::U32(strided!(u32)),
        "l" => Cells::I64(strided!(i64)),
        "L" => Cells::U64(strided!(u64)),
        "f" => Cells::F32(strided!(f32)),
        "g" => Cells::F64(strided!(f64)),
        "u" => Cells::Texts(Texts::Small { ends: strided!(i32), bytes: second }),
        "U" => Cells::Texts(Texts::Large { ends: strided!(i64), bytes: second }),
        "vu" => {
            // The last buffer holds the sizes of those between.
            let buffers = (2..(array.n_buffers - 1).max(2) as usize).map(|at| array.buffer(at)).collect();
            Cells::Texts(Texts::Views { views: strided!([u8; 16]), buffers })
        }
        other => match (moment(other), decimal(other)) {
            (Some((moment, is_short)), _) => {
                let numbers = if is_short { Cells::I32(strided!(i32)) } else { Cells::I64(strided!(i64)) };
                Cells::Moments { numbers: Box::new(numbers), moment }
            }
            (_, Some((scale, bytes))) => {
                // SAFETY: the buffer has so many bytes for each cell.
                let numbers = unsafe { Decimals::new(first.wrapping_add(offset * bytes), bytes) };
                Cells::Decimals { numbers, scale }
            }
            _ => return Err(refused(name, other)),
        },
    })
}

/// Which dates or times have this format, and whether in 32 bits. The time zone of a timestamp is for showing it only.
fn moment(format: &str) -> Option<(Moment, bool)> {
    let unit = |letter: &u8| match letter {
        b's' => Some(TimeUnit::Second),
        b'm' => Some(TimeUnit::Milli),
        b'u' => Some(TimeUnit::Micro),
        b'n' => Some(TimeUnit::Nano),
        _ => None,
    };
    Some(match format.as_bytes() {
        b"tdD" => (Moment::Date, true),
        b"tdm" => (Moment::DateInMillis, false),
        [b't', b't', letter] => (Moment::Time(unit(letter)?), matches!(letter, b's' | b'm')),
        [b't', b's', letter, b':', ..] => (Moment::Timestamp(unit(letter)?), false),
        [b't', b'D', letter] => (Moment::Duration(unit(letter)?), false),
        _ => return None,
    })
}

/// How many digits of the decimal numbers of this format are their fraction, and how many bytes they have.
fn decimal(format: &str) -> Option<(usize, usize)> {
    let mut parts = format.strip_prefix("d:")?.split(',').skip(1);
    let scale = parts.next()?.parse().ok()?;
    let bits: usize = parts.next().map_or(Ok(128), str::parse).ok()?;
    matches!(bits, 32 | 64 | 128 | 256).then_some((scale, bits / 8))
}

/// A column of a type that says nothing that rough sets compare.
fn refused(name: &str, format: &str) -> PyErr {
    let kind = match format.as_bytes() {
        b"e" => "numbers of 16 bits",
        b"z" | b"Z" | b"vz" => "binary data",
        [b'w', ..] => "binary data",
        [b'd', ..] => "decimals whose last digits are not kept",
        [b't', ..] => "spans of months and days",
        [b'+', ..] => "lists or structures",
        _ => "an unknown type",
    };
    PyTypeError::new_err(format!(
        "column `{name}` has {kind} (Arrow format `{format}`), expected booleans, numbers, text, dates or times: cast it, or ignore it"
    ))
}
